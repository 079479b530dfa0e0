"""Files of mpi4py-fft: snapshots of DistArrays in HDF5 and NetCDF files, and XDMF files for HDF5 files."""

from weft.compat.mpi4py_fft.io.file_base import FileBase
from weft.compat.mpi4py_fft.io.generate_xdmf import generate_xdmf
from weft.compat.mpi4py_fft.io.h5py_file import HDF5File
from weft.compat.mpi4py_fft.io.nc_file import NCFile

__all__ = ["FileBase", "HDF5File", "NCFile", "generate_xdmf"]
