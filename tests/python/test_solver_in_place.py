"""Solvers in place on one rank: the bits of solvers between arrays, views without copies, memory that views keep."""

import gc

import numpy as np
import pytest
import weft

BOUNDARIES = [
    ("periodic", "periodic", "periodic"),
    (("odd", "even"), "even", "periodic"),
    ("odd", ("even", "odd"), "even"),
    ("even", "odd"),
]


def solvers(boundary, **options):
    """In place, and between arrays."""
    cells, length = (9, 8, 12)[: len(boundary)], (1.0, 2.0, 1.5)[: len(boundary)]
    return (weft.Poisson(cells, length, boundary, in_place=way, **options) for way in (True, False))


@pytest.mark.parametrize("centring", ["cell", "node"])
@pytest.mark.parametrize("dtype", ["float64", "float32"])
@pytest.mark.parametrize("boundary", BOUNDARIES)
def test_same_bits(boundary, dtype, centring):
    inside, outside = solvers(boundary, dtype=dtype, centring=centring)
    rhs = np.random.default_rng(0).random(outside.local_shape).astype(dtype)
    field = inside.in_place_field()
    assert not field.values.any() and field.nbytes >= rhs.nbytes
    field.values[...] = rhs
    assert inside.solve(field) is field.values
    assert np.array_equal(field.values, outside.solve(rhs))
    assert np.array_equal(outside.solve(rhs, out=rhs), field.values)


def test_values_outlive_solver_and_field():
    inside, _ = solvers(BOUNDARIES[0])
    field = inside.in_place_field()
    field.values[...] = 1
    values = field.values
    del inside, field
    gc.collect()
    assert values.sum() == values.size


def test_refusals():
    inside, outside = solvers(BOUNDARIES[1])
    field, array = inside.in_place_field(), np.zeros(outside.local_shape)
    other = weft.Poisson((9, 8, 10), (1.0, 2.0, 1.5), BOUNDARIES[1], in_place=True)
    cases = [
        (lambda: inside.solve(array), ["rhs is ndarray", "solver.in_place_field()"]),
        (lambda: outside.solve(field), ["rhs is an in-place field", "in_place=True"]),
        (lambda: inside.solve(field, out=array), ["out is given"]),
        (lambda: other.solve(field), ["of another solver"]),
        (outside.in_place_field, ["in_place=True"]),
        (lambda: list(solvers(("even", "unbounded", "even"))), ["in_place: axis 1 is unbounded", "room"]),
        (lambda: list(solvers(("even", "periodic", "even"))), ["in_place: r2c is on axis 1", "last axis"]),
    ]
    for call, words in cases:
        with pytest.raises(weft.Error) as caught:
            call()
        assert all(word in str(caught.value) for word in words), str(caught.value)
