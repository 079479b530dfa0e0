"""What the Python programs of weft bench have in common. Timings are never asserted, but how much is run for one."""

import time

import numpy as np
import pytest
from weft.cli.bench_turns import Work
from weft.cli.peers.unscaled import factor, most_in_a_row


def runs_of(seconds, most):
    """How often a run of so many seconds is repeated without refilling, in order, and what is said of two timings."""
    rows = []

    def run():
        rows[-1] += 1
        time.sleep(seconds)

    work = Work(1, lambda: 0, refill=lambda: rows.append(0), most_in_a_row=most)
    work.series["seconds"] = run
    told = work.round(2)
    return rows, told["seconds"]


def test_short_runs_are_repeated():
    rows, seconds = runs_of(0, 1000)
    assert len(seconds) == 2 and set(rows[:-2]) == {1} and rows[-2] == rows[-1] > 1
    rows, _ = runs_of(0, 3)
    assert rows[-2:] == [3, 3]


def test_long_runs_are_not():
    rows, seconds = runs_of(0.002, 1000)
    assert set(rows) == {1} and min(seconds) >= 0.002


@pytest.mark.parametrize(
    ("kinds", "expected"),
    [("r2c", 3 * 5), ("c2c", 3 * 5), ("dct1", 4 * 8), ("dst1", 8 * 12), ("dct2", 6 * 10), ("dst4", 6 * 10)],
)
def test_factor_of_a_pair(kinds, expected):
    assert factor(kinds, [3, 5]) == expected


@pytest.mark.parametrize("dtype", ["f", "d", "F", "D"])
def test_values_stay_finite(dtype):
    for growth in (1.0, 2.0, 16.0**3, 1024.0**3, 1e30):
        most = most_in_a_row(growth, np.dtype(dtype))
        assert most >= 1 and (most == 1 or np.isfinite(np.dtype(dtype).type(growth) ** most))
