"""make hosts: Weft on several hosts of this one machine, over TCP cables of a limited speed (see network.py).

On 2 x 2 and 2 + 1 + 1 ranks: weft check, the MPI tests, a solve that must have the bits of one rank, and all ways to
exchange data, whose bytes on the cables must be those that explain() tells. Then what goes wrong: folders that hosts do
not share, a cable that is pulled, a host that loses its power. Prints tables; status 1 where anything was not right.
"""

import argparse
import json
import os
import re
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from network import HERE, Network, obstacle

LAYOUTS = ((2, 2), (2, 1, 1))
SHAPE = (64, 60, 66)
PARTS = ("check", "solve", "traffic", "tests", "folder", "lost", "choices")
CHOICE_LAYOUTS = ((1, 1),)
CHOICES = (("r2c", 128), ("r2c", 192), ("solve", 96))
# Three intervals of two seconds without an answer, and the 8 s in which tools/ssh-watched ends the launcher.
ALIVE_INTERVAL = 2
END_WITHIN = 30


class Report:
    """What was done, with its outcome, seconds and words; printed as it comes."""

    def __init__(self) -> None:
        self.failures = 0

    def line(self, what: str, ok: bool, seconds: float | None, words: str) -> None:
        """One line of the table; more than one line of words only where something failed."""
        self.failures += not ok
        taken = "" if seconds is None else f"{seconds:7.1f} s"
        print(f"{what:<34} {'ok' if ok else 'FAILED':<7}{taken:>10}  {words}", flush=True)


def mpi_tests_summary(text: str) -> str:
    """Counts of GoogleTest's summary, and the names of what failed."""
    found = {kind: re.findall(rf"^\[ *{kind} *\] (\d+) test", text, re.M) for kind in ("PASSED", "SKIPPED", "FAILED")}
    counts = ", ".join(f"{numbers[0]} {kind.lower()}" for kind, numbers in found.items() if numbers)
    names = sorted(set(re.findall(r"^\[ *FAILED *\] (\S+\.\S+)", text, re.M)))
    return counts + ("" if not names else ": " + " ".join(names))


def last_line(text: str) -> str:
    lines = [line for line in text.splitlines() if line.strip()]
    return lines[-1] if lines else "nothing was printed"


def json_in(text: str) -> Any:
    """The line of JSON among what a launcher and its ranks have printed."""
    for line in text.splitlines():
        if line.startswith(("[{", "{")):
            return json.loads(line)
    return None


