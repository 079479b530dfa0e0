"""Checks the arguments of PFFT and converts them to those of weft.Plan, by arithmetic that is equal on all ranks."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from mpi4py import MPI

from weft._arguments import real, thread_count, whole, whole_entries
from weft.compat.mpi4py_fft.fftw.kinds import logical_size, real_type
from weft.compat.mpi4py_fft.fftw.xfftn import kind_of_pair
from weft.compat.mpi4py_fft.pencil import axis_number, rank_grid
from weft.errors import Error

_BACKENDS = ("fftw", "pyfftw", "numpy", "scipy", "mkl_fft")
_EFFORTS = {"FFTW_ESTIMATE": "estimate", "FFTW_MEASURE": "estimate", "FFTW_PATIENT": "measure"}
_EFFORTS["FFTW_EXHAUSTIVE"] = "measure"

Groups = list[list[int]]


@dataclass(frozen=True)
class Request:
    """The problem of a PFFT.

    points  points per axis, padding included; modes: modes that are kept per axis, 0 for all
    groups  axes that are transformed together, the last group first
    kinds   kinds of weft.Plan, per axis
    sizes   ranks per axis of the input
    """

    points: tuple[int, ...]
    modes: tuple[int, ...]
    groups: tuple[tuple[int, ...], ...]
    kinds: tuple[str, ...]
    sizes: tuple[int, ...]
    dtype: np.dtype
    threads: int | None
    effort: str

    @property
    def precision(self) -> str:
        """The real precision, as for weft.Plan."""
        return real_type(self.dtype)

    @property
    def spectral_dtype(self) -> np.dtype:
        """The type of the modes."""
        is_complex = self.dtype.kind == "c" or "r2c" in self.kinds
        return np.dtype(self.dtype.char.upper()) if is_complex else self.dtype

    @property
    def normalization(self) -> float:
        """The reciprocal of the factor by which an unscaled forward and backward multiply."""
        kinds = zip(self.kinds, self.points, strict=True)
        return 1.0 / float(np.prod([logical_size(kind, n) for kind, n in kinds if kind != "none"], dtype=float))

    def as_complex(self) -> "Request":
        """The request with complex data."""
        return replace(self, dtype=np.dtype(self.dtype.char.upper()))

    def stored(self, axis: int) -> int:
        """The number of modes along a transformed axis."""
        kept = self.modes[axis] or self.points[axis]
        return kept // 2 + 1 if self.kinds[axis] == "r2c" else kept


def request(ranks: int, cut: Sequence[int] | None, given: dict[str, Any]) -> Request:
    """The request for the arguments of PFFT. cut is the grid of a Subcomm or DistArray, if one is given."""
    shape = whole_entries(given["shape"], "shape", "(64, 64, 64)")
    if len(shape) < 2 or min(shape) < 1:
        raise Error(f"shape: {tuple(shape)} is not possible; give 2 to 6 axes of 1 point or more (or use weft.Plan)")
    groups = _groups(given["axes"], len(shape))
    dtype = np.dtype(given["dtype"])
    real_type(dtype)
    sizes = _sizes(ranks, cut, groups[-1], len(shape), given)
    if given["collapse"]:
        groups = _collapsed(groups, sizes)
    transforms = {} if given["transforms"] is None else given["transforms"]
    points, modes = _padded(shape, groups, given["padding"])
    if given["backend"] == "scipy" and dtype.kind == "f":
        text = "backend: 'scipy' gives all modes of real data"
        raise Error(f"{text}, the half that follows from the other included; give 'fftw', or complex data")
    options = _options(given["backend"], given["options"])
    kinds = _kinds(groups, len(shape), dtype.kind == "f", transforms)
    frozen = tuple(tuple(group) for group in groups)
    return Request(points, modes, frozen, kinds, tuple(sizes), dtype, **options)


def serial_axes(shape: Any, axes: Any) -> tuple[list[int], list[int]]:
    """The shape of an array of one rank, and the axes that are transformed together; a number is one axis."""
    sizes = whole_entries(shape if np.ndim(shape) else [shape], "shape", "(64, 64)")
    if not sizes or min(sizes) < 1:
        raise Error(f"shape: {tuple(sizes)} is not possible; give 1 to 6 axes of 1 point or more")
    dims = len(sizes)
    (group,) = _groups([range(dims)] if axes is None else [axes if np.ndim(axes) else [axes]], dims)
    return sizes, group


def factor_along(padding: Any, axis: int) -> float:
    """The ratio of points to modes along an axis, from the argument padding of libfft.FFT."""
    if padding is False or padding is None:
        return 1.0
    return real(padding if np.ndim(padding) == 0 else padding[axis], "padding")


def serial_request(given: dict[str, Any]) -> Request:
    """The request for the arguments of libfft.FFT, which transforms an array of one rank. With padding its shape is
    that of the points, unlike for PFFT, and the number of modes follows."""
    shape, group = serial_axes(given["shape"], given["axes"])
    dims = len(shape)
    dtype = np.dtype(given["dtype"])
    real_type(dtype)
    modes = [0] * dims
    factor = factor_along(given["padding"], group[-1])
    if not 1 <= factor < float("inf"):
        raise Error(f"padding: {factor} is not allowed; give a factor from 1, such as 1.5")
    if factor > 1 + 1e-8:
        if len(group) > 1:
            raise Error(f"padding: {len(group)} axes are transformed together; give the axis to pad alone as axes")
        modes[group[0]] = max(1, round(shape[group[0]] / factor))
    transforms = {} if given["transforms"] is None else given["transforms"]
    kinds = _kinds([group], dims, dtype.kind == "f" and given["backend"] != "scipy", transforms)
    options = _options(given["backend"], {"threads": 1} | given["options"])
    return Request(tuple(shape), tuple(modes), (tuple(group),), kinds, (1,) * dims, dtype, **options)


def part_request(asked: Request, group: Sequence[int], points: Sequence[int], is_real: bool) -> Request:
    """The request of a transform of this rank's part along the axes of one group."""
    kinds = tuple(kind if axis in group else "none" for axis, kind in enumerate(asked.kinds))
    modes = tuple(n if axis in group else 0 for axis, n in enumerate(asked.modes))
    char = asked.dtype.char.lower() if is_real else asked.dtype.char.upper()
    sizes = (1,) * len(kinds)
    return Request(tuple(points), modes, (tuple(group),), kinds, sizes, np.dtype(char), asked.threads, asked.effort)


