"""Objects of all kinds, made, used once and dropped: the rounds of each kind. Shapes and strategies take turns."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import weft
from mpi4py import MPI

PERIOD = 36  # rounds until the turns of strategies (9), shapes (4), threads and kinds of objects (2) begin again
WORLD = MPI.COMM_WORLD


def _strategy(i: int) -> str:
    names = weft.strategies()
    return names[i % len(names)]


def _shape(i: int) -> tuple[int, ...]:
    return (12 + i % 4, 10, 8)


def _slab(n: int, axes: int = 1) -> slice:
    """This rank's part of n."""
    return slice(WORLD.rank * n // WORLD.size, (WORLD.rank + 1) * n // WORLD.size)


def plans(i: int) -> None:
    plan = weft.Plan(_shape(i), ("r2c", "c2c")[i % 2], strategy=_strategy(i), threads=1 + i % 2)
    plan.apply(plan.backward(plan.forward(plan.physical())), 2.0)


def plans_in_place(i: int) -> None:
    plan = weft.Plan(_shape(i), ("r2c", "c2c")[i % 2], in_place=True, threads=1)
    field = plan.in_place_field()
    plan.forward(field)
    plan.backward(field)


def plans_by_fftw(i: int) -> None:
    plan = weft.Plan(_shape(i), "r2c", engine="fftw", threads=1)
    plan.forward(plan.physical())


def plans_on_halves(i: int) -> None:
    half = MPI.Intracomm(WORLD.Split(WORLD.rank % 2))
    plan = weft.Plan(_shape(i)[:2], "r2c", comm=half, threads=1)
    plan.forward(plan.physical())
    del plan
    half.Free()


def plans_measured(i: int) -> None:
    """Of one shape: what is measured of the lengths of lines is kept for the life of the process."""
    weft.Plan((6, 5, 4), "r2c", effort="measure", threads=1)


def workspaces(i: int) -> None:
    """Memory that plans share; with the strategy "shared" a window that all ranks of the node see."""
    workspace = weft.Workspace()
    for strategy in ("shared", "alltoallv"):
        plan = weft.Plan(_shape(i), "c2c", workspace=workspace, threads=1, strategy=strategy)
        plan.forward(plan.physical())


def solvers(i: int) -> None:
    kernel = ("chat2", "truncated", "igf", "hej4")[i % 4]
    ends = ("unbounded", "periodic", ("odd", "unbounded"))
    solver = weft.Poisson((8, 8, 6), (1.0, 1.0, 0.75), ends, kernel=kernel, strategy=_strategy(i), threads=1)
    solver.solve(np.ones(solver.local_shape))


def solvers_in_place(i: int) -> None:
    solver = weft.Poisson((8 + i % 4, 6), (1.0, 1.0), ("odd", "periodic"), in_place=True, threads=1)
    solver.solve(solver.in_place_field())


def solvers_of_the_lattice(i: int) -> None:
    solver = weft.Poisson((6, 6 + i % 2, 6), (6.0, 6.0 + i % 2, 6.0), ("unbounded",) * 3, kernel="lgf2", threads=1)
    solver.solve(np.ones(solver.local_shape))


def vector_solvers(i: int) -> None:
    ends = [["periodic", "periodic", ("unbounded", "periodic")[i % 2]]] * 3
    solver = weft.VectorPoisson((6, 6, 6), (1.0,) * 3, ends, threads=1, strategy=_strategy(i))
    solver.curl(np.ones(solver.vector_shape))
    solver.biot_savart(np.ones(solver.vector_shape))


def fields(i: int) -> None:
    u = weft.Field.zeros((20, 10 + i % 4), ("float64", "complex64")[i % 2])
    u[...] = 1.0
    v = u.redistribute_to((slice(0, 20), _slab(10 + i % 4)))
    assert u.sum() == u.global_shape[0] * u.global_shape[1] and (np.exp(v) + v).all() and u[3, 4] == 1
    u.gather(None)


def fields_of_plans(i: int) -> None:
    plan = weft.Plan(_shape(i), "r2c", threads=1)
    modes = plan.forward(plan.physical_field())
    modes.spectrum()
    plan.backward(1j * modes).mean_square()


def redistributions(i: int) -> None:
    moves = weft.Redistribution((_slab(24), slice(0, 6)), (slice(0, 24), _slab(6)), strategy=_strategy(i), threads=1)
    moves.backward(moves.forward(np.zeros(moves.from_shape)))
    moves.source()
    moves.forward_source()


def halos(i: int) -> None:
    u = weft.Field.zeros((24, 6))
    halo = weft.Halo(u, 1 + i % 2, ("periodic", "odd")[i % 2], threads=1)
    halo.accumulate(halo.padded(u))
    halo.start(halo.zeros())
    halo.finish()


def meshes_for_particles(i: int) -> None:
    mesh = weft.ParticleMesh(weft.Field.zeros((24, 6)), (1 / 24, 1 / 6), order=1 + i % 8, threads=1)
    x, name = mesh.migrate(np.random.default_rng(i).random((9, 2)), np.arange(9))
    mesh.gather(mesh.deposit(x, 1.0 + name), x)


def tensor_transforms(i: int) -> None:
    t = weft.TensorDft(
        (6, 5, 4 + i % 4), ("r2c", "c2c")[i % 2], threads=1, folding="on", matrix=("own", "circulate")[i % 2]
    )
    t.backward(t.forward(t.physical()))


def errors(i: int) -> None:
    """Constructors and calls that are refused, before or after something was made."""
    attempts: list[Callable[[], Any]] = [
        lambda: weft.Plan((8, 8), "r2c", strategy="x"),
        lambda: weft.Plan((8, 8), "r2c", grid=[3, 7]),
        lambda: weft.Plan((8, 8), "r2c", chunks=-1 if WORLD.rank == 0 else 1),
        lambda: weft.Plan((1 << 14,) * 4, "c2c", strategy=_strategy(i)),
        lambda: weft.Poisson((8, 8), (1.0, 1.0), ("unbounded",) * 2, kernel="none"),
        lambda: weft.Plan((8, 8), "r2c").forward(np.zeros(3)),
        lambda: weft.TensorDft((4, 4, 4), mesh=(9, 9, 9)),
        lambda: weft.Field.zeros((4, 4))[9],
    ]
    for attempt in attempts:
        try:
            attempt()
        except weft.Error:
            continue
        raise AssertionError("this was accepted")


def checkpoints(i: int, folder: Path) -> None:
    whole = (8, 5)
    mine = (_slab(8), slice(0, 5))
    u = np.full((mine[0].stop - mine[0].start, 5), float(i))
    kept = weft.CheckpointFolder(folder / "run", keep=2)
    kept.save(i, {"u": (u, mine, whole)}, {"x": 1.5})
    kept.restore({"u": mine})


def files(i: int, folder: Path) -> None:
    u = weft.Field.zeros((8, 5))
    for name in ("u.h5", "u.npy"):
        u.save(folder / name)
        weft.Field.load(folder / name)


MAKERS: dict[str, Callable[[int], None]] = {
    made.__name__.replace("_", " "): made
    for made in (
        plans, plans_in_place, plans_by_fftw, plans_on_halves, plans_measured, workspaces, solvers, solvers_in_place,
        solvers_of_the_lattice, vector_solvers, fields, fields_of_plans, redistributions, halos,
        meshes_for_particles, tensor_transforms, errors,
    )
}  # fmt: skip
# Rounds that take long, and how many others count for one of them.
SLOW = {"plans measured": 20, "solvers of the lattice": 5}
IN_FOLDERS: dict[str, Callable[[int, Path], None]] = {"checkpoints": checkpoints, "files": files}
