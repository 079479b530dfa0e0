"""Formulas: damaged ones, grown ones, and such as would cost years or gigabytes."""

import random
import re
from pathlib import Path

import numpy as np
from weft.formula import Formula

from fuzz.files.subject import Subject, Wrong

_ATOMS = (
    *(
        "x",
        "y",
        "z",
        "pi",
        "e",
        "1",
        "0",
        "2.5",
        "1e308",
        "1e-320",
        "0x10",
        "1_0",
        "10**10",
        "r",
        "True",
        "None",
        "nan",
        "j",
        "2j",
    ),
    *(
        "''",
        "x.real",
        "__import__('os')",
        "()",
        "[x]",
        "{}",
        "lambda: 0",
        "\u00e9",
        "\uff58",
        "x\u0301",
        "b''",
        "...",
        "1.",
        ".5",
        "1e",
    ),
    *("00", "07", "\\", "`x`", "$", "?", "@"),
)
_FUNCTIONS = (
    *(
        "sin",
        "sqrt",
        "log",
        "exp",
        "erf",
        "erfc",
        "hypot",
        "atan2",
        "max",
        "min",
        "abs",
        "cosh",
        "floor",
        "f",
        "g",
        "sum",
        "eval",
    ),
    *("print", "tan", "acosh", "sign", "cbrt"),
)
_OPERATORS = (
    *(
        "+",
        "-",
        "*",
        "/",
        "**",
        "%",
        "//",
        "<",
        "<=",
        "==",
        "!=",
        ">",
        " and ",
        " or ",
        " if ",
        " else ",
        "&",
        "|",
        "<<",
        "@",
        ":=",
    ),
    *(",", " in ", " is ", " not "),
)
_HEAVY = (
    *(
        "9**9**9",
        "9**9**9**9",
        "(" * 10000 + ")" * 10000,
        "-" * 10000 + "x",
        "x" * 5000,
        "x**" * 1300 + "x",
        "9" * 3999,
    ),
    *(
        "1e" + "9" * 3000,
        "max(" * 90 + "x,y" + ")" * 90,
        "x if " * 700 + "x",
        "not " * 900 + "x",
        "[" * 3000,
        "f'{x}'",
        "x\n" * 1000,
    ),
    *(
        "x #",
        "\0",
        "x\0",
        "2**1023*2",
        "2**-1074",
        "10**400",
        "(-8)**(1/3)",
        "0**0",
        "0**-1",
        "x%0",
        "1/0",
        "10" + "**10" * 90,
    ),
    *("x<" * 1500 + "x", "sin(" * 99 + "x" + ")" * 99, "-(" * 99 + "x" + ")" * 99, "+".join("x" * 1900)),
)
# What numpy evaluates as Python reads it. Two stars are another matter: Python's are exact on whole numbers.
_PLAIN = re.compile(r"[-xyz0-9.+*() ]{1,40}")


class FormulaText(Subject):
    """Formulas are evaluated as Python does with numpy, or refused."""

    kind, suffix, text = "formula", ".txt", True

    def __init__(self, folder: Path) -> None:
        super().__init__(folder)
        self.bases = [
            b"sin(2*pi*x) * exp(-y*y) + (1 if z > 0.5 else -1)",
            b"max(x, y, z) ** 2 % 3",
            b"not (x < y) and z or 1",
        ]
        x = np.linspace(-1, 2, 50).reshape(-1, 1, 1)
        self.places = {"x": x, "y": x.reshape(1, -1, 1), "z": np.float64(0.5)}

    def _grown(self, rng: random.Random, depth: int) -> str:
        how = rng.random()
        if depth <= 0 or how < 0.2:
            return rng.choice(_ATOMS)
        if how < 0.5:
            return self._grown(rng, depth - 1) + rng.choice(_OPERATORS) + self._grown(rng, depth - 1)
        if how < 0.75:
            arguments = (self._grown(rng, depth - 1) for _ in range(rng.choice((1, 1, 1, 2, 3, 17))))
            return f"{rng.choice(_FUNCTIONS)}({','.join(arguments)})"
        if how < 0.9:
            count = rng.choice((1, 1, 1, 50, 150, 1000))
            return "(" * count + self._grown(rng, depth - 1) + ")" * count
        return rng.choice(("-", "+", "not ", "~", "**", "-" * 500)) + self._grown(rng, depth - 1)

    def mutant(self, rng: random.Random) -> bytes:
        how = rng.random()
        if how < 0.4:
            return super().mutant(rng)
        text = self._grown(rng, rng.choice((1, 2, 3, 5))) if how < 0.95 else rng.choice(_HEAVY)
        return text.encode("utf-8", "surrogatepass")

    def read(self, path: Path, data: bytes) -> None:
        text = data.decode("utf-8", "surrogateescape")
        definitions = {"f(s)": "s*s", "g(s, t)": "f(s)+f(t)", "r": "sqrt(x*x+y*y)"}
        values = Formula(text, definitions=definitions)(*self.places.values())
        if values.shape != (50, 50, 1) or values.dtype != np.float64:
            raise Wrong(f"the values are {values.shape} {values.dtype}")
        if _PLAIN.fullmatch(text) and "**" not in text:
            self._compare_values(text, values)

    def _compare_values(self, text: str, values: np.ndarray) -> None:
        try:
            with np.errstate(all="ignore"):
                want = eval(compile(text.strip(), "formula", "eval"), {}, dict(self.places))
        except (OverflowError, RecursionError, MemoryError):
            return
        except Exception as error:
            raise Wrong(f"{text!r} is read, Python says {error}") from None
        # Each of at most 40 operations rounds once, as Python's does; whole numbers are exact there.
        if not np.allclose(np.broadcast_to(want, values.shape), values, equal_nan=True, rtol=1e-12):
            raise Wrong(f"{text!r} has other values than Python's")


SUBJECTS = (FormulaText,)
