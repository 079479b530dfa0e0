"""weft.compat.mpi4py_fft: programs that run unchanged, and classes of other libraries that derive from PFFT."""

import subprocess
import sys

import h5py
import numpy as np
import pytest
import reference
import weft
from mpi4py import MPI
from on_ranks import on_ranks
from weft.compat.mpi4py_fft import PFFT
from weft.compat.mpi4py_fft.libfft import FFT
from weft.compat.mpi4py_fft.mpifft import Transform
from weft.compat.mpi4py_fft.pencil import Pencil, Subcomm
from weft.launch import own_launcher

PROGRAM = """
import sys
from mpi4py import MPI
import mpi4py_fft
from mpi4py_fft import PFFT, newDistArray
from mpi4py_fft.pencil import Subcomm
import mpi4py_fft.fftw.utilities
import mpi4py_fft.io.nc_file
from mpi4py_fft.io.generate_xdmf import generate_xdmf
from mpi4py_fft.fftw.fftw_xfftn import FFT

assert mpi4py_fft.io.NCFile is mpi4py_fft.io.nc_file.NCFile and mpi4py_fft.generate_xdmf is generate_xdmf
fft = PFFT(MPI.COMM_WORLD, (8, 6, 4))
u = newDistArray(fft, False)
u[:] = 1
modes = fft.forward(u)
shares = MPI.COMM_WORLD.gather(float(abs(modes).sum()))
if shares:
    print(mpi4py_fft.__name__, mpi4py_fft.PFFT is PFFT, sum(shares), sys.argv[1:], __name__)
"""


@pytest.mark.parametrize(("ranks", "how"), [(2, ["program.py"]), (1, ["-m", "program"])])
def test_programs_run_unchanged(tmp_path, ranks, how):
    (tmp_path / "program.py").write_text(PROGRAM)
    launcher = own_launcher()
    command = launcher.command(ranks, [sys.executable, "-m", "weft.compat.mpi4py_fft", *how, "-x", "7"])
    done = subprocess.run(command, env=launcher.environ(), cwd=tmp_path, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip() == "weft.compat.mpi4py_fft True 1.0 ['-x', '7'] __main__"


def test_a_program_has_to_be_named():
    command = [sys.executable, "-m", "weft.compat.mpi4py_fft"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120)
    assert done.returncode == 1 and "usage: python -m weft.compat.mpi4py_fft PROGRAM" in done.stderr


class Composed(PFFT):
    """A space of shenfun's kind: it makes the parts itself, and PFFT answers for them."""

    def __init__(self, comm, shape):
        self.subcomm = Subcomm(comm, [0, 1])
        points = Pencil(self.subcomm, shape, 1)
        last = FFT(points.subshape, (1,), dtype=float)
        halved = Pencil(self.subcomm, (shape[0], shape[1] // 2 + 1), 1)
        turned = halved.pencil(0)
        first = FFT(turned.subshape, (0,), dtype=complex)
        move = halved.transfer(turned, complex)
        self.pencil = turned, points  # not in the order of PFFT
        self.forward = Transform([last.forward, first.forward], [move.forward], [points, turned])
        self.backward = Transform([first.backward, last.backward], [move.backward], [turned, points])


def test_spaces_of_their_own():
    comm, shape = MPI.COMM_WORLD, (6, 8)
    space = Composed(comm, shape)
    u = reference.numbers(shape, np.dtype(float))[space.local_slice(False)]
    modes = space.forward(u).copy()
    np.testing.assert_allclose(modes, np.fft.rfftn(u) / 48, atol=1e-15)
    again = np.zeros_like(u)
    assert space.backward(modes, again, normalize=False) is again
    np.testing.assert_allclose(again, u, atol=1e-14)
    assert (space.dimensions, space.dtype(), space.dtype(True)) == (2, np.dtype(float), np.dtype(complex))
    assert (space.shape(False), space.shape(True), space.global_shape(True)) == ((6, 8), (6, 5), (6, 5))
    space.destroy()


def test_parts_that_do_not_fit():
    with pytest.raises(weft.Error, match="1 transforms, 1 transfers and 2 pencils"):
        Transform([None], [None], [None, None])


def test_a_plan_frees_the_subcomm_that_it_was_given():
    # As that of mpi4py-fft: its own tests make thousands of plans so, and an MPI has 2048 communicators.
    subcomm = Subcomm(MPI.COMM_SELF, [0, 1])
    fft = PFFT(subcomm, (4, 6))
    u = np.ones((4, 6))
    assert fft.forward(u)[0, 0] == 1
    fft.destroy()
    assert [comm == MPI.COMM_NULL for comm in subcomm] == [True, True]


ATTRIBUTES = """\
    from pathlib import Path

    import numpy as np
    from mpi4py import MPI
    from weft.compat.mpi4py_fft import HDF5File, PFFT, newDistArray

    fft = PFFT(MPI.COMM_WORLD, (6, 4))
    u = newDistArray(fft, False)
    u[:] = 3
    file = HDF5File(Path(__file__).with_name("run.h5"), mode="w")
    file.write(0, {"u": [u]})
    for step in (1, 2):
        file.open()
        file.f.attrs.create("t", 0.5, dtype="float32")
        file.f.attrs["step"] = step
        assert file.f.attrs["step"] == step and "t" in file.f.attrs and len(file.f.attrs) == 2
        assert np.all(file.f["u/2D/0"][...] == 3)
        file.close()
    file.open("r")
    assert dict(file.f.attrs) == {"t": 0.5, "step": 2}
    file.close()
"""


@pytest.mark.parametrize("ranks", [1, 3])
def test_attributes_of_a_file_are_set_by_all_ranks(ranks, tmp_path):
    on_ranks(ranks, ATTRIBUTES, tmp_path)
    with h5py.File(tmp_path / "run.h5") as file:
        assert {name: (value, np.asarray(value).dtype) for name, value in file.attrs.items()} == {
            "t": (0.5, np.float32),
            "step": (2, np.int64),
        }
