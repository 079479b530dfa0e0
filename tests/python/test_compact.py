"""A finite-difference axis of order 4: its rows derived once more by exactness, quartics, the order, and integrals."""

import numpy as np
import pytest
import weft

EPS = np.finfo(float).eps
UNEVEN = np.array([0.05, 0.06, 0.09, 0.12, 0.18, 0.2, 0.13, 0.1, 0.07])  # 1 in all
EQUAL = np.full(9, 1 / 9)
ENDS = [
    (("periodic", "periodic"), (0.0, 0.0)),
    (("odd", "odd"), (0.0, 0.0)),
    (("even", "even"), (0.0, 0.0)),
    (("odd", "even"), (0.0, 0.0)),
    (("odd", "odd"), (0.1, 0.7)),
    (("even", "odd"), (0.0, 2.0)),
]


def middles(widths):
    return np.cumsum([0, *widths[:-1]]) + widths / 2


def stretched(n):
    edges = np.tanh(1.5 * np.linspace(-1, 1, n + 1)) / np.tanh(1.5)
    return np.diff(edges) / 2


def solver(widths, ends, **options):
    """Periodic cells along x, where a wave of one period has the wavenumber 2 pi."""
    return weft.Poisson((8, widths.size), (1.0, 1.0), ["periodic", ends], widths=(None, widths), order=4, **options)


def wave(one):
    return np.cos(2 * np.pi * one.points()[0])


class Rows:
    """(D - s M) u = M f for the cells and, at both ends, walls, which are points of their own with an equation each.

    All weights are those that make the rows exact for the degrees that they can be exact for.
    """

    def __init__(self, widths, ends, robin, values=(0.0, 0.0)):
        self.n, self.periodic = widths.size, ends[0] == "periodic"
        self.x = np.array([0, *middles(widths), 1.0])
        size = self.n + 2
        self.d, self.m, self.f = np.zeros((size, size)), np.zeros((size, size)), np.zeros((size, size))
        for j in range(1, self.n + 1):
            self._inner(j)
        self.given, self.given_by_s = np.zeros(size), np.zeros(size)  # right sides of walls: given + s * given_by_s
        if not self.periodic:
            self._wall(0, 1, ends[0], robin[0], values[0])
            self._wall(size - 1, -1, ends[1], robin[1], values[1])

    def _inner(self, j):
        n = self.n
        before, after = self.x[j] - self.x[j - 1], self.x[j + 1] - self.x[j]
        at = [j - 1, j, j + 1]
        if self.periodic:
            at = [(k - 1) % n + 1 for k in at]
            before, after = (
                self.x[1] + 1 - self.x[n] if 0 in (k, k - n) else g for k, g in ((j - 1, before), (j, after))
            )
        t = np.array([-before, 0, after])
        difference = np.array([1 / before, -1 / before - 1 / after, 1 / after])
        # The sum of weights times g is the difference of u for g = u'' = 1, x, x^2.
        degrees = np.arange(3)
        integrals = [difference @ t ** (k + 2) / ((k + 1) * (k + 2)) for k in degrees]
        weights = np.linalg.solve(t[None, :] ** degrees[:, None], integrals)
        for k, difference_k, weight in zip(at, difference, weights, strict=True):
            self.d[j, k] += difference_k
            self.m[j, k] += weight
            self._count_f(j, k, weight)

    def _beside(self, wall):
        """The cells from which f is extrapolated to a wall, and the weights of its value and of its slope there."""
        count = min(3, self.n)
        cells = np.arange(1, count + 1) if wall == 0 else self.n - np.arange(count)
        t = abs(self.x[cells] - self.x[wall])
        inverse = np.linalg.inv(t[:, None] ** np.arange(count))
        return cells, inverse[0], inverse[1] if count > 1 else np.zeros(1)

    def _count_f(self, row, point, weight):
        if self.periodic or 0 < point <= self.n:
            self.f[row, point] += weight
        else:
            cells, value, _ = self._beside(point)
            self.f[row, cells] += weight * value

    def _wall(self, wall, step, end, robin, given):
        """(u - w) / a - w' = A g(wall) + B g(first) + C g'(wall), exact for u of degrees 2, 3 and 4."""
        a = abs(self.x[wall + step] - self.x[wall])
        at_wall, at_first, slope = np.linalg.solve([[1, 1, 0], [0, a, 1], [0, a * a, 0]], [a / 2, a**2 / 6, a**3 / 12])
        cells, value, derivative = self._beside(wall)
        scale = robin if end == "odd" else 1.0
        self.d[wall, wall + step] += scale / a
        self.d[wall, wall] -= scale / a
        self.m[wall, wall] += scale * at_wall
        self.m[wall, wall + step] += scale * at_first
        self.f[wall, cells] += scale * (at_wall * value + slope * derivative)
        self.f[wall, wall + step] += scale * at_first
        # w' = (w - given) / robin at an odd end, - given at an even one.
        self.given[wall], self.given_by_s[wall] = -given, -slope * given
        if end == "odd":
            self.d[wall, wall] -= 1
            self.m[wall, wall] += slope

    def walls(self, u, f, s):
        """The values of u at the walls, which their equations give."""
        whole = np.array([0, *u, 0.0])
        matrix = self.d - s * self.m
        for wall in () if self.periodic else (0, -1):
            rest = self.f[wall, 1:-1] @ f - matrix[wall] @ whole + self.given[wall] + s * self.given_by_s[wall]
            whole[wall] = rest / matrix[wall, wall]
        return whole

    def residual(self, u, f, s):
        """Of the rows of cells, and the sum of the moduli of the terms."""
        whole = self.walls(u, f, s)
        matrix, given = (self.d - s * self.m)[1:-1], self.f[1:-1, 1:-1]
        return matrix @ whole - given @ f, abs(matrix) @ abs(whole) + abs(given) @ abs(f)


