"""Chebyshev points from Python: numpy's series, exact solutions between walls, several ranks, wrong arguments."""

import numpy as np
import pytest
import weft
from mpi4py import MPI
from numpy.polynomial import chebyshev as series
from on_ranks import on_ranks

EPS = np.finfo(float).eps
A, B = -0.5, 2.0


def interpolated(n, function, a=A, b=B):
    """numpy's Chebyshev series on [a, b] of the polynomial through the values at n points."""
    return np.polynomial.Chebyshev.fit(weft.chebyshev_points(n, a, b), function, n - 1, domain=(a, b))


@pytest.mark.parametrize("n", [2, 3, 16, 33])
def test_points_and_weights_are_those_of_numpy(n):
    t = weft.chebyshev_points(n, A, B)
    assert (t[0], t[-1]) == (A, B)
    np.testing.assert_allclose(t, (A + B) / 2 + (B - A) / 2 * series.chebpts2(n), rtol=0, atol=4 * EPS)
    # The integral of T_k from -1 to 1 is 2 / (1 - k^2) for even k, else 0: weights for the values of all T_k.
    k = np.arange(n)
    integrals = np.where(k % 2 == 0, 2 / (1.0 - k**2 + (k == 1)), 0.0)
    found = weft.chebyshev_weights(n) @ series.chebvander(weft.chebyshev_points(n), n - 1)
    np.testing.assert_allclose(found, integrals, rtol=0, atol=n * EPS)
    np.testing.assert_allclose(weft.chebyshev_weights(n, A, B), weft.chebyshev_weights(n) * (B - A) / 2, rtol=4 * EPS)


@pytest.mark.parametrize("dtype", ["float64", "float32"])
@pytest.mark.parametrize("kinds", [("dct1",), ("c2c", "dct1"), ("r2c", "dct1", "c2c"), ("dct1", "r2c")])
def test_derivatives_and_integrals_are_those_of_numpy(kinds, dtype):
    shape = (6, 12, 4)[: len(kinds)] if len(kinds) > 1 else (12,)
    plan = weft.Plan(shape, kinds, dtype=dtype)
    axis = kinds.index("dct1")
    n = shape[axis]
    rng = np.random.default_rng(1)
    u = rng.standard_normal(shape) + (1j * rng.standard_normal(shape) if plan.physical_dtype.kind == "c" else 0)
    u = u.astype(plan.physical_dtype)
    t = weft.chebyshev_points(n, A, B)
    moved = np.moveaxis(u, axis, 0).reshape(n, -1).astype(complex if plan.physical_dtype.kind == "c" else float)
    lines = series.chebfit(weft.chebyshev_points(n), moved, n - 1)

    def expected(coefficients):
        values = series.chebval(weft.chebyshev_points(n), coefficients).T
        return np.moveaxis(values.reshape(n, *np.delete(shape, axis)), 0, axis)

    # Derivatives of T_k are at most k^2 at the ends, and those of order m at most (k^2)^m / (2 m - 1)!!.
    eps, half = np.finfo(dtype).eps, (B - A) / 2
    for order in (1, 2, 3):
        exact = expected(series.chebder(lines, order, scl=1 / half))
        found = plan.derivative(u, axis, order, chebyshev=(A, B))
        assert found.dtype == u.dtype
        assert abs(found - exact).max() <= 20 * n * eps * (n**2 / half) ** order
    exact = expected(series.chebint(lines, scl=half, lbnd=-1))
    field = plan.physical_field(u)
    found = plan.integral(field, -len(shape) + axis, chebyshev=(A, B))
    assert abs(found.local - exact).max() <= 20 * n * eps
    last = np.take(found.local, -1, axis)
    assert abs(last - np.tensordot(weft.chebyshev_weights(n, A, B), u, (0, axis))).max() <= 20 * n * eps
    assert plan.workspace_bytes > 0
    assert np.array_equal(field.local, u)
    assert t.size == n


def channel(n, boundary, **options):
    """Periodic along x, Chebyshev points along z from 0 to 2."""
    return weft.Poisson((8, n), (1.0, 2.0), ["periodic", boundary], centring=("cell", "chebyshev"), **options)


def test_solution_has_the_derivatives_of_its_right_hand_side():
    # The coefficients of u'' - s u are those of f, but for the last two: the tau method.
    n, screening = 13, 3.0
    one = channel(n, ("odd", "even"), screening=screening)
    f = np.random.default_rng(2).standard_normal(one.shape)
    u = one.solve(f)
    plan = weft.Plan(one.shape, ("r2c", "dct1"), comm=MPI.COMM_SELF)
    lap = plan.derivative(u, 1, 2, chebyshev=(0, 2)) + plan.apply(u, -((2 * np.pi * plan.wavenumbers()[0]) ** 2))
    rest = series.chebfit(series.chebpts2(n + 1), (lap - screening**2 * u - f).T, n)
    assert abs(rest[:-2]).max() <= 1e-11  # second derivatives multiply rounding by n^4 / 3
    assert abs(rest[-2:]).max() > 1e-2
    assert abs(u[:, 0]).max() <= 10 * EPS
    assert abs(plan.derivative(u, 1, chebyshev=(0, 2))[:, -1]).max() <= 1e-12


