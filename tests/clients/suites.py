"""Runs the tests of a package by pytest on ranks, with its own library or with Weft's module in its place."""

import shutil
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from xml.etree import ElementTree

from clients.contest import ClientError, Setting, run


@dataclass(frozen=True)
class Outcome:
    """Which tests passed on every rank, which failed on some, and the seconds of the whole run."""

    passed: frozenset[str]
    failed: frozenset[str]
    seconds: float

    @property
    def count(self) -> int:
        """How many tests ran."""
        return len(self.passed) + len(self.failed)


def outcome(
    setting: Setting, python: Path, tests: Path, files: Sequence[str], *, weft: str = "", options: Sequence[str] = ()
) -> Outcome:
    """Runs files of a folder of tests in a fresh copy of it. Raises ClientError if they do not come to their end.

    weft      the module that takes the library's place, such as "mpi4py_fft" of weft.compat; none: the library itself.
    options   of pytest.
    Packages beside the folder are found, too, as in a repository.
    """
    folder = setting.scratch / f"run-{tests.parent.name}"
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(tests, folder / "tests")
    module = ["-m", f"weft.compat.{weft}"] if weft else []
    pytest = [str(python), *module, "-m", "pytest", "-q", "-p", "no:cacheprovider", *options]
    beside = {"PYTHONPATH": str(tests.parent)} if (tests.parent / ".git").exists() else {}
    began = time.perf_counter()
    ran, failed = set[str](), set[str]()
    # Each file in processes of its own: tests leave communicators behind, of which MPICH has 2048.
    for file in files:
        cases, bad = _run(setting, folder, [*pytest, f"tests/{file}"], beside)
        ran |= cases
        failed |= bad
    return Outcome(frozenset(ran - failed), frozenset(failed), time.perf_counter() - began)


def _run(setting: Setting, folder: Path, pytest: list[str], more: dict[str, str]) -> tuple[set[str], set[str]]:
    """The names of the tests that ran on some rank, and of those that failed on one."""
    # Every rank writes a report of its own: MPICH tells each one its number.
    ranked = ["sh", "-c", 'exec "$@" --junitxml="report-$PMI_RANK.xml"', "sh"]
    command = setting.command("mpich", setting.ranks, [*ranked, *pytest])
    reports = [folder / f"report-{rank}.xml" for rank in range(setting.ranks)]
    for report in reports:
        report.unlink(missing_ok=True)
    text = run(command, folder, setting.environment("mpich", weft=False) | more, allowed=(0, 1))
    if not all(report.exists() for report in reports):
        raise ClientError(f"{' '.join(command)}: not all ranks came to the end\n{text[-2000:]}")
    ran, failed = set[str](), set[str]()
    for report in reports:
        for case in ElementTree.parse(report).iter("testcase"):
            name = f"{case.get('classname', '').rpartition('.')[2]}::{case.get('name')}"
            if case.find("skipped") is None:
                ran.add(name)
            if case.find("failure") is not None or case.find("error") is not None:
                failed.add(name)
    return ran, failed


def compare(program: str, theirs: Outcome | None, ours: Outcome, expected: frozenset[str]) -> tuple[str, str]:
    """The cells of the table about tests. Raises ClientError if Weft fails one that is neither expected nor theirs."""
    worse = ours.failed - (theirs.failed if theirs else frozenset())
    if worse - expected:
        raise ClientError(f"{program}: fails with Weft: {', '.join(sorted(worse - expected))}")
    text = f"{len(ours.passed)} of {ours.count}"
    if theirs:
        text += f"; with its own library {len(theirs.passed)} of {theirs.count}"
    return text, f"fails with Weft alone: {', '.join(sorted(worse))}" if worse else ""
