"""Writes the C++, C and Fortran blocks of README.md and docs/*.md as programs: python doc_programs.py FOLDER

FOLDER/cpp.cpp    all C++ blocks as one program: each in a namespace of its own, one after the other
FOLDER/c/*.c, FOLDER/fortran/*.f90    one program a block
A C++ block without main is the inside of a function. A block of C or Fortran without a main program is not complete
and has to say so (not run: ...). Files that are right already are left alone.
"""

import re
import sys
from pathlib import Path

from doc_blocks import Block, all_blocks

HEAD = """\
// The C++ blocks of README.md and docs/*.md. Written by tests/python/doc_programs.py.
#include <weft/weft.hpp>

#include <algorithm>
#include <cmath>
#include <complex>
#include <functional>
#include <iostream>
#include <utility>
#include <vector>
"""

MAIN = """\
int main(int argc, char** argv) {
  weft::Session mpi(argc, argv);
  const std::vector<std::pair<const char*, std::function<int()>>> blocks{
%s
  };
  int failed = 0;
  for (const auto& [place, block] : blocks) {
    const int status = block();
    if (status != 0 && mpi.root()) std::cout << place << ": status " << status << '\\n';
    failed += status != 0;
  }
  return failed == 0 ? 0 : 1;
}
"""

PROGRAM = {"c": re.compile(r"\bint main\("), "fortran": re.compile(r"^\s*program\b", re.M | re.I)}


def joined_cpp(found: list[Block]) -> str:
    """One program that runs all C++ blocks; it is false as soon as one returns another status than 0 or throws."""
    includes = sorted({line for block in found for line in block.code.split("\n") if line.startswith("#include")})
    parts = [HEAD, *(line for line in includes if line not in HEAD), ""]
    calls = []
    for number, block in enumerate(found):
        code = "\n".join("" if line.startswith("#include") else line for line in block.code.split("\n"))
        parts += [f"namespace block_{number} {{", f'#line {block.line} "{block.page}"']
        if "int main(" in code:
            parts.append(code.replace("int main(", "int run("))
            call = f"block_{number}::run({'argc, argv' if 'int main(int' in code else ''})"
        else:
            parts += ["int run() {", f'#line {block.line} "{block.page}"', code, "return 0;", "}"]
            call = f"block_{number}::run()"
        parts += [f"}}  // namespace block_{number}", ""]
        calls.append(f'      {{"{block.place}", [&] {{ return {call}; }}}},')
    return "\n".join([*parts, MAIN % "\n".join(calls)])


def written(found: list[Block], language: str) -> dict[str, str]:
    """File names and texts of the programs of a language."""
    suffix = {"c": "c", "fortran": "f90"}[language]
    programs = {}
    for block in found:
        if not PROGRAM[language].search(block.code):
            raise SystemExit(f"{block.place}: no whole program; say '<!-- not run: a part of ... -->' before it")
        programs[f"{language}/{block.page.stem}_{block.line}.{suffix}"] = block.code + "\n"
    return programs


def main(folder: Path) -> None:
    """Writes all of them and removes what is no longer in a page."""
    cpp, c, fortran = ([b for b in all_blocks(name) if not b.reason] for name in ("cpp", "c", "fortran"))
    files = {"cpp.cpp": joined_cpp(cpp), **written(c, "c"), **written(fortran, "fortran")}
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        if not path.exists() or path.read_text(encoding="utf-8") != text:
            path.write_text(text, encoding="utf-8")
    for path in [*folder.glob("c/*.c"), *folder.glob("fortran/*.f90")]:
        if str(path.relative_to(folder)) not in files:
            path.unlink()


if __name__ == "__main__":
    main(Path(sys.argv[1]))
