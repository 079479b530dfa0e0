"""How processes begin and end: children that were forked after threads, and programs that end with an exception."""

import subprocess
import sys

import pytest
from on_ranks import on_ranks

FORKED = """\
import multiprocessing
import numpy as np
import weft
from mpi4py import MPI

SERIAL = {"comm": MPI.COMM_SELF, "threads": 2}
u = np.random.default_rng(0).random((48, 64, 40))
plan = weft.Plan(u.shape, "r2c", **SERIAL)
solver = weft.Poisson((24, 24, 24), (1.0,) * 3, ("unbounded",) * 3, kernel="igf", **SERIAL)
moves = weft.Redistribution([slice(0, n) for n in u.shape], [slice(0, n) for n in u.shape], float, **SERIAL)
f = u[:24, :24, :24].copy()
modes, potential = plan.forward(u), solver.solve(f)


def child(answers):
    mine = weft.Plan(u.shape, "r2c", **SERIAL)
    again = weft.Poisson((24, 24, 24), (1.0,) * 3, ("unbounded",) * 3, kernel="igf", **SERIAL)
    tensor = weft.TensorDft((8, 8, 8), "c2c", **SERIAL)
    answers.put(
        (
            np.array_equal(plan.forward(u), modes),
            np.array_equal(mine.forward(u), modes),
            np.array_equal(solver.solve(f), potential),
            np.array_equal(again.solve(f), potential),
            np.array_equal(moves.forward(u), u),
            np.allclose(tensor.forward(np.ones((8, 8, 8), complex))[0, 0, 0], 512),
            (mine.threads, again.threads),
        )
    )


fork = multiprocessing.get_context("fork")
answers = fork.Queue()
process = fork.Process(target=child, args=(answers,))
process.start()
found = answers.get(timeout=100)
process.join(100)
assert found == (True,) * 6 + ((1, 1),), found
assert process.exitcode == 0
assert plan.threads == 2 and np.array_equal(plan.forward(u), modes)  # the parent has its threads
"""


@pytest.mark.parametrize("ranks", [1, 2])
def test_a_forked_child_works_with_one_thread_and_gives_the_same_bits(ranks, tmp_path):
    on_ranks(ranks, FORKED, tmp_path)


def ended(script):
    """A program of its own."""
    return subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=100, check=False)


def test_a_program_that_raises_prints_the_traceback_alone():
    script = """
import numpy as np
import weft

def work():
    plan, workspace = weft.Plan((8, 8), "r2c"), weft.Workspace()
    solver = weft.Poisson((8, 8), (1.0, 1.0), ("periodic",) * 2, workspace=workspace)
    field = weft.Plan((8, 8), "r2c", in_place=True).in_place_field()
    uh = plan.forward(np.ones((8, 8)))
    raise KeyError("seventeen")

weft.plan.kept = weft.Plan((4, 4), "c2c")  # as a module of the user's may keep one
work()
"""
    done = ended(script)
    assert done.returncode == 1
    lines = done.stderr.strip().splitlines()
    assert "Traceback (most recent call last):" in lines and lines[-1] == "KeyError: 'seventeen'", done.stderr
    assert "nanobind" not in done.stderr, done.stderr


def test_a_program_that_keeps_plans_ends_in_silence():
    done = ended("import weft; plan = weft.Plan((8, 8), 'r2c'); weft.plan.kept = plan")
    assert (done.returncode, done.stdout) == (0, "") and "nanobind" not in done.stderr, done.stderr
