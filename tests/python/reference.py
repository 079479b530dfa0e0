"""Transforms by numpy and scipy, one axis after the other, how far from them rounding may go, and examples of them."""

import math

import numpy as np
import scipy.fft
from hypothesis import assume
from hypothesis import strategies as st

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


def round_trip_factor(kind, n):
    """The unscaled inverse after the transform multiplies by this number."""
    factors = {"none": 1, "c2c": n, "r2c": n, "dct1": 2 * (n - 1), "dst1": 2 * (n + 1)}
    return factors.get(kind, 2 * n)


def factor(kinds, shape):
    """The round-trip factor of all axes."""
    return math.prod(round_trip_factor(kind, n) for kind, n in zip(kinds, shape, strict=True))


def forward_bound(kinds, shape, eps):
    """Bound on |error of the spectrum| / |u| in the 2-norm for a transform that rounds no worse than its defining sums.

    A sum of n products makes n + 2 roundings of at most eps/2 in each term (sqrt(2) times that for complex products);
    the matrix of absolute values has a norm of at most n (entries up to 1: Fourier) or 2n (up to 2: cosines and sines).
    The other axes amplify this by the norm of their matrices: sqrt(round trip), and twice that where ends are weighted.
    """
    axes = [(kind, n) for kind, n in zip(kinds, shape, strict=True) if kind != "none"]
    gains = [math.sqrt(round_trip_factor(kind, n)) * (1 if kind == "c2c" else 2) for kind, n in axes]
    sums = [(n + 2) * eps / math.sqrt(2) * n * (1 if kind == "c2c" else 2) for kind, n in axes]
    return sum(error * math.prod(gains[:i] + gains[i + 1 :]) for i, error in enumerate(sums))


def round_trip_bound(kinds, shape, eps):
    """The same for backward(forward(u)): both directions err, each amplified by the other, and the result is scaled."""
    gain = math.prod(2 * math.sqrt(round_trip_factor(kind, n)) for kind, n in zip(kinds, shape, strict=True))
    return 2 * forward_bound(kinds, shape, eps) * gain / factor(kinds, shape) + 2 * eps


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
