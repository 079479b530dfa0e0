"""New local arrays in memory that the passes store to fastest."""

import math
from typing import Any

import numpy as np

from weft import _core


def empty(shape: tuple[int, ...], dtype: Any) -> np.ndarray:
    """numpy.empty, aligned to cache lines and in huge pages where the array is large."""
    dtype = np.dtype(dtype)
    return _core.aligned_bytes(math.prod(shape) * dtype.itemsize).view(dtype).reshape(shape)


def zeros(shape: tuple[int, ...], dtype: Any) -> np.ndarray:
    """numpy.zeros in such memory."""
    array = empty(shape, dtype)
    array.fill(0)
    return array
