"""README.md and the pages of docs are right: their Python runs, cases load, commands are understood, links lead on.

C++ is built and run by ctest (docs_*, doc_programs.py), as are the first ones of docs/c.md and fortran.md (package).
"""

import re
import shlex
import subprocess
import sys
from itertools import chain
from pathlib import Path

import matplotlib
import numpy as np
import pytest
import tomllib
import typer
from doc_blocks import ROOT, all_blocks, blocks, pages
from on_ranks import on_ranks
from weft.case import parse_case
from weft.cli import app
from weft.formula import Formula
from weft.launch import own_launcher, weft_command

# Languages whose blocks are not programs of ours: programs of other languages have tests of their own, text is text.
ELSEWHERE = {"cpp", "c", "fortran", "cmake", "text", "{toctree}"}
RUN_OR_CHECKED = {"python", "toml", "bash", "console", "indented"}
# Pages whose Python does the same on several ranks: it writes no files.
ON_RANKS = (
    "chebyshev",
    "choose",
    "conventions",
    "faq",
    "halo",
    "particles",
    "scipy",
    "theory_flups",
    "theory_pencils",
    "theory_redistribution",
    "theory_tensor",
)
COMMAND = re.compile(r"(\.venv/bin/)?(weft|make|mpiexec|python) ")


def named(page: Path) -> str:
    return page.stem


EVERYTHING = [block for page in pages() for block in blocks(page)]
SKIPPED = [block for block in EVERYTHING if block.reason]


def test_every_block_says_in_which_language_it_is():
    assert {
        block.place: block.language for block in EVERYTHING if block.language not in ELSEWHERE | RUN_OR_CHECKED
    } == {}


def test_few_blocks_are_not_run_and_say_why():
    print("\n".join(f"{block.place}: not run: {block.reason}" for block in SKIPPED))
    assert all(len(block.reason) >= 15 for block in SKIPPED), "the reason is for readers: say what is missing"
    programs = [block for block in EVERYTHING if block.language in ("python", "cpp", "c", "fortran")]
    assert len(programs) >= 40
    assert len([block for block in programs if block.reason]) <= len(programs) / 4


def test_programs_in_c_and_fortran_are_the_first_ones_of_their_pages():
    for language in ("c", "fortran"):
        run = [block for block in EVERYTHING if block.language == language and not block.reason]
        first = next(block for block in blocks(ROOT / f"docs/{language}.md") if block.language == language)
        assert run == [first], "only it is built and run; say '<!-- not run: ... -->' before the others"


def test_the_program_of_the_readme_prints_what_it_says(tmp_path):
    readme = {block.language: block.code for block in blocks(ROOT / "README.md")}
    (tmp_path / "charge.py").write_text(readme["python"] + "\n", encoding="utf-8")
    launcher = own_launcher()
    command = launcher.command(2, program(["python", "charge.py"]))
    done = subprocess.run(command, cwd=tmp_path, env=launcher.environ(), capture_output=True, text=True, timeout=120)
    assert done.returncode == 0 and done.stdout.strip() == readme["text"], done.stdout + done.stderr


def test_the_readme_is_one_page():
    assert (ROOT / "README.md").read_text(encoding="utf-8").count("\n") <= 110


def program(words: list[str]) -> list[str]:
    """A command of a page as it is started here: the launcher, Python and package of this test."""
    if words[0] == "mpiexec":
        assert words[1] == "-n", words
        return own_launcher().command(int(words[2]), program(words[3:]))
    if words[0] == "python":
        return [sys.executable, *words[1:]]
    assert words[0] == "weft", words
    return weft_command(words[1:])


def run_commands(block, folder: Path) -> None:
    for words in commands(block.code):
        done = subprocess.run(
            program(words), cwd=folder, env=own_launcher().environ(), capture_output=True, text=True, timeout=120
        )
        assert done.returncode == 0, f"{block.place}: {shlex.join(words)}\n{done.stdout}{done.stderr}"


WITH_PYTHON = [page for page in pages() if any(block.language == "python" for block in blocks(page))]


