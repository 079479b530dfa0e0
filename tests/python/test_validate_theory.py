"""The error theory of weft validate: symbols against lattice sums, rules against closed forms, orders."""

import math

import numpy as np
import pytest
import scipy.special
from mpi4py import MPI
from weft.cli.validate_exact import SIGMA, Charged, Domain
from weft.cli.validate_symbols import SPECTRAL, error_symbol, order
from weft.cli.validate_theory import RULE_ERROR, Sample, Theory, rule

KERNELS = ["chat2", "igf", *(f"lgf{m}" for m in (2, 4, 6, 8)), "mehr4l", "mehr6l", "mehr4f", "mehr6f"]
KERNELS += [f"hej{m}" for m in (2, 4, 6, 8, 10)]


@pytest.mark.parametrize("t", [(0.3, 0.5), (2.0, 5.0), (5.6, 1.3)])
def test_symbol_of_chat2_is_its_lattice_sum(t):
    c, j = 0.7, np.arange(-70, 71)
    x, y = np.meshgrid(j, j, indexing="ij")
    r = np.hypot(x, y)
    kernel = scipy.special.k0(c * np.where(r > 0, r, 1.0)) / (2 * np.pi)
    radius = 1 / math.sqrt(math.pi)
    kernel[70, 70] = (1 - c * radius * scipy.special.k1(c * radius)) / c**2
    expected = 1 / (t[0] ** 2 + t[1] ** 2 + c**2) - np.sum(kernel * np.cos(t[0] * x) * np.cos(t[1] * y))
    found = error_symbol("chat2", np.array(t)[:, None], np.array([[c]])).item()
    # The terms left out are below exp(-0.7 * 70) together.
    assert abs(found - expected) < 1e-12


@pytest.mark.parametrize("t", [0.3, 2.0, 5.0])
@pytest.mark.parametrize("kernel", ["chat2", "igf"])
def test_symbols_on_a_line_are_lattice_sums(kernel, t):
    c, j = 0.4, np.arange(-120, 121)
    values = np.exp(-c * abs(j)) / (2 * c)
    if kernel == "igf":
        values *= 2 * math.sinh(c / 2) / c
        values[120] = (1 - math.exp(-c / 2)) / c**2
    expected = 1 / (t**2 + c**2) - np.sum(values * np.cos(t * j))
    assert abs(error_symbol(kernel, np.array([[t]]), np.array([[c]])).item() - expected) < 1e-12


def test_leading_errors_of_sampled_kernels():
    # chat2: the energy of a lattice of charges (d = 3), Kronecker's limit formula (d = 2), the trapezoidal rule
    # (d = 1); igf: the mean over cells, h^2/24 of the Laplacian, in all dimensions.
    eta = math.gamma(0.25) / (2 * math.pi**0.75)
    plane = (math.log(2 * math.pi * eta**2) + (math.pi - 6 - 2 * math.log(2)) / 4) / (2 * math.pi)
    space = 2.8372974794806 / (4 * math.pi) - (3 / (4 * math.pi)) ** (2 / 3) / 2
    for d, expected in ((1, -1 / 12), (2, plane), (3, space)):
        t = np.full((d, 1), 1e-3)
        # The next terms are below t^2.
        assert abs(error_symbol("chat2", t, np.zeros((1, 1))).item() - expected) < 1e-6
        assert abs(error_symbol("igf", t, np.zeros((1, 1))).item() - 1 / 24) < 1e-6


@pytest.mark.parametrize("kernel", KERNELS)
@pytest.mark.parametrize("axes", [(1, 2), (2, 1), (3, 0), (1, 1), (2, 0)])
def test_symbols_have_their_orders(kernel, axes):
    d, spectral = axes
    t, c = np.linspace(0.4, 0.9, d)[:, None], np.linspace(0.5, 0.7, spectral)[None, :]
    # hej kernels are wider by ALPHA and more; much smaller steps leave rounding only.
    steps = (0.4, 0.2, 0.1) if kernel.startswith("hej") else (1.2, 0.6, 0.3)
    relative = [abs(error_symbol(kernel, s * t, s * c).item()) * s**2 for s in steps]
    first, second = (math.log2(a / b) for a, b in zip(relative, relative[1:], strict=False))
    # The next term is two orders higher: halving the step takes the order to a quarter of the distance, or a little
    # more where a third term counts.
    assert abs(second - order(kernel)) < 0.4 * abs(first - order(kernel)) + 1e-3
    assert abs(second - order(kernel)) < 0.2


@pytest.mark.parametrize("d", [1, 2, 3])
def test_rules_are_right(d):
    # The Gaussian of a charge at the finest grid, and what of it is beyond the end.
    cells, end = 28, 9 / (SIGMA * 28)
    t, w = rule(d, end)
    x = np.linspace(0.1, 0.9, d)
    values = np.exp(-np.sum((t * cells * SIGMA) ** 2, axis=0) / 2) * np.prod(np.cos(t * cells * x[:, None]), axis=0)
    found = float(values @ w) * cells**d
    expected = float(np.exp(-np.sum(x**2) / (2 * SIGMA**2)) / (2 * np.pi * SIGMA**2) ** (d / 2))
    # exp(-9^2/2) is 3e-18; RULE_ERROR is meant of the largest value, here at x = 0.
    assert abs(found - expected) < RULE_ERROR / (2 * np.pi * SIGMA**2) ** (d / 2)


@pytest.mark.parametrize("pairs", [("UU", "UU", "UU"), ("UU", "UU"), ("EU", "UO")])
def test_smoothed_charges_are_charges(pairs):
    # hej2 makes of a Gaussian charge that of a wider one: s^2 + (2 h)^2.
    domain = Domain(pairs, 28, True)
    sample, source = Sample.of(domain), Charged(domain)
    found = Theory(MPI.COMM_SELF).expected(source, sample, ["hej2"])
    places = np.meshgrid(*sample.positions(domain.axes), indexing="ij")

    def potential(width):
        total = 0.0
        for first in domain.axes[0].sources:
            for second in domain.axes[1].sources:
                centres = (first, second, *([(0.505, 1.0)] if len(pairs) == 3 else []))
                r = np.sqrt(sum((x - y) ** 2 for x, (y, _) in zip(places, centres, strict=True)))
                if len(pairs) == 3:
                    value = -scipy.special.erf(r / (width * math.sqrt(2))) / (4 * np.pi * r)
                else:
                    value = (np.log(r) + scipy.special.exp1(r**2 / (2 * width**2)) / 2) / (2 * np.pi)
                total = total + first[1] * second[1] * value
        return total.ravel()

    expected = potential(math.hypot(SIGMA, 2 / 28)) - potential(SIGMA)
    # Aliases of a kernel this wide are below exp(-pi^2 2).
    assert np.max(abs(found.error[0] - expected)) < 1e-9 * np.max(abs(expected))
    assert np.max(abs(expected)) <= found.bound[0]


@pytest.mark.parametrize("kernel", SPECTRAL)
def test_spectral_kernels_have_bounds_that_fall_fast(kernel):
    bounds = []
    for cells in (20, 28):
        domain = Domain(("UU", "UU", "PP"), cells, False)
        bounds.append(Theory(MPI.COMM_SELF).expected(Charged(domain), Sample.of(domain), [kernel]).bound[0])
    # The part of the Gaussian beyond pi/h falls as exp(-(pi s/h)^2/2): more than the power 20 between these.
    assert math.log(bounds[0] / bounds[1]) / math.log(1.4) > 20
