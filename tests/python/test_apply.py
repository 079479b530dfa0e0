"""plan.apply on one rank: filters and derivatives beside numpy and scipy, every way that a symbol can be written."""

import numpy as np
import pytest
import weft
from hypothesis import given, settings
from hypothesis import strategies as st
from reference import backward, forward, numbers, round_trip_bound, transforms


def apply_bound(plan, symbol):
    """Bound on |error of apply| / |u| in the 2-norm: that of a round trip times the largest factor.

    The product adds at most 3 roundings (the factor to the precision, a complex product), amplified by both transforms:
    4 per axis, as in round_trip_bound.
    """
    eps = np.finfo(plan.dtype).eps
    return np.max(np.abs(symbol)) * (round_trip_bound(plan.kinds, plan.shape, eps) + 3 * eps * 4 ** len(plan.shape))


def check(plan, u, symbol):
    """What numpy and scipy give, whose rounding counts too, and u is preserved."""
    kept = u.copy()
    result = plan.apply(u, symbol)
    expected = backward(symbol * forward(u, plan.kinds), plan.kinds, plan.shape)
    assert result.dtype == plan.physical_dtype and result.shape == plan.physical_shape
    assert np.linalg.norm(result - expected) <= 2 * apply_bound(plan, symbol) * np.linalg.norm(u)
    assert np.array_equal(u, kept)


@settings(max_examples=200, deadline=None, derandomize=True)
@given(
    transforms(),
    st.booleans(),
    st.sampled_from(["float64", "float32"]),
    st.sampled_from([1, 2]),
    st.sampled_from(["auto", "lanes", "fftw"]),
    st.sampled_from(["backward", "forward", "ortho"]),
)
def test_any_shape_and_kinds(shape_and_kinds, real_symbol, dtype, threads, engine, norm):
    plan = weft.Plan(*shape_and_kinds, dtype=dtype, threads=threads, engine=engine, norm=norm, effort="estimate")
    u = numbers(plan.shape, plan.physical_dtype)
    check(plan, u, numbers(plan.spectral_shape, plan.dtype if real_symbol else plan.spectral_dtype, seed=1))


SHAPES = [(), (1,), (7,), (5, 1), (6, 1, 1), (1, 5, 1), (1, 1, 7), (6, 1, 7), (6, 5, 7)]


@pytest.mark.parametrize("dtype", ["float64", "float32"])
@pytest.mark.parametrize("kinds", ["r2c", "c2c", "dct2", ("dct2", "c2c", "r2c")])
@pytest.mark.parametrize("shape", SHAPES)
def test_symbols_broadcast(shape, kinds, dtype):
    last = 12 if "r2c" in kinds else 7
    plan = weft.Plan((6, 5, last), kinds, dtype=dtype, effort="estimate")
    u = numbers(plan.shape, plan.physical_dtype)
    for symbol_type in {plan.dtype, plan.spectral_dtype}:
        symbol = numbers(shape, symbol_type, seed=1)
        check(plan, u, symbol)
        whole = np.broadcast_to(symbol, plan.spectral_shape).copy()
        assert np.array_equal(plan.apply(u, symbol), plan.apply(u, whole))


@pytest.fixture(scope="module")
def plan():
    return weft.Plan((6, 5, 12), "r2c", effort="estimate")


@pytest.fixture(scope="module")
def u(plan):
    return numbers(plan.shape, plan.physical_dtype)


def packed(values, first):
    """The values as a field of structures: strides that are no multiple of their size, maybe not aligned either."""
    structures = np.zeros(values.shape, [("first", first), ("values", values.dtype)])
    structures["values"] = values
    return structures["values"]


@pytest.mark.parametrize("symbol_type", [float, complex])
@pytest.mark.parametrize(
    "written",
    [
        np.asfortranarray,
        lambda k: np.ascontiguousarray(k.transpose(1, 2, 0)).transpose(2, 0, 1),
        lambda k: np.repeat(k, 3, axis=2)[..., ::3],
        lambda k: np.ascontiguousarray(k[::-1, :, ::-1])[::-1, :, ::-1],
        lambda k: k.astype(k.dtype.newbyteorder()),
        lambda k: packed(k, "f8"),
        lambda k: packed(k, "i1"),
    ],
    ids=["fortran", "transposed", "strided", "reversed", "swapped", "structure", "unaligned"],
)
def test_symbols_have_any_strides(plan, u, written, symbol_type):
    symbol = numbers(plan.spectral_shape, symbol_type, seed=1)
    other = written(symbol)
    assert np.array_equal(other, symbol)
    assert np.array_equal(plan.apply(u, other), plan.apply(u, symbol))


