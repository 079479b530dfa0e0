"""weft explain: the steps of plans in three and four dimensions, what goes to each peer, times of a run."""

import re

import pytest


def test_a_slab_on_twelve_ranks(weft):
    text = weft(
        "--many-ranks", "explain", "--shape", 24, 24, 12, "-n", 12, "--strategy", "persistent", "--chunks", 2
    ).stdout
    # A block is two planes of two rows of 7 modes, 16 bytes each.
    assert "axis 0 cut by 12" in text and "12 ranks" in text
    assert "persistent, axis 1 <-> axis 0, 0.004928 MB sent to 11 peers, 0.000448 MB each, in 2 chunks" in text


def test_a_four_dimensional_plan_on_a_three_dimensional_grid(weft):
    found = weft.json(
        "--many-ranks", "explain", "--shape", 12, 12, 12, 12, "--kinds", "c2c", "-n", 12, "--grid", 2, 3, 2
    )
    assert (found["grid"], found["ranks"], found["chunks"]) == ([2, 3, 2], 12, 1)
    peers = [int(count) for count in re.findall(r"sent to (\d+) peers?,", found["text"])]
    assert peers == [1, 2, 1]
    # Half of what a rank has goes to one peer, two thirds go to two.
    local = 12**4 // 12 * 16
    assert found["bytes_sent"] == local // 2 + local * 2 // 3 + local // 2


@pytest.mark.parametrize("extra", [[], ["--in-place"]])
def test_a_run_shows_times(weft, extra):
    plain = weft("explain", "--shape", 16, 16, 16, *extra).stdout
    timed = weft("explain", "--shape", 16, 16, 16, "--run", *extra).stdout
    assert "last run" not in plain and "last run" in timed and "% of a copy" in timed


@pytest.mark.parametrize(
    "arguments, words",
    [
        (["--shape", "8", "x"], ["--shape", "'x'", "64 64 64"]),
        (["--shape", "8", "8", "--kinds", "dct9"], ["kinds", "dct9", "dct1"]),
        (["--shape", "8", "8", "--precision", "half"], ["--precision", "half", "double"]),
        (["--shape", "8", "8", "8", "--strategy", "pigeon"], ["strategy", "pigeon", "alltoallv"]),
    ],
)
def test_bad_input(weft, arguments, words):
    done = weft("explain", *arguments)
    assert done.returncode == 2
    for word in words:
        assert word in done.stderr
