"""Wavenumbers of boxes, spectral derivatives and products without aliasing, on one rank, against closed forms."""

import math

import numpy as np
import pytest
import weft
from reference import REAL_KINDS, factor, forward_bound, numbers, round_trip_bound

EPS = np.finfo(float).eps


def wave(kind, phase):
    """What the modes of a kind are made of, and its derivatives in the phase: values of order 0, 1, 2, 3."""
    if kind in ("c2c", "r2c"):
        values = np.exp(1j * phase)
        return [values, 1j * values, -values, -1j * values]
    cos, sin = np.cos(phase), np.sin(phase)
    return [cos, -sin, -cos, sin] if kind.startswith("dct") else [sin, cos, -sin, -cos]


def tolerance(plan, largest, eps=EPS):
    """How far a derivative may be from a closed form whose values are at most `largest`; in the 2-norm.

    Both transforms round; a phase of up to 2 pi n is rounded, too, and the factors with it.
    """
    size = math.prod(plan.shape)
    phases = 2 * math.pi * max(plan.shape)
    return largest * math.sqrt(size) * (4 * round_trip_bound(plan.kinds, plan.shape, eps) + 4 * phases * eps)


# --- wavenumbers


@pytest.mark.parametrize(("n", "kept"), [(8, 0), (7, 0), (12, 8), (13, 7)])
def test_wavenumbers_are_those_of_fftfreq_for_every_length(n, kept):
    length, points = 5.0, kept or n
    expected = 2 * math.pi * np.fft.fftfreq(points, length / points)
    (k,) = weft.Plan(n, "c2c", modes=(kept,)).wavenumbers(lengths=(length,))
    # Products of three rounded numbers on both sides.
    np.testing.assert_allclose(k, expected, rtol=6 * EPS, atol=0)
    (k,) = weft.Plan(n, "r2c", modes=(kept,)).wavenumbers((length,))
    np.testing.assert_allclose(k, 2 * math.pi * np.fft.rfftfreq(points, length / points), rtol=6 * EPS, atol=0)


@pytest.mark.parametrize("kept", [0, 5])
@pytest.mark.parametrize("kind", REAL_KINDS)
def test_waves_of_a_box_have_its_wavenumbers_and_coordinates(kind, kept):
    length = 0.3
    plan = weft.Plan((4, 8), ("none", kind), modes=(0, kept))
    none, k = plan.wavenumbers(lengths=(1.0, length))
    first, x = plan.coordinates(lengths=(1.0, length))
    start = {"1": 0, "2": 0, "3": 0.5, "4": 0.5}[kind[3]] + (kind in ("dst1", "dst2"))
    np.testing.assert_allclose(k, np.pi / length * (start + np.arange(kept or 8)[None]), rtol=6 * EPS)
    assert none.shape == (4, 1) and not none.any()
    np.testing.assert_allclose(first, np.arange(4)[:, None] / 4, rtol=4 * EPS)
    for mode in range((kept or 8) - 1):
        u = np.repeat(wave(kind, k[0, mode] * x)[0], 4, axis=0)
        uh = np.abs(plan.forward(u))
        # Modes are half a period, 7 or more; others are rounding of phases of at most 2 pi n.
        bound = forward_bound((kind,), (8,), EPS) * math.sqrt(8) * 2 * math.pi * 8
        assert uh[:, mode].min() >= 7 - bound and np.delete(uh, mode, axis=1).max() <= bound


def test_lengths_are_those_of_axes_that_are_no_components():
    plan = weft.Plan((3, 6, 8), ("none", "dct2", "r2c"), batch_axes=(0,), dtype="float32")
    components, kx, ky = plan.wavenumbers(lengths=(np.pi, 1))
    assert not components.any() and kx.dtype == ky.dtype == np.float32
    assert np.array_equal(kx.ravel(), np.arange(6)) and np.allclose(ky.ravel(), 2 * np.pi * np.arange(5), rtol=1e-6)
    field = plan.spectral_field()
    for a, b in zip(field.wavenumbers(lengths=(np.pi, 1)), (kx, ky), strict=True):
        assert np.array_equal(a, b) and a.shape == b.shape
    for a, b in zip(plan.wavenumbers((np.pi, 2 * np.pi)), plan.wavenumbers(), strict=True):
        assert np.array_equal(a, b), "these are the lengths without lengths="


