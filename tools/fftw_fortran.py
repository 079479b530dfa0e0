"""Writes include/weft/fftw/fftw3-mpi.f03, Fortran's interfaces of FFTW's MPI functions, from the header of C.

usage: python tools/fftw_fortran.py, when include/weft/fftw/fftw3-mpi.h has changed.
"""

import re
import textwrap
from itertools import groupby
from pathlib import Path

FOLDER = Path(__file__).parents[1] / "include" / "weft" / "fftw"
SOURCE, TARGET = FOLDER / "fftw3-mpi.h", FOLDER / "fftw3-mpi.f03"
HEAD = """! FFTW 3.3's interface for distributed transforms, served by Weft (weft_fftw3_mpi). Include it in
! place of fftw3.f03, after "use, intrinsic :: iso_c_binding". Written by tools/fftw_fortran.py from fftw3-mpi.h.

  include 'fftw3.f03'

"""
PRECISIONS = (("fftw_", "C_DOUBLE", "C_DOUBLE_COMPLEX"), ("fftwf_", "C_FLOAT", "C_FLOAT_COMPLEX"))
_MPI = "MPI_Comm"


def text() -> str:
    """The file that belongs to the header."""
    header = SOURCE.read_text(encoding="utf-8")
    constants = re.findall(r"#define (FFTW_MPI_\w+) \((\d+)(?:U << (\d+))?\)", header)
    lines = [
        f"  integer({'C_INTPTR_T' if name.endswith('BLOCK') else 'C_INT'}), parameter :: {name} = "
        f"{int(value) << int(shift or 0)}"
        for name, value, shift in constants
    ]
    body = header[header.index("#define WEFT_FFTW_MPI_INTERFACE") :]
    macro = re.match(r"(?:.*\\\n)*.*\n", body)
    assert macro is not None
    joined = re.sub(r"\s*\\\n\s*", " ", macro[0]).split(")", 1)[1]
    prototypes = re.findall(r"(\w+(?:\(plan\))?) X\((\w+)\)\(([^;]*)\);", joined)
    for prefix, real, complex_ in PRECISIONS:
        lines += ["", "  interface"]
        for result, name, arguments in prototypes:
            lines += _interface(prefix, result, name, _arguments(arguments), {"R": real, "C": complex_})
        lines.append("  end interface")
    return HEAD + "\n".join(lines) + "\n"


def _arguments(arguments: str) -> list[tuple[str, str]]:
    """(type, name) of each argument of a prototype."""
    if arguments.strip() == "void":
        return []
    pairs = []
    for one in arguments.split(","):
        type_, name = re.match(r"\s*(.*?)\s*(\w+)\s*$", one).groups()  # type: ignore[union-attr]
        pairs.append((re.sub(r"\s*\*\s*", "*", type_), name))
    return pairs


def _declared(type_: str, kinds: dict[str, str]) -> str:
    numbers = {"R": f"real({kinds['R']})", "C": f"complex({kinds['C']})"}
    if type_.endswith("*") and type_[:-1] in numbers:
        return f"{numbers[type_[:-1]]}, dimension(*), intent(inout)"
    return {
        "int": "integer(C_INT), value",
        "unsigned": "integer(C_INT), value",
        "ptrdiff_t": "integer(C_INTPTR_T), value",
        "const ptrdiff_t*": "integer(C_INTPTR_T), dimension(*), intent(in)",
        "ptrdiff_t*": "integer(C_INTPTR_T), intent(out)",
        "X(plan)": "type(C_PTR), value",
        "X(r2r_kind)": "integer(C_FFTW_R2R_KIND), value",
        "const X(r2r_kind)*": "integer(C_FFTW_R2R_KIND), dimension(*), intent(in)",
        _MPI: "integer(C_INT32_T), value",
    }[type_]


def _interface(
    prefix: str, result: str, name: str, arguments: list[tuple[str, str]], kinds: dict[str, str]
) -> list[str]:
    types = {"void": "", "ptrdiff_t": "integer(C_INTPTR_T) ", "X(plan)": "type(C_PTR) "}
    form = "subroutine" if result == "void" else "function"
    full = prefix + name
    bound = full + ("_f03" if any(type_ == _MPI for type_, _ in arguments) else "")
    listed = ", ".join(argument for _, argument in arguments)
    head = f"{types[result]}{form} {full}({listed}) bind(C, name='{bound}')"
    declared = [(_declared(type_, kinds), argument) for type_, argument in arguments]
    return [
        *_continued(head, "    "),
        "      import",
        *[
            f"      {declaration} :: {', '.join(argument for _, argument in group)}"
            for declaration, group in groupby(declared, lambda pair: pair[0])
        ],
        f"    end {form} {full}",
    ]


def _continued(line: str, indent: str) -> list[str]:
    """A statement in lines of at most 110 letters."""
    lines = textwrap.wrap(line, 108, initial_indent=indent, subsequent_indent=indent + "    ", break_long_words=False)
    return [*[f"{one} &" for one in lines[:-1]], lines[-1]]


if __name__ == "__main__":
    TARGET.write_text(text(), encoding="utf-8")
    print(f"written: {TARGET}")
