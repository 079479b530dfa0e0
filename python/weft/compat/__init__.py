"""Weft under the names of other libraries, so that scripts for them run after changing an import.

mpi4py_fft  the classes of mpi4py-fft: from weft.compat.mpi4py_fft import PFFT, newDistArray
pfft        those of pfft-python, for pmesh: python -m weft.compat.pfft PROGRAM
"""
