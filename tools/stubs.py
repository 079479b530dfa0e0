"""Writes python/weft/_core.pyi, the types of the compiled module, from the module itself.

usage: .venv/bin/python tools/stubs.py, when the bindings have changed and are installed (make python).
"""

import re
import subprocess
import sys
from pathlib import Path

from nanobind.stubgen import StubGen
from weft import _core

TARGET = Path(__file__).parents[1] / "python" / "weft" / "_core.pyi"
HEAD = '"""The types of the compiled module. Written by tools/stubs.py."""\n\n'
# The module makes them itself, though they bear the name of the package.
ERRORS = '''

class Error(ValueError):
    """An argument is not allowed; raised on every rank alike."""

class FileError(Error):
    """A file is missing, damaged, of another shape, or cannot be written."""

class ResourceError(Error):
    """The machine has too little of something."""
'''


def main() -> None:
    """Writes the file."""
    generator = StubGen(_core, include_docstrings=False)
    generator.put(_core)
    text = generator.get().strip()
    text, errors = re.subn(r"\nfrom weft import \([^)]*\)\n", ERRORS, text)
    assert errors == 1, text[:1000]
    # Objects that the bindings make are arrays, tuples or lists.
    text = text.replace("Sequence[Sequence[float]]", "Sequence[Sequence[float] | NDArray]")
    text = text.replace("-> object:", "-> Any:").replace("from typing import ", "from typing import Any, ", 1)
    TARGET.write_text(HEAD + text + "\n")
    for command in (["check", "--select", "I", "--fix"], ["format"]):
        subprocess.run([sys.executable, "-m", "ruff", *command, "-q", str(TARGET)], check=True)


if __name__ == "__main__":
    main()
