"""On every rank of several hosts: everything that is written by all ranks, into a folder that the hosts do not share.

Each must be refused, on every rank with the same words, which name the host and the folder, and must leave the folder
as it was. Rank 0 prints JSON.

usage: mpiexec ... python writes.py FOLDER HOST
"""

import json
import os
import sys
from collections.abc import Callable
from pathlib import Path

import weft
from mpi4py import MPI

FOLDER, HOST = Path(sys.argv[1]), sys.argv[2]


def refusal(write: Callable[[], object]) -> str:
    """What this rank is told."""
    try:
        write()
    except weft.FileError as error:
        return str(error)
    return "no error"


def main() -> None:
    """Tries all of them."""
    comm = MPI.COMM_WORLD
    field = weft.Field.zeros((8, 8, 8))
    written = {
        "Field.save .h5": lambda: field.save(FOLDER / "u.h5"),
        "Field.save .npy": lambda: field.save(FOLDER / "u.npy"),
        "save_checkpoint": lambda: weft.save_checkpoint(FOLDER / "state.h5", {"u": field}),
        "CheckpointFolder.save": lambda: weft.CheckpointFolder(FOLDER / "run").save(1, {"u": field}),
        "TimeSeries": lambda: weft.TimeSeries(FOLDER / "series.xdmf", (8, 8, 8), (1.0, 1.0, 1.0)),
    }
    rows = []
    for name, write in written.items():
        texts = comm.allgather(refusal(write))
        left = comm.allgather(sorted(os.listdir(FOLDER)))
        ok = len(set(texts)) == 1 and HOST in texts[0] and str(FOLDER) in texts[0] and "not shared" in texts[0]
        rows.append({"what": name, "ok": ok and not any(left), "text": texts[0], "left": left})
    if comm.rank == 0:
        print(json.dumps(rows))


main()
