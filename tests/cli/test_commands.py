"""weft info and demo."""

import sys

import h5py
import numpy as np
from weft import _build


def test_info(weft):
    found = weft.json("info")
    assert found["weft"] == _build.VERSION
    kind = {"mpich": "MPICH", "openmpi": "Open MPI"}[_build.MPI]
    assert found["mpi"]["loaded by weft"] == found["mpi"]["loaded by mpi4py"]
    assert found["mpi"]["loaded by weft"].startswith(kind)
    text = weft("info").stdout
    assert _build.VERSION in text and kind in text and "fftw" in text.lower()


def test_version(weft):
    for done in (weft("--version"), weft("--version", "solve", "no such file")):
        assert (done.returncode, done.stdout, done.stderr) == (0, f"weft {_build.VERSION}\n", "")
    launcher = [_build.MPIEXEC, *_build.MPIEXEC_FLAGS, "-n", "2", sys.executable, "-m", "weft"]
    two = weft("--version", program=launcher, env=_build.MPIEXEC_ENV)
    assert (two.returncode, two.stdout) == (0, f"weft {_build.VERSION}\n")


def test_help_names_the_commands(weft):
    text = weft("--help").stdout
    assert all(command in text for command in ("solve", "info", "demo", "bench"))


def test_demo(weft):
    done = weft("demo", "--out", "demo")
    assert (done.returncode, done.stderr) == (0, "")
    assert "2 ranks" in done.stdout and "E_inf" in done.stdout and "envelope" in done.stdout
    names = {path.name for path in (weft.folder / "demo").iterdir()}
    assert names == {"plummer.h5", "plummer.toml", "solution.h5", "solution.png", "solution.xdmf"}
    with h5py.File(weft.folder / "demo" / "plummer.h5") as file:
        # Every particle is deposited whole: the sum of weights rounds at 1e-16 each.
        assert abs(np.mean(file["density"]) - 1) < 1e-12
    with h5py.File(weft.folder / "demo" / "solution.h5") as file:
        corner = file["solution"][0, 0, 0]
    # Far from the sphere it is a point mass; the corner point is half a cell inside of the cube.
    assert abs(corner * 4 * np.pi * np.sqrt(3) * (0.5 - 0.5 / 128) + 1) < 1e-4
