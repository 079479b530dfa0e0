"""What a global index means, box by box: against numpy, whatever the cut."""

import numpy as np
import pytest
import weft
from hypothesis import given, settings
from hypothesis import strategies as st
from weft.field.selection import selection


def slices_of(n):
    """Slices of an axis, reaching beyond its ends, with steps of both signs."""
    bound = st.none() | st.integers(-n - 3, n + 3)
    return st.builds(slice, bound, bound, st.none() | st.integers(-n - 2, n + 2).filter(bool))


@st.composite
def indices(draw):
    """A shape and an index that numpy takes: at most one entry per axis, perhaps an Ellipsis among them."""
    shape = tuple(draw(st.lists(st.integers(1, 7), min_size=1, max_size=4)))
    entries = [draw(slices_of(n) | st.integers(-n, n - 1) | st.integers(-n, n - 1).map(np.int64)) for n in shape]
    first, last = sorted(draw(st.tuples(st.integers(0, len(shape)), st.integers(0, len(shape)))))
    if draw(st.booleans()):
        entries[first:last] = [Ellipsis]
    else:
        entries = entries[:last]
    return shape, entries[0] if len(entries) == 1 and draw(st.booleans()) else tuple(entries)


@st.composite
def cuts(draw, shape):
    """Boxes that make up an array: along each axis a list of bounds, some of them equal."""
    bounds = [[0, *sorted(draw(st.lists(st.integers(0, n), max_size=2))), n] for n in shape]
    return np.stack(np.meshgrid(*[range(len(b) - 1) for b in bounds], indexing="ij"), -1).reshape(
        -1, len(shape)
    ), bounds


@settings(max_examples=300, deadline=None, derandomize=True)
@given(indices(), st.data())
def test_boxes_hold_what_numpy_selects(shape_and_index, data):
    shape, index = shape_and_index
    whole = np.arange(np.prod(shape)).reshape(shape)
    region = selection(index, shape)
    expected = np.asarray(whole[index])
    assert region.shape == expected.shape
    found = np.full(region.counts, -1)
    places, bounds = data.draw(cuts(shape))
    for place in places:
        box = tuple(slice(b[i], b[i + 1]) for i, b in zip(place, bounds, strict=True))
        mine, there = region.part_of(box)
        assert (found[there] == -1).all(), "two boxes have the same element"
        found[there] = whole[box][mine]
    np.testing.assert_array_equal(found.reshape(region.shape), expected)


@pytest.mark.parametrize(
    ("index", "named"),
    [
        (4, ["axis 0", "4 is out of range for 4 points", "-4 to 3"]),
        ((0, -6), ["axis 1", "-6 is out of range for 5 points"]),
        ((0, 0, 0, 0), ["4 entries", "3 axes"]),
        ((..., 0, ...), ["more than one ..."]),
        ((slice(None, None, 0),), ["step is 0"]),
        (1.0, ["1.0 is not allowed", "whole numbers, slices and ..."]),
        ((0, 2.5), ["axis 1", "2.5"]),
        (True, ["True"]),
        (None, ["None is not allowed"]),
        ([0, 1], ["[0, 1] is not allowed", "u.local"]),
        (np.array([0, 1]), ["array([0, 1]) is not allowed"]),
        (slice("a", None), ["'a'", "axis 0"]),
    ],
)
def test_other_indices_are_refused(index, named):
    with pytest.raises(weft.Error) as refusal:
        selection(index, (4, 5, 6))
    assert all(part in str(refusal.value) for part in named), refusal.value
