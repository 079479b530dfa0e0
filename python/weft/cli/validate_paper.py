"""The three validation cases of Balty, Chatelain and Gillis, FLUPS (2023), appendix B, on the unit box."""

from collections.abc import Sequence

import numpy as np

from weft.cli.validate_exact import outer

BOUNDARIES = {"A": ("EE", "OE", "PP"), "B": ("UU", "UU", "UU"), "C": ("UE", "UU", "OU")}
Jet = tuple[np.ndarray, np.ndarray]  # a function and its second derivative


def bump(x: np.ndarray, centre: float, sign: float = 1.0) -> Jet:
    """b(s) = exp(10 (1 - 1/(1 - s^2))) for |s| < 1, s = (x - centre)/(1/2), and 0 elsewhere, which the paper omits."""
    s2 = (2 * (x - centre)) ** 2
    q = np.where(s2 < 1, 1 - s2, 1.0)
    value = np.where(s2 < 1, sign * np.exp(10 * (1 - 1 / q)), 0.0)
    return value, 4 * (400 * s2 / q**4 - 20 / q**2 - 80 * s2 / q**3) * value


def _sum(a: Jet, b: Jet) -> Jet:
    return a[0] + b[0], a[1] + b[1]


def _wave(value: np.ndarray, k: float) -> Jet:
    return value, -((k * np.pi) ** 2) * value


def factors(name: str, positions: Sequence[np.ndarray]) -> list[Jet]:
    """The factors, one per axis."""
    x, y, z = positions
    if name == "A":
        waves = np.cos(np.pi * x), np.sin(2.5 * np.pi * y), np.sin(8 * np.pi * z)
        return [_wave(wave, k) for wave, k in zip(waves, (1, 2.5, 8), strict=True)]
    if name == "B":
        return [bump(at, 0.5) for at in (x, y, z)]
    return [_sum(bump(x, 0.7), bump(x, 1.3)), bump(y, 0.5), _sum(bump(z, 0.3), bump(z, -0.3, -1.0))]


def fields(name: str, positions: Sequence[np.ndarray]) -> tuple[np.ndarray, np.ndarray]:
    """f and u with laplacian(u) = f at the product of positions per axis."""
    jets = factors(name, positions)
    values = [jet[0] for jet in jets]
    rhs = sum(outer([*values[:i], jet[1], *values[i + 1 :]]) for i, jet in enumerate(jets))
    return np.ascontiguousarray(rhs), outer(values)
