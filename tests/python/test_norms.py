"""Sums that do not depend on the distribution, and the error norms made of them."""

import math
from fractions import Fraction

import numpy as np
import pytest
from mpi4py import MPI
from weft._exact import Totals, totals_of
from weft.norms import errors, exact_sum


@pytest.mark.parametrize("spread", [1, 30, 300])
def test_sum_is_exact(spread):
    rng = np.random.default_rng(spread)
    values = rng.standard_normal(5000) * 2.0 ** rng.integers(-spread, spread, 5000)
    exact = float(sum(map(Fraction, values.tolist())))
    assert exact_sum(values, MPI.COMM_SELF) == exact == math.fsum(values)


def test_sum_of_extreme_values():
    tiny, huge = 5e-324, 1.7e308
    assert exact_sum(np.array([huge, tiny, -huge, tiny]), MPI.COMM_SELF) == 2 * tiny
    assert exact_sum(np.zeros((0, 3)), MPI.COMM_SELF) == 0.0
    assert exact_sum(np.zeros(3), MPI.COMM_SELF) == 0.0


def test_parts_add_up_exactly():
    values = np.random.default_rng(1).random((7, 8, 9))
    parts = sum(totals_of(part).words for part in np.array_split(values, 4, axis=1))
    (found,) = Totals(parts).over_ranks(MPI.COMM_SELF)
    assert found == math.fsum(values.ravel())


def test_bins_are_summed_apart():
    values = np.array([1e300, 0.1, -1e300, 0.2, np.inf, 5e-324])
    found = totals_of(values, np.array([0, 1, 0, 1, 3, 0]), 4).over_ranks(MPI.COMM_SELF)
    assert found.tolist() == [5e-324, 0.1 + 0.2, 0.0, np.inf]


def test_norms_of_a_known_difference():
    difference = np.array([[0.5, -2.0], [0.0, 1.0]])
    found = errors(difference, (0.5, 0.25), 4, False, MPI.COMM_SELF)
    assert (found.e_inf, found.e_2, found.removed_mean) == (2.0, math.sqrt(5.25 * 0.125), None)


def test_mean_is_removed_when_it_is_free():
    found = errors(np.array([3.0, 3.0, 3.5, 2.5]), (1.0,), 4, True, MPI.COMM_SELF)
    assert (found.e_inf, found.e_2, found.removed_mean) == (0.5, math.sqrt(0.5), 3.0)
