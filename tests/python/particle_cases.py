"""Particles on a mesh: the charge, the adjoint, who has which particle, and shares by the closed form of B-splines."""

import numpy as np
import weft
from fuzz.meshes import spline
from mpi4py import MPI


def expected_shares(place: float, points: int, order: int) -> np.ndarray:
    """What the points of a periodic axis get of a particle."""
    images = place - np.arange(points)[:, None] + points * np.arange(-9, 10)
    return spline(order, images).sum(axis=1)


def check(comm: MPI.Intracomm, order: int, boundary: str, axes: int, dtype: str = "float64") -> None:
    """Migrates particles of this rank, deposits and gathers them, with everything that has to come out."""
    random = np.random.default_rng(100 * comm.rank + order)
    shape, spacing, origin = (17, 12, 11)[:axes], (0.5, 0.25, 0.1)[:axes], 0.3
    ends = tuple(boundary.split(":")) if ":" in boundary else boundary
    u = weft.Field.zeros(shape, dtype, comm=comm)
    mesh = weft.ParticleMesh(u, spacing, origin=origin, order=order, boundary=[ends] * axes)
    low, high = (-0.5, -0.5) if boundary != "unbounded" else (order / 2 - 1, -order / 2)
    low, high = (low - 30, high + 30) if boundary == "periodic" else (low, high)
    count = 50 + 10 * comm.rank
    places = low + random.random((count, axes)) * (np.array(shape) + high - low)
    x = (origin + places * np.array(spacing)).astype(dtype)
    names = np.arange(count) + 1000 * comm.rank
    charge = random.uniform(0.5, 1, count).astype(dtype)
    moves = mesh.migration(x)
    here, name, q = moves.forward(x), moves.forward(names), moves.forward(charge)
    assert np.array_equal(moves.backward(here), x) and np.array_equal(moves.backward(name), names)
    total = comm.allreduce(count)
    assert comm.allreduce(len(here)) == total and len(set(sum(comm.allgather(name.tolist()), []))) == total

    density = mesh.deposit(here, q)
    assert density.dtype == dtype and density.shape == u.local.shape
    rounding = np.finfo(dtype).eps
    charges, found = comm.allreduce(float(q.sum(dtype="f8"))), comm.allreduce(float(density.sum(dtype="f8")))
    if ":" not in boundary:  # an odd end has the opposite charge beyond it
        # A point adds up at most all particles, and each share has rounding errors of its order.
        assert abs(found - charges) < rounding * (total + 2 * order) * charges
    values = random.uniform(-1, 1, (2, *u.local.shape)).astype(dtype)
    gathered = mesh.gather(values, here)
    assert gathered.shape == (len(here), 2)
    for part in range(2):
        there = comm.allreduce(float(np.sum(density.astype("f8") * values[part])))
        back = comm.allreduce(float(np.sum(q.astype("f8") * gathered[:, part])))
        assert abs(there - back) < rounding * (total + 2 * order) * charges, (there, back)
    assert np.array_equal(mesh.gather(values[0], here), gathered[:, 0])
    if comm.size > 1:
        refuse_strangers(mesh, comm, x)
    # Two points further, a margin takes them all the same, and periodic ends do as well.
    if boundary == "periodic":
        wide = weft.ParticleMesh(u, spacing, origin=origin, order=order, margin=2)
        moved = here + np.array(spacing, dtype) * random.uniform(-1.4, 1.4, here.shape).astype(dtype)
        assert abs(comm.allreduce(float(wide.deposit(moved, q).sum(dtype="f8"))) - charges) < 1e3 * rounding * charges


def refuse_strangers(mesh: weft.ParticleMesh, comm: MPI.Intracomm, x: np.ndarray) -> None:
    """Particles that belong to other ranks are an error on every rank, since some rank has one."""
    try:
        mesh.deposit(x)
    except weft.Error as error:
        assert "migrate the particles before" in str(error), error
    else:
        raise AssertionError("particles of other ranks were taken")
