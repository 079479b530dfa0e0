"""Solutions at displaced points (shift) against exact potentials, direct sums and waves, and lattice kernels on cells
that are no cubes against numpy's differences.

Bits on any number of ranks, whole cells, shared kernels and what is refused are in tests/mpi/test_poisson_shifted.cpp.
"""

import numpy as np
import pytest
import weft
from numpy import pi
from scipy.special import erf, erfc, exp1, kv
from weft.case import parse_case

OPEN = "unbounded"
SIGMA = 0.07  # 7 widths from the middle to the ends: 9e-13 of a Gaussian is cut off, along each axis and end


def radius(solver, places=(0.5, 0.5, 0.5), shift=(0.0, 0.0, 0.0)):
    terms = zip(solver.points(), places, shift, strict=False)
    return np.sqrt(sum((x + d - c) ** 2 for x, c, d in terms))


def gaussian(r, axes, sigma=SIGMA):
    return np.exp(-((r / sigma) ** 2) / 2) / (2 * pi * sigma**2) ** (axes / 2)


def in_space(r):
    return -erf(r / (np.sqrt(2) * SIGMA)) / (4 * pi * r)


def in_plane(r, sigma=SIGMA):
    return (np.log(r) + exp1((r / sigma) ** 2 / 2) / 2) / (2 * pi)


def error_in_plane(cells, kernel, shift):
    """The largest error of the potential of a Gaussian at displaced points of the plane."""
    solver = weft.Poisson((cells, cells), (1.0, 1.0), (OPEN, OPEN), kernel=kernel, shift=shift)
    found = solver.solve(gaussian(radius(solver), 2))
    return np.max(abs(found - in_plane(radius(solver, shift=shift))))


@pytest.mark.parametrize("kernel", ["chat2", "igf"])
def test_displaced_points_have_the_order_of_the_kernel(kernel):
    # A third of the box is a third of a cell from a point on both grids. The next term is about (h/s)^2, 0.05, of the
    # first on the coarse grid.
    errors = [error_in_plane(cells, kernel, (1 / 3, -1 / 6)) for cells in (64, 128)]
    assert np.log2(errors[0] / errors[1]) == pytest.approx(2, abs=0.05 / np.log(2))


@pytest.mark.parametrize("terms", [1, 2, 3])
def test_smoothed_kernels_have_their_smoothing_at_displaced_points(terms):
    # Waves of the length q are multiplied by exp(-S/2) (1 + S/2 + S^2/8), S = (2 h q)^2, or the first of these terms:
    # wider Gaussians, without the logarithm after the first one.
    cells, shift = 48, (0.123, -1.45)
    solver = weft.Poisson((cells, cells), (1.0, 1.0), (OPEN, OPEN), kernel=f"hej{2 * terms}", shift=shift)
    r, s = radius(solver, shift=shift), 2 / cells
    wide = np.hypot(SIGMA, s)
    blob = gaussian(r, 2, wide)
    laplacian = blob * (r**2 / wide**4 - 2 / wide**2)
    exact = sum([in_plane(r, wide), -(s**2) / 2 * blob, s**4 / 8 * laplacian][:terms])
    assert np.max(abs(solver.solve(gaussian(radius(solver), 2)) - exact)) < 4e-12  # as below


@pytest.mark.parametrize("kernel", ["truncated", "hej0"])
@pytest.mark.parametrize("shift", [(0.0123, -0.4), (1e-9, 1.7), (-40.0, 3.3)])
def test_spectral_kernels_are_spectral_at_displaced_points(kernel, shift):
    # 3.4 points a width: exp(-(3.4 pi)^2 / 2) = 2e-25 of the spectrum is beyond the grid, and 4e-12 of the charge is
    # beyond the box, whose potential is below ln(40) of it.
    assert error_in_plane(48, kernel, shift) < 4 * 4e-12


