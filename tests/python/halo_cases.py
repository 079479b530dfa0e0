"""Halos beside numpy.pad: what the layers of a whole array are, and random cases that are the same on every rank."""

from dataclasses import dataclass
from typing import Any

import numpy as np
import weft
from fuzz.meshes import LEFT_ALONE, padded, repeat_nodes
from mpi4py import MPI

DTYPES = ("float32", "float64", "complex64", "complex128")
ENDS = ("periodic", "even", "odd", "unbounded")


@dataclass
class Case:
    """A global array, its layers, and how many points the parts of its axis `cut` have, by rank."""

    shape: tuple[int, ...]
    width: list[tuple[int, int]]
    boundary: list[list[tuple[str, str]]]  # per component
    centring: list[str]
    dtype: str
    cut: int
    bounds: list[int]
    seed: int


def expected(u: np.ndarray, case: Case) -> np.ndarray:
    """The whole array with all its layers, component by component."""
    return np.stack(
        [padded(part, case.width, ends, case.centring) for part, ends in zip(u, case.boundary, strict=True)]
    )


def random_case(random: np.random.Generator, ranks: int) -> Case:
    """Shape, widths up to the points of an axis, boundaries and parts, some of which may be empty."""
    axes = int(random.integers(1, 5))
    shape = tuple(random.integers(2, 8 if axes < 4 else 4, axes).tolist())
    centring = random.choice(["cell", "node"], axes).tolist()
    most = [n if kind == "cell" else n - 1 for n, kind in zip(shape, centring, strict=True)]
    width = [tuple(random.integers(0, min(w, 4) + 1, 2).tolist()) for w in most]
    boundary = []
    for _ in range(random.integers(1, 4)):
        ends = [tuple(random.choice(ENDS, 2).tolist()) for _ in shape]
        boundary.append([(a, a) if "periodic" in (a, b) else (a, b) for a, b in ends])
    cut = int(random.integers(0, axes))
    bounds = [0, *sorted(random.integers(0, shape[cut] + 1, ranks - 1).tolist()), shape[cut]]
    return Case(
        shape, width, boundary, centring, str(random.choice(DTYPES)), cut, bounds, int(random.integers(1 << 30))
    )


def field_of(values: np.ndarray, case: Case, comm: MPI.Intracomm) -> weft.Field:
    """The rank's part of the first component."""
    part = slice(*case.bounds[comm.rank : comm.rank + 2])
    slices = tuple(part if axis == case.cut else slice(0, n) for axis, n in enumerate(case.shape))
    return weft.Field(values[0][slices].copy(), slices, case.shape, comm)


def check(case: Case, comm: MPI.Intracomm, **options: Any) -> None:
    """Exchanges the layers twice, and compares with those of the whole array."""
    random = np.random.default_rng(case.seed)
    whole = random.integers(-90, 90, (len(case.boundary), *case.shape)).astype(case.dtype)
    if case.dtype.startswith("complex"):
        whole += 1j * random.integers(1, 90, whole.shape)
    repeat_nodes(whole, case.boundary, case.centring)
    field = field_of(whole, case, comm)
    halo = weft.Halo(
        field,
        case.width,
        component_boundary=case.boundary,
        centring=case.centring,
        components=len(case.boundary),
        **options,
    )
    u = halo.zeros()
    wanted = np.full(u.shape, LEFT_ALONE, case.dtype)
    if field.local.size:
        window = tuple(slice(s.start, s.stop + sum(w)) for s, w in zip(field.slices, case.width, strict=True))
        wanted = expected(whole, case)[(slice(None), *window)]
    for turn in range(2):
        u[...] = LEFT_ALONE
        halo.interior(u)[...] = whole[(slice(None), *field.slices)]
        if turn:
            halo.start(u)
            halo.interior(u)[...] = 0  # the old values are on the way
            assert halo.finish() is u
            halo.interior(u)[...] = whole[(slice(None), *field.slices)]
        else:
            assert halo.exchange(u) is u
        np.testing.assert_array_equal(u, wanted, err_msg=str(case))
    check_adjoint(halo, comm, random)


def check_adjoint(halo: weft.Halo, comm: MPI.Intracomm, random: np.random.Generator) -> None:
    """Sum of v * exchange(u) is sum of accumulate(v) * u, of whole numbers and hence exactly."""
    u, v = halo.zeros(), halo.zeros()
    halo.interior(u)[...] = random.integers(-9, 9, halo.interior(u).shape)
    v[...] = random.integers(-9, 9, v.shape)
    owned, before = halo.interior(u).copy(), v.copy()
    there = np.sum(before * halo.exchange(u))
    back = np.sum(halo.interior(halo.accumulate(v)) * owned)
    assert comm.allreduce(there) == comm.allreduce(back)
