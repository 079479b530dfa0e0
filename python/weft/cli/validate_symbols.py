"""The symbol of each kernel, minus the exact 1/|q|^2: the error of a discrete solution, wave by wave.

A kernel that is sampled at points of spacing h turns exp(i q x) into -h^2 M(q h) exp(i q x), with M periodic in the
wavenumbers t = q h of the d convolved axes. The wavenumbers of spectral axes are exact, |c| = k h. This module computes
E = 1/(t^2 + c^2) - M: the transform of the error is h^2 E f. For chat2 and igf the sum over the lattice is an integral
over heat kernels, exp(-s (t^2 + c^2)), which takes the convergent form on either side of s = 1/4 (Jacobi's theta
function, DLMF 20.7.32).
"""

from collections.abc import Sequence
from functools import cache
from itertools import combinations, product
from math import erf, exp, log, pi, prod, sqrt
from typing import Any

import numpy as np

from weft.cli.validate_exact import gauss_legendre

SPECTRAL = ("hej0", "truncated")
_HEJ = {f"hej{m}": m for m in (2, 4, 6, 8, 10)}
ALPHA = 2.0  # smoothing length of hej kernels in spacings

# a = 4 sin^2(t/2) is the symbol of the negative second difference. The Laplacian of order p in one dimension is a
# polynomial in a: 4 arcsin(sqrt(a)/2)^2 = a + a^2/12 + a^3/90 + a^4/560 + ...
_SERIES = (1.0, 1 / 12, 1 / 90, 1 / 560)
Polynomial = dict[tuple[int, ...], float]  # coefficients by the powers of a_1, a_2, ...


def _powers(axes: int, chosen: Sequence[int], power: int = 1) -> tuple[int, ...]:
    return tuple(power if i in chosen else 0 for i in range(axes))


def _products(axes: int, size: int) -> list[tuple[int, ...]]:
    return [_powers(axes, chosen) for chosen in combinations(range(axes), size)]