@pytest.mark.parametrize("dtype", ["float64", "float32"])
def test_coordinates_of_fields_are_those_of_the_plan_and_of_numpy(dtype):
    plan = weft.Plan((3, 6, 8), ("none", "dct2", "r2c"), batch_axes=(0,), dtype=dtype)
    lengths = (0.5, 3.0)
    found = plan.physical_field().coordinates(lengths)
    x, y = (np.arange(6) + 0.5) * lengths[0] / 6, np.linspace(0, lengths[1], 8, endpoint=False)
    for mine, numpys, plans in zip(found, (x, y), plan.coordinates(lengths)[1:], strict=True):
        assert np.array_equal(mine, plans) and mine.shape == plans.shape and mine.dtype == dtype
        np.testing.assert_allclose(mine.ravel(), numpys, rtol=4 * np.finfo(dtype).eps)
    for a, b in zip(plan.physical_field().coordinates((np.pi, 2 * np.pi)), plan.coordinates()[1:], strict=True):
        assert np.array_equal(a, b), "these are the lengths without lengths="


def test_points_of_solvers_take_no_lengths():
    field = weft.Poisson((6, 8), (1.0, 2.0), ("odd", "periodic")).field()
    with pytest.raises(weft.Error, match="lengths: the points of a solver lie on the lengths it was made for"):
        field.coordinates((1.0, 2.0))


# --- derivatives


