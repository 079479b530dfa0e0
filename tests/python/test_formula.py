"""Formulas of case files: what they compute, and everything that they refuse."""

import math
import warnings

import numpy as np
import pytest
import weft
from weft.formula import FUNCTIONS, Formula

X = np.linspace(-2.0, 2.0, 9)[:, None, None]
Y = np.linspace(0.1, 1.5, 4)[None, :, None]
Z = np.linspace(-1.0, 3.0, 5)[None, None, :]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("1", 1.0),
        ("x + 2*y - z/4", X + 2 * Y - Z / 4),
        ("-x**2", -(X**2)),
        ("2**-y", 2.0**-Y),
        ("x % 1", np.mod(X, 1)),
        ("sin(pi*x) * cos(y) + exp(-z)", np.sin(np.pi * X) * np.cos(Y) + np.exp(-Z)),
        ("e**x", np.e**X),
        ("x < 0", X < 0),
        ("-1 <= x < 1", (X >= -1) & (X < 1)),
        ("x < 0 or y > 1 and z != 1", (X < 0) | ((Y > 1) & (Z != 1))),
        ("not x", X == 0),
        ("(x > 0) * 3 - (z == 3)", 3.0 * (X > 0) - (Z == 3)),
        ("x if x > 0 else -y", np.where(X > 0, X, -Y)),
        ("1 if x > 1 else 2 if x > 0 else 3", np.where(X > 1, 1, np.where(X > 0, 2, 3))),
        ("max(x, y, z) - min(x, 0)", np.maximum(np.maximum(X, Y), Z) - np.minimum(X, 0)),
        ("atan2(x, z) + hypot(x, y)", np.arctan2(X, Z) + np.hypot(X, Y)),
        ("sin(\n  x\n)", np.sin(X)),
    ],
)
def test_value(text, expected):
    result = Formula(text)(X, Y, Z)
    assert result.shape == (9, 4, 5) and result.dtype == np.float64
    np.testing.assert_array_equal(result, np.broadcast_to(np.asarray(expected, dtype=float), result.shape))


@pytest.mark.parametrize("name", sorted(name for name, (_, fewest, _) in FUNCTIONS.items() if fewest == 1))
def test_functions_of_one_argument_agree_with_math(name):
    inside = 1.25 if name == "acosh" else 0.625
    python = {"abs": abs, "arctan": math.atan, "cbrt": math.cbrt, "sign": lambda v: math.copysign(1, v)}
    exact = (python.get(name) or getattr(math, name))(inside)
    # numpy and the C library may each be wrong in the last place.
    assert Formula(f"{name}(x)", variables=("x",))(inside) == pytest.approx(exact, rel=4e-16)


def test_unused_branch_leaves_neither_warning_nor_nan():
    bump = Formula("exp(10*(1 - 1/(1 - x**2))) if abs(x) < 1 else 0", variables=("x",))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        values = bump(np.array([-2.0, -1.0, 0.0, 0.5, 1.0]))
    np.testing.assert_allclose(values, [0, 0, 1, math.exp(10 * (1 - 1 / 0.75)), 0], rtol=1e-15)


def test_division_by_zero_is_infinity_without_warning():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert Formula("1/x", variables=("x",))(0.0) == math.inf


def test_definitions_see_those_before_them():
    formula = Formula(
        "b(2*x - 1) + r",
        variables=("x", "y"),
        definitions={"a": "0.5", "r": "sqrt(x*x + y*y) * a", "g(t)": "exp(-t)", "b(x)": "g(x**2) + g(1)"},
    )
    x, y = 0.25, 2.0
    expected = math.exp(-((2 * x - 1) ** 2)) + math.exp(-1) + math.hypot(x, y) * 0.5
    assert formula(x, y) == pytest.approx(expected, rel=1e-15)


