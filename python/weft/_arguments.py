"""Checks and conversions of the types of arguments in Python. The library itself checks their values.

The arguments of a constructor have to be equal on all ranks; the arrays of an execution differ. In both cases a wrong
argument on a single rank must raise on every rank, or the other ranks would wait for it forever.
"""

import hashlib
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, NoReturn

import numpy as np

from weft._mpi import MPI
from weft.errors import Error, ResourceError


def living(comm: MPI.Intracomm) -> MPI.Intracomm:
    """Checks a communicator. Raises Error on all of its ranks if it has been freed."""
    if comm == MPI.COMM_NULL:
        text = "comm: the communicator was freed, and what was made with it can no longer be used"
        raise Error(f"{text}; call Free() when nothing that was made with it is needed")
    return comm


def communicator(comm: MPI.Intracomm | None) -> MPI.Intracomm:
    """The communicator to use: COMM_WORLD for None. Raises Error for anything that is not an intra-communicator."""
    if comm is None:
        return MPI.COMM_WORLD
    if not isinstance(comm, MPI.Intracomm) or comm == MPI.COMM_NULL:
        raise Error(f"comm: {comm!r} is not usable; allowed are None (COMM_WORLD) and an mpi4py intra-communicator")
    return comm


def _survey(comm: MPI.Intracomm, problem: Error | None, mark: int) -> tuple[int, bool]:
    """The first rank with a problem, or comm.size, and whether all ranks give the same mark. Collective."""
    first = np.array([comm.rank if problem is not None else comm.size, mark, -mark], dtype=np.int64)
    comm.Allreduce(MPI.IN_PLACE, first, MPI.MIN)
    return int(first[0]), bool(first[1] == -first[2])


def _raise_that_of(comm: MPI.Intracomm, rank: int, problem: Error | None) -> NoReturn:
    """Raises the problem of this rank if it has one, else the problem of the given rank. Collective."""
    kind, text = comm.bcast((type(problem), str(problem)) if comm.rank == rank else None, root=rank)
    if problem is not None:
        raise problem
    raise kind(f"{text} (on rank {rank})")


def refuse(problem: str | None) -> None:
    """Raises Error with this text unless it is None."""
    if problem is not None:
        raise Error(problem)


def raise_together(comm: MPI.Intracomm, problem: Error | None, alike: int = 0) -> None:
    """Raises the problem of the first rank that has one on every rank. Collective.

    alike     a property that must also be the same on all ranks: whether a Field is given, and 2 for values of ends.
    """
    if living(comm).size == 1:
        if problem is not None:
            raise problem
        return
    first, same = _survey(comm, problem, alike)
    if first < comm.size:
        _raise_that_of(comm, first, problem)
    if not same:
        raise Error("some ranks give a Field, or ends, and others do not; give the same arguments on all ranks")


@contextmanager
def together(comm: MPI.Intracomm, alike: int = 0) -> Iterator[None]:
    """A context whose body succeeds on all ranks; else all ranks raise the Error of the first that failed. Collective.

    A lack of memory on one rank becomes a ResourceError on all ranks, and what another library raises there an Error:
    the others would wait for this rank. The body must not contain collective calls.

    alike     a property that must also be the same on all ranks: whether a Field is given, and 2 for values of ends.
    """
    problem: Error | None = None
    try:
        yield
    except Error as error:
        problem = error
    except MemoryError as error:
        problem = ResourceError("out of memory; use more nodes or a smaller problem")
        problem.__cause__ = error
    except Exception as error:
        if comm.size == 1:
            raise
        problem = Error(f"{type(error).__name__}: {error}")
        problem.__cause__ = error
    raise_together(comm, problem, alike)


@contextmanager
def naming(name: str) -> Iterator[None]:
    """Turns any exception that the conversion of a value raises into an Error that names the argument."""
    try:
        yield
    except Error:
        raise
    except MemoryError as error:
        raise ResourceError(f"{name}: there is not enough memory for it; ask for less, or use more ranks") from error
    except Exception as error:
        text = f"{name}: this cannot be used ({type(error).__name__}: {error}); give plain numbers, texts and arrays"
        raise Error(text) from error