@pytest.mark.parametrize("dtype", ["float64", "float32"])
@pytest.mark.parametrize("modes", [None, (6, 5)])
@pytest.mark.parametrize("order", [1, 2, 3, 4])
@pytest.mark.parametrize("kind", ["c2c", *REAL_KINDS])
def test_derivatives_of_waves_are_exact(kind, order, modes, dtype):
    """Of every wave of the plan, along an axis of any kind beside a complex one, in a box."""
    lengths = (0.5, 3.0)
    plan = weft.Plan((8, 9), (kind, "c2c"), modes=modes, dtype=dtype)
    (x, y), (kx, ky) = plan.coordinates(lengths), plan.wavenumbers(lengths)
    # The last of dct1 and dst2 and n/2 of c2c are their own mirror images.
    mirrored = {"c2c": [plan.spectral_shape[0] // 2], "dct1": [-1], "dst2": [-1]}.get(kind, [])
    for k in np.delete(kx.ravel().astype(float), mirrored):
        values = wave(kind, k * x.astype(float))
        other = np.exp(1j * float(ky[0, 1]) * y.astype(float))
        u, expected = ((value * other).astype(plan.physical_dtype) for value in (values[0], values[order % 4]))
        largest = (np.abs(kx).max() ** order).astype(float)
        found = plan.derivative(u, 0, order, lengths)
        eps = np.finfo(dtype).eps
        assert found.dtype == plan.physical_dtype
        assert np.linalg.norm(found - k**order * expected) <= tolerance(plan, largest, eps)


@pytest.mark.parametrize("kinds", ["r2c", "c2c"])
@pytest.mark.parametrize(("n", "kept"), [(8, 0), (12, 8)])
def test_the_middle_mode_has_no_odd_derivative(kinds, n, kept):
    plan = weft.Plan((3, n), kinds, modes=(0, kept))
    k = (kept or n) // 2
    x = plan.coordinates()[1]
    u = np.ones((3, 1)) * np.cos(k * x).astype(plan.physical_dtype)
    assert np.abs(plan.derivative(u, 1)).max() <= tolerance(plan, k)
    assert np.abs(plan.derivative(u, -1, 3)).max() <= tolerance(plan, k**3)
    assert np.linalg.norm(plan.derivative(u, 1, 2) + k**2 * u) <= tolerance(plan, k**2)


@pytest.mark.parametrize(("kind", "n"), [("dct1", 2), ("dct1", 3), ("dst1", 1), ("dct2", 1), ("dst3", 1), ("dct4", 1)])
def test_odd_derivatives_of_few_points(kind, n):
    plan = weft.Plan(n, kind)
    (x,), (k,) = plan.coordinates(), plan.wavenumbers()
    values = wave(kind, k[0] * x)
    assert np.linalg.norm(plan.derivative(values[0], 0) - k[0] * values[1]) <= tolerance(plan, 1)


@pytest.mark.parametrize("norm", ["backward", "forward", "ortho"])
def test_gradient_and_laplacian_do_what_derivatives_do(norm):
    lengths = (1.0, 2.0, 3.0)
    plan = weft.Plan((3, 8, 6, 7), ("none", "dct2", "dst1", "r2c"), batch_axes=(0,), norm=norm)
    u = numbers(plan.shape, float)
    kept = u.copy()
    k = [np.abs(values).max() for values in plan.wavenumbers(lengths)]
    gradient = plan.gradient(u, lengths)
    assert len(gradient) == 3
    for axis, found in enumerate(gradient, 1):
        assert np.linalg.norm(found - plan.derivative(u, axis, 1, lengths)) <= 2 * tolerance(plan, k[axis])
    laplacian = sum(plan.derivative(u, axis, 2, lengths) for axis in (1, 2, 3))
    bound = 2 * tolerance(plan, np.dot(k, k))
    assert np.linalg.norm(plan.laplacian(u, lengths) - laplacian) <= bound
    assert np.array_equal(u, kept)


@pytest.mark.parametrize("dtype", ["float64", "float32"])
def test_fields_in_fields_out(dtype):
    plan = weft.Plan((6, 8), ("dct2", "r2c"), dtype=dtype)
    u = plan.physical_field(numbers((6, 8), plan.physical_dtype))
    found = [plan.derivative(u, 0), plan.derivative(u, 1), plan.laplacian(u), *plan.gradient(u)]
    arrays = [
        plan.derivative(u.local, 0),
        plan.derivative(u.local, 1),
        plan.laplacian(u.local),
        *plan.gradient(u.local),
    ]
    for field, array in zip(found, arrays, strict=True):
        assert isinstance(field, weft.Field) and field.side == "physical" and field.dtype == dtype
        assert np.array_equal(field.local, array)
    uh = plan.forward(u)
    results = plan.dealiased(lambda a, b: (a * b, a - b), uh, 2 * uh)
    assert isinstance(results, tuple) and all(one.side == "spectral" for one in results)
    # The second is linear: nothing but rounding of three transforms of at most twice the size.
    bound = 4 * forward_bound(plan.kinds, (12, 16), np.finfo(dtype).eps) * math.sqrt(2) * np.linalg.norm(u.local)
    assert np.linalg.norm(results[1].local + uh.local) <= bound


# --- products without aliasing


@pytest.mark.parametrize("norm", ["backward", "forward", "ortho"])
@pytest.mark.parametrize("n", [8, 9, 16])
@pytest.mark.parametrize("kind", ["r2c", "c2c", "dct1", "dct2"])
def test_products_of_waves_have_their_modes_and_no_others(kind, n, norm):
    plan = weft.Plan(n, kind, norm=norm)
    (x,) = plan.coordinates()
    (k,) = plan.wavenumbers()
    top = int(np.abs(k).max()) - (kind in ("r2c", "c2c") and n % 2 == 0)
    uh = plan.forward(np.cos(top * x).astype(plan.physical_dtype))
    # cos(top x)^2 = 1/2 + cos(2 top x) / 2, and 2 top is beyond the modes.
    expected = plan.forward(np.full(n, 0.5, plan.physical_dtype))
    found = plan.dealiased(lambda u: u * u, uh)
    # Three transforms of at most twice the size, the last of values up to 1, and phases of up to 2 pi n.
    size = {"backward": 1, "forward": 1 / factor((kind,), (n,)), "ortho": factor((kind,), (n,)) ** -0.5}[norm]
    bound = size * 8 * math.pi * n * forward_bound((kind,), (2 * n,), EPS) * math.sqrt(2 * n)
    assert np.abs(found - expected).max() <= bound
    aliased = plan.forward(plan.backward(uh) ** 2)
    assert np.abs(aliased - expected).max() > 1000 * bound, "without a finer grid the wave comes back as another one"


@pytest.mark.parametrize("kept", [5, 6])
def test_products_are_exact_convolutions_also_of_the_middle_mode(kept):
    plan = weft.Plan(kept, "c2c")
    a, b = numbers((kept,), complex, 1), numbers((kept,), complex, 2)

    def symmetric(modes):
        # The mode n/2 stands for itself and -n/2, half for each.
        whole = {int(k): value for k, value in zip(plan.wavenumbers()[0], modes, strict=True)}
        if kept % 2 == 0:
            whole[-kept // 2] = whole[kept // 2] = whole[-kept // 2] / 2
        return whole

    expected = np.zeros(kept, complex)
    for p, left in symmetric(a).items():
        for q, right in symmetric(b).items():
            if 2 * abs(p + q) <= kept:
                expected[(p + q) % kept] += left * right / kept
    found = plan.dealiased(lambda u, v: u * v, a, b)
    bound = 8 * forward_bound(("c2c",), (2 * kept,), EPS) * np.linalg.norm(a) * np.linalg.norm(b)
    assert np.linalg.norm(found - expected) <= bound


@pytest.mark.parametrize("kind", ["dst1", "dst2", "dst3", "dst4", "dct3", "dct4", "dct2", "r2c"])
def test_cubes_of_waves(kind):
    """cos^3 = 3/4 cos + 1/4 cos(3 .), sin^3 = 3/4 sin - 1/4 sin(3 .); degree 3 cuts the second part off."""
    n = 10
    plan = weft.Plan(n, kind)
    x, k = plan.coordinates()[0], plan.wavenumbers()[0][4]
    u = wave(kind, k * x)[0].real.copy()
    uh = plan.forward(u)
    found = plan.dealiased(lambda u: u**3, uh, degree=3)
    bound = 8 * math.pi * n * forward_bound((kind,), (4 * n,), EPS) * math.sqrt(4 * n)
    assert np.abs(found - 0.75 * uh).max() <= bound
    assert np.abs(plan.forward(u**3) - 0.75 * uh).max() > 1000 * bound


def test_a_plan_with_points_enough_needs_no_other():
    plan = weft.Plan((13, 15), "r2c", modes=(8, 9))
    u = numbers(plan.shape, float)
    uh = plan.forward(u)
    shapes = []
    product = plan.dealiased(lambda u: shapes.append(u.shape) or u * u, uh)
    assert shapes == [(13, 15)]
    np.testing.assert_array_equal(product, plan.forward(plan.backward(uh) ** 2))
    plan.dealiased(lambda u: shapes.append(u.shape) or u**3, uh, degree=3)
    assert shapes[1] == (18, 18), "more than 4 times the largest wavenumber, and small factors"


# --- what is refused


@pytest.mark.parametrize(
    ("code", "parts"),
    [
        ("plan.wavenumbers(lengths=5.0)", ["lengths", "5.0", "(1.0, 1.0, 2.0)"]),
        ("plan.wavenumbers(lengths=(1,))", ["lengths has 1 entries", "the plan has 3", "one per axis"]),
        ("plan.coordinates(lengths=(1, 0, 2))", ["lengths[1]: 0", "positive"]),
        ("batch.wavenumbers(lengths=(1, 2, 3))", ["lengths has 3", "without its batch_axes has 2"]),
        ("uh.wavenumbers(lengths=(1, 2))", ["lengths has 2", "the field has 3"]),
        ("plan.physical_field().coordinates(lengths=(1, 2))", ["lengths has 2", "the field has 3"]),
        ("plan.derivative(u, 3)", ["axis: 3", "-3 to 2"]),
        ("plan.derivative(u, 1.0)", ["axis: 1.0", "whole number"]),
        ("plan.derivative(u, 0)", ["axis: 0", '"none"', "1, 2"]),
        ("plan.derivative(u, 1, 0)", ["order: 0", "1 or more"]),
        ("plan.derivative(u, 1, 500)", ["order", "axis 1", "500", "float64"]),
        ("plan.derivative(u, 1, lengths=(1, 1e-310, 1))", ["wavenumber inf of axis 1", "lengths"]),
        ("plan.laplacian(u, lengths=(1, 1e-200, 1))", ["order", "power 2", "lengths"]),
        ("plan.derivative(u[1:], 1)", ["u has shape (2, 6, 8)", "plan.physical()"]),
        ("plan.gradient(u.astype('float32'))", ["u has dtype float32"]),
        ("plan.laplacian('u')", ["u is str"]),
        ("plan.gradient(uh)", ["u is spectral", "physical_field"]),
        ("inside.derivative(memory, 0)", ["u is an in-place field", "in_place=True", "apply()"]),
        ("inside.laplacian(memory.physical)", ["this plan works in place"]),
        ("plan.derivative(memory, 1)", ["u is an in-place field"]),
        ("plan.dealiased(3, uh)", ["function is int"]),
        ("plan.dealiased(np.square)", ["modes", "uh, vh"]),
        ("plan.dealiased(np.add, uh, uh.local)", ["modes: 1 of 2 are Fields"]),
        ("plan.dealiased(np.square, u)", ["modes[0] has shape (3, 6, 8)", "spectral_field()"]),
        ("plan.dealiased(np.square, uh, degree=0)", ["degree: 0", "1 or more"]),
        ("plan.dealiased(np.square, uh, degree=2.0)", ["degree: 2.0", "whole"]),
        ("batch.dealiased(np.square, batch.spectral())", ["degree: 2", "dst1 on axis 1", "odd degree"]),
        ("plan.dealiased(lambda u: 1 / 0, uh)", ["function", "ZeroDivisionError"]),
        ("plan.dealiased(lambda u: u[1:], uh)", ["the result of function", "(2, ", "(3, "]),
        ("plan.dealiased(lambda u: (u, 1j * u), uh)", ["result 1 of function", "complex128"]),
        ("plan.dealiased(lambda u: None, uh)", ["the result of function is NoneType"]),
        ("inside.dealiased(np.square, inside.spectral())", ["this plan works in place"]),
    ],
)
def test_what_is_wrong_is_refused_by_name(code, parts):
    plan = weft.Plan((3, 6, 8), ("none", "dct2", "r2c"))
    u = plan.physical()
    inside = weft.Plan((6, 8), "r2c", in_place=True)
    names = {"plan": plan, "u": u, "uh": plan.spectral_field(), "inside": inside, "memory": inside.in_place_field()}
    names |= {"np": np, "batch": weft.Plan((3, 6, 8), ("none", "dst1", "r2c"), batch_axes=(0,))}
    with pytest.raises(weft.Error) as refusal:
        eval(code, names)
    assert all(part in str(refusal.value) for part in parts), refusal.value
