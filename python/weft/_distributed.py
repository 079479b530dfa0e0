"""Distributed arrays for files: weft.Field, objects with its attributes, or tuples (array, slices, global_shape)."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from weft._arguments import box, communicator, encodable, naming, whole_entries
from weft._mpi import MPI
from weft.errors import Error

_ATTRIBUTES = ("local", "slices", "global_shape", "comm")
_FORMS = "give a weft.Field (local, slices, global_shape, comm) or a tuple (array, slices, global_shape)"
DTYPES = ("float32", "float64", "complex64", "complex128")


@dataclass(frozen=True)
class Part:
    """This rank's part of a distributed array: a C-contiguous array, and its position in the global array."""

    name: str
    array: np.ndarray
    shape: list[int]
    box: list[tuple[int, int]]

    def arguments(self) -> tuple[str, np.ndarray, list[int], list[tuple[int, int]]]:
        """The tuple that the extension takes."""
        return self.name, self.array, self.shape, self.box


def is_field(value: Any) -> bool:
    """Whether a value has the attributes of a distributed array."""
    return all(hasattr(value, name) for name in _ATTRIBUTES)


def pieces_of(value: Any, name: str) -> tuple[Any, Any, Any]:
    """The array, slices and global shape of a field in either form. Raises Error for anything else."""
    if is_field(value):
        return value.local, value.slices, value.global_shape
    if isinstance(value, tuple) and len(value) == 3 and isinstance(value[0], np.ndarray):
        return value
    raise Error(f"{name}: {type(value).__name__} is not a distributed array; {_FORMS}")


def part_of(value: Any, name: str, dtypes: tuple[str, ...] = DTYPES) -> Part:
    """A field to write, checked on this rank. Arrays that are not contiguous are copied."""
    array, slices, shape = pieces_of(value, name)
    return checked_part(name, array, slices, shape, dtypes)


def checked_part(name: str, array: Any, slices: Any, shape: Any, dtypes: tuple[str, ...] = DTYPES) -> Part:
    """The block of an array, its slices and its global shape. Raises Error that names the field."""
    extents, ranges = checked_place(name, slices, shape)
    sizes = tuple(hi - lo for lo, hi in ranges)
    if not isinstance(array, np.ndarray) or array.shape != sizes:
        kind = f"an array of {array.shape}" if isinstance(array, np.ndarray) else type(array).__name__
        raise Error(f"{name}: {kind} is not this rank's block, whose slices have the sizes {sizes}; give that")
    if array.dtype.name not in dtypes or not array.dtype.isnative:
        raise Error(f"{name}: dtype {array.dtype} is not allowed; use astype for one of {', '.join(dtypes)}")
    return Part(name, np.ascontiguousarray(array).reshape(sizes), extents, ranges)


def checked_place(name: str, slices: Any, shape: Any) -> tuple[list[int], list[tuple[int, int]]]:
    """The global shape and a range per axis, checked. Raises Error that names the field."""
    extents = whole_entries(shape, f"{name}: global_shape", "(64, 64, 64)")
    ranges = box(slices, f"{name}: slices")
    if not 1 <= len(extents) <= 6 or len(ranges) != len(extents):
        text = f"{name}: {len(ranges)} slices and a global_shape of {len(extents)} axes; give 1 to 6 axes, a slice each"
        raise Error(text)
    return extents, ranges


def named(fields: Any) -> dict[str, Any]:
    """Fields by name. Raises Error for anything but a mapping from strings."""
    if not isinstance(fields, Mapping) or not all(isinstance(name, str) for name in fields):
        raise Error(f'fields: {type(fields).__name__} is not a mapping from names to fields; write {{"u": u, "v": v}}')
    with naming("fields"):
        return {encodable(name, "fields"): fields[name] for name in fields}


def common_communicator(comm: MPI.Intracomm | None, fields: Any) -> MPI.Intracomm:
    """The communicator to use: the given one, else that of the first field that has one, else COMM_WORLD."""
    if comm is None and isinstance(fields, Mapping):
        comm = next((value.comm for value in fields.values() if is_field(value)), None)
    return communicator(comm)


def same_ranks(comm: MPI.Intracomm, value: Any, name: str) -> None:
    """Raises Error if the communicator of a field has other ranks or another order of ranks. Local."""
    if is_field(value) and MPI.Comm.Compare(comm, communicator(value.comm)) not in (MPI.IDENT, MPI.CONGRUENT):
        raise Error(f"{name}: its communicator has other ranks than the one in use; pass a comm= that all fields share")
