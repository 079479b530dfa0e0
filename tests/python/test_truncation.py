"""Plans that keep the modes of fewer points: numpy's spectrum cut to size, interpolation, and the 3/2 rule."""

import itertools

import numpy as np
import pytest
import weft
from reference import factor, forward, forward_bound, is_complex, numbers, round_trip_bound


def cut(modes, kind, axis, n, kept):
    """Of the spectrum along an axis (c2c in place of r2c) what a transform of `kept` points has."""
    if kept in (0, n):
        return modes if kind != "r2c" else np.take(modes, range(n // 2 + 1), axis)
    if kind in ("c2c", "r2c"):
        halves = [slice(None)] * modes.ndim
        result = np.take(modes, np.r_[0 : (kept + 1) // 2, n - kept // 2 : n], axis)
        if kept % 2 == 0:
            halves[axis] = kept // 2
            result[tuple(halves)] += np.take(modes, kept // 2, axis)
        return result if kind == "c2c" else np.take(result, range(kept // 2 + 1), axis)
    result = np.take(modes, range(kept), axis)
    if kind in ("dct1", "dst2"):
        np.moveaxis(result, axis, 0)[-1] *= 2
    return result


def expected_modes(u, kinds, modes):
    spectrum = forward(u, tuple("c2c" if kind == "r2c" else kind for kind in kinds))
    for axis, kind in enumerate(kinds):
        spectrum = cut(spectrum, kind, axis, u.shape[axis], modes[axis])
    return spectrum


@pytest.mark.parametrize("dtype", ["float64", "float32"])
@pytest.mark.parametrize(
    ("shape", "kinds", "modes"),
    [
        ((12,), ("r2c",), (8,)),
        ((13,), ("c2c",), (6,)),
        ((9, 12), ("c2c", "r2c"), (6, 7)),
        ((8, 9, 10), ("c2c", "c2c", "r2c"), (5, 6, 4)),
        ((6, 8, 9), ("r2c", "dct2", "c2c"), (4, 5, 0)),
        ((6, 7), ("dct1", "dst2"), (4, 5)),
        ((6, 7, 5), ("dst1", "dct4", "none"), (2, 3, 0)),
        ((6, 7), ("dct3", "dst3"), (3, 6)),
        ((6, 7), ("dst4", "c2c"), (6, 4)),
    ],
)
def test_forward_is_numpy_cut_to_size(shape, kinds, modes, dtype):
    plan = weft.Plan(shape, kinds, modes=modes, dtype=dtype, effort="estimate")
    u = numbers(shape, plan.physical_dtype)
    uh, expected = plan.forward(u), expected_modes(u, kinds, modes)
    assert uh.shape == plan.spectral_shape == expected.shape
    # Sums of two modes, once an axis, at most double an error of both transforms.
    eps = np.finfo(plan.dtype).eps + np.finfo(float).eps
    assert np.linalg.norm(uh - expected) <= 2 ** len(shape) * forward_bound(kinds, shape, eps) * np.linalg.norm(u)
    # What backward makes of these modes holds no others: forward gives them again.
    again = plan.forward(plan.backward(uh))
    bound = 2 ** len(shape) * round_trip_bound(kinds, shape, eps) * np.sqrt(factor(kinds, shape))
    assert np.linalg.norm(again - uh) <= 2 ** len(shape) * bound * np.linalg.norm(u)


@pytest.mark.parametrize("kinds", ["r2c", "c2c"])
@pytest.mark.parametrize(("few", "many"), [((4, 6), (8, 12)), ((5, 7), (10, 14)), ((6, 5), (12, 5))])
def test_backward_passes_through_the_points_of_the_modes(kinds, few, many):
    exact, plan = weft.Plan(few, kinds), weft.Plan(many, kinds, modes=few)
    u = numbers(few, exact.physical_dtype)
    steps = tuple(slice(None, None, n // m) for n, m in zip(many, few, strict=True))
    ratio = np.prod(many) / np.prod(few)
    fine = plan.backward(ratio * exact.forward(u))
    eps = np.finfo(float).eps
    names = plan.kinds
    bound = ratio * (round_trip_bound(names, few, eps) + round_trip_bound(names, many, eps))
    assert np.linalg.norm(fine[steps] - u) <= bound * np.linalg.norm(u)


def convolution(a, b, m):
    """sum over p + q = k of a[p] b[q] / m^2 for whole 2-D spectra of odd extents, modes as in fftfreq."""
    n = a.shape
    result = np.zeros_like(a)
    signed = [np.arange(size) - size // 2 for size in n]
    for k, j in itertools.product(*signed):
        for p, q in itertools.product(*signed):
            if all(2 * abs(r) < size for r, size in zip((k - p, j - q), n, strict=True)):
                result[k, j] += a[p, q] * b[k - p, j - q]
    return result / m


@pytest.mark.parametrize(("kept", "points"), [((5, 7), (8, 11)), ((7, 5), (10, 8))])
def test_products_by_the_three_halves_rule_are_exact_convolutions(kept, points):
    """Quadratic terms of n modes on 3n/2 points: no mode of the product lies on another one's place."""
    small, plan = weft.Plan(kept, "r2c"), weft.Plan(points, "r2c", modes=kept)
    fields = [numbers(kept, np.dtype("float64"), seed) for seed in (1, 2)]
    product = plan.forward(plan.backward(small.forward(fields[0])) * plan.backward(small.forward(fields[1])))
    a, b = (np.fft.fft2(u) for u in fields)
    expected = convolution(a, b, np.prod(points))[:, : kept[1] // 2 + 1]
    # Three transforms of the larger size, each with a relative error of the direct sums; the sizes of the factors.
    eps = np.finfo(float).eps
    relative = 3 * forward_bound(plan.kinds, points, eps) * 2
    assert np.linalg.norm(product - expected) <= relative * np.linalg.norm(a) * np.linalg.norm(b)
    unpadded = small.forward(fields[0] * fields[1]) * np.prod(kept) / np.prod(points)
    assert np.linalg.norm(unpadded - expected) > 0.1 * np.linalg.norm(expected), "without padding modes are mixed up"


def test_wavenumbers_weights_and_fields_follow_the_kept_modes():
    plan = weft.Plan((9, 12), "r2c", modes=(4, 6), in_place=True)
    assert [k.ravel().tolist() for k in plan.wavenumbers()] == [[0, 1, -2, -1], [0, 1, 2, 3]]
    assert plan.weights().ravel().tolist() == [1, 2, 2, 1]
    field = plan.in_place_field()
    u = numbers((9, 12), plan.physical_dtype)
    field.physical[...] = u
    assert np.array_equal(plan.forward(field), weft.Plan((9, 12), "r2c", modes=(4, 6)).forward(u))
    assert not is_complex(plan.kinds)


@pytest.mark.parametrize(
    ("modes", "parts"),
    [((4,), ("modes", "2 axes")), ((4, 13), ("modes", "13", "axis 1")), ((4.0, 6), ("modes", "4.0")), (4, ("modes",))],
)
def test_wrong_modes_are_refused(modes, parts):
    with pytest.raises(weft.Error) as refusal:
        weft.Plan((9, 12), "r2c", modes=modes)
    assert all(part in str(refusal.value) for part in parts)
