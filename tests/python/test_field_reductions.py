"""Reductions of fields on one rank: exact sums, norms, extremes, Parseval's theorem for every kind, shell spectra."""

import math
from fractions import Fraction

import numpy as np
import pytest
import weft
from hypothesis import given, settings
from hypothesis import strategies as st
from mpi4py import MPI
from on_ranks import on_ranks
from reference import numbers, round_trip_bound, transforms
from test_field import whole_field

EPS = np.finfo(float).eps


def exactly(values):
    return float(sum(map(Fraction, np.ravel(values).tolist())))


# --- sums, norms, products


@pytest.mark.parametrize("dtype", ["float64", "float32", "complex128", "complex64"])
def test_sums_are_exact(dtype):
    a = numbers((4, 5, 6), dtype) * 10.0 ** np.arange(-12, 12, 4)
    u = whole_field(a.astype(dtype))
    a = u.local.astype(complex if u.dtype.kind == "c" else float)
    v = whole_field(numbers((4, 5, 6), dtype, seed=1))
    b = v.local.astype(a.dtype)
    assert u.vdot(v) == pytest.approx(np.vdot(a, b).item(), rel=1e-12)
    assert u.dot(v) == pytest.approx(np.sum(a * b).item(), rel=1e-12)
    assert np.vdot(u, v) == u.vdot(v) and np.dot(u, v) == u.dot(v)
    if u.dtype.kind == "c":
        assert u.sum() == complex(exactly(a.real), exactly(a.imag))
        assert u.norm() == math.sqrt(exactly(a.real**2 + a.imag**2))
        assert u.norm(1) == exactly(np.hypot(a.real, a.imag))
        assert u.vdot(u).real == u.norm() ** 2 or math.isclose(u.vdot(u).real, u.norm() ** 2, rel_tol=2 * EPS)
        assert u.vdot(u).imag == 0
        assert u.dot(u) == pytest.approx(complex(np.sum(a * a)), rel=1e-12)
    else:
        assert u.sum() == exactly(a) and u.mean() == exactly(a) / a.size
        assert u.norm() == math.sqrt(exactly(a**2)) and u.norm(1) == exactly(np.abs(a))
        assert u.dot(u) == u.vdot(u) == exactly(a**2)
    assert u.norm(math.inf) == np.abs(a).max()
    assert u.mean_square() == pytest.approx(np.mean(np.abs(a) ** 2), rel=4 * EPS)


@pytest.mark.parametrize("dtype", ["int8", "uint64", "int64", "bool"])
def test_sums_of_integers_are_exact(dtype):
    big = np.iinfo(dtype) if dtype != "bool" else None
    a = np.array([[big.max, big.max], [big.min, 3]], dtype) if big else np.array([[True, False], [True, True]])
    u = whole_field(a)
    assert u.sum() == sum(a.ravel().tolist())
    assert u.dot(u) == sum(x * x for x in a.ravel().tolist())
    assert u.max() == a.max() and u.min() == a.min()


def test_numpys_names():
    a = numbers((4, 5), float)
    u = whole_field(a)
    assert (np.sum(u), np.mean(u), np.max(u), np.min(u)) == (u.sum(), u.mean(), a.max(), a.min())
    assert np.vdot(u, u) == u.vdot(u) and np.linalg.norm(u) == u.norm()
    assert np.all(u == u) and not np.any(u != u)


@pytest.mark.parametrize(
    ("values", "total", "norm"),
    [([1, np.inf], np.inf, np.inf), ([np.inf, -np.inf], np.nan, np.inf), ([np.nan, 1], np.nan, np.nan)],
)
def test_what_is_not_finite(values, total, norm):
    u = whole_field(np.array(values))
    np.testing.assert_equal(u.sum(), total)
    np.testing.assert_equal(u.norm(), norm)


def test_sums_beyond_the_largest_double():
    assert whole_field(np.array([1.7e308, 1.7e308])).sum() == math.inf
    assert whole_field(np.array([1.7e308, 1.7e308, -1.7e308])).sum() == 1.7e308


