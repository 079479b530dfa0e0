"""Formulas in x, y, z, parsed into a tree of allowed operations and evaluated with numpy, never by eval.

Allowed are numbers, the variables, pi and e, + - * / % **, comparisons, and, or, not, `a if condition else b` and the
functions in FUNCTIONS. A case file can define names ("r" = "sqrt(x*x + y*y)") and functions ("b(s)" = "exp(-s*s)");
a definition may use those above it. All values are doubles, so no number grows without bound; the length, depth and
total cost of a formula are limited.
"""

import ast
import math
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from difflib import get_close_matches
from typing import Any

import numpy as np

from weft.errors import FormulaError

MAX_LENGTH = 4000
MAX_DEPTH = 100
MAX_COST = 50_000

_erf = np.frompyfunc(math.erf, 1, 1)
_erfc = np.frompyfunc(math.erfc, 1, 1)


def _fold(combine: Callable) -> Callable:
    def folded(*values: Any) -> Any:
        result = values[0]
        for value in values[1:]:
            result = combine(result, value)
        return result

    return folded


# The names are those in Python's math module.
_OF_ONE: dict[str, Callable] = {
    "abs": np.abs,
    "acos": np.arccos,
    "acosh": np.arccosh,
    "asin": np.arcsin,
    "asinh": np.arcsinh,
    "atan": np.arctan,
    "arctan": np.arctan,
    "atanh": np.arctanh,
    "cbrt": np.cbrt,
    "ceil": np.ceil,
    "cos": np.cos,
    "cosh": np.cosh,
    "erf": lambda value: np.asarray(_erf(value), dtype=float),
    "erfc": lambda value: np.asarray(_erfc(value), dtype=float),
    "exp": np.exp,
    "expm1": np.expm1,
    "floor": np.floor,
    "log": np.log,
    "log10": np.log10,
    "log1p": np.log1p,
    "log2": np.log2,
    "sign": np.sign,
    "sin": np.sin,
    "sinh": np.sinh,
    "sqrt": np.sqrt,
    "tan": np.tan,
    "tanh": np.tanh,
}
# Name -> (implementation, fewest arguments, most arguments).
FUNCTIONS: dict[str, tuple[Callable, int, int]] = {
    **{name: (function, 1, 1) for name, function in _OF_ONE.items()},
    "atan2": (np.arctan2, 2, 2),
    "hypot": (np.hypot, 2, 2),
    "max": (_fold(np.maximum), 2, 16),
    "min": (_fold(np.minimum), 2, 16),
}
CONSTANTS = {"pi": math.pi, "e": math.e}

_BINARY: dict[type, Callable] = {
    ast.Add: np.add,
    ast.Sub: np.subtract,
    ast.Mult: np.multiply,
    ast.Div: np.divide,
    ast.Mod: np.mod,
    ast.Pow: np.power,
}
_UNARY: dict[type, Callable] = {
    ast.UAdd: np.positive,
    ast.USub: np.negative,
    ast.Not: lambda value: np.equal(value, 0).astype(float),
}
_COMPARE: dict[type, Callable] = {
    ast.Lt: np.less,
    ast.LtE: np.less_equal,
    ast.Gt: np.greater,
    ast.GtE: np.greater_equal,
    ast.Eq: np.equal,
    ast.NotEq: np.not_equal,
}
_REFUSED = {
    ast.Attribute: "attribute access (a dot after a name)",
    ast.Subscript: "an index in brackets",
    ast.Lambda: "lambda",
    ast.NamedExpr: "an assignment",
    ast.List: "a list",
    ast.Tuple: "a tuple (comma outside of a function call)",
    ast.Set: "a set",
    ast.Dict: "a dictionary",
    ast.ListComp: "a comprehension",
    ast.SetComp: "a comprehension",
    ast.DictComp: "a comprehension",
    ast.GeneratorExp: "a comprehension",
    ast.JoinedStr: "a string",
    ast.Starred: "a starred argument",
    ast.Await: "await",
    ast.Yield: "yield",
    ast.YieldFrom: "yield",
    ast.BitXor: "^ (powers are written **)",
}


