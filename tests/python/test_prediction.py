"""weft.predict, weft.explain and the same for solves, and the fits of the papers' tables."""

import re

import numpy as np
import pytest
import weft
from unwrapped import unwrapped
from weft.papers import flups
from weft.prediction import MOST_RANKS, explain, explain_solve, machine, machines, predict, predict_solve


def test_machines_of_the_papers():
    assert {"bluefire", "juwels", "meluxina", "shaheen"} <= set(machines())
    bluefire = machine("bluefire").facts
    assert (bluefire["t_c"], bluefire["t_w"], bluefire["t_s"]) == (0.37e-9, 11.60e-9, 7e-6)


def test_more_ranks_take_less_until_latency_counts():
    on = machine("bluefire")
    times = [predict((512,) * 3, ranks=4**k, machine=on, strategy="cyclic").seconds for k in range(2, 10)]
    best = times.index(min(times))
    assert times[:best] == sorted(times[:best], reverse=True) and times[best:] == sorted(times[best:])
    # One word per message is all that is left to send: latency of 2 x 512 messages a direction is the least there is.
    assert times[-1] > 2 * 2 * (512 - 1) * on.facts["t_s"]


def test_machines_by_name_by_path_and_as_they_are(tmp_path):
    file = tmp_path / "here.toml"
    file.write_text(machine("juwels").text)
    found = [predict((64,) * 3, ranks=96, threads=48, machine=on) for on in (machine("juwels"), "juwels", file)]
    assert found[0] == found[1] == found[2] and found[0].node_ranks == 1
    solve = predict_solve((64,) * 3, ("odd",) * 3, ranks=96, threads=24, machine="juwels")
    assert solve.node_ranks == 2


def test_a_prediction_says_what_the_plan_does():
    plan = weft.Plan((24, 20, 16), "r2c", strategy="alltoallv")
    found = predict((24, 20, 16), "r2c", ranks=1, strategy="alltoallv")
    assert found.grid == list(plan.grid) and found.physical in plan.explain() and found.spectral in plan.explain()
    # r2c of 24 x 20 lines of 16, c2c of 24 x 9 lines of 20 and of 20 x 9 lines of 24, forward and backward.
    flops = 2 * (480 * 2.5 * 16 * 4 + 216 * 5 * 20 * np.log2(20) + 180 * 5 * 24 * np.log2(24))
    assert sum(step["flops"] for step in found.steps) == pytest.approx(flops, rel=1e-14)


def test_pruning_sends_less():
    options = {"ranks": 32, "machine": machine("juwels"), "strategy": "cyclic", "node_ranks": 1}
    cells, free = (127, 127, 127), ("unbounded",) * 3
    pruned = predict_solve(cells, free, **options)
    plain = predict_solve(cells, free, pruned=False, **options)

    def sent(found):
        return sum(step["between_bytes"] for step in found.steps)

    # Slabs of 4 of 128 modes: the first axis has doubled before the one exchange; without pruning the second has, too.
    assert sent(plain) == 2 * sent(pruned)


def told(text):
    """What a plan says with ranks and without them: layouts, lines, work, and exchanges."""
    steps = [
        line
        for line in unwrapped(text).splitlines()
        if line.startswith(("physical", "spectral", "  pass", "  exchange"))
    ]
    plain = [re.sub(r"; \d+ batches of \d+,", ";", step) for step in steps]
    return [re.sub(r"( lines), .*?(?= \+ axis|;)", r"\1", step) for step in plain]


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"fuse": False, "dtype": "float32"},
        {"modes": (16, 0, 12), "scheme": "first"},
        {"in_place": True, "threads": 1},
        {"kinds": ("none", "dct2", "c2c"), "batch_axes": (0,)},
    ],
    ids=str,
)
def test_an_explanation_says_what_the_plan_says(options):
    options = {"kinds": "r2c", "threads": 1} | options
    kinds = options.pop("kinds")
    plan = weft.Plan((24, 20, 16), kinds, **options)
    assert told(explain((24, 20, 16), kinds, ranks=1, **options)) == told(plan.explain())


def test_a_solve_is_explained_on_the_grid_that_the_solver_chooses():
    cells, ends = (24, 20, 16), ("even", "unbounded", ("odd", "unbounded"))
    solver = weft.Poisson(cells, cells, ends, threads=1, centring=("node", "cell", "cell"))
    text = explain_solve(cells, ends, ranks=1, threads=1, centring=("node", "cell", "cell"))
    assert told(text) == told(solver.explain()) and "Green's function" in text


def test_each_rank_is_explained():
    # 7 planes on 3 ranks: 2, 2 and 3 of them, 8 lines of 9 points each.
    lines = [re.findall(r"(\d+) lines", explain((7, 8, 9), ranks=3, rank=r, fuse=False))[0] for r in range(3)]
    assert lines == ["16", "16", "24"]
    # Of two on a node the third rank has none beside it.
    assert "0 MB to other nodes" not in explain((8, 8, 8), ranks=3, rank=2, node_ranks=2, strategy="cyclic")


def test_a_tuning_file_is_looked_into(tmp_path):
    file = tmp_path / "tuning.toml"
    weft.tune((16, 12, 20), "r2c", effort="measure", budget=0.01, save=file)
    assert f"as {file} says" in unwrapped(explain((16, 12, 20), "r2c", ranks=1, tuning=file))
    assert "tuned" not in explain((16, 12, 20), "c2c", ranks=1, tuning=file)


