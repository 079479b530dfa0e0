"""Transforms of arrays on one rank under the names of mpi4py-fft's module fftw: planners that give callable plans.

Every planner takes an array, which is the plan's own from then on, and returns an FFT: fft(u, u_hat) transforms along
`axes`, unscaled unless normalize=True. They also say in PFFT(transforms=...) what is done along which axes. Types of
cosine and sine transforms are those of FFTW: 1 to 4 are REDFT00, REDFT10, REDFT01, REDFT11, and RODFT alike.
"""

import functools
import inspect
import sys
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from mpi4py import MPI

from weft._arguments import whole_entries
from weft._arrays import empty
from weft.compat.mpi4py_fft._calls import call
from weft.compat.mpi4py_fft.pencil import axis_number
from weft.errors import Error
from weft.plan import Plan

# FFTW's numbers, as mpi4py-fft has them.
FFTW_FORWARD, FFTW_R2HC, FFTW_BACKWARD, FFTW_HC2R, FFTW_DHT = -1, 0, 1, 1, 2
FFTW_REDFT00, FFTW_REDFT01, FFTW_REDFT10, FFTW_REDFT11 = 3, 4, 5, 6
FFTW_RODFT00, FFTW_RODFT01, FFTW_RODFT10, FFTW_RODFT11 = 7, 8, 9, 10
C2C_FORWARD, C2C_BACKWARD, R2C, C2R = -1, 1, -2, 2
FFTW_MEASURE, FFTW_DESTROY_INPUT, FFTW_UNALIGNED, FFTW_CONSERVE_MEMORY = 0, 1, 2, 4
FFTW_EXHAUSTIVE, FFTW_PRESERVE_INPUT, FFTW_PATIENT, FFTW_ESTIMATE, FFTW_WISDOM_ONLY = 8, 16, 32, 64, 2097152

flag_dict = {name: value for name, value in list(globals().items()) if name.startswith("FFTW_")}
dct_type = {1: FFTW_REDFT00, 2: FFTW_REDFT10, 3: FFTW_REDFT01, 4: FFTW_REDFT11}
idct_type = {1: FFTW_REDFT00, 2: FFTW_REDFT01, 3: FFTW_REDFT10, 4: FFTW_REDFT11}
dst_type = {1: FFTW_RODFT00, 2: FFTW_RODFT10, 3: FFTW_RODFT01, 4: FFTW_RODFT11}
idst_type = {1: FFTW_RODFT00, 2: FFTW_RODFT01, 3: FFTW_RODFT10, 4: FFTW_RODFT11}

_FOURIER = {C2C_FORWARD: "c2c", C2C_BACKWARD: "c2c", R2C: "r2c", C2R: "r2c"}
_REAL = {number: f"dct{t}" for t, number in dct_type.items()} | {number: f"dst{t}" for t, number in dst_type.items()}
_INVERSE = {"dct2": "dct3", "dct3": "dct2", "dst2": "dst3", "dst3": "dst2"}
_LOGICAL = {"dct1": lambda n: 2 * (n - 1), "dst1": lambda n: 2 * (n + 1)}


def aligned(shape: Any, n: int = 32, dtype: Any = "d", fill: float | None = None) -> np.ndarray:
    """A new array that begins on a cache line (64 bytes), filled with a number or not at all."""
    array = empty((shape,) if np.ndim(shape) == 0 else tuple(shape), dtype)
    if fill is not None:
        array[...] = fill
    return array


def aligned_like(z: np.ndarray, fill: float | None = None) -> np.ndarray:
    """A new such array of the shape and type of z."""
    return aligned(z.shape, dtype=z.dtype, fill=fill)


def get_alignment(array: np.ndarray) -> int:
    """The largest power of two, up to 32, that the address of an array is a multiple of."""
    address = array.ctypes.data
    return min(address & -address, 32) if address else 32


def real_type(dtype: Any, name: str = "dtype") -> str:
    """ "float64" or "float32", the precision of a real or complex type."""
    found = np.dtype(dtype)
    if found.char not in "fdFD":
        text = "long double has no transforms here" if found.char in "gG" else f"{found} is not a type of floats"
        raise Error(f"{name}: {text}; give float64, float32, complex128 or complex64")
    return "float64" if found.char in "dD" else "float32"


