"""weft bench fft: engines, plans in place and plan.apply as contenders. Timings are never asserted."""

import pytest
from test_bench_fft import bound
from unwrapped import headings

SMALL = ("bench", "fft", "--shape", 16, 12, 20, "--repeat", 1)


@pytest.mark.parametrize("kinds", ["r2c", "dct2"])
def test_engines(weft, kinds):
    rows = weft.json(*SMALL, "--kinds", kinds, "-n", 2, "--strategy", "alltoallv", "--engine", "lanes,fftw")
    assert [row["name"] for row in rows] == ["weft alltoallv, lanes", "weft alltoallv, fftw"]
    assert all(row["error"] < bound("double") for row in rows)


@pytest.mark.parametrize("ranks", [1, 2])
def test_in_place(weft, ranks):
    rows = weft.json(*SMALL, "--kinds", "r2c", "-n", ranks, "--in-place")
    assert len(rows) == 2 and rows[1]["name"] == rows[0]["name"] + ", in place"
    assert all(row["error"] < bound("double") for row in rows)
    # 20 reals of a row give 11 modes of 2: one array has at least that.
    assert rows[1]["memory_in_local_arrays"] >= 22 / 20


def test_apply(weft):
    rows = weft.json(*SMALL, "--kinds", "r2c", "-n", 2, "--apply", "--in-place", "--precision", "float")
    assert [row["work"] for row in rows] == ["pair", "apply", "apply axis", "pair"]
    assert all(row["error"] < bound("float") for row in rows)
    pair, *applied, _ = rows
    assert all(row["of_pair"] == row["seconds_min"] / pair["seconds_min"] for row in applied) and "of_pair" not in pair
    table = weft(*SMALL, "--apply", "-n", 2).stdout
    assert f"{pair['name']}, apply axis" in table and "of the pair" in headings(table)
