"""For autodoc: docstrings in the project's own layout as reStructuredText."""

from typing import Any

from sphinx.application import Sphinx

from layout import blocks, restructured


def rewrite(_app: Sphinx, _what: str, _name: str, _obj: Any, _options: Any, lines: list[str]) -> None:
    """Replaces the lines of a docstring, in place, as autodoc wants it."""
    lines[:] = [line.rstrip() for line in restructured(blocks("\n".join(lines)))]


def setup(app: Sphinx) -> dict[str, Any]:
    """Called by Sphinx."""
    app.connect("autodoc-process-docstring", rewrite)
    return {"parallel_read_safe": True}
