"""weft bench fft: what is reported of Weft and of its peers, and what is refused. Timings are never asserted."""

import importlib.util
import json
import os
import shutil
import stat
import subprocess
import sys

import numpy as np
import pytest
from unwrapped import headings
from weft import _build

PEERS = {"fftw-mpi": ("mpicxx.openmpi", "fftw3-mpi.h"), "fftw-threads": ("g++", "fftw3.h")}
KINDS = ("r2c", "c2c", "dct1", "dct2", "dct3", "dct4", "dst1", "dst2", "dst3", "dst4")


def bound(precision):
    """Error of a round trip of values below 1.

    Six 1-D transforms, built on DFTs of at most 4 x 20 points, err by at most 7 u log2(4 x 20) rms each (Higham,
    Accuracy and Stability, theorem 24.2); that worst case leaves room for the largest of all elements. Eight transforms
    of at most 4 x 6 points, in 4-D, err less.
    """
    unit = np.finfo({"double": np.float64, "float": np.float32}[precision]).eps / 2
    return 6 * 7 * unit * np.log2(4 * 20)


def can_build(peer):
    """Whether a peer can be compiled here, as the command itself will find out."""
    compiler, header = PEERS[peer]
    if not shutil.which(compiler) or (peer == "fftw-mpi" and not shutil.which("mpiexec.openmpi")):
        return False
    test = [compiler, "-x", "c++", "-", "-fsyntax-only", "-include", header]
    return subprocess.run(test, input="", text=True, capture_output=True, check=False).returncode == 0


@pytest.fixture(scope="module")
def programs(tmp_path_factory):
    """The environment with a cache of programs of its own; they are built once for all tests of this file."""
    return {"XDG_CACHE_HOME": str(tmp_path_factory.mktemp("cache"))}


def rows_of(weft, programs, *arguments):
    """The rows of a run that must succeed and say nothing on stderr."""
    done = weft("bench", "fft", *arguments, "--repeat", 1, "--json", env=programs)
    assert (done.returncode, done.stderr) == (0, "")
    return json.loads(done.stdout)


def test_strategies(weft):
    arguments = ("bench", "fft", "--shape", 16, 12, 20, "--kinds", "r2c", "-n", 2, "--repeat", 3)
    rows = weft.json(*arguments, "--strategy", "alltoallv", "--strategy", "shared")
    assert [row["name"] for row in rows] == ["weft alltoallv", "weft shared"]
    for row in rows:
        assert (row["ranks"], row["threads"], row["work"]) == (2, 1, "pair")
        assert row["repeats"] >= 3 and 0 < row["seconds_min"] <= row["seconds_median"]
        assert row["error"] < bound("double")
        assert row["peak_rss_bytes"] > 1e6 and row["copy_gb_per_s"] > 0 and row["load_average"] >= 0
        # Two arrays at least: the reals and the half spectrum, 11 modes of 2 for 20 reals.
        assert row["memory_in_local_arrays"] > 1 + 22 / 20
    table = weft(*arguments).stdout
    assert "weft shared" in table and "median" in table and "times" not in table


def test_threads_and_precision(weft):
    arguments = ("bench", "fft", "--shape", 16, 12, 20, "--kinds", "c2c", "--threads", 2, "--repeat", 1)
    (row,) = weft.json(*arguments, "--precision", "float")
    assert row["threads"] == 2 and row["error"] < bound("float")
    # Double precision would be this exact.
    assert row["error"] > bound("double")


@pytest.mark.skipif(not can_build("fftw-mpi"), reason="FFTW-MPI cannot be built here")
def test_fftw_mpi(weft, programs):
    ours, peer = rows_of(weft, programs, "--shape", 16, 16, 16, "-n", 2, "--peers", "fftw-mpi")
    assert ours["name"].startswith("weft ") and peer["name"] == "fftw-mpi"
    assert (peer["ranks"], peer["threads"], peer["strategy"]) == (2, 1, "transposed, in place")
    assert peer["error"] < bound("double") and peer["seconds_min"] > 0
    # 8 planes of 16 x 9 modes of 16 bytes, of which the half goes to the other rank, there and back.
    assert peer["bytes_sent_per_rank"] == 8 * 16 * 9 * 16
    assert peer["times_first_peer"] == 1 and ours["times_first_peer"] == peer["seconds_min"] / ours["seconds_min"]


@pytest.mark.skipif(not can_build("fftw-threads"), reason="FFTW's threads cannot be built here")
def test_fftw_threads(weft, programs):
    arguments = ("--shape", 16, 16, 16, "-n", 2, "--threads", 2, "--peers", "fftw-threads")
    ours, peer = rows_of(weft, programs, *arguments)
    assert (ours["ranks"], ours["threads"]) == (2, 2) and (peer["ranks"], peer["threads"]) == (1, 4)
    assert peer["strategy"] in ("in place", "out of place") and peer["bytes_sent_per_rank"] == 0
    assert peer["error"] < bound("double") and peer["copy_gb_per_s"] > 0
    table = weft("bench", "fft", *arguments, "--repeat", 1, env=programs).stdout
    assert "times fftw-threads" in headings(table) and "1 x 4" in table


