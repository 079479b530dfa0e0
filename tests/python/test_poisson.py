"""Poisson on one rank: eigenfunctions of every bounded boundary, mirror images at unbounded ones, and the arrays."""

import itertools
import math

import numpy as np
import pytest
import weft
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from reference import numbers

EIGENFUNCTIONS = {
    "periodic": lambda m: (2 * math.pi * m, np.cos),
    ("even", "even"): lambda m: (math.pi * m, np.cos),
    ("odd", "odd"): lambda m: (math.pi * (m + 1), np.sin),
    ("odd", "even"): lambda m: (math.pi * (m + 0.5), np.sin),
    ("even", "odd"): lambda m: (math.pi * (m + 0.5), np.cos),
}


def rounding(solver, amplification):
    """Bound on |error| / |u| in the 2-norm: direct sums along each axis, there and back, of at most 2 (2N + 2) points
    (padded to twice the length where unbounded), as in reference.py, times what the problem amplifies."""
    eps = np.finfo(solver.dtype).eps
    one_way = sum(2 * math.sqrt(2) * (2 * n + 4) * math.sqrt(4 * (n + 1)) for n in solver.cells)
    return 2 * one_way * 2 ** len(solver.cells) * eps * amplification


def condition(solver):
    """Largest over smallest eigenvalue: k^2 of the shortest wave that the points carry, and of a quarter of a wave in
    the longest axis."""
    shortest = sum((math.pi / h) ** 2 for h in solver.spacing)
    return shortest / (math.pi / 2 / max(solver.length)) ** 2


