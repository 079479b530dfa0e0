"""weft.tune on one rank: what it returns, tuning files, and what is refused. Timings are never asserted."""

import numpy as np
import pytest
import weft
from reference import numbers
from unwrapped import unwrapped

SHAPE = (12, 10, 14)


@pytest.fixture
def no_file(monkeypatch):
    """No tuning file by default."""
    monkeypatch.delenv("WEFT_TUNING", raising=False)


def test_a_search_returns_what_it_tried(no_file):
    seen = []
    found = weft.tune(SHAPE, "r2c", effort="measure", budget=0.05, progress=lambda *report: seen.append(report))
    assert list(found.options) == ["grid", "strategy", "chunks", "send_batch", "fuse"]
    assert found.options in [{k: t[k] for k in found.options} for t in found.trials]
    ran = [t for t in found.trials if t["runs"]]
    assert len(ran) >= 2 and found.seconds == min(t["seconds"] for t in ran) > 0
    assert [number for _, number, _ in seen] == list(range(1, len(seen) + 1))
    assert all(count == len(found.trials) for _, _, count in seen)
    assert [trial for trial, _, _ in seen] == ran
    assert f"tried {len(ran)} of {len(found.trials)}" in found.summary


def test_the_options_are_arguments_of_plan(no_file):
    found = weft.tune(SHAPE, "r2c", effort="measure", budget=0.05, engine="lanes")
    u = numbers(SHAPE, np.float64)
    tuned = weft.Plan(SHAPE, "r2c", engine="lanes", **found.options)
    assert np.array_equal(tuned.forward(u), weft.Plan(SHAPE, "r2c", engine="lanes").forward(u))


def test_an_estimate_runs_nothing(no_file):
    found = weft.tune(SHAPE, "c2c", effort="estimate", dtype="float32")
    assert found.seconds == 0 and not any(t["runs"] for t in found.trials)
    assert all(t["estimate"] > 0 for t in found.trials)


def test_a_file_is_used_by_plans(no_file, tmp_path, monkeypatch):
    path = tmp_path / "tuning.toml"
    weft.tune(SHAPE, "r2c", effort="measure", budget=0.01, fuse=False, save=path)
    assert [p.name for p in tmp_path.iterdir()] == ["tuning.toml"]
    assert f"as {path} says" in unwrapped(weft.Plan(SHAPE, "r2c", tuning=path).explain())
    assert "tuned" not in weft.Plan(SHAPE, "c2c", tuning=str(path)).explain()
    assert "tuned" not in weft.Plan(SHAPE, "r2c").explain()
    monkeypatch.setenv("WEFT_TUNING", str(path))
    assert "tuned" in weft.Plan(SHAPE, "r2c").explain()
    assert "tuned" in weft.Plan(SHAPE, "r2c", chunks=1, grid=[1]).explain()


@pytest.mark.parametrize(
    ("arguments", "named"),
    [
        ({"budget": 0}, ["budget", "0"]),
        ({"budget": float("nan")}, ["budget", "nan"]),
        ({"budget": "long"}, ["budget", "long"]),
        ({"include": ["pigeon"]}, ["include", "pigeon", "alltoallv"]),
        ({"exclude": ["pigeon"]}, ["exclude", "pigeon", "alltoallv"]),
        ({"include": "shared"}, ["include", "shared"]),
        ({"include": [3]}, ["include[0]", "3"]),
        ({"save": 7}, ["save", "7"]),
        ({"colour": "red"}, ["colour", "strategy"]),
        ({"effort": "hurried"}, ["effort", "hurried"]),
        ({"grid": [2]}, ["grid", "2", "1"]),
    ],
)
def test_refused(no_file, arguments, named):
    with pytest.raises(weft.Error) as error:
        weft.tune(SHAPE, "r2c", **({"effort": "measure"} | arguments))
    assert all(word in str(error.value) for word in named), error.value


def test_files_that_cannot_be_used(no_file, tmp_path):
    path = tmp_path / "tuning.toml"
    with pytest.raises(weft.FileError, match="No such file"):
        weft.Plan(SHAPE, "r2c", tuning=path)
    path.write_text("[machine]\nprocessor = 3\n")
    with pytest.raises(weft.FileError, match=r"tuning.toml.* is damaged at line 2"):
        weft.Plan(SHAPE, "r2c", tuning=path)
    with pytest.raises(weft.FileError, match="damaged"):
        weft.tune(SHAPE, "r2c", effort="estimate", save=path)
    with pytest.raises(weft.FileError, match="cannot be written"):
        weft.tune(SHAPE, "r2c", effort="measure", save="/proc/weft.toml", progress=lambda *_: pytest.fail("late"))
    with pytest.raises(weft.Error, match="tuning: 3 "):
        weft.Plan(SHAPE, "r2c", tuning=3)
