"""Case files: a Poisson problem in TOML, read and checked into a Case.

    cells     = [64, 64, 64]
    length    = [1.0, 1.0, 1.0]
    boundary  = ["periodic", "odd", ["even", "unbounded"]]
    centring  = "cell"                                  # optional: or "node", "chebyshev", or one word per axis
    kernel    = "truncated"                             # optional: one of weft.kernels(), "chat2" if omitted
    alpha     = 2.0                                     # optional: smoothing length of hej2 to hej10, in spacings
    screening = 0.0                                     # optional: lambda of laplacian(u) - lambda^2 u = rhs
    power     = 1.0                                     # optional: p of -(lambda^2 - laplacian)^p u = rhs
    mean      = "remove"                                # optional: or "error", if the mean of rhs has to be zero
    widths    = [[], [], [0.1, 0.2, 0.2]]               # optional: cells of an axis that is not transformed
    robin     = [0.0, 0.5]                              # optional: u + robin du/dn = 0 at its odd ends
    order     = 4                                       # optional: order of its differences, 2 if omitted
    shift     = [0.0, 0.0, 0.5]                         # optional: the solution at points displaced by these lengths
    rhs       = "sin(2*pi*x) * b(y)"                    # a formula, or { file = "rho.h5", dataset = "rho" }
    reference = "..."                                   # optional: the exact solution, a formula
    batch     = 5                                       # optional: right-hand sides in the file of rhs, counted by an
                                                        # additional first axis of its array
    name      = "what this is"                          # optional
    [variable]                                          # optional: div(a grad u) - c u = rhs by VariablePoisson
    a = "1 + x*x"                                       # formulas; c is 0 if omitted
    c = "exp(-y)"
    form = "spectral"                                   # optional, and faces, around, tolerance, most_iterations
    [ends]                                              # optional: values, or slopes, at ends that are not 0
    y-left = "1 + cos(2*pi*x)"
    [define]                                            # optional: names and functions for the formulas
    "b(s)" = "exp(-s*s)"

If rhs is a list of formulas and files, one solve takes all of them. Then, and with batch, reference and values at ends
may be lists of as many formulas.

Types and keys are checked here. The solver checks the values.
"""

import os
import sys
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import Path
from typing import Any

from weft._arguments import shown, together
from weft._mpi import MPI
from weft.errors import CaseError, FileError, FormulaError
from weft.formula import Formula

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

_REQUIRED = ("cells", "length", "boundary", "rhs")
_OPTIONAL = (
    "centring",
    "kernel",
    "alpha",
    "screening",
    "power",
    "mean",
    "widths",
    "robin",
    "order",
    "shift",
    "batch",
    "variable",
    "ends",
    "reference",
    "define",
    "name",
)
_AXES = ("x", "y", "z")
# The keys allowed with [variable], since its solver takes no others.
_WITH_VARIABLE = (*_REQUIRED, "mean", "variable", "reference", "define", "name")


@dataclass(frozen=True)
class FieldFile:
    """An array in a file: a dataset of an HDF5 file, or a .npy file with an empty dataset name."""

    path: Path
    dataset: str


@dataclass(frozen=True)
class Variable:
    """Coefficients that vary, and the options of VariablePoisson that are given."""

    a: Formula
    c: Formula | None
    options: dict[str, Any]


@dataclass(frozen=True)
class Case:
    """A checked case file. boundary and centring are as in the file, with one entry per axis."""

    path: Path
    name: str
    cells: tuple[int, ...]
    length: tuple[float, ...]
    boundary: tuple[str | tuple[str, str], ...]
    centring: str | tuple[str, ...]
    kernel: str
    alpha: float
    screening: float
    power: float
    mean: str
    widths: tuple[tuple[float, ...] | None, ...] | None
    robin: tuple[float, ...]
    order: int
    shift: tuple[float, ...] | None
    rhs: Formula | FieldFile | tuple[Formula | FieldFile, ...]
    batch: int | None
    """The number of right-hand sides; None: one, which is not a list."""
    reference: Formula | tuple[Formula, ...] | None
    variable: Variable | None
    ends: dict[tuple[int, str], Formula | tuple[Formula, ...]]


