"""Arrays of other libraries as numpy arrays, without a copy if their memory permits, and their transforms."""

from functools import partial
from typing import Any

import numpy as np

from weft._mpi import MPI
from weft.errors import Error, ResourceError
from weft.functions.kept import OWN_PLANS
from weft.functions.request import Call, Factor, Key, Request, request
from weft.plan import Plan


def taken(given: Any) -> np.ndarray:
    """A numpy array over the memory of an object that exposes it by DLPack, __array_interface__ or a buffer.

    Sequences and other numbers are converted. Raises Error for what is neither.
    """
    if type(given) is np.ndarray and given.dtype.kind in "fc":
        return given
    # Objects that numpy reads itself do not go through DLPack: __dlpack__ of a read-only array fails in older versions.
    known = isinstance(given, np.ndarray | np.generic) or hasattr(given, "__array_interface__")
    try:
        array = _of_dlpack(given) if not known and hasattr(given, "__dlpack__") else np.asarray(given)
        # As in scipy, numbers that are neither floating-point nor complex become double precision.
        return array if array.dtype.kind in "fc" else array.astype(np.float64)
    except MemoryError as error:
        raise ResourceError("x: there is not enough memory for a copy; give an array of numpy's") from error
    except Exception as error:  # whatever the object raises when it is asked
        text = f"x is {type(given).__name__}, which numpy cannot take as numbers ({type(error).__name__}: {error})"
        raise Error(f"{text}; give an array of real or complex numbers in the memory of the processor") from error


def _of_dlpack(given: Any) -> np.ndarray:
    """An array by DLPack, or by __array__ if DLPack is refused, for example by tensors with a gradient."""
    try:
        return np.from_dlpack(given)
    except (BufferError, RuntimeError, TypeError, ValueError):
        if not hasattr(given, "__array__"):
            raise
        return np.asarray(given)


def of_array(given: Any, call: Call, threads: int | None, *, overwrite: bool) -> np.ndarray:
    """The transform of an array, in a new array, or in its own memory if that may be overwritten."""
    x = taken(given)
    asked = request(call, x.shape, x.dtype, threads)
    if not asked.steps:
        # Nothing is transformed, or there are no elements.
        return np.zeros(asked.result, asked.result_dtype) if 0 in asked.result else x.astype(asked.result_dtype)
    u = prepared(x, asked)
    may_write = u is not x or (overwrite and x.flags.writeable)
    if asked.step_dtype is not asked.dtype:
        u = u.view(asked.step_dtype)
    for step in asked.steps:
        plan = OWN_PLANS.plan(step.key, partial(_planned, step.key))
        u = u.reshape(step.shape)
        out = u if may_write and step.fits else None
        u = plan.forward(u, out) if call.transform.forward else plan.backward(u, out)
        may_write = True
    if asked.step_dtype is not asked.dtype:
        u = u.view(asked.result_dtype)
    u = u.reshape(asked.result)
    multiply(u, asked.after)
    return u


def _planned(key: Key) -> Plan:
    return Plan(key.shape, key.kinds, comm=MPI.COMM_SELF, dtype=key.dtype, norm=key.norm, threads=key.threads)


def prepared(x: np.ndarray, asked: Request) -> np.ndarray:
    """x itself if a plan accepts it, else a copy of the right shape, type and order, with factors."""
    if x.shape != asked.shape:
        u = np.zeros(asked.shape, asked.dtype)
        both = tuple(slice(0, min(m, n)) for m, n in zip(x.shape, asked.shape, strict=True))
        u[both] = x[both]
    elif x.dtype != asked.dtype or not (x.flags.c_contiguous and x.flags.aligned):
        u = x.astype(asked.dtype, order="C")
    elif asked.before:
        u = x.copy()
    else:
        return x
    multiply(u, asked.before)
    return u


def multiply(u: np.ndarray, factors: tuple[Factor, ...]) -> None:
    """Multiplies in place."""
    for axis, place, value in factors:
        u[(slice(None),) * axis + (place,)] *= value