@pytest.mark.parametrize("widths", [EQUAL, UNEVEN, np.array([0.4, 0.6]), np.array([1.0])], ids=["9", "any", "2", "1"])
@pytest.mark.parametrize(("ends", "robin"), ENDS)
@pytest.mark.parametrize("screening", [0.0, 40.0])
def test_rows_hold_to_rounding(widths, ends, robin, screening):
    one = solver(widths, ends, robin=robin, screening=screening)
    profile = np.random.default_rng(1).standard_normal(widths.size)
    u = one.solve(wave(one) * profile)
    rows = Rows(widths, ends, robin)
    residual, size = rows.residual(u[0] / wave(one)[0], profile, (2 * np.pi) ** 2 + screening**2)
    # Transforms of 8 points and the elimination lose some units in the last place of the terms of a row.
    assert (abs(residual) <= 50 * EPS * size.max()).all()


@pytest.mark.parametrize("ends", [("periodic", "periodic"), ("even", "even")])
@pytest.mark.parametrize("widths", [EQUAL, UNEVEN], ids=["equal", "any"])
def test_where_a_constant_is_free_the_integral_of_f_has_the_order_of_the_rows(widths, ends):
    one = solver(widths, ends)
    f = one.field(np.random.default_rng(2).standard_normal(one.local_shape))
    u = one.solve(f)
    rows = Rows(widths, ends, (0.0, 0.0))
    weights = rows.f[:, 1:-1].sum(axis=0)  # all rows, those of walls too: what flows cancels
    mean = f.local.mean(axis=0) @ weights
    assert f.mean() == pytest.approx(mean, rel=1e-13)
    assert abs(u.mean()) <= 100 * EPS * abs(u.local).max()
    residual, size = rows.residual(u.local.mean(axis=0), f.local.mean(axis=0) - mean, 0)
    assert (abs(residual) <= 50 * EPS * size.max()).all()
    with pytest.raises(weft.Error, match="rhs: its mean is"):
        solver(widths, ends, mean="error").solve(f)


def test_integrals_are_exact_for_parabolas():
    one = solver(UNEVEN, ("even", "odd"))
    z = one.points()[1]
    for degree in range(3):
        assert one.field(z**degree + 0 * one.points()[0]).mean() == pytest.approx(1 / (degree + 1), rel=1e-14)
    expected = np.ones(9)
    expected[[0, 1, 2, -3, -2, -1]] = np.array([26, 21, 25, 25, 21, 26]) / 24
    assert np.allclose(solver(EQUAL, "odd")._point_weights()[1], expected, rtol=1e-14, atol=0)


def test_equal_periodic_cells_have_the_symbol_of_the_scheme():
    n, k = 12, 2 * np.pi
    one = solver(np.full(n, 1 / n), "periodic")
    x, z = one.points()
    f = np.cos(k * x) * np.cos(k * z)
    y = 4 * np.sin(k / (2 * n)) ** 2
    assert np.allclose(one.solve(f), -f / (k**2 + n**2 * y / (1 - y / 12)), rtol=0, atol=1e-16)


def error(widths, ends, robin, profile, second):
    one = solver(widths, ends, robin=robin)
    z = one.points()[1]
    f = wave(one) * (second(z) - (2 * np.pi) ** 2 * profile(z))
    return abs(one.solve(f) - wave(one) * profile(z)).max()


