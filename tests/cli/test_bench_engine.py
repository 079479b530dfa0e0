"""weft bench engine: rows, tables, Markdown, picture, and what it refuses. Timings are never asserted."""

import json
import sys

import numpy as np
import pytest
from weft import _build
from weft.cli.bench_engine import Measurement

# A picture file begins so.
PNG = b"\x89PNG\r\n\x1a\n"
FAST = ("--repeat", 1, "--plan-seconds", 0)


def bound(length, precision):
    """Twice the error bound of a fast transform of 4n points, norm over largest element of a line: sqrt(2n)."""
    unit = np.finfo({"double": np.float64, "float": np.float32}[precision]).eps
    return 2 * 7 * unit * np.log2(4 * length) * np.sqrt(2 * length)


def test_rows(weft):
    arguments = ("--kinds", "c2c,dct2", "--lengths", "64,60", "--memory-lengths", "", "--precision", "double,float")
    rows = weft.json("bench", "engine", *arguments, *FAST)
    assert len(rows) == 2 * 2 * 2 * 2 * 2
    found = {tuple(row[k] for k in ("kind", "length", "stride", "place", "precision", "engine")) for row in rows}
    assert len(found) == len(rows) and ("dct2", 60, "strided", "cache", "float", "lanes") in found
    for row in rows:
        assert 0 < row["gflops_median"] <= row["gflops_min_time"]
        assert row["copy_gb_per_s"] > 0 and row["repeats"] >= 1 and row["lines"] % 16 == 0
        assert row["ratio"] == 1 if row["engine"] == "fftw" else row["ratio"] > 0
        assert row["difference"] <= bound(row["length"], row["precision"])


def test_flops_are_those_of_the_convention(weft):
    # 5 n log2 n and half of it: 5 * 8 * 3 and 2.5 * 8 * 3.
    assert Measurement("c2c", 8, "strided", "cache", "double").flops_per_line() == 120
    assert Measurement("r2c", 8, "strided", "cache", "double").flops_per_line() == 60
    # Both engines are timed on the same lines, so the ratio of their GF/s is that of their times.
    rows = weft.json("bench", "engine", "--kinds", "r2c", "--lengths", "32", "--memory-lengths", "", *FAST)
    for lanes, fftw in zip(rows[::2], rows[1::2], strict=True):
        assert (lanes["engine"], fftw["engine"]) == ("lanes", "fftw")
        assert np.isclose(lanes["gflops_min_time"] / fftw["gflops_min_time"], lanes["ratio"], rtol=1e-12)


def test_memory_and_files(weft):
    arguments = ("bench", "engine", "--kinds", "c2c", "--lengths", "64", "--memory-lengths", "64,16", *FAST)
    done = weft(*arguments, "--plot", "speed.png", "--markdown", "speed.md")
    assert (done.returncode, done.stderr) == (0, "")
    assert "GF/s in cache, double" in done.stdout and "GF/s in memory, double" in done.stdout
    assert (weft.folder / "speed.png").read_bytes().startswith(PNG)
    text = (weft.folder / "speed.md").read_text()
    lines = [line for line in text.splitlines() if line.startswith("| c2c |")]
    assert [line.split(" | ")[1] for line in lines] == ["64", "64", "16"]
    assert {line.count("|") for line in text.splitlines() if line.startswith("|")} == {10}


def test_awkward_lengths_and_many_kinds_are_drawn(weft):
    arguments = ("--kinds", "r2c,dct1,dct4,dst3", "--lengths", "96,16,127,33", "--memory-lengths", "")
    done = weft("bench", "engine", *arguments, *FAST, "--plot", "all.png", "--json")
    assert (done.returncode, done.stderr) == (0, "")
    assert (weft.folder / "all.png").read_bytes().startswith(PNG)
    rows = json.loads(done.stdout)
    assert len(rows) == 4 * 4 * 2 * 2 and all(row["difference"] <= bound(row["length"], "double") for row in rows)


def test_quick_changes_only_the_defaults(weft):
    rows = weft.json("bench", "engine", "--quick", "--lengths", "16", "--memory-lengths", "", *FAST)
    assert {row["kind"] for row in rows} == {"c2c", "r2c", "dct2", "dst2"} and {row["length"] for row in rows} == {16}


@pytest.mark.parametrize(
    ("arguments", "named"),
    [
        (["--kinds", "c2c,dct9"], ["--kinds", "dct9", "dst4"]),
        (["--kinds", "c2c,"], ["--kinds", "empty"]),
        (["--precision", "half"], ["--precision", "half", "float"]),
        (["--lengths", "64,6x"], ["--lengths", "6x"]),
        (["--lengths", "1"], ["--lengths", "'1'"]),
        (["--memory-lengths", "-5"], ["--memory-lengths", "-5"]),
        (["--lengths", "", "--memory-lengths", ""], ["--lengths", "--memory-lengths", "empty"]),
        (["--lengths", "2000000"], ["length", "2000000", "1048576"]),
        (["--repeat", "0"], ["--repeat"]),
        (["--plan-seconds", "-1"], ["--plan-seconds"]),
        (["--plot", "nowhere/speed.png"], ["--plot", "nowhere/speed.png"]),
        (["--markdown", "nowhere/speed.md"], ["--markdown", "nowhere/speed.md"]),
        (["--kinds", "c2c", "--lengths", "8", "--memory-lengths", "", *FAST, "--plot", "/proc/p.png"], ["--plot"]),
    ],
)
def test_refused(weft, arguments, named):
    message = weft.refused_here("bench", "engine", *arguments)
    assert all(word in message for word in named), message


def test_refused_under_a_launcher(weft):
    launcher = [_build.MPIEXEC, *_build.MPIEXEC_FLAGS, "-n", "1"]
    done = weft("bench", "engine", program=[*launcher, sys.executable, "-m", "weft"], env=_build.MPIEXEC_ENV)
    assert done.returncode == 2 and "without mpiexec" in done.stderr