@pytest.mark.skipif(not all(map(can_build, PEERS)), reason="not all peers can be built here")
@pytest.mark.parametrize(
    ("kinds", "precision"),
    [*((kinds, "double") for kinds in KINDS), ("c2c", "float"), ("r2c", "float"), ("dst2", "float")],
)
def test_every_kind_of_the_peers(weft, programs, kinds, precision):
    # Odd and unequal extents: padding of rows in place, ranks with unequal planes.
    arguments = ("--shape", 5, 9, 7, "--kinds", kinds, "-n", 2, "--precision", precision)
    rows = rows_of(weft, programs, *arguments, "--peers", "fftw-threads,fftw-mpi")
    assert [row["name"] for row in rows[1:]] == ["fftw-threads", "fftw-mpi"]
    assert all(row["error"] < bound(precision) for row in rows)
    assert rows[2]["bytes_sent_per_rank"] > 0 and all(row["memory_in_local_arrays"] >= 1 for row in rows)


@pytest.mark.parametrize(
    ("arguments", "named"),
    [
        (["--peers", "abacus"], ["--peers", "abacus", "fftw-threads"]),
        (["--peers", "fftw-mpi,"], ["--peers", "empty"]),
        (["--kinds", "none", "--peers", "fftw-mpi"], ["--peers fftw-mpi", "none", "dst4"]),
        (["--kinds", "c2c,c2c,r2c", "--peers", "fftw-threads"], ["--peers fftw-threads", "c2c,c2c,r2c"]),
        (["--precision", "half"], ["--precision", "half", "float"]),
        (["--engine", "lanes,steam"], ["--engine", "steam", "fftw"]),
        (["--shape", "8", "8", "8", "--strategy", "pigeon"], ["pigeon"]),
        (["--shape", "8", "8", "--strategy", "shared,pigeon"], ["--strategy", "pigeon", "all"]),
        (["--shape", "8", "eight"], ["--shape", "eight", "64 64 64"]),
        (["--shape", "8", "-8"], ["--shape", "-8"]),
        (["--shape", "8", "8", "--chunks", "1,0"], ["--chunks", "'0'"]),
        (["--shape", "8", "8", "8", "--grid", "3", "-n", "2"], ["grid", "3", "2"]),
        (["--shape", "8", "8", "--peers", "fftw-threads"], ["--peers fftw-threads", "2 axes", "3"]),
        (["--shape", "8", "8", "8", "-n", "2", "--peers", "pyfftw"], ["--peers pyfftw", "one process", "-n 2"]),
        (
            ["--shape", "8", "8", "8", "--kinds", "c2c,none,c2c", "--peers", "pyfftw"],
            ["--peers pyfftw", "c2c,none,c2c"],
        ),
        (["--shape", "8", "8", "--kinds", "none,r2c", "--peers", "fftw-mpi"], ["--peers fftw-mpi", "none,r2c"]),
        (["--shape", "8", "8", "--peers", "dtfft"], ["--peers dtfft", "2 axes", "3"]),
        (["--plot", "missing/times.png"], ["--plot", "missing/times.png", "folder"]),
    ],
)
def test_refused(weft, arguments, named):
    message = weft.refused("bench", "fft", *arguments)
    assert all(word in message for word in named), message


def test_rows_of_variants(weft):
    # A 4-D array of complex numbers on a grid of 2 x 2 x 1 ranks, every strategy by commas, and two counts of chunks.
    arguments = ("--shape", 6, 5, 4, 3, "--kinds", "c2c", "-n", 4, "--grid", 2, 2, 1, "--chunks", "1,2", "--repeat", 2)
    rows = weft.json("bench", "fft", *arguments, "--strategy", "alltoallv,shared", "--plot", "times.png")
    assert [row["name"] for row in rows] == [
        "weft alltoallv",
        "weft alltoallv, 2 chunks",
        "weft shared",
        "weft shared, 2 chunks",
    ]
    fastest = min(row["seconds_min"] for row in rows)
    for row in rows:
        assert row["grid"] == [2, 2, 1] and row["chunks"] in (1, 2) and row["error"] < bound("double")
        assert row["of_fastest"] == row["seconds_min"] / fastest
        # Bytes of the array on a rank, on average, over the time of a pair.
        assert row["mb_per_s_per_rank"] == pytest.approx(6 * 5 * 4 * 3 * 16 / 4 / row["seconds_min"] / 1e6)
    assert (weft.folder / "times.png").read_bytes().startswith(b"\x89PNG")


