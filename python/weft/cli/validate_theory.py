"""The predicted error of each kernel for the sources of weft validate, and bounds if it is not known exactly.

f is a sum of terms, each a wave along spectral axes times Gaussians. The transform of a Gaussian is known. Without
approximation, except for the ends of the box, the error of the discrete solution at a point x of the grid is
  h^2 int E(q h) f_hat(q) prod_a sum_images sign cos(q_a (x_a - y_a)) dq / (2 pi)^d
with E from validate_symbols, which is periodic and thus includes aliases. The integral is computed by Gauss-Legendre
rules in polar coordinates; every rank computes some of the nodes.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import gamma, pi
from typing import Any

import numpy as np

from weft._mpi import MPI
from weft.cli.validate_exact import SIGMA, Axis, Domain, Source, gauss_legendre
from weft.cli.validate_symbols import SPECTRAL, error_symbol, folded

# The largest wavenumber of the rule, times h. E has poles at the distance 2 pi.
_REACH = 5.8
_RADIAL, _ANGULAR = 48, 48
# A bound on the solution for a source of height 1, h^d sum |G|: it is 3.03 for 1/(4 pi r) over [-2, 2]^3, less for
# ln(r) and |x|, and R^2/2 for the kernel truncated at R = 2 sqrt(3).
_LARGEST_RESPONSE = 6.0
# The relative accuracy of the rules, which tests/python/test_validate_theory.py checks.
RULE_ERROR = 1e-12


def _panels(end: float, nodes: int) -> tuple[np.ndarray, np.ndarray]:
    """Radial nodes and weights on (0, end), with a joint at pi, where spectral kernels end."""
    ends = [0.0, end] if end <= pi else [0.0, pi, end]
    x, w = gauss_legendre(nodes if end > pi else 2 * nodes)
    pieces = [(lo + (hi - lo) * x, (hi - lo) * w) for lo, hi in zip(ends, ends[1:], strict=False)]
    return np.concatenate([p[0] for p in pieces]), np.concatenate([p[1] for p in pieces])


def rule(d: int, end: float) -> tuple[np.ndarray, np.ndarray]:
    """Nodes [d, n] with coordinates >= 0 and weights of int f(t) dt / (2 pi)^d over |t| < end for even f."""
    if d == 0:
        return np.zeros((0, 1)), np.ones(1)
    # The poles at the imaginary wavenumbers of spectral axes have the largest effect for d = 1.
    r, w = _panels(end, 2 * _RADIAL if d == 1 else _RADIAL)
    w = w * r ** (d - 1) * (2 / (2 * pi)) ** d
    if d == 1:
        return r[None, :], w
    x, v = gauss_legendre(_ANGULAR)
    phi = [np.cos(pi / 2 * x), np.sin(pi / 2 * x)]
    if d == 2:
        return np.array([np.outer(r, c).ravel() for c in phi]), np.outer(w, pi / 2 * v).ravel()
    sine = np.sqrt(1 - x**2)
    directions = [np.outer(sine, phi[0]).ravel(), np.outer(sine, phi[1]).ravel(), np.repeat(x, len(x))]
    solid = np.outer(v, pi / 2 * v).ravel()
    return np.array([np.outer(r, c).ravel() for c in directions]), np.outer(w, solid).ravel()


@dataclass(frozen=True)
class Sample:
    """Points of the grid at which errors are compared with theory: a product of a few points per axis."""

    indices: tuple[np.ndarray, ...]

    @classmethod
    def of(cls, domain: Domain) -> "Sample":
        """Three points per axis: ends that are symmetry planes or cut off the source, its centre, crests of waves."""
        return cls(tuple(_sample(axis) for axis in domain.axes))

    def positions(self, axes: Sequence[Axis]) -> list[np.ndarray]:
        """The sample on some axes of the domain."""
        return [axis.points[self.indices[axis.place]] for axis in axes]


def _sample(axis: Axis) -> np.ndarray:
    last = axis.size - 1
    if not axis.convolved:
        # The lowest wave has its maximum there, so that errors of two grids can be compared.
        crest = int(np.argmax(abs(axis.wave([axis.lowest], axis.points))))
        return np.array([0, axis.size // 3 if crest in (0, last) else crest, last])
    centre = int(np.argmin(abs(axis.points - axis.sources[0][0])))
    if axis.pair == "UU":
        return np.array([0, centre, last])
    return np.array([0, centre, centre + 3] if axis.pair[1] == "U" else [centre - 3, centre, last])


@dataclass
class Expected:
    """The predictions of theory for some kernels on one source."""

    error: np.ndarray  # [kernels, points of the sample]: u_h - u
    bound: np.ndarray  # [kernels]: bound on |u_h - u| at any point
    tail: float  # bound on what neither includes


class Theory:
    """Expected errors. Intermediate results for several combinations of boundaries are kept. Collective over comm."""

    def __init__(self, comm: MPI.Intracomm) -> None:
        self.comm = comm
        self._kept: dict[Any, Any] = {}

    def _keep(self, key: Any, make: Callable[[], Any]) -> Any:
        if key not in self._kept:
            self._kept[key] = make()
        return self._kept[key]

    def _nodes(self, d: int, cells: int) -> tuple[np.ndarray, np.ndarray]:
        """The nodes of this rank."""

        def make() -> tuple[np.ndarray, np.ndarray]:
            t, w = rule(d, min(_REACH, 9 / (SIGMA * cells)))
            mine = slice(self.comm.rank, None, self.comm.size)
            return np.ascontiguousarray(t[:, mine]), w[mine]

        return self._keep(("nodes", d, cells), make)

    def _weighted(self, kernel: str, source: Source) -> tuple[np.ndarray, np.ndarray]:
        """h^2 E f_hat with the weights of the rule [terms, nodes], and the sums of magnitudes [terms]."""
        domain = source.domain
        d, cells = len(domain.convolved), domain.cells

        def make() -> tuple[np.ndarray, np.ndarray]:
            t, w = self._nodes(d, cells)
            c = domain.wavenumbers(source.terms) / cells
            q2, k2 = np.sum(t**2, axis=0), np.sum(c**2, axis=1)
            factor = source.transform(q2 * cells**2, k2 * cells**2) * w * float(cells) ** (d - 2)
            if kernel in SPECTRAL and d > 0:
                values = _spectral_magnitudes(t, c) * abs(factor)
            else:
                # Without spectral axes both sources share it, and it is expensive.
                symbol = self._keep(("symbol", kernel, cells, d, c.tobytes()), lambda: error_symbol(kernel, t, c))
                values = symbol * factor
            sums = np.sum(abs(values), axis=1)
            self.comm.Allreduce(MPI.IN_PLACE, sums)
            return values, sums

        pairs = tuple(axis.pair for axis in domain.spectral)
        return self._keep((kernel, source.name, cells, d, pairs), make)

    def _waves(self, axis: Axis, which: int, d: int, at: np.ndarray) -> np.ndarray:
        """sum over images of sign cos(q (x - y)) for the nodes' coordinate `which`: [nodes, points]."""

        def make() -> np.ndarray:
            q = self._nodes(d, axis.cells)[0][which] * axis.cells
            return np.asarray(sum(sign * np.cos(np.outer(q, at - centre)) for centre, sign in axis.sources))

        return self._keep((axis, which, d), make)

    def expected(self, source: Source, sample: Sample, kernels: Sequence[str]) -> Expected:
        """The predictions for some kernels. Collective."""
        domain = source.domain
        d = len(domain.convolved)
        waves = np.ones((self._nodes(d, domain.cells)[1].size, 1))
        for which, axis in enumerate(domain.convolved):
            table = self._waves(axis, which, d, axis.points[sample.indices[axis.place]])
            waves = (waves[:, :, None] * table[:, None, :]).reshape(len(waves), -1)
        found = [self._weighted(kernel, source) for kernel in kernels]
        fields = np.array([values @ waves for values, _ in found])
        self.comm.Allreduce(MPI.IN_PLACE, fields)
        amplitudes = np.array([term.amplitude for term in source.terms])
        numbers = np.array([term.numbers for term in source.terms], dtype=int).reshape(len(amplitudes), -1)
        shapes = amplitudes[:, None]
        for column, axis in enumerate(domain.spectral):
            table = axis.wave(numbers[:, column], axis.points[sample.indices[axis.place]])
            shapes = (shapes[:, :, None] * table[:, None, :]).reshape(len(amplitudes), -1)
        errors = np.einsum("ks,ikc->isc", shapes, fields)
        images = domain.images
        return Expected(
            error=self._in_order(domain, errors),
            bound=np.array([abs(amplitudes) @ sums for _, sums in found]) * images,
            tail=float(abs(amplitudes) @ self._tail(source)) * images,
        )

    @staticmethod
    def _in_order(domain: Domain, errors: np.ndarray) -> np.ndarray:
        """Reorders [kernels, points of spectral axes, points of convolved axes] to [kernels, points of all axes]."""
        first = [axis.place for axis in (*domain.spectral, *domain.convolved)]
        values = errors.reshape(len(errors), *[3] * len(first))
        return np.moveaxis(values, range(1, 1 + len(first)), [1 + place for place in first]).reshape(len(errors), -1)

    def _tail(self, source: Source) -> np.ndarray:
        """A bound on the integral beyond the rule, per term without images: [terms].

        Between the end R of the rule and 8 the error is below 1/R^2 + 1/(2 pi - R)^2 of f, except within 2 pi - R of
        the first 2 d poles. There, and beyond 8, it is below the solution for any source of that height.
        """
        domain = source.domain
        d, cells = len(domain.convolved), domain.cells
        if d == 0:
            return np.zeros(len(source.terms))

        def make() -> np.ndarray:
            k2 = np.sum(domain.wavenumbers(source.terms) ** 2, axis=1)
            end, gap = min(_REACH, 9 / (SIGMA * cells)), 2 * pi - _REACH
            unit_ball = pi ** (d / 2) / gamma(d / 2 + 1)
            x, w = gauss_legendre(60)

            def mass(low: float) -> np.ndarray:
                """The integral of |f_hat| dq / (2 pi)^d over the shell of 12 widths from low."""
                width = 12 / (SIGMA * cells)
                r = (low + width * x) * cells
                density = abs(source.transform(r**2, k2)) * r ** (d - 1) * d * unit_ball / (2 * pi) ** d
                return density @ w * width * cells

            near = abs(source.transform(np.array([(_REACH * cells) ** 2]), k2))[:, 0]
            poles = 2 * d * near * unit_ball * (gap * cells / (2 * pi)) ** d
            plain = mass(end) * (end**-2 + gap**-2) / cells**2
            return plain + _LARGEST_RESPONSE * (poles + mass(8.0))

        pairs = tuple(axis.pair for axis in domain.spectral)
        return self._keep(("tail", source.name, cells, d, pairs), make)