def test_read_only_symbol_is_left_alone(plan, u):
    symbol = numbers(plan.spectral_shape, complex, seed=1)
    kept = symbol.copy()
    symbol.flags.writeable = False
    expected = plan.apply(u, kept)
    assert np.array_equal(plan.apply(u, symbol), expected)
    assert np.array_equal(symbol, kept)


@pytest.mark.parametrize("dtype", ["float64", "float32"])
def test_other_types_become_those_of_the_plan(dtype):
    plan = weft.Plan((6, 5, 12), "r2c", dtype=dtype, effort="estimate")
    u = numbers(plan.shape, plan.dtype)
    real = numbers(plan.spectral_shape, float, seed=1)
    mask = real > 0
    assert np.array_equal(plan.apply(u, mask), plan.apply(u, mask.astype(dtype)))
    whole = np.rint(5 * real)
    for kind in (np.int8, np.int64, np.float16, np.longdouble):
        assert np.array_equal(plan.apply(u, whole.astype(kind)), plan.apply(u, whole.astype(dtype)))
    for kind in (np.float32, np.float64):
        assert np.array_equal(plan.apply(u, real.astype(kind)), plan.apply(u, real.astype(kind).astype(dtype)))
    waves = (1j * real).astype(np.complex64)
    assert np.array_equal(plan.apply(u, waves), plan.apply(u, waves.astype(plan.spectral_dtype)))
    for number in (3, True, 2.5, 1j, np.float32(2.5), np.int16(3)):
        assert np.array_equal(plan.apply(u, number), plan.apply(u, np.full(plan.spectral_shape, number)))


@pytest.mark.parametrize("in_place", [False, True])
@pytest.mark.parametrize("dtype", ["float64", "float32"])
def test_derivatives_of_a_trigonometric_polynomial_are_exact(dtype, in_place):
    plan = weft.Plan((12, 10, 9), "r2c", effort="estimate", dtype=dtype, in_place=in_place)
    x, y, z = plan.coordinates()
    u = np.sin(3 * x) * np.cos(2 * y + 1) * np.sin(4 * z)
    kx, _, kz = plan.wavenumbers()
    derivatives = {
        "x": (1j * kx, 3 * np.cos(3 * x) * np.cos(2 * y + 1) * np.sin(4 * z)),
        "z": (1j * kz, 4 * np.sin(3 * x) * np.cos(2 * y + 1) * np.cos(4 * z)),
        "zz": (-(kz**2), -16 * u),
    }
    given = plan.in_place_field() if in_place else np.ascontiguousarray(u)
    for symbol, expected in derivatives.values():
        if in_place:
            given.physical[...] = u
        # Phases of up to 4 turns are rounded, in u and in what is expected, which is up to 16 times as large.
        phases = 2 * 16 * 8 * np.pi * np.finfo(plan.dtype).eps * np.sqrt(u.size)
        bound = apply_bound(plan, symbol) * np.linalg.norm(u) + phases
        assert np.linalg.norm(plan.apply(given, symbol) - expected) <= bound


def test_one_changes_nothing_but_rounding_and_zero_leaves_nothing(plan, u):
    bound = apply_bound(plan, 1.0) * np.linalg.norm(u)
    assert np.linalg.norm(plan.apply(u, 1.0) - u) <= bound
    assert not plan.apply(u, 0).any()


def test_results_are_new_arrays_or_out_or_the_input(plan, u):
    kx = plan.wavenumbers()[0]
    expected = plan.apply(u, 1j * kx)
    assert not np.may_share_memory(expected, u)
    out = plan.physical()
    assert plan.apply(u, 1j * kx, out=out) is out
    assert np.array_equal(out, expected)
    own = u.copy()
    assert plan.apply(own, 1j * kx, out=own) is own
    assert np.array_equal(own, expected)
    again = u.copy()
    assert np.array_equal(plan.apply(again, 1j * kx, again.view()), expected)
    assert np.array_equal(again, expected)


@pytest.mark.parametrize("bad", [np.nan, np.inf])
def test_numbers_that_are_not_finite_spread(plan, u, bad):
    # As in forward: they are neither refused nor lost.
    spoilt = u.copy()
    spoilt[1, 2, 3] = bad
    assert not np.isfinite(plan.apply(spoilt, 1.0)).any()