def logical_size(kind: str, points: int) -> int:
    """What a transform and its inverse multiply by: n, or the period of the extended data of a real-to-real kind."""
    if kind[0] in "cr":
        return points
    return _LOGICAL.get(kind, lambda n: 2 * n)(points)


def get_normalization(kind: int | Sequence[int], shape: Sequence[int], axes: Sequence[int]) -> float:
    """One over what the transforms along `axes` and their inverses multiply by; shape is that of the points."""
    numbers = [kind] * len(axes) if isinstance(kind, int) else list(kind)
    sizes = [logical_size(_REAL.get(k, "c2c"), shape[axis]) for k, axis in zip(numbers, axes, strict=True)]
    return 1.0 / float(np.prod(sizes, dtype=float))


class FFT:
    """A planned transform of one array. Attributes input_array, output_array: its own arrays.

    kind  one of FFTW's numbers: C2C_FORWARD, C2C_BACKWARD, R2C (half along the last of `axes`), C2R, or one of the
          real-to-real ones per axis.
    flags  have no effect: inputs are preserved, planning measures nothing.
    normalization  what normalize=True multiplies by.
    """

    def __init__(
        self,
        input_array: np.ndarray,
        output_array: np.ndarray,
        axes: Any = (-1,),
        kind: int | Sequence[int] = FFTW_FORWARD,
        threads: int = 1,
        flags: Any = FFTW_MEASURE,
        normalization: float = 1.0,
    ) -> None:
        self.input_array, self.output_array = input_array, output_array
        self._factor = normalization
        numbers = [kind] if isinstance(kind, int) else list(kind)
        self._back = numbers[0] in (C2C_BACKWARD, C2R)
        points = (output_array if self._back else input_array).shape
        where = [axis_number(axis, len(points), "axes") for axis in whole_entries(axes, "axes", "(-1,)")]
        # What is planned by norm "forward" goes back unscaled, as by "backward" it goes forward.
        norm = "forward" if self._back else "backward"
        kinds = _axis_kinds(numbers, where, len(points))
        precision = real_type(input_array.dtype, "input_array")
        self._plan = Plan(points, kinds, comm=MPI.COMM_SELF, dtype=precision, threads=threads, norm=norm)

    def get_normalization(self) -> float:
        """What normalize=True multiplies by."""
        return self._factor

    def update_arrays(self, input_array: np.ndarray, output_array: np.ndarray) -> None:
        """Other arrays of the same shapes and types as the plan's own."""
        for name, new in (("input_array", input_array), ("output_array", output_array)):
            old = getattr(self, name)
            if (new.shape, new.dtype) != (old.shape, old.dtype):
                raise Error(f"{name}: {new.shape} of {new.dtype} is not the {old.shape} of {old.dtype} of this plan")
        self.input_array, self.output_array = input_array, output_array

    def print_plan(self) -> None:
        """Prints the steps."""
        print(self._plan.explain(), end="")

    def destroy(self) -> None:
        """Nothing: memory goes with the object."""

    def __call__(
        self,
        input_array: Any = None,
        output_array: np.ndarray | None = None,
        implicit: bool = True,
        normalize: bool = False,
        **_: Any,
    ) -> np.ndarray:
        """The transform of input_array in output_array; the plan's own where none are given. Inputs are preserved."""
        result = call(
            self._plan.backward if self._back else self._plan.forward,
            MPI.COMM_SELF,
            (input_array, lambda: self.input_array, self.input_array),
            (output_array, lambda: self.output_array, self.output_array),
        )
        if normalize:
            result *= self._factor
        return result


def _axis_kinds(numbers: Sequence[int], axes: Sequence[int], dims: int) -> list[str]:
    """The kinds of all axes of an array for FFTW's numbers along some."""
    kinds = ["none"] * dims
    if len(numbers) == 1 and numbers[0] in _FOURIER:
        for axis in axes:
            kinds[axis] = "c2c"
        kinds[axes[-1]] = _FOURIER[numbers[0]]
        return kinds
    many = list(numbers) * len(axes) if len(numbers) == 1 else list(numbers)
    if len(many) != len(axes) or any(number not in _REAL for number in many):
        text = f"kind: {list(numbers)} is not possible along {len(axes)} axes"
        raise Error(f"{text}; give C2C_FORWARD, C2C_BACKWARD, R2C or C2R, or a REDFT or RODFT kind per axis")
    for axis, number in zip(axes, many, strict=True):
        kinds[axis] = _REAL[number]
    return kinds