def test_chunks_end_where_an_axis_does():
    options = {"ranks": 4, "node_ranks": 1, "strategy": "cyclic"}
    assert "in 8 chunks along axis 2" in unwrapped(explain((16, 16, 14), chunks=2**31 - 1, fuse=False, **options))
    bounded, plain = (predict((16, 16, 14), chunks=n, fuse=False, **options) for n in (2**31 - 1, 8))
    assert bounded == plain


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: explain((8, 8), ranks=0), ["ranks", "0"]),
        (lambda: explain((8, 8), ranks=None), ["ranks", "None"]),
        (lambda: explain((8, 8), ranks=MOST_RANKS + 1), ["ranks", "1048577", "1048576"]),
        (lambda: predict((8, 8), ranks=2**31 - 1), ["ranks", "2147483647", "1048576"]),
        (lambda: explain((8, 8), ranks=2, rank=2), ["rank", "2", "0 to 1"]),
        (lambda: explain((8, 8), ranks=2, rank=-1), ["rank", "-1", "0 to 1"]),
        (lambda: explain((8, 8), ranks=2, threads=0), ["threads", "0"]),
        (lambda: explain((8, 8), ranks=2, effort="measure"), ["effort", "measure", "estimate"]),
        (lambda: explain((8, 8), ranks=2, output="natural"), ["output", "natural"]),
        (lambda: explain((8, 8), ranks=2, colour="red"), ["colour", "grid"]),
        (lambda: explain_solve((8, 8), ("unbounded",) * 2, ranks=2, in_place=True), ["in_place", "unbounded"]),
        (lambda: predict((8, 8), ranks=0), ["ranks", "0"]),
        (lambda: predict((8, 8), ranks=2, threads=0), ["threads", "0"]),
        (lambda: predict((8, 8), ranks=2, threads=49, machine="juwels"), ["threads: 49", "node_cores is 48"]),
        (lambda: predict((8, 8), ranks=2, threads=49, node_ranks=2, machine="juwels"), ["threads: 49", "48"]),
        (lambda: predict_solve((8, 8), ("odd",) * 2, ranks=1, threads=10**6), ["threads: 1000000", "'standard'"]),
        (lambda: predict((8, 8), ranks=2, machine="deep-thought"), ["deep-thought", "bluefire"]),
        (lambda: predict((8, 8), ranks=2, machine=3), ["machine", "3"]),
        (lambda: machine("x" * 300), ["machine", "xxx", "bluefire"]),
        (lambda: predict((8, 8), ranks=2, node_ranks=0), ["node_ranks", "0"]),
        (lambda: predict((8, 8), "dct9", ranks=2), ["dct9"]),
        (lambda: predict((8, 8), ranks=2, software="magic"), ["software", "magic"]),
        (lambda: predict((8, 8, 8), ranks=2, grid=(3,)), ["grid", "3"]),
        (lambda: machine("deep-thought"), ["deep-thought", "bluefire"]),
        (lambda: machine(3), ["machine", "3"]),
        (lambda: predict_solve((8, 8), ("periodic",), ranks=2), ["boundary"]),
    ],
)
def test_bad_arguments(call, words):
    with pytest.raises(weft.Error) as caught:
        call()
    assert all(word in str(caught.value) for word in words), caught.value


def test_the_tables_agree_with_the_text_of_flups():
    # "27.7% faster than accFFT" on 128 nodes; "a time increase of only 20%" of nb on MeluXina.
    assert 1 - flups.PAIRS["accFFT"][-1] / flups.PAIRS["nb"][-1] == pytest.approx(0.277, abs=0.001)
    nb = flups.SOLVES["nb"]["meluxina"]
    assert round(nb[0] / nb[-1], 1) == 1.2
    # beta of nb and a2a is given as about 0.2%.
    for strategy in ("nb", "a2a"):
        one = flups.SOLVES[strategy]["meluxina"]
        assert round(100 * flups.beta(1.0, one[0] / one[-1], 128), 1) == flups.BETA[strategy]


def test_a_fit_finds_factors_and_keeps_them_non_negative():
    random = np.random.default_rng(1)
    columns, factors = random.random((8, 3)), np.array([2.0, 0.0, 5.0])
    assert flups.non_negative_fit(columns, columns @ factors) == pytest.approx(factors, abs=1e-12)
    found = flups.non_negative_fit(columns, columns @ np.array([2.0, -1.0, 5.0]))
    assert found[1] == 0 and found.min() >= 0

    # No factors nearby are better.
    wanted = random.random(8) + 1

    def squares(x):
        return np.sum((columns @ x / wanted - 1) ** 2)

    best = flups.non_negative_fit(columns, wanted)
    for axis in range(3):
        for step in (1e-4, -1e-4):
            moved = np.maximum(best + step * (np.arange(3) == axis), 0)
            assert squares(best) <= squares(moved)


def test_grids_are_products_of_the_ranks():
    for power in range(7, 17):
        ranks = 2**power
        assert np.prod(flups.grid_of(ranks)) == np.prod(flups.pencil_grid(ranks)) == ranks