def _attempted(make: Callable[[], dict[str, Any]]) -> tuple[dict[str, Any], Error | None]:
    """The arguments that make() converts, or the Error that describes why it cannot."""
    try:
        with naming("an argument"):
            return make(), None
    except Error as error:
        return {}, error


def converted(comm: MPI.Intracomm, make: Callable[[], dict[str, Any]]) -> dict[str, Any]:
    """The arguments that make() converts, which may differ between ranks, or an Error on every rank. Collective."""
    living(comm)
    given, problem = _attempted(make)
    raise_together(comm, problem)
    return given


def agreed(comm: MPI.Intracomm, make: Callable[[], dict[str, Any]]) -> dict[str, Any]:
    """The arguments that make() converts, or an Error on every rank alike. Collective.

    It is raised where a conversion fails on any rank, and where an argument differs from that of rank 0. Values are
    compared as they print, so that NaN equals itself and is left to the checks of values.
    """
    living(comm)
    given, problem = _attempted(make)
    if comm.size == 1:
        if problem is not None:
            raise problem
        return given
    mine = {name: shown(value) for name, value in given.items()}
    # Texts are compared by a digest first, so that equal arguments need one small message.
    digest = hashlib.blake2b(repr(mine).encode(), digest_size=7).digest()
    first, same = _survey(comm, problem, int.from_bytes(digest, "little"))
    if first < comm.size:
        _raise_that_of(comm, first, problem)
    if not same:
        _refuse_difference(comm, mine)
    return given


def _refuse_difference(comm: MPI.Intracomm, mine: dict[str, str]) -> None:
    """Raises an Error on every rank that names the first argument that differs from that of rank 0. Collective."""
    theirs = comm.bcast(mine, root=0)
    problem: Error | None = None
    for name in mine:
        if mine[name] != theirs[name]:
            text = f"{name} must be the same on all ranks; rank 0 gives {theirs[name]}, another {mine[name]}"
            problem = problem or Error(text)
    raise_together(comm, problem)


def shown(value: Any) -> str:
    """The printed form of a value, or its type if it cannot be printed (integers of thousands of digits)."""
    try:
        return repr(value)
    except Exception:
        return f"a value of type {type(value).__name__} that cannot be printed"


def whole(value: Any, name: str, bits: int = 64) -> int:
    """An integer of the given width. Floats are refused even if they are whole, as numpy does for shapes."""
    if isinstance(value, bool | np.bool_) or not isinstance(value, int | np.integer):
        raise Error(f"{name}: {shown(value)} is not a whole number; allowed are integers (write 32, not 32.0)")
    if abs(int(value)) >= 2 ** (bits - 1):
        raise Error(f"{name}: {shown(int(value))} does not fit in {bits} bits")
    return int(value)


def real(value: Any, name: str) -> float:
    """A real number as a float."""
    if isinstance(value, bool | np.bool_) or not isinstance(value, int | float | np.integer | np.floating):
        raise Error(f"{name}: {shown(value)} is not a real number")
    try:
        return float(value)
    except OverflowError:
        raise Error(f"{name}: {shown(value)} is too large") from None


def flag(value: Any, name: str) -> bool:
    """True or False; no other value is converted to them."""
    if not isinstance(value, bool | np.bool_):
        raise Error(f"{name}: {shown(value)} is not allowed; give True or False")
    return bool(value)


def word(value: Any, name: str, example: str) -> str:
    """A string. The library checks whether it is known."""
    if not isinstance(value, str):
        raise Error(f"{name}: {shown(value)} is not a string; write for example {example!r}")
    return encodable(value, name)


def encodable(text: str, name: str) -> str:
    """A text that can be passed to the library as UTF-8, hence one without halves of surrogate pairs.

    A character of code 0 is refused as well: the system would take the text to end there and write another file.
    """
    if "\0" in text:
        raise Error(f"{name}: {text!r} has a character of code 0 at {text.index(chr(0))}; omit it")
    try:
        text.encode()
    except UnicodeEncodeError as error:
        what = f"character {error.start} is half of a surrogate pair, which UTF-8 does not have"
        raise Error(f"{name}: {text!r} is not a valid text, {what}; omit it") from None
    return text


