"""The documented classes of mpi4py-fft (Dalcin, Mortensen and Keyes 2019), implemented with Weft.

A script uses Weft after changing the name that it imports, or unchanged through a launcher:

    from weft.compat.mpi4py_fft import PFFT, newDistArray, DistArray, fftw
    python -m weft.compat.mpi4py_fft PROGRAM ARGUMENTS...

Shapes, slices, types, the order of axes, the distribution of arrays, normalisation (forward divides) and padding are as
in mpi4py-fft 2. docs/migrate_mpi4py_fft.md lists the intended differences. Unsupported arguments raise the same
weft.Error on every rank. Importing the package starts MPI, as importing weft does.
"""

from weft.compat.mpi4py_fft import fftw
from weft.compat.mpi4py_fft.distarray import DistArray, Function, newDistArray
from weft.compat.mpi4py_fft.fftw import fftlib
from weft.compat.mpi4py_fft.io import HDF5File, NCFile, generate_xdmf
from weft.compat.mpi4py_fft.mpifft import PFFT

__version__ = "2.0.6"  # of the interface

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
