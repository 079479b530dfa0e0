"""Bad input on the command line: exit status 2, one line on stderr whatever the number of ranks, nothing written."""

import os
import resource
import subprocess
import sys

import h5py
import numpy as np
import pytest
from conftest import SMALL_CASE, edited
from weft import _build


@pytest.mark.parametrize(
    ("changes", "named"),
    [
        ({"cells": "[0, 8, 8]"}, ["cells", "0"]),
        ({"cells": "[8, -8, 8]"}, ["cells", "-8"]),
        ({"cells": "[8, 8, 8.5]"}, ["cells", "8.5"]),
        ({"cells": "[8, 8, 99999999999999999999]"}, ["cells", "64 bits"]),
        ({"length": "[1.0, 0.0, 1.0]"}, ["length", "0"]),
        ({"length": "[1.0, -2.0, 1.0]"}, ["length", "-2"]),
        ({"length": "[1.0, nan, 1.0]"}, ["length", "nan"]),
        ({"length": "[1.0, inf, 1.0]"}, ["length", "inf"]),
        ({"boundary": '["periodic", "neumann", "odd"]'}, ["neumann", "even"]),
        ({"boundary": '[["periodic", "odd"], "odd", "odd"]'}, ["periodic"]),
        ({"boundary": '["odd", "odd", ["unbounded", "periodic"]]'}, ["periodic"]),
        ({"kernel": '"hej99"'}, ["kernel", "hej99", "chat2"]),
        ({"kernel": '"hej2"', "length": "[1.0, 1.0, 2.0]"}, ["kernel: hej2", "same spacing", "truncated"]),
        ({"alpha": "-1.0"}, ["alpha", "-1", "positive"]),
        ({"screening": "nan"}, ["screening", "nan"]),
        ({"mean": '"keep"'}, ["mean", "keep", "remove"]),
        ({"mean": '"error"', "boundary": '["even", "even", "even"]', "rhs": '"1 + x"'}, ["rhs", "mean is 1.5"]),
        ({"centring": '"corner"'}, ["corner", "cell", "node"]),
        ({"wrong": "1"}, ["wrong", "allowed"]),
        ({"rhs": None}, ["rhs", "missing"]),
        ({"rhs": '"1/x"', "centring": '"node"'}, ["rhs", "inf", "(0, 0, 0)"]),
        ({"rhs": '"sqrt(x - 0.5)"'}, ["rhs", "nan"]),
        ({"reference": '"log(x - 0.5)"'}, ["reference", "nan"]),
        ({"rhs": '"q*x"'}, ["rhs", "'q'"]),
        ({"rhs": '"x.real"'}, ["rhs", "attribute"]),
        ({"rhs": "\"__import__('os').mkdir('oops')\""}, ["rhs", "attribute"]),
        ({"rhs": '"import os"'}, ["rhs", "not a formula"]),
        ({"rhs": '"9**9**9**9"'}, ["rhs", "too large"]),
        ({"rhs": '{ file = "missing.h5", dataset = "rho" }'}, ["missing.h5"]),
        ({"rhs": '{ file = "missing.npy" }'}, ["missing.npy"]),
        ({"cells": "[8, 8"}, ["not TOML"]),
    ],
)
def test_case_file(weft, changes, named):
    message = weft.refused_here("solve", weft.write("case.toml", edited(SMALL_CASE, **changes)), "--plot")
    assert all(word in message for word in named), message


@pytest.mark.parametrize(
    ("changes", "named"),
    [
        ({"cells": "[0, 8, 8]"}, "cells"),
        ({"boundary": '[["periodic", "odd"], "odd", "odd"]'}, "periodic"),
        ({"rhs": '"1/x"', "centring": '"node"'}, "rhs"),
        ({"rhs": '"x.real"'}, "attribute"),
        ({"rhs": '{ file = "missing.h5", dataset = "rho" }'}, "missing.h5"),
    ],
)
def test_several_ranks_print_one_message(weft, changes, named):
    assert named in weft.refused("solve", weft.write("case.toml", edited(SMALL_CASE, **changes)), "-n", 3)


@pytest.mark.parametrize(
    ("arguments", "named"),
    [
        (["solve"], "CASE.toml"),
        (["solve", "missing.toml"], "missing.toml"),
        (["solve", "case.toml", "-n", "0"], "-n"),
        (["solve", "case.toml", "-n", "two"], "-n"),
        (["solve", "case.toml", "--threads", "0"], "--threads"),
        (["solve", "case.toml", "--strategy", "pigeon"], "pigeon"),
        (["solve", "case.toml", "--strategy", "pigeon", "-n", "2"], "pigeon"),
        (["solve", "case.toml", "--colour"], "--colour"),
        (["sing"], "sing"),
        (["bench", "fft", "--shape", "8", "0", "8"], "0"),
        (["bench", "fft", "--shape", "8", "8", "8", "--kinds", "dct9", "-n", "2"], "dct9"),
    ],
)
def test_arguments(weft, arguments, named):
    weft.write("case.toml", SMALL_CASE)
    assert named in weft.refused(*arguments)


