"""Transforms by their defining sums in extended precision, and bounds on rounding errors.

The conventions are those of FFTW and scipy: unscaled, e^(-2 pi i j k / n) forward. The order of the axes is arbitrary,
since the transform along each axis is a product with a matrix.
"""

import math
from collections.abc import Sequence

import numpy as np

_PI = 4 * np.arctan(np.longdouble(1))

# Angles are pi times (a k + b) (c j + d) / (e n + f), for mode k and point j of an axis of n.
_ANGLES = {
    "c2c": ((2, 0), (1, 0), (1, 0)),
    "r2c": ((2, 0), (1, 0), (1, 0)),
    "dct1": ((1, 0), (1, 0), (1, -1)),
    "dct2": ((1, 0), (2, 1), (2, 0)),
    "dct3": ((2, 1), (1, 0), (2, 0)),
    "dct4": ((2, 1), (2, 1), (4, 0)),
    "dst1": ((1, 1), (1, 1), (1, 1)),
    "dst2": ((1, 1), (2, 1), (2, 0)),
    "dst3": ((2, 1), (1, 1), (2, 0)),
    "dst4": ((2, 1), (2, 1), (4, 0)),
}
# These points count once, and the others count twice.
_ENDS = {"dct1": (0, -1), "dct3": (0,), "dst3": (-1,)}


def matrix(kind: str, n: int) -> np.ndarray:
    """The transform of an axis of n points as a matrix of modes x points, in extended precision."""
    mode, point, (per_point, more) = _ANGLES[kind]
    period = per_point * n + more
    modes = np.arange(n // 2 + 1 if kind == "r2c" else n)
    product = np.outer(mode[0] * modes + mode[1], point[0] * np.arange(n) + point[1])
    # The angles are reduced as integers, so that they are exact but for one rounding.
    angle = _PI * (product % (2 * period)) / np.longdouble(period)
    if kind in ("c2c", "r2c"):
        return np.cos(angle) - 1j * np.sin(angle)
    result = 2 * (np.cos(angle) if kind.startswith("dct") else np.sin(angle))
    for end in _ENDS.get(kind, ()):
        result[:, end] /= 2
    return result


def forward(u: np.ndarray, kinds: Sequence[str]) -> np.ndarray:
    """The unscaled transform of a whole array."""
    result = u.astype(np.clongdouble if np.iscomplexobj(u) else np.longdouble)
    for axis, kind in enumerate(kinds):
        if kind != "none":
            result = np.moveaxis(np.tensordot(matrix(kind, u.shape[axis]), result, axes=(1, axis)), 0, axis)
    return result


def round_trip_factor(kind: str, n: int) -> int:
    """The factor by which a transform and its unscaled inverse multiply."""
    factors = {"none": 1, "c2c": n, "r2c": n, "dct1": 2 * (n - 1), "dst1": 2 * (n + 1)}
    return factors.get(kind, 2 * n)


def factor(kinds: Sequence[str], shape: Sequence[int]) -> int:
    """The product of the round-trip factors of all axes."""
    return math.prod(round_trip_factor(kind, n) for kind, n in zip(kinds, shape, strict=True))


def forward_bound(kinds: Sequence[str], shape: Sequence[int], eps: float) -> float:
    """Bound on |error of the spectrum| / |u| in the 2-norm for a transform that rounds no worse than its defining sums.

    A sum of n products makes n + 2 roundings of at most eps/2 in each term (sqrt(2) times that for complex products);
    the matrix of absolute values has a norm of at most n (entries up to 1: Fourier) or 2n (up to 2: cosines and sines).
    The other axes amplify this by the norm of their matrices: sqrt(round trip), and twice that where ends are weighted.
    """
    axes = [(kind, n) for kind, n in zip(kinds, shape, strict=True) if kind != "none"]
    gains = [math.sqrt(round_trip_factor(kind, n)) * (1 if kind == "c2c" else 2) for kind, n in axes]
    sums = [(n + 2) * eps / math.sqrt(2) * n * (1 if kind == "c2c" else 2) for kind, n in axes]
    return sum(error * math.prod(gains[:i] + gains[i + 1 :]) for i, error in enumerate(sums))


def round_trip_bound(kinds: Sequence[str], shape: Sequence[int], eps: float) -> float:
    """Bound on the error of backward(forward(u)). Both directions err, each amplified by the other."""
    gain = math.prod(2 * math.sqrt(round_trip_factor(kind, n)) for kind, n in zip(kinds, shape, strict=True))
    return 2 * forward_bound(kinds, shape, eps) * gain / factor(kinds, shape) + 2 * eps
