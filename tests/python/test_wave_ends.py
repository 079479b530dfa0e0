"""Values and slopes at ends of transformed axes: waves without a Laplacian are exact, whatever is given."""

import numpy as np
import pytest
import weft

EPS = np.finfo(float).eps
ENDS = [("odd", "odd"), ("even", "odd"), ("odd", "even"), ("even", "even")]
LENGTH = 0.8


def solver(ends, centring="cell", axis=1, **options):
    """Periodic cells along the other axis."""
    pairs, words = [("periodic", "periodic")] * 2, ["cell"] * 2
    pairs[axis], words[axis] = ends, centring
    length = [1.0, 1.0]
    length[axis] = LENGTH
    return weft.Poisson((16, 12), length, pairs, centring=words, **options)


def wave_of(kappa, z, end, mirrored, left):
    """The function of z without (second derivative less kappa^2 times it) that has 1 at one end and 0 at the other."""
    reach = LENGTH - z if left else z
    if end == "odd":
        if mirrored == "odd":
            return np.sinh(kappa * reach) / np.sinh(kappa * LENGTH) if kappa else reach / LENGTH
        return np.cosh(kappa * reach) / np.cosh(kappa * LENGTH)
    if mirrored == "odd":
        return np.sinh(kappa * reach) / (kappa * np.cosh(kappa * LENGTH)) if kappa else reach
    # Without a mean where kappa is 0: then f is constant, and the mean of it is that of the slopes.
    return np.cosh(kappa * reach) / (kappa * np.sinh(kappa * LENGTH)) if kappa else reach**2 / (2 * LENGTH)


def expected(one, ends, values, axis, screening):
    """What numpy makes of the values at both ends, mode by mode of the other axis."""
    x, z = one.points()[1 - axis].ravel(), one.points()[axis].ravel()
    wavenumbers = 2 * np.pi * np.fft.rfftfreq(x.size, 1 / x.size)
    total = np.zeros((x.size, z.size))
    for left, value in zip((True, False), values, strict=True):
        modes = np.fft.rfft(value.ravel())
        end, other = ends if left else ends[::-1]
        profiles = np.array([wave_of(np.hypot(k, screening), z, end, other, left) for k in wavenumbers])
        total += np.fft.irfft(modes[:, None] * profiles, x.size, axis=0)
    return total if axis == 1 else total.T


@pytest.mark.parametrize("ends", ENDS)
@pytest.mark.parametrize("centring", ["cell", "node"])
@pytest.mark.parametrize("axis", [0, 1])
@pytest.mark.parametrize("screening", [0.0, 3.0])
def test_any_values_are_continued_as_numpy_does(ends, centring, axis, screening):
    one = solver(ends, centring, axis, screening=screening)
    rng = np.random.default_rng(5)
    plane = [1 if a == axis else n for a, n in enumerate(one.shape)]
    values = [rng.standard_normal(plane) for _ in range(2)]
    f = rng.standard_normal(one.local_shape)
    u = one.solve(f, ends={(axis, side): v for side, v in zip(("left", "right"), values, strict=True)})
    exact = expected(one, ends, values, axis, screening) + one.solve(f)
    weights = one.field(exact)
    if one.mean_is_free:
        exact = exact - weights.mean()
    np.testing.assert_allclose(u, exact, rtol=0, atol=200 * EPS * abs(exact).max())


@pytest.mark.parametrize("kernel", ["chat2", "truncated", "igf", "hej0"])
def test_walls_of_two_axes_in_a_box(kernel):
    one = weft.Poisson((10, 10, 10), (1.0, 1.0, 1.0), ["odd", "odd", ("even", "odd")], kernel=kernel)
    x, y, z = one.points()

    def u(x, y, z):
        k = np.pi * np.hypot(1, 0.5)
        two = np.sin(np.pi * x) * np.sinh(k * y) + np.sin(2 * np.pi * y) * np.sinh(np.hypot(2, 0.5) * np.pi * x)
        return two * np.cos(np.pi * z / 2)

    ends = {(1, "right"): u(x, 1, z), (0, "right"): u(1, y, z)}
    exact = u(x, y, z)
    # Either part vanishes at the walls of the other.
    found = one.solve(np.zeros(one.local_shape), ends=ends)
    np.testing.assert_allclose(found, exact, rtol=0, atol=200 * EPS * abs(u(1, y, z)).max())


@pytest.mark.parametrize("box", [["odd", "even", "odd"], ["even", ("odd", "even"), "odd"], ["odd", "odd", "periodic"]])
@pytest.mark.parametrize("cells", [(9, 17, 20), (6, 5, 7)])
def test_values_of_several_axes_add_up(box, cells):
    # Rows of more and of fewer lines than a vector has lanes.
    one = weft.Poisson(cells, (1.0, 0.9, 1.3), box, screening=0.7)
    rng = np.random.default_rng(8)
    values = {}
    for axis in (a for a in range(3) if box[a] != "periodic"):
        plane = [1 if a == axis else n for a, n in enumerate(one.shape)]
        values |= {(axis, side): rng.standard_normal(plane) for side in ("left", "right")}
    f = np.zeros(one.local_shape)
    alone = [one.solve(f, ends={end: value}) for end, value in values.items()]
    size = max(abs(u).max() for u in alone)
    np.testing.assert_allclose(one.solve(f, ends=values), sum(alone), rtol=0, atol=200 * EPS * size)


