"""weft bench exchange: what is reported of every strategy, and what is refused. Timings are never asserted."""

import pytest
from unwrapped import headings

# Extents that 3 ranks share unevenly.
SMALL = ("bench", "exchange", "--shape", 5, 7, 8, "--repeat", 2)


@pytest.mark.parametrize("axes", ["y-z", "x-z"])
@pytest.mark.parametrize(("numbers", "size"), [(["--precision", "float"], 4), (["--complex"], 16)])
def test_every_strategy_moves_every_element(weft, axes, numbers, size):
    rows = weft.json(*SMALL, "-n", 3, "--axes", axes, *numbers)
    known = weft.json("info")["strategies"]
    assert {row["strategy"] for row in rows} == {"none", *known} and rows[0]["name"] == "memcpy"
    # A rank keeps what lies in both of its slabs. Of 5, 7 and 8 points the ranks have 1 2 2, 2 2 3 and 2 3 3.
    sent = {"y-z": 5 * 3 * (8 - 3), "x-z": 2 * 7 * (8 - 3)}
    for row in rows:
        assert row["error"] == 0 and row["repeats"] == 2 and 0 < row["seconds_min"] <= row["seconds_median"]
        assert (row["ranks"], row["grid"], row["threads"]) == (3, [3], 1)
        assert row["of_memcpy_speed"] == rows[0]["seconds_min"] / row["seconds_min"]
        if row["strategy"] in ("alltoallv", "cyclic"):
            assert row["bytes_sent_per_rank"] == sent[axes] * size


def test_table_and_picture(weft):
    done = weft(*SMALL, "-n", 2, "--strategy", "alltoallv,shared", "--plot", "times.png")
    assert (done.returncode, done.stderr) == (0, "")
    assert all(word in done.stdout for word in ("memcpy", "weft alltoallv", "weft shared"))
    assert "of memcpy speed" in headings(done.stdout)
    assert (weft.folder / "times.png").read_bytes().startswith(b"\x89PNG")


@pytest.mark.parametrize(
    ("arguments", "named"),
    [
        (["--axes", "z-y"], ["--axes", "z-y", "y-z, x-z"]),
        (["--shape", "8", "8"], ["--shape", "3"]),
        (["--precision", "half"], ["--precision", "half", "float"]),
        (["--strategy", "pigeon", "-n", "2"], ["--strategy", "pigeon", "alltoallw"]),
        (["--plot", "missing/times.png", "-n", "2"], ["--plot", "missing/times.png", "folder"]),
    ],
)
def test_refused(weft, arguments, named):
    message = weft.refused_here("bench", "exchange", *arguments)
    assert all(word in message for word in named), message