def _groups(axes: Any, dims: int) -> Groups:
    """The axes as lists of axes that are transformed together. Each axis occurs once."""
    if axes is None:
        return [[axis] for axis in range(dims)]
    listed = [axes] if isinstance(axes, int | np.integer) else list(axes)
    groups = [
        [axis_number(axis, dims, "axes") for axis in ([entry] if isinstance(entry, int | np.integer) else entry)]
        for entry in listed
    ]
    flat = [axis for group in groups for axis in group]
    if not groups or not all(groups) or len(set(flat)) != len(flat):
        raise Error(f"axes: {axes!r} is not possible; name each axis that is transformed once")
    return groups


def _sizes(ranks: int, cut: Sequence[int] | None, last: list[int], dims: int, given: dict[str, Any]) -> list[int]:
    """Ranks per axis of the input, 1 along the axes that are transformed first."""
    grid, slab = given["grid"], given["options"].pop("slab", None)
    slab = None if slab is False else slab
    if sum(choice is not None for choice in (grid, cut, slab)) > 1:
        raise Error("grid: the grid is given twice; give one of grid, slab, a Subcomm as comm, or darray")
    sizes = rank_grid(ranks, _free(grid, slab, last, dims)) if cut is None else list(cut)
    _check_sizes(sizes, last, dims)
    return sizes


def _free(grid: Any, slab: Any, last: list[int], dims: int) -> list[int]:
    """Ranks per axis from the arguments grid and slab; 0 where MPI may choose."""
    if slab is not None:
        cut = (last[-1] + 1) % dims if slab is True else axis_number(slab, dims, "slab")
        return [0 if axis == cut else 1 for axis in range(dims)]
    if grid is None:
        return [1 if axis in last else 0 for axis in range(dims)]
    entries = whole_entries(grid, "grid", "(-1,)", bits=32)
    return entries + [1] * (dims - len(entries))


