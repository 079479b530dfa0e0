"""Formulas that hypothesis makes up: what numpy computes from the same text, and one error for any other text."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from weft.errors import FormulaError
from weft.formula import Formula

POINTS = [np.linspace(-2, 2, n).reshape(np.where(np.arange(3) == axis, n, 1)) for axis, n in enumerate((5, 4, 3))]
LEAVES = [*zip("xyz", POINTS, strict=True), ("pi", np.pi), *((text, float(text)) for text in ("0", "1.5", "2e-3", "7"))]
BINARY = {
    "+": np.add,
    "-": np.subtract,
    "*": np.multiply,
    "/": np.divide,
    "%": np.mod,
    "<": np.less,
    ">=": np.greater_equal,
}
UNARY = {"-": np.negative, "sin": np.sin, "exp": np.exp, "abs": np.abs, "floor": np.floor}


def _joined(parts):
    (a, u), operator, (b, v) = parts
    with np.errstate(all="ignore"):
        return f"({a} {operator} {b})", np.asarray(BINARY[operator](u, v), float)


def _of_one(parts):
    name, (a, u) = parts
    with np.errstate(all="ignore"):
        return (f"(-{a})" if name == "-" else f"{name}({a})"), np.asarray(UNARY[name](u), float)


# Texts, and what numpy computes.
formulas = st.recursive(
    st.sampled_from(range(len(LEAVES))).map(lambda i: (LEAVES[i][0], np.asarray(LEAVES[i][1], float))),
    lambda inner: st.one_of(
        st.tuples(inner, st.sampled_from(sorted(BINARY)), inner).map(_joined),
        st.tuples(st.sampled_from(sorted(UNARY)), inner).map(_of_one),
    ),
    max_leaves=12,
)


@settings(max_examples=150, deadline=None)
@given(formulas)
def test_formulas_are_what_numpy_computes(formula):
    text, expected = formula
    with np.errstate(all="ignore"):
        result = Formula(text)(*POINTS)
    assert np.array_equal(result, np.broadcast_to(expected, (5, 4, 3)), equal_nan=True), text


@settings(max_examples=300, deadline=None)
@given(st.one_of(st.text(max_size=40), st.text("xyz0123456789.+-*/%()<>=!eijn ,[]{}'\"_:@\n", max_size=40)))
def test_any_text_is_a_formula_or_one_error(text):
    try:
        formula = Formula(text)
    except FormulaError as error:
        assert str(error)
        return
    with np.errstate(all="ignore"):
        try:
            assert formula(*POINTS).shape == (5, 4, 3)
        except FormulaError as error:
            assert str(error)
