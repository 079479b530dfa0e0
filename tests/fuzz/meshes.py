"""Layers around whole arrays by numpy.pad, and particles on a mesh by the closed form of B-splines."""

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

LEFT_ALONE = 99.0


def both(ends: Any) -> tuple[str, str]:
    """The words for both ends of an axis."""
    return (ends, ends) if isinstance(ends, str) else tuple(ends)


def layers(u: np.ndarray, axis: int, width: Sequence[int], ends: Any, centring: str) -> np.ndarray:
    """The array with layers along one axis; LEFT_ALONE beyond unbounded ends."""
    sides = []
    for side, (layer, end) in enumerate(zip(width, both(ends), strict=True)):
        pad = [(0, 0)] * u.ndim
        pad[axis] = (layer, 0) if side == 0 else (0, layer)
        mode: Any = {"cell": "symmetric", "node": "reflect"}[centring]
        source = u
        if end == "periodic":
            # The last node repeats the first, so that the period ends before it.
            kept = slice(None, -1) if side == 0 else slice(1, None)
            source = u[(slice(None),) * axis + (kept,)] if centring == "node" else u
            mode = "wrap"
        if end == "unbounded":
            padded = np.pad(u, pad, constant_values=LEFT_ALONE)
        else:
            padded = np.pad(source, pad, mode=mode) if layer else source
        layer_slice = slice(0, layer) if side == 0 else slice(padded.shape[axis] - layer, None)
        shown = padded[(slice(None),) * axis + (layer_slice,)]
        sides.append(-shown if end == "odd" else shown)
    return np.concatenate([sides[0], u, sides[1]], axis=axis)


def padded(u: np.ndarray, width: Any, boundary: Any, centring: Sequence[str]) -> np.ndarray:
    """The whole array with the layers of all axes."""
    part = u
    for axis, given in enumerate(zip(width, boundary, centring, strict=True)):
        part = layers(part, axis, *given)
    return np.where(np.abs(part) == LEFT_ALONE, LEFT_ALONE, part).astype(u.dtype)


def repeat_nodes(whole: np.ndarray, boundary: Any, centring: Sequence[str]) -> None:
    """The last node of a periodic axis is the first, in every component."""
    for part, ends in zip(whole, boundary, strict=True):
        for axis, (pair, word) in enumerate(zip(ends, centring, strict=True)):
            if both(pair)[0] == "periodic" and word == "node":
                moved = np.moveaxis(part, axis, 0)
                moved[-1] = moved[0]


def spline(order: int, x: np.ndarray) -> np.ndarray:
    """The centred B-spline by the sum of truncated powers (Schoenberg 1946), on the side where few of them count."""
    total, left = np.zeros_like(x), -np.abs(x)
    for k in range(order + 1):
        base = np.maximum(left + order / 2 - k, 0)
        total += (-1) ** k * math.comb(order, k) * np.where(base > 0, base ** (order - 1), 0)
    return total / math.factorial(order - 1)


def particles(seed: int, count: int, shape: Sequence[int], order: int, boundary: Any, centring: Any) -> np.ndarray:
    """Places, in spacings, where the clouds of particles may be; far away along periodic axes."""
    rng = np.random.default_rng(seed)
    places = rng.random((count, len(shape)))
    for axis, (n, ends, word) in enumerate(zip(shape, map(both, boundary), centring, strict=True)):
        half = 0.5 if word == "cell" else 0.0
        # Rounding must not take a particle beyond an end.
        low, high = (order / 2 - 1 if end == "unbounded" else -half for end in ends)
        places[:, axis] = low + 0.01 + places[:, axis] * (n - 1 - low - high - 0.02)
        if ends[0] == "periodic":
            places[:, axis] += n * rng.integers(-30, 31, count)
    return places


def _shares(place: np.ndarray, n: int, order: int, ends: tuple[str, str], centring: str) -> np.ndarray:
    """What the points of an axis get of each particle: its cloud, with what lies beyond the ends brought back."""
    if ends[0] == "periodic":
        place = place - n * np.floor((place + 0.5) / n)
    reach = order + 1
    points = np.arange(-reach, n + reach)
    cloud = spline(order, points[None, :] - place[:, None])
    result = cloud[:, reach : reach + n].copy()
    for point in (*range(-reach, 0), *range(n, n + reach)):
        end = ends[0 if point < 0 else 1]
        plane = (-0.5 if point < 0 else n - 0.5) if centring == "cell" else (0 if point < 0 else n - 1)
        if end != "unbounded":
            shown = point % n if end == "periodic" else int(2 * plane) - point
            result[:, shown] += (-1 if end == "odd" else 1) * cloud[:, point + reach]
    return result


def deposited(
    places: np.ndarray, charges: np.ndarray, shape: Sequence[int], order: int, boundary: Any, centring: Any
) -> np.ndarray:
    """The charge of every point."""
    shares = [
        _shares(places[:, axis], n, order, ends, word)
        for axis, (n, ends, word) in enumerate(zip(shape, map(both, boundary), centring, strict=True))
    ]
    letters = "abc"[: len(shape)]
    return np.einsum(f"p,{','.join(f'p{x}' for x in letters)}->{letters}", charges, *shares)