def entries(values: Any, name: str, example: str) -> Sequence[Any]:
    """The entries of a tuple, list or 1-D array. A single value or a string is refused."""
    if isinstance(values, np.ndarray) and values.ndim == 1:
        return list(values)
    if not isinstance(values, Sequence) or isinstance(values, str | bytes):
        raise Error(f"{name}: {shown(values)} is not a sequence with one entry per axis; write for example {example}")
    with naming(name):
        return list(values)


def whole_entries(values: Any, name: str, example: str, bits: int = 64) -> list[int]:
    """Integers, one per axis. Messages name the entry, as in shape[1]."""
    return [whole(value, f"{name}[{i}]", bits) for i, value in enumerate(entries(values, name, example))]


def one_per_axis(values: Sequence[Any], axes: int, name: str, of: str) -> None:
    """Raises Error unless there is one value for every axis of `of`."""
    if len(values) != axes:
        raise Error(f"{name} has {len(values)} entries, {of} has {axes}; give one per axis")


def box(slices: Any, name: str) -> list[tuple[int, int]]:
    """The ranges of slices, one per axis, or an empty list for None."""
    if slices is None:
        return []
    ranges = []
    for i, part in enumerate(entries(slices, name, "(slice(0, 8), slice(8, 16))")):
        if not isinstance(part, slice) or part.start is None or part.stop is None or part.step not in (None, 1):
            text = f"{name}[{i}]: {shown(part)} is not a slice with a start, a stop and no step"
            raise Error(f"{text}; give one per axis")
        ranges.append((whole(part.start, f"{name}[{i}].start"), whole(part.stop, f"{name}[{i}].stop")))
    return ranges


def inside(ranges: Sequence[tuple[int, int]], shape: Sequence[int], name: str) -> None:
    """Raises Error unless the ranges, one per axis, are parts of an array of this shape."""
    for axis, ((lo, hi), n) in enumerate(zip(ranges, shape, strict=True)):
        if not 0 <= lo <= hi <= n:
            text = f"{name}[{axis}]: {lo}:{hi} is not within an axis of {n} points"
            raise Error(f"{text}; give 0 <= start <= stop <= {n}")


def same_memory(a: np.ndarray, b: np.ndarray) -> bool:
    """Whether two arrays may share an element. Only their bounds are compared, which is fast."""
    return a.size > 0 and b.size > 0 and np.may_share_memory(a, b)


def numpy_dtype(dtype: Any) -> np.dtype | None:
    """The numpy dtype that a value describes, or None."""
    try:
        return np.dtype(dtype)
    except Exception:  # numpy parses texts as code, which may raise anything
        return None


def real_dtype(dtype: Any) -> str:
    """The name of the real precision, float64 or float32, in any notation that numpy accepts."""
    found = numpy_dtype(dtype)
    if found is None or found.name not in ("float64", "float32"):
        raise Error(f'dtype: {shown(dtype)} is not allowed; it is the real precision, "float64" or "float32"')
    return found.name


def thread_count(threads: Any) -> int:
    """The number of threads. 0 is the default of the library: cores of the node / ranks of the communicator on it."""
    if threads is None:
        return 0
    if whole(threads, "threads", bits=32) < 1:
        raise Error(f"threads: {threads} is not allowed; give 1 or more, or None for cores / ranks of the node")
    return int(threads)


def is_padded(array: np.ndarray) -> bool:
    """Whether an array is in C order with contiguous rows; rows and planes may have padding between them."""
    inner = array.itemsize
    for place, (size, stride) in enumerate(zip(reversed(array.shape), reversed(array.strides), strict=True)):
        if size <= 1:
            continue
        if stride < inner or stride % array.itemsize != 0 or (place == 0 and stride != inner):
            return False
        inner = size * stride
    return True