@pytest.mark.parametrize("dtype", ["float64", "float32"])
@pytest.mark.parametrize("length", [1e-3, 0.22])
@pytest.mark.parametrize("centring", ["cell", "node"])
def test_large_wavenumbers_do_not_overflow(dtype, length, centring):
    # 15708 and 71 times the reciprocal spacing along the other axis: only the constant reaches the first point.
    one = weft.Poisson((64, 4), (length, 10.0), ["periodic", "odd"], centring=["cell", centring], dtype=dtype)
    x, z = one.points()
    value = (1 + np.cos(2 * np.pi * x / length)).astype(dtype)
    u = one.solve(np.zeros(one.local_shape, dtype), ends={(1, "left"): value})
    inside = np.broadcast_to((z > 0) & (z < 10), u.shape)
    exact = np.broadcast_to(1 - z / 10, u.shape)
    np.testing.assert_allclose(u[inside], exact[inside], rtol=0, atol=50 * np.finfo(dtype).eps)


@pytest.mark.parametrize("dtype", ["float64", "float32"])
@pytest.mark.parametrize("length", [1e-3, 0.22])
@pytest.mark.parametrize("centring", ["cell", "node"])
def test_slopes_of_large_wavenumbers_reach_the_end_alone(dtype, length, centring):
    one = weft.Poisson((64, 4), (length, 10.0), ["odd", ("even", "odd")], centring=["cell", centring], dtype=dtype)
    x, z = one.points()
    kappa = 2 * np.pi / length
    u = one.solve(np.zeros(one.local_shape, dtype), ends={(1, "left"): kappa * np.sin(kappa * x).astype(dtype)})
    exact = np.sin(kappa * x) * (z == 0)
    np.testing.assert_allclose(u, exact, rtol=0, atol=50 * np.finfo(dtype).eps)


def test_slopes_and_the_mean():
    one = solver(("even", "even"), mean="error")
    z = one.points()[1] + 0 * one.points()[0]
    f = np.full(one.local_shape, 2.0)
    u = one.solve(f, ends={(1, "right"): 2 * LENGTH})
    np.testing.assert_allclose(u, z**2 - np.mean(z**2), rtol=0, atol=100 * EPS)
    with pytest.raises(weft.Error, match="rhs: its mean is"):
        one.solve(f)
    assert abs(one.solve(0 * f)).max() == 0


def test_values_in_single_precision_and_node_ends():
    one = solver(("odd", "odd"), "node", dtype="float32")
    u = one.solve(np.zeros(one.local_shape, "float32"), ends={(1, "left"): 2.0, (1, "right"): -1.0})
    z = one.points()[1]
    assert (u[:, 0] == 2).all() and (u[:, -1] == -1).all()
    np.testing.assert_allclose(u, np.broadcast_to(2 - 3 * z / LENGTH, u.shape), rtol=0, atol=1e-5)


@pytest.mark.parametrize("kernel", ["chat2", "igf"])
def test_displaced_points_have_the_waves_of_displaced_values(kernel):
    # Along both periodic axes, one of which is halved by the transform, with screening.
    shift, wave, lam = (0.137, 0.0, -2.31), 2 * np.pi, 3.0
    one = weft.Poisson(
        (10, 12, 8), (1.0, 0.5, 1.0), ["periodic", "odd", "periodic"], kernel=kernel, screening=lam, shift=shift
    )
    x, y, z = one.points()
    k = np.sqrt(wave**2 + (2 * wave) ** 2 + lam**2)

    def along(x, z):
        return np.cos(wave * x + 2 * wave * z + 0.4)

    found = one.solve(np.zeros(one.local_shape), ends={(1, "right"): along(x, z)})
    exact = along(x + shift[0], z + shift[2]) * np.sinh(k * y) / np.sinh(k / 2)
    np.testing.assert_allclose(found, exact, rtol=0, atol=200 * EPS)


def test_displaced_points_beside_an_open_axis_are_those_of_a_longer_grid():
    n, moved, rng = 10, 4, np.random.default_rng(2)
    box = ["unbounded", ("odd", "even")]
    one = weft.Poisson((n, 8), (1.0, 0.8), box, kernel="lgf2", shift=(0.1 * moved, 0.0))
    longer = weft.Poisson((2 * n, 8), (2.0, 0.8), box, kernel="lgf2")
    f, left = np.zeros((2 * n, 8)), np.zeros((2 * n, 1))
    f[:n], left[:n] = rng.standard_normal((n, 8)), rng.standard_normal((n, 1))
    exact = longer.solve(f, ends={(1, "left"): left})
    found = one.solve(np.ascontiguousarray(f[:n]), ends={(1, "left"): left[:n]})
    # Values enter as 2 / h^2 times themselves, of which the solution has at most their own size.
    np.testing.assert_allclose(found, exact[moved : moved + n], rtol=0, atol=200 * EPS * np.linalg.norm(left))


def test_beside_an_open_axis_they_are_refused():
    one = weft.Poisson((8, 8), (1.0, 1.0), ["unbounded", "odd"])
    with pytest.raises(weft.Error, match="left end of axis 1.*no axis is unbounded.*chat2"):
        one.solve(np.zeros(one.local_shape), ends={(1, "left"): 1.0})


def test_only_a_check_of_the_mean_keeps_a_copy_of_the_right_hand_side():
    f = np.zeros((16, 12))
    cells, ends = ((16, 12), (1.0, 0.75)), {(1, "left"): 1.0, (1, "right"): -1.0}
    differences = weft.Poisson(*cells, ["periodic", "odd"], kernel="lgf2")
    before = differences.workspace_bytes
    # Slopes of no mean, so that this right-hand side is allowed; waves and modes are kept whatever the mean does.
    removes, checks = (weft.Poisson(*cells, ["periodic", "even"], mean=mean) for mean in ("remove", "error"))
    for _ in range(3):
        differences.solve(f, ends=ends)
        assert differences.workspace_bytes == before
        removes.solve(f, ends=ends)
        checks.solve(f, ends=ends)
        assert checks.workspace_bytes == removes.workspace_bytes + f.nbytes
