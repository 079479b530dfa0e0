"""Converts FFTW's numbers of transforms to kinds of weft.Plan and their normalisation."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from weft._kinds import KINDS
from weft.compat.mpi4py_fft.fftw.utilities import (
    C2C_BACKWARD,
    C2C_FORWARD,
    C2R,
    FFTW_REDFT00,
    FFTW_REDFT01,
    FFTW_REDFT10,
    FFTW_REDFT11,
    FFTW_RODFT00,
    FFTW_RODFT01,
    FFTW_RODFT10,
    FFTW_RODFT11,
    R2C,
)
from weft.errors import Error

dct_type = {1: FFTW_REDFT00, 2: FFTW_REDFT10, 3: FFTW_REDFT01, 4: FFTW_REDFT11}
idct_type = {1: FFTW_REDFT00, 2: FFTW_REDFT01, 3: FFTW_REDFT10, 4: FFTW_REDFT11}
dst_type = {1: FFTW_RODFT00, 2: FFTW_RODFT10, 3: FFTW_RODFT01, 4: FFTW_RODFT11}
idst_type = {1: FFTW_RODFT00, 2: FFTW_RODFT01, 3: FFTW_RODFT10, 4: FFTW_RODFT11}

FOURIER = {C2C_FORWARD: "c2c", C2C_BACKWARD: "c2c", R2C: "r2c", C2R: "r2c"}
REAL = {kind.fftw: name for name, kind in KINDS.items() if kind.fftw >= 0}


def real_type(dtype: Any, name: str = "dtype") -> str:
    """The precision of a real or complex type, "float64" or "float32"."""
    found = np.dtype(dtype)
    if found.char not in "fdFD":
        text = "long double is not supported" if found.char in "gG" else f"{found} is not a type of floats"
        raise Error(f"{name}: {text}; give float64, float32, complex128 or complex64")
    return "float64" if found.char in "dD" else "float32"


def logical_size(kind: str, points: int) -> int:
    """The factor of a transform and its inverse: n, or the period of the extended data of a real-to-real kind."""
    return KINDS[kind].period(points)


def get_normalization(kind: int | Sequence[int], shape: Sequence[int], axes: Sequence[int]) -> float:
    """The reciprocal of the factor of the transforms along `axes` and their inverses. shape is that of the points."""
    numbers = [int(kind)] * len(axes) if isinstance(kind, int | np.integer) else list(kind)
    sizes = [logical_size(REAL.get(k, "c2c"), shape[axis]) for k, axis in zip(numbers, axes, strict=True)]
    return 1.0 / float(np.prod(sizes, dtype=float))


def axis_kinds(numbers: Sequence[int], axes: Sequence[int], dims: int) -> list[str]:
    """The kinds of all axes of an array, from FFTW's numbers for some of them."""
    kinds = ["none"] * dims
    if len(numbers) == 1 and numbers[0] in FOURIER:
        for axis in axes:
            kinds[axis] = "c2c"
        kinds[axes[-1]] = FOURIER[numbers[0]]
        return kinds
    many = list(numbers) * len(axes) if len(numbers) == 1 else list(numbers)
    if len(many) != len(axes) or any(number not in REAL for number in many):
        text = f"kind: {list(numbers)} is not possible along {len(axes)} axes"
        raise Error(f"{text}; give C2C_FORWARD, C2C_BACKWARD, R2C or C2R, or a REDFT or RODFT kind per axis")
    for axis, number in zip(axes, many, strict=True):
        kinds[axis] = REAL[number]
    return kinds
