"""Case files: what is read from them, and one clear message for whatever is wrong."""

import math
from pathlib import Path

import pytest
import weft
from mpi4py import MPI
from weft.case import FieldFile, load_case, parse_case

GOOD = {
    "cells": "[8, 9, 10]",
    "length": "[1.0, 2, 0.5]",
    "boundary": '["periodic", ["odd", "even"], "unbounded"]',
    "rhs": '"x*y*z"',
}


def case_text(**changes):
    """A good case with some keys changed, or left out (None)."""
    return "\n".join(f"{key} = {value}" for key, value in {**GOOD, **changes}.items() if value is not None)


def test_reads_everything():
    constants = {"kernel": '"hej4"', "alpha": "1.5", "screening": "3", "power": "-0.5", "mean": '"error"'}
    text = case_text(centring='["cell", "node", "cell"]', **constants, reference='"2*r"', name='"test"')
    case = parse_case(text + '\n[define]\nr = "x + 1"\n', Path("a/b.toml"))
    assert case.cells == (8, 9, 10)
    assert case.length == (1.0, 2.0, 0.5)
    assert case.boundary == ("periodic", ("odd", "even"), "unbounded")
    assert case.centring == ("cell", "node", "cell")
    constants = case.kernel, case.alpha, case.screening, case.power, case.mean
    assert constants == ("hej4", 1.5, 3.0, -0.5, "error")
    assert case.name == "test"
    assert case.rhs(2.0, 3.0, 4.0) == 24.0
    assert case.reference(2.0, 0.0, 0.0) == 6.0
    assert (case.widths, case.robin) == (None, (0.0, 0.0))


def test_reads_an_axis_with_widths():
    case = parse_case(case_text(widths="[[], [1, 0.5], []]", robin="[0, 2]", order="4"), Path("a/b.toml"))
    assert (case.widths, case.robin, case.order) == ((None, (1.0, 0.5), None), (0.0, 2.0), 4)


def test_reads_values_at_ends():
    case = parse_case(case_text() + '\n[ends]\ny-left = "x + 2*z"\nx-right = "1"\n', Path("a/b.toml"))
    assert list(case.ends) == [(1, "left"), (0, "right")]
    assert case.ends[1, "left"](3.0, 0.0, 4.0) == 11.0


def test_reads_several_right_hand_sides():
    rhs = '["x", { file = "rho.npy" }, "y"]'
    case = parse_case(case_text(rhs=rhs, reference='["1", "2", "x + z"]'), Path("a/b.toml"))
    assert case.batch == 3 and case.rhs[1] == FieldFile(Path("a/rho.npy"), "")
    assert case.rhs[2](1.0, 5.0, 1.0) == 5.0 and case.reference[2](1.0, 0.0, 2.0) == 3.0
    case = parse_case(case_text(rhs='{ file = "rho.npy" }', batch="4", reference='"x"'), Path("a/b.toml"))
    assert (case.batch, case.rhs, case.reference(2.0, 0.0, 0.0)) == (4, FieldFile(Path("a/rho.npy"), ""), 2.0)
    assert parse_case(case_text(), Path("a/b.toml")).batch is None


def test_reads_coefficients_that_vary():
    text = case_text(boundary='["periodic", ["odd", "even"], "even"]')
    text += '\n[variable]\na = "2 + q"\nform = "spectral"\ntolerance = 1e-6\n[define]\nq = "x*y"\n'
    variable = parse_case(text, Path("a/b.toml")).variable
    assert variable.a(2.0, 3.0, 4.0) == 8.0 and variable.c is None
    assert variable.options == {"form": "spectral", "tolerance": 1e-6}
    assert parse_case(case_text(), Path("a/b.toml")).variable is None


def test_defaults():
    case = parse_case(case_text(), Path("a/b.toml"))
    assert (case.centring, case.kernel, case.name, case.reference) == ("cell", "chat2", "b", None)
    assert (case.alpha, case.screening, case.power, case.mean) == (2.0, 0.0, 1.0, "remove")


def test_two_axes_have_no_z():
    two = {"cells": "[8, 8]", "length": "[1, 1]", "boundary": '["odd", "odd"]'}
    assert parse_case(case_text(**two, rhs='"x - y"'), Path("c.toml")).rhs(3.0, 1.0) == 2.0
    with pytest.raises(weft.FormulaError, match="unknown name 'z'"):
        parse_case(case_text(**two), Path("c.toml"))


