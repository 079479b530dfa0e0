"""The exact solutions of weft validate satisfy the equation and the boundaries, and have their closed forms."""

import itertools
import math

import numpy as np
import pytest
import scipy.special
from weft.cli import validate_paper as paper
from weft.cli.validate_exact import PAIRS, SIGMA, Axis, Broad, Charged, Domain
from weft.cli.validate_velocity import exponential_integral_2, tube

# Second derivative with an error of h^8/3150 times the tenth derivative.
WEIGHTS = np.array([-1 / 560, 8 / 315, -1 / 5, 8 / 5, -205 / 72, 8 / 5, -1 / 5, 8 / 315, -1 / 560])
SPACING = 4e-3
# For a Gaussian of width SIGMA the tenth derivative is below 945/SIGMA^10 of its height: 3e-6 here, and the waves have
# less. Rounding: 5 eps/h^2 of the largest value.
TRUNCATION = SPACING**8 / 3150 * 945 / SIGMA**10


def laplacian(function, place):
    """Of a function of positions per axis at a place, and its largest value near there."""
    axes = [x + SPACING * np.arange(-4, 5) for x in place]
    values = function(axes)
    total = 0.0
    for axis in range(len(place)):
        line = values[tuple(slice(None) if a == axis else 4 for a in range(len(place)))]
        total += WEIGHTS @ line / SPACING**2
    return total, np.max(np.abs(values))


def combinations():
    """Every pair on every axis, with every pair beside it."""
    for i, (a, b) in enumerate(itertools.product(range(10), repeat=2)):
        yield PAIRS[a], PAIRS[b], PAIRS[(a + 3 * b + i) % 10]
    yield from itertools.product(PAIRS, repeat=2)


@pytest.mark.parametrize("source", [Charged, Broad])
def test_equation(source):
    for pairs in combinations():
        domain = Domain(pairs, 20, False)
        solution = source(domain)
        # Near the centres, where all terms count.
        place = [axis.sources[0][0] + 0.03 if axis.convolved else 0.43 for axis in domain.axes]
        found, largest = laplacian(solution.solution, place)
        expected = solution.rhs([np.array([x]) for x in place]).item()
        bound = len(pairs) * largest * (TRUNCATION * 4 + 5 * np.finfo(float).eps / SPACING**2)
        # The potential of a charge is known to 1e-13 of its largest value.
        bound += len(pairs) * 6.5 * 1e-13 * largest / SPACING**2
        assert abs(found - expected) <= bound, pairs
        assert abs(expected) > 100 * bound, pairs


@pytest.mark.parametrize("source", [Charged, Broad])
@pytest.mark.parametrize("pair", PAIRS)
def test_boundaries(source, pair):
    solution = source(Domain((pair, "UU"), 20, False))
    x, y = np.array([0.05, 0.21]), np.array([0.4, 0.5])
    if pair == "PP":
        np.testing.assert_allclose(solution.solution([x, y]), solution.solution([x + 1, y]), rtol=0, atol=1e-12)
        return
    for end, plane in zip(pair, (0.0, 1.0), strict=True):
        if end != "U":
            mirrored = solution.solution([2 * plane - x, y])
            sign = 1 if end == "E" else -1
            np.testing.assert_allclose(solution.solution([x, y]), sign * mirrored, rtol=0, atol=1e-12)


def test_charges_have_their_closed_forms():
    x = np.array([0.1, 0.3, 0.49, 0.7])
    offsets = x - 0.49
    line = Charged(Domain(("UU", "EE"), 20, False))
    # cos(pi y) is 0 at y = 1/2: what is left is the sheet of charge.
    sheet = line.solution([x, np.array([0.5])])[:, 0]
    gauss = SIGMA / math.sqrt(2 * math.pi) * np.exp(-((offsets / SIGMA) ** 2) / 2)
    expected = offsets / 2 * scipy.special.erf(offsets / (SIGMA * math.sqrt(2))) + gauss
    np.testing.assert_allclose(sheet, expected, rtol=0, atol=1e-13)
    r = np.hypot(offsets, 0.1)
    plane = Charged(Domain(("UU", "UU"), 20, False)).solution([x, np.array([0.615])])[:, 0]
    expected = (np.log(r) + scipy.special.exp1(r**2 / (2 * SIGMA**2)) / 2) / (2 * math.pi)
    np.testing.assert_allclose(plane, expected, rtol=0, atol=1e-13)
    space = Charged(Domain(("UU", "UU", "UU"), 20, False)).solution([x, np.array([0.615]), np.array([0.505])])
    expected = -scipy.special.erf(r / (SIGMA * math.sqrt(2))) / (4 * math.pi * r)
    np.testing.assert_allclose(space.ravel(), expected, rtol=0, atol=1e-13)


def test_harmonics_are_those_of_the_closed_forms():
    x = np.linspace(-0.5, 1.5, 41)
    t, e = np.pi * x, np.exp(np.cos(np.pi * x))
    expected = {
        "PP": np.exp(np.sin(2 * t + 0.3)),
        "EE": e,
        "OO": np.sin(t) * e,
        "OE": np.sin(t / 2) * e,
        "EO": np.cos(t / 2) * e,
    }
    for pair, values in expected.items():
        np.testing.assert_allclose(Axis(pair, 20, False, 0).factor(x), values, rtol=0, atol=1e-14)


def test_paper_cases_satisfy_the_equation():
    for name in paper.BOUNDARIES:
        place = [0.55, 0.45, 0.35]
        found, largest = laplacian(lambda x, name=name: paper.fields(name, x)[1], place)
        expected = paper.fields(name, [np.array([x]) for x in place])[0].item()
        # The bump has derivatives of the size of those of a Gaussian of width 0.1, the waves of sin(8 pi x).
        assert abs(found - expected) < 3 * largest * (SPACING**8 / 3150 * (8 * np.pi) ** 10 + 1e-10), name


def test_tube():
    x = np.array([1.0, 1.5, 3.0, 40.0])
    np.testing.assert_allclose(exponential_integral_2(x), scipy.special.expn(2, x), rtol=1e-12)
    # The curl of the velocity (-y, x) rate is (r^2 rate)'/r.
    h = 1e-4
    r = np.array([0.05, 0.2, 0.33, 0.45])
    moment = [(r + s) ** 2 * tube(0.5 + r + s, np.array(0.5))[1] for s in (-h, h)]
    vorticity = tube(0.5 + r, np.array(0.5))[0]
    np.testing.assert_allclose((moment[1] - moment[0]) / (2 * h) / r, vorticity, rtol=0, atol=1e-5)
    centre = tube(np.array(0.5), np.array(0.5))
    assert centre[1] == pytest.approx(centre[0] / 2)