@dataclass
class _Node:
    """One operation and its arguments.

    cost is the number of operations of one evaluation, depth the number of nested ones, both including definitions.
    """

    evaluate: Callable[["_Values"], Any]
    cost: int = 1
    depth: int = 1


@dataclass
class _Function:
    """A function defined in a case file."""

    parameters: tuple[str, ...]
    body: _Node


@dataclass
class _Names:
    """The names that a formula may use: variables, and names and functions defined before it."""

    variables: tuple[str, ...]
    values: dict[str, _Node] = field(default_factory=dict)
    functions: dict[str, _Function] = field(default_factory=dict)


@dataclass
class _Values:
    """The arrays of the variables in one evaluation, and the values of defined names computed so far."""

    variables: Mapping[str, Any]
    known: dict[str, Any] = field(default_factory=dict)


class _Parser:
    """Parses the text of one formula into a tree of _Node. Raises FormulaError for anything that is not allowed."""

    def __init__(self, name: str, text: str, names: _Names) -> None:
        self.name, self.text, self.names = name, text, names

    def parse(self) -> _Node:
        if not isinstance(self.text, str):
            raise self.error(f"{self.text!r} is not a string")
        if len(self.text) > MAX_LENGTH:
            raise self.error(f"it has {len(self.text)} characters, at most {MAX_LENGTH} are allowed")
        # Line ends inside a formula count as spaces, so that long formulas can be folded in the case file.
        source = re.sub(r"\s+", " ", self.text).strip()
        if "#" in source:
            raise self.error("# (a comment) is not allowed")
        try:
            tree = ast.parse(source, mode="eval").body
        except (SyntaxError, ValueError, MemoryError, RecursionError) as error:
            reason = getattr(error, "msg", None) or "it is nested too deeply"
            raise self.error(f"this is not a formula: {reason}") from None
        self.check_depth(tree)
        node = self.node(tree)
        if node.cost > MAX_COST:
            raise self.error(f"with its definitions it has {node.cost} operations, at most {MAX_COST} are allowed")
        if node.depth > MAX_DEPTH:
            raise self.error(f"with its definitions it is nested more than {MAX_DEPTH} levels deep")
        return node

    def error(self, text: str) -> FormulaError:
        shown = self.text if isinstance(self.text, str) and len(self.text) <= 200 else f"{str(self.text)[:200]}..."
        return FormulaError(f"{self.name}: {text}, in the formula {shown!r}; {_allowed(self.names)}")

    def check_depth(self, tree: ast.AST) -> None:
        level, depth = [tree], 0
        while level:
            depth += 1
            if depth > MAX_DEPTH:
                raise self.error(f"it is nested more than {MAX_DEPTH} levels deep")
            level = [child for node in level for child in ast.iter_child_nodes(node)]

    def node(self, tree: ast.AST) -> _Node:
        match tree:
            case ast.Constant():
                return self.number(tree)
            case ast.Name():
                return self.variable(tree.id)
            case ast.BinOp():
                return self.binary(tree)
            case ast.UnaryOp() if type(tree.op) in _UNARY:
                return self.combine(_UNARY[type(tree.op)], [tree.operand])
            case ast.BoolOp():
                return self.logical(tree)
            case ast.Compare():
                return self.comparison(tree)
            case ast.IfExp():
                return self.combine(_select, [tree.test, tree.body, tree.orelse])
            case ast.Call():
                return self.call(tree)
        raise self.refused(tree)

    def refused(self, tree: ast.AST) -> FormulaError:
        words = _REFUSED.get(type(tree), type(tree).__name__)
        piece = ast.unparse(tree) if isinstance(tree, ast.expr) else ""
        return self.error(f"{words} is not allowed{f': {piece[:80]}' if piece else ''}")

    def combine(self, function: Callable, arguments: Sequence[ast.AST]) -> _Node:
        parts = [self.node(argument) for argument in arguments]
        return _Node(
            lambda values: function(*[part.evaluate(values) for part in parts]),
            1 + sum(part.cost for part in parts),
            1 + max(part.depth for part in parts),
        )

    def number(self, tree: ast.Constant) -> _Node:
        if isinstance(tree.value, bool) or not isinstance(tree.value, int | float):
            raise self.error(f"{tree.value!r} is not a real number")
        try:
            value = float(tree.value)
        except OverflowError:
            value = math.inf
        if not math.isfinite(value):
            raise self.error("a number is too large for double precision")
        # It is a numpy scalar, so that overflow and division by zero follow the rules of arrays.
        return _Node(lambda _: np.float64(value))

    def variable(self, name: str) -> _Node:
        if name in self.names.variables:
            return _Node(lambda values: values.variables[name])
        if name in CONSTANTS:
            return _Node(lambda _: np.float64(CONSTANTS[name]))
        if definition := self.names.values.get(name):
            return _Node(lambda values: _defined(name, definition, values), definition.cost, 1 + definition.depth)
        if name in FUNCTIONS or name in self.names.functions:
            raise self.error(f"{name} is a function and needs arguments, as in {name}(x)")
        raise self.unknown(name)

    def unknown(self, name: str) -> FormulaError:
        known = [*self.names.variables, *CONSTANTS, *self.names.values, *self.names.functions, *FUNCTIONS]
        near = get_close_matches(name, known, n=1)
        return self.error(f"unknown name {name!r}{f', did you mean {near[0]!r}?' if near else ''}")

    def binary(self, tree: ast.BinOp) -> _Node:
        if type(tree.op) not in _BINARY:
            raise self.error(f"{_REFUSED.get(type(tree.op), type(tree.op).__name__)} is not allowed")
        node = self.combine(_BINARY[type(tree.op)], [tree.left, tree.right])
        if isinstance(tree.op, ast.Pow) and not any(isinstance(part, ast.Name) for part in ast.walk(tree)):
            with np.errstate(all="ignore"):
                value = node.evaluate(_Values({}))
            if not np.isfinite(value):
                raise self.error(f"the power {ast.unparse(tree)[:80]} is too large or undefined")
        return node

    def logical(self, tree: ast.BoolOp) -> _Node:
        merge = np.logical_and if isinstance(tree.op, ast.And) else np.logical_or
        return self.combine(
            lambda *parts: _fold(merge)(*[np.not_equal(part, 0) for part in parts]).astype(float), tree.values
        )

    def comparison(self, tree: ast.Compare) -> _Node:
        if not all(type(op) in _COMPARE for op in tree.ops):
            raise self.error("only the comparisons < <= > >= == != are allowed")
        operators = [_COMPARE[type(op)] for op in tree.ops]

        def compare(*values: Any) -> Any:
            pairs = zip(operators, values[:-1], values[1:], strict=True)
            return _fold(np.logical_and)(*[operator(a, b) for operator, a, b in pairs]).astype(float)

        return self.combine(compare, [tree.left, *tree.comparators])

    def call(self, tree: ast.Call) -> _Node:
        if not isinstance(tree.func, ast.Name):
            raise self.refused(tree.func)
        name = tree.func.id
        if tree.keywords:
            raise self.error(f"{name}: arguments with = are not allowed")
        if function := self.names.functions.get(name):
            return self.call_defined(name, function, tree.args)
        if name not in FUNCTIONS:
            raise self.unknown(name)
        implementation, fewest, most = FUNCTIONS[name]
        if not fewest <= len(tree.args) <= most:
            wanted = str(fewest) if fewest == most else f"{fewest} to {most}"
            raise self.error(f"{name} takes {wanted} arguments, {len(tree.args)} are given")
        return self.combine(implementation, tree.args)

    def call_defined(self, name: str, function: _Function, arguments: Sequence[ast.AST]) -> _Node:
        if len(arguments) != len(function.parameters):
            raise self.error(f"{name} takes {len(function.parameters)} arguments, {len(arguments)} are given")
        node = self.combine(
            lambda *values: function.body.evaluate(_Values(dict(zip(function.parameters, values, strict=True)))),
            arguments,
        )
        return _Node(node.evaluate, node.cost + function.body.cost, node.depth + function.body.depth)


