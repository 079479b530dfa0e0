"""The tests of this folder on 2 and 4 ranks."""

import subprocess
import sys
from pathlib import Path

import pytest
from fluiddyn.util import mpi
from weft.launch import own_launcher

FOLDER = Path(__file__).parent
FILES = ["test_conventions.py", "test_fluidfft_2d.py", "test_fluidfft_3d.py"]

pytestmark = pytest.mark.skipif(mpi.nb_proc > 1, reason="these tests start ranks themselves")


@pytest.mark.parametrize("ranks", [2, 4])
@pytest.mark.parametrize("file", FILES)
def test_on_ranks(file, ranks):
    launcher = own_launcher()
    # mpi4py ends all ranks when one has failed.
    pytest_here = [sys.executable, "-m", "mpi4py", "-m", "pytest", "-q", "-x", "-p", "no:cacheprovider"]
    command = launcher.command(ranks, [*pytest_here, str(FOLDER / file)])
    done = subprocess.run(command, env=launcher.environ(), capture_output=True, text=True, timeout=300, cwd=FOLDER)
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.count(" passed") == ranks, done.stdout