def as_text(name: str) -> str:
    """A file name as a text. Bytes that are not UTF-8 appear as \\xHH."""
    return name.encode(errors="surrogateescape").decode(errors="backslashreplace")


def load_case(path: str | Path, comm: MPI.Intracomm) -> Case:
    """Reads a case on rank 0, checks it and sends it to all ranks. Collective; raises the same Error on every rank."""
    text: str | None = None
    with together(comm):
        if comm.rank == 0:
            try:
                text = Path(path).read_text(encoding="utf-8-sig")  # editors on Windows write a byte order mark
            except OSError as error:
                raise FileError(f"{path}: the case file cannot be read: {error.strerror or error}") from error
            except UnicodeDecodeError as error:
                raise CaseError(f"{path}: the case file is not UTF-8 text") from error
    return parse_case(comm.bcast(text, root=0), Path(path))


def parse_case(text: str, path: Path) -> Case:
    """Parses and checks a case. Messages name path, and relative file names start from its folder."""
    try:
        table = tomllib.loads(text.removeprefix("\ufeff"))
    except (ValueError, RecursionError) as error:  # also integers of thousands of digits and deeply nested lists
        raise CaseError(f"{path}: this is not TOML: {error}") from None
    _check_keys(path, "", table, _REQUIRED, _OPTIONAL)
    cells = _numbers(path, "cells", table["cells"], int, "whole numbers such as [64, 64, 64]")
    axes = len(cells)
    if axes not in (2, 3):
        raise CaseError(f"{path}: cells: {axes} axes are given; 2 or 3 are allowed")
    length = _numbers(path, "length", table["length"], (int, float), "numbers such as [1.0, 1.0, 1.0]")
    boundary = _boundary(path, table["boundary"], axes)
    centring = _centring(path, table.get("centring", "cell"))
    for key, value in (("length", length), ("boundary", boundary), ("centring", centring)):
        if not isinstance(value, str) and len(value) != axes:
            raise CaseError(f"{path}: {key}: {len(value)} entries are given, cells has {axes}; give one per axis")
    formulas = _Formulas(path, _AXES[:axes], table.get("define", {}))
    rhs, batch = _sides(path, table, formulas)
    return Case(
        path=path,
        name=_string(path, "name", table.get("name", as_text(path.stem))),
        cells=cells,
        length=tuple(_number(path, "length", value) for value in length),
        boundary=boundary,
        centring=centring,
        kernel=_string(path, "kernel", table.get("kernel", "chat2")),
        alpha=_number(path, "alpha", table.get("alpha", 2.0)),
        screening=_number(path, "screening", table.get("screening", 0.0)),
        power=_number(path, "power", table.get("power", 1.0)),
        mean=_string(path, "mean", table.get("mean", "remove")),
        widths=_widths(path, table["widths"]) if "widths" in table else None,
        robin=_reals(path, "robin", table.get("robin", [0.0, 0.0]), "two numbers such as [0.0, 0.5]"),
        order=_whole(path, "order", table.get("order", 2)),
        shift=_reals(path, "shift", table["shift"], "numbers such as [0.0, 0.5]") if "shift" in table else None,
        rhs=rhs,
        batch=batch,
        reference=formulas.parse_sides("reference", table["reference"], batch) if "reference" in table else None,
        variable=_variable(path, table, formulas) if "variable" in table else None,
        ends=_ends(path, table.get("ends", {}), formulas, axes, batch),
    )


def _check_keys(
    path: Path, where: str, table: dict[str, Any], required: Iterable[str], optional: Iterable[str]
) -> None:
    known = [*required, *optional]
    for key in table:
        if key not in known:
            near = get_close_matches(key, known, n=1)
            hint = f"did you mean {near[0]!r}? " if near else ""
            raise CaseError(f"{path}: {where}unknown key {key!r}; {hint}allowed are {', '.join(known)}")
    for key in required:
        if key not in table:
            raise CaseError(f"{path}: {where}the key {key!r} is missing; required are {', '.join(required)}")


