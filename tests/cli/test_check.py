"""weft check: what it counts, what it finds, and its own reference transforms."""

import shlex
import sys

import numpy as np
import pytest
import scipy.fft
from weft import _build
from weft.cli import check_reference as reference

ONE = ("check", "--shape", 5, 4, 6, "--kinds", "r2c", "--precision", "double")


def test_every_strategy_is_counted(weft):
    known = weft.json("info")["strategies"]
    found = weft.json(*ONE, "-n", 4, "--chunks", "1,2")
    # Grids of 4 ranks with at most two axes: 4, 1 x 4, 2 x 2, 4 x 1.
    assert [row["strategy"] for row in found["strategies"]] == known
    for row in found["strategies"]:
        assert (row["ways"], row["grids"], row["failed"]) == (8, 4, 0)
        assert row["same_bits"] == row["right_to_roundoff"] == 8
        assert 0 < row["worst_error_of_bound"] < 1
    assert (found["ranks"], found["cases"], found["ways"], found["failed"]) == (4, 1, 8 * len(known), 0)
    assert found["failures"] == []


def test_table(weft):
    done = weft("check", "--quick", "-n", 2, "--strategy", "alltoallv,shared", "--chunks", 2, "--grid", 2)
    assert done.returncode == 0 and done.stderr == ""
    lines = done.stdout.splitlines()
    # Four kinds, two of them in both precisions, by two strategies.
    assert lines[-1] == "12 ways, 12 good, 0 failed"
    assert sum(line.startswith("checked") for line in lines) == 6
    assert any("alltoallv" in line for line in lines) and any("shared" in line for line in lines)


@pytest.mark.parametrize("ranks", [2, 3])
def test_contiguous_real_lines_have_the_bits_of_one_rank(weft, ranks):
    for shape in ((64, 64), (9, 40)):
        done = weft("check", "--shape", *shape, "--kinds", "r2c", "--strategy", "alltoallv", "--chunks", 1, "-n", ranks)
        assert done.returncode == 0, done.stdout


SOLVES = """
import sys
from mpi4py import MPI
from weft.cli import check_solves
for one in check_solves.check_solves(MPI.COMM_WORLD, check_solves.PROBLEMS, ["alltoallv", "shared"]):
    assert set(one.works) == (set(check_solves._VECTOR_WORKS) if one.problem.vector else {"the solution"}), one
    assert one.faults == [], one
one = check_solves.SolveSubject(check_solves.PROBLEMS[0])
one.whole["the solution"][0, 0] += 1e-15
assert one.outcome(MPI.COMM_WORLD, "auto").faults == ["the solution differs from that on one rank"]
fine = MPI.COMM_WORLD.gather("fine")  # lines of several ranks may be mixed
if fine is not None:
    print(*fine)
"""


def test_solves_have_the_bits_of_one_rank(weft):
    launcher = [_build.MPIEXEC, *_build.MPIEXEC_FLAGS, "-n", "3", sys.executable, "-c", SOLVES]
    done = weft(program=launcher, env=_build.MPIEXEC_ENV)
    assert done.returncode == 0 and done.stdout.split() == ["fine"] * 3, done.stderr


# weft with something made wrong.
PROGRAM = """
import sys
from weft.cli import check_reference, check_runs, main
from weft.errors import Error

def failing(plan):
    def make(comm, case, **options):
        if options.get("strategy") == "alltoallv":
            raise Error("no such thing")
        return plan(comm, case, **options)
    return make

{fault}
main(sys.argv[1:])
"""


@pytest.mark.parametrize(
    ("fault", "told"),
    [
        ("check_reference.forward_bound = lambda kinds, shape, eps: 1e-30", "the error of the modes is"),
        ("check_runs._same_bits = lambda a, b: False", "modes differ from those on one rank"),
        (
            "check_runs._same_bits = lambda a, b: a.dtype.kind == 'c'",
            "points that come back differ from those on one rank",
        ),
        ("check_reference.round_trip_bound = lambda kinds, shape, eps: 1e-30", "the error of the returned points is"),
        ("check_runs._plan = failing(check_runs._plan)", "refused: no such thing"),
    ],
)
def test_failures_have_a_command_that_repeats_them(weft, fault, told):
    program = (sys.executable, "-c", PROGRAM.format(fault=fault))
    done = weft(*ONE, "--grid", 1, "--strategy", "alltoallv", "--chunks", 3, program=program)
    assert done.returncode == 1
    (line,) = [line for line in done.stdout.splitlines() if line.startswith("FAILED")]
    assert told in line
    assert done.stdout.splitlines()[-1] == "1 ways, 0 good, 1 failed"
    # The command works as it stands, and finds nothing where nothing is wrong.
    command = shlex.split(line.removeprefix("FAILED "), comments=True)
    assert command[0] == "weft" and command[-2:] == ["--chunks", "3"]
    again = weft(*command[1:])
    assert again.returncode == 0 and again.stdout.splitlines()[-1] == "1 ways, 1 good, 0 failed"


@pytest.mark.parametrize(
    ("arguments", "named"),
    [
        (["--strategy", "pigeon"], ["--strategy", "pigeon", "alltoallv"]),
        (["--kinds", "dct9"], ["--kinds", "dct9", "dst4"]),
        (["--shape", "4", "4", "--kinds", "c2c,c2c,r2c"], ["--kinds", "c2c,c2c,r2c", "4,4"]),
        (["--grid", "3", "-n", "2"], ["--grid", "3", "2 ranks"]),
        (["--precision", "half"], ["--precision", "half", "float"]),
        (["--chunks", "0"], ["--chunks", "'0'"]),
    ],
)
def test_refused(weft, arguments, named):
    message = weft.refused("check", "--quick", *arguments)
    assert all(word in message for word in named), message


@pytest.mark.parametrize("n", [2, 5, 8])
@pytest.mark.parametrize("kind", [f"{family}{i}" for family in ("dct", "dst") for i in range(1, 5)])
def test_reference_has_the_conventions_of_scipy(kind, n):
    u = np.random.default_rng(n).uniform(-1, 1, (3, n))
    transform = scipy.fft.dct if kind.startswith("dct") else scipy.fft.dst
    expected = transform(u, type=int(kind[-1]), axis=1)
    bound = reference.forward_bound(("none", kind), u.shape, np.finfo(float).eps) * np.linalg.norm(u)
    assert np.linalg.norm((reference.forward(u, ("none", kind)) - expected).astype(float)) < bound


def test_reference_of_fourier_transforms():
    u = np.random.default_rng(0).uniform(-1, 1, (6, 5))
    kinds = ("c2c", "r2c")
    bound = reference.forward_bound(kinds, u.shape, np.finfo(float).eps) * np.linalg.norm(u)
    assert np.linalg.norm(np.abs(reference.forward(u, kinds) - np.fft.rfft2(u)).astype(float)) < bound