@pytest.mark.parametrize("cells", [stretched, lambda n: np.full(n, 1 / n)], ids=["stretched", "equal"])
@pytest.mark.parametrize(("ends", "robin"), ENDS)
def test_order_is_four(cells, ends, robin):
    """z^4 and smaller powers that hold at the ends, or a wave; f is not 0 at the walls."""
    if ends[0] == "periodic":
        k = 2 * np.pi
        functions = (lambda z: np.sin(k * z + 0.3), lambda z: -(k**2) * np.sin(k * z + 0.3))
    else:
        # e^z plus a straight line or a parabola that makes up for what it has at both ends.
        def row(end, length, z, outwards):
            value, slope = np.array([1, z, z * z]), np.array([0, 1, 2 * z]) * outwards
            return slope if end == "even" else value + length * slope

        def given(end, length, z, outwards):
            return np.exp(z) * (outwards if end == "even" else 1 + length * outwards)

        both = list(zip(ends, robin, (0.0, 1.0), (-1, 1), strict=True))
        a, b, c = np.linalg.lstsq([row(*end) for end in both], [-given(*end) for end in both], rcond=None)[0]
        functions = (lambda z: np.exp(z) + a + b * z + c * z * z, lambda z: np.exp(z) + 2 * c)
    coarse, fine = (error(cells(n), ends, robin, *functions) for n in (32, 64))
    # c h^4 (1 + O(h)), or better: a sixteenth on twice as many cells.
    assert np.log2(coarse / fine) > 3.7, (coarse, fine)


@pytest.mark.parametrize(("ends", "robin"), ENDS[1:])
def test_quartics_with_any_values_at_ends_are_exact(ends, robin):
    p = np.polynomial.Polynomial([0.5, -1.5, 2.0, 1.0, -0.75])
    one = solver(UNEVEN, ends, robin=robin)
    z = one.points()[1] + 0 * one.points()[0]
    given, free = {}, ends == ("even", "even")
    for side, end, length, at, outwards in zip(("left", "right"), ends, robin, (0.0, 1.0), (-1, 1), strict=True):
        slope = outwards * p.deriv()(at)
        given[1, side] = slope if end == "even" else p(at) + length * slope
    f = np.ascontiguousarray(p.deriv(2)(z))
    u, exact = one.solve(f, ends=given), p(z)
    if free:
        weights = one._point_weights()[1]
        exact = exact - exact @ weights[:, None] / weights.sum()
        assert np.array_equal(solver(UNEVEN, ends, mean="error").solve(f, ends=given), u)
        with pytest.raises(weft.Error, match="rhs: its mean is"):
            solver(UNEVEN, ends, mean="error").solve(f)
    np.testing.assert_allclose(u, exact, rtol=0, atol=EPS / UNEVEN.min() ** 2)
    assert np.array_equal(one.solve(f), one.solve(f, ends={}))  # nothing is left of what was given before


@pytest.mark.parametrize(("ends", "robin"), ENDS[1:])
def test_rows_hold_with_values_that_differ_along_the_ends(ends, robin):
    one = solver(UNEVEN, ends, robin=robin, screening=3.0)
    profile = np.random.default_rng(4).standard_normal(UNEVEN.size)
    values = (0.7, -1.3)
    given = {(1, side): value * wave(one) for side, value in zip(("left", "right"), values, strict=True)}
    u = one.solve(wave(one) * profile, ends=given)
    rows = Rows(UNEVEN, ends, robin, values)
    residual, size = rows.residual(u[0] / wave(one)[0], profile, (2 * np.pi) ** 2 + 9)
    assert (abs(residual) <= 50 * EPS * size.max()).all()


def test_precisions_and_what_a_solver_knows():
    double, single = (solver(UNEVEN, ("odd", "even"), dtype=dtype) for dtype in ("float64", "float32"))
    f = np.random.default_rng(3).standard_normal(double.local_shape)
    difference = np.linalg.norm(double.solve(f) - single.solve(f.astype(np.float32)))
    assert difference <= 50 * np.finfo(np.float32).eps * np.linalg.norm(double.solve(f))
    assert double.order == 4
    assert weft.Poisson((8, 8), (1.0, 1.0), ["periodic", "periodic"]).order == 2
    assert "order 4" in double._repr_html_()
    assert "of order 4" in double.explain()


@pytest.mark.parametrize("along", [{}, {"widths": (None, np.full(16, 0.0625)), "order": 4}])
def test_the_memory_for_values_at_ends_is_counted_once(along):
    solver = weft.Poisson((24, 16), (1.0, 1.0), ["odd", "odd"], **along)
    without = solver.workspace_bytes
    sizes = []
    for value in (1.0, 2.0):
        solver.solve(np.zeros(solver.local_shape), ends={(1, "left"): value})
        sizes.append(solver.workspace_bytes)
    local = solver.local_shape[0]
    # Two planes at least, as points and as modes.
    assert sizes[0] == sizes[1] >= without + (2 * 2 * local * 8 if local else 0)


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"order": 3}, ["order: 3 given", "2 or 4"]),
        ({"order": "4"}, ["order", "whole number"]),
        ({"widths": None}, ["order: 4 given without widths"]),
        ({"widths": (None, np.array([0.05, 0.05, 0.8, 0.05, 0.05]))}, ["order: 4", "axis 1", "abruptly", "order 2"]),
    ],
)
def test_wrong_arguments_are_named(changes, words):
    given = {"widths": (None, np.full(5, 0.2)), "order": 4} | changes
    with pytest.raises(weft.Error) as caught:
        weft.Poisson((8, 5), (1.0, 1.0), ["periodic", "odd"], **given)
    assert all(word in str(caught.value) for word in words), caught.value
