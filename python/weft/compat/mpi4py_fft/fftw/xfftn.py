"""Planners of transforms of one array: fftn, rfftn, dctn, dstn, hfftn and their inverses.

A planner takes an array, which then belongs to the plan, and returns an FFT: fft(u, u_hat) transforms along `axes`,
unscaled unless normalize=True. In PFFT(transforms=...) planners choose the transforms of axes. Types of cosine and sine
transforms are as in FFTW: 1 to 4 are REDFT00, REDFT10, REDFT01, REDFT11, and likewise for RODFT.
"""

import functools
import inspect
from collections.abc import Callable
from typing import Any

import numpy as np

from weft._kinds import KINDS
from weft.compat.mpi4py_fft.fftw import utilities
from weft.compat.mpi4py_fft.fftw.factory import FFT, get_planned_FFT
from weft.compat.mpi4py_fft.fftw.kinds import (
    FOURIER,
    REAL,
    dct_type,
    dst_type,
    get_normalization,
    idct_type,
    idst_type,
    real_type,
)
from weft.compat.mpi4py_fft.fftw.utilities import *  # noqa: F403
from weft.compat.mpi4py_fft.fftw.utilities import (
    C2C_BACKWARD,
    C2C_FORWARD,
    C2R,
    FFTW_MEASURE,
    R2C,
    aligned,
    aligned_like,
)
from weft.compat.mpi4py_fft.pencil import axis_number
from weft.errors import Error

flag_dict = {name: value for name, value in list(vars(utilities).items()) if name.startswith("FFTW_")}


def _check_input(array: Any, wanted: str, planner: str) -> None:
    if not isinstance(array, np.ndarray) or array.dtype.kind != wanted:
        what = array.dtype if isinstance(array, np.ndarray) else type(array).__name__
        kind = {"f": "real", "c": "complex"}[wanted]
        raise Error(f"input_array: {planner} plans transforms of {kind} arrays, not of {what}; give a {kind} one")
    real_type(array.dtype, "input_array")


def _fourier(name: str, number: int, doc: str) -> Callable[..., FFT]:
    """A planner of Fourier transforms."""

    def planner(
        input_array: np.ndarray,
        s: Any = None,
        axes: Any = (-1,),
        threads: int = 1,
        flags: Any = (FFTW_MEASURE,),
        output_array: np.ndarray | None = None,
    ) -> FFT:
        _check_input(input_array, "f" if number == R2C else "c", name)
        last = axis_number(axes[-1], input_array.ndim, "axes")
        shape, char = list(input_array.shape), str(input_array.dtype.char)
        if number == R2C:
            shape[last], char = shape[last] // 2 + 1, char.upper()
        elif number == C2R:
            char, shape[last] = char.lower(), 2 * shape[last] - 2
            for axis, size in zip(axes, s if s is not None else (), strict=s is not None):
                shape[axis] = int(size)
        output = aligned(shape, dtype=char) if output_array is None else output_array
        points = output.shape if number == C2R else input_array.shape
        factor = 1.0 / float(np.prod([points[axis] for axis in axes], dtype=float))
        return get_planned_FFT(input_array, output, axes, number, threads, flags, factor)

    return _named(planner, name, doc)


def _real(name: str, types: dict[int, int], doc: str) -> Callable[..., FFT]:
    """A planner of cosine or sine transforms."""

    def planner(
        input_array: np.ndarray,
        s: Any = None,
        axes: Any = (-1,),
        type: int = 2,
        threads: int = 1,
        flags: Any = (FFTW_MEASURE,),
        output_array: np.ndarray | None = None,
    ) -> FFT:
        _check_input(input_array, "f", name)
        output = aligned_like(input_array) if output_array is None else output_array
        kind = [_of_type(types, type, name)] * len(axes)
        return get_planned_FFT(
            input_array, output, axes, kind, threads, flags, get_normalization(kind, input_array.shape, axes)
        )

    return _named(planner, name, doc)


