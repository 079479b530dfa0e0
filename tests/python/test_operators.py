"""Powers of the Laplacian against numpy's FFT and scipy's cosine and sine transforms, and several right-hand sides."""

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
import scipy.fft
import weft
from on_ranks import on_ranks
from weft.launch import own_launcher

ROOT = Path(__file__).parents[2]
CELLS, LENGTH = (12, 10, 9), (1.0, 1.5, 0.8)


def rounding(most, rhs):
    """As validate_theory.rounding_bound: transforms there and back, and the largest factor times the 2-norm."""
    stages = sum(np.log2(4.0 * n) + 2 for n in CELLS)
    return 14 * np.finfo(float).eps * stages * most * np.linalg.norm(rhs)


def factors(squares, power, screening):
    """-(k^2 + screening^2)^-power, 0 for the constant where it is free."""
    total = sum(np.meshgrid(*squares, indexing="ij", sparse=True)) + screening**2
    return np.where(total > 0, -(np.where(total > 0, total, 1.0) ** -power), 0.0)


@pytest.mark.parametrize("power", [2.0, 0.5, -1.0, 1.3, -0.7])
@pytest.mark.parametrize("screening", [0.0, 2.0])
def test_powers_in_a_periodic_box_are_those_of_numpys_fft(power, screening):
    solver = weft.Poisson(CELLS, LENGTH, ["periodic"] * 3, power=power, screening=screening)
    rhs = np.random.default_rng(3).standard_normal(CELLS)
    k = [2 * np.pi * np.fft.fftfreq(n, length / n) for n, length in zip(CELLS, LENGTH, strict=True)]
    symbol = factors([one**2 for one in k], power, screening)
    expected = np.fft.ifftn(symbol * np.fft.fftn(rhs)).real
    assert np.abs(solver.solve(rhs) - expected).max() < rounding(np.abs(symbol).max(), rhs)


@pytest.mark.parametrize("kernel", ["hej0", "lgf2", "lgf4"])
@pytest.mark.parametrize("power", [2.0, -0.5])
def test_powers_between_walls_are_those_of_scipys_transforms(kernel, power):
    """Even, odd and even again; of a lattice kernel the powers of its differences."""
    length = tuple(0.1 * n for n in CELLS)
    solver = weft.Poisson(CELLS, length, ["even", "odd", "even"], power=power, kernel=kernel)
    rhs = np.random.default_rng(4).standard_normal(CELLS)
    steps = [np.pi * np.arange(n) / (0.1 * n) for n in CELLS]
    steps[1] = np.pi * np.arange(1, CELLS[1] + 1) / length[1]
    y = [4 * np.sin(k * 0.05) ** 2 for k in steps]
    along = {"hej0": [k**2 for k in steps], "lgf2": [a / 0.01 for a in y], "lgf4": [(a + a**2 / 12) / 0.01 for a in y]}
    symbol = factors(along[kernel], power, 0.0)
    modes = scipy.fft.dst(scipy.fft.dctn(rhs, axes=(0, 2)), axis=1)
    expected = scipy.fft.idst(scipy.fft.idctn(symbol * modes, axes=(0, 2)), axis=1)
    assert np.abs(solver.solve(rhs) - expected).max() < rounding(np.abs(symbol).max(), rhs)


def test_what_a_solver_says_of_itself():
    solver = weft.Poisson((8, 8), (1.0, 1.0), ["even", "even"], power=-0.5, batch=3)
    assert (solver.power, solver.batch, solver.shape, solver.local_shape) == (-0.5, 3, (3, 8, 8), (3, 8, 8))
    assert "power=-0.5" in repr(solver) and "batch=3" in repr(solver)
    assert not solver.mean_is_free  # an operator that is applied has one result
    assert [x.shape for x in solver.points()] == [(8, 1), (1, 8)]
    alone = weft.Poisson((8, 8), (1.0, 1.0), ["even", "even"], power=-0.5)
    assert "made for another solver" in " ".join(alone.explain().split())  # one copy of the factors serves both
    plain = weft.Poisson((8, 8), (1.0, 1.0), ["even", "even"])
    assert (plain.power, plain.batch, plain.mean_is_free) == (1.0, None, True) and "power" not in repr(plain)


def test_fields_of_a_batch():
    solver = weft.Poisson((8, 6, 10), (1.0, 1.0, 1.0), ["odd", "periodic", "even"], centring="node", batch=2)
    x, y, z = solver.points()
    weight = np.arange(1.0, 3.0).reshape(2, 1, 1, 1)
    rhs = solver.field(weight * (np.sin(np.pi * x) * np.cos(2 * np.pi * y) * np.cos(np.pi * z)))
    found = solver.solve(rhs)
    assert found.global_shape == (2, 9, 7, 11)
    assert np.abs(found.local + rhs.local / (6 * np.pi**2)).max() < 1e-15
    # Means are over the domain and the right-hand sides; a repeated node does not count.
    ones = solver.field(np.ones(solver.local_shape))
    assert ones.mean() == pytest.approx(1.0, abs=1e-15)


