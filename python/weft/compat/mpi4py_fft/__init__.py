"""The documented classes of mpi4py-fft (Dalcin, Mortensen and Keyes 2019) over Weft.

A script runs through Weft by changing the name that it imports:

    from weft.compat.mpi4py_fft import PFFT, newDistArray, DistArray, fftw

Shapes, slices, types, the order of axes, how arrays are cut, normalisation (forward divides) and padding are those of
mpi4py-fft 2; what differs on purpose is listed in docs/migrate_mpi4py_fft.md. What is not supported raises weft.Error,
the same on every rank. Importing starts MPI, as importing weft does.
"""

from weft.compat.mpi4py_fft import fftw
from weft.compat.mpi4py_fft.distarray import DistArray, Function, newDistArray
from weft.compat.mpi4py_fft.fftw import fftlib
from weft.compat.mpi4py_fft.io import HDF5File, NCFile, generate_xdmf
from weft.compat.mpi4py_fft.mpifft import PFFT

__all__ = [
    "PFFT",
    "DistArray",
    "Function",
    "HDF5File",
    "NCFile",
    "fftlib",
    "fftw",
    "generate_xdmf",
    "newDistArray",
]