def get_planned_FFT(
    input_array: np.ndarray,
    output_array: np.ndarray,
    axes: Any = (-1,),
    kind: int | Sequence[int] = FFTW_FORWARD,
    threads: int = 1,
    flags: Any = (FFTW_MEASURE,),
    normalization: float = 1.0,
) -> FFT:
    """The plan of any transforms; see FFT."""
    return FFT(input_array, output_array, axes, kind, threads, flags, normalization)


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
        return FFT(input_array, output, axes, number, threads, flags, factor)

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
        return FFT(input_array, output, axes, kind, threads, flags, get_normalization(kind, input_array.shape, axes))

    return _named(planner, name, doc)


def _named(planner: Callable[..., FFT], name: str, doc: str) -> Callable[..., FFT]:
    planner.__name__ = planner.__qualname__ = name
    planner.__doc__ = f"{doc} along `axes` of input_array, which becomes the plan's own, as output_array does."
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
    a: next(b for b in _REAL if _REAL[b] == _INVERSE.get(kind, kind)) for a, kind in _REAL.items()
}

_NUMBER_OF: dict[Any, int] = {fftn: C2C_FORWARD, ifftn: C2C_BACKWARD, rfftn: R2C, irfftn: C2R, ihfftn: R2C, hfftn: C2R}
_NUMBER_OF |= {np.fft.fftn: C2C_FORWARD, np.fft.ifftn: C2C_BACKWARD, np.fft.rfftn: R2C, np.fft.irfftn: C2R}
_TYPES_OF = {dctn: dct_type, idctn: idct_type, dstn: dst_type, idstn: idst_type}


def _planner_number(planner: Any) -> int | None:
    """FFTW's number of what a planner plans, which may be a functools.partial; None where it is not known."""
    keywords: dict[str, Any] = {}
    while isinstance(planner, functools.partial):
        keywords, planner = {**planner.keywords, **keywords}, planner.func
    if planner in _TYPES_OF:
        default = inspect.signature(planner).parameters["type"].default
        return _of_type(_TYPES_OF[planner], keywords.get("type", default), planner.__name__)
    return _NUMBER_OF.get(planner)


def kind_of_pair(pair: Any) -> str:
    """The kind of plan that (forward, backward) planners of PFFT's transforms ask for."""
    numbers = [_planner_number(planner) for planner in pair] if isinstance(pair, tuple | list) else []
    if numbers in ([C2C_FORWARD, C2C_BACKWARD], [R2C, C2R]):
        return _FOURIER[C2C_FORWARD if numbers[0] == C2C_FORWARD else R2C]
    if len(numbers) == 2 and numbers[0] in _REAL and inverse[numbers[0]] == numbers[1]:
        return _REAL[numbers[0]]
    text = f"transforms: {pair!r} is not a planner and that of its inverse"
    raise Error(f"{text}; give pairs from weft.compat.mpi4py_fft.fftw, such as (dctn, idctn), of the same type")


def get_fftw_lib(dtype: Any) -> Any:
    """This module where it transforms arrays of that precision, else None (long double)."""
    return fftlib.get(np.dtype(dtype).char.upper())


fftlib = {char: sys.modules[__name__] for char in "FD"}


def _no_wisdom(filename: str) -> None:
    """Raises Error: plans measure nothing that wisdom could keep; weft.tune(save=...) writes what a search found."""
    text = f"wisdom: {filename!r} is not read or written; plans take what is estimated to be fastest"
    raise Error(f"{text}, and what weft.tune(save=...) found is used by WEFT_TUNING=FILE")


export_wisdom = import_wisdom = _no_wisdom


def set_timelimit(limit: float) -> None:
    """Nothing: planning takes no time that could be limited."""


def forget_wisdom() -> None:
    """Nothing: there is no wisdom."""


def cleanup() -> None:
    """Nothing: memory goes with the plans."""
