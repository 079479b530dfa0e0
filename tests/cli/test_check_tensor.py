"""weft check tensor: what it counts, what it finds, and what is refused."""

import shlex
import sys

import pytest

ONE = ("check", "tensor", "--shape", 5, 4, 6, "--kinds", "r2c", "--precision", "double")


@pytest.mark.parametrize("ranks", [1, 8])
def test_every_variant_is_counted(weft, ranks):
    found = weft.json("check", "tensor", "--quick", "-n", ranks)
    # Two algorithms, two ways to get matrices, folded and not; and a thread for messages with each algorithm.
    assert len(found["variants"]) == 2 * 2 * 2 + 2
    # Two sizes, complex and real, double and float.
    assert (found["ranks"], found["cases"], found["ways"], found["failed"]) == (ranks, 8, 80, 0)
    for row in found["variants"]:
        assert (row["ways"], row["right_to_roundoff"], row["failed"]) == (8, 8, 0)
        assert 0 < row["worst_error_of_bound"] < 1
        assert (row["messages_per_transform"] > 0) == (ranks > 1)
    assert found["failures"] == []


def test_messages_are_those_of_the_paper(weft):
    rows = weft.json(*ONE, "-n", 8, "--folding", "off", "--mesh", 2, 2, 2)["variants"]
    messages = {(row["algorithm"], row["matrix"]): row["messages_per_transform"] for row in rows if row["threads"] == 1}
    # p = 2 on each axis, three products: alignments of 2 p^2 (p - 1) messages, p - 1 shifts of 2 p^3. Matrices of one's
    # own need no alignment and are not shifted. A transposition moves p^3 - p^2 blocks at most, and there are two.
    assert messages["cannon", "circulate"] == 3 * (8 + 16) and messages["cannon", "own"] == 3 * 8
    assert 3 * (8 + 16) < messages["transpose", "circulate"] <= 3 * (8 + 16) + 4 * 4


def test_table(weft):
    done = weft("check", "tensor", "--shape", 6, 5, 4, "-n", 2, "--algorithm", "cannon", "--folding", "on")
    assert done.returncode == 0 and done.stderr == ""
    lines = done.stdout.splitlines()
    # Two kinds, two precisions; matrices that circulate, own ones, and a thread for messages.
    assert lines[-1] == "12 ways, 12 good, 0 failed"
    assert sum(line.startswith("checked") for line in lines) == 4
    assert any("cannon, circulate, folding on, communication thread" in line for line in lines)


# weft with something made wrong.
PROGRAM = """
import sys
from weft.cli import check_reference, check_tensor_runs, main
from weft.errors import Error

def failing(subject, *way):
    raise Error("no such thing")

{fault}
main(sys.argv[1:])
"""


@pytest.mark.parametrize(
    ("fault", "told"),
    [
        ("check_reference.forward_bound = lambda kinds, shape, eps: 1e-30", "the error of the modes is"),
        ("check_reference.round_trip_bound = lambda kinds, shape, eps: 1e-30", "the error of the returned points is"),
        ("check_tensor_runs.Subject._make = failing", "refused: no such thing"),
    ],
)
def test_failures_have_a_command_that_repeats_them(weft, fault, told):
    program = (sys.executable, "-c", PROGRAM.format(fault=fault))
    done = weft(*ONE, "--algorithm", "transpose", "--matrix", "own", "--mesh", 1, 1, 1, program=program)
    assert done.returncode == 1
    failed = [line for line in done.stdout.splitlines() if line.startswith("FAILED")]
    # Folded, not folded, and with a thread for messages.
    assert len(failed) == 3 and all(told in line for line in failed)
    assert done.stdout.splitlines()[-1] == "3 ways, 0 good, 3 failed"
    # The command works as it stands, and finds nothing where nothing is wrong.
    command = shlex.split(failed[1].removeprefix("FAILED "), comments=True)
    assert command[:3] == ["weft", "check", "tensor"] and command[-4:] == ["--mesh", "1", "1", "1"]
    again = weft(*command[1:])
    assert again.returncode == 0 and again.stdout.splitlines()[-1].endswith("good, 0 failed")


@pytest.mark.parametrize(
    ("arguments", "named"),
    [
        (["--shape", "4", "4"], ["--shape", "2 numbers", "3 axes"]),
        (["--kinds", "dct2"], ["--kinds", "dct2", "c2c, r2c"]),
        (["--precision", "half"], ["--precision", "half", "float"]),
        (["--algorithm", "magic"], ["--algorithm", "magic", "cannon, transpose"]),
        (["--matrix", "lent"], ["--matrix", "lent", "circulate, own"]),
        (["--folding", "auto"], ["--folding", "auto", "off, on"]),
        (["--mesh", "2", "2", "2", "-n", "2"], ["--mesh", "2x2x2", "2 ranks"]),
        (["--mesh", "1", "2", "-n", "2"], ["--mesh", "1x2", "3 numbers"]),
    ],
)
def test_refused(weft, arguments, named):
    message = weft.refused("check", "tensor", "--quick", *arguments)
    assert all(word in message for word in named), message


def test_options_before_the_name_are_not_lost(weft):
    message = weft.refused("check", "--quick", "tensor")
    assert "weft check tensor" in message and "quick" in message
