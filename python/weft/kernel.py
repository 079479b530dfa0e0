"""Kernels of the Poisson solver: their names, and users' own as functions of numpy arrays."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from weft import _core
from weft.errors import Error

OfDistance = Callable[[np.ndarray, float], Any]
OfWavenumber = Callable[..., Any]


@dataclass(frozen=True)
class Kernel:
    """A user's kernel, made by kernel_of_distance or kernel_of_wavenumber; for the argument kernel of Poisson."""

    name: str
    fill: Callable[..., None] = field(repr=False)


def kernels() -> list[str]:
    """The names of the kernels that Poisson knows; its documentation says when to use which."""
    return list(_core.kernels())


def kernel_of_distance(function: OfDistance) -> Kernel:
    """A kernel G(r, k) of the distance over the unbounded axes and the wavenumber over the others.

    function(r, k) is called with an array of distances in ascending order, once for each wavenumber k >= 0 (a float; 0
    where every axis is unbounded). It returns as many finite numbers, also for r = 0, where a singular kernel has to be
    replaced by a mean over a cell. laplacian(G) = delta: -1 / (4 pi r) in three dimensions. Without unbounded axes r is
    0 and G multiplies the mode k: -1 / k**2.

    Each rank calls the function while the solver is made, with the distances and wavenumbers that it needs itself:
    r = 0 may not be among them, and a rank that needs none does not call it. So test r == 0 in the values, as in
    numpy.where(r > 0, ..., mean), instead of writing to the first. The function gives the same number for the same r
    and k on all ranks; what it raises becomes an Error on every rank.
    """

    _require_function(function)

    def fill(r: np.ndarray, k: float, values: np.ndarray) -> None:
        values[...] = _real(function(r, k))

    return Kernel("of_distance", fill)


def kernel_of_wavenumber(function: OfWavenumber) -> Kernel:
    """A kernel that is known by what it multiplies the mode of a wavenumber vector with, such as -1 / |k|**2.

    function(kx, ky, kz), or function(kx, ky), is called with one array of wavenumbers >= 0 per axis that broadcast
    against each other; it returns finite numbers that broadcast to all of them, also for the wavenumber 0, where 0
    drops the mean. Along unbounded axes the modes are those of twice the length L (with a mirror plane, four times):
    the solution is that of the problem repeated with this period.

    Each rank calls the function while the solver is made, with the wavenumbers that it needs itself: 0 may not be among
    them. It gives the same number for the same wavenumbers on all ranks; what it raises becomes an Error on every rank.
    """

    _require_function(function)

    def fill(wavenumbers: list[np.ndarray], values: np.ndarray) -> None:
        values[...] = _real(function(*np.meshgrid(*wavenumbers, indexing="ij", sparse=True)))

    return Kernel("of_wavenumber", fill)


def _require_function(function: Any) -> None:
    if not callable(function):
        raise Error(f"kernel: {function!r} is not a function; give for example lambda r, k: numpy.exp(-k * r)")


def _real(values: Any) -> np.ndarray:
    array = np.asarray(values)
    if array.dtype.kind not in "biuf":
        raise TypeError(f"it returned an array of {array.dtype}, not of real numbers")
    return array