def _numbers(path: Path, key: str, value: Any, types: type | tuple[type, ...], wanted: str) -> tuple:
    if not isinstance(value, list) or not value:
        raise CaseError(f"{path}: {key}: {shown(value)} is not a list of {wanted}")
    for entry in value:
        if isinstance(entry, bool) or not isinstance(entry, types):
            raise CaseError(f"{path}: {key}: {shown(entry)} is not allowed; give {wanted}")
    return tuple(value)


def _number(path: Path, key: str, value: Any) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise CaseError(f"{path}: {key}: {shown(value)} is not a number")
    try:
        return float(value)
    except OverflowError:
        raise CaseError(f"{path}: {key}: {shown(value)} is too large; give a number below 1.8e308") from None


def _whole(path: Path, key: str, value: Any) -> int:
    if isinstance(value, bool) or not isinstance(value, int):
        raise CaseError(f"{path}: {key}: {shown(value)} is not a whole number")
    return value


def _reals(path: Path, key: str, value: Any, wanted: str) -> tuple[float, ...]:
    return tuple(_number(path, key, one) for one in _numbers(path, key, value, (int, float), wanted))


def _widths(path: Path, value: Any) -> tuple[tuple[float, ...] | None, ...]:
    wanted = "a list of widths per axis, empty for one that is transformed, such as [[], [], [0.1, 0.2, 0.2]]"
    if not isinstance(value, list) or not all(isinstance(axis, list) for axis in value):
        raise CaseError(f"{path}: widths: {shown(value)} is not allowed; give {wanted}")
    return tuple(_reals(path, "widths", axis, "numbers") if axis else None for axis in value)


def _string(path: Path, key: str, value: Any) -> str:
    if not isinstance(value, str):
        raise CaseError(f"{path}: {key}: {shown(value)} is not a string")
    return value


def _boundary(path: Path, value: Any, axes: int) -> tuple[str | tuple[str, str], ...]:
    wanted = 'one word, or a word or a pair per axis, such as ["periodic", "odd", ["even", "unbounded"]]'
    if isinstance(value, str):
        return (value,) * axes
    if not isinstance(value, list):
        raise CaseError(f"{path}: boundary: {shown(value)} is not a list; give {wanted}")
    for entry in value:
        is_pair = isinstance(entry, list) and len(entry) == 2 and all(isinstance(end, str) for end in entry)
        if not isinstance(entry, str) and not is_pair:
            raise CaseError(f"{path}: boundary: {shown(entry)} is not allowed; give {wanted}")
    return tuple(entry if isinstance(entry, str) else (entry[0], entry[1]) for entry in value)


def _centring(path: Path, value: Any) -> str | tuple[str, ...]:
    if isinstance(value, str):
        return value
    if not isinstance(value, list) or not all(isinstance(entry, str) for entry in value):
        raise CaseError(
            f'{path}: centring: {shown(value)} is not allowed; give "cell", "node", "chebyshev" or one word per axis'
        )
    return tuple(value)


def _sides(
    path: Path, table: dict[str, Any], formulas: "_Formulas"
) -> tuple[Formula | FieldFile | tuple[Formula | FieldFile, ...], int | None]:
    """The right-hand sides, and their number if they are several."""
    given, batch = table["rhs"], _whole(path, "batch", table["batch"]) if "batch" in table else None
    if not isinstance(given, list):
        rhs = _rhs(path, "rhs", given, formulas)
        if batch is not None and not isinstance(rhs, FieldFile):
            raise CaseError(
                f"{path}: batch: it counts the arrays of a file, but rhs is a formula; give a list of these"
            )
        return rhs, batch
    if batch is not None:
        raise CaseError(f"{path}: batch: {batch} is given, but rhs is a list, which has its own number; omit batch")
    if not given:
        raise CaseError(f"{path}: rhs: the list is empty; give one formula or file per right-hand side")
    if "variable" in table:
        raise CaseError(f"{path}: rhs: a list does not go with variable, whose solver takes one right-hand side")
    return tuple(_rhs(path, f"rhs[{i}]", one, formulas) for i, one in enumerate(given)), len(given)


