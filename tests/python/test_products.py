"""plan.convolve and plan.correlate: their definitions, numpy's transforms, precisions and norms, what is refused."""

import itertools

import numpy as np
import pytest
import weft
from reference import numbers, round_trip_bound


def defined(u, v, sign):
    """Sums over all pairs of points: w[i] = sum of u[j] v[i - j], or of conj(u[j]) v[i + j]."""
    w = np.zeros(u.shape, u.dtype)
    for j in itertools.product(*map(range, u.shape)):
        if sign > 0:
            w += u[j] * np.roll(v, j, range(v.ndim))
        else:
            w += np.conj(u[j]) * np.roll(v, [-n for n in j], range(v.ndim))
    return w


def bound(plan, u, v):
    """Of the 2-norm of the error: |w| <= |u|_1 |v|_2; three transforms and a product of modes."""
    eps = np.finfo(plan.dtype).eps
    return 4 * round_trip_bound(plan.kinds, plan.shape, eps) * np.abs(u).sum() * np.linalg.norm(v)


@pytest.mark.parametrize("norm", ["backward", "forward", "ortho"])
@pytest.mark.parametrize("dtype", ["float64", "float32"])
@pytest.mark.parametrize("shape, kinds", [((9,), "r2c"), ((6, 5), "c2c"), ((4, 3, 6), "r2c"), ((3, 1, 8), "c2c")])
def test_are_their_definitions(shape, kinds, dtype, norm):
    plan = weft.Plan(shape, kinds, dtype=dtype, norm=norm)
    u, v = numbers(shape, plan.physical_dtype), numbers(shape, plan.physical_dtype, seed=1)
    kept = u.copy(), v.copy()
    for product, sign in (plan.convolve, 1), (plan.correlate, -1):
        w = product(u, v)
        assert w.dtype == plan.physical_dtype
        assert np.linalg.norm(w - defined(u, v, sign)) <= bound(plan, u, v)
    assert np.array_equal(u, kept[0]) and np.array_equal(v, kept[1])


def test_large_arrays_are_numpys():
    plan = weft.Plan((48, 40, 36), "r2c")
    u, v = numbers(plan.shape, "float64"), numbers(plan.shape, "float64", seed=1)
    hats = np.fft.rfftn(u), np.fft.rfftn(v)
    expected = [np.fft.irfftn(h * hats[1], plan.shape, axes=(0, 1, 2)) for h in (hats[0], hats[0].conj())]
    for w, reference in zip((plan.convolve(u, v), plan.correlate(u, v)), expected, strict=True):
        assert np.linalg.norm(w - reference) <= 2 * bound(plan, u, v)


def test_results_may_overwrite_a_factor():
    plan = weft.Plan((8, 6), "r2c")
    u, v = numbers(plan.shape, "float64"), numbers(plan.shape, "float64", seed=1)
    for product in plan.convolve, plan.correlate:
        expected = product(u, v)
        for which in 0, 1:
            given = [u.copy(), v.copy()]
            assert product(*given, out=given[which]) is given[which]
            assert np.array_equal(given[which], expected)


def test_axes_without_transform_are_problems_of_their_own():
    plan = weft.Plan((3, 8, 6), ("none", "c2c", "r2c"), batch_axes=(0,))
    single = weft.Plan((8, 6), "r2c")
    u, v = numbers(plan.shape, "float64"), numbers(plan.shape, "float64", seed=1)
    w = plan.convolve(u, v)
    assert all(np.array_equal(w[i], single.convolve(u[i], v[i])) for i in range(3))


def test_a_long_line():
    n = 1 << 15
    plan = weft.Plan((n,), "r2c")
    u = np.zeros(n)
    u[[3, 5]] = 2.0, -1.0
    v = numbers((n,), "float64")
    expected = 2 * np.roll(v, 3) - np.roll(v, 5)
    assert np.linalg.norm(plan.convolve(u, v) - expected) <= bound(plan, u, v)


def test_fields_give_fields():
    plan = weft.Plan((6, 5), "r2c")
    u, v = plan.physical_field(), plan.physical_field()
    u[...], v[...] = numbers(plan.shape, "float64"), numbers(plan.shape, "float64", seed=1)
    w = plan.convolve(u, v)
    assert isinstance(w, weft.Field)
    assert np.array_equal(w.local, plan.convolve(np.array(u.local), np.array(v.local)))


def test_one_spectrum_is_kept():
    plan = weft.Plan((16, 16), "c2c")
    before = plan.workspace_bytes
    u = numbers(plan.shape, "complex128")
    for _ in range(3):
        plan.convolve(u, u)
    assert plan.workspace_bytes == before + 16 * 16 * 16


def test_mistakes_are_told():
    plan = weft.Plan((6, 5), "r2c")
    u = numbers(plan.shape, "float64")
    with pytest.raises(weft.Error, match=r"v.*\(6, 4\)"):
        plan.convolve(u, u[:, :4].copy())
    with pytest.raises(weft.Error, match="v.*float32"):
        plan.correlate(u, u.astype("float32"))
    with pytest.raises(weft.Error, match="kinds: axis 1 has dct2"):
        weft.Plan((6, 5), ("c2c", "dct2")).convolve(numbers((6, 5), "complex128"), numbers((6, 5), "complex128"))
    placed = weft.Plan((6, 6), "r2c", in_place=True)
    with pytest.raises(weft.Error, match="in place"):
        placed.convolve(u, u)
