"""LocalBuffer and Plan of pfft-python: this rank's memory, and transforms from one such memory to another."""

from typing import Any

import numpy as np

from weft._arguments import agreed
from weft.compat.pfft._names import Direction, Flags, Type
from weft.compat.pfft._partition import Partition
from weft.errors import Error
from weft.plan import Plan as _Plan


class LocalBuffer:
    """Memory of this rank for points or modes of a partition, or that of another buffer (`base`).

    view_input and view_output are arrays over it, of points and of modes; view_raw is all of it as real numbers.
    Raises Error if the other buffer is of another size.
    """

    def __init__(self, partition: Partition, base: "LocalBuffer | None" = None) -> None:
        if base is not None and base._memory.size != partition.alloc_local:
            given, wanted = base._memory.size, partition.alloc_local
            raise Error(f"base: a buffer of {given} numbers, but the partition needs {wanted}; give one of its own")
        self.partition, self.base = partition, base
        memory = np.zeros(partition.alloc_local, partition.o_dtype) if base is None else base._memory
        self._memory: np.ndarray = memory
        self.address = self._memory.ctypes.data

    def __contains__(self, other: "LocalBuffer") -> bool:
        return self.address == other.address

    def view_raw(self, type: type = np.ndarray) -> Any:
        """All numbers of the buffer, real and imaginary parts in turn."""
        return self._memory.view(self.partition.type.precision).view(type)

    def view_input(self, type: type = np.ndarray) -> Any:
        """The points, of shape local_i_shape."""
        partition = self.partition
        return self._view(partition.local_i_shape, partition.local_i_strides, partition.i_dtype).view(type)

    def view_output(self, type: type = np.ndarray) -> Any:
        """The modes, of shape local_o_shape."""
        partition = self.partition
        return self._view(partition.local_o_shape, partition.local_o_strides, partition.o_dtype).view(type)

    def _view(self, shape: np.ndarray, strides: np.ndarray, dtype: np.dtype) -> np.ndarray:
        return np.ndarray(tuple(shape), dtype, self._memory.data, strides=tuple(strides))


class Plan:
    """A transform between buffers of a partition: Plan(partition, Direction.FORWARD, points, modes). Collective.

    direction  forward from points to modes, backward from modes to points. Neither divides: backward after forward is
               the product of all n times the points.
    i, o       buffers of the partition; o is i, for a transform in place, unless it is given.
    type       that of the partition, or its inverse for backward, which are the defaults.
    flags      how long planning may search: ESTIMATE, MEASURE, PATIENT, EXHAUSTIVE; those of the partition by default.

    The input is preserved, unless the transform is in place. Raises Error on every rank.
    """

    def __init__(
        self,
        partition: Partition,
        direction: int,
        i: LocalBuffer,
        o: LocalBuffer | None = None,
        type: int | None = None,
        flags: int | None = None,
    ) -> None:
        comm = partition.procmesh.comm
        given = agreed(comm, lambda: _arguments(partition, direction, type, flags))
        self.direction, self.type = Direction(given["direction"]), Type(given["type"])
        self.flags = Flags(given["flags"])
        self.inplace = int(o is None or o in i)
        self.partition = partition
        is_forward = self.direction == Direction.FORWARD
        self._plan = _Plan(
            tuple(int(n) for n in partition.n),
            "c2c" if partition.type in (Type.C2C, Type.C2CF) else "r2c",
            comm=comm,
            physical_box=partition.local_i_slice,
            spectral_box=partition.local_o_slice,
            grid=_grid(partition),
            scheme="block",
            dtype=partition.type.precision,
            norm="backward" if is_forward else "forward",  # the direction that this plan has does not divide
            effort=_effort(self.flags),
        )

    def execute(self, i: LocalBuffer, o: LocalBuffer | None = None) -> None:
        """Transforms the contents of the buffer i into the buffer o, which is i unless it is given. Collective."""
        o = i if o is None else o
        is_forward = self.direction == Direction.FORWARD
        start = i.view_input() if is_forward else i.view_output()
        end = o.view_output() if is_forward else o.view_input()
        # Rows of points that are not padded begin elsewhere than those of modes.
        is_free = o not in i or self.partition.is_padded or start.dtype == end.dtype
        (self._plan.forward if is_forward else self._plan.backward)(start if is_free else start.copy(), end)


def _grid(partition: Partition) -> list[int] | None:
    """The grid of the plan that has these parts without moving data; None where the plan may choose one."""
    mesh = partition.procmesh
    return [int(size) for size in mesh.np] if 0 < mesh.ndim < partition.ndim else None


def _arguments(partition: Partition, direction: int, type_: int | None, flags: int | None) -> dict[str, Any]:
    """The arguments of a plan as plain values. Raises Error at a type that does not go with the direction."""
    if direction not in (Direction.FORWARD, Direction.BACKWARD):
        raise Error(f"direction: {direction}; give Direction.FORWARD or Direction.BACKWARD")
    wanted = partition.type if direction == Direction.FORWARD else partition.type.inverse
    if type_ is not None and int(type_) != wanted:
        text = f"type: {Type(type_).name} in the direction {Direction(direction).name} of a partition for"
        raise Error(f"{text} {partition.type.name}; give {wanted.name}, or None")
    turned = partition.flags ^ (Flags.TRANSPOSED_IN | Flags.TRANSPOSED_OUT)
    is_turned = direction == Direction.BACKWARD and Flags.TRANSPOSED_OUT in partition.flags
    chosen = flags if flags is not None else turned if is_turned else partition.flags
    return {"direction": int(direction), "type": int(wanted), "flags": int(chosen)}


def _effort(flags: Flags) -> str:
    """The effort of weft.Plan that these flags ask for."""
    if flags & Flags.ESTIMATE:
        return "estimate"
    return "patient" if flags & (Flags.PATIENT | Flags.EXHAUSTIVE) else "measure"