class Suite:
    """All checks on the hosts of one layout."""

    def __init__(self, network: Network, ranks: Sequence[int], given: argparse.Namespace, report: Report) -> None:
        self.network, self.given, self.report = network, given, report
        self.python = str(given.venv / "bin" / "python")
        self.environment = {"OMP_NUM_THREADS": "1", "OMP_WAIT_POLICY": "passive", "WEFT_MACHINE": ""}
        preload = given.build / "tests" / "libweft_yield.so"
        if preload.exists():
            self.environment["LD_PRELOAD"] = str(preload)
        self.launcher, self.ranks = network.launcher(given.mpi, ranks, self.environment), ranks

    def run(self, command: Sequence[str], limit: float) -> tuple[int | None, str, float, float]:
        """Status, text, seconds, and megabytes on all cables."""
        before = sum(self.network.bytes_sent().values())
        status, text, seconds = self.network.run([*self.launcher, *command], limit, self.environment)
        return status, text, seconds, (sum(self.network.bytes_sent().values()) - before) * 1e-6

    def script(self, name: str, *arguments: object, limit: float = 120) -> tuple[Any, str, float]:
        """What a script of this folder found."""
        command = [self.python, "-m", "mpi4py", str(HERE / f"{name}.py"), *map(str, arguments)]
        status, text, seconds, _ = self.run(command, limit)
        return (json_in(text) if status == 0 else None), text, seconds

    def check(self) -> None:
        """weft check."""
        status, text, seconds, megabytes = self.run([self.python, "-m", "weft", "check", "--quick"], 300)
        words = f"{megabytes:.0f} MB on the cables; {last_line(text)}"
        self.report.line("weft check --quick", status == 0, seconds, words if status == 0 else words + "\n" + text)

    def tests(self) -> None:
        """The MPI tests that every MPI and number of ranks is tested with."""
        program = self.given.build / "tests" / "weft_mpi_tests"
        chosen = self.given.filter or (self.given.build / "tests" / "hosts_filter.txt").read_text().strip()
        before = sum(self.network.bytes_sent().values())
        command = [*self.launcher, str(program), f"--gtest_filter={chosen}"]
        passed = "[  PASSED  ]"
        status, text, seconds = self.network.run_until(command, 900, passed, 30, self.environment)
        megabytes = (sum(self.network.bytes_sent().values()) - before) * 1e-6
        words = f"{mpi_tests_summary(text)}; {megabytes:.0f} MB on the cables"
        # MPICH 4.0 over UCX may wait in MPI_Finalize for a rank that has got through it and listens no more.
        if status is None and passed in text and "Failure" not in text and "[  FAILED  ]" not in text:
            status, words = 0, words + "; MPI_Finalize did not return"
        elif status is None:
            words += "; not done in time"
        if status != 0:
            log = Path(tempfile.gettempdir()) / "weft-hosts-tests.log"
            log.write_text(text)
            words += f"; all of it: {log}"
        self.report.line("MPI tests", status == 0, seconds, words)

    def solve(self) -> None:
        """A solve in free space, with the bits of one rank."""
        found, text, seconds = self.script("solve")
        if found is None:
            self.report.line("free-space solve", False, seconds, text)
            return
        words = f"{found['strategy']}, {found['ms']:.1f} ms, the bits of one rank: {found['ok']}"
        self.report.line("free-space solve", found["ok"], seconds, words)

    def traffic(self) -> None:
        """Bytes on the cables beside what explain() tells."""
        found, text, seconds = self.script("traffic", *SHAPE)
        if found is None:
            self.report.line("bytes on the cables", False, seconds, text)
            return
        right = all(row["ok"] for row in found)
        shape = " x ".join(map(str, SHAPE))
        self.report.line("bytes on the cables", right, seconds, f"r2c {shape}; MB of all hosts, 4 transforms:")
        print(f"    {'strategy':<14}{'explain()':>10}{'cables':>10}{'ratio':>8}{'at most':>9}{'ms':>9}{'MB/s':>7}")
        for row in found:
            if "told" not in row:
                print(f"    {row['strategy']:<14}{'-':>10}{'-':>10}{'-':>8}{'-':>9}{row['ms']:9.2f}", end="")
                print("        passes on what others send")
                continue
            told, wire, most = (row[key] for key in ("told", "wire", "most"))
            print(f"    {row['strategy']:<14}{told * 1e-6:10.3f}{wire * 1e-6:10.3f}{wire / told:8.3f}", end="")
            print(
                f"{most / told:9.3f}{row['ms']:9.2f}{told * 1e-3 / 4 / row['ms']:7.0f}{'' if row['ok'] else '  WRONG'}"
            )

    def private_folder(self) -> None:
        """Folders that one host does not share."""
        host = self.network.names[-1]
        with tempfile.TemporaryDirectory(prefix="weft-hosts-private-") as folder:
            self.network.private(host, Path(folder))
            rows, text, seconds = self.script("writes", folder, host)
            right = rows is not None and all(row["ok"] for row in rows)
            words = f"{len(rows)} ways to write refused before anything is written" if right else text
            self.report.line(f"{host} does not share a folder", right, seconds, words)
            if right:
                print(f"    {rows[0]['text']}")
            case = HERE.parents[1] / "examples" / "mixed.toml"
            command = [self.python, "-m", "weft", "solve", str(case), "--out", folder + "/out"]
            status, text, seconds, _ = self.run(command, 60)
            right = status == 2 and host in text and "not shared" in text and not os.listdir(folder)
            self.report.line("    weft solve --out there", right, seconds, last_line(text) if not right else "refused")

    def choices(self) -> None:
        """What weft calibrate finds between the hosts, and what plans and solvers choose with it, beside the best."""
        with tempfile.TemporaryDirectory(prefix="weft-hosts-machine-") as folder:
            machine = Path(folder) / "machine.toml"
            hosts = ",".join(f"{name}:{n}" for name, n in zip(self.network.names, self.ranks, strict=True))
            command = [self.python, "-m", "weft", "calibrate", "-n", str(sum(self.ranks)), "--hosts", hosts]
            environment = self.environment | self.network.launcher_environment(self.given.mpi)
            status, text, seconds = self.network.run([*command, "--out", str(machine)], 300, environment)
            self.report.line("weft calibrate --hosts", status == 0, seconds, "" if status == 0 else text)
            if status != 0:
                return
            print("".join(f"    {line}\n" for line in text.splitlines() if "measuring" not in line), end="")
            self.environment["WEFT_MACHINE"] = str(machine)
            for what, n in CHOICES:
                self._choice(what, n)
            self.environment["WEFT_MACHINE"] = ""

    def _choice(self, what: str, n: int) -> None:
        found, text, seconds = self.script("choices", what, n, limit=400)
        name = f"{what} {n}^3, auto"
        if found is None:
            self.report.line(name, False, seconds, text)
            return
        (strategy, chunks), (best, parts) = found["chosen"], found["best"]
        ratio = found["ms"] / found["best_ms"]
        words = f"{strategy} in {chunks}: {found['ms']:.1f} ms; best {best} in {parts}: {found['best_ms']:.1f} ms"
        # Timings fail nothing.
        self.report.line(name, True, seconds, f"{words}; ratio {ratio:.3f}")
        for row in dict.fromkeys(row["strategy"] for row in found["rows"]):
            times = [f"{line['ms']:9.1f}" for line in found["rows"] if line["strategy"] == row]
            print(f"    {row:<14}{''.join(times)}  ms in 1, 2, 4, 8 chunks")
        print("".join(f"    | {line}\n" for line in found["text"].splitlines()), end="")

    def lost(self, how: str) -> None:
        """A host that is lost in the middle of a transform."""
        command = [self.python, "-m", "mpi4py", str(HERE / "forever.py")]
        agent = {"WEFT_SSH": str(HERE / "launch.sh"), "WEFT_SSH_INTERVAL": str(ALIVE_INTERVAL)}
        ranks = [1] * len(self.network.names)
        launcher = self.network.launcher(self.given.mpi, ranks, self.environment, watched=True)
        process = self.network.start(
            [*launcher, *command], self.environment | agent, stdout=subprocess.PIPE, stderr=subprocess.STDOUT
        )
        assert process.stdout is not None
        begun = any(line.strip() == "started" for line in iter(process.stdout.readline, ""))
        time.sleep(0.3)
        begin, host = time.monotonic(), self.network.names[-1]
        if how == "cable":
            self.network.cable(host, plugged=False)
        else:
            self.network.power_off(host)
        try:
            text = process.communicate(timeout=END_WITHIN)[0]
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            text = process.communicate()[0] + "\nstill there"
        seconds = time.monotonic() - begin
        right = begun and seconds < END_WITHIN and process.returncode != 0
        status = process.returncode if process.returncode >= 0 else 128 - process.returncode
        words = f"the job has ended with status {status}"
        self.report.line(f"{host} loses its {how}", right, seconds, words if right else text)