@pytest.mark.parametrize(
    ("definitions", "named"),
    [
        ({"a": "b", "b": "1"}, "unknown name 'b'"),
        ({"x": "1"}, "'x' is taken"),
        ({"sin(s)": "1"}, "'sin' is taken"),
        ({"pi": "3"}, "'pi' is taken"),
        ({"a": "1", "a(s)": "s"}, "defined twice"),
        ({"f(s, s)": "s"}, "different names"),
        ({"f()": "1"}, "different names"),
        ({"f(s": "1"}, "neither a name nor a function"),
        ({"a.b": "1"}, "neither a name nor a function"),
        ({"f(s)": "f(s)"}, "unknown name 'f'"),
        ({"f(s)": "x"}, "unknown name 'x'"),
        ({"lambda": "1"}, "'lambda' is taken"),
        ({"a": 3}, "not a string"),
    ],
)
def test_wrong_definitions_are_named(definitions, named):
    with pytest.raises(weft.FormulaError, match="define") as caught:
        Formula("1", definitions=definitions)
    assert named in str(caught.value)


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("__import__('os').system('true')", "attribute access"),
        ("__import__('os')", "unknown name '__import__'"),
        ("x.__class__", "attribute access"),
        ("(1).__class__.__bases__", "attribute access"),
        ("sin.__globals__", "attribute access"),
        ("import os", "not a formula"),
        ("x; y", "not a formula"),
        ("x = 1", "not a formula"),
        ("(q := 1)", "an assignment"),
        ("x[0]", "an index in brackets"),
        ("[x for x in y]", "a comprehension"),
        ("[x, y]", "a list"),
        ("x, y", "a tuple"),
        ("{}", "a dictionary"),
        ("lambda: 1", "lambda"),
        ("'text'", "not a real number"),
        ("f'{x}'", "a string"),
        ("True", "not a real number"),
        ("None", "not a real number"),
        ("1j", "not a real number"),
        ("...", "not a real number"),
        ("x ^ 2", "powers are written **"),
        ("x // 2", "FloorDiv"),
        ("x @ y", "MatMult"),
        ("~x", "UnaryOp"),
        ("x is y", "comparisons"),
        ("x in y", "comparisons"),
        ("sin(*x)", "a starred argument"),
        ("sin(x=1)", "arguments with ="),
        ("sin()", "takes 1 arguments, 0 are given"),
        ("atan2(x)", "takes 2 arguments, 1 are given"),
        ("max(x)", "takes 2 to 16 arguments"),
        ("sin", "is a function"),
        ("x(1)", "unknown name 'x'"),
        ("sine(x)", "did you mean 'sin'"),
        ("eval(x)", "unknown name 'eval'"),
        ("sin(x)(y)", "Call"),
        ("9**9**9**9", "too large"),
        ("(-1)**0.5", "undefined"),
        ("1e999", "too large"),
        ("1" + "0" * 400, "too large"),
        ("x # y", "comment"),
        ("", "not a formula"),
        ("x +", "not a formula"),
        ("x\0", "not a formula"),
        ("(" * 500 + "x" + ")" * 500, "not a formula"),
        ("-" * 3000 + "x", "deep"),
        ("+".join(["x"] * 300), "levels deep"),
        ("x" * 5000, "at most"),
    ],
)
def test_refused(text, named):
    with pytest.raises(weft.FormulaError, match="rhs") as caught:
        Formula(text, name="rhs")
    assert named in str(caught.value)


def test_message_lists_what_is_allowed():
    with pytest.raises(weft.FormulaError) as caught:
        Formula("foo + x", definitions={"r": "x", "b(s)": "s"})
    for word in ("'foo'", "x, y, z, pi, e", "a if condition else b", "sqrt", "defined: r, b(s)"):
        assert word in str(caught.value)


def test_definitions_cannot_multiply_without_limit():
    definitions = {"f0(s)": "s + s"}
    definitions |= {f"f{i}(s)": f"f{i - 1}(s) + f{i - 1}(s)" for i in range(1, 40)}
    with pytest.raises(weft.FormulaError, match="operations"):
        Formula("f39(x)", definitions=definitions)


def test_definitions_cannot_nest_without_limit():
    definitions = {"a0": "x"} | {f"a{i}": f"a{i - 1}" for i in range(1, 2000)}
    with pytest.raises(weft.FormulaError, match="levels deep"):
        Formula("a1999", definitions=definitions)


def test_deepest_allowed_formula_evaluates():
    assert Formula("+".join(["x"] * 99), variables=("x",))(1.0) == 99
