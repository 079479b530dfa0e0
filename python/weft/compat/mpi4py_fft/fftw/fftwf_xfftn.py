"""The compiled module of mpi4py-fft for single precision: its planned transforms, wisdom and time limit."""

from weft.compat.mpi4py_fft.fftw._planned import FFT as FFT
from weft.compat.mpi4py_fft.fftw._planned import alignment_of as alignment_of
from weft.compat.mpi4py_fft.fftw._precision import PRECISIONS
from weft.compat.mpi4py_fft.fftw.utilities import *  # noqa: F403

export_wisdom, import_wisdom, forget_wisdom, set_timelimit, cleanup = PRECISIONS["float32"].functions()