def _named(planner: Callable[..., FFT], name: str, doc: str) -> Callable[..., FFT]:
    planner.__name__ = planner.__qualname__ = name
    planner.__doc__ = f"{doc} along `axes` of input_array. input_array and output_array become the plan's own."
    return planner


def _of_type(types: dict[int, int], number: Any, name: str) -> int:
    if number not in types:
        raise Error(f"type: {name} has no type {number!r}; give 1, 2, 3 or 4")
    return types[number]


fftn = _fourier("fftn", C2C_FORWARD, "The plan of a complex Fourier transform")
ifftn = _fourier("ifftn", C2C_BACKWARD, "The plan of the unscaled inverse of fftn")
rfftn = _fourier("rfftn", R2C, "The plan of the transform of real data, half of the modes on the last axis,")
irfftn = _fourier("irfftn", C2R, "The plan of the unscaled inverse of rfftn; s: points along `axes` (even without it),")
ihfftn = _fourier("ihfftn", R2C, "The same as rfftn: the plan of a transform of real data")
hfftn = _fourier("hfftn", C2R, "The same as irfftn: the plan of a transform that gives real data")
dctn = _real("dctn", dct_type, "The plan of cosine transforms")
idctn = _real("idctn", idct_type, "The plan of the unscaled inverse of dctn of the same type")
dstn = _real("dstn", dst_type, "The plan of sine transforms")
idstn = _real("idstn", idst_type, "The plan of the unscaled inverse of dstn of the same type")

_PAIRS = [(fftn, ifftn), (rfftn, irfftn), (dctn, idctn), (dstn, idstn), (ihfftn, hfftn)]
inverse: dict[Any, Any] = {a: b for pair in _PAIRS for a, b in (pair, pair[::-1])} | {
    a: next(b for b in REAL if REAL[b] == KINDS[kind].inverse) for a, kind in REAL.items()
}

_NUMBER_OF: dict[Any, int] = {fftn: C2C_FORWARD, ifftn: C2C_BACKWARD, rfftn: R2C, irfftn: C2R, ihfftn: R2C, hfftn: C2R}
# Functions of numpy, scipy and others by their common names.
_NUMBER_OF_NAME = {"fftn": C2C_FORWARD, "ifftn": C2C_BACKWARD, "rfftn": R2C, "irfftn": C2R}
_LIBRARIES = ("numpy", "scipy", "pyfftw", "mkl_fft")
_TYPES_OF = {dctn: dct_type, idctn: idct_type, dstn: dst_type, idstn: idst_type}


def _planner_number(planner: Any) -> int | None:
    """FFTW's number for a planner, which may be a functools.partial; None if it is unknown."""
    keywords: dict[str, Any] = {}
    while isinstance(planner, functools.partial):
        keywords, planner = {**planner.keywords, **keywords}, planner.func
    if planner in _TYPES_OF:
        default = inspect.signature(planner).parameters["type"].default
        return _of_type(_TYPES_OF[planner], keywords.get("type", default), planner.__name__)
    if planner in _NUMBER_OF:
        return _NUMBER_OF[planner]
    library = (getattr(planner, "__module__", None) or "").split(".")[0]
    return _NUMBER_OF_NAME.get(getattr(planner, "__name__", "")) if library in _LIBRARIES else None


def kind_of_pair(pair: Any) -> str:
    """The kind of weft.Plan for a pair of planners (forward, backward) in PFFT's transforms."""
    numbers = [_planner_number(planner) for planner in pair] if isinstance(pair, tuple | list) else []
    if numbers in ([C2C_FORWARD, C2C_BACKWARD], [R2C, C2R]):
        return FOURIER[C2C_FORWARD if numbers[0] == C2C_FORWARD else R2C]
    if len(numbers) == 2 and numbers[0] in REAL and inverse[numbers[0]] == numbers[1]:
        return REAL[numbers[0]]
    text = f"transforms: {pair!r} is not a planner and that of its inverse"
    raise Error(f"{text}; give pairs from weft.compat.mpi4py_fft.fftw, such as (dctn, idctn), of the same type")