def density_file(weft, values, name="rho.h5"):
    """A case whose right-hand side is the given array in a file."""
    if name.endswith(".npy"):
        np.save(weft.folder / name, values)
        return weft.write("case.toml", edited(SMALL_CASE, rhs=f'{{ file = "{name}" }}'))
    with h5py.File(weft.folder / name, "w") as file:
        file["rho"] = values
    return weft.write("case.toml", edited(SMALL_CASE, rhs=f'{{ file = "{name}", dataset = "rho" }}'))


@pytest.mark.parametrize("ranks", [1, 2])
@pytest.mark.parametrize("name", ["rho.h5", "rho.npy"])
def test_field_files(weft, name, ranks):
    solve = ("solve", "case.toml", "-n", ranks)
    density_file(weft, np.zeros((8, 8, 9)), name)
    message = weft.refused(*solve)
    assert name in message and "9" in message
    bad = np.zeros((8, 8, 8))
    bad[7, 6, 5] = np.nan
    density_file(weft, bad, name)
    message = weft.refused(*solve)
    assert "nan" in message and "(7, 6, 5)" in message
    density_file(weft, np.ones((8, 8, 8)), name)
    whole = (weft.folder / name).read_bytes()
    (weft.folder / name).write_bytes(whole[: len(whole) // 2])
    assert name in weft.refused(*solve)
    (weft.folder / name).write_bytes(b"not a field at all")
    assert name in weft.refused(*solve)


def test_dataset_name(weft):
    density_file(weft, np.zeros((8, 8, 8)))
    weft.write("case.toml", edited(SMALL_CASE, rhs='{ file = "rho.h5", dataset = "mass" }'))
    message = weft.refused("solve", "case.toml", "-n", 2)
    assert "mass" in message and "rho" in message


@pytest.mark.parametrize("ranks", [1, 2])
def test_output_cannot_be_written(weft, ranks):
    weft.write("case.toml", SMALL_CASE)
    weft.write("taken", "a file where the folder should be")
    for out in ("taken", "taken/deeper", "/proc/weft"):
        message = weft.refused("solve", "case.toml", "-n", ranks, "--out", out)
        assert "--out" in message and out in message


@pytest.mark.parametrize("ranks", [1, 2])
def test_disk_full(weft, ranks):
    # No file may grow beyond 24 MB; one field of the solution has 17 MB, the file more than twice that.
    weft.write("case.toml", edited(SMALL_CASE, cells="[128, 128, 128]"))

    def limit():
        resource.setrlimit(resource.RLIMIT_FSIZE, (24 << 20, 24 << 20))

    arguments = ("solve", "case.toml", "-n", ranks, "--strategy", "alltoallv")
    assert "solution.h5" in weft.refused(*arguments, preexec_fn=limit)


def test_ranks_of_the_launcher_win(weft):
    weft.write("case.toml", SMALL_CASE)
    launcher = [_build.MPIEXEC, *_build.MPIEXEC_FLAGS, "-n", "2", sys.executable, "-m", "weft"]
    done = weft("solve", "case.toml", "-n", 3, program=launcher, env=_build.MPIEXEC_ENV)
    assert done.returncode == 2
    assert [line for line in done.stderr.splitlines() if line.startswith("weft:")] == [
        "weft: error: -n: 3 ranks are requested, but the launcher has started 2; omit -n here"
    ]


def test_other_mpi_is_refused_at_import(tmp_path):
    # A package that stands for an mpi4py built with another MPI library.
    (tmp_path / "mpi4py").mkdir()
    (tmp_path / "mpi4py" / "__init__.py").touch()
    other = 'def Get_library_version():\n    return "Some MPI v9.8, built by somebody"\n'
    (tmp_path / "mpi4py" / "MPI.py").write_text(other)
    paths = [str(tmp_path), *filter(None, [os.environ.get("PYTHONPATH")])]
    env = {**os.environ, "PYTHONPATH": os.pathsep.join(paths)}
    done = subprocess.run([sys.executable, "-c", "import weft"], env=env, capture_output=True, text=True, check=False)
    assert done.returncode != 0
    last = done.stderr.strip().splitlines()[-1]
    assert last.startswith("ImportError: ") and "Some MPI v9.8" in last and "--no-binary=mpi4py" in last
    assert {"mpich": "MPICH", "openmpi": "Open MPI"}[_build.MPI] in last