def test_errors_fall_to_rounding():
    def error(n, **options):
        one = channel(n, "odd", **options)
        x, z = one.points()
        # Shear layers of the width 1 / 4: convergence by a factor a point, until rounding.
        u = (1 + np.cos(2 * np.pi * x)) * np.tanh(4 * (z - 1)) * np.sin(np.pi * z / 2)
        t, s = np.tanh(4 * (z - 1)), np.pi / 2
        bend = -32 * t * (1 - t**2) * np.sin(s * z) + 8 * (1 - t**2) * s * np.cos(s * z) - s**2 * t * np.sin(s * z)
        f = (1 + np.cos(2 * np.pi * x)) * bend - (2 * np.pi) ** 2 * np.cos(2 * np.pi * x) / (
            1 + np.cos(2 * np.pi * x)
        ) * u
        return abs(one.solve(f.astype(one.dtype)) - u).max()

    errors = [error(n) for n in (16, 32, 64, 128)]
    # Poles of tanh at a distance pi / 8: coefficients fall by pi / 8 + sqrt(1 + (pi / 8)^2) = 1.467 each.
    fall = (np.pi / 8 + np.hypot(1, np.pi / 8)) ** 16
    assert errors[1] < 4 * errors[0] / fall
    assert errors[2] < 4 * errors[1] / fall**2
    assert errors[3] <= 100 * EPS
    assert error(128, dtype="float32") <= 100 * np.finfo(np.float32).eps


def test_slip_at_walls_and_given_values():
    # u = cos(2 pi x) (z^2 + 1) + 3 with u + du/dn / 2 at the left and du/dn at the right wall.
    one = channel(4, ("odd", "even"), robin=(0.5, 0.0))
    x, z = one.points()
    wave = np.cos(2 * np.pi * x)
    ends = {(1, "left"): wave + 3, (1, "right"): 4 * wave}
    u = one.solve(2 * wave - (2 * np.pi) ** 2 * wave * (z**2 + 1), ends=ends)
    assert abs(u - wave * (z**2 + 1) - 3).max() <= 100 * EPS
    # Values at the walls are met to the last bit.
    one = channel(4, "odd")
    u = one.solve(np.zeros(one.shape), ends={(1, "left"): 0.1, (1, "right"): wave})
    assert (u[:, 0] == 0.1).all()
    assert np.array_equal(u[:, -1:], wave)


def test_means_count_points_by_their_weights():
    one = channel(9, "even")
    x, z = one.points()
    f = one.field(z**3 + np.cos(2 * np.pi * x))
    assert f.mean() == pytest.approx(2, rel=10 * EPS)
    u = one.solve(f)
    assert abs(u.mean()) <= 10 * EPS
    # u'' = z^3 - 2 with slopes 0 at both walls.
    exact = z**5 / 20 - z**2 - np.cos(2 * np.pi * x) / (2 * np.pi) ** 2
    exact -= one.field(exact).mean()
    assert abs(u.local - exact).max() <= 100 * EPS
    with pytest.raises(weft.Error, match="rhs: its mean is"):
        channel(9, "even", mean="error").solve(f)
    # With what the integral of f needs at one wall there is nothing to take out.
    v = channel(9, "even", mean="error").solve(f, ends={(1, "right"): 4})
    exact = z**5 / 20 - np.cos(2 * np.pi * x) / (2 * np.pi) ** 2
    exact -= one.field(exact).mean()
    assert abs(v.local - exact).max() <= 100 * EPS


def test_what_a_solver_knows(tmp_path):
    one = channel(8, "odd")
    assert np.array_equal(one.points()[1].ravel(), weft.chebyshev_points(9, 0, 2))
    assert one.local_volumes().sum() == pytest.approx(8)
    assert "Chebyshev" in one.explain()
    assert "chebyshev" in repr(one)
    one.field().save(tmp_path / "u.h5", xdmf=True)
    assert 'TopologyType="3DRectMesh"' in (tmp_path / "u.xdmf").read_text()
    assert weft.predict_solve((8, 8), ["periodic", "odd"], ranks=4, centring=("cell", "chebyshev")).seconds > 0