@pytest.mark.parametrize("shift", [(0.3, 0.0, -0.21), (0.0, 0.0, 25.0)])
def test_space_with_cells_that_are_no_cubes(shift):
    solver = weft.Poisson((44, 36, 40), (1.0, 0.96, 1.0), [OPEN] * 3, kernel="truncated", shift=shift)
    middle = (0.5, 0.48, 0.5)
    found = solver.solve(gaussian(radius(solver, middle), 3))
    # As above; the potential of a charge within a cell is below 3/(8 pi r) for a ball of that cell's volume.
    assert np.max(abs(found - in_space(radius(solver, middle, shift)))) < 6e-12 * 3 / (8 * pi * 0.0155)


def test_chat2_and_igf_in_space_near_a_point_of_the_grid():
    # igf errs by h^2/24 lap u for any displacement, chat2 by less than what a cell's charge has in its middle, with
    # the radius 0.62 h of a ball 3/(8 pi 0.62) h^2 f.
    for kernel, bound in (("chat2", 3 / (8 * pi * 0.62)), ("igf", 1 / 24)):
        for part in (1e-7, 0.1, 0.5):
            shift = (part / 24, 0.0, -part / 24)
            solver = weft.Poisson([24] * 3, [1.0] * 3, [OPEN] * 3, kernel=kernel, shift=shift)
            found = solver.solve(gaussian(radius(solver), 3)) - in_space(radius(solver, shift=shift))
            assert np.max(abs(found)) < bound / 24**2 * gaussian(0, 3)


@pytest.mark.parametrize("kernel", ["truncated", "hej0"])
@pytest.mark.parametrize("wave", [0, 3])
def test_one_open_axis(kernel, wave):
    shift = (0.031, 0.77)
    solver = weft.Poisson((48, 48), (1.0, 1.0), ("periodic", OPEN), kernel=kernel, shift=shift)
    x, z = solver.points()
    found = solver.solve(np.cos(2 * pi * wave * x) * gaussian(abs(z - 0.5), 1))
    x, z, k = x + shift[0], abs(z + shift[1] - 0.5), 2 * pi * wave
    if wave == 0:
        along = z / 2 * erf(z / (np.sqrt(2) * SIGMA)) + SIGMA / np.sqrt(2 * pi) * np.exp(-((z / SIGMA) ** 2) / 2)
    else:
        near, far = (np.exp(s * k * z) * erfc((k * SIGMA + s * z / SIGMA) / np.sqrt(2)) for s in (-1, 1))
        along = -np.exp((k * SIGMA) ** 2 / 2) / (4 * k) * (near + far)
    # 2e-12 of the charge is beyond the ends, at most 1.3 away.
    assert np.max(abs(found - np.cos(k * x) * along)) < 2e-12