def _select(condition: Any, then: Any, otherwise: Any) -> Any:
    """Computes both branches; numpy.where selects between them, so a NaN of the other branch has no effect."""
    return np.where(np.not_equal(condition, 0), then, otherwise)


def _defined(name: str, definition: _Node, values: _Values) -> Any:
    """The value of a defined name, which is computed once per evaluation."""
    if name not in values.known:
        values.known[name] = definition.evaluate(values)
    return values.known[name]


def _allowed(names: _Names) -> str:
    """The part of a message that lists what a formula may contain."""
    own = [*names.values, *(f"{name}({', '.join(f.parameters)})" for name, f in names.functions.items())]
    defined = f"; defined: {', '.join(own)}" if own else ""
    return (
        f"allowed are numbers, {', '.join(names.variables)}, pi, e, + - * / % ** ( ), < <= > >= == !=, and or not, "
        f"a if condition else b, and the functions {', '.join(sorted(FUNCTIONS))}{defined}"
    )


def _define(key: str, text: str, names: _Names) -> None:
    """Adds a definition, "name" or "function(parameter, ...)", to the names."""
    label = f"define.{key}"
    if not (match := re.fullmatch(r"\s*([A-Za-z_]\w*)\s*(?:\(([\w\s,]*)\))?\s*", key, re.ASCII)):
        raise FormulaError(f'{label}: this is neither a name nor a function; write "r" or "b(s)"')
    name, inside = match[1], match[2]
    if name in names.variables or name in CONSTANTS or name in FUNCTIONS or not _is_name(name):
        raise FormulaError(f"{label}: the name {name!r} is taken; choose another one")
    if name in names.values or name in names.functions:
        raise FormulaError(f"{label}: {name!r} is defined twice")
    if inside is None:
        names.values[name] = _Parser(label, text, names).parse()
        return
    parameters = tuple(part.strip() for part in inside.split(","))
    if len(set(parameters)) != len(parameters) or not all(_is_name(part) for part in parameters):
        raise FormulaError(f'{label}: the parameters must be different names, as in "f(s, t)"')
    body = _Parser(label, text, _Names(parameters, {}, names.functions)).parse()
    names.functions[name] = _Function(parameters, body)


