"""What a process holds: bytes of malloc, resident memory, mappings, files, threads, shared memory, communicators."""

import ctypes
import gc
import os
from typing import NamedTuple

from mpi4py import MPI

# malloc's smallest piece: what leaks leaks at least as much. Half of it a round tells a leak from none.
SMALLEST_PIECE = 32
# What is made again and again is kept in pools, by Python, MPI and UCX, which are filled after some hundred rounds. Of
# 5000 rounds a leak of the smallest piece in each, 160 KB, is more than this and half a piece a round, 144 KB.
POOLS = 64 * 1024
PAGE = os.sysconf("SC_PAGESIZE")
MOST_COMMUNICATORS = 3000
# MPI makes communicators of its own, once, when collectives have been called often; a leak is one in every round.
OF_MPI_ITSELF = 4


class _Mallinfo(ctypes.Structure):
    _fields_ = [(name, ctypes.c_size_t) for name in (
        "arena", "ordblks", "smblks", "hblks", "hblkhd", "usmblks", "fsmblks", "uordblks", "fordblks", "keepcost")
    ]  # fmt: skip


_libc = ctypes.CDLL(None)
_libc.mallinfo2.restype = _Mallinfo


class Levels(NamedTuple):
    """Each has to stay what it is, up to what `allowed` says."""

    allocated: int  # bytes that malloc has given out and not got back; with PYTHONMALLOC=malloc those of Python, too
    resident: int  # bytes in memory, when malloc has given back what it can
    mappings: int
    descriptors: int
    threads: int
    shared: int  # files of this process in /dev/shm, and mappings of such files

    @classmethod
    def now(cls) -> "Levels":
        gc.collect()
        info = _libc.mallinfo2()
        _libc.malloc_trim(0)
        with open("/proc/self/status") as file:
            status = dict(line.split(":", 1) for line in file if ":" in line)
        with open("/proc/self/maps") as file:
            maps = file.read().splitlines()
        own = [name for name in os.listdir("/dev/shm") if f"-{os.getpid()}-" in name]
        return cls(
            info.uordblks + info.hblkhd,
            1024 * int(status["VmRSS"].split()[0]),
            len(maps),
            len(os.listdir("/proc/self/fd")),
            int(status["Threads"]),
            len(own) + sum("/dev/shm/" in line for line in maps),
        )


def grown(before: Levels, after: Levels, rounds: int) -> list[str]:
    """What has grown by more than it may in that many rounds, in words.

    Resident memory comes in pages, some of which are used in part: that may be so for the pieces in the pools, too, of
    which each may hold a page of its own that is given back when all others of it are free. A mapping or a file that
    leaks leaks in every round; malloc makes some mappings of its own.
    """
    allowed = Levels(
        allocated=POOLS + rounds * SMALLEST_PIECE // 2,
        resident=POOLS // SMALLEST_PIECE * PAGE // 2 + rounds * SMALLEST_PIECE // 2,
        mappings=rounds // 2,
        descriptors=0,
        threads=0,
        shared=0,
    )
    return [
        f"{name}: {b} -> {a} ({(a - b) / rounds:.1f} a round, allowed are {most} together)"
        for name, b, a, most in zip(Levels._fields, before, after, allowed, strict=True)
        if a - b > most
    ]


def free_communicators() -> int:
    """How many communicators this process can still make: MPICH has some two thousand, Open MPI as many as one likes.

    All come from the same numbers, those of this process alone, too, which need no messages.
    """
    made: list[MPI.Intracomm] = []
    MPI.COMM_SELF.Set_errhandler(MPI.ERRORS_RETURN)
    try:
        while len(made) < MOST_COMMUNICATORS:
            made.append(MPI.COMM_SELF.Dup())
    except MPI.Exception:
        pass
    for copy in made:
        copy.Free()
    return len(made)
