"""weft tune: the table and the JSON, filters, and tuning files that are written, used, foreign or damaged."""

import json
import os
import sys

import pytest
import tomllib
from weft import _build

# Prints what a plan says about its tuning, from rank 0 of two ranks.
PLAN = """\
import weft
from mpi4py import MPI
text = weft.Plan((16, 12, 20), "r2c").explain()
if MPI.COMM_WORLD.rank == 0:
    print(*[line for line in text.splitlines() if line.startswith("tuned: ")])
"""
SEARCH = ("tune", "--shape", 16, 12, 20, "--effort", "measure", "--budget", 0.05)


def plan(weft, file, ranks):
    """What a plan on some ranks prints with a tuning file in its environment."""
    launcher = [_build.MPIEXEC, *_build.MPIEXEC_FLAGS, "-n", str(ranks), sys.executable, "-c", PLAN]
    return weft(program=launcher, env={**_build.MPIEXEC_ENV, "WEFT_TUNING": file})


@pytest.fixture(autouse=True)
def no_file(monkeypatch):
    """No tuning file by default."""
    monkeypatch.delenv("WEFT_TUNING", raising=False)


def test_table_and_progress(weft):
    done = weft(*SEARCH, "-n", 2, "--include", "alltoallv,shared")
    assert done.returncode == 0
    assert "alltoallv" in done.stdout and "shared" in done.stdout and "tuned: " in done.stdout
    assert "1 of " in done.stderr and "persistent" not in done.stdout + done.stderr
    assert list(weft.folder.iterdir()) == []


def test_json(weft):
    found = weft.json(
        *SEARCH, "-n", 2, "--exclude", "shared,alltoallv", "--kinds", "c2c,c2c,r2c", "--precision", "float"
    )
    assert (found["shape"], found["ranks"], found["file"]) == ([16, 12, 20], 2, None)
    strategies = {trial["strategy"] for trial in found["trials"]}
    assert found["strategy"] in strategies and not strategies & {"shared", "alltoallv", "auto"}
    assert found["seconds"] == min(t["seconds"] for t in found["trials"] if t["runs"])


def test_messages_one_at_a_time_between_three_ranks(weft):
    search = (*SEARCH, "--include", "datatype", "-n")
    assert {trial["send_batch"] for trial in weft.json(*search, 2)["trials"]} == {0}
    found = weft.json(*search, 3, "--save", "tuning.toml")
    assert {trial["send_batch"] for trial in found["trials"]} == {0, 1}
    (entry,) = tomllib.loads((weft.folder / "tuning.toml").read_text())["plan"]
    assert entry["send_batch"] == found["send_batch"]


def test_every_number_of_axes(weft):
    for shape in ([16], [6, 8], [4, 4, 4, 4]):
        assert weft.json("tune", "--shape", *shape, "--effort", "estimate")["shape"] == shape


def test_a_file_is_written_and_used(weft):
    found = weft.json(*SEARCH, "-n", 2, "--save", "tuning.toml")
    assert [path.name for path in weft.folder.iterdir()] == ["tuning.toml"]
    (entry,) = tomllib.loads((weft.folder / "tuning.toml").read_text())["plan"]
    assert (entry["shape"], entry["ranks"], entry["strategy"]) == ([16, 12, 20], 2, found["strategy"])
    done = plan(weft, "tuning.toml", 2)
    assert (done.returncode, done.stderr) == (0, "")
    assert f"tuned: {found['strategy']}, chunks {found['chunks']}" in done.stdout and "tuning.toml" in done.stdout
    assert plan(weft, "tuning.toml", 1).stdout.strip() == "", "tuned for two ranks"


def test_a_file_of_another_machine_warns_and_is_ignored(weft):
    weft.json(*SEARCH, "-n", 2, "--save", "tuning.toml")
    path = weft.folder / "tuning.toml"
    path.write_text(path.read_text().replace(f"cores = {os.cpu_count()}", "cores = 4096"))
    done = plan(weft, "tuning.toml", 2)
    assert (done.returncode, done.stdout.strip()) == (0, "")
    assert done.stderr.count("warning") == 1 and "tuning.toml" in done.stderr and "4096 cores" in done.stderr
    assert "another machine" in weft.refused(*SEARCH, "--save", "tuning.toml", "--json")


def test_a_damaged_file_is_refused(weft):
    weft.json(*SEARCH, "-n", 2, "--save", "tuning.toml")
    path = weft.folder / "tuning.toml"
    path.write_text(path.read_text().replace("chunks = ", "chunks = -"))
    done = plan(weft, "tuning.toml", 2)
    assert done.returncode != 0 and "tuning.toml" in done.stderr and "damaged at line" in done.stderr
    assert "damaged at line" in weft.refused(*SEARCH, "--save", "tuning.toml", "--json")


@pytest.mark.parametrize(
    ("arguments", "named"),
    [
        (["--shape", "0", "8"], ["shape", "0"]),
        (["--shape", "8", "eight"], ["eight"]),
        ([], ["--shape"]),
        (["--shape", "8", "8", "--include", "pigeon"], ["include", "pigeon", "shared"]),
        (["--shape", "8", "8", "--include", "hierarchical", "-n", "2"], ["include", "hierarchical"]),
        (["--shape", "8", "8", "--precision", "half"], ["--precision", "half", "float"]),
        (["--shape", "8", "8", "--budget", "-1"], ["budget", "-1"]),
        (["--shape", "8", "8", "--effort", "hurried"], ["effort", "hurried", "patient"]),
        (["--shape", "8", "8", "--kinds", "r2c,dct9"], ["dct9"]),
        (["--shape", "8", "8", "--save", "missing/tuning.toml"], ["missing/tuning.toml", "No such file"]),
    ],
)
def test_refused(weft, arguments, named):
    message = weft.refused("tune", *arguments)
    assert all(word in message for word in named), message


def test_ranks_of_the_launcher(weft):
    launcher = [_build.MPIEXEC, *_build.MPIEXEC_FLAGS, "-n", "2", sys.executable, "-m", "weft"]
    done = weft(*SEARCH, "--json", program=launcher, env=_build.MPIEXEC_ENV)
    assert done.returncode == 0 and json.loads(done.stdout)["ranks"] == 2
