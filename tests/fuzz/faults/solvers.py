"""Operations on Poisson solvers, scalar and of vectors."""

from functools import partial
from typing import Any

import numpy as np
import weft
from mpi4py import MPI

from fuzz.faults.operation import Operation, near, noise

CELLS = (24, 20, 36)
LENGTH = (1.2, 1.0, 1.8)
_MIXED = ("unbounded", "periodic", ("even", "unbounded"))


def _periodic_solution(rhs: np.ndarray) -> np.ndarray:
    """By numpy, of a right-hand side on a box whose axes are all periodic."""
    waves = [2 * np.pi * np.fft.fftfreq(n, length / n) for n, length in zip(CELLS, LENGTH, strict=True)]
    square = sum(k**2 for k in np.meshgrid(*waves, indexing="ij"))
    square[0, 0, 0] = 1
    modes = -np.fft.fftn(rhs) / square
    modes[0, 0, 0] = 0
    return np.fft.ifftn(modes).real


def _scaled(solver: weft.Poisson, rhs: np.ndarray) -> bool:
    """Whether a solver is linear, which wrong or foreign memory is not."""
    return near(solver.solve(2 * rhs), 2 * solver.solve(rhs))


def _making(name: str, boundary: Any, cells: Any = CELLS, length: Any = LENGTH, **options: Any) -> Operation:
    whole = noise(cells)

    def right(solver: weft.Poisson) -> bool:
        return _scaled(solver, whole[solver.local_slices].copy())

    return Operation(f"Poisson, {name}", lambda: weft.Poisson(cells, length, boundary, threads=1, **options), right)


def making(comm: MPI.Intracomm) -> list[Operation]:
    """Making solvers, and solving with them once."""
    free = ("unbounded",) * 3
    found = [_making(name, _MIXED, kernel=name) for name in ("chat2", "hej4", "hej0", "truncated", "igf")]
    found += [_making(name, free, kernel=name) for name in ("lgf2", "mehr4l")]
    own = weft.kernel_of_distance(lambda r, k: np.exp(-r))
    return [
        *found,
        _making("periodic", ("periodic",) * 3),
        _making("plane", ("periodic", "unbounded"), (40, 36), (1.0, 0.9), kernel="hej2"),
        _making("user's kernel", free, kernel=own),
        Operation(
            "Poisson in place",
            lambda: weft.Poisson(CELLS, LENGTH, ("even", "odd", "periodic"), threads=1, in_place=True).in_place_field(),
            lambda field: not field.values.any(),
        ),
        Operation(
            "VectorPoisson",
            lambda: weft.VectorPoisson(CELLS, LENGTH, ["unbounded"] * 3, threads=1),
            lambda solver: near(solver.curl(np.zeros(solver.vector_shape)), np.zeros(solver.vector_shape)),
        ),
    ]


def solving(comm: MPI.Intracomm) -> list[Operation]:
    """Runs of solvers that are there."""
    whole = noise(CELLS)
    box = weft.Poisson(CELLS, LENGTH, ("periodic",) * 3, threads=1)
    solution = _periodic_solution(whole)[box.local_slices]
    rhs = whole[box.local_slices].copy()
    field = box.field(rhs)
    mixed = weft.Poisson(CELLS, LENGTH, _MIXED, threads=1)
    part = whole[mixed.local_slices].copy()
    reference = mixed.solve(part)
    found = [
        Operation("solve, periodic", lambda: box.solve(rhs), lambda u: near(u, solution)),
        Operation("solve of a Field", lambda: box.solve(field), lambda u: near(u.local, solution)),
        Operation("solve, mixed", lambda: mixed.solve(part), lambda u: np.array_equal(u, reference)),
    ]
    for name, ends in (("periodic", "periodic"), ("free", "unbounded")):
        vectors = weft.VectorPoisson(CELLS, LENGTH, [ends] * 3, threads=1)
        vector = np.stack([noise(CELLS, seed)[vectors.local_slices] for seed in (1, 2, 3)])
        scalar = vector[0].copy()
        inputs = {"gradient": scalar, "solve_gradient": scalar}
        for method in ("solve", "biot_savart", "curl", "divergence", "gradient", "solve_gradient", "project"):
            run, given = getattr(vectors, method), inputs.get(method, vector)
            # What comes without faults: that it is right, others have tested.
            expected = run(given)
            found.append(Operation(f"{method}, {name}", partial(run, given), partial(np.array_equal, expected)))
    return found
