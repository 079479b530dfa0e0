"""Runs that are killed in the middle of a checkpoint: the one before is whole, and the run goes on to the same bits."""

import os
import subprocess
import sys
import xml.etree.ElementTree as xml
from pathlib import Path

import h5py
import numpy as np
import pytest
import weft
from mpi4py import MPI
from weft.launch import own_launcher

HERE = Path(__file__).parent
EXAMPLE = HERE.parents[1] / "examples" / "restart.py"
STEPS, CELLS = 15, 48


def run(ranks, folder, **environment):
    """The example, to its end or not."""
    launcher = own_launcher()
    settings = [f"{name}={value}" for name, value in environment.items()]
    program = ["env", *settings, sys.executable, str(EXAMPLE), str(STEPS), str(folder), str(CELLS)]
    command = launcher.command(ranks, program)
    return subprocess.run(command, env=launcher.environ(), capture_output=True, text=True, timeout=300)


@pytest.fixture(scope="module")
def killer(tmp_path_factory):
    """The library that ends a process while it writes."""
    library = tmp_path_factory.mktemp("killer") / "kill_at.so"
    command = [os.environ.get("CC", "cc"), "-shared", "-fPIC", "-Wall", "-o", library, HERE / "kill_at.c", "-ldl"]
    subprocess.run(command, check=True)
    return library


@pytest.fixture(scope="module")
def reference(tmp_path_factory):
    """The folder of a run on 2 ranks that nothing stopped."""
    folder = tmp_path_factory.mktemp("reference")
    done = run(2, folder)
    assert done.returncode == 0, done.stdout + done.stderr
    return folder


def state(folder, step):
    """The whole field of a checkpoint, read without Weft."""
    with h5py.File(folder / f"checkpoint-{step:06}.h5") as file:
        return file["u"][...]


def series_times(folder):
    """The times of the series; every file that it names has its field and its time."""
    times = []
    for grid in xml.parse(folder / "run.xdmf").getroot().findall("./Domain/Grid/Grid"):
        times.append(float(grid.find("Time").get("Value")))
        name, dataset = grid.find("Attribute/DataItem").text.split(":")
        with h5py.File(folder / name) as file:
            assert file.attrs["time"] == times[-1]
            assert np.array_equal(file[dataset][0].T, file["u"][...].astype("f4"))
    return times


def test_the_uninterrupted_run(reference):
    assert sorted(path.name for path in reference.glob("checkpoint*")) == [
        "checkpoint-000010.h5",
        "checkpoint-000015.h5",
    ]
    assert np.std(state(reference, 15)) > 0.1
    assert series_times(reference) == [0, 5 * 0.01, 10 * 0.01]


# Killed while the checkpoint of step 10 is made. Rank 0 writes HDF5's part, both write elements, rank 0 renames; once
# renamed it counts.
KILLS = [
    (0, "write", 1, 5, None),
    (0, "half", 4, 5, None),
    (1, "half", 1, 5, 3),
    (1, "flush", 1, 5, None),
    (0, "rename", 1, 5, 1),
    (0, "renamed", 1, 10, 3),
]


@pytest.mark.parametrize(("rank", "call", "number", "last", "ranks"), KILLS)
def test_a_killed_run_goes_on(tmp_path, killer, reference, rank, call, number, last, ranks):
    done = run(
        2,
        tmp_path,
        LD_PRELOAD=killer,
        WEFT_KILL_RANK=rank,
        WEFT_KILL_FILE="checkpoint-000010.h5.part",
        WEFT_KILL_CALL=call,
        WEFT_KILL_NUMBER=number,
    )
    assert done.returncode != 0
    remains = tmp_path / "checkpoint-000010.h5.part"
    assert remains.exists() == (last == 5)
    folder = weft.CheckpointFolder(tmp_path, comm=MPI.COMM_SELF)
    assert folder.steps() == [5, 10][: last // 5]
    found = folder.latest()
    assert found.values == {"step": last, "time": 0.01 * last} and found.skipped == ()
    assert series_times(tmp_path) == [0, 5 * 0.01]
    if ranks is None:
        return
    done = run(ranks, tmp_path)
    assert done.returncode == 0, done.stdout + done.stderr
    assert f"steps {last} to {STEPS}" in done.stdout
    assert np.array_equal(state(tmp_path, 15).view("u8"), state(reference, 15).view("u8"))
    assert not remains.exists()
    assert series_times(tmp_path) == series_times(reference)
