"""Calls of planned transforms as in mpi4py-fft. They use the plan's own arrays if the user gives none."""

from collections.abc import Callable
from typing import Any

import numpy as np
from mpi4py import MPI

from weft._arguments import raise_together
from weft.errors import Error

Maker = Callable[[], np.ndarray]


def _is_plain(array: Any, like: np.ndarray) -> bool:
    """Whether the library can use an array as it is."""
    return array.dtype == like.dtype and array.flags.c_contiguous and array.flags.aligned


def _is_apart(array: Any, like: np.ndarray, source: np.ndarray) -> bool:
    """Whether the library can write to an array while it reads the source."""
    return _is_plain(array, like) and not np.may_share_memory(array, source)


def _source(given: Any, own: Maker, like: np.ndarray) -> np.ndarray:
    """The input of the transform: the user's array, or a copy of it in the plan's own array."""
    if isinstance(given, np.ndarray) and given.shape == like.shape and _is_plain(given, like):
        return np.asarray(given)
    if given is not None:
        own()[...] = given
    return np.asarray(own()) if _is_plain(own(), like) else np.array(own(), order="C")


def _target(out: Any, own: Maker, like: np.ndarray, source: np.ndarray) -> np.ndarray:
    """The output of the transform: the user's array, the plan's own, or a new one if neither can be used.

    If output and input are one array, the result is copied there, since not every plan can transform in place.
    """
    if out is not None and not (isinstance(out, np.ndarray) and out.shape == like.shape and out.flags.writeable):
        what = f"shape {out.shape}" if isinstance(out, np.ndarray) else type(out).__name__
        raise ValueError(f"output_array: {what} cannot take the result; give a writeable array of shape {like.shape}")
    if out is not None and _is_apart(out, like, source):
        return np.asarray(out)
    return np.asarray(own()) if _is_apart(own(), like, source) else np.empty(like.shape, like.dtype)


def call(
    transform: Callable[..., object],
    comm: MPI.Intracomm,
    given: tuple[Any, Maker, np.ndarray],
    wanted: tuple[Any, Maker, np.ndarray],
) -> Any:
    """Calls transform(source, out=target) and returns the user's array or the plan's own. Collective.

    given, wanted  the user's array or None, a function that returns the plan's own, and an array of its type and shape.
    """
    problem: Error | None = None
    try:
        source = _source(*given)
        target = _target(*wanted, source)
    except (TypeError, ValueError) as error:
        problem = Error(f"{'' if 'output_array' in str(error) else 'input_array: '}{error}")
    raise_together(comm, problem)
    transform(source, out=target)
    out = wanted[1]() if wanted[0] is None else wanted[0]
    if not _is_same(out, target):
        out[...] = target
    return out


def _is_same(a: np.ndarray, b: np.ndarray) -> bool:
    """Whether two arrays of one shape have each element at the same address."""
    return a.ctypes.data == b.ctypes.data and a.dtype == b.dtype and a.strides == b.strides
