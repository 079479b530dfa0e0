"""Checkpoints: distributed arrays and values in one file, read back bit for bit on any number of ranks."""

import warnings
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from weft import _core
from weft._arguments import agreed, converted, encodable, inside, living, naming, real, whole, word
from weft._arrays import empty
from weft._distributed import (
    Part,
    checked_part,
    checked_place,
    common_communicator,
    named,
    part_of,
    pieces_of,
    same_ranks,
)
from weft._mpi import MPI
from weft._options import path_text
from weft._text import Told
from weft.errors import Error, FileError

Scalar = int | float | str


@dataclass(frozen=True, repr=False)
class Checkpoint(Told):
    """The contents of a checkpoint, and the blocks of it that this rank has read.

    values  numbers and texts by name; checkpoints of a folder have "step"
    shapes, dtypes  global shape and element type of every field in the file
    fields  this rank's blocks of the requested fields, by name
    skipped  why later checkpoints of the folder were not used, one text per checkpoint
    """

    path: Path
    values: dict[str, Scalar]
    shapes: dict[str, tuple[int, ...]]
    dtypes: dict[str, str]
    fields: dict[str, np.ndarray] = field(default_factory=dict, repr=False)
    skipped: tuple[str, ...] = ()


def save_checkpoint(
    path: str | Path,
    fields: Mapping[str, Any],
    values: Mapping[str, Scalar] | None = None,
    *,
    comm: MPI.Intracomm | None = None,
    compression: int = 0,
) -> None:
    """Writes a checkpoint, an HDF5 file. The file appears complete or not at all. Collective.

    path      ends in .h5 or .hdf5
    fields    distributed arrays by name: weft.Field, any object with local, slices, global_shape and comm, or a tuple
              (array, slices, global_shape); float32, float64, complex64 or complex128, 1 to 6 axes. The blocks of all
              ranks tile each array; a rank without data gives empty slices.
    values    whole numbers of 64 bits, real numbers and texts by name, the same on all ranks
    compression  0, or 1 (fast) to 9 (small): deflate, for numbers that repeat (noise is not compressed)

    Raises the same exception on every rank: Error for arguments that are not allowed, FileError if the file cannot be
    written. An existing file is then unchanged.
    """
    comm = common_communicator(comm, fields)
    address = MPI._addressof(comm)
    given = agreed(comm, lambda: _file_options(path, compression))
    parts, numbers = _to_save(comm, fields, values)
    _core.save_checkpoint(address, given["path"], _arguments(parts), numbers, given["compression"])


def load_checkpoint(
    path: str | Path, fields: Mapping[str, Any] | None = None, *, comm: MPI.Intracomm | None = None
) -> Checkpoint:
    """Reads the values of a checkpoint and this rank's blocks of the requested fields. Collective.

    fields    what this rank reads, by name: slices of the global array (one per axis) for a new array, or a distributed
              array in one of the forms of save_checkpoint, which is filled. The layout and the number of ranks may
              differ from those of the writer; blocks may overlap. None or {}: values, shapes and dtypes only.

    Raises the same FileError on every rank if the file is missing, damaged (every element that is read is checked) or
    not a checkpoint, or if it has no field of that name, shape and type. The arrays are then undefined.
    """
    wanted = {} if fields is None else fields
    comm = common_communicator(comm, wanted)
    address = MPI._addressof(comm)
    name = agreed(comm, lambda: {"path": _path(path)})["path"]
    found = _checkpoint(name, _core.checkpoint_contents(address, name))
    targets = _targets(comm, wanted, found)
    _core.load_checkpoint(address, name, _arguments(targets.values()))
    return _filled(found, targets, wanted)


def verify_checkpoint(path: str | Path, *, comm: MPI.Intracomm | None = None) -> Checkpoint:
    """Reads a whole checkpoint and compares it with its checksums. Raises FileError on every rank if it is damaged."""
    comm = common_communicator(comm, None)
    name = agreed(comm, lambda: {"path": _path(path)})["path"]
    return _checkpoint(name, _core.verify_checkpoint(MPI._addressof(comm), name))


