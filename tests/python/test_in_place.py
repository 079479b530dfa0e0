"""In-place plans on one rank: the bits of plans out of place, views without copies, and memory that views keep."""

import gc
import math

import numpy as np
import pytest
import weft
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from reference import forward, forward_bound, numbers, transforms


def pair(shape, kinds, **options):
    """Plans in place and out of place whose results do not depend on timings."""
    inside, outside = (weft.Plan(shape, kinds, effort="estimate", in_place=way, **options) for way in (True, False))
    return inside, outside


def filled(plan, values):
    """A field with points."""
    field = plan.in_place_field()
    field.physical[...] = values
    return field


def same_bits(a, b):
    return a.shape == b.shape and a.dtype == b.dtype and a.tobytes() == b.tobytes()


# Contiguous lines of these lengths go from memory to memory, the last modes of real ones to a place of their own.
@pytest.mark.parametrize("kind", ["r2c", "c2c"])
@pytest.mark.parametrize("dtype", ["float64", "float32"])
@pytest.mark.parametrize("n", [128, 192, 256, 1000, 1024])
@pytest.mark.parametrize("engine", ["lanes", "fftw"])
def test_long_contiguous_lines_in_place(kind, dtype, n, engine):
    shape = (5, 4, n)
    inside, outside = pair(shape, kind, dtype=dtype, engine=engine)
    points = numbers(shape, outside.physical_dtype)
    modes = outside.forward(points)
    bound = sum(forward_bound(outside.kinds, shape, np.finfo(real).eps) for real in (dtype, float))
    assert np.linalg.norm(modes - forward(points, outside.kinds)) <= bound * np.linalg.norm(points)
    field = filled(inside, points)
    inside.forward(field)
    assert same_bits(np.ascontiguousarray(field.spectral), modes)
    inside.backward(field)
    assert same_bits(np.ascontiguousarray(field.physical), outside.backward(modes))


@settings(max_examples=200, deadline=None, derandomize=True)
@given(
    transforms(),
    st.sampled_from(["float64", "float32"]),
    st.sampled_from([1, 2]),
    st.sampled_from(["backward", "ortho"]),
    st.sampled_from(["auto", "lanes", "fftw"]),
)
def test_in_place_gives_the_bits_of_out_of_place(shape_and_kinds, dtype, threads, norm, engine):
    shape, kinds = shape_and_kinds
    assume("r2c" not in kinds[:-1])
    inside, outside = pair(shape, kinds, dtype=dtype, threads=threads, norm=norm, engine=engine)
    u = numbers(shape, outside.physical_dtype)
    field = filled(inside, u)
    assert inside.forward(field) is field.spectral
    uh = outside.forward(u)
    assert same_bits(field.spectral, uh)
    assert inside.backward(field) is field.physical
    assert same_bits(field.physical, outside.backward(uh))
    symbol = numbers(outside.spectral_shape, outside.spectral_dtype, seed=1)
    field.physical[...] = u
    assert inside.apply(field, symbol) is field.physical
    assert same_bits(field.physical, outside.apply(u, symbol))


@pytest.mark.parametrize("dtype", ["float64", "float32"])
@pytest.mark.parametrize("kinds", ["r2c", "c2c", "dct2", ("dct3", "c2c", "r2c")])
def test_in_place_gives_what_numpy_gives(kinds, dtype):
    plan = weft.Plan((12, 10, 9), kinds, dtype=dtype, in_place=True)
    u = numbers(plan.shape, plan.physical_dtype)
    modes = plan.forward(filled(plan, u))
    bound = forward_bound(plan.kinds, plan.shape, np.finfo(plan.dtype).eps)
    bound += forward_bound(plan.kinds, plan.shape, np.finfo(float).eps)
    assert np.linalg.norm(modes - forward(u, plan.kinds)) <= bound * np.linalg.norm(u)


# --- views


