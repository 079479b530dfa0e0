"""Replaces mpi4py's MPI where a wheel of Weft finds no MPI library: a single rank.

It has the names of mpi4py that this package uses, with mpi4py's meaning for one rank. Its communicators are not
mpi4py communicators.
"""

import ctypes
from itertools import count
from typing import Any

import numpy as np

COMM_TYPE_SHARED = 0
IDENT, CONGRUENT = 0, 1
MAX, MIN, SUM, LAND, LOR, BOR = range(6)
IN_PLACE = object()

# Smaller than the numbers of the library's own communicators (runtime_mpi/serial.cpp).
_numbers = count(1)


class Comm:
    """A communicator of this process alone."""

    rank, size = 0, 1
    _keyvals = count()

    def __init__(self) -> None:
        self._number = ctypes.c_uint64(next(_numbers))
        self._attributes: dict[int, Any] = {}

    @property
    def handle(self) -> int:
        return self._number.value

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Comm) and self.handle == other.handle

    def __hash__(self) -> int:
        return id(self)

    def __bool__(self) -> bool:
        return self.handle != 0

    @staticmethod
    def Compare(a: "Comm", b: "Comm") -> int:
        return IDENT if a is b else CONGRUENT

    @classmethod
    def Create_keyval(cls, copy_fn: Any = None, delete_fn: Any = None, nopython: bool = False) -> int:
        return next(cls._keyvals)

    def Get_attr(self, keyval: int) -> Any:
        return self._attributes.get(keyval)

    def Set_attr(self, keyval: int, value: Any) -> None:
        self._attributes[keyval] = value

    def Dup(self, info: Any = None) -> "Intracomm":
        return Intracomm()

    def Split_type(self, split_type: int, key: int = 0, info: Any = None) -> "Intracomm":
        return Intracomm()

    def Free(self) -> None:
        """Turns this into COMM_NULL. What the library keeps for the communicator stays until the process ends."""
        self._attributes.clear()
        self._number.value = 0

    def Barrier(self) -> None:
        pass

    def Abort(self, errorcode: int = 0) -> None:
        raise SystemExit(errorcode)

    def allreduce(self, sendobj: Any, op: Any = SUM) -> Any:
        return sendobj

    def bcast(self, obj: Any, root: int = 0) -> Any:
        return obj

    def gather(self, sendobj: Any, root: int = 0) -> list[Any]:
        return [sendobj]

    def allgather(self, sendobj: Any) -> list[Any]:
        return [sendobj]

    def Allreduce(self, sendbuf: Any, recvbuf: Any, op: Any = SUM) -> None:
        if sendbuf is not IN_PLACE:
            np.copyto(recvbuf, np.reshape(sendbuf, np.shape(recvbuf)))

    def Allgather(self, sendbuf: Any, recvbuf: Any) -> None:
        self.Allreduce(sendbuf, recvbuf)


class Intracomm(Comm):
    """A communicator of this process alone."""


COMM_WORLD, COMM_SELF = Intracomm(), Intracomm()
COMM_NULL = Intracomm()
COMM_NULL.Free()


def _addressof(comm: Comm) -> int:
    return ctypes.addressof(comm._number)


def Is_initialized() -> bool:
    return True


def Is_finalized() -> bool:
    return False


def Finalize() -> None:
    pass


def Get_library_version() -> str:
    return "none (one rank)"
