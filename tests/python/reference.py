"""Transforms by numpy and scipy, one axis after the other, how far from them rounding may go, and examples of them."""

import numpy as np
import scipy.fft
from hypothesis import assume
from hypothesis import strategies as st
from weft.cli.check_reference import factor, forward_bound, round_trip_bound, round_trip_factor

__all__ = ["factor", "forward_bound", "round_trip_bound", "round_trip_factor"]

REAL_KINDS = ("dct1", "dct2", "dct3", "dct4", "dst1", "dst2", "dst3", "dst4")
KINDS = ("c2c", "r2c", *REAL_KINDS)


def expand(kinds, axes):
    """One kind per axis: "r2c" alone is numpy's rfftn."""
    if kinds == "r2c":
        return ("c2c",) * (axes - 1) + ("r2c",)
    return (kinds,) * axes if isinstance(kinds, str) else tuple(kinds)


def is_complex(kinds):
    """Whether the physical array is complex."""
    return "c2c" in kinds and "r2c" not in kinds


def forward(u, kinds):
    """The unscaled transform of the whole array in double precision: real kinds first, then r2c, then c2c."""
    u = u.astype(complex if np.iscomplexobj(u) else float)
    for axis, kind in enumerate(kinds):
        if kind in REAL_KINDS:
            transform = scipy.fft.dct if kind.startswith("dct") else scipy.fft.dst
            u = transform(u, type=int(kind[-1]), axis=axis)
    if "r2c" in kinds:
        u = np.fft.rfft(u, axis=kinds.index("r2c"))
    for axis, kind in enumerate(kinds):
        if kind == "c2c":
            u = np.fft.fft(u, axis=axis)
    return u


def backward(uh, kinds, shape):
    """The inverse of forward, which gives an array of that shape."""
    for axis, kind in enumerate(kinds):
        if kind == "c2c":
            uh = np.fft.ifft(uh, axis=axis)
    if "r2c" in kinds:
        axis = kinds.index("r2c")
        uh = np.fft.irfft(uh, n=shape[axis], axis=axis)
    for axis, kind in enumerate(kinds):
        if kind in REAL_KINDS:
            transform = scipy.fft.idct if kind.startswith("dct") else scipy.fft.idst
            uh = transform(uh, type=int(kind[-1]), axis=axis)
    return uh


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