@pytest.mark.parametrize("kinds", ["r2c", "c2c", "dct2", ("dct2", "none", "r2c")])
@pytest.mark.parametrize("dtype", ["float64", "float32"])
def test_both_sides_are_views_of_one_memory(kinds, dtype):
    plan = weft.Plan((6, 5, 8), kinds, dtype=dtype, in_place=True, effort="estimate")
    field = plan.in_place_field()
    assert (field.physical.shape, field.physical.dtype) == (plan.physical_shape, plan.physical_dtype)
    assert (field.spectral.shape, field.spectral.dtype) == (plan.spectral_shape, plan.spectral_dtype)
    assert field.physical.flags.writeable and field.spectral.flags.writeable
    assert not field.physical.any() and not field.spectral.any()
    field.physical[...] = 1
    # The first point is the first number of the first mode.
    assert field.spectral[0, 0, 0].real == 1
    assert np.shares_memory(field.physical, field.spectral)
    assert not np.may_share_memory(field.physical, plan.in_place_field().physical)


def test_memory_is_that_of_one_array_and_some_padding():
    plan = weft.Plan((64, 64, 64), "r2c", in_place=True, effort="estimate")
    field = plan.in_place_field()
    # A row of 64 reals becomes 33 complex numbers; rows and planes end up to two cache lines of 8 reals later.
    assert 8 * 64 * 64 * 66 <= field.nbytes <= 8 * 64 * (64 * (66 + 16) + 16)
    assert field.physical.strides[:2] == field.spectral.strides[:2]
    assert (field.physical.strides[2], field.spectral.strides[2]) == (8, 16)


def test_views_cannot_be_replaced_by_mistake():
    field = weft.Plan(8, "c2c", in_place=True, effort="estimate").in_place_field()
    with pytest.raises(AttributeError):
        field.physical = np.zeros(8)
    with pytest.raises(AttributeError):
        field.spectral = np.zeros(8)


def test_memory_lives_as_long_as_a_view():
    plan = weft.Plan((32, 32, 32), "r2c", in_place=True, effort="estimate")
    u = numbers((32, 32, 32), float)
    field = filled(plan, u)
    row = field.physical[3, 4]
    del field, plan
    gc.collect()
    # What was freed would be handed out again.
    others = [weft.Plan((32, 32, 32), "r2c", in_place=True, effort="estimate").in_place_field() for _ in range(4)]
    assert np.array_equal(row, u[3, 4])
    assert not any(np.may_share_memory(row, other.physical) for other in others)


def test_memory_of_dropped_fields_is_freed():
    plan = weft.Plan((64, 64, 64), "c2c", in_place=True, effort="estimate")

    def resident():
        with open("/proc/self/statm") as statm:
            return int(statm.read().split()[1]) * 4096

    plan.in_place_field()
    before = resident()
    for _ in range(50):
        nbytes = plan.in_place_field().nbytes
    gc.collect()
    assert resident() - before < 10 * nbytes


# --- fields and plans


def test_plain_arrays_of_an_in_place_plan():
    plan = weft.Plan((6, 8), "r2c", in_place=True, effort="estimate")
    assert plan.in_place and "in_place=True" in repr(plan)
    assert plan.physical().flags.c_contiguous and plan.spectral().shape == (6, 5)
    assert not weft.Plan((6, 8), "r2c", effort="estimate").in_place
    assert "(6, 8) float64, (6, 5) complex128" in repr(plan.in_place_field())


def test_plans_of_the_same_layout_share_fields():
    plain, ortho = (weft.Plan((6, 8), "r2c", in_place=True, effort="estimate", norm=n) for n in ("backward", "ortho"))
    u = numbers((6, 8), float)
    field = filled(plain, u)
    plain.forward(field)
    ortho.backward(field)
    # Both scales together leave the root of the number of points.
    assert np.allclose(
        field.physical,
        math.sqrt(u.size) * u,
        rtol=0,
        atol=u.size * forward_bound(plain.kinds, plain.shape, np.finfo(float).eps),
    )


def test_fields_are_independent():
    plan = weft.Plan((6, 8), "r2c", in_place=True, effort="estimate")
    u, v = numbers((6, 8), float), numbers((6, 8), float, seed=1)
    first, second = filled(plan, u), filled(plan, v)
    plan.forward(first)
    assert np.array_equal(second.physical, v)
    plan.forward(second)
    plan.backward(first)
    outside = weft.Plan((6, 8), "r2c", effort="estimate")
    assert same_bits(first.physical, outside.backward(outside.forward(u)))
    assert same_bits(second.spectral, outside.forward(v))