def _is_name(text: str) -> bool:
    return text.isidentifier() and text not in ("if", "else", "and", "or", "not", "lambda", "in", "is")


class Formula:
    """A parsed formula. Parsing raises a FormulaError that names what is not allowed and lists what is allowed.

    name         the name of the formula in messages, such as "rhs".
    variables    the names for which evaluation receives arrays.
    definitions  names and functions; each may use those before it. A function may use its parameters, pi, e and the
                 functions defined before it.
    """

    def __init__(
        self,
        text: str,
        *,
        name: str = "formula",
        variables: Sequence[str] = ("x", "y", "z"),
        definitions: Mapping[str, str] | None = None,
    ) -> None:
        self.name, self.text, self.variables = name, text, tuple(variables)
        names = _Names(self.variables)
        for key, definition in (definitions or {}).items():
            _define(key, definition, names)
        self._tree = _Parser(name, text, names).parse()

    def __call__(self, *values: Any) -> np.ndarray:
        """The values at the given positions (one broadcastable array per variable), in the broadcast shape.

        Division by zero, overflow and roots of negative numbers give infinities and NaN, without warnings.
        """
        arrays = [np.asarray(value, dtype=float) for value in values]
        given = _Values(dict(zip(self.variables, arrays, strict=True)))
        with np.errstate(all="ignore"):
            result = self._tree.evaluate(given)
        shape = np.broadcast_shapes(*[array.shape for array in arrays])
        return np.array(np.broadcast_to(result, shape), dtype=float, order="C")