def _check_sizes(sizes: list[int], last: list[int], dims: int) -> None:
    """Raises Error unless there is a size per axis, which is 1 along the axes that are transformed first."""
    if len(sizes) != dims:
        why = f"there are {dims} axes"
    elif wrong := [axis for axis in last if sizes[axis] != 1]:
        why = f"axis {wrong[0]}, which is transformed first, is cut"
    else:
        return
    text = f"grid: {tuple(sizes)} cannot be used, for {why}"
    raise Error(f"{text}; give 1 for the axes that are transformed first, those of the last entry of axes")


def _collapsed(groups: Groups, sizes: Sequence[int]) -> Groups:
    """Joins groups whose axes are not cut at first with the last group."""
    joined: Groups = [[]]
    for group in reversed(groups):
        if all(sizes[axis] == 1 for axis in group):
            joined[-1] = [*group, *joined[-1]]
        else:
            joined.insert(0, group)
    return joined


def _padded(shape: list[int], groups: Groups, padding: Any) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Points and kept modes per axis for the padding factors, which are ratios of points to modes.

    The number of points is rounded down, as in mpi4py-fft.
    """
    if padding is False or padding is None:
        return tuple(shape), (0,) * len(shape)
    factors = [padding] * len(shape) if np.ndim(padding) == 0 else list(padding)
    if len(factors) != len(shape):
        raise Error(f"padding: {len(factors)} factors are given for {len(shape)} axes; give one per axis, or a number")
    transformed = {axis for group in groups for axis in group}
    points, modes = list(shape), [0] * len(shape)
    for axis, entry in enumerate(factors):
        factor = real(entry, f"padding[{axis}]")
        if not 1 <= factor < float("inf"):
            raise Error(f"padding[{axis}]: {factor} is not allowed; give a factor from 1, such as 1.5")
        if axis in transformed and factor > 1 + 1e-6:
            points[axis], modes[axis] = int(np.floor(shape[axis] * factor)), shape[axis]
    return tuple(points), tuple(modes)


def _kinds(groups: Groups, dims: int, is_real: bool, transforms: dict[Any, Any]) -> tuple[str, ...]:
    """The kind along every axis: the one that `transforms` gives for its group, else a Fourier transform."""
    kinds = ["none"] * dims
    named = {tuple(axis_number(a, dims, "transforms") for a in _tuple(key)): pair for key, pair in transforms.items()}
    for group in reversed(groups):
        pair = named.get(tuple(group))
        kind = kind_of_pair(pair) if pair is not None else "r2c" if is_real else "c2c"
        if kind in ("r2c", "c2c") and (kind == "r2c") != is_real:
            are = "real" if is_real else "complex"
            raise Error(f"transforms: {tuple(group)} has a transform of kind {kind}, but data are {are} by then")
        for axis in group:
            kinds[axis] = "c2c" if kind == "r2c" else kind
        kinds[group[-1]] = kind
        is_real = is_real and kind != "r2c"
    return tuple(kinds)


def _tuple(key: Any) -> tuple[Any, ...]:
    return (key,) if isinstance(key, int | np.integer) else tuple(key)


def _options(backend: Any, options: dict[str, Any]) -> dict[str, Any]:
    """Checks the options. backend has no effect; threads and planner_effort do."""
    if backend not in _BACKENDS:
        raise Error(f"backend: {backend!r} is unknown; known are {', '.join(_BACKENDS)}, and Weft does the work")
    unknown = sorted(set(options) - {"threads", "planner_effort", "overwrite_input"})
    if unknown:
        raise Error(f"{unknown[0]}: there is no such option; allowed are threads, planner_effort and overwrite_input")
    effort = options.get("planner_effort", "FFTW_MEASURE")
    if effort not in _EFFORTS:
        raise Error(f"planner_effort: {effort!r} is unknown; give one of {', '.join(_EFFORTS)}")
    threads = options.get("threads")
    thread_count(threads)
    return {"threads": None if threads is None else whole(threads, "threads"), "effort": _EFFORTS[effort]}


def cut_of(subcomm: Sequence[MPI.Comm]) -> list[int]:
    """Ranks per axis."""
    return [comm.size for comm in subcomm]
