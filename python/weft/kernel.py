"""Kernels of the Poisson solver: their names, and kernels of users as functions of numpy arrays."""

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
    """A user's kernel for the argument kernel of Poisson, made by kernel_of_distance or kernel_of_wavenumber."""

    name: str
    fill: Callable[..., None] = field(repr=False)


def kernels() -> list[str]:
    """The names of the kernels of Poisson, whose documentation says when to use which."""
    return list(_core.kernels())


def kernel_of_distance(function: OfDistance) -> Kernel:
    """A kernel G(r, k) of the distance r over the unbounded axes and the wavenumber k over the others.

    function(r, k) is called with an array of distances in ascending order, once for each wavenumber k >= 0 (a float; 0
    if every axis is unbounded). It returns as many finite numbers. For r = 0 a singular kernel has to be replaced by a
    mean over a cell. The kernel satisfies laplacian(G) = delta: it is -1 / (4 pi r) in three dimensions. Without
    unbounded axes r is 0 and G multiplies the mode k: it is -1 / k**2.

    While the solver is made, each rank calls the function with the distances and wavenumbers that it needs itself. They
    need not include r = 0, and a rank that needs none does not call the function. So test for r == 0 by value, as in
    numpy.where(r > 0, ..., mean), instead of assigning to the first entry. The function has to return the same number
    for the same r and k on all ranks. An exception that it raises becomes an Error on every rank.
    """

    _require_function(function)

    def fill(r: np.ndarray, k: float, values: np.ndarray) -> None:
        values[...] = _real(function(r, k))

    return Kernel("of_distance", fill)


def kernel_of_wavenumber(function: OfWavenumber) -> Kernel:
    """A kernel given by the factors of the modes as a function of the wavenumber vector, such as -1 / |k|**2.

    function(kx, ky, kz), or function(kx, ky), is called with one array of wavenumbers >= 0 per axis that broadcast
    against each other. It returns finite numbers that broadcast to the same shape, also for the wavenumber 0, where the
    factor 0 removes the mean. Along unbounded axes the modes are those of twice the length L (of four times L with a
    mirror plane), and the solution is that of the problem continued with this period.

    While the solver is made, each rank calls the function with the wavenumbers that it needs itself, which need not
    include 0. The function has to return the same number for the same wavenumbers on all ranks. An exception that it
    raises becomes an Error on every rank.
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