def _spectral_magnitudes(t: np.ndarray, c: np.ndarray) -> np.ndarray:
    """A bound on |E| of kernels that are exact for wavenumbers below pi: the wave itself and its alias."""
    q2, k2 = np.sum(t**2, axis=0), np.sum(c**2, axis=1)
    seen = np.sum(folded(t) ** 2, axis=0) + np.sum(folded(c) ** 2, axis=1)[:, None]
    known = (q2 <= pi**2) & (np.max(c, axis=1, initial=0) <= pi)[:, None]
    return np.where(known, 0.0, 1 / (q2 + k2[:, None]) + 1 / seen)


def rounding_bound(domain: Domain, norm: float) -> float:
    """A bound on the rounding error of a solution at any point, for the 2-norm of f over all points.

    The relative error of a computed FFT of t radix-2 stages is at most 7 u t in the 2-norm (Higham, Accuracy and
    Stability of Numerical Algorithms, 2002, theorem 24.2, with weights accurate to u). Forward, backward and the
    transform of the kernel, whose root mean square is below 1.5 times its mean, give 3.5 times that. t is log2 of the
    padded length, at most 4 N, summed over the axes, with two more stages for real transforms.
    """
    stages = len(domain.axes) * (np.log2(4.0 * domain.cells) + 2)
    return float(14 * np.finfo(float).eps * stages * _LARGEST_RESPONSE / 2 * norm)
