"""FFTW's numbers under the names of mpi4py-fft, and arrays that begin on cache lines."""

import math
from typing import Any

import numpy as np

from weft._arguments import whole
from weft._arrays import empty
from weft.errors import Error

__all__ = [
    "C2C_BACKWARD",
    "C2C_FORWARD",
    "C2R",
    "FFTW_BACKWARD",
    "FFTW_CONSERVE_MEMORY",
    "FFTW_DESTROY_INPUT",
    "FFTW_DHT",
    "FFTW_ESTIMATE",
    "FFTW_EXHAUSTIVE",
    "FFTW_FORWARD",
    "FFTW_HC2R",
    "FFTW_MEASURE",
    "FFTW_PATIENT",
    "FFTW_PRESERVE_INPUT",
    "FFTW_R2HC",
    "FFTW_REDFT00",
    "FFTW_REDFT01",
    "FFTW_REDFT10",
    "FFTW_REDFT11",
    "FFTW_RODFT00",
    "FFTW_RODFT01",
    "FFTW_RODFT10",
    "FFTW_RODFT11",
    "FFTW_UNALIGNED",
    "FFTW_WISDOM_ONLY",
    "R2C",
    "aligned",
    "aligned_like",
    "get_alignment",
]

_LINE = 64  # bytes of a cache line, where empty() begins
_DOUBLE = np.dtype("d")

# FFTW's numbers, as in mpi4py-fft.
FFTW_FORWARD, FFTW_R2HC, FFTW_BACKWARD, FFTW_HC2R, FFTW_DHT = -1, 0, 1, 1, 2
FFTW_REDFT00, FFTW_REDFT01, FFTW_REDFT10, FFTW_REDFT11 = 3, 4, 5, 6
FFTW_RODFT00, FFTW_RODFT01, FFTW_RODFT10, FFTW_RODFT11 = 7, 8, 9, 10
C2C_FORWARD, C2C_BACKWARD, R2C, C2R = -1, 1, -2, 2
FFTW_MEASURE, FFTW_DESTROY_INPUT, FFTW_UNALIGNED, FFTW_CONSERVE_MEMORY = 0, 1, 2, 4
FFTW_EXHAUSTIVE, FFTW_PRESERVE_INPUT, FFTW_PATIENT, FFTW_ESTIMATE, FFTW_WISDOM_ONLY = 8, 16, 32, 64, 2097152


def aligned(shape: Any, n: int = 32, dtype: Any = _DOUBLE, fill: float | None = None) -> np.ndarray:
    """A new array, filled with a number or uninitialised. Its address is a multiple of n, and of a cache line."""
    each = whole(n, "n")
    if each < 1:
        raise Error(f"n: no address is a multiple of {n}; give 1 or more bytes, such as 32")
    sizes, found = ((shape,) if np.ndim(shape) == 0 else tuple(shape)), np.dtype(dtype)
    if _LINE % each == 0:
        array = empty(sizes, found)
    else:
        step = math.lcm(each, _LINE)
        bytes_of_array = math.prod(sizes) * found.itemsize
        memory = empty((bytes_of_array + step,), np.uint8)
        first = -memory.ctypes.data % step
        array = memory[first : first + bytes_of_array].view(found).reshape(sizes)
    if fill is not None:
        array[...] = fill
    return array


def aligned_like(z: np.ndarray, fill: float | None = None) -> np.ndarray:
    """A new array that begins on a cache line, of the shape and type of z."""
    return aligned(z.shape, dtype=z.dtype, fill=fill)


def get_alignment(array: np.ndarray) -> int:
    """The largest power of two, up to 32, that divides the address of an array."""
    address = array.ctypes.data
    return min(address & -address, 32) if address else 32
