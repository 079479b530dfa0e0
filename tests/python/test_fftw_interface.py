"""FFTW's MPI interface: Fortran's file belongs to the header of C. weft run-with sets programs up for it and FLUPS."""

import importlib.util
import os
import subprocess
import sys
from pathlib import Path

import pytest
import weft
from weft import Error, ResourceError
from weft.cli import run_with

ROOT = Path(__file__).parents[2]


def test_fortrans_interface_is_that_of_the_header():
    """tools/fftw_fortran.py writes it; whoever changes the header runs it."""
    spec = importlib.util.spec_from_file_location("fftw_fortran", ROOT / "tools" / "fftw_fortran.py")
    tool = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(tool)
    assert tool.TARGET.read_text() == tool.text()


SUBSTITUTES = pytest.mark.parametrize("substitute", [run_with.FFTW, run_with.FLUPS])


@SUBSTITUTES
def test_run_with_loads_the_library_first(monkeypatch, tmp_path, substitute):
    library = tmp_path / substitute.name
    library.touch()
    assert run_with.found(library, substitute) == library
    monkeypatch.setattr("weft._build.MPI_LIBRARY", "")
    environment = run_with.preloaded({"LD_PRELOAD": "/other.so"}, library)
    assert environment["LD_PRELOAD"] == f"{library}:/other.so"
    assert run_with.preloaded({}, library)["LD_PRELOAD"] == str(library)
    # The MPI of the package, under the name that wheels of mpi4py look for; one elsewhere they find themselves.
    for mpi, second in (("libmpi.so.12", f":{Path(weft.__file__).parent}/libmpi.so.12"), ("/lib/libmpi.so.40", "")):
        monkeypatch.setattr("weft._build.MPI_LIBRARY", mpi)
        assert run_with.preloaded({}, library)["LD_PRELOAD"] == f"{library}{second}"
    monkeypatch.setattr("weft._build.BUILT_IN", "")
    monkeypatch.setenv("LD_LIBRARY_PATH", f"/nowhere:{tmp_path}")
    assert run_with.found(None, substitute) == library


@SUBSTITUTES
def test_run_with_says_what_is_missing(monkeypatch, tmp_path, substitute):
    with pytest.raises(Error, match=f"--library: {tmp_path}/none.so is not a file; give the path of {substitute.name}"):
        run_with.found(tmp_path / "none.so", substitute)
    with pytest.raises(Error, match="has a blank or a colon in its path"):
        run_with.preloaded({}, tmp_path / "a folder" / substitute.name)
    monkeypatch.setattr("weft._build.BUILT_IN", "")
    monkeypatch.setenv("LD_LIBRARY_PATH", "")
    monkeypatch.setattr(sys, "prefix", str(tmp_path))
    with pytest.raises(ResourceError, match="was not found; it is built and installed with the C"):
        run_with.found(None, substitute)


def run(*arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "weft", "run-with", *arguments]
    return subprocess.run(command, capture_output=True, text=True, stdin=subprocess.DEVNULL, check=False)


@pytest.mark.parametrize(("option", "substitute"), [("--fftw", run_with.FFTW), ("--flups", run_with.FLUPS)])
def test_run_with_starts_the_program_with_its_arguments(tmp_path, option, substitute):
    library = tmp_path / substitute.name
    library.touch()
    show = f"import os, sys; print(sys.argv[1:], os.environ['LD_PRELOAD'], os.environ.get('{substitute.verbose}'))"
    # The loader says that the empty file is no library, and goes on.
    before = os.environ.get(substitute.verbose)
    for quiet, says in ((["--quiet"], before), ([], before or "1")):
        done = run(option, "--library", str(library), *quiet, sys.executable, "-c", show, "-n", "--fftw")
        assert done.returncode == 0
        preloads = run_with.preloaded(dict(os.environ), library)["LD_PRELOAD"]
        assert done.stdout.split("\n")[0] == f"['-n', '--fftw'] {preloads} {says}"


def test_run_with_refuses_in_one_line(tmp_path):
    library = tmp_path / run_with.FFTW.name
    library.touch()
    for arguments, text in (
        (("true",), "run-with: no library to replace is named; give --fftw or --flups"),
        (("--fftw", "--flups", "true"), "run-with: both libraries are named; give --fftw or --flups"),
        (("--fftw", "--library", str(library), "/no/program"), "COMMAND: /no/program cannot be started"),
    ):
        done = run(*arguments)
        assert done.returncode == 2
        assert f"weft: error: {text}" in done.stderr
