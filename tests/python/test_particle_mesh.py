"""ParticleMesh beside the closed form of B-splines and exact forces, on one rank and on several."""

import itertools
from pathlib import Path

import numpy as np
import pytest
import weft
from mpi4py import MPI
from on_ranks import on_ranks
from particle_cases import check, expected_shares

SCRIPT = """\
    import sys

    sys.path[:0] = [{folder!r}, {folder!r} + "/.."]
    import numpy as np
    import weft
    from mpi4py import MPI
    from particle_cases import check

    world = MPI.COMM_WORLD
    for order in range(1, 9):
        check(world, order, ("periodic", "even:odd", "unbounded")[order % 3], axes=1 + order % 3)

    # Two masses in free space, 11 spacings from each other, perhaps on different ranks.
    n, pair = 32, np.array([[0.31, 0.5, 0.47], [0.66, 0.48, 0.52]])
    away = pair[1] - pair[0]
    exact = 2 * away / np.linalg.norm(away) ** 3
    size = np.linalg.norm(exact)
    solver = weft.VectorPoisson((n,) * 3, (1.0,) * 3, ["unbounded"] * 3, kernel="truncated")
    for order in (2, 5, 8):
        points = solver.scalar_field()
        mesh = weft.ParticleMesh(points, solver.spacing, origin=0.5 / n, order=order, boundary="unbounded")
        mine = slice(world.rank, None, world.size)
        here, mass = mesh.migrate(pair[mine], np.array([1.0, 2.0])[mine])
        field = -4 * np.pi * solver.solve_gradient(mesh.deposit(here, mass) * n**3)
        force = mass[:, None] * mesh.gather(field, here)
        found = {{tuple(x): f for part in world.allgather(list(zip(here.tolist(), force))) for x, f in part}}
        first, second = (found[tuple(x)] for x in pair.tolist())
        # Both add up to 0 to rounding: the field next to a mass is (n r)^2 = 126 times as large, and transforms of 64^3
        # points err by log2(64^3) = 18 rounding errors.
        assert np.abs(first + second).max() < 18 * 126 * 2.0**-52 * size, (first, second)
        # The mesh has no waves beyond pi / h. There the splines of both ways together have the factor (2 / pi)^(2
        # order), and the ripple of such waves falls by one power of h / r less than the force.
        bound = 2 * (2 / np.pi) ** (2 * order) / (n * np.linalg.norm(away))
        assert np.linalg.norm(first - exact) < bound * size, (order, first, exact)
    print("done" if world.rank == 0 else "", end="")
"""


@pytest.mark.parametrize("ranks", [2, 4])
def test_particles_on_ranks(ranks, tmp_path):
    assert on_ranks(ranks, SCRIPT.format(folder=str(Path(__file__).parent)), tmp_path) == "done"


@pytest.mark.parametrize("dtype", ["float64", "float32"])
@pytest.mark.parametrize(("order", "boundary"), list(itertools.product((1, 2, 3, 4, 7, 8), ("periodic", "even:odd"))))
def test_particles_on_one_rank(order, boundary, dtype):
    check(MPI.COMM_SELF, order, boundary, axes=2, dtype=dtype)


@pytest.mark.parametrize("order", range(1, 9))
def test_shares_are_b_splines(order):
    n, h, x0 = 12, 0.25, 0.1
    mesh = weft.ParticleMesh(weft.Field.zeros((n,), comm=MPI.COMM_SELF), h, origin=x0, order=order)
    for x in np.linspace(-4, 4, 33):
        shares = mesh.deposit(np.array([[x]]), 2.0)
        # The closed form adds terms of up to 4^7 / 7! * 56 = 182, each with a rounding error or two.
        np.testing.assert_allclose(shares, 2 * expected_shares((x - x0) / h, n, order), rtol=0, atol=2e-13)


def test_threads_add_up_what_they_have():
    u = weft.Field.zeros((6, 5), comm=MPI.COMM_SELF)
    x = np.random.default_rng(1).random((500, 2))
    one, three = (weft.ParticleMesh(u, (1 / 6, 0.2), order=3, threads=threads) for threads in (1, 3))
    # A point adds up at most 500 shares of at most 1, in another order.
    np.testing.assert_allclose(one.deposit(x), three.deposit(x), rtol=500 * 2.0**-52)
    assert np.array_equal(one.gather(u.local + 1, x), three.gather(u.local + 1, x))


def test_wrong_arguments():
    u = weft.Field.zeros((8, 8), comm=MPI.COMM_SELF)
    for options, message in (
        ({"order": 0}, "order: 0"),
        ({"order": 9}, "order: 9"),
        ({"margin": -1}, "margin: -1"),
        ({"spacing": 0.0}, "spacing: 0"),
        ({"spacing": (0.1,) * 3}, "spacing: 3 entries"),
        ({"origin": np.inf}, "origin"),
        ({"centring": "node"}, "node was given for a periodic axis"),
        ({"boundary": "soft"}, "soft"),
        ({"dtype": "int32"}, "dtype"),
    ):
        with pytest.raises(weft.Error, match=message):
            weft.ParticleMesh(u, **({"spacing": 0.125} | options))
    with pytest.raises(weft.Error, match="1 to 3 axes"):
        weft.ParticleMesh(weft.Field.zeros((2, 2, 2, 2), comm=MPI.COMM_SELF), 0.5)
    with pytest.raises(weft.Error, match="layout: int"):
        weft.ParticleMesh(3, 0.5)


def test_wrong_particles():
    u = weft.Field.zeros((8, 8), comm=MPI.COMM_SELF)
    mesh = weft.ParticleMesh(u, 0.125, origin=0.0625, boundary="unbounded", order=4)
    middle = np.full((2, 2), 0.5)
    for positions, message in (
        (np.array([[0.5, 0.5], [0.5, np.nan]]), "particle 1 .*not finite"),
        (np.array([[0.5, 0.1]]), "its cloud reaches"),
        (middle[:, :1], r"give a numpy array of \(particles, 2\)"),
        (middle.astype("f4"), "float32"),
    ):
        with pytest.raises(weft.Error, match=message):
            mesh.deposit(positions)
    with pytest.raises(weft.Error, match="charges: this cannot be used"):
        mesh.deposit(middle, np.ones(3))
    with pytest.raises(weft.Error, match="another layout"):
        mesh.gather(weft.Field.zeros((8, 7), comm=MPI.COMM_SELF), middle)
    with pytest.raises(weft.Error, match="values has shape"):
        mesh.gather(np.zeros((8, 7)), middle)
    moves = mesh.migration(middle)
    assert "2 -> 2" in repr(moves) and "order 4" in mesh.explain()
    with pytest.raises(weft.Error, match="each of 2 particles"):
        moves.forward(np.zeros(3))
    with pytest.raises(weft.Error, match="out has shape"):
        mesh.deposit(middle, out=np.zeros(3))
