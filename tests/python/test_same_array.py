"""forward and backward with out= in the memory of their input."""

import numpy as np
import pytest
import weft
from reference import numbers


@pytest.mark.parametrize("shape", [(16,), (9, 12), (5, 6, 8)])
@pytest.mark.parametrize(("kinds", "dtype"), [("c2c", "float64"), ("dct2", "float32"), ("c2c", "float32")])
def test_one_array_for_points_and_modes(shape, kinds, dtype):
    plan = weft.Plan(shape, kinds, dtype=dtype)
    u = numbers(shape, plan.physical_dtype)
    modes = plan.forward(u)
    back = plan.backward(modes)
    assert plan.forward(u, out=u) is u
    assert np.array_equal(u, modes)
    plan.backward(u, out=u)
    assert np.array_equal(u, back)


@pytest.mark.parametrize("dtype", ["float64", "float32"])
@pytest.mark.parametrize(("shape", "kinds"), [((17,), "r2c"), ((9, 12), "r2c"), ((21, 7), ("none", "r2c"))])
def test_reals_in_rows_of_their_modes(shape, kinds, dtype):
    plan = weft.Plan(shape, kinds, dtype=dtype)
    modes = plan.spectral()
    u = modes.view(plan.dtype)[..., : shape[-1]]
    u[...] = numbers(shape, plan.dtype)
    expected = plan.forward(u.copy())
    back = plan.backward(expected)
    plan.forward(u, out=modes)
    assert np.array_equal(modes, expected)
    plan.backward(modes, out=u)
    assert np.array_equal(u, back)


def test_parts_of_one_array_that_are_apart():
    plan = weft.Plan((6, 8), "dct2")
    both = np.zeros((6, 2, 8))
    both[:, 0] = numbers((6, 8), plan.dtype)
    plan.forward(both[:, 0], out=both[:, 1])
    assert np.array_equal(both[:, 0], numbers((6, 8), plan.dtype))
    assert np.array_equal(both[:, 1], plan.forward(both[:, 0].copy()))


def test_parts_that_overlap_are_refused():
    plan = weft.Plan((6, 8), "dct2")
    u = np.zeros((7, 8))
    with pytest.raises(weft.Error, match="out: it shares memory with the input, but begins elsewhere"):
        plan.forward(u[:6], out=u[1:])
    rows = weft.Plan((21, 7), ("none", "r2c"))
    memory = np.zeros(1000)
    modes = memory[: 21 * 8].view(complex).reshape(21, 4)
    with pytest.raises(weft.Error, match="out: it begins where the input does, but its rows do not"):
        rows.forward(memory[: 21 * 7].reshape(21, 7), out=modes)
    with pytest.raises(weft.Error, match="out: it begins where the input does"):
        rows.backward(modes, out=memory[: 21 * 7].reshape(21, 7))