def test_extremes_and_where_they_are():
    a = np.array([[0.0, 3.0, -2.0], [3.0, -2.0, 1.0]])
    u = whole_field(a)
    assert u.max_location() == (3.0, (0, 1)) and u.min_location() == (-2.0, (0, 2))
    a[1, 1] = np.nan
    value, index = u.max_location()
    assert math.isnan(value) and index == (1, 1) and math.isnan(u.min())
    # The memory may lie in any order.
    assert whole_field(np.asfortranarray([[1, 5], [5, 1]])).max_location() == (5, (0, 1))


# --- spectra as wholes


def test_half_spectra_count_as_whole_ones():
    plan = weft.Plan((6, 5, 8), "r2c", effort="estimate")
    a, b = numbers((6, 5, 8), float), numbers((6, 5, 8), float, seed=1)
    u, v = plan.forward(plan.physical_field(a)), plan.forward(plan.physical_field(b))
    whole, other = np.fft.fftn(a), np.fft.fftn(b)
    size = np.linalg.norm(whole) * np.linalg.norm(other) * 1e-13
    assert u.sum() == pytest.approx(np.sum(whole).real, abs=size)
    assert u.mean() == pytest.approx(np.mean(whole).real, abs=size)
    assert u.norm() == pytest.approx(np.linalg.norm(whole), rel=1e-13)
    assert u.norm(1) == pytest.approx(np.abs(whole).sum(), rel=1e-13)
    assert u.vdot(v) == pytest.approx(np.vdot(whole, other).real, abs=size)
    assert u.dot(v) == pytest.approx(np.sum(whole * other).real, abs=size)
    assert (abs(u) ** 2).sum() == pytest.approx(np.sum(np.abs(whole) ** 2), rel=1e-13)
    # Parseval
    assert u.norm() ** 2 == pytest.approx(a.size * plan.physical_field(a).norm() ** 2, rel=1e-13)


@st.composite
def truncated(draw):
    """A shape, kinds, and how many modes are kept."""
    shape, kinds = draw(transforms())
    least = [2 if kind == "dct1" else 1 for kind in kinds]
    kept = [0 if kind == "none" else draw(st.integers(m, n)) for kind, m, n in zip(kinds, least, shape, strict=True)]
    return shape, kinds, draw(st.sampled_from([None, tuple(kept)]))


@settings(max_examples=300, deadline=None, derandomize=True)
@given(truncated(), st.sampled_from(["backward", "forward", "ortho"]))
def test_parseval_holds_for_all_kinds(example, norm):
    shape, kinds, modes = example
    plan = weft.Plan(shape, kinds, modes=modes, norm=norm, effort="estimate", comm=MPI.COMM_SELF)
    u = plan.physical_field(numbers(shape, plan.physical_dtype))
    uh = plan.forward(u)
    back = plan.backward(uh)
    bound = 2 ** len(shape) * round_trip_bound(kinds, shape, EPS) * np.linalg.norm(u.local)
    # The mean divides by the number of points, n, n - 1 or n + 1 an axis; at least 1.
    assert abs(math.sqrt(back.mean_square()) - math.sqrt(uh.mean_square())) <= bound + 8 * EPS * u.norm()
    if modes is None:
        assert abs(math.sqrt(u.mean_square()) - math.sqrt(uh.mean_square())) <= bound + 8 * EPS * u.norm()
    k, energy = uh.spectrum()
    assert energy.sum() == pytest.approx(uh.mean_square(), rel=1e-13)
    assert k.tolist() == list(range(k.size))


def test_norms_of_spectra_obey_parseval_where_points_count_alike():
    shape, kinds = (5, 6, 7), ("dct2", "dst1", "r2c")
    plan = weft.Plan(shape, kinds, effort="estimate")
    u = plan.physical_field(numbers(shape, float))
    # 2n, 2(n + 1) and n.
    assert plan.forward(u).norm() ** 2 == pytest.approx(10 * 14 * 7 * u.norm() ** 2, rel=1e-13)