@pytest.mark.parametrize("kernel", ["truncated", "hej0", "igf"])
def test_two_open_axes_beside_a_periodic_one(kernel):
    # A displacement of the waves along x alone, and whole cells: kernels in space for a wavenumber.
    cells, shift = 40, (0.017, 0.0, 0.5)
    lengths = (1.0, 1.0, 1.0)
    solver = weft.Poisson([cells] * 3, lengths, ("periodic", OPEN, OPEN), kernel=kernel, screening=2.0, shift=shift)
    plain = weft.Poisson([cells] * 3, lengths, ("periodic", OPEN, OPEN), kernel="truncated", screening=2.0)
    x, y, z = solver.points()
    blob = gaussian(np.sqrt((y - 0.5) ** 2 + (z - 0.5) ** 2), 2)
    found = solver.solve(np.cos(2 * pi * x) * blob)
    amplitude = plain.solve(np.cos(2 * pi * x) * blob)[:1] / np.cos(2 * pi * x[:1])
    exact = np.cos(2 * pi * (x + shift[0])) * amplitude
    error = np.max(abs(found[:, :, : cells // 2] - exact[:, :, cells // 2 :]))
    # igf errs by h^2/24 (u_yy + u_zz) = h^2/24 f to leading order, below h^2 f here; 9e-13 of the charge is cut off,
    # with the potential K0(k h / 2)/(2 pi) < 0.5 of a cell.
    assert error < (blob.max() / cells**2 if kernel == "igf" else 2e-12)
    assert kv(0, 2 * pi / cells / 2) / (2 * pi) < 0.5


def test_a_users_kernel_is_a_sum_over_all_pairs():
    shift, eps = (0.123, -2.0), 0.05
    plummer = weft.kernel_of_distance(lambda r, k: -1 / np.sqrt(r**2 + eps**2))
    solver = weft.Poisson((6, 8), (0.6, 1.0), (OPEN, OPEN), centring="node", kernel=plummer, shift=shift)
    x, y = (np.ravel(points) for points in solver.points())
    f = np.random.default_rng(1).standard_normal(solver.local_shape)
    exact = np.zeros_like(f)
    for i, j in np.ndindex(f.shape):
        r2 = (x[i] + shift[0] - x[:, None]) ** 2 + (y[j] + shift[1] - y[None, :]) ** 2
        exact[i, j] = np.sum(-f / np.sqrt(r2 + eps**2)) * 0.1 * 0.125
    # 63 terms of at most 20 |f| h^2, in transforms of 12 x 20 points.
    np.testing.assert_allclose(solver.solve(f), exact, rtol=0, atol=63 * 20 * 0.0125 * 4 * 2**-52)


def test_a_users_symbol_is_displaced_in_its_period():
    n, shift = 10, 0.037
    bell = weft.kernel_of_wavenumber(lambda kx, ky: np.exp(-0.002 * (kx**2 + ky**2)))
    solver = weft.Poisson((n, n), (1.0, 1.0), (OPEN, "periodic"), kernel=bell, shift=(shift, 0.0))
    f = np.random.default_rng(2).standard_normal((n, n))
    kx, ky = 2 * pi * np.fft.fftfreq(2 * n, 1 / n), 2 * pi * np.fft.fftfreq(n, 1 / n)
    turn = np.exp(1j * kx * shift)
    turn[n] = np.cos(kx[n] * shift)  # the points carry no sine of the shortest wave
    factors = np.exp(-0.002 * (kx[:, None] ** 2 + ky**2)) * turn[:, None]
    exact = np.fft.ifft2(np.fft.fft2(f, (2 * n, n)) * factors).real[:n]
    np.testing.assert_allclose(solver.solve(f), exact, rtol=0, atol=200 * 2**-52 * 5)


@pytest.mark.parametrize("centring", ["cell", "node"])
def test_waves_of_periodic_axes_are_displaced(centring):
    cells, shift = (12, 9, 8), (0.111, 0.0, -3.217)
    ends = ("periodic", "even", "periodic")
    solver = weft.Poisson(cells, (1.0, 1.0, 1.0), ends, centring=centring, shift=shift, kernel="truncated")
    x, y, z = solver.points()
    u = [np.sin(2 * pi * x + 4 * pi * z) * np.cos(3 * pi * y) for x, z in ((x, z), (x + shift[0], z + shift[2]))]
    # The longest and the shortest wave of the points: modes differ by a factor of 60, and so does their rounding.
    np.testing.assert_allclose(solver.solve(-(4 + 16 + 9) * pi**2 * u[0]), u[1], rtol=0, atol=60 * 8 * 2**-52)
    shortest = np.cos(12 * pi * (x - x.flat[0])) + 0 * (y + z)
    expected = -shortest * np.cos(12 * pi * shift[0]) / (12 * pi) ** 2
    np.testing.assert_allclose(solver.solve(shortest), expected, rtol=0, atol=2**-52)


def test_the_field_of_a_blob_far_away():
    shift = (0.0, 3.0, 0.25)
    solver = weft.VectorPoisson([40] * 3, [1.0] * 3, [OPEN] * 3, kernel="truncated", shift=shift)
    x, y, z = (p + d - 0.5 for p, d in zip(solver.points(), shift, strict=True))
    field = solver.solve_gradient(gaussian(radius(solver), 3))
    r = np.sqrt(x**2 + y**2 + z**2)  # 2.5 and more: a point charge, erfc(25) from it
    for found, component in zip(field, (x, y, z), strict=True):
        # The part that is cut off errs by itself over 4 pi r^2, where its derivative as a wave of the grid is.
        np.testing.assert_allclose(found, component / (4 * pi * r**3), rtol=0, atol=3e-12)
    assert solver.shift == shift


def test_a_conducting_plane_is_the_mirrored_charge():
    # A box from 0.2 above a grounded plane, z = 0; points of the mirrored charge are those at 2 * 0.2 + 1 from it.
    height = 0.2
    box = (40, 40, 40), (1.0, 1.0, 1.0), [OPEN] * 3
    free = weft.Poisson(*box, kernel="truncated")
    mirror = weft.Poisson(*box, kernel="truncated", shift=(0.0, 0.0, 2 * height + 1.0))
    f = gaussian(radius(free), 3)
    u = free.solve(f) - mirror.solve(np.ascontiguousarray(f[:, :, ::-1]))
    exact = in_space(radius(free)) - in_space(radius(free, (0.5, 0.5, -0.5 - 2 * height)))
    assert np.max(abs(u - exact)) < 2 * 6e-12 * 3 / (8 * pi * 0.0155)


def test_attributes_texts_and_errors():
    solver = weft.Poisson((4, 4), (1, 1), (OPEN, "periodic"), shift=(2, 0))
    assert solver.shift == (2.0, 0.0)
    assert "shift=(2.0, 0.0)" in repr(solver) and "complex for displaced points" in " ".join(solver.explain().split())
    plain = weft.Poisson((4, 4), (1, 1), (OPEN, "periodic"))
    assert plain.shift == (0.0, 0.0) and "shift" not in repr(plain)
    for shift, text in (((1,), "shift has 1 entries"), ("ab", "shift"), ((1, "b"), r"shift\[1\]")):
        with pytest.raises(weft.Error, match=text):
            weft.Poisson((4, 4), (1, 1), (OPEN, "periodic"), shift=shift)
        with pytest.raises(weft.Error, match=text):
            weft.VectorPoisson((4, 4), (1, 1), (OPEN, "periodic"), shift=shift)


def test_cases_take_a_shift(tmp_path):
    text = 'cells = [4, 4]\nlength = [1, 1]\nboundary = ["unbounded", "periodic"]\nrhs = "x"\n'
    assert parse_case(text, tmp_path).shift is None
    assert parse_case(text + "shift = [0.5, 0]\n", tmp_path).shift == (0.5, 0.0)
    with pytest.raises(weft.CaseError, match="shift"):
        parse_case(text + "shift = 3\n", tmp_path)


# --- lattice kernels on cells that are no cubes ---------------------------------------------------------------------

WEIGHTS = {  # of u[j - n] + u[j + n] - 2 u[j], n = 1, 2, ...
    "lgf2": (1.0,),
    "lgf4": (4 / 3, -1 / 12),
    "lgf6": (3 / 2, -3 / 20, 1 / 90),
    "lgf8": (8 / 5, -1 / 5, 8 / 315, -1 / 560),
}


def differences(u, kernel, spacings, ends):
    """The difference Laplacian of cell-centred u with mirrors, periods, or nothing known beyond the ends (nan)."""
    result, weights = np.zeros_like(u), WEIGHTS[kernel]
    width, modes = len(weights), {"periodic": {"mode": "wrap"}, "even": {"mode": "symmetric"}, OPEN: {}}
    for axis, (h, end) in enumerate(zip(spacings, ends, strict=True)):
        pads = [(width, width) if a == axis else (0, 0) for a in range(u.ndim)]
        if end == "odd":
            wide = np.pad(u, pads, mode="symmetric", reflect_type="even")
            edge = [slice(None)] * u.ndim
            for part in (slice(0, width), slice(-width, None)):
                edge[axis] = part
                wide[tuple(edge)] *= -1
        else:
            wide = np.pad(u, pads, **(modes[end] or {"constant_values": np.nan}))
        for n, weight in enumerate(weights, 1):
            below, above = (
                np.take(wide, np.arange(width + s * n, width + s * n + u.shape[axis]), axis) for s in (-1, 1)
            )
            result += weight * (below - 2 * u + above) / h**2
    return result


@pytest.mark.parametrize("kernel", WEIGHTS)
@pytest.mark.parametrize("ends", [("periodic", "odd", "even"), ("even", OPEN, "periodic"), ("periodic", "even")])
def test_lattice_kernels_invert_the_differences_of_each_axis(kernel, ends):
    cells, lengths = (12, 10, 14)[: len(ends)], (1.0, 3.0, 0.2)[: len(ends)]
    solver = weft.Poisson(cells, lengths, ends, kernel=kernel)
    f = np.random.default_rng(3).standard_normal(cells)
    if OPEN not in ends and "odd" not in ends:
        f -= f.mean()
    u = solver.solve(f)
    spacings = [length / n for length, n in zip(lengths, cells, strict=True)]
    residual = differences(u, kernel, spacings, ends) - f
    inside = residual[np.isfinite(residual)]
    assert inside.size >= f.size * (10 - 2 * len(WEIGHTS[kernel])) / 10
    # Differences of u lose what u has before h^2 of the narrowest cells, 4 times the weights' sum of it.
    largest = 12 * sum(h**-2 for h in spacings) * np.max(abs(u))
    assert np.max(abs(inside)) < 20 * 2**-52 * (largest + np.max(abs(f)))


def test_lattice_kernels_in_powers_and_with_given_ends_on_long_cells():
    cells, lengths = (8, 6), (1.0, 3.0)
    f = np.random.default_rng(4).standard_normal(cells)
    twice = weft.Poisson(cells, lengths, ("odd", "even"), kernel="lgf4", power=2).solve(f)
    once = weft.Poisson(cells, lengths, ("odd", "even"), kernel="lgf4")
    np.testing.assert_allclose(twice, -once.solve(once.solve(f)), rtol=0, atol=100 * 2**-52 * np.max(abs(twice)))
    wall = weft.Poisson(cells, lengths, ("odd", "even"), kernel="lgf2")
    x, _ = wall.points()
    straight = wall.solve(np.zeros(cells), ends={(0, "left"): 2.0, (0, "right"): 5.0})
    np.testing.assert_allclose(straight, 2 + 3 * x + np.zeros(cells), rtol=0, atol=100 * 2**-52 * 5)


@pytest.mark.parametrize(
    ("kernel", "ends"), [("lgf2", (OPEN, OPEN, "even")), ("mehr4f", ("even",) * 3), ("hej2", ("periodic",) * 3)]
)
def test_other_kernels_of_cubes_stay_refused(kernel, ends):
    with pytest.raises(weft.Error, match=f"kernel: {kernel} needs the same spacing along all axes"):
        weft.Poisson((8, 8, 8), (1.0, 1.0, 2.0), ends, kernel=kernel)


@pytest.mark.parametrize("cells", [(2, 1, 8), (1, 8, 6), (8, 6, 1)])
@pytest.mark.parametrize("others", ["even", "odd", "periodic"])
def test_a_single_periodic_cell_is_constant_wherever_it_is_displaced_to(cells, others):
    axis = cells.index(1)
    problem = cells, [n / 8 for n in cells], ["periodic" if n == 1 else others for n in cells]
    f = np.random.default_rng(4).standard_normal(cells)
    displaced = weft.Poisson(*problem, shift=[0.3 * (a == axis) for a in range(3)])
    assert np.array_equal(displaced.solve(f), weft.Poisson(*problem).solve(f))