def array_problem(
    array: Any, name: str, shape: tuple[int, ...], dtype: np.dtype, advice: str, padded: bool = False
) -> str | None:
    """Why the library cannot use this array as it is, or None. `advice` says how to make a suitable one.

    padded: padding between rows and planes is allowed.
    """
    is_result = name == "out"  # it would be lost in a copy
    if not isinstance(array, np.ndarray):
        view = None if is_result else _view_of(array, name)
        return f"{name} is {type(array).__name__}, not a numpy array; {f'pass {view}; ' if view else ''}{advice}"
    if array.shape != shape:
        return f"{name} has shape {array.shape}, but this rank holds {shape}; {advice}"
    if array.dtype != dtype:
        copy = "" if is_result or not _converts(array.dtype, dtype) else f"pass {name}.astype(numpy.{dtype}); "
        return f"{name} has dtype {array.dtype}, but this object works on {dtype}; {copy}{advice}"
    if not array.flags.aligned:
        advice = "give an aligned array" if is_result else f"pass a copy, {name}.copy()"
        return f"{name} is not aligned: its elements do not begin at multiples of their size in memory; {advice}"
    if not (array.flags.c_contiguous or (padded and is_padded(array))):
        advice = "give a C-contiguous array" if is_result else f"pass numpy.ascontiguousarray({name})"
        return f"{name} is not C-contiguous (strides {array.strides}); {advice}"
    return None


def _converts(given: np.dtype, dtype: np.dtype) -> bool:
    """Whether numbers of one type can be converted to the other: all except for complex to real."""
    return given.kind in "biuf" or (given.kind == "c" and dtype.kind == "c")


def _view_of(array: Any, name: str) -> str | None:
    """The call that makes a numpy array of another library's, without a copy where their memory permits; or None."""
    if isinstance(array, memoryview) or any(hasattr(array, way) for way in ("__array__", "__array_interface__")):
        return f"numpy.asarray({name})"
    return f"numpy.from_dlpack({name})" if hasattr(array, "__dlpack__") else None


def output_problem(
    out: Any,
    given: np.ndarray,
    shape: tuple[int, ...],
    dtype: np.dtype,
    may_be_given: bool = False,
    may_overlap: bool = False,
    padded: bool = False,
) -> str | None:
    """Why out= cannot be used, or None: array_problem, and it must be writeable and share no memory with the input.

    may_be_given: out may be the input itself. may_overlap: the library decides whether an overlap is allowed.
    """
    if problem := array_problem(out, "out", shape, dtype, "omit out= to get a new array", padded):
        return problem
    if not out.flags.writeable:
        return "out is read-only; omit out= to get a new array"
    same = out.ctypes.data == given.ctypes.data and out.shape == given.shape and out.dtype == given.dtype
    if not may_overlap and np.may_share_memory(given, out) and not (may_be_given and same):
        return "out shares memory with the input, which is preserved; give another array or omit out="
    return None


def factors(symbol: Any, shape: tuple[int, ...], real_type: np.dtype, spectral_type: np.dtype) -> np.ndarray:
    """The factors of the modes as a read-only view with the shape of the modes, in the precision of the plan.

    The array is copied only if its type or alignment requires it; strides are 0 where a factor is repeated. Raises
    Error for entries that are not numbers, for complex factors of real modes, and for shapes that do not broadcast.
    """
    given = symbol if isinstance(symbol, np.ndarray | np.generic | int | float | complex) else None
    given = None if given is None else np.asarray(given)
    if given is None or given.dtype.kind not in "biufc":
        kind = type(symbol).__name__ if given is None else f"an array of {given.dtype}"
        raise Error(f"symbol is {kind}; give a number or a numpy array of real or complex numbers")
    is_complex = given.dtype.kind == "c"
    if is_complex and spectral_type.kind != "c":
        raise Error(f"symbol has dtype {given.dtype}, but the modes of this plan are real; give real factors")
    values = given.astype(spectral_type if is_complex else real_type, copy=False)
    if not values.flags.aligned or any(step % values.itemsize for step in values.strides):
        values = values.copy()  # the library counts strides in whole elements
    try:
        return np.broadcast_to(values, shape)
    except ValueError:
        text = f"symbol has shape {given.shape}, which does not broadcast to the modes of this rank, {shape}"
        raise Error(f"{text}; compute it from plan.wavenumbers()") from None


def axis_shaped(values: np.ndarray, axis: int, axes: int) -> np.ndarray:
    """A view of a 1-D array that broadcasts along one axis of an array with that many axes."""
    return values.reshape([-1 if i == axis else 1 for i in range(axes)])