def test_batches_have_the_bits_of_single_solves_on_ranks(tmp_path):
    script = """
        import numpy as np, weft
        kinds = (["unbounded"] * 3, {"kernel": "truncated"}), (["periodic", "even", "odd"], {"power": 2.0})
        for ends, kwargs in kinds:
            one = weft.Poisson((7, 8, 9), (0.7, 0.8, 0.9), ends, **kwargs)
            many = weft.Poisson((7, 8, 9), (0.7, 0.8, 0.9), ends, batch=4, **kwargs)
            rhs = np.random.default_rng(one.comm.rank).standard_normal(many.local_shape)
            alone = np.stack([one.solve(np.ascontiguousarray(f)) for f in rhs])
            assert many.solve(rhs).tobytes() == alone.tobytes()
            assert many.bytes_sent == 4 * one.bytes_sent > 0
        for wrong in ({"power": 1.0 + one.comm.rank}, {"batch": 2 + one.comm.rank}):
            try:
                weft.Poisson((8, 8), (1.0, 1.0), ["periodic"] * 2, **wrong)
            except weft.Error as error:
                assert "must be the same on all ranks" in str(error)
            else:
                raise AssertionError(wrong)
        if one.comm.rank == 0:
            print("done")
    """
    assert on_ranks(3, script, tmp_path) == "done"


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        ({"power": 0}, "power: 0 given; it must be finite and not 0"),
        ({"power": "two"}, "power: 'two' is not a real number"),
        ({"power": 2, "boundary": ["periodic", "unbounded"]}, "power: 2 given with an unbounded axis"),
        ({"power": 2, "kernel": "hej6"}, "power: 2 given with kernel hej6"),
        ({"power": 2, "kernel": weft.kernel_of_distance(lambda r, k: r)}, "leave power = 1"),
        ({"batch": 0}, "batch: 0 given; give the number of right-hand sides, or None"),
        ({"batch": 1.5}, "batch: 1.5 is not a whole number"),
        ({"batch": 1 << 60}, "cells and batch: 8 x 8 x"),
    ],
)
def test_wrong_arguments(arguments, told):
    problem = {"cells": (8, 8), "length": (1.0, 1.0), "boundary": ["periodic", "even"]}
    with pytest.raises(weft.Error) as error:
        weft.Poisson(**{**problem, **arguments})
    assert told in " ".join(str(error.value).split())


def test_arrays_and_ends_of_a_batch_have_its_axis():
    solver = weft.Poisson(
        (6, 5), (0.6, 0.5), ["periodic", ("odd", "even")], centring=("cell", "node"), kernel="lgf2", batch=2
    )
    with pytest.raises(weft.Error, match=r"rhs.*\(6, 6\)"):
        solver.solve(np.zeros((6, 6)))
    wall = np.array([1.0, -2.0]).reshape(2, 1, 1)
    rhs = np.broadcast_to(np.array([3.0, 4.0]).reshape(2, 1, 1), solver.local_shape).copy()
    _, y = solver.points()
    # u'' = f, u = wall at y = 0, u' = 0 at y = 1/2: differences have it exactly at nodes.
    exact = wall + rhs * (y**2 / 2 - y / 2)
    assert np.abs(solver.solve(rhs, ends={(1, "left"): wall}) - exact).max() < 1e-14
    with pytest.raises(weft.Error, match="ends: given for a power"):
        power = weft.Poisson((6, 5), (0.6, 0.5), ["periodic", "odd"], kernel="lgf2", power=2.0)
        power.solve(np.zeros((6, 5)), ends={(1, "left"): 1.0})


def test_ends_of_a_batch_are_those_of_differences_of_order_2():
    walls = {"widths": (None, [0.1] * 10), "order": 4}
    for given in ({"kernel": "chat2"}, walls):
        solver = weft.Poisson((6, 10), (0.6, 1.0), ("periodic", "odd"), batch=3, **given)
        with pytest.raises(weft.Error, match="ends: given for 3 right-hand sides at once"):
            solver.solve(np.zeros((3, 6, 10)), ends={(1, "left"): 1.0})


def test_the_example_finds_the_same_bits():
    launcher = own_launcher()
    arguments = ["--cells", "8", "--batch", "3", "--repeat", "1"]
    command = launcher.command(2, [sys.executable, str(ROOT / "examples" / "batch.py"), *arguments])
    done = subprocess.run(command, env=launcher.environ(), capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.count("the same bits") == 3
