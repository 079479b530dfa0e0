"""weft bench page: every row is run, marked sections are written whole or not at all. Timings are never asserted."""

import importlib.util
import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest
from weft._build import MPI
from weft.cli.bench_page_runs import all_runs
from weft.cli.generated_blocks import BEGIN, END, with_section

OPTIONS = ("--readme", "readme.md", "--benchmarks", "pages/all.md", "--engine", "pages/engine.md")
SECTION = f"Before.\n{BEGIN}\nold\n{END}\nBehind.\n"


def missing_peers():
    """Those that cannot be compiled and started here, as an option."""
    open_mpi = (
        all(map(shutil.which, ("mpicxx.openmpi", "mpiexec.openmpi"))) and Path("/usr/include/fftw3-mpi.h").exists()
    )
    test = ["g++", "-x", "c++", "-", "-fsyntax-only", "-include", "fftw3.h"]
    fftw = shutil.which("g++") and subprocess.run(test, input="", text=True, capture_output=True).returncode == 0
    found = [*([] if open_mpi and fftw else ["fftw-mpi"]), *([] if fftw else ["fftw-threads", "padded-fftw"])]
    found += [name for name in ("pyfftw", "dtfft") if importlib.util.find_spec(name) is None or MPI != "mpich"]
    return ["--without", ",".join(found)] if found else []


@pytest.fixture
def pages(weft):
    """The three files with their old sections."""
    (weft.folder / "pages").mkdir()
    for name in ("readme.md", "pages/all.md", "pages/engine.md"):
        weft.write(name, SECTION)
    return weft.folder


def test_only_the_section_changes():
    assert with_section(SECTION, "new\n\n") == f"Before.\n{BEGIN}\nnew\n{END}\nBehind.\n"


def test_every_row_has_a_name_of_its_own():
    runs = all_runs()
    assert len({(run.table, run.name, run.size) for run in runs}) == len(runs)
    assert {run.size[0] for run in runs if run.name.startswith("unbounded, ")} == {96, 128, 192, 256}


def test_every_row_has_a_small_form():
    # Rows that differ only in their sizes share a command line: four transforms, six problems and five mixes remain.
    small = {run.table: set() for run in all_runs()}
    for run in all_runs():
        small[run.table].add(tuple(run.arguments(True, 10)))
    assert {table: len(lines) for table, lines in small.items()} == {
        "solves": 6,
        "transforms": 4,
        "one thread": 1,
        "two ranks": 1,
        "threads": 1,
        "strategies": 1,
        "exchanges": 2,
        "engines": 5,
    }
    assert len({tuple(run.arguments(False, 10)) for run in all_runs()}) == len(all_runs())


def assert_has_all_runs(page):
    names = [run.name for run in all_runs() if run.table in ("transforms", "one thread", "two ranks", "solves")]
    assert all(f"| {name} | " in page for name in names)
    assert all(f"    weft bench {' '.join(run.arguments(False, 10))}\n" in page for run in all_runs())
    assert all(f"| {run.name}, {run.size[0]}^3 | " in page for run in all_runs() if run.table == "engines")


def test_all_tables_are_written(weft, pages):
    done = weft("bench", "page", "--quick", *missing_peers(), *OPTIONS)
    assert done.returncode == 0, done.stderr
    readme, page, engine = ((pages / name).read_text() for name in ("readme.md", "pages/all.md", "pages/engine.md"))
    for text in (readme, page, engine):
        assert text.startswith(f"Before.\n{BEGIN}\n") and text.endswith(f"{END}\nBehind.\n")
        assert "old" not in text and re.search(r"Written by `make bench` on \d{4}-\d\d-\d\d, \d+ cores of ", text)
    assert_has_all_runs(page)
    assert all("its figures mean nothing" in text for text in (readme, page)) and "| c2c | 16 | " in engine
    assert "copy by both ranks ran at" in page and "](pages/bench-peers.png)" in readme and "](bench-peers.png)" in page
    # No cell is empty but the corner of a table.
    assert not re.search(r"\|  \|(?!.*\n\| ---)", page)
    for picture in re.findall(r"!\[.*?\]\((.*?)\)", page) + ["engine.png"]:
        assert (pages / "pages" / picture).read_bytes().startswith(b"\x89PNG")


def test_pages_without_a_section_are_refused_before_any_work(weft, pages):
    for text in ("nothing", SECTION + SECTION, f"{END}\n{BEGIN}\n"):
        weft.write("pages/all.md", text)
        message = weft.refused("bench", "page", "--quick", *OPTIONS)
        assert "--benchmarks" in message and BEGIN in message
    os.remove(pages / "pages/all.md")
    assert "cannot be read" in weft.refused("bench", "page", "--quick", *OPTIONS)


def test_a_row_that_fails_leaves_all_pages_as_they_are(weft, pages):
    # No compiler is found, so no peer can be built.
    tools = {"PATH": "/nowhere", "XDG_CACHE_HOME": str(pages)}
    done = weft("bench", "page", "--quick", *OPTIONS, env=tools)
    assert done.returncode != 0
    assert all((pages / name).read_text() == SECTION for name in ("readme.md", "pages/all.md", "pages/engine.md"))
