"""Writes the C++ blocks of README.md and docs/*.md as one program: python doc_programs.py FILE.cpp

Each block is in a namespace of its own, and they run one after the other. A block without main is the inside of a
function.
"""

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


def joined_cpp(found: list[Block]) -> str:
    """One program that runs all C++ blocks; it is false as soon as one returns another status than 0 or throws."""
    includes = sorted({line for block in found for line in block.code.split("\n") if line.startswith("#include")})
    parts = [HEAD, *(line for line in includes if line not in HEAD), ""]
    calls = []
    for number, block in enumerate(found):
        code = "\n".join("" if line.startswith("#include") else line for line in block.code.split("\n"))
        parts += [f"namespace block_{number} {{", f'#line {block.line} "{block.page}"']
        if "int main(" in code:
            parts.append(_with_return(code).replace("int main(", "int run("))
            call = f"block_{number}::run({'argc, argv' if 'int main(int' in code else ''})"
        else:
            parts += ["int run() {", f'#line {block.line} "{block.page}"', code, "return 0;", "}"]
            call = f"block_{number}::run()"
        parts += [f"}}  // namespace block_{number}", ""]
        calls.append(f'      {{"{block.place}", [&] {{ return {call}; }}}},')
    return "\n".join([*parts, MAIN % "\n".join(calls)])


def _with_return(code: str) -> str:
    """A main function may do without, others may not; main is the last function of a block."""
    body = code.rstrip().removesuffix("}").rstrip()
    return f"{body}\n}}" if body.split("\n")[-1].lstrip().startswith("return") else f"{body}\n  return 0;\n}}"


def main(path: Path) -> None:
    """Writes the program of all blocks that are to be run."""
    text = joined_cpp([block for block in all_blocks("cpp") if not block.reason])
    path.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
