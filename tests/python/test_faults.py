"""Faults on one rank, a round of each kind; `make faults` goes on for as long as one likes."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
LIBRARIES = Path(os.environ.get("WEFT_TEST_LIBRARIES", ROOT / "build" / "tests"))
# What needs memory that grows with the data: one of each kind, since a job that tries all takes minutes.
OPERATIONS = (
    "tensor forward, matrix circulate",
    "forward, alltoallv",
    "backward, pairwise",
    "apply, user's boxes",
    "forward of a Field",
    "solve, mixed",
    "biot_savart, free",
    "redistribution forward, auto",
    "Field, norm 2",
    "Field, spectrum",
    "Field, index",
    "Field, gather to all",
    "Field, scatter",
    "Field, zeros",
)


def inject(kind, only="", rounds=1):
    """What the driver prints, and its exit status."""
    library = LIBRARIES / "libweft_inject.so"
    assert library.exists(), "build the target weft_inject first"
    command = [sys.executable, "-m", "fuzz.faults.run", library, "--kind", kind, "--only", only, "--each"]
    command += ["--rounds", str(rounds), "--seconds", "200", "--seed", "20"]
    path = os.pathsep.join(filter(None, (str(ROOT / "tests"), os.environ.get("PYTHONPATH"))))
    environment = os.environ | {"PYTHONPATH": path}
    done = subprocess.run(command, capture_output=True, text=True, timeout=400, env=environment)
    return done.stdout + done.stderr, done.returncode


def outcomes(text):
    """What happened in each operation: a set of texts."""
    found = {}
    for operation, outcome in re.findall(r"^  (.{38}) .{28} (.{52}) +\d+$", text, re.M):
        found.setdefault(operation.strip(), set()).add(outcome.strip())
    return found


def test_memory_that_is_short_on_one_rank():
    names = "|".join(map(re.escape, OPERATIONS))
    text, status = inject("memory", f"^({names})$")
    assert status == 0, text
    found = outcomes(text)
    assert found.keys() == set(OPERATIONS), text
    for name in OPERATIONS:
        # A new array for the result is asked for again when all ranks look closely at what they were given.
        again = {"succeeded on all ranks"} if name in ("forward, alltoallv", "backward, pairwise") else set()
        assert found[name] - again == {"ResourceError on all ranks"}, text


def test_memory_of_the_node_that_is_short():
    text, status = inject("shared", "^Plan, (shared|in place|r2c)$")
    assert status == 0, text
    found = outcomes(text)
    # What chooses by itself asks first how much there is; what is lost after that is an error like any other.
    for name in ("Plan, shared", "Plan, r2c"):
        assert "ResourceError on all ranks" in found[name], text


def test_files_that_cannot_be_written():
    text, status = inject(
        "files", "npy|checkpoint in a folder|compressed checkpoint|time series|tuning file|machine file"
    )
    assert status == 0, text
    found = outcomes(text)
    assert len(found) == 6, text
    assert all(any("FileError" in outcome or "OSError" in outcome for outcome in found[name]) for name in found), text


@pytest.mark.parametrize("kind", ["between name and memory", "checkpoint"])
def test_a_rank_that_is_killed(kind):
    text, status = inject("kills", f"^{kind}$")
    assert status == 0, text
    assert all(outcome.startswith("job ended in") for outcome in outcomes(text)[kind]), text


def test_what_one_rank_raises_alone_is_a_breach():
    text, status = inject("broken")
    assert status == 1 and "ranks differ" in text, text
