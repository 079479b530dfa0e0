"""FFTW's numbers under the names of mpi4py-fft, and arrays that begin on cache lines."""

from typing import Any

import numpy as np

from weft._arrays import empty

# FFTW's numbers, as in mpi4py-fft.
FFTW_FORWARD, FFTW_R2HC, FFTW_BACKWARD, FFTW_HC2R, FFTW_DHT = -1, 0, 1, 1, 2
FFTW_REDFT00, FFTW_REDFT01, FFTW_REDFT10, FFTW_REDFT11 = 3, 4, 5, 6
FFTW_RODFT00, FFTW_RODFT01, FFTW_RODFT10, FFTW_RODFT11 = 7, 8, 9, 10
C2C_FORWARD, C2C_BACKWARD, R2C, C2R = -1, 1, -2, 2
FFTW_MEASURE, FFTW_DESTROY_INPUT, FFTW_UNALIGNED, FFTW_CONSERVE_MEMORY = 0, 1, 2, 4
FFTW_EXHAUSTIVE, FFTW_PRESERVE_INPUT, FFTW_PATIENT, FFTW_ESTIMATE, FFTW_WISDOM_ONLY = 8, 16, 32, 64, 2097152


def aligned(shape: Any, n: int = 32, dtype: Any = "d", fill: float | None = None) -> np.ndarray:
    """A new array that begins on a cache line (64 bytes), filled with a number or uninitialised."""
    array = empty((shape,) if np.ndim(shape) == 0 else tuple(shape), dtype)
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
