"""The page of the Fortran module: comments !> of its sources, each with the statement that follows it."""

import re
from collections.abc import Iterator
from pathlib import Path

from layout import Entry, Literal, Paragraph, blocks

SOURCES = "*.f90", "*.F90"


def page(folder: Path) -> str:
    """Every documented statement of the sources in a folder, in Markdown."""
    lines = ["# Fortran", "", "`use weft`: everything below is in this module.", ""]
    for path in sorted(path for pattern in SOURCES for path in folder.glob(pattern)):
        for comment, statement in _documented(path.read_text(encoding="utf-8").split("\n")):
            if statement:
                lines += ["```fortran", *statement, "```", ""]
            lines += [*_markdown(comment), ""]
    return "\n".join(lines)


def _documented(lines: list[str]) -> Iterator[tuple[str, list[str]]]:
    """Comments and the statements behind them, whole with their continuation lines; none behind an empty line."""
    while lines:
        comment = []
        while lines and lines[0].strip().startswith("!>"):
            comment.append(re.sub(r"^\s*!> ?", "", lines.pop(0)))
        if comment:
            yield "\n".join(comment), _statement(lines)
        elif lines:
            lines.pop(0)


def _statement(lines: list[str]) -> list[str]:
    result: list[str] = []
    while lines and lines[0].strip() and not lines[0].strip().startswith("!"):
        result.append(lines.pop(0).rstrip())
        if not result[-1].split("!")[0].rstrip().endswith("&"):
            break
    margin = min((len(line) - len(line.lstrip()) for line in result), default=0)
    return [line[margin:] for line in result]


def _markdown(comment: str) -> Iterator[str]:
    for block in blocks(comment):
        if isinstance(block, Paragraph):
            yield from ["", *block.lines]
        elif isinstance(block, Entry):
            parts = [" ".join(each.lines) for each in block.body if not isinstance(each, Entry)]
            yield f"- `{block.name}`: {' '.join(parts)}"
        elif isinstance(block, Literal):
            yield from ["```text", *block.lines, "```"]
