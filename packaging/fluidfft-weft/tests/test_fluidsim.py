"""fluidsim's ns3d solver by Weft beside itself by pyFFTW, which has no ranks."""

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from fluiddyn.util import mpi
from run_ns3d import rounding
from weft.launch import own_launcher

pytest.importorskip("fluidsim")
pytest.importorskip("pyfftw")
pytestmark = pytest.mark.skipif(mpi.nb_proc > 1, reason="these tests start ranks themselves")

PROGRAM = Path(__file__).parent / "run_ns3d.py"
POINTS, STEPS = 12, 3


def run(command, folder):
    """The program with a launcher before it, or with none."""
    arguments = ["--points", str(POINTS), "--steps", str(STEPS), "--save", str(folder)]
    done = subprocess.run([*command, *arguments], capture_output=True, text=True, timeout=300, cwd=folder)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_steps_agree_on_one_rank(tmp_path):
    methods = ["fft3d.with_weft", "fft3d.mpi_with_weft", "fft3d.with_pyfftw"]
    out = run([sys.executable, str(PROGRAM), "--methods", *methods], tmp_path)
    assert all(f"{POINTS}^3, 1 ranks, {method}: " in out for method in methods), out


@pytest.mark.parametrize("ranks", [2, 4])
def test_steps_on_ranks_are_those_of_one_process(tmp_path, ranks):
    alone, shared = "fft3d.with_pyfftw", "fft3d.mpi_with_weft"
    run([sys.executable, str(PROGRAM), "--methods", alone], tmp_path)
    launcher = own_launcher()
    program = [sys.executable, "-m", "mpi4py", str(PROGRAM), "--methods", shared]
    run(launcher.command(ranks, program), tmp_path)
    expected, found = (np.load(tmp_path / f"{method}-{POINTS}.npy") for method in (alone, shared))
    allowed = rounding(np.abs(expected).max(), POINTS, STEPS + 1)
    np.testing.assert_allclose(found, expected, rtol=0, atol=allowed)
