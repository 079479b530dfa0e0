"""weft bench halo: what is reported, and what is refused. Timings are never asserted."""

import pytest


def test_layers_are_right_and_counted(weft):
    rows = weft.json("bench", "halo", "--shape", 9, 7, 8, "-n", 3, "--width", 2, "--repeat", 2, "--precision", "float")
    names = [f"{way}, {what}" for way in ("memory of the node", "messages") for what in ("exchange", "accumulate")]
    assert [row["name"] for row in rows] == ["memcpy", *names]
    assert {row["strategy"] for row in rows[1:]} == {"shared", "persistent"}
    for row in rows:
        assert row["error"] == 0 and row["repeats"] == 2 and 0 < row["seconds_min"] <= row["seconds_median"]
    # Each rank shows 2 of its 3 planes to either neighbour, and there the layers along the other axes, too.
    assert {row["bytes_sent_per_rank"] for row in rows[1:]} == {2 * 2 * (7 + 4) * (8 + 4) * 4}


def test_table_of_the_cut_alone(weft):
    done = weft("bench", "halo", "--shape", 8, 8, 8, "-n", 2, "--repeat", 1, "--sides", "cut")
    assert (done.returncode, done.stderr) == (0, "")
    assert "2 layers on the sides between ranks" in done.stdout and "messages, accumulate" in done.stdout


@pytest.mark.parametrize(
    ("arguments", "named"),
    [
        (["--shape", "8", "8"], ["--shape", "3"]),
        (["--precision", "half"], ["--precision", "half", "float"]),
        (["--sides", "left"], ["--sides", "left", "all, cut"]),
    ],
)
def test_refused(weft, arguments, named):
    message = weft.refused_here("bench", "halo", *arguments)
    assert all(word in message for word in named), message
