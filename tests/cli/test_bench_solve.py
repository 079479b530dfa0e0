"""weft bench solve: what is reported of Weft and of a padded solve by hand, and that both solve the same problem."""

import json
import math
import shutil
import subprocess

import numpy as np
import pytest


def can_build():
    """Whether the peer can be compiled here, as the command itself will find out."""
    test = ["g++", "-x", "c++", "-", "-fsyntax-only", "-include", "fftw3.h"]
    return shutil.which("g++") and subprocess.run(test, input="", text=True, capture_output=True).returncode == 0


needs_peer = pytest.mark.skipif(not can_build(), reason="FFTW's threads cannot be built here")


@pytest.fixture(scope="module")
def programs(tmp_path_factory):
    """The environment with a cache of programs of its own; the peer is built once for all tests of this file."""
    return {"XDG_CACHE_HOME": str(tmp_path_factory.mktemp("cache"))}


def rows_of(weft, programs, *arguments):
    """The rows of a run that must succeed and say nothing on stderr."""
    done = weft("bench", "solve", *arguments, "--repeat", 1, "--json", env=programs)
    assert (done.returncode, done.stderr) == (0, "")
    return json.loads(done.stdout)


@needs_peer
@pytest.mark.parametrize("centring", ["cell", "node"])
def test_peer_solves_the_same_problem(weft, programs, centring):
    # Unequal cells; each class of axis, alone and beside the others, mirrors on the left and on the right.
    boundaries = [
        "unbounded",
        "unbounded unbounded periodic",
        "periodic unbounded periodic",
        "even-unbounded unbounded-odd unbounded",
        "odd-unbounded even odd-even",
        "periodic",
    ]
    options = [word for text in boundaries for word in ("--boundary", *text.split())]
    arguments = ("--cells", 8, 9, 10, "--centring", centring, "-n", 2, "--peers", "padded-fftw")
    rows = rows_of(weft, programs, *arguments, *options)
    assert [row["boundary"] for row in rows] == [text for text in boundaries for _ in range(2)]
    for ours, peer in zip(rows[::2], rows[1::2], strict=True):
        assert ours["name"].startswith("weft ") and peer["name"] == "padded-fftw"
        assert peer["error"] == 0 and ours["error"] <= 1e-12, ours["boundary"]
        assert (ours["ranks"], ours["threads"], peer["ranks"], peer["threads"]) == (2, 1, 1, 2)


@needs_peer
def test_unequal_spacings_two_axes_and_float(weft, programs):
    peer = ("--peers", "padded-fftw")
    boundary = ("--boundary", "unbounded", "unbounded", "odd")
    ours, _ = rows_of(weft, programs, "--cells", 8, 9, 10, *boundary, "--length", 1, 1.5, 3, *peer)
    assert ours["error"] <= 1e-12
    ours, _ = rows_of(weft, programs, "--cells", 12, 9, "--boundary", "unbounded-even", "unbounded", *peer)
    assert ours["error"] <= 1e-12
    # Two solves, in each six transforms of at most 4 x 10 points: 7 u log2(4 x 10) each (Higham, theorem 24.2).
    bound = 2 * 6 * 7 * np.finfo(np.float32).eps / 2 * np.log2(4 * 10)
    ours, _ = rows_of(weft, programs, "--cells", 8, 9, 10, "--precision", "float", *peer)
    # Double precision would be this exact.
    assert 1e-12 < ours["error"] < bound


@needs_peer
def test_figures(weft, programs):
    sizes = ("--cells", 16, 16, 16, "--cells", 12, 12, 12)
    rows = rows_of(weft, programs, *sizes, "-n", 2, "--peers", "padded-fftw", "--pairs", "--plot", "solves.png")
    assert [row["work"] for row in rows] == ["solve", "pair", "solve"] * 2
    assert [row["cells"] for row in rows] == [[16] * 3] * 3 + [[12] * 3] * 3
    for ours, pair, peer in (rows[:3], rows[3:]):
        local = math.prod(ours["cells"]) * 8 / 2
        assert ours["name"] == pair["name"]
        assert ours["of_pair"] == ours["seconds_min"] / pair["seconds_min"] and "of_pair" not in peer
        assert ours["times_first_peer"] == peer["seconds_min"] / ours["seconds_min"]
        assert ours["bytes_sent_per_rank"] > 0 and peer["bytes_sent_per_rank"] == 0
        assert 2 < ours["memory_in_local_arrays"] == pytest.approx(2 + ours["workspace_bytes"] / local)
        assert ours["peak_rss_in_local_arrays"] == ours["peak_rss_bytes"] / local
        for row in (ours, peer):
            assert 0 < row["seconds_min"] <= row["seconds_median"]
            assert row["setup_in_solves"] == row["setup_seconds"] / row["seconds_min"] > 0
            assert row["beyond_arrays_bytes"] >= 0 and row["load_average"] >= 0
    assert (weft.folder / "solves.png").read_bytes().startswith(b"\x89PNG")


