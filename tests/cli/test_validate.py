"""weft validate: what it counts, that every case agrees with theory, and what it says of one that does not."""

import json
import shlex
import sys

import pytest
from weft.cli.validate_cases import CENTRINGS, STRATEGIES, everything, quick
from weft.cli.validate_exact import PAIRS

# One of each family: others differ in a formula, which the tests of kernels have each.
FAMILIES = "chat2,lgf8,hej6,igf,batch"
FAMILIES_BESIDE = (
    "walls-2",
    "walls-4",
    "chebyshev",
    "ends",
    "halos",
    "particles",
    "displaced",
    "lattices",
    "variable-2",
    "variable-spectral",
)
ONE = ("validate", "--case", "hej6 node UU OE EU 28 persistent")


def test_quick_agrees_with_theory(weft):
    done = weft("validate", "--quick", "--kernels", FAMILIES, "-n", 2, "--json", "found.json")
    assert (done.returncode, done.stderr) == (0, ""), done.stdout + done.stderr
    found = json.loads((weft.folder / "found.json").read_text())
    kernels = {row["kernel"]: row for row in found["kernels"]}
    assert set(kernels) == set(FAMILIES.split(","))
    assert found["cases"] == found["combinations"] * len(kernels) * len(STRATEGIES)
    assert (found["failed"], found["failures"], found["ranks"]) == (0, [], 2)
    for name, row in kernels.items():
        assert row["cases"] == found["combinations"] * len(STRATEGIES) and row["failed"] == 0
        assert row["error_of_bound"] <= 1 and row["deviation_of_tolerance"] <= 1
        # Orders are seen wherever there is an error to see them by.
        assert (row["orders"] is None) == (name == "batch")
        if row["orders"] is not None:
            assert row["orders"][0] < row["orders"][1] and row["order_difference"] < 1e-3


def test_families_have_exact_answers(weft):
    done = weft("validate", "--quick", "--families", ",".join(FAMILIES_BESIDE), "-n", 2, "--json", "found.json")
    assert (done.returncode, done.stderr) == (0, ""), done.stdout + done.stderr
    found = json.loads((weft.folder / "found.json").read_text())
    rows = {row["kernel"]: row for row in found["families"]}
    assert list(rows) == list(FAMILIES_BESIDE) and found["kernels"] == []
    assert found["cases"] == sum(row["cases"] for row in rows.values()) >= 30 and found["failed"] == 0
    for name, row in rows.items():
        assert row["cases"] > 2 and row["error_of_bound"] <= 1
        # Whole numbers are exact; everything else has an error.
        assert (row["error_of_bound"] == 0) == (name == "halos")
    for order in (2, 4):
        low, high = rows[f"walls-{order}"]["orders"]
        assert order - 0.15 < low <= high < order + 1
    low, high = rows["variable-2"]["orders"]
    assert 2 - 0.15 < low <= high < 2 + 1


def test_a_wrong_family_is_told(weft):
    program = "import sys, weft\nfrom weft.cli import main\nexchange = weft.Halo.exchange\n"
    program += "def wrong(self, array):\n    exchange(self, array)\n    array.flat[0] += 1\n"
    program += "weft.Halo.exchange = wrong\nmain(sys.argv[1:])\n"
    done = weft("validate", "--quick", "--families", "halos", program=(sys.executable, "-c", program))
    assert done.returncode == 1, done.stdout + done.stderr
    failed = [line for line in done.stdout.splitlines() if line.startswith("FAILED")]
    assert failed and all("weft validate -n 1 --families halos" in line for line in failed)
    assert "unbounded:even" in " ".join(failed) and "times its bound" in failed[0]


def test_selections():
    whole = everything(["chat2", "igf"])
    assert len(whole.subjects) == 1100 * 2 and whole.cases == 1100 * 2 * 2 * 4
    assert len(set(whole.subjects)) == len(whole.subjects)
    # Each strategy meets each pair of boundaries when it has its turn with the theory.
    turns = {(subject.number % 4, pair) for subject in whole.subjects for pair in subject.pairs}
    assert len(turns) == 4 * len(PAIRS)
    part = quick(["chat2"])
    for axis in range(3):
        assert {subject.pairs[axis] for subject in part.subjects if len(subject.pairs) > axis} == set(PAIRS)
    assert {subject.centring for subject in part.subjects} == set(CENTRINGS)
    assert {subject.number % 4 for subject in part.subjects} == set(range(4))
    assert {len(subject.pairs) for subject in part.subjects} == {2, 3}


