"""Calls of planned transforms as mpi4py-fft has them: with the plan's own arrays where the user gives none."""

from collections.abc import Callable
from typing import Any

import numpy as np
from mpi4py import MPI

from weft._arguments import raise_together
from weft.errors import Error

Maker = Callable[[], np.ndarray]


def _is_plain(array: Any, like: np.ndarray) -> bool:
    """Whether the library takes an array as it is."""
    return array.dtype == like.dtype and array.flags.c_contiguous and array.flags.aligned


def _source(given: Any, own: Maker, like: np.ndarray) -> np.ndarray:
    """What is transformed: the user's array, or a copy in the plan's own."""
    if given is None:
        return own()
    if isinstance(given, np.ndarray) and given.shape == like.shape and _is_plain(given, like):
        return np.asarray(given)
    own()[...] = given
    return own()


def _target(out: Any, own: Maker, like: np.ndarray, source: np.ndarray) -> np.ndarray:
    """Where the result goes: the user's array, or the plan's own, from which it is copied."""
    if out is None:
        return own()
    if not isinstance(out, np.ndarray) or out.shape != like.shape or not out.flags.writeable:
        what = f"shape {out.shape}" if isinstance(out, np.ndarray) else type(out).__name__
        raise ValueError(f"output_array: {what} cannot take the result; give a writeable array of shape {like.shape}")
    return np.asarray(out) if _is_plain(out, like) and not np.may_share_memory(out, source) else own()


def call(
    transform: Callable[..., object],
    comm: MPI.Intracomm,
    given: tuple[Any, Maker, np.ndarray],
    wanted: tuple[Any, Maker, np.ndarray],
) -> Any:
    """transform(source, out=target), and the array that the user asked for. Collective.

    given, wanted  the user's array or None; what makes or finds the plan's own; an array of its type and shape.
    """
    problem: Error | None = None
    try:
        source = _source(*given)
        target = _target(*wanted, source)
    except (TypeError, ValueError) as error:
        problem = Error(f"{'' if 'output_array' in str(error) else 'input_array: '}{error}")
    raise_together(comm, problem)
    transform(source, out=target)
    out = wanted[0]
    if out is None:
        return target
    if target is wanted[1]():
        out[...] = target
    return out
