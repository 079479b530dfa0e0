"""Operations on files: fields, checkpoints, series, tuning, and the results of `weft solve`.

Each writes to a folder of its own, the number of the call as the value of all elements, so that one can tell afterwards
which call the files are of.
"""

import os
import xml.etree.ElementTree as xml
from collections.abc import Callable
from contextlib import redirect_stdout
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import h5py
import numpy as np
import weft
from mpi4py import MPI
from PIL import Image
from weft.cli.output import replace_file
from weft.cli.solve import Options, run

from fuzz.faults.operation import Operation, slab

SHAPE = (24, 20, 30)
WHOLE = tuple(slice(0, n) for n in SHAPE)


@dataclass
class Writer:
    """What writes to a folder again and again.

    write    the call, given folder and number; collective
    read     of one rank: the number that the files in the folder say, None where they say none
    names    of the files that there are afterwards; None: any but remains of unfinished ones
    several  whether it is several files, of which the first ones may be new when a later one cannot be written
    """

    folder: Path
    write: Callable[[Path, int], Any]
    read: Callable[[Path], int | None]
    names: tuple[str, ...] | None
    several: bool
    number: int = 0
    good: int = 0

    def run(self) -> None:
        """The next call."""
        self.number += 1
        self.write(self.folder, self.number)
        self.good = self.number

    def problem(self) -> str:
        """What is wrong with the folder: files that are damaged, or not of the last call that succeeded, or remains."""
        if self.good == 0:
            return ""
        there = set(os.listdir(self.folder))
        known = {name for name in there if name.endswith((".h5", ".xdmf"))} if self.names is None else set(self.names)
        if there != known:
            return f"the folder has {sorted(there)}, and should have {sorted(known)}"
        try:
            found = self.read(self.folder)
        except Exception as error:
            return f"the files cannot be read: {type(error).__name__}: {error}"
        allowed = {None, self.good, *((self.number,) if self.several else ())}
        return "" if found in allowed else f"the files are of call {found}, and the last that succeeded was {self.good}"


def _one_value(values: Any) -> int:
    """The value of all elements."""
    array = np.asarray(values)
    if array.shape != SHAPE or (array != array.flat[0]).any():
        raise ValueError("elements of several calls")
    return int(array.flat[0])


def _in_hdf5(path: Path) -> int:
    with h5py.File(path) as file:
        return _one_value(file["u"][...])


def _in_xdmf(folder: Path) -> int:
    xml.parse(folder / "u.xdmf")
    return _in_hdf5(folder / "u.h5")


def _in_series(folder: Path) -> int:
    """The number of steps, all elements of whose files are their time."""
    grids = xml.parse(folder / "s.xdmf").getroot().findall("./Domain/Grid/Grid")
    for step, grid in enumerate(grids, 1):
        name, dataset = str(grid.findtext("Attribute/DataItem")).split(":")
        with h5py.File(folder / name) as file:
            if (file[dataset][...] != step).any():
                raise ValueError(f"{name} is not of its step")
    return len(grids)


def _in_checkpoint(path: Path) -> int:
    return _one_value(weft.load_checkpoint(path, {"u": WHOLE}, comm=MPI.COMM_SELF).fields["u"])


def _in_checkpoints(folder: Path) -> int:
    last = weft.CheckpointFolder(folder, comm=MPI.COMM_SELF).restore({"u": WHOLE})
    return 0 if last is None else _one_value(last.fields["u"])


def _in_results(folder: Path) -> None:
    with Image.open(folder / "solution.png") as picture:
        picture.load()
    xml.parse(folder / "solution.xdmf")
    with h5py.File(folder / "solution.h5") as file:
        if not np.isfinite(file["solution"][...]).all():
            raise ValueError("solution.h5 has holes")


def _in_tuning(folder: Path) -> None:
    weft.Plan((6, 4), "r2c", tuning=folder / "t.toml", threads=1, comm=MPI.COMM_SELF)


