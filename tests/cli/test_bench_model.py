"""weft bench model: predictions beside timings, transforms and solves, on several numbers of ranks."""

import pytest
from unwrapped import headings

SMALL = ("bench", "model", "--shape", 16, 16, 16, "--cells", 12, 12, 12, "--ranks", "1,2", "--repeat", 2)


def test_rows(weft):
    rows = weft.json(*SMALL, "--strategy", "alltoallv")
    assert [(row["work"], row["ranks"]) for row in rows] == [("pair", 1), ("solve", 1), ("pair", 2), ("solve", 2)]
    for row in rows:
        assert row["predicted_over_measured"] == row["predicted_seconds"] / row["seconds_min"]
        assert 0 < row["seconds_min"] <= row["seconds_median"]
        shape, work = row["shape"], "solve" if row["work"] == "solve" else "pair"
        options = ("--boundary", "unbounded") if work == "solve" else ()
        predicted = weft.json("predict", "--shape", *shape, "-n", row["ranks"], "--strategy", "alltoallv", *options)
        assert row["predicted_seconds"] == pytest.approx(predicted["predictions"][0]["seconds"])


def test_table(weft):
    done = weft(*SMALL)
    assert done.returncode == 0, done.stderr
    assert "predicted / min" in headings(done.stdout) and "solve in free space" in done.stdout


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--ranks", "0"], ["--ranks", "0"]),
        (["--shape", "8", "x"], ["--shape", "x"]),
        (["--machine", "missing.toml"], ["missing.toml"]),
    ],
)
def test_refused(weft, arguments, words):
    message = weft.refused_here("bench", "model", *arguments)
    assert all(word in message for word in words), message