@cache
def stencils(kernel: str, axes: int) -> tuple[Polynomial, Polynomial] | None:
    """P and Q of the lattice equation -P u = h^2 Q f, M = Q/P; None for other kernels.

    lgf kernels are central differences, mehr kernels compact stencils (Collatz 1960, Spotz and Carey 1996). Those whose
    name ends in l do not change the right-hand side.
    """
    ones: Polynomial = {_powers(axes, ()): 1.0}
    if kernel.startswith("lgf"):
        order = int(kernel[3:])
        return {_powers(axes, [i], n + 1): _SERIES[n] for i in range(axes) for n in range(order // 2)}, ones
    if not kernel.startswith("mehr"):
        return None
    p: Polynomial = dict.fromkeys(_products(axes, 1), 1.0) | dict.fromkeys(_products(axes, 2), -1 / 6)
    q: Polynomial = ones | dict.fromkeys(_products(axes, 1), -1 / 12)
    if kernel[4] == "6":
        p |= dict.fromkeys(_products(axes, 3), 1 / 30)
        q |= {_powers(axes, [i], 2): -1 / 240 for i in range(axes)} | dict.fromkeys(_products(axes, 2), 1 / 90)
    return p, q if kernel.endswith("f") else ones


def order(kernel: str) -> int:
    """The order of convergence with at least one convolved axis, 0 if it is faster than any power."""
    if kernel in SPECTRAL:
        return 0
    if kernel in ("chat2", "igf") or kernel.endswith("l"):
        return 2
    return _HEJ[kernel] if kernel in _HEJ else int(kernel.strip("lgfmehr"))


def folded(c: np.ndarray) -> np.ndarray:
    """The wavenumbers, times h, to which wavenumbers c/h are aliased at points of spacing h."""
    return np.abs(c - 2 * pi * np.round(c / (2 * pi)))


def polynomial(terms: Polynomial, a: Sequence[np.ndarray]) -> np.ndarray:
    """The value of a polynomial, for arrays that are broadcast."""
    result = np.zeros(())
    for powers, coefficient in terms.items():
        factors: list[Any] = [x**power for x, power in zip(a, powers, strict=True) if power]
        result = result + coefficient * prod(factors, start=1.0)
    return result


def _lattice(kernel: str, t: np.ndarray, c: np.ndarray) -> np.ndarray:
    a = [4 * np.sin(x / 2)[None, :] ** 2 for x in t] + [4 * np.sin(x / 2)[:, None] ** 2 for x in c.T]
    found = stencils(kernel, len(a))
    if found is None:
        raise ValueError(f"{kernel} is not a lattice kernel")
    p, q = found
    return polynomial(q, a) / polynomial(p, a)


def _smoothed(kernel: str, t: np.ndarray, c2: np.ndarray) -> np.ndarray:
    """Gaussian regularisation (Hejlesen and others 2013): zeta/q^2 and its aliases above 1e-30."""
    result = np.zeros(())
    for shift in product((0, 2 * pi), repeat=len(t)):
        q2 = np.sum((t.T - np.array(shift)).T ** 2, axis=0) + c2[:, None]
        half = ALPHA**2 * q2 / 2
        series, term = np.ones_like(half), np.ones_like(half)
        for n in range(1, _HEJ[kernel] // 2):
            term = term * half / n
            series = series + term
        result = result + np.exp(-half) * series / q2
    return result


def _line(kernel: str, t: np.ndarray, c2: np.ndarray) -> np.ndarray:
    """The symbol for one convolved axis: the geometric series of exp(-c |j|)/(2 c), or the limit of -|j|/2."""
    sine, c = 4 * np.sin(t[0] / 2) ** 2, np.sqrt(c2)[:, None]
    positive = np.where(c > 0, c, 1.0)
    # cosh(c) - cos(t) = 2 (sinh^2(c/2) + sin^2(t/2))
    full = np.where(c > 0, np.sinh(positive) / positive / (4 * np.sinh(c / 2) ** 2 + sine), 1 / sine)
    if kernel == "chat2":
        return full
    mean = np.where(c > 0, 2 * np.sinh(positive / 2) / positive, 1.0)
    centre = np.where(c > 0, (1 - np.exp(-positive / 2) - np.sinh(positive / 2)) / positive**2, -1 / 8)
    return mean * full + centre


def _bessel_k1(x: float) -> float:
    """K_1 by its integral (DLMF 10.32.9): the trapezoidal rule converges faster than any power."""
    u = np.arange(0.0, np.arccosh(1 + 750 / x), 0.05)
    values = np.exp(-x * np.cosh(u)) * np.cosh(u)
    return 0.05 * float(np.sum(values) - values[0] / 2)


def _origin(d: int, c2: float) -> float:
    """-G(0) of chat2 for spacing 1: a mean over the sphere, the square (k = 0) or the disc of the volume of a cell."""
    if d == 3:
        return (3 / (4 * pi)) ** (2 / 3) / 2
    if c2 == 0:
        return -(pi - 6 - 2 * log(2)) / (8 * pi)
    x = sqrt(c2 / pi)
    return (1 - x * _bessel_k1(x)) / c2


_SPLIT = 0.25


def _late_part(d: int, c2: float) -> float:
    """The integral of exp(-c^2 s) (4 pi s)^(-d/2) from s = 1/4; for c = 0, d = 2 in the gauge of ln(r)/(2 pi)."""
    if d == 3:
        return 2 * (4 * pi) ** -1.5 / sqrt(_SPLIT)
    if c2 == 0:
        return (np.euler_gamma - log(4 * _SPLIT)) / (4 * pi)
    nodes, weights = gauss_legendre(100)
    length = log(1 + 45 / (c2 * _SPLIT))
    return float(np.sum(weights * np.exp(-c2 * _SPLIT * np.exp(length * nodes)))) * length / (4 * pi)


def _early_waves(t: np.ndarray, s: float, averaged: bool) -> np.ndarray:
    """Heat kernels at the points of a lattice as sums of waves, averaged over cells for igf."""
    j = np.arange(1, 7)
    if averaged:
        width = 2 * sqrt(s)
        heat = [(erf((n + 0.5) / width) - erf((n - 0.5) / width)) / 2 for n in range(7)]
    else:
        heat = [exp(-(n**2) / (4 * s)) / sqrt(4 * pi * s) for n in range(7)]
    return heat[0] + 2 * np.tensordot(np.array(heat[1:]), np.cos(j[:, None, None] * t), 1)


def _late_waves(t: np.ndarray, s: float, averaged: bool) -> tuple[np.ndarray, np.ndarray]:
    """Heat kernels at the points of a lattice as sums over wavenumbers t + 2 pi m, and the entry m = 0."""

    def entry(m: int) -> np.ndarray:
        q = t + 2 * pi * m
        return np.exp(-s * q**2) * (np.sinc(q / (2 * pi)) if averaged else 1.0)

    main = entry(0)
    # Other entries count if they are above exp(-45) for some t between 0 and its maximum.
    nearest = {m: min(abs(2 * pi * m), abs(2 * pi * m + t.max())) for m in (-3, -2, -1, 1, 2, 3)}
    return main + sum(entry(m) for m, q in nearest.items() if s * q**2 < 45), main


def _heat_sums(kernel: str, t: np.ndarray, c2: np.ndarray) -> np.ndarray:
    """M - (entry m = 0) of chat2 and igf for d = 2, 3."""
    d, averaged = len(t), kernel == "igf"
    result = np.zeros((len(c2), t.shape[1]))
    nodes, weights = gauss_legendre(40)
    for s, w in zip(_SPLIT * nodes**2, 2 * _SPLIT * nodes * weights, strict=True):
        value = np.prod(_early_waves(t, s, averaged), axis=0) - (0 if averaged else (4 * pi * s) ** (-d / 2))
        result += np.exp(-c2 * s)[:, None] * w * value
    length = log(45 / ((2 * pi - t.max()) ** 2 * _SPLIT))
    for node, w in zip(*gauss_legendre(60), strict=True):
        s = _SPLIT * exp(length * node)
        whole, main = _late_waves(t, s, averaged)
        result += np.exp(-c2 * s)[:, None] * (w * length * s) * (np.prod(whole, axis=0) - np.prod(main, axis=0))
    return result


def _sampled(kernel: str, t: np.ndarray, c2: np.ndarray) -> np.ndarray:
    """E of chat2 and igf for d = 2, 3."""
    q2 = np.sum(t**2, axis=0) + c2[:, None]
    # The integral of the entry m = 0 from s = 1/4 is known. The exact symbol is 1/q^2.
    first = np.prod(np.sinc(t / (2 * pi)), axis=0) if kernel == "igf" else 1.0
    result = -_heat_sums(kernel, t, c2) + (1 - first * np.exp(-_SPLIT * q2)) / q2
    if kernel == "chat2":
        d = len(t)
        result -= np.array([_origin(d, c) - _late_part(d, c) for c in c2.tolist()])[:, None]
    return result


def error_symbol(kernel: str, t: np.ndarray, c: np.ndarray) -> np.ndarray:
    """E: [waves, nodes] for t [convolved axes, nodes] (one node of no axes where d = 0), c [waves, spectral axes].

    Spectral kernels have no error except for aliases, which are unknown for d > 0; see their bound in validate_theory.
    """
    seen, k2 = folded(c), np.sum(c**2, axis=1)
    c2 = np.sum(seen**2, axis=1)
    exact = 1 / (np.sum(t**2, axis=0) + k2[:, None])
    if stencils(kernel, len(t) + c.shape[1]):
        return exact - _lattice(kernel, t, seen)
    if kernel in _HEJ:
        return exact - _smoothed(kernel, t, c2)
    if len(t) == 0:
        return exact - 1 / c2[:, None]
    if len(t) == 1:
        return exact - _line(kernel, t, c2)
    main = 1 / (np.sum(t**2, axis=0) + c2[:, None])
    return _sampled(kernel, t, c2) + (exact - main)