def test_all_strategies(weft):
    rows = weft.json("bench", "fft", "--shape", 6, 5, "--strategy", "all", "--repeat", 1)
    known = weft.json("info")["strategies"]
    # One rank exchanges nothing, whatever it is told.
    assert len(rows) == len(known) and all(row["bytes_sent_per_rank"] == 0 for row in rows)


@pytest.mark.skipif(importlib.util.find_spec("mpi4py_fft") is not None, reason="mpi4py-fft is installed")
def test_mpi4py_fft_is_missing(weft):
    message = weft.refused("bench", "fft", "--shape", 8, 8, 8, "--peers", "mpi4py-fft")
    assert "--peers mpi4py-fft" in message and "pip install mpi4py-fft" in message and "libfftw3-dev" in message


@pytest.mark.skipif(importlib.util.find_spec("mpi4py_fft") is None, reason="mpi4py-fft is not installed")
@pytest.mark.parametrize(("kinds", "precision"), [("c2c", "double"), ("r2c", "float"), ("dct2", "double")])
def test_mpi4py_fft(weft, programs, kinds, precision):
    arguments = ("--shape", 6, 5, 4, 6, "--kinds", kinds, "-n", 4, "--grid", 2, 2, 1, "--precision", precision)
    ours, peer = rows_of(weft, programs, *arguments, "--peers", "mpi4py-fft")
    assert (peer["name"], peer["strategy"], peer["grid"]) == ("mpi4py-fft", "alltoallw", [2, 2])
    assert peer["error"] < bound(precision) and peer["bytes_sent_per_rank"] > 0
    assert ours["error"] < bound(precision) and peer["times_first_peer"] == 1


@pytest.mark.skipif(importlib.util.find_spec("pyfftw") is None, reason="pyfftw is not installed")
@pytest.mark.parametrize(("kinds", "precision"), [(kinds, ("double", "float")[i % 2]) for i, kinds in enumerate(KINDS)])
def test_pyfftw(weft, programs, kinds, precision):
    arguments = ("--shape", 6, 5, 4, "--kinds", kinds, "--precision", precision, "--threads", 2)
    ours, peer = rows_of(weft, programs, *arguments, "--peers", "pyfftw")
    assert (peer["name"], peer["strategy"], peer["grid"]) == ("pyfftw", "out of place", [1])
    assert (peer["ranks"], peer["threads"], peer["bytes_sent_per_rank"]) == (1, 2, 0)
    assert peer["error"] < bound(precision) and peer["memory_in_local_arrays"] >= 2
    assert ours["error"] < bound(precision) and peer["times_first_peer"] == 1


@pytest.mark.skipif(importlib.util.find_spec("pyfftw") is None, reason="pyfftw is not installed")
@pytest.mark.parametrize("kinds", ["none,c2c,r2c", "none,none,dct1", "none,dst2,dst2", "r2c"])
def test_pyfftw_takes_batches(weft, programs, kinds):
    ours, peer = rows_of(weft, programs, "--shape", 4, 6, 8, "--kinds", kinds, "--threads", 1, "--peers", "pyfftw")
    assert peer["name"] == "pyfftw" and max(ours["error"], peer["error"]) < bound("double")


def can_load_dtfft():
    """Whether dtFFT is here for the MPI in use, with the names of libraries that it looks for."""
    if _build.MPI != "mpich" or importlib.util.find_spec("dtfft") is None:
        return False
    environment = {**os.environ, "LD_LIBRARY_PATH": f"{sys.prefix}/lib"}
    command = [sys.executable, "-c", "import weft, dtfft; assert dtfft.is_fftw_enabled()"]
    return subprocess.run(command, env=environment, capture_output=True, check=False).returncode == 0


@pytest.mark.skipif(not can_load_dtfft(), reason="dtfft cannot be loaded here")
@pytest.mark.parametrize("ranks", [1, 2])
@pytest.mark.parametrize(("kinds", "precision"), [("r2c", "double"), ("c2c", "float"), ("dct1", "double")])
def test_dtfft(weft, programs, kinds, precision, ranks):
    arguments = ("--shape", 16, 8, 12, "--kinds", kinds, "--precision", precision, "-n", ranks)
    ours, peer = rows_of(weft, programs, *arguments, "--peers", "dtfft")
    assert (peer["name"], peer["grid"], peer["ranks"], peer["threads"]) == ("dtfft", [ranks], ranks, 1)
    # 8 planes of 8 rows, of which the half goes to the other rank, there and back.
    row_bytes = {"r2c": 7 * 16, "c2c": 12 * 8, "dct1": 12 * 8}[kinds]
    assert peer["bytes_sent_per_rank"] == (2 * 8 * 4 * row_bytes if ranks > 1 else 0)
    assert peer["error"] < bound(precision) and ours["error"] < bound(precision)