def test_page_and_json(weft):
    done = weft("validate", "--case", "lgf4 cell EU PP 20 shared", "--out", "here")
    assert (done.returncode, done.stderr) == (0, ""), done.stdout + done.stderr
    assert done.stdout.splitlines()[-1].startswith("2 cases, 2 good, 0 failed")
    page = (weft.folder / "here" / "validate.html").read_text()
    assert page.count("<svg") == page.count("<figure>") > 5 and "lgf4" in page
    # Nothing beside it is needed.
    assert "src=" not in page and 'href="http' not in page
    curves = json.loads((weft.folder / "here" / "validate.json").read_text())["curves"]
    slopes = {(one["case"], one["panel"]): one["slope"] for one in curves}
    assert len(slopes) == len(curves)
    charged = [slope for (case, _), slope in slopes.items() if case.startswith("charge")]
    assert charged and all(3 < slope < 4.5 for slope in charged)
    tube = [slope for (case, _), slope in slopes.items() if case.startswith("velocity")]
    assert len(tube) == 4 and all(slope is not None and slope > 1.5 for slope in tube)


# weft with something made wrong.
PROGRAM = """
import sys
from weft.cli import main, validate_runs

solved, number = validate_runs.solved, 0

def wrong(solver, rhs):
    global number
    number += 1
    solution = solved(solver, rhs)
    {fault}
    return solution

validate_runs.solved = wrong
main(sys.argv[1:])
"""


@pytest.mark.parametrize(
    ("fault", "told"),
    [
        ("solution *= 1 + 1e-6", "the solution is"),
        ("solution += 1", "is above its bound"),
        ("solution[0] = float('nan') if number == 1 else solution[0]", "the error inf is above"),
        ("solution += 1e-18 * number", "other bits than alltoallv"),
        ("solution *= 1.5 if solution.shape[0] > 25 else 1", "observed order"),
    ],
)
def test_failures_have_a_command_that_repeats_them(weft, fault, told):
    program = (sys.executable, "-c", PROGRAM.format(fault=fault))
    done = weft(*ONE, program=program)
    assert done.returncode == 1, done.stdout + done.stderr
    lines = [line for line in done.stdout.splitlines() if line.startswith("FAILED")]
    assert any(told in line for line in lines), lines
    command = shlex.split(lines[0].removeprefix("FAILED "), comments=True)
    assert command[:4] == ["weft", "validate", "-n", "1"] and command[4] == "--case"
    again = weft(*command[1:])
    assert again.returncode == 0 and " 0 failed" in again.stdout.splitlines()[-1]


@pytest.mark.parametrize(
    ("arguments", "named"),
    [
        (["--kernels", "hej3"], ["--kernels", "hej3", "truncated"]),
        (["--case", "hej6 node UU OE EU 20"], ["--case", "strategy", "write for example"]),
        (["--case", "hej6 node UU XX EU 20 shared"], ["--case", "XX", "write for example"]),
        (["--case", "hej7 node UU OE EU 20 shared"], ["--case", "hej7", "hej8"]),
        (["--case", "hej6 node UU OE EU 20 pigeon"], ["--case", "pigeon", "persistent"]),
        (["--case", "hej6 UU OE EU node 20 shared"], ["--case", "node"]),
        (["--case", "hej6 node UU OE EU 7 shared"], ["--case", "'7'", "16 to 64"]),
        (["--quick", "--case", "hej6 node UU OE EU 20 shared"], ["--case", "--quick"]),
        (["--case", "hej6 node UU OE EU 20 shared", "--families", "halos"], ["--case", "--families"]),
        (["--families", "waves"], ["--families", "waves", "walls-4"]),
        (["--json", "missing/found.json"], ["--json", "missing"]),
    ],
)
def test_refused(weft, arguments, named):
    message = weft.refused_here("validate", *arguments)
    assert all(word in message for word in named), message
