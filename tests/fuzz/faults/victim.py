"""A job that one rank of is going to be killed in, and a look at what it has left.

victim.py KIND FOLDER           works until it is killed; makes FOLDER/ready where it begins
victim.py check FOLDER          exit status 1 where files are damaged
"""

import os
import sys
import time
import xml.etree.ElementTree as xml
from collections.abc import Callable
from contextlib import redirect_stdout
from pathlib import Path

import numpy as np
import weft
from mpi4py import MPI
from PIL import Image
from weft.cli.solve import Options, run

from fuzz.faults.injection import KILLED, Fault, Injector

COMM = MPI.COMM_WORLD
SHAPE = (48, 32, 40)
WHOLE = tuple(slice(0, n) for n in SHAPE)
CASE = """cells = [40, 40, 40]
length = [1.0, 1.0, 1.0]
boundary = ["unbounded", "unbounded", "unbounded"]
rhs = "exp(-9*x*x)"
"""


def _plan(number: int) -> None:
    plan = weft.Plan((32 + number % 7, 48, 40), "r2c", strategy=weft.strategies()[number % len(weft.strategies())])
    plan.forward(plan.physical())


def _unnamed(number: int) -> None:
    """Ends rank 0 where it has a name for the memory of the node, and no memory yet."""
    weft.Plan((8, 8), "r2c", strategy="alltoallv")
    if COMM.rank == 0:
        # Making the name and giving it its size are the first two calls.
        Injector().arm(Fault("killed", how=KILLED), 3, "/dev/shm/weft-")
    weft.Plan((32, 48, 40), "r2c", strategy="shared")


def _in_place(number: int) -> None:
    plan = weft.Plan((64, 64, 32 + 2 * (number % 7)), "r2c", in_place=True)
    field = plan.in_place_field()
    plan.forward(field)
    plan.backward(field)


def _tune(folder: Path) -> None:
    weft.tune((32, 32, 32), "r2c", effort="patient", budget=1, save=folder / "tuning.toml")


def _solver(strategy: str) -> Callable[[], object]:
    solver = weft.Poisson((48, 48, 48), (1.0,) * 3, ("unbounded",) * 3, strategy=strategy)
    rhs = np.ones(solver.local_shape)
    return lambda: solver.solve(rhs)


def _field(number: int) -> weft.Field:
    field = weft.Field.zeros(SHAPE)
    field.local[...] = number
    return field


def _save(folder: Path, number: int) -> None:
    _field(number).save(folder / "u.h5", "u", xdmf=True)
    _field(number).save(folder / "u.npy")


def _checkpoint(folder: Path, number: int, compression: int) -> None:
    run_folder = weft.CheckpointFolder(folder / "run", keep=2, compression=compression)
    run_folder.save(number, {"u": _field(number), "v": _field(number + 1)}, {"n": number})


def _series(folder: Path) -> Callable[[int], None]:
    series = weft.TimeSeries(folder / "run.xdmf", SHAPE, (0.1,) * 3)
    return lambda number: series.append(float(number), {"u": _field(number)})


def _plot(folder: Path) -> None:
    with open(os.devnull, "w") as nowhere, redirect_stdout(nowhere):
        run(Options(folder / "case.toml", "auto", folder / "out", True, False, 1), COMM)


def work(kind: str, folder: Path) -> None:
    """The same again and again."""
    if kind in ("solve", "shared solve"):
        solve = _solver("alltoallv" if kind == "solve" else "shared")
    if kind == "series":
        append = _series(folder)
    if kind == "plot" and COMM.rank == 0:
        (folder / "case.toml").write_text(CASE)
    steps: dict[str, Callable[[int], object]] = {
        "between name and memory": _unnamed,
        "plan": _plan,
        "in place": _in_place,
        "tune": lambda n: _tune(folder),
        "solve": lambda n: solve(),
        "shared solve": lambda n: solve(),
        "save": lambda n: _save(folder, n),
        "checkpoint": lambda n: _checkpoint(folder, n, 0),
        "packed checkpoint": lambda n: _checkpoint(folder, n, 1),
        "series": lambda n: append(n),
        "plot": lambda n: _plot(folder),
    }
    COMM.Barrier()
    if COMM.rank == 0:
        (folder / "ready").touch()
    end, number = time.monotonic() + 100, 0
    while COMM.bcast(time.monotonic() < end):
        number += 1
        steps[kind](number)


def _same(values: np.ndarray) -> int:
    """The value of all elements."""
    assert (values == values.flat[0]).all()
    return int(values.flat[0])


def _check_checkpoints(folder: Path) -> None:
    run_folder = weft.CheckpointFolder(folder, comm=MPI.COMM_SELF)
    for step in run_folder.steps():
        found = weft.load_checkpoint(run_folder.path(step), {"u": WHOLE, "v": WHOLE}, comm=MPI.COMM_SELF)
        assert _same(found.fields["u"]) == _same(found.fields["v"]) - 1 == found.values["n"] == step


def _check_series(path: Path) -> None:
    steps = len(xml.parse(path).getroot().findall(".//Grid[@GridType='Uniform']"))
    for step in range(steps):
        assert _same(weft.Field.load(path.with_name(f"run-{step:06d}.h5"), "u", comm=MPI.COMM_SELF).local) == step + 1
    assert len(weft.TimeSeries(path, SHAPE, (0.1,) * 3, resume=1e9, comm=MPI.COMM_SELF).times) == steps


def _check_results(folder: Path) -> None:
    for path in folder.glob("*.h5"):
        weft.Field.load(path, "solution", comm=MPI.COMM_SELF)
    for path in folder.glob("[!.]*.png"):
        with Image.open(path) as picture:
            picture.load()
    for path in folder.glob("*.xdmf"):
        xml.parse(path)


def check(folder: Path) -> None:
    """Whether what is there is whole; whoever needs memory of the node removes what others have left there."""
    weft.Plan((8, 8), "r2c", strategy="shared")
    if COMM.rank > 0:
        return
    if (folder / "run").exists():
        _check_checkpoints(folder / "run")
    if (folder / "run.xdmf").exists():
        _check_series(folder / "run.xdmf")
    for name in ("u.h5", "u.npy"):
        if (folder / name).exists():
            assert _same(weft.Field.load(folder / name, comm=MPI.COMM_SELF).local) > 0
    if (folder / "u.xdmf").exists():
        xml.parse(folder / "u.xdmf")
    if (folder / "out").exists():
        _check_results(folder / "out")
    if (folder / "tuning.toml").exists():
        weft.Plan((4, 4), "c2c", tuning=folder / "tuning.toml", comm=MPI.COMM_SELF)


if __name__ == "__main__":
    if sys.argv[1] == "check":
        check(Path(sys.argv[2]))
    else:
        work(sys.argv[1], Path(sys.argv[2]))
