"""Operations on fields: making, arithmetic, reductions, moves."""

import math
from typing import Any, cast

import numpy as np
import weft
from mpi4py import MPI
from weft.norms import errors

from fuzz.faults.operation import Operation, near, noise, slab

SHAPE = (40, 24, 20)


def _equal(expected: Any) -> Any:
    return lambda found: near(found, expected)


def fields(comm: MPI.Intracomm) -> list[Operation]:
    """Of a field of slabs, and of one of modes."""
    whole, other = noise(SHAPE), noise(SHAPE, 2)
    rows = (slab(SHAPE[0], comm), slice(0, SHAPE[1]), slice(0, SHAPE[2]))
    columns = (slice(0, SHAPE[0]), slab(SHAPE[1], comm), slice(0, SHAPE[2]))
    u, v = weft.Field(whole[rows].copy(), rows, SHAPE), weft.Field(other[rows].copy(), rows, SHAPE)
    numbers = weft.Field(np.arange(whole.size).reshape(SHAPE)[rows].copy(), rows, SHAPE)
    plan = weft.Plan(SHAPE, "r2c", threads=1)
    points = plan.physical_field()
    points.local[...] = whole[plan.physical_slices]
    modes: Any = plan.forward(points)
    root = comm.rank == 0
    total, exp = whole.size, cast(Any, np.exp)

    reductions = {
        "sum": (u.sum, math.fsum(whole.ravel())),
        "sum of whole numbers": (numbers.sum, total * (total - 1) // 2),
        "mean": (u.mean, math.fsum(whole.ravel()) / total),
        "norm 1": (lambda: u.norm(1), math.fsum(abs(whole).ravel())),
        "norm 2": (u.norm, math.sqrt(math.fsum((whole**2).ravel()))),
        "norm inf": (lambda: u.norm(math.inf), abs(whole).max()),
        "mean_square of modes": (modes.mean_square, math.fsum((whole**2).ravel()) / total),
        "dot": (lambda: u.dot(v), math.fsum((whole * other).ravel())),
        "vdot of modes": (lambda: modes.vdot(modes), math.fsum((whole**2).ravel()) * total),
        "dot of whole numbers": (lambda: numbers.dot(numbers), total * (total - 1) * (2 * total - 1) // 6),
        "max_location": (lambda: u.max_location()[0], whole.max()),
        "all": (u.all, True),
        "any": (u.any, True),
        "spectrum": (lambda: modes.spectrum()[1].sum(), math.fsum((whole**2).ravel()) / total),
        "error norms": (lambda: errors(u.local, (1.0,) * 3, total, True, comm).removed_mean, whole.mean()),
    }
    moves = {
        "index": (lambda: u[2:30, ::3], whole[2:30, ::3]),
        "gather": (u.gather, whole if root else None),
        "gather to all": (lambda: u.gather(None), whole),
        "from_global": (lambda: weft.Field.from_global(whole if root else None).local, whole[rows]),
        "redistribute_to": (lambda: u.redistribute_to(columns).local, whole[columns]),
        "zeros": (lambda: weft.Field.zeros(SHAPE).local, np.zeros_like(whole[rows])),
        "physical_field": (lambda: plan.physical_field().local, np.zeros(plan.physical_shape)),
    }
    here = {
        "u * v + 1": (lambda: (u * v + 1).local, (whole * other + 1)[rows]),
        "exp": (lambda: exp(u).local, np.exp(whole[rows])),
        "copy": (lambda: u.copy().local, whole[rows]),
        "astype": (lambda: u.astype("complex128").local, whole[rows].astype(complex)),
        "zeros_like": (lambda: u.zeros_like().local, np.zeros_like(whole[rows])),
        "plan.physical": (plan.physical, np.zeros(plan.physical_shape)),
    }
    moves |= _writing(u, whole, other)
    found = [Operation(f"Field, {n}", run, _reduced(expected)) for n, (run, expected) in reductions.items()]
    found += [Operation(f"Field, {n}", run, _moved(expected)) for n, (run, expected) in moves.items()]
    return found + [Operation(f"Field, {n}", run, _equal(e), local=True) for n, (run, e) in here.items()]


def _writing(u: weft.Field, whole: np.ndarray, other: np.ndarray) -> dict[str, tuple[Any, Any]]:
    """What writes elements of another array to fields like u, and what is there then."""
    target, scattered = u.copy(), u.astype("complex128")

    def assigned() -> np.ndarray:
        target[3:30:2] = other[3:30:2]
        return target[...]

    changed = whole.copy()
    changed[3:30:2] = other[3:30:2]
    given = other if u.comm.rank == 0 else None
    return {
        "assignment": (assigned, changed),
        "scatter": (lambda: scattered.scatter(given).local, other[u.slices]),
    }


def _reduced(expected: Any) -> Any:
    """Sums are rounded once, those of squares once more, and spectra have the errors of their transform."""
    return lambda found: math.isclose(abs(found), abs(expected), rel_tol=1e-12)


def _moved(expected: Any) -> Any:
    """Elements that only change their place do not change."""
    return lambda found: found is None if expected is None else np.array_equal(found, expected)