class CheckpointFolder:
    """The checkpoints of one run: files checkpoint-000123.h5 in a folder. Only the last ones are kept.

    folder    created by save if it does not exist. One run at a time may write there, any number may read.
    keep      the largest number of checkpoints after a save, including the new one
    compression  as in save_checkpoint
    comm      an mpi4py communicator; None is COMM_WORLD

    All methods are collective.
    """

    def __init__(
        self, folder: str | Path, keep: int = 2, *, compression: int = 0, comm: MPI.Intracomm | None = None
    ) -> None:
        self.comm = common_communicator(comm, None)
        given = agreed(
            self.comm,
            lambda: {
                "folder": path_text(folder, "folder"),
                "keep": whole(keep, "keep", bits=32),
                "compression": whole(compression, "compression", bits=32),
            },
        )
        self.folder = Path(given["folder"])
        self._core = _core.CheckpointFolder(MPI._addressof(self.comm), **given)

    def __repr__(self) -> str:
        return f"CheckpointFolder({str(self.folder)!r}, ranks={self.comm.size})"

    def save(self, step: int, fields: Mapping[str, Any], values: Mapping[str, Scalar] | None = None) -> Path:
        """Writes the checkpoint of a step (0 or more) as save_checkpoint does, with the value "step". Returns its path.

        Once it is complete on the disk, checkpoints before the last `keep` are removed. Later steps, which exist if the
        run was resumed from an earlier step, are kept. Unfinished files of a killed run are removed first.
        """
        number = agreed(self.comm, lambda: {"step": whole(step, "step")})["step"]
        parts, numbers = _to_save(self.comm, fields, values)
        return Path(self._core.save(number, _arguments(parts), numbers))

    def steps(self) -> list[int]:
        """The steps of the checkpoints in the folder, ascending. The files are not opened."""
        return self._core.steps()

    def path(self, step: int) -> Path:
        """The file name of a step, whether the file exists or not."""
        return Path(self._core.path(whole(step, "step")))

    def latest(self) -> Checkpoint | None:
        """The last undamaged checkpoint (all of it is read and checked), without fields; None for an empty folder.

        Damaged ones are skipped with a RuntimeWarning on rank 0. Raises FileError on every rank if all are damaged.
        """
        living(self.comm)
        return self._warned(self._core.latest())

    def restore(self, fields: Mapping[str, Any]) -> Checkpoint | None:
        """The last undamaged checkpoint, with fields read as by load_checkpoint; None for an empty folder.

        Damaged ones are skipped as in latest. Raises FileError on every rank if all are damaged, and if the checkpoint
        does not have the requested fields.
        """
        living(self.comm)
        newest = self._core.newest()
        if newest is None:
            return None
        targets = _targets(self.comm, fields, _checkpoint(newest[1], newest[2]))
        found = self._warned(self._core.restore(_arguments(targets.values())))
        return None if found is None else _filled(found, targets, fields)

    def _warned(self, found: Any) -> Checkpoint | None:
        if found is None:
            return None
        step, path, contents, skipped = found
        if skipped and self.comm.rank == 0:
            text = f"{'; '.join(skipped)}; the checkpoint of step {step} is taken"
            warnings.warn(text, RuntimeWarning, stacklevel=3)
        return _checkpoint(path, contents, skipped)


def _path(path: Any) -> str:
    if path is None:
        raise Error('path: None is not a file name; give a string or a path such as "run.h5"')
    return path_text(path, "path")


def _file_options(path: Any, compression: Any) -> dict[str, Any]:
    return {"path": _path(path), "compression": whole(compression, "compression", bits=32)}


def _scalar(value: Any, name: str) -> Scalar:
    if isinstance(value, str):
        return word(str(value), name, "text")
    if isinstance(value, int | np.integer):
        return whole(value, name)
    return real(value, name)


def _to_save(comm: MPI.Intracomm, fields: Any, values: Any) -> tuple[list[Part], dict[str, Scalar]]:
    """Fields and values in the types of the extension, or an Error on every rank. Collective."""

    def make() -> dict[str, Any]:
        parts = []
        for name, value in named(fields).items():
            with naming(name):
                same_ranks(comm, value, name)
                parts.append(part_of(value, name))
        if not isinstance(values, Mapping | None) or not all(isinstance(name, str) for name in values or {}):
            raise Error(f'values: {type(values).__name__} is not a mapping from names to values; write {{"time": 0.5}}')
        given = {encodable(name, "values"): _scalar(value, name) for name, value in (values or {}).items()}
        return {"parts": parts, "values": given}

    given = converted(comm, make)
    return given["parts"], given["values"]


def _arguments(parts: Any) -> list[tuple[Any, ...]]:
    return [part.arguments() for part in parts]


def _checkpoint(path: str, contents: Any, skipped: Any = ()) -> Checkpoint:
    values, fields = contents
    shapes = {name: tuple(shape) for name, (shape, _) in fields.items()}
    dtypes = {name: dtype for name, (_, dtype) in fields.items()}
    return Checkpoint(Path(path), dict(values), shapes, dtypes, skipped=tuple(skipped))


def _targets(comm: MPI.Intracomm, fields: Any, found: Checkpoint) -> dict[str, Part]:
    """Arrays to read into: the given ones where possible, else new ones. Collective."""

    def make() -> dict[str, Any]:
        targets = {}
        for name, value in named(fields).items():
            with naming(name):
                same_ranks(comm, value, name)
                targets[name] = _target(name, value, found)
        return targets

    return converted(comm, make)


def _is_slices(value: Any) -> bool:
    return isinstance(value, tuple | list) and all(isinstance(part, slice) for part in value)


def _target(name: str, value: Any, found: Checkpoint) -> Part:
    if not _is_slices(value):
        array, slices, shape = pieces_of(value, name)
        if isinstance(array, np.ndarray) and not array.flags.writeable:
            raise Error(f"{name}: the array is read-only; give slices to get a new one")
        return checked_part(name, array, slices, shape)
    if name not in found.shapes:
        known = ", ".join(found.shapes) or "none"
        raise FileError(f'the checkpoint "{found.path}" has no field "{name}"; it has {known}')
    extents, ranges = checked_place(name, value, found.shapes[name])
    inside(ranges, extents, f"{name}: slices")
    array = empty(tuple(hi - lo for lo, hi in ranges), found.dtypes[name])
    return Part(name, array, extents, ranges)


def _filled(found: Checkpoint, targets: dict[str, Part], wanted: Any) -> Checkpoint:
    """The checkpoint with its fields. Given arrays that could not be read into receive copies."""
    for name, part in targets.items():
        array = part.array
        if not _is_slices(wanted[name]):
            array = pieces_of(wanted[name], name)[0]
            if not np.shares_memory(array, part.array):
                array[...] = part.array
        found.fields[name] = array
    return found