@pytest.mark.parametrize("page", WITH_PYTHON, ids=named)
def test_the_python_of_a_page_runs_in_its_order(page, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    matplotlib.use("Agg")
    namespace = {"__name__": "__main__"}
    for block in blocks(page):
        if block.reason:
            continue
        if block.file:
            (tmp_path / block.file).write_text(block.code + "\n", encoding="utf-8")
        elif block.language == "python":
            exec(compile("\n" * (block.line - 1) + block.code, str(page), "exec"), namespace)
        elif "run" in block.words:
            run_commands(block, tmp_path)


def test_the_python_of_pages_is_the_same_on_three_ranks(tmp_path):
    script = []
    for page in pages():
        if page.stem in ON_RANKS:
            code = "\n".join(block.code for block in blocks(page) if block.language == "python" and not block.reason)
            script.append(f"exec(compile({code!r}, {page.stem!r}, 'exec'), {{}})")
    assert len(script) == len(ON_RANKS)
    on_ranks(3, "\n".join(script), tmp_path)


@pytest.mark.parametrize("block", all_blocks("toml"), ids=lambda block: block.place)
def test_cases_load_and_their_formulas_can_be_evaluated(block):
    if "cells" not in tomllib.loads(block.code):
        return  # a tuning or a machine file
    case = parse_case(block.code, Path("case.toml"))
    x = [np.linspace(0, length, 5) for length in case.length]
    given = [one if isinstance(one, tuple) else (one,) for one in (case.rhs, case.reference)]
    for formula in chain(*given):
        if isinstance(formula, Formula):
            assert np.isfinite(formula(*np.meshgrid(*x, indexing="ij"))).all()


def commands(code: str) -> list[list[str]]:
    """The commands of a shell block that can be checked, as words, without comments, prompts and variables in front."""
    result = []
    for line in code.replace("\\\n", " ").split("\n"):
        line = re.sub(r"^(\$ )?([A-Z_]+=\S* )*", "", line)
        words = shlex.split(line, comments=True) if COMMAND.match(line) else []
        while words:
            end = next((i for i, word in enumerate(words) if word in ("&&", "|", ";")), len(words))
            result.append(words[:end])
            words = words[end + 1 :]
    return result


def understood(words: list[str]) -> None:
    """Parses a command line of `weft` and runs nothing. Raises what the command line raises."""
    command, name, context = typer.main.get_command(app), "weft", None
    while True:
        context = command.make_context(name, list(words), parent=context)
        command = context.command
        rest = [*getattr(context, "_protected_args", []), *context.args]
        if not hasattr(command, "resolve_command") or not rest:
            return
        name, command, words = command.resolve_command(context, rest)


def check_command(words: list[str], targets: set[str]) -> None:
    """Raises where a command is wrong."""
    first = words[0].removeprefix(".venv/bin/")
    if first == "weft":
        understood(words[1:])
    elif first == "make":
        assert {word for word in words[1:] if "=" not in word and not word.startswith("-")} <= targets, words
    elif first == "mpiexec":
        check_command(words[3:], targets)
    elif first == "python":
        assert words[1].startswith("-") or (ROOT / words[1]).exists() or "/" not in words[1], words


def test_commands_are_understood():
    targets = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.M))
    checked, wrong = 0, []
    for block in all_blocks("bash", "console", "indented"):
        for words in [] if block.reason else commands(block.code):
            try:
                check_command(words, targets)
                checked += 1
            except Exception as error:
                wrong.append(f"{block.place}: {shlex.join(words)}: {getattr(error, 'message', error)}")
    assert not wrong, "\n".join(wrong)
    assert checked > 60


def test_links_lead_somewhere():
    broken = []
    for page in pages():
        text = re.sub(r"^```.*?^```$", "", page.read_text(encoding="utf-8"), flags=re.M | re.S)
        for target in re.findall(r"\]\(([^)\s]+)\)", text):
            path, _, anchor = target.partition("#")
            if path.startswith(("http:", "https:")):
                continue
            found = page.parent / path if path else page
            if not found.exists() or (anchor and anchor not in anchors(found)):
                broken.append(f"{page.name}: {target}")
    assert not broken, ", ".join(broken)


def anchors(page: Path) -> set[str]:
    """The anchors of the headings of a page, as forges and Sphinx make them."""
    headings = re.findall(r"^#+ (.+)$", page.read_text(encoding="utf-8"), re.M)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).strip().replace(" ", "-") for heading in headings}


def test_the_pictures_are_those_that_the_script_makes(tmp_path):
    subprocess.run([sys.executable, str(ROOT / "docs/make_pictures.py"), str(tmp_path)], check=True, timeout=120)
    for name in ("points.svg", "half_spectrum.svg"):
        made, kept = (shapes(folder / name) for folder in (tmp_path, ROOT / "docs"))
        assert made == kept, f"docs/{name} is old: run docs/make_pictures.py"


def shapes(path: Path) -> int:
    """How many marks a picture has; fonts and versions of matplotlib do not matter."""
    return len(re.findall(r"<use ", path.read_text(encoding="utf-8")))
