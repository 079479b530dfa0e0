"""The preloaded library from Python: which calls of this process fail."""

import ctypes
import errno
from dataclasses import dataclass
from pathlib import Path

import numpy as np

# Ways in which a call that writes may fail, beside error numbers: see inject_files.cpp.
SHORT, KILLED = -1, -2
FOR_EVER = 1 << 30


@dataclass(frozen=True)
class Fault:
    """What is made to fail.

    name   for the table
    least  bytes from which allocations count; 0: calls that write
    how    an error number, or SHORT
    many   calls that fail, one after the other
    """

    name: str
    least: int = 0
    how: int = 0
    many: int = 1

    @property
    def is_harmless(self) -> bool:
        """Whether the call has to be made again and succeeds then."""
        return self.how in (SHORT, errno.EINTR)


def allocations(least: int) -> list[Fault]:
    """One allocation that fails, as where another process has the memory for a moment; and all from one on."""
    return [Fault("one allocation", least), Fault("all from one on", least, many=FOR_EVER)]


WRITES = [
    Fault("disk full (ENOSPC)", how=errno.ENOSPC, many=FOR_EVER),
    Fault("I/O error (EIO)", how=errno.EIO),
    Fault("not allowed (EACCES)", how=errno.EACCES),
    Fault("half a write", how=SHORT),
    Fault("a signal (EINTR)", how=errno.EINTR),
]


class Injector:
    """Arms the library in this process. Raises OSError where it is not preloaded."""

    def __init__(self) -> None:
        self._library = ctypes.CDLL(None)
        if not hasattr(self._library, "weft_inject_where"):
            raise OSError("libweft_inject is not preloaded; start the ranks with LD_PRELOAD")
        self._library.weft_inject_where.restype = ctypes.c_char_p
        for name in ("weft_inject_allocations_seen", "weft_inject_files_seen"):
            getattr(self._library, name).restype = ctypes.c_long
        self._of_memory = True
        # A size that nothing else asks for, at this moment.
        unlikely = (1 << 20) + 4711
        self._library.weft_inject_learn(ctypes.c_size_t(unlikely))
        np.empty(unlikely, np.uint8)
        np.zeros(unlikely, np.uint8)
        self._library.weft_inject_learn(ctypes.c_size_t(0))

    def arm(self, fault: Fault, first: int, folder: Path | str | None) -> None:
        """Call number `first`, from 1, is the first to fail; of files only those in the folder count."""
        self._of_memory = fault.least > 0
        first_many = ctypes.c_long(first), ctypes.c_long(fault.many)
        if self._of_memory:
            self._library.weft_inject_allocations(*first_many, ctypes.c_size_t(fault.least))
        else:
            self._library.weft_inject_files(*first_many, ctypes.c_int(fault.how), str(folder).encode())

    def end(self) -> tuple[int, int]:
        """Disarms; how many calls failed, and how many were counted."""
        kind = "allocations" if self._of_memory else "files"
        hits = int(getattr(self._library, f"weft_inject_{kind}_end")())
        return hits, int(getattr(self._library, f"weft_inject_{kind}_seen")())

    def where(self) -> str:
        """The functions in which calls failed, the innermost first."""
        return str(self._library.weft_inject_where().decode(errors="replace"))
