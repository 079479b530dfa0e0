"""weft info, bench and demo."""

import json
import shutil
import subprocess

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


def test_help_names_the_commands(weft):
    text = weft("--help").stdout
    assert all(command in text for command in ("solve", "info", "demo", "bench"))


def test_bench(weft):
    arguments = ("bench", "fft", "--shape", 16, 12, 20, "--kinds", "r2c", "-n", 2, "--repeat", 3)
    rows = weft.json(*arguments, "--strategy", "alltoallv", "--strategy", "shared")
    assert [row["name"] for row in rows] == ["weft alltoallv", "weft shared"]
    for row in rows:
        assert (row["ranks"], row["threads"]) == (2, 1)
        assert row["repeats"] >= 3 and 0 < row["seconds_min"] <= row["seconds_median"]
        # A round trip of values below 1 loses some units in the last place.
        assert row["error"] < 1e-14
        assert row["peak_rss_bytes"] > 1e6 and row["copy_gb_per_s"] > 0
    table = weft(*arguments).stdout
    assert "weft shared" in table and "median" in table


def has_fftw_mpi():
    """Whether FFTW-MPI can be compiled here, as the command itself will find out."""
    if not shutil.which("mpicxx.openmpi") or not shutil.which("mpiexec.openmpi"):
        return False
    test = ["mpicxx.openmpi", "-x", "c++", "-", "-fsyntax-only", "-include", "fftw3-mpi.h"]
    return subprocess.run(test, input="", text=True, capture_output=True, check=False).returncode == 0


def test_bench_beside_fftw_mpi(weft):
    arguments = ("bench", "fft", "--shape", "16", "16", "16", "-n", "2", "--peers", "fftw-mpi")
    if not has_fftw_mpi():
        assert "apt-get install libfftw3-mpi-dev" in weft.refused(*arguments)
        return
    done = weft(*arguments, "--json", env={"XDG_CACHE_HOME": str(weft.folder)})
    assert (done.returncode, done.stderr) == (0, "")
    ours, peer = json.loads(done.stdout)
    assert ours["name"].startswith("weft ") and peer["name"] == "fftw-mpi"
    assert peer["error"] < 1e-14 and peer["seconds_min"] > 0
    # 8 planes of 16 x 9 modes of 16 bytes, of which the half goes to the other rank, there and back.
    assert peer["bytes_sent_per_rank"] == 8 * 16 * 9 * 16


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