def cores_of(hosts: int) -> list[list[int]]:
    """Cores that hosts do not share, where there are enough."""
    cores = sorted(os.sched_getaffinity(0))
    share = len(cores) // hosts
    return [cores[i * share : (i + 1) * share] for i in range(hosts)] if share else []


def run(given: argparse.Namespace) -> int:
    """All layouts; the number of failures."""
    report = Report()
    begin = time.monotonic()
    wanted = given.only.split(",") if given.only else PARTS
    for ranks in LAYOUTS:
        with Network(len(ranks), given.rate, cores_of(len(ranks))) as network:
            print(f"\n{given.mpi}, {' + '.join(map(str, ranks))} ranks on {len(ranks)} hosts, cables of {given.rate}")
            suite = Suite(network, ranks, given, report)
            for part in ("check", "solve", "traffic", "tests"):
                if part in wanted:
                    getattr(suite, part)()
            if ranks == LAYOUTS[0] and "folder" in wanted:
                suite.private_folder()
    for ranks in CHOICE_LAYOUTS if "choices" in wanted else ():
        with Network(len(ranks), given.rate, cores_of(len(ranks))) as network:
            print(f"\n{given.mpi}, {' + '.join(map(str, ranks))} ranks on {len(ranks)} hosts, cables of {given.rate}")
            Suite(network, ranks, given, report).choices()
    for how in ("cable", "power") if "lost" in wanted else ():
        with Network(2, given.rate, cores_of(2)) as network:
            Suite(network, (1, 1), given, report).lost(how)
    print(f"\n{report.failures} failures; {time.monotonic() - begin:.0f} s")
    return report.failures


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--mpi", default="mpich", choices=("mpich", "openmpi"))
    parser.add_argument("--build", type=Path, default=Path("build"))
    parser.add_argument("--venv", type=Path, default=Path(".venv"))
    parser.add_argument("--rate", default="1gbit", help="of every cable, as tc takes it")
    parser.add_argument("--filter", default="", help="of GoogleTest, in place of the usual one")
    parser.add_argument("--only", default="", help=f"parts: {', '.join(PARTS)}")
    given = parser.parse_args()
    given.build, given.venv = given.build.resolve(), given.venv.absolute()
    why = obstacle()
    if why:
        print(f"make hosts: skipped: {why}")
        return
    # Ends the hosts, too.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    try:
        sys.exit(1 if run(given) else 0)
    except KeyboardInterrupt:
        sys.exit(130)


main()
