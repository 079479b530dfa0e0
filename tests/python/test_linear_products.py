"""plan.convolve and correlate with origin=, plan.product: sums over all points, scipy, numpy, and what is refused."""

import itertools
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
import scipy.signal
import weft
from reference import numbers, round_trip_bound
from weft.launch import own_launcher

EXAMPLE = Path(__file__).parents[2] / "examples" / "convolution.py"

SHAPES = [
    ((9,), "r2c"),
    ((6, 5), "c2c"),
    ((4, 3, 6), "r2c"),
    ((3, 4, 5), "c2c"),
    ((3, 1, 8), "r2c"),
    ((2, 3, 2, 4), "r2c"),
]


def origins(shape):
    """The first and the last part, the middle, and one in between."""
    return [
        [0] * len(shape),
        [n - 1 for n in shape],
        [(n - 1) // 2 for n in shape],
        [i % n for i, n in enumerate(shape)],
    ]


def windows(origin, shape):
    return tuple(slice(o, o + n) for o, n in zip(origin, shape, strict=True))


def bound(plan, u, v):
    """Of the 2-norm of the error: |w| <= |u|_1 |v|_2; three transforms of twice the points and a product of modes."""
    eps = np.finfo(plan.dtype).eps
    longer = [2 * n for n in plan.shape]
    return 4 * round_trip_bound(plan.kinds, longer, eps) * np.abs(u).sum() * np.linalg.norm(v)


@pytest.mark.parametrize("dtype", ["float64", "float32"])
@pytest.mark.parametrize("shape, kinds", SHAPES)
def test_are_parts_of_the_full_sums(shape, kinds, dtype):
    plan = weft.Plan(shape, kinds, dtype=dtype)
    u, v = numbers(shape, plan.physical_dtype), numbers(shape, plan.physical_dtype, seed=1)
    kept = u.copy(), v.copy()
    # Direct sums: a correlation is the convolution with the conjugate of the other field, points in reverse.
    sums = scipy.signal.convolve(u, v, "full", "direct")
    lags = scipy.signal.correlate(v, u, "full", "direct")
    for origin in origins(shape):
        w = plan.convolve(u, v, origin=origin)
        assert w.dtype == plan.physical_dtype
        assert np.linalg.norm(w - sums[windows(origin, shape)]) <= bound(plan, u, v)
        # Lag 0 is at n - 1 of scipy's, at the origin of ours.
        first = [n - 1 - o for n, o in zip(shape, origin, strict=True)]
        w = plan.correlate(u, v, origin=origin)
        assert np.linalg.norm(w - lags[windows(first, shape)]) <= bound(plan, u, v)
    assert np.array_equal(u, kept[0]) and np.array_equal(v, kept[1])


def test_large_arrays_are_scipys():
    shape = (40, 45, 36)
    plan = weft.Plan(shape, "r2c")
    u, v = numbers(shape, "float64"), numbers(shape, "float64", seed=1)
    full = scipy.signal.fftconvolve(u, v)
    assert np.linalg.norm(plan.convolve(u, v, origin="same") - scipy.signal.fftconvolve(u, v, "same")) <= bound(
        plan, u, v
    )
    lags = scipy.signal.correlate(v, u, "same", "fft")
    assert np.linalg.norm(plan.correlate(u, v, origin="same") - lags) <= bound(plan, u, v)
    # All 2n - 1 sums are those of the first and the last parts of each axis, which share one.
    for part in itertools.product(*((0, n - 1) for n in shape)):
        w = plan.convolve(u, v, origin=part)
        assert np.linalg.norm(w - full[windows(part, shape)]) <= bound(plan, u, v)


def test_a_short_kernel_has_valid_sums():
    n, m = 24, 5
    plan = weft.Plan((n,), "r2c")
    u, kernel = numbers((n,), "float64"), np.zeros(n)
    kernel[:m] = numbers((m,), "float64", seed=1)
    w = plan.convolve(u, kernel, origin=0)
    assert np.linalg.norm(w[m - 1 :] - np.convolve(u, kernel[:m], "valid")) <= bound(plan, u, kernel)


def test_results_may_overwrite_a_factor():
    for shape in (12,), (8, 6), (5, 6, 4):
        plan = weft.Plan(shape, "r2c")
        u, v = numbers(shape, "float64"), numbers(shape, "float64", seed=1)
        for product in plan.convolve, plan.correlate:
            expected = product(u, v, origin=1)
            for which in 0, 1:
                given = [u.copy(), v.copy()]
                assert product(*given, out=given[which], origin=1) is given[which]
                assert np.array_equal(given[which], expected)
        square = plan.convolve(u, u, origin=1)
        assert np.array_equal(square, plan.convolve(u, u.copy(), origin=1))


def test_axes_without_transform_are_problems_of_their_own():
    plan = weft.Plan((3, 8, 6), ("none", "c2c", "r2c"), batch_axes=(0,))
    single = weft.Plan((8, 6), "r2c")
    u, v = numbers(plan.shape, "float64"), numbers(plan.shape, "float64", seed=1)
    w = plan.convolve(u, v, origin=2)
    assert all(np.array_equal(w[i], single.convolve(u[i], v[i], origin=2)) for i in range(3))
    assert np.array_equal(w, plan.convolve(u, v, origin=(0, 2, 2)))


def test_memory_is_that_of_one_padded_axis():
    n = 32
    plan = weft.Plan((n, n, n), "r2c", threads=1)
    before = plan.workspace_bytes
    u = numbers(plan.shape, "float64")
    for _ in range(2):
        plan.convolve(u, u, origin=0)
    once = plan.workspace_bytes
    # Three arrays of n^2 lines of n + 1 modes, of rows up to a sixteenth longer, and planes and lines of a thread.
    plane, line = 16 * (2 * n) ** 2 * 9 // 8, 16 * 2 * n * 16
    assert once - before <= 3 * 16 * n * n * (n + 1) * 17 // 16 + 5 * plane + 64 * line
    plan.convolve(u, u, origin="same")  # takes the place of the other
    assert plan.workspace_bytes < once
    assert once - before < 0.6 * 8 * 3 * (2 * n) ** 3  # numpy keeps three padded spectra


@pytest.mark.parametrize("norm", ["backward", "forward", "ortho"])
@pytest.mark.parametrize("dtype", ["float64", "float32"])
@pytest.mark.parametrize(
    "shape, kinds, modes",
    [((8,), "r2c", None), ((6, 7), "c2c", None), ((4, 6, 5), "r2c", None), ((12, 8), "r2c", (8, 0))]
    + [((7, 6), ("dct2", "r2c"), None), ((5, 3, 6), ("dct1", "none", "dct2"), None)],
)
def test_products_are_the_dealiased_ones(shape, kinds, modes, dtype, norm):
    plan = weft.Plan(shape, kinds, dtype=dtype, norm=norm, modes=modes)
    uh, vh = (plan.forward(numbers(shape, plan.physical_dtype, seed=seed)) for seed in (1, 2))
    kept = uh.copy(), vh.copy()
    expected = plan.dealiased(lambda u, v: u * v, uh, vh)
    finer = [2 * n + 4 for n in shape]
    rounding = 8 * round_trip_bound(plan.kinds, finer, np.finfo(plan.dtype).eps)
    scale = np.abs(uh).sum() * np.linalg.norm(vh) / min(np.abs(plan.forward(plan.physical() + 1)).max(), 1)
    w = plan.product(uh, vh)
    assert np.linalg.norm(w - expected) <= rounding * scale
    assert np.array_equal(uh, kept[0]) and np.array_equal(vh, kept[1])
    for which in 0, 1:
        given = [uh.copy(), vh.copy()]
        assert plan.product(*given, out=given[which]) is given[which]
        assert np.array_equal(given[which], w)


def test_products_are_sums_over_modes():
    """The modes of a product are a convolution of modes, which wraps around nowhere."""
    n = 9
    plan = weft.Plan((n,), "c2c", norm="forward")
    uh, vh = numbers((n,), "complex128"), numbers((n,), "complex128", seed=1)
    half = n // 2
    sums = np.convolve(np.fft.fftshift(uh), np.fft.fftshift(vh))[half : half + n]
    w = plan.product(uh, vh)
    eps = np.finfo(float).eps
    assert np.linalg.norm(np.fft.fftshift(w) - sums) <= 64 * eps * np.abs(uh).sum() * np.linalg.norm(vh)


def test_products_take_less_than_two_fields_of_the_finer_grid():
    n = 48
    plan = weft.Plan((n, n, n), "r2c", threads=1)
    before = plan.workspace_bytes
    uh = plan.forward(numbers(plan.shape, "float64"))
    plan.product(uh, uh)
    held = plan.workspace_bytes - before
    # More than three times 24 points, of 2, 3 and 5. Modes along two axes, points along the third; parts of 2^18 bytes.
    finer = 75
    exchanges = 2 * 16 * finer * n * (n // 2 + 1)
    assert exchanges < held < exchanges * 17 / 16 + 2 * 2**18 + 2**19 < 2 * 8 * finer**3
    plan.product(uh, uh)
    assert plan.workspace_bytes - before == held


def test_fields_give_fields():
    plan = weft.Plan((6, 5), "r2c")
    u, v = plan.physical_field(), plan.physical_field()
    u[...], v[...] = numbers(plan.shape, "float64"), numbers(plan.shape, "float64", seed=1)
    w = plan.convolve(u, v, origin="same")
    assert isinstance(w, weft.Field)
    assert np.array_equal(w.local, plan.convolve(np.array(u.local), np.array(v.local), origin="same"))
    uh, vh = plan.forward(u), plan.forward(v)
    product = plan.product(uh, vh)
    assert isinstance(product, weft.Field)
    assert np.array_equal(product.local, plan.product(np.array(uh.local), np.array(vh.local)))


def test_mistakes_are_told():
    plan = weft.Plan((6, 5), "r2c")
    u, uh = numbers(plan.shape, "float64"), plan.spectral()
    for origin, text in [
        ((0, 5), r"origin: 5 on axis 1; give 0 to 4"),
        (-1, r"origin: -1 on axis 0; give 0 to 5"),
        ((0,), "origin has 1 entries, shape has 2"),
        ("full", "origin: 'full' is not a name"),
        (1.5, "origin"),
    ]:
        with pytest.raises(weft.Error, match=text):
            plan.convolve(u, u, origin=origin)
    with pytest.raises(weft.Error, match=r"v.*\(6, 2\)"):
        plan.product(uh, uh[:, :2].copy())
    with pytest.raises(weft.Error, match="origin: 1 on axis 0; give 0 to 0 where there is no transform"):
        weft.Plan((3, 8), ("none", "r2c")).correlate(np.zeros((3, 8)), np.zeros((3, 8)), origin=(1, 0))
    sines = weft.Plan((6, 5), ("dst2", "r2c"))
    with pytest.raises(weft.Error, match="kinds: axis 0 has dst2, whose modes have no convolution"):
        sines.convolve(u, u, origin=0)
    with pytest.raises(weft.Error, match="kinds: axis 0 has dst2, whose waves have products of another kind"):
        sines.product(sines.spectral(), sines.spectral())
    scrambled = weft.Plan((1 << 15,), "c2c", output="scrambled")
    with pytest.raises(weft.Error, match="output: products of 'scrambled' modes"):
        scrambled.product(scrambled.spectral(), scrambled.spectral())
    six = weft.Plan((2,) * 6, "r2c")
    with pytest.raises(weft.Error, match="at most 5 axes"):
        six.convolve(six.physical(), six.physical(), origin=0)


@pytest.mark.parametrize("ranks", [1, 2])
def test_the_example_finds_what_scipy_and_numpy_do(ranks):
    launcher = own_launcher()
    arguments = [sys.executable, str(EXAMPLE), "--points", "12", "--axes", "2", "--repeat", "1"]
    done = subprocess.run(launcher.command(ranks, arguments), env=launcher.environ(), capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")
    lines = done.stdout.splitlines()
    assert [line.split("  ")[0] for line in lines] == ["sums from the first", "sums in the middle", "product of modes"]
    assert all(("written out" in line) == (ranks == 1) for line in lines)