@pytest.mark.parametrize(
    ("kind", "mean"),
    [("dct1", lambda x: np.trapezoid(x) / 6), ("dct2", np.mean), ("dct3", lambda x: (np.sum(x) - x[0] / 2) / 7)],
)
def test_means_of_squares_are_those_of_the_mirrored_points(kind, mean):
    plan = weft.Plan(7, kind, effort="estimate")
    a = numbers(7, float)
    assert plan.physical_field(a).mean_square() == pytest.approx(mean(a**2), rel=1e-14)


# --- solvers on nodes

MEANS = """\
    import numpy as np
    import weft
    from mpi4py import MPI

    cells, length = (8, 6, 4), (1.0, 2.0, 3.0)


    def close(found, expected):
        # Products of cosines and weights are rounded once each, and so are their sums and the factor.
        assert abs(found - expected) < 2e-15 * max(1, expected), (found, expected)


    def waves(solver):
        # A period of a cosine where the axis is periodic, half of one elsewhere.
        periodic = [pair == ("periodic", "periodic") for pair in solver.boundary]
        pairs = zip(solver.points(), length, periodic, strict=True)
        return [np.cos((1 + whole) * np.pi * x / span) for x, span, whole in pairs]


    for boundary in (["even"] * 3, ["odd"] * 3, ["periodic"] * 3, ["unbounded"] * 3,
                     ["periodic", ("even", "odd"), "unbounded"]):
        for centring in (["node"] * 3, ["cell"] * 3, ["node", "cell", "node"]):
            solver = weft.Poisson(cells, length, boundary, centring=centring)
            u = solver.field()
            points = np.prod(u.global_shape)
            u[...] = 3
            assert (u.mean(), u.sum(), u.norm(1), u.dot(u)) == (3, 3 * points, 3 * points, 9 * points)
            close(u.mean_square(), 9)
            assert (u.weights() == 1).all() and (u > 0).mean() == 1 and (u > 0).sum() == points
            u[...] = np.prod(np.broadcast_arrays(*waves(solver)), axis=0)
            close(u.mean(), 0)
            close(u.mean_square(), 1 / 8)
            close((u**2).mean(), 1 / 8)
            for axis, wave in enumerate(waves(solver)):
                u[...] = wave + 2
                close(u.mean(), 2)
                close(u.mean_square(), 4.5)
                u[...] = 1 - wave**2
                close(u.mean(), 0.5)
                kept = u.gather(None)
                assert u.sum() == weft.Field(kept, [slice(0, n) for n in kept.shape], kept.shape, MPI.COMM_SELF).sum()

    vectors = weft.VectorPoisson(cells, length, ["periodic", "periodic", "unbounded"], centring="node")
    s, v = vectors.scalar_field(), vectors.vector_field()
    x, y, z = vectors.points()
    s[...] = np.cos(2 * np.pi * x) + np.cos(np.pi * z / 3)
    close(s.mean(), 0)
    close(s.mean_square(), 1)
    v.local[...] = np.stack([s.local, 2 + 0 * s.local, -s.local])
    close(v.mean(), 2 / 3)  # of all components
    close(v.mean_square(), 6)  # summed over them
    assert v.sum() == 2 * np.prod(s.global_shape)
    if MPI.COMM_WORLD.rank == 0:
        print("done")
    """


@pytest.mark.parametrize("ranks", [1, 2])
def test_means_on_nodes_are_those_over_the_domain(tmp_path, ranks):
    assert on_ranks(ranks, MEANS, tmp_path) == "done"


