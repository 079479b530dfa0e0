"""The models of weft bench tensor: polynomials of event and update, and the closed form of tensor and FFT."""

import math

import numpy as np
import pytest
from numpy.polynomial import Polynomial
from weft.cli.bench_tensor_cost import UPDATE_FLOPS, Method, Model, Network, Processor
from weft.cli.bench_tensor_model import EVENT_DEGREE, UPDATE_DEGREE, fitted, hidden, intersections, worst_deviation
from weft.errors import Error

BLOCKS = (16, 24, 32, 48, 64, 96, 128)


@pytest.mark.parametrize("factors", [(3e-6, 0, 1.6e-9, 1.6e-9), (1e-7, 2e-8, 0, 3e-9, 2.5e-11)])
def test_a_fit_finds_the_polynomial_that_made_the_times(factors):
    exact = Polynomial(factors)
    seconds = exact(np.array(BLOCKS, dtype=float))
    curve = fitted(BLOCKS, seconds, exact.degree())
    # As many unknowns as the exact polynomial has, scaled to [-1, 1]: the condition is below a thousand.
    assert worst_deviation(curve, BLOCKS, seconds) < 1e3 * np.finfo(float).eps
    between = np.linspace(BLOCKS[0], BLOCKS[-1], 50)
    assert np.max(np.abs(curve(between) / exact(between) - 1)) < 1e4 * np.finfo(float).eps


def test_a_fit_is_the_least_of_relative_errors():
    # One time is 10 % too long: no curve of the degree comes closer in the sum of squares of relative errors.
    seconds = np.array([1e-9 * b**3 for b in BLOCKS])
    seconds[3] *= 1.1
    curve = fitted(BLOCKS, seconds, EVENT_DEGREE)

    def squares(polynomial):
        return np.sum((polynomial(np.array(BLOCKS, dtype=float)) / seconds - 1) ** 2)

    assert 0 < worst_deviation(curve, BLOCKS, seconds) < 0.1
    for change in ([1e-9], [0, 1e-10], [0, 0, 1e-12], [0, 0, 0, 1e-14]):
        assert squares(curve) < squares(curve.convert() + Polynomial(change))
        assert squares(curve) < squares(curve.convert() - Polynomial(change))


def test_too_few_sizes_for_a_polynomial_are_refused():
    with pytest.raises(Error, match="4 sizes are given; a polynomial of degree 4 needs 5"):
        fitted((16, 32, 64, 128, 16), (1, 2, 3, 4, 1), UPDATE_DEGREE)


def test_curves_meet_where_events_begin_to_be_hidden():
    event = Polynomial([2e-5, 0, 0, 1e-8])
    # Below the event under 20, above it between 20 and 90, below it again from there on, and never equal elsewhere.
    update = event + 1e-12 * Polynomial.fromroots([20, 90]) * Polynomial([-200, -1])
    assert intersections(event, update, 10, 100) == pytest.approx([20, 90], rel=1e-9)
    assert intersections(event, update, 30, 80) == []
    (part,) = hidden(event, update, 10, 100)
    assert (part.low, part.high) == pytest.approx((20, 90), rel=1e-9)
    assert hidden(update, event, 30, 80) == []
    (whole,) = hidden(event, update, 30, 80)
    assert (whole.low, whole.high) == (30, 80)


NETWORK, PROCESSOR = Network(2e-6, 1e-10), Processor(5e10, 5e9)


def test_a_stage_hides_the_shorter_of_event_and_update():
    method, bare = Method(), Method(overlap=False)
    assert method.stage(3.0, 5.0, 1) == 5
    # Alignment, then p - 1 steps of the longer one, then the last update.
    assert method.stage(3.0, 5.0, 4) == 3 + 3 * 5 + 5
    assert method.stage(5.0, 3.0, 4) == 5 + 3 * 5 + 3
    assert bare.stage(5.0, 3.0, 4) == 4 * 8
    # Twice the speed at best, where both are as long.
    assert bare.stage(1.0, 1.0, 1000) / method.stage(1.0, 1.0, 1000) == pytest.approx(2, rel=2e-3)