@st.composite
def bounded_problems(draw):
    """Cells, lengths, boundaries, centrings and one mode per axis that the points can carry."""
    axes = draw(st.integers(2, 3))
    cells = [draw(st.integers(4, 12)) for _ in range(axes)]
    lengths = [draw(st.sampled_from([0.5, 1.0, 3.0])) for _ in range(axes)]
    boundaries = [draw(st.sampled_from(list(EIGENFUNCTIONS))) for _ in range(axes)]
    centrings = [draw(st.sampled_from(["cell", "node"])) for _ in range(axes)]
    # At N/2 waves in N cells a periodic cosine is the Nyquist mode, at N - 1 the others are the last that both
    # centrings have.
    modes = [
        draw(st.integers(0, (n - 1) // 2 if ends == "periodic" else n - 2))
        for n, ends in zip(cells, boundaries, strict=True)
    ]
    return cells, lengths, boundaries, centrings, modes


@settings(max_examples=100, deadline=None, derandomize=True)
@given(bounded_problems(), st.sampled_from(["float64", "float32"]), st.sampled_from(["auto", "lanes", "fftw"]))
def test_eigenfunctions_of_bounded_problems(problem, dtype, engine):
    cells, lengths, boundaries, centrings, modes = problem
    waves = [EIGENFUNCTIONS[ends](m) for ends, m in zip(boundaries, modes, strict=True)]
    wavenumber2 = sum((k / length) ** 2 for (k, _), length in zip(waves, lengths, strict=True))
    assume(wavenumber2 > 0)
    solver = weft.Poisson(cells, lengths, boundaries, centring=centrings, dtype=dtype, engine=engine)
    u = np.ones(solver.local_shape)
    for (k, function), x, length in zip(waves, solver.points(), lengths, strict=True):
        u = u * function(k / length * x)
    rhs = np.ascontiguousarray(-wavenumber2 * u, solver.dtype)
    # Rounding spreads the right-hand side over all modes; those of the longest wave are amplified most.
    smallest = min((math.pi / 2 / length) ** 2 for length in lengths)
    bound = rounding(solver, wavenumber2 / smallest) * np.linalg.norm(u)
    solution = solver.solve(rhs)
    assert solution.dtype == dtype and solution.shape == solver.local_shape
    assert np.linalg.norm(solution - u) <= bound


# --- unbounded boundaries


def mirrored(values, axis, sign, centring):
    """The array on the whole axis whose part x > 0 is given, with its image at x < 0."""
    image = np.flip(values, axis)
    if centring == "node":
        image = np.delete(image, -1, axis)  # the plane x = 0 is its own image
    return np.concatenate([sign * image, values], axis)


@pytest.mark.parametrize("centring", ["cell", "node"])
@pytest.mark.parametrize(("ends", "sign"), [("even", 1), ("odd", -1)])
@pytest.mark.parametrize("axis", [0, 1, 2])
def test_mirror_plane_is_an_image_charge(axis, ends, sign, centring):
    cells, boundary = [6, 6, 6], ["unbounded"] * 3
    boundary[axis] = (ends, "unbounded")
    half = weft.Poisson(cells, [0.5] * 3, boundary, centring=centring)
    cells[axis], lengths = 12, [0.5] * 3
    lengths[axis] = 1.0
    whole = weft.Poisson(cells, lengths, ["unbounded"] * 3, centring=centring)
    rhs = numbers(half.local_shape, float)
    if ends == "odd" and centring == "node":
        np.moveaxis(rhs, axis, 0)[0] = 0  # the odd image of the plane x = 0 is its negative
    expected = whole.solve(np.ascontiguousarray(mirrored(rhs, axis, sign, centring)))
    solution = mirrored(half.solve(rhs), axis, sign, centring)
    # Both are the same sum of sources times the Green's function.
    assert np.linalg.norm(solution - expected) <= rounding(whole, condition(whole)) * np.linalg.norm(expected)


def gaussian_error(cells):
    """Largest error of the potential of a Gaussian charge in free space, and the spacing."""
    sigma = 0.08
    solver = weft.Poisson([cells] * 3, [1.0] * 3, ["unbounded"] * 3)
    r = np.sqrt(sum((x - 0.5) ** 2 for x in solver.points()))
    rho = np.exp(-(r**2) / (2 * sigma**2)) / (2 * math.pi * sigma**2) ** 1.5
    erf = np.vectorize(math.erf)(r / (math.sqrt(2) * sigma))
    potential = -erf / (4 * math.pi * r)
    return np.max(np.abs(solver.solve(rho) - potential)) / np.max(rho), 1 / cells, sigma


def test_error_in_free_space_is_that_of_the_kernel():
    # chat2 errs by 0.0333676 h^2 f to leading order (the energy of a cubic lattice, 2.8372975 / (4 pi), less that of
    # the sphere of equal volume, (3 / (4 pi))^(2/3) / 2); the next term is smaller by about (h / sigma)^2.
    leading = 2.8372974794806 / (4 * math.pi) - (3 / (4 * math.pi)) ** (2 / 3) / 2
    for cells in (24, 48):
        error, h, sigma = gaussian_error(cells)
        assert abs(error / (leading * h**2) - 1) <= (h / sigma) ** 2


def test_two_dimensions_with_one_periodic_axis():
    # A wave along x, a Gaussian across y: an error of second order falls by four when the spacing halves, and the next
    # order changes that by about (h / sigma)^2.
    sigma, k = 0.1, 2 * math.pi
    errors = []
    for cells in (32, 64):
        solver = weft.Poisson([cells, cells], [1.0, 1.0], ["periodic", "unbounded"])
        x, y = solver.points()
        g = np.exp(-((y - 0.5) ** 2) / (2 * sigma**2))
        rhs = np.cos(k * x) * g * (((y - 0.5) / sigma**2) ** 2 - 1 / sigma**2 - k**2)
        errors.append(np.max(np.abs(solver.solve(np.ascontiguousarray(rhs)) - np.cos(k * x) * g)))
    # At the ends g is exp(-12.5) of its peak, far below these errors.
    assert abs(errors[0] / errors[1] / 4 - 1) <= (1 / 32 / sigma) ** 2


# --- the zero mode, arrays, description


@pytest.mark.parametrize("centring", ["cell", "node"])
def test_mean_is_ignored_and_zero_where_it_is_free(centring):
    solver = weft.Poisson((8, 6), (1.0, 2.0), ("periodic", "even"), centring=centring)
    assert solver.mean_is_free
    x, y = solver.points()
    rhs = np.ascontiguousarray(-((2 * math.pi) ** 2) * np.cos(2 * math.pi * x) * np.ones_like(y))
    solution = solver.solve(rhs)

    def bound(f):
        # Rounding errors of the size of f may lie in the longest wave, pi / 2 along y.
        return rounding(solver, (2 / math.pi) ** 2) * np.linalg.norm(f)

    assert np.linalg.norm(solution - np.cos(2 * math.pi * x)) <= bound(rhs)
    assert np.linalg.norm(solver.solve(rhs + 5) - solution) <= bound(rhs) + bound(rhs + 5)
    assert not weft.Poisson((8, 6), (1.0, 2.0), ("periodic", "odd")).mean_is_free


def test_points_and_shapes():
    solver = weft.Poisson(
        (4, 5, 6), (1.0, 2.0, 3.0), ["periodic", "odd", "unbounded"], centring=("cell", "node", "cell")
    )
    x, y, z = solver.points()
    assert [p.shape for p in (x, y, z)] == [(4, 1, 1), (1, 6, 1), (1, 1, 6)]
    assert solver.shape == solver.local_shape == (4, 6, 6)
    assert solver.local_slices == (slice(0, 4), slice(0, 6), slice(0, 6))
    assert solver.spacing == (0.25, 0.4, 0.5)
    # Whole or half multiples of the spacing, rounded once or twice.
    np.testing.assert_allclose(x.ravel(), (np.arange(4) + 0.5) / 4, rtol=2 * np.finfo(float).eps)
    np.testing.assert_allclose(y.ravel(), np.arange(6) * 0.4, rtol=2 * np.finfo(float).eps)
    assert solver.strategy == "none" and solver.workspace_bytes > 0 and solver.threads >= 1
    assert solver.setup_seconds > 0 and "axis" in solver.explain()


def test_one_boundary_stands_for_all_axes():
    one, each = (weft.Poisson((8, 6, 5), (1.0, 2.0, 1.5), ends) for ends in ("odd", ("odd", ("odd", "odd"), "odd")))
    assert one.boundary == each.boundary == (("odd", "odd"),) * 3
    rhs = np.random.default_rng(3).standard_normal(one.local_shape)
    np.testing.assert_array_equal(one.solve(rhs), each.solve(rhs))


def test_right_hand_side_is_preserved_and_results_are_new():
    solver = weft.Poisson((6, 6, 6), (1.0, 1.0, 1.0), ("odd", ("even", "unbounded"), "periodic"))
    rhs = numbers(solver.local_shape, float)
    kept = rhs.copy()
    first, second = solver.solve(rhs), solver.solve(2 * rhs)
    assert np.array_equal(rhs, kept)
    assert np.array_equal(second, 2 * first) and not np.shares_memory(first, second)
    out = np.empty_like(rhs)
    assert solver.solve(rhs, out=out) is out
    assert np.array_equal(out, first)


@pytest.mark.parametrize(("left", "right"), list(itertools.product(["even", "odd"], repeat=2)))
def test_axes_may_be_exchanged(left, right):
    boundary = [(left, right), "unbounded", "periodic"]
    solver = weft.Poisson((6, 7, 8), (1.0, 1.5, 2.0), boundary)
    turned = weft.Poisson((8, 6, 7), (2.0, 1.0, 1.5), [boundary[2], boundary[0], boundary[1]])
    rhs = numbers(solver.local_shape, float)
    solution = solver.solve(rhs)
    other = turned.solve(np.ascontiguousarray(np.moveaxis(rhs, 2, 0)))
    bound = rounding(solver, condition(solver)) * np.linalg.norm(solution)
    assert np.linalg.norm(np.moveaxis(other, 0, 2) - solution) <= bound