def test_a_mean_on_nodes_is_the_trapezoidal_rule():
    solver = weft.Poisson((4, 2), (1.0, 1.0), ("even", "periodic"), centring="node")
    u = solver.field(np.array([[1.0, 2, 64], [3, 5, 64], [7, 11, 64], [13, 17, 64], [19, 23, 64]]))
    rows = np.array([3, 8, 18, 30, 42])  # without the repeated point
    assert u.mean() == np.mean(u) == np.trapezoid(rows) / 8 == 78.5 / 8
    squares = np.array([5, 34, 170, 458, 890])
    assert u.mean_square() == np.trapezoid(squares) / 8
    assert u.sum() == 101 + 5 * 64 and u.norm(1) == u.sum()
    for anything in (np.inf, np.nan):
        u.local[:, -1] = anything
        assert u.mean() == 78.5 / 8 and u.mean_square() == np.trapezoid(squares) / 8
    # Points of plans are points, whatever the kind.
    assert weft.Plan(5, "dct1").physical_field(np.arange(5.0) ** 2).mean() == 6


# --- shells


@pytest.mark.parametrize("norm", ["backward", "forward", "ortho"])
@pytest.mark.parametrize("kinds", ["r2c", "c2c", "dct1", "dct2"])
def test_a_single_mode_is_in_its_shell(kinds, norm):
    plan = weft.Plan((12, 16, 10), kinds, norm=norm, effort="estimate")
    u = plan.physical_field()
    x, y, _ = u.coordinates()
    u[...] = 3 * np.cos(3 * x) * np.cos(4 * y)
    k, energy = plan.forward(u).spectrum()
    # sqrt(3^2 + 4^2), and 3^2 times the means of two squared cosines.
    assert k[5] == 5 and energy[5] == pytest.approx(9 / 4, rel=1e-13)
    assert np.delete(energy, 5).max() < 1e-27
    k, energy = plan.forward(u).spectrum(width=2.0)
    # 5 is where the shell around 4 ends and that around 6 begins, which has it.
    assert k[3] == 6 and energy[3] == pytest.approx(9 / 4, rel=1e-13)
    half = np.pi if kinds.startswith("dct") else 2 * np.pi
    k, energy = plan.forward(u).spectrum(lengths=(half / 2, half / 3, half))
    assert energy[round(math.hypot(6, 12))] == pytest.approx(9 / 4, rel=1e-13)


def test_shells_are_those_of_the_whole_spectrum():
    plan = weft.Plan((8, 9, 10), "r2c", effort="estimate")
    a = numbers((8, 9, 10), float)
    k, energy = plan.forward(plan.physical_field(a)).spectrum()
    whole = np.abs(np.fft.fftn(a) / a.size) ** 2
    shells = np.rint(np.sqrt(sum(q**2 for q in np.meshgrid(*[n * np.fft.fftfreq(n) for n in a.shape], indexing="ij"))))
    expected = [whole[shells == shell].sum() for shell in range(k.size)]
    np.testing.assert_allclose(energy, expected, rtol=1e-12)
    assert shells.max() == k[-1]


def test_components_add_up():
    vector = weft.Plan((3, 6, 8), ("none", "c2c", "r2c"), batch_axes=(0,), effort="estimate")
    plan = weft.Plan((6, 8), "r2c", effort="estimate")
    a = numbers((3, 6, 8), float)
    uh = vector.forward(vector.physical_field(a))
    one, *others = (plan.forward(plan.physical_field(part)) for part in a)
    k, energy = uh.spectrum()
    assert len(uh.wavenumbers()) == 2 and uh.wavenumbers()[0].shape == (1, 6, 1)
    np.testing.assert_allclose(energy, one.spectrum(*others)[1], rtol=1e-13)
    mean = np.mean(np.sum(a**2, axis=0))
    assert energy.sum() == pytest.approx(mean, rel=1e-13)
    assert vector.physical_field(a).mean_square() == pytest.approx(mean, rel=1e-13)


def test_float_and_double_have_the_same_shells():
    for dtype in ("float32", "float64"):
        plan = weft.Plan((16, 16, 16), "r2c", dtype=dtype, effort="estimate")
        k, energy = plan.forward(plan.physical_field(numbers((16, 16, 16), dtype))).spectrum()
        assert energy.dtype == float and k.size == 15