def test_one_boundary_stands_for_all_axes():
    assert parse_case(case_text(boundary='"odd"'), Path("c.toml")).boundary == ("odd", "odd", "odd")


def test_files_start_at_the_case_file():
    text = case_text(rhs='{ file = "data/rho.h5", dataset = "fields/rho" }')
    assert parse_case(text, Path("a/b.toml")).rhs == FieldFile(Path("a/data/rho.h5"), "fields/rho")
    text = case_text(rhs='{ file = "/data/rho.npy" }')
    assert parse_case(text, Path("a/b.toml")).rhs == FieldFile(Path("/data/rho.npy"), "")


@pytest.mark.parametrize(
    ("changes", "named"),
    [
        ({"cels": "[1]"}, "unknown key 'cels'; did you mean 'cells'?"),
        ({"zzz": "1"}, "unknown key 'zzz'; allowed are cells, length"),
        ({"cells": None}, "'cells' is missing"),
        ({"rhs": None}, "'rhs' is missing"),
        ({"cells": "[8.0, 9, 10]"}, "8.0 is not allowed; give whole numbers"),
        ({"cells": "[true, 9, 10]"}, "True is not allowed"),
        ({"cells": '["8", 9, 10]'}, "'8' is not allowed"),
        ({"cells": "8"}, "8 is not a list"),
        ({"widths": "[1, 2, 3]"}, "widths: [1, 2, 3] is not allowed; give a list of widths per axis"),
        ({"widths": '[[], ["a"], []]'}, "'a' is not allowed; give numbers"),
        ({"robin": "1"}, "1 is not a list of two numbers"),
        ({"order": "4.0"}, "4.0 is not a whole number"),
        ({"ends": "1"}, "ends: 1 is not a table"),
        ({"variable": "1"}, "variable: 1 is not a table"),
        ({"variable": "{}"}, "variable: the key 'a' is missing"),
        ({"variable": '{ a = "1", b = "1" }'}, "variable: unknown key 'b'"),
        ({"variable": '{ a = "1", tolerance = "x" }'}, "variable.tolerance: 'x' is not a number"),
        ({"variable": '{ a = "1", form = 1 }'}, "variable.form: 1 is not a string"),
        ({"variable": '{ a = "1" }', "kernel": '"lgf2"'}, "kernel: it does not go with variable"),
        ({"ends": '{ z-top = "1" }'}, "ends: unknown key 'z-top'; allowed are x-left"),
        ({"cells": "[]"}, "is not a list of"),
        ({"cells": "[8, 8, 8, 8]"}, "4 axes are given"),
        ({"length": "[1, 1]"}, "length: 2 entries are given, cells has 3"),
        ({"length": '[1, 1, "1"]'}, "'1' is not allowed"),
        ({"boundary": '["odd"]'}, "boundary: 1 entries are given"),
        ({"boundary": "1"}, "1 is not a list; give one word, or a word or a pair per axis"),
        ({"boundary": '["odd", ["odd"], "even"]'}, "a word or a pair"),
        ({"boundary": '["odd", ["odd", "even", "odd"], "even"]'}, "a word or a pair"),
        ({"boundary": "[1, 2, 3]"}, "a word or a pair"),
        ({"centring": "3"}, "centring: 3 is not allowed"),
        ({"centring": '["cell"]'}, "centring: 1 entries"),
        ({"kernel": "2"}, "kernel: 2 is not a string"),
        ({"alpha": '"2"'}, "alpha: '2' is not a number"),
        ({"screening": "true"}, "screening: True is not a number"),
        ({"screening": "9" * 400}, "screening: 999"),
        ({"power": '"2"'}, "power: '2' is not a number"),
        ({"alpha": "9" * 400}, "9 is too large; give a number below 1.8e308"),
        ({"length": f"[1, 1, {'9' * 400}]"}, "length: 999"),
        ({"length": f"[1, 1, 0x{'f' * 5000}]"}, "length: a value of type int that cannot be printed is too large"),
        ({"name": f"0x{'f' * 5000}"}, "name: a value of type int that cannot be printed is not a string"),
        ({"cells": f"[8, 9, {'9' * 5000}]"}, "this is not TOML: Exceeds the limit"),
        ({"cells": "[" * 5000}, "this is not TOML"),
        ({"mean": "0"}, "mean: 0 is not a string"),
        ({"name": "2"}, "name: 2 is not a string"),
        ({"rhs": "3"}, "neither a formula nor"),
        ({"rhs": "[]"}, "rhs: the list is empty"),
        ({"rhs": '["x", 3]'}, "rhs[1]: 3 is neither a formula nor"),
        ({"rhs": '["x", { file = "a.h5" }]'}, "rhs[1]: a.h5 needs the name of a dataset"),
        ({"rhs": '["x", "q"]'}, "rhs[1]: unknown name 'q'"),
        ({"rhs": '["x", "y"]', "batch": "2"}, "batch: 2 is given, but rhs is a list"),
        ({"batch": "2"}, "batch: it counts the arrays of a file, but rhs is a formula"),
        ({"batch": "2.0"}, "batch: 2.0 is not a whole number"),
        ({"rhs": '["x", "y"]', "reference": '["x"]'}, "reference: 1 formulas given for 2 right-hand sides"),
        ({"reference": '["x"]'}, "reference: 1 formulas given for 1 right-hand side, which is not a list"),
        ({"rhs": '["x", "y"]', "ends": '{ y-left = ["x"] }'}, "ends.y-left: 1 formulas given for 2"),
        ({"rhs": '["x"]', "variable": '{ a = "1" }'}, "rhs: a list does not go with variable"),
        ({"rhs": "{}"}, "rhs: the key 'file' is missing"),
        ({"rhs": '{ file = "a.h5" }'}, "needs the name of a dataset"),
        ({"rhs": '{ file = "a.npy", dataset = "b" }'}, "holds one array"),
        ({"rhs": '{ file = "a.h5", datset = "b" }'}, "did you mean 'dataset'?"),
        ({"rhs": "{ file = 3 }"}, "rhs.file: 3 is not a string"),
        ({"rhs": '"open(x)"'}, "unknown name 'open'"),
        ({"reference": '"x.real"'}, "reference: attribute access"),
        ({"reference": "1"}, "reference: 1 is not a string"),
        ({"define": "1"}, "is not a table"),
        ({"define": '{ r = "q" }'}, "define.r: unknown name 'q'"),
        ({"define": "{ r = 1 }"}, "define.r: 1 is not a string"),
        ({"cells": "[8, 9"}, "this is not TOML"),
    ],
)
def test_refused(changes, named):
    with pytest.raises(weft.Error, match="case.toml: ") as caught:
        parse_case(case_text(**changes), Path("case.toml"))
    assert named in str(caught.value)


