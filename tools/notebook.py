"""Makes docs/tutorial.ipynb from docs/tutorial.md; with --check it only says whether that file is up to date.

Blocks of Python become cells, blocks that name a file write it, and commands that the tests of the page run become
lines with an exclamation mark. All else stays text.
"""

import json
import re
import sys
from pathlib import Path
from typing import Any

DOCS = Path(__file__).parents[1] / "docs"
PAGE, NOTEBOOK = DOCS / "tutorial.md", DOCS / "tutorial.ipynb"
BLOCK = re.compile(r"^```(\w+)([^\n]*)\n(.*?)\n```$", re.M | re.S)


def code_of(language: str, words: list[str], code: str) -> str | None:
    """The cell of a block; None where it stays text."""
    file = next((word for word in words if "." in word), None)
    if file is not None:
        return f"%%writefile {file}\n{code}"
    if language == "python":
        return code
    return "\n".join(f"!{line}" for line in code.split("\n")) if "run" in words else None


def cells_of(text: str) -> list[tuple[str, str]]:
    """(type, source) of the cells of a page."""
    cells: list[tuple[str, str]] = []
    begin = 0
    for block in BLOCK.finditer(text):
        code = code_of(block[1], block[2].split(), block[3])
        if code is not None:
            cells += [("markdown", text[begin : block.start()].strip()), ("code", code)]
            begin = block.end()
    cells.append(("markdown", text[begin:].strip()))
    return [cell for cell in cells if cell[1]]


def cell(number: int, kind: str, source: str) -> dict[str, Any]:
    """A cell of format 4.5."""
    made: dict[str, Any] = {"cell_type": kind, "id": f"cell-{number}", "metadata": {}}
    if kind == "code":
        made |= {"execution_count": None, "outputs": []}
    return made | {"source": source.splitlines(keepends=True)}


def notebook(page: str) -> str:
    """The text of the notebook."""
    cells = [cell(number, *content) for number, content in enumerate(cells_of(page))]
    kernel = {"display_name": "Python 3", "language": "python", "name": "python3"}
    made = {"cells": cells, "metadata": {"kernelspec": kernel}, "nbformat": 4, "nbformat_minor": 5}
    return json.dumps(made, indent=1, ensure_ascii=False) + "\n"


def main() -> int:
    """Writes the notebook, or compares it."""
    made = notebook(PAGE.read_text(encoding="utf-8"))
    if "--check" in sys.argv[1:]:
        return int(NOTEBOOK.read_text(encoding="utf-8") != made)
    NOTEBOOK.write_text(made, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