@pytest.mark.skipif(not can_load_dtfft(), reason="dtfft cannot be loaded here")
def test_dtfft_on_a_grid(weft, programs):
    arguments = ("--shape", 8, 8, 8, "--kinds", "c2c", "-n", 4, "--grid", 2, 2)
    _, peer = rows_of(weft, programs, *arguments, "--peers", "dtfft")
    # Two exchanges of 8 x 4 x 4 numbers, half of them with the other rank of a row of the grid, there and back.
    assert peer["grid"] == [2, 2] and peer["bytes_sent_per_rank"] == 2 * 2 * 64 * 16
    assert peer["error"] < bound("double")


def with_package(folder, name, text):
    """The environment in which a file of that name is found before what is installed."""
    folder.joinpath(name).write_text(text)
    return {"PYTHONPATH": os.pathsep.join([str(folder), *filter(None, [os.environ.get("PYTHONPATH")])])}


@pytest.mark.parametrize(("peer", "package"), [("pyfftw", "pyfftw"), ("dtfft", "dtfft-fftw-mpich")])
def test_packages_that_are_missing(weft, tmp_path_factory, peer, package):
    absent = with_package(
        tmp_path_factory.mktemp("absent"), "sitecustomize.py", f"import sys; sys.modules[{peer!r}] = None"
    )
    message = weft.refused("bench", "fft", "--shape", 8, 8, 8, "--peers", peer, env=absent)
    assert f"--peers {peer}" in message
    assert f"pip install {package}" in message or (peer == "dtfft" and "MPICH" in message)


@pytest.mark.skipif(_build.MPI != "mpich", reason="dtfft is for MPICH")
@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("raise ImportError('libmpifort.so.12: no such file')", ["libmpifort.so.12: no such file", "tools/setup"]),
        ("def is_fftw_enabled(): return False", ["no FFTW", "pip install dtfft-fftw-mpich"]),
    ],
)
def test_a_dtfft_that_cannot_be_used(weft, tmp_path_factory, text, named):
    broken = with_package(tmp_path_factory.mktemp("broken"), "dtfft.py", text)
    message = weft.refused("bench", "fft", "--shape", 8, 8, 8, "-n", 2, "--peers", "dtfft", env=broken)
    assert all(word in message for word in ["--peers dtfft", *named]), message


def stand_in(folder, name, text):
    """A program of that name in a folder of its own, first in the path."""
    programs = folder.parent / f"{folder.name}-bin"
    programs.mkdir(exist_ok=True)
    program = programs / name
    program.write_text(f"#!/bin/sh\n{text}\n")
    program.chmod(program.stat().st_mode | stat.S_IXUSR)
    return programs


def test_peers_that_cannot_be_built(weft, tmp_path_factory):
    cache = tmp_path_factory.mktemp("cache")
    broken = stand_in(weft.folder, "g++", "echo 'x.cpp:1: error: fftw3.h: no such file' >&2; exit 1")
    arguments = ("bench", "fft", "--shape", 8, 8, 8, "--peers", "fftw-threads")
    message = weft.refused(*arguments, env={"PATH": f"{broken}:/usr/bin:/bin", "XDG_CACHE_HOME": str(cache)})
    assert "fftw_threads.cpp cannot be built" in message and "apt-get install libfftw3-dev" in message
    # Nothing but what Open MPI wants to see, even for a single process.
    empty = str(stand_in(tmp_path_factory.mktemp("empty"), "ssh", "exit 1"))
    message = weft.refused(*arguments, env={"PATH": empty})
    assert "g++ is not installed" in message
    message = weft.refused(*arguments[:-1], "fftw-mpi", env={"PATH": empty})
    assert "mpicxx.openmpi is not installed" in message and "libfftw3-mpi-dev" in message
    assert "/proc/weft" in weft.refused(*arguments, env={"XDG_CACHE_HOME": "/proc"})


def test_a_peer_that_fails_ends_the_contest(weft, tmp_path_factory):
    # The compiler makes a program that fails: its words and its status are told.
    cache = str(tmp_path_factory.mktemp("cache"))
    text = r'while [ "$1" != -o ]; do shift; done; printf "#!/bin/sh\necho no luck >&2; exit 3\n" > "$2"; chmod +x "$2"'
    compiler = stand_in(weft.folder, "g++", text)
    arguments = ("bench", "fft", "--shape", 8, 8, 8, "--peers", "fftw-threads")
    message = weft.refused(*arguments, env={"PATH": f"{compiler}:/usr/bin:/bin", "XDG_CACHE_HOME": cache})
    assert "fftw-threads ended with status 3: no luck" in message