def test_unreadable_files(tmp_path):
    with pytest.raises(weft.FileError, match="No such file"):
        load_case(tmp_path / "missing.toml", MPI.COMM_SELF)
    with pytest.raises(weft.FileError, match="directory"):
        load_case(tmp_path, MPI.COMM_SELF)
    (tmp_path / "latin.toml").write_bytes(b'name = "\xe9"')
    with pytest.raises(weft.CaseError, match="not UTF-8"):
        load_case(tmp_path / "latin.toml", MPI.COMM_SELF)


@pytest.mark.parametrize("name", ["free_space", "mixed", "semi_unbounded"])
def test_right_hand_side_of_the_examples_is_the_laplacian_of_the_reference(name):
    case = load_case(Path(__file__).parents[2] / "examples" / f"{name}.toml", MPI.COMM_SELF)
    point, h = (0.61, 0.47, 0.33), 1e-3
    # Central differences of order 4: their error is h^4/90 times the sixth derivatives along the three axes. Those of
    # the products of sines are at most (8 pi)^6 = 2.5e8; the bumps are like exp(-10 s^2) with s = 2 x, whose sixth
    # derivative is at most 2^6 15 20^3 = 7.7e6. Rounding: 64 units in the last place over the divisor.
    tolerance = 3 * (8 * math.pi) ** 6 / 90 * h**4 + 64 * 2.3e-16 / (12 * h * h)
    laplacian = 0.0
    for axis in range(3):
        for steps, weight in ((-2, -1), (-1, 16), (0, -30), (1, 16), (2, -1)):
            shifted = [p + steps * h * (axis == i) for i, p in enumerate(point)]
            laplacian += weight * case.reference(*shifted) / (12 * h * h)
    assert laplacian == pytest.approx(case.rhs(*point), abs=tolerance)
    assert abs(case.rhs(*point)) > 1