def test_table_of_strategies(weft):
    arguments = ("--cells", 8, 8, 8, "-n", 2, "--strategy", "shared,alltoallv", "--kernel", "hej4", "--repeat", 1)
    table = weft("bench", "solve", *arguments).stdout
    assert all(word in table for word in ("weft shared", "weft alltoallv", "8x8x8 unbounded", "set-up", "hej4"))
    assert "times" not in table and "pair" not in table


@pytest.mark.parametrize(
    ("arguments", "named"),
    [
        (["--peers", "abacus"], ["--peers", "abacus", "padded-fftw"]),
        (["--kernel", "hej4", "--peers", "padded-fftw"], ["--peers padded-fftw", "hej4", "chat2"]),
        (["--kernel", "chat"], ["chat", "chat2"]),
        (["--boundary", "open"], ["--boundary", "open", "unbounded"]),
        (["--boundary", "even-odd-even"], ["--boundary", "even-odd-even"]),
        (["--boundary", "periodic-even"], ["periodic", "even", "one end only"]),
        (["--boundary", "even", "odd"], ["--boundary", "2", "3"]),
        (["--length", "1", "long", "1"], ["--length", "long", "1 1 2"]),
        (["--length", "1", "0", "1"], ["--length", "positive"]),
        (["--centring", "edge"], ["--centring", "edge", "node"]),
        (["--precision", "half"], ["--precision", "half", "float"]),
        (["--cells", "8", "eight", "8"], ["--cells", "eight", "64 64 64"]),
        (["--strategy", "pigeon"], ["--strategy", "pigeon", "all"]),
        (["--plot", "missing/times.png"], ["--plot", "missing/times.png", "folder"]),
    ],
)
def test_refused(weft, arguments, named):
    message = weft.refused("bench", "solve", "--cells", 8, 8, 8, *arguments)
    assert all(word in message for word in named), message


def test_a_stretched_axis_and_chebyshev_points_are_other_rows(weft, programs):
    axes = ("--stretched", 1, "--chebyshev", 1)
    rows = rows_of(weft, programs, "--cells", 8, 9, "--boundary", "periodic", "even", "-n", 2, *axes)
    assert [row.get("stretched") for row in rows] == [None, 1, None]
    assert [row.get("chebyshev") for row in rows] == [None, None, 1]
    assert {row["boundary"] for row in rows} == {"periodic even"}
    given = ("--boundary", "periodic", "even-odd", "--stretched", 1, "--order", 4, "--ends")
    rows = rows_of(weft, programs, "--cells", 8, 9, "-n", 2, *given)
    wanted = [("solve", None), ("ends", None), ("solve", 4), ("ends", 4)]
    assert [(row["work"], row.get("order")) for row in rows] == wanted
    # Sums of solutions err by the roundings of three solves of 72 points, some units in the last place of the largest.
    assert all(row["of_solve"] > 0 and 0 < row["error"] < 1e-13 for row in rows[1::2])
    table = weft("bench", "solve", "--cells", 8, 9, "--repeat", 1, *given, env=programs).stdout
    assert "values at ends" in table and "order 4" in table
    rows = rows_of(weft, programs, "--cells", 8, 8, "--boundary", "odd", "--ends", "-n", 2)
    assert [row["work"] for row in rows] == ["solve", "ends"] and 0 < rows[1]["error"] < 1e-13
    message = weft.refused("bench", "solve", "--cells", 8, 9, "--boundary", "even", "unbounded", "--ends")
    assert "--ends" in message and "lgf2" in message
    done = weft("bench", "solve", "--cells", 8, 9, "--boundary", "periodic", "--stretched", 2)
    assert done.returncode == 2 and "--stretched: 2" in done.stderr
    done = weft("bench", "solve", "--cells", 8, 9, "--boundary", "periodic", "--chebyshev", 1)
    assert done.returncode == 2 and "--chebyshev: axis 1 is periodic" in done.stderr