class Files:
    """The operations that write."""

    def __init__(self, comm: MPI.Intracomm, folder: Path) -> None:
        self.comm, self.folder = comm, folder
        self.slices = (slab(SHAPE[0], comm), *WHOLE[1:])
        self.blocks = [np.zeros(tuple(part.stop - part.start for part in self.slices)) for _ in range(2)]
        self.series: weft.TimeSeries | None = None
        self.case = folder / "case.toml"
        if comm.rank == 0:
            ends = 'boundary = ["odd", "odd", "odd"]'
            self.case.write_text(f'cells = [12, 10, 8]\nlength = [1.2, 1.0, 0.8]\nrhs = "x"\n{ends}\n')
        comm.Barrier()

    def of(self, number: int, block: int = 0) -> weft.Field:
        """A field of this value, in memory that is there before any runs short."""
        self.blocks[block][...] = number
        return weft.Field(self.blocks[block], self.slices, SHAPE, self.comm)

    def _checkpoint(self, folder: Path, number: int, compression: int = 0) -> None:
        fields = {"u": self.of(number), "v": self.of(-number, 1)}
        weft.save_checkpoint(folder / "c.h5", fields, {"n": number}, comm=self.comm, compression=compression)

    def _checkpoint_in_folder(self, folder: Path, number: int) -> None:
        weft.CheckpointFolder(folder, comm=self.comm).save(number, {"u": self.of(number)})

    def _append(self, folder: Path, number: int) -> None:
        if self.series is None:
            self.series = weft.TimeSeries(folder / "s.xdmf", SHAPE, (1.0,) * 3, comm=self.comm)
        step = len(self.series.times) + 1
        self.series.append(step, {"u": self.of(step)})

    def _solve(self, folder: Path, number: int) -> None:
        with open(os.devnull, "w") as nowhere, redirect_stdout(nowhere):
            run(Options(self.case, "auto", folder, True, False, 1), self.comm)

    def _machine(self, folder: Path, number: int) -> None:
        if self.comm.rank == 0:
            replace_file(folder / "machine.toml", lambda file: file.write(f"{number}\n".encode()))

    def _tune(self, folder: Path, number: int) -> None:
        weft.tune((6, 4), "r2c", effort="estimate", threads=1, save=folder / "t.toml", comm=self.comm)

    def operations(self) -> list[Operation]:
        """All of them."""
        return [
            self._made("npy", lambda at, n: self.of(n).save(at / "u.npy"),
                       lambda at: _one_value(np.load(at / "u.npy")), ("u.npy",)),
            self._made("HDF5", lambda at, n: self.of(n).save(at / "u.h5"), lambda at: _in_hdf5(at / "u.h5"), ("u.h5",)),
            self._made("HDF5 and XDMF", lambda at, n: self.of(n).save(at / "u.h5", xdmf=True), _in_xdmf,
                       ("u.h5", "u.xdmf"), several=True),
            self._made("checkpoint", self._checkpoint, lambda at: _in_checkpoint(at / "c.h5"), ("c.h5",)),
            self._made("compressed checkpoint", lambda at, n: self._checkpoint(at, n, 2),
                       lambda at: _in_checkpoint(at / "c.h5"), ("c.h5",)),
            self._made("checkpoint in a folder", self._checkpoint_in_folder, _in_checkpoints, None, several=True),
            self._made("time series", self._append, lambda at: _in_series(at) and None, None, several=True),
            self._made("tuning file", self._tune, _in_tuning, ("t.toml",)),
            self._made("weft solve --plot", self._solve, _in_results,
                       ("solution.h5", "solution.png", "solution.xdmf"), several=True),
            self._made("machine file", self._machine, lambda at: int((at / "machine.toml").read_text()),
                       ("machine.toml",), local=True),
        ]  # fmt: skip

    def _made(
        self,
        name: str,
        write: Any,
        read: Any,
        names: tuple[str, ...] | None,
        several: bool = False,
        local: bool = False,
    ) -> Operation:
        folder = self.folder / name.replace(" ", "-")
        if self.comm.rank == 0:
            folder.mkdir()
        self.comm.Barrier()
        writer = Writer(folder, write, read, names, several)
        return Operation(f"write {name}", writer.run, lambda _: True, local, folder, writer.problem)


def reading(comm: MPI.Intracomm, folder: Path) -> list[Operation]:
    """Reading what is there."""
    slices = (slab(SHAPE[0], comm), *WHOLE[1:])
    u = weft.Field(np.full(tuple(part.stop - part.start for part in slices), 3.0), slices, SHAPE, comm)
    u.save(folder / "u.npy")
    u.save(folder / "u.h5")
    weft.save_checkpoint(folder / "plain.h5", {"u": u}, comm=comm)
    weft.save_checkpoint(folder / "packed.h5", {"u": u}, comm=comm, compression=1)

    def is_three(found: np.ndarray) -> bool:
        return found.shape == u.local.shape and bool((found == 3.0).all())

    found = [
        Operation(f"load {name}", partial(weft.Field.load, folder / name, comm=comm), lambda v: is_three(v.local))
        for name in ("u.npy", "u.h5")
    ]
    found += [
        Operation(
            f"load checkpoint {name}",
            partial(weft.load_checkpoint, folder / name, {"u": slices}, comm=comm),
            lambda v: is_three(v.fields["u"]),
        )
        for name in ("plain.h5", "packed.h5")
    ]
    verify = Operation("verify_checkpoint", lambda: weft.verify_checkpoint(folder / "packed.h5", comm=comm),
                       lambda found: found.shapes == {"u": SHAPE})  # fmt: skip
    return [*found, verify]
