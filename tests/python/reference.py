"""Transforms by numpy and scipy, one axis after the other, how far from them rounding may go, and examples of them."""

import numpy as np
from fuzz.references import REAL_KINDS, backward, forward
from hypothesis import assume
from hypothesis import strategies as st
from weft.cli.check_reference import factor, forward_bound, round_trip_bound, round_trip_factor

__all__ = ["backward", "factor", "forward", "forward_bound", "round_trip_bound", "round_trip_factor"]

KINDS = ("c2c", "r2c", *REAL_KINDS)


def expand(kinds, axes):
    """One kind per axis: "r2c" alone is numpy's rfftn."""
    if kinds == "r2c":
        return ("c2c",) * (axes - 1) + ("r2c",)
    return (kinds,) * axes if isinstance(kinds, str) else tuple(kinds)


def is_complex(kinds):
    """Whether the physical array is complex."""
    return "c2c" in kinds and "r2c" not in kinds


def numbers(shape, dtype, seed=0):
    """Random numbers in [-1, 1) of a real or complex type."""
    random = np.random.default_rng(seed)
    u = random.uniform(-1, 1, shape)
    if np.issubdtype(dtype, np.complexfloating):
        u = u + 1j * random.uniform(-1, 1, shape)
    return u.astype(dtype)


@st.composite
def transforms(draw):
    """A shape of 1 to 4 axes with a kind for each."""
    shape = tuple(draw(st.lists(st.integers(1, 9), min_size=1, max_size=4)))
    kinds = tuple(draw(st.sampled_from(("none", *KINDS))) for _ in shape)
    assume(set(kinds) != {"none"} and kinds.count("r2c") <= 1)
    assume(all(n >= 2 for kind, n in zip(kinds, shape, strict=True) if kind == "dct1"))
    return shape, kinds