def test_events_and_updates_are_counted():
    circulate, own = Method(messages=2), Method(UPDATE_FLOPS["plain"], messages=1)
    assert circulate.event(10, NETWORK, 16) == pytest.approx(2 * 2e-6 + 16 * 1100 * 1e-10)
    assert own.event(10, NETWORK, 16) == pytest.approx(2e-6 + 16 * 1000 * 1e-10)
    assert own.update(10, PROCESSOR) == pytest.approx(8e4 / 5e10)
    assert circulate.update(10, PROCESSOR) == own.update(10, PROCESSOR) / 4


def test_one_rank_sends_nothing():
    model = Model(NETWORK, PROCESSOR)
    assert model.tensor(64, 1) == pytest.approx(3 * 2 * 64**4 / 5e10)
    assert model.fft(64, 1) == pytest.approx(15 * 64**3 * 6 / 5e9)
    assert model.fft(64, 1, staged=True) == model.fft(64, 1)


def test_an_fft_takes_slabs_while_there_are_planes_for_all_ranks():
    # 8 ranks, 16 planes: one exchange with 7 peers instead of two among sqrt(8) ranks each with more bytes.
    free = Processor(1e30, 1e30)
    slabs = Model(Network(1e-9, 1e-10), free).fft(8, 2)
    assert slabs == pytest.approx(7e-9 + 7 / 8 * 16 * 512 * 1e-10)
    # 64 ranks, 16 planes: pencils, two exchanges among 8.
    assert Model(Network(1e-9, 1e-10), free).fft(4, 4) == pytest.approx(2 * (7e-9 + 7 / 8 * 16 * 64 * 1e-10))
    # In stages: 3 messages of half of what a rank holds.
    assert Model(Network(1e-9, 1e-10), free).fft(4, 4, True) == pytest.approx(2 * (3e-9 + 1.5 * 16 * 64 * 1e-10))


@pytest.mark.parametrize(("p", "kappa", "messages"), [(16, 1.0, 1), (25, 2.0, 1), (36, 1.0, 2)])
def test_the_crossover_is_where_the_model_has_both_as_fast(p, kappa, messages):
    # Free arithmetic, so that messages decide. The closed form takes an exchange to move a whole block, where a rank
    # keeps one part of p^(3/2), and leaves the block of the matrix out; this is all that is between the two times.
    model = Model(Network(2e-6, 1e-10, kappa), Processor(1e30, 1e30), Method(messages=messages))
    b = model.crossover(p, 1000)
    assert 0 < b < math.inf
    kept = 2 * 16 * b**3 * kappa * 1e-10 / p**1.5
    matrix = (messages - 1) * 3 * p * 16 * b**2 * 1e-10
    difference = model.tensor(b, p) - model.fft(b, p)
    assert difference == pytest.approx(kept + matrix, rel=1e-6)
    # So whole sizes clearly below it win, and none above it.
    assert model.winning(p, range(1, 200), False) == list(range(1, 1 + len(model.winning(p, range(1, 200), False))))
    assert max(model.winning(p, range(1, 200), False)) <= b


def test_few_ranks_and_staged_exchanges_never_lose_by_their_messages():
    free = Model(NETWORK, Processor(1e30, 1e30))
    assert free.crossover(9, 1000) == 0 < free.crossover(10, 1000)
    assert free.crossover(16, 1000) < Model(NETWORK, Processor(1e30, 1e30), Method(messages=1)).crossover(16, 1000)
    for p in (2, 4, 8, 16, 32, 64):
        assert free.winning(p, range(1, 129), staged=True) == []
    # Where all talking to all makes a byte take longer than 3 p / 2 times, pairs lose whatever the block is.
    assert Model(Network(2e-6, 1e-10, 25), Processor(1e30, 1e30)).crossover(16, 1000) == math.inf


def test_scaling_leaves_every_rank_a_point():
    rows = list(Model(NETWORK, PROCESSOR).scaling(6, (1, 2, 3, 6, 8)))
    assert [row["ranks"] for row in rows] == [1, 8, 27, 216]
    assert [row["block"] for row in rows] == [6, 3, 2, 1]
    assert all(row["tensor"] > 0 and row["fft_pairs"] > 0 and row["fft_stages"] > 0 for row in rows)
