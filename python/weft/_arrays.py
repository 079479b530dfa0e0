"""New local arrays in memory to which the passes write fastest."""

import math
from typing import Any

import numpy as np

from weft import _core


def empty(shape: tuple[int, ...], dtype: Any) -> np.ndarray:
    """numpy.empty, aligned to cache lines. Large arrays are in huge pages."""
    dtype = np.dtype(dtype)
    return _core.aligned_bytes(math.prod(shape) * dtype.itemsize).view(dtype).reshape(shape)


def zeros(shape: tuple[int, ...], dtype: Any) -> np.ndarray:
    """numpy.zeros, aligned as empty()."""
    array = empty(shape, dtype)
    array.fill(0)
    return array


def padded_zeros(shape: tuple[int, ...], dtype: Any) -> np.ndarray:
    """numpy.zeros whose rows and planes begin on cache lines if it is large: a strided array in C order."""
    dtype = np.dtype(dtype)
    real_bytes = dtype.itemsize // (2 if dtype.kind == "c" else 1)
    strides = tuple(_core.padded_byte_strides(shape, dtype.kind == "c", real_bytes == 8))
    memory = zeros((shape[0] * strides[0],) if all(shape) else (0,), np.uint8)
    return np.ndarray(shape, dtype, memory, strides=strides)