RANKS = """\
    import numpy as np
    import weft
    from mpi4py import MPI

    world = MPI.COMM_WORLD
    for axis in range(3):
        shape, kinds = [6, 5, 8], ["c2c", "c2c", "c2c"]
        shape[axis], kinds[axis] = 9, "dct1"
        alone, plan = (weft.Plan(shape, kinds, comm=comm) for comm in (MPI.COMM_SELF, world))
        cut = weft.Plan(shape, kinds, physical_box=tuple(
            slice(world.rank * n // world.size, (world.rank + 1) * n // world.size) if i == axis else slice(0, n)
            for i, n in enumerate(shape)))
        whole = np.random.default_rng(1).standard_normal(shape) + 1j
        for order in (1, 2):
            one = alone.derivative(whole, axis, order, chebyshev=(0, 3))
            for many in (plan, cut):
                mine = np.ascontiguousarray(whole[many.physical_slices])
                found = many.derivative(mine, axis, order, chebyshev=(0, 3))
                assert np.array_equal(found, one[many.physical_slices]), (axis, order)
        one, many = (p.integral(whole[p.physical_slices].copy(), axis, chebyshev=(0, 3)) for p in (alone, cut))
        assert np.array_equal(many, one[cut.physical_slices]), axis

    last = world.rank == world.size - 1
    for ends in ((0, 1 if last else 2), (0, None if last else 1)):
        try:
            plan.derivative(plan.physical(), 2, chebyshev=ends)
            raise AssertionError("not refused")
        except weft.Error as error:
            text = str(error).split(" (on rank")[0]
        assert all(text == other for other in world.allgather(text)), text
        assert "ends" in text or "chebyshev" in text, text

    # Values at walls, given for the points of each rank, on any number of ranks.
    def solution(comm):
        one = weft.Poisson((6, 8, 9), (1.0, 1.0, 1.0), ["periodic", "odd", ("even", "odd")], comm=comm,
                           centring=("cell", "cell", "chebyshev"), robin=(0, 0.25))
        x, y, z = one.points()
        return one, one.solve(np.sin(5 * x + y * z), ends={(2, "left"): y + 0 * x, (2, "right"): x * y})
    (one, u), (many, v) = solution(MPI.COMM_SELF), solution(world)
    assert np.array_equal(v, u[many.local_slices])
    print("right") if world.rank == 0 else None
"""


def test_ranks_change_no_bit(tmp_path):
    assert on_ranks(3, RANKS, tmp_path) == "right"


@pytest.mark.parametrize(
    ("call", "parts"),
    [
        (lambda p: p.derivative(p.physical(), 1, chebyshev=5), ["chebyshev", "(-1.0, 1.0)"]),
        (lambda p: p.derivative(p.physical(), 1, chebyshev=(0, 1, 2)), ["chebyshev: 3 entries"]),
        (lambda p: p.derivative(p.physical(), 1, chebyshev=(1, 0)), ["a, b: 1 and 0 given"]),
        (lambda p: p.derivative(p.physical(), 0, chebyshev=(0, 1)), ["axis 0 of kind r2c", "dct1"]),
        (lambda p: p.derivative(p.physical(), 1, 0, chebyshev=(0, 1)), ["order: 0"]),
        (lambda p: p.derivative(p.physical(), 1, 1, (1, 1), chebyshev=(0, 1)), ["lengths", "omit"]),
        (lambda p: p.integral(p.physical()[1:], 1, chebyshev=(0, 1)), ["u has shape (5, 7)"]),
        (lambda p: weft.chebyshev_points(1), ["n: 1 given", "2 points"]),
        (lambda p: weft.chebyshev_weights(5, 1, 1), ["a, b: 1 and 1 given"]),
        (lambda p: channel(8, "periodic"), ["boundary of axis 1", "Chebyshev points"]),
        (
            lambda p: weft.Halo(p.physical_field(), 1, "even", centring="chebyshev"),
            ["centring of axis", "cell or node"],
        ),
        (
            lambda p: weft.VectorPoisson((8, 8), (1, 1), ["periodic", "odd"], centring=("cell", "chebyshev")),
            ["centring of axis 1", "vector field"],
        ),
    ],
)
def test_wrong_arguments_are_named(call, parts):
    with pytest.raises(weft.Error) as caught:
        call(weft.Plan((6, 7), ("r2c", "dct1")))
    text = " ".join(str(caught.value).split())
    assert all(part in text for part in parts), text


def test_truncated_and_in_place_plans_are_refused():
    plan = weft.Plan((6, 7), ("r2c", "dct1"), modes=(0, 5))
    with pytest.raises(weft.Error, match="chebyshev: given for axis 1, whose modes are truncated"):
        plan.derivative(plan.physical(), 1, chebyshev=(0, 1))
    plan = weft.Plan((7, 6), ("dct1", "r2c"), in_place=True)
    with pytest.raises(weft.Error, match="u is an in-place field"):
        plan.integral(plan.in_place_field(), 0, chebyshev=(0, 1))