def _rhs(path: Path, key: str, value: Any, formulas: "_Formulas") -> Formula | FieldFile:
    if isinstance(value, str):
        return formulas.parse(key, value)
    if not isinstance(value, dict):
        raise CaseError(
            f'{path}: {key}: {shown(value)} is neither a formula nor {{ file = "rho.h5", dataset = "rho" }}'
        )
    _check_keys(path, f"{key}: ", value, ("file",), ("dataset",))
    file = path.parent / _string(path, f"{key}.file", value["file"])
    try:
        os.fsencode(file)
    except UnicodeEncodeError as error:
        text = f"{error.object[error.start]!r} is not a character of file names here ({error.encoding})"
        raise CaseError(f"{path}: {key}.file: {text}; set LANG to a locale that has it, such as C.UTF-8") from None
    dataset = _string(path, f"{key}.dataset", value.get("dataset", ""))
    if file.suffix == ".npy" and dataset:
        raise CaseError(f"{path}: {key}: a .npy file holds one array; omit dataset = {dataset!r}")
    if file.suffix != ".npy" and not dataset:
        raise CaseError(f'{path}: {key}: {file.name} needs the name of a dataset in it, such as dataset = "rho"')
    return FieldFile(file, dataset)


def _ends(
    path: Path, value: Any, formulas: "_Formulas", axes: int, batch: int | None
) -> dict[tuple[int, str], Formula | tuple[Formula, ...]]:
    known = {f"{name}-{side}": (axis, side) for axis, name in enumerate(_AXES[:axes]) for side in ("left", "right")}
    if not isinstance(value, dict):
        raise CaseError(f'{path}: ends: {shown(value)} is not a table such as {{ y-left = "1 + x" }}')
    _check_keys(path, "ends: ", value, (), known)
    return {known[key]: formulas.parse_sides(f"ends.{key}", given, batch) for key, given in value.items()}


def _variable(path: Path, table: dict[str, Any], formulas: "_Formulas") -> Variable:
    given = table["variable"]
    if not isinstance(given, dict):
        raise CaseError(f'{path}: variable: {shown(given)} is not a table such as {{ a = "1 + x*x" }}')
    for key in table:
        if key not in _WITH_VARIABLE:
            raise CaseError(f"{path}: {key}: it does not go with variable; allowed are {', '.join(_WITH_VARIABLE)}")
    types: dict[str, Callable[[Path, str, Any], Any]] = {
        "form": _string,
        "faces": _string,
        "around": _string,
        "tolerance": _number,
        "most_iterations": _whole,
    }
    _check_keys(path, "variable: ", given, ("a",), ("c", *types))
    return Variable(
        formulas.parse("variable.a", given["a"]),
        formulas.parse("variable.c", given["c"]) if "c" in given else None,
        {key: read(path, f"variable.{key}", given[key]) for key, read in types.items() if key in given},
    )


class _Formulas:
    """Parses the formulas of a case with its definitions. Messages name the file."""

    def __init__(self, path: Path, variables: tuple[str, ...], define: Any) -> None:
        if not isinstance(define, dict):
            raise CaseError(f"{path}: define: {define!r} is not a table of formulas")
        self.path, self.variables, self.define = path, variables, define
        # Definitions are checked even if no formula of the case uses them.
        self.parse("define", "0")

    def parse_sides(self, key: str, given: Any, batch: int | None) -> Formula | tuple[Formula, ...]:
        """One formula for all right-hand sides, or a list of as many."""
        if not isinstance(given, list):
            return self.parse(key, given)
        if len(given) != batch:
            sides = "1 right-hand side, which is not a list" if batch is None else f"{batch} right-hand sides"
            raise CaseError(f"{self.path}: {key}: {len(given)} formulas given for {sides}; give one, or one for each")
        return tuple(self.parse(f"{key}[{i}]", one) for i, one in enumerate(given))

    def parse(self, key: str, text: Any) -> Formula:
        try:
            return Formula(text, name=key, variables=self.variables, definitions=self.define)
        except FormulaError as error:
            raise FormulaError(f"{self.path}: {error}") from None
