"""Sources on the unit box with known potentials for every combination of boundaries, solved by weft validate.

Along spectral axes a source is a sum of waves, along convolved ones (unbounded at one end or both) a Gaussian with its
images in the mirror planes. Two kinds:
  charged    a unit charge times the lowest wave, and times the constant if there is one: f is given
  broad      a product with all harmonics, neutral along convolved axes: the potential is given
All functions are sums of terms. A term is an amplitude, one wave per spectral axis, and the same Gaussian.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from itertools import product
from math import erfc, factorial, log, pi, prod, sqrt

import numpy as np

PAIRS = ("EE", "OO", "OE", "EO", "PP", "UU", "EU", "UE", "OU", "UO")
# The centres are more than 7 widths from unbounded ends. The width is above 1.25 spacings for 20 cells.
SIGMA = 0.065
_CENTRES = (0.49, 0.515, 0.505)  # of unbounded axes: neither a grid point nor a midpoint of two
_MIRRORED = 0.2  # distance of the centre from the plane of a mixed axis
_HARMONICS = 16  # the amplitude of the next one is below 1e-18
_WAVES = {"PP": (0, 2 * pi, 0.3 - pi / 2), "EE": (0, pi, 0), "OO": (1, pi, -pi / 2)}
_HALF_WAVES = {"OE": (0.5, pi, -pi / 2), "EO": (0.5, pi, 0)}


def _bessel_i(order: int) -> float:
    """The modified Bessel function I_n(1) (DLMF 10.25.2)."""
    return sum(0.5 ** (2 * k + order) / (factorial(k) * factorial(k + order)) for k in range(20))


@cache
def _amplitudes(pair: str) -> np.ndarray:
    """Amplitudes of the waves of exp(cos t) times 1, sin(t), sin(t/2) and cos(t/2) (DLMF 10.35.2)."""
    i = np.array([_bessel_i(n) for n in range(_HARMONICS + 2)])
    n = np.arange(_HARMONICS)
    if pair in ("PP", "EE"):
        return np.where(n > 0, 2, 1) * i[:-2]
    if pair == "OO":
        return 2 * (n + 1) * i[1:-1]
    return i[:-2] + (1 if pair == "EO" else -1) * i[1:-1]


@dataclass(frozen=True)
class Axis:
    """One axis of the unit box: boundaries by letters (E, O, P, U), cells, and whether points are nodes."""

    pair: str
    cells: int
    nodes: bool
    place: int  # the index of the axis

    @property
    def convolved(self) -> bool:
        """Whether an end is unbounded."""
        return "U" in self.pair

    @property
    def size(self) -> int:
        """Points."""
        return self.cells + self.nodes

    @cached_property
    def points(self) -> np.ndarray:
        """Positions of the points."""
        return (np.arange(self.size) + (0 if self.nodes else 0.5)) / self.cells

    @property
    def lowest(self) -> int:
        """The number of the lowest wave of a spectral axis that is not constant."""
        return 1 if self.pair in ("PP", "EE") else 0

    @property
    def sources(self) -> list[tuple[float, float]]:
        """The centres and signs of the Gaussian and of its image."""
        if self.pair == "UU":
            return [(_CENTRES[self.place], 1.0)]
        sign = 1.0 if "E" in self.pair else -1.0
        if self.pair[1] == "U":
            return [(_MIRRORED, 1.0), (-_MIRRORED, sign)]
        return [(1 - _MIRRORED, 1.0), (1 + _MIRRORED, sign)]

    @property
    def outside(self) -> float:
        """The part of the unit charge beyond the unbounded ends."""
        centre = self.sources[0][0]
        gaps = [gap for end, gap in zip(self.pair, (centre, 1 - centre), strict=True) if end == "U"]
        return sum(erfc(gap / (SIGMA * sqrt(2))) / 2 for gap in gaps)

    @property
    def outer_slope(self) -> float:
        """The integral of |g''| beyond the unbounded ends for the Gaussian g of height 1, which is its slope there."""
        centre = self.sources[0][0]
        gaps = [gap for end, gap in zip(self.pair, (centre, 1 - centre), strict=True) if end == "U"]
        return sum(gap / SIGMA**2 * np.exp(-((gap / SIGMA) ** 2) / 2) for gap in gaps)

    def gaussian(self, x: np.ndarray, inverse_variance: np.ndarray, less_one: bool = False) -> np.ndarray:
        """exp(-x^2 b / 2) (less 1) about the centre with its image: [variances, points]."""
        b, function = np.reshape(inverse_variance, (-1, 1)), np.expm1 if less_one else np.exp
        return np.asarray(sum(sign * function(-0.5 * b * (x - centre) ** 2) for centre, sign in self.sources))

    @cached_property
    def waves(self) -> tuple[np.ndarray, np.ndarray, float]:
        """Amplitudes and wavenumbers of the harmonics of the broad factor, and the phase in cos(w x + phase)."""
        least, unit, phase = (_WAVES | _HALF_WAVES)[self.pair]
        n = np.arange(_HARMONICS)
        return _amplitudes(self.pair), unit * (n + least), phase

    def wave(self, numbers: Sequence[int] | np.ndarray, x: np.ndarray) -> np.ndarray:
        """The harmonics with these numbers: [numbers, points]."""
        _, w, phase = self.waves
        # Only the fundamental of an odd or periodic axis is shifted by the phase itself.
        shift = phase * (np.arange(_HARMONICS) if self.pair == "PP" else np.ones(_HARMONICS))
        numbers = np.asarray(numbers)
        return np.cos(w[numbers, None] * x + shift[numbers, None])

    def factor(self, x: np.ndarray) -> np.ndarray:
        """The factor of the broad product at any positions, including those outside the box."""
        if self.convolved:
            return self.gaussian(x, np.array([SIGMA**-2]))[0]
        return self.waves[0] @ self.wave(range(_HARMONICS), x)

    def curvature(self, x: np.ndarray) -> np.ndarray:
        """The second derivative of the factor."""
        if self.convolved:
            gaussians = ((sign, (x - centre) / SIGMA) for centre, sign in self.sources)
            return np.asarray(sum(sign * (t**2 - 1) * np.exp(-(t**2) / 2) for sign, t in gaussians)) / SIGMA**2
        amplitude, w, _ = self.waves
        return -(amplitude * w**2) @ self.wave(range(_HARMONICS), x)


def outer(factors: Sequence[np.ndarray]) -> np.ndarray:
    """The outer product of the factors."""
    result = factors[0]
    for factor in factors[1:]:
        result = np.multiply.outer(result, factor)
    return result


@cache
def gauss_legendre(nodes: int) -> tuple[np.ndarray, np.ndarray]:
    """Gauss-Legendre nodes and weights on (0, 1)."""
    x, w = np.polynomial.legendre.leggauss(nodes)
    return (x + 1) / 2, w / 2


@dataclass(frozen=True)
class Term:
    """A term: an amplitude times one wave per spectral axis (wave numbers in the order of the axes)."""

    amplitude: float
    numbers: tuple[int, ...]


class Domain:
    """The unit box with two or three axes."""

    def __init__(self, pairs: Sequence[str], cells: int, nodes: bool) -> None:
        self.pairs, self.cells, self.nodes = tuple(pairs), cells, nodes
        self.axes = [Axis(pair, cells, nodes, i) for i, pair in enumerate(pairs)]
        self.convolved = [axis for axis in self.axes if axis.convolved]
        self.spectral = [axis for axis in self.axes if not axis.convolved]

    @property
    def mean_is_free(self) -> bool:
        """Whether solutions are determined up to a constant. Their mean is then 0."""
        return all(axis.pair in ("PP", "EE") for axis in self.axes)

    def wavenumbers(self, terms: Sequence[Term]) -> np.ndarray:
        """[terms, spectral axes]"""
        numbers = np.array([term.numbers for term in terms], dtype=int).reshape(len(terms), -1)
        columns = [axis.waves[1][numbers[:, i]] for i, axis in enumerate(self.spectral)]
        return np.array(columns).T.reshape(len(terms), -1)

    @property
    def charge(self) -> float:
        """The sum of the signs of the Gaussian and its images."""
        return prod(sum(sign for _, sign in axis.sources) for axis in self.convolved)

    @property
    def images(self) -> int:
        """The number of Gaussians."""
        return prod(len(axis.sources) for axis in self.convolved)


class Charged:
    """f = waves times a Gaussian of unit charge; its potential by the integral over heat kernels.

    u = -exp(k^2 s^2/2) int_{s^2/2}^inf exp(-k^2 t) (4 pi t)^(-d/2) sum exp(-r^2/4t) dt, with t = 1/v^2. For k = 0 in
    one and two dimensions the value at r = 0 is subtracted. It is known in the gauges |x|/2 and ln(r)/(2 pi).
    """

    name = "charged"

    def __init__(self, domain: Domain) -> None:
        self.domain = domain
        lowest = tuple(axis.lowest for axis in domain.spectral)
        self.terms = [Term(1.0, lowest)]
        constant = all(axis.pair in ("PP", "EE") for axis in domain.spectral)
        if constant and domain.spectral and domain.convolved:
            self.terms.append(Term(1.0, (0,) * len(lowest)))

    def transform(self, q2: np.ndarray, k2: np.ndarray) -> np.ndarray:
        """The transform of the Gaussian of f, without its images: [terms, nodes] for squares of wavenumbers."""
        return np.exp(-q2 * SIGMA**2 / 2) + 0 * k2[:, None]

    @property
    def outside(self) -> float:
        """A bound on the potential of the part of f that the ends of the box cut off.

        A mass m that is distributed as the Gaussian along the other axes has a potential below m sqrt(pi/2)/(4 pi s) in
        three dimensions and a smaller one in two and one.
        """
        axes = self.domain.convolved
        return len(self.terms) * self.domain.images * sum(axis.outside for axis in axes) * 2

    def _shape(self, term: Term, x: Sequence[np.ndarray]) -> list[np.ndarray]:
        """One factor per axis, which is 1 along convolved axes."""
        numbers = iter(term.numbers)
        return [
            np.ones(len(at)) if axis.convolved else axis.wave([next(numbers)], at)[0]
            for axis, at in zip(self.domain.axes, x, strict=True)
        ]

    def rhs(self, x: Sequence[np.ndarray]) -> np.ndarray:
        """f at the product of positions per axis."""
        b = np.array([SIGMA**-2])
        result = np.zeros(())
        for term in self.terms:
            factors = [
                axis.gaussian(at, b)[0] / sqrt(2 * pi * SIGMA**2) if axis.convolved else shape
                for axis, at, shape in zip(self.domain.axes, x, self._shape(term, x), strict=True)
            ]
            result = result + outer(factors)
        return result

    def solution(self, x: Sequence[np.ndarray]) -> np.ndarray:
        """u there."""
        wavenumbers = self.domain.wavenumbers(self.terms)
        result = np.zeros(())
        for term, w in zip(self.terms, wavenumbers, strict=True):
            shape = outer(self._shape(term, x))
            k = sqrt(float(np.sum(w**2)))
            result = result + shape * (self._potential(x, k) if self.domain.convolved else -1 / k**2)
        return result

    def _potential(self, x: Sequence[np.ndarray], k: float) -> np.ndarray:
        """Arrays [points] of all axes, of length 1 along spectral axes."""
        d, charge = len(self.domain.convolved), self.domain.charge
        nodes, weights = gauss_legendre(120)
        # The squares of the nodes are dense near 0, where exp(-k^2/v^2) changes fast.
        v, weights = nodes**2 * sqrt(2) / SIGMA, 2 * nodes * weights * sqrt(2) / SIGMA
        weights = weights * -2 * (4 * pi) ** (-d / 2) * v ** (d - 3) * np.exp(k**2 * (SIGMA**2 / 2 - v**-2.0))
        singular = k == 0 and d < 3
        at_zero = SIGMA / sqrt(2 * pi) if d == 1 else (log(2 * SIGMA**2) - np.euler_gamma) / (4 * pi)
        tables = [
            axis.gaussian(at, v**2 / 2, singular and d == 1) if axis.convolved else np.ones((len(v), 1))
            for axis, at in zip(self.domain.axes, x, strict=True)
        ]
        first = weights[:, None] * tables[0]
        rest = tables[1] if len(tables) == 2 else (tables[1][:, :, None] * tables[2][:, None, :]).reshape(len(v), -1)
        result = (first.T @ rest).reshape([table.shape[1] for table in tables])
        if not singular:
            return result
        return result + charge * (at_zero - (np.sum(weights) if d == 2 else 0))


@cache
def _harmonics(pairs: tuple[str, ...]) -> tuple[Term, ...]:
    """The significant waves of a product of broad factors."""
    amplitudes = [_amplitudes(pair) for pair in pairs]
    found = []
    for numbers in product(range(_HARMONICS), repeat=len(pairs)):
        size = prod(float(a[n]) for a, n in zip(amplitudes, numbers, strict=True))
        if abs(size) * (1 + max(numbers, default=0) ** 2) > 1e-16:
            found.append(Term(size, numbers))
    return tuple(found)


class Broad:
    """u = a product with all harmonics and, along convolved axes, Gaussians of height 1; f = laplacian(u)."""

    name = "broad"

    def __init__(self, domain: Domain) -> None:
        self.domain = domain
        found = _harmonics(tuple(axis.pair for axis in domain.spectral))
        self.terms = [term for term in found if any(term.numbers)] if domain.mean_is_free else list(found)

    def transform(self, q2: np.ndarray, k2: np.ndarray) -> np.ndarray:
        """The transform of the Gaussian of f, without its images: [terms, nodes] for squares of wavenumbers."""
        height = (2 * pi * SIGMA**2) ** (len(self.domain.convolved) / 2)
        return -height * (q2 + k2[:, None]) * np.exp(-q2 * SIGMA**2 / 2)

    @property
    def outside(self) -> float:
        """A bound on the potential of the part of f that the ends of the box cut off, as for charged sources."""
        axes, sizes = self.domain.convolved, sum(abs(term.amplitude) for term in self.terms)
        width = sqrt(2 * pi) * SIGMA
        # It has the slope at the ends, and the curvature of the tail of the Gaussian along all axes.
        sums = [
            (abs(amplitude) @ w**2) / abs(amplitude).sum()
            for amplitude, w, _ in (axis.waves for axis in self.domain.spectral)
        ]
        curvature = len(axes) / SIGMA**2 + sum(sums)
        lost = sum(axis.outer_slope + curvature * width * axis.outside for axis in axes)
        return 2 * sizes * self.domain.images * width ** max(len(axes) - 1, 0) * lost

    @property
    def mean(self) -> float:
        """The mean to subtract from the product if solutions have mean 0."""
        return prod(float(axis.waves[0][0]) for axis in self.domain.axes) if self.domain.mean_is_free else 0.0

    def rhs(self, x: Sequence[np.ndarray]) -> np.ndarray:
        """f at the product of positions per axis."""
        values = [axis.factor(at) for axis, at in zip(self.domain.axes, x, strict=True)]
        result = np.zeros(())
        for i, (axis, at) in enumerate(zip(self.domain.axes, x, strict=True)):
            result = result + outer([*values[:i], axis.curvature(at), *values[i + 1 :]])
        return result

    def solution(self, x: Sequence[np.ndarray]) -> np.ndarray:
        """u there."""
        return outer([axis.factor(at) for axis, at in zip(self.domain.axes, x, strict=True)]) - self.mean


Source = Charged | Broad
