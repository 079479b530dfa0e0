"""Texts about objects: repr within the width of a page, and tables for notebooks."""

from collections.abc import Mapping, Sequence
from dataclasses import fields
from html import escape
from pprint import pformat
from textwrap import fill
from typing import Any

WIDTH = 100


def box_text(slices: Sequence[slice]) -> str:
    """A part of an array: [0:8, 2:5]."""
    return "[" + ", ".join(f"{part.start}:{part.stop}" for part in slices) + "]"


def wrapped(text: str, indent: int = 4) -> str:
    """The text with long lines broken at spaces; their further lines are indented."""
    options: dict[str, Any] = {"break_long_words": False, "break_on_hyphens": False, "subsequent_indent": " " * indent}
    return "\n".join(fill(line, WIDTH, **options) for line in text.split("\n"))


def call_text(name: str, parts: Sequence[str | tuple[str, ...]]) -> str:
    """name(part, part, ...) in one line, or in lines as full as the width allows.

    parts     texts that stay whole, even if one is longer than a line, or tuples of texts with blanks between them.
              A text of several lines shares none of them with other parts.
    """
    indent = " " * (len(name) + 1)
    given = [(part,) if isinstance(part, str) else part for part in parts]
    words = [word for part in given for word in (*part[:-1], part[-1] + ",")]
    words[-1] = words[-1][:-1] + ")"
    lines = [""]
    for word in words:
        first, *others = word.split("\n")
        joined = f"{lines[-1]} {first}" if lines[-1] else first
        if lines[-1] and (others or len(indent) + len(joined) > WIDTH):
            lines.append(first)
        else:
            lines[-1] = joined
        # The part after a text of several lines also begins a line.
        lines += [*others, ""] if others else []
    return f"{name}(" + f"\n{indent}".join(lines if lines[-1] else lines[:-1])


class Told:
    """repr of a dataclass whose values may be long: in one line if possible, else within the width."""

    def __repr__(self) -> str:
        name, parts = type(self).__name__, []
        for one in fields(self):  # type: ignore[arg-type]
            if one.repr:
                width = WIDTH - len(name) - len(one.name) - 3
                text = pformat(getattr(self, one.name), width=width, compact=True, sort_dicts=False)
                parts.append(f"{one.name}=" + text.replace("\n", "\n" + " " * (len(one.name) + 1)))
        return call_text(name, parts)


def html_table(title: str, rows: Mapping[str, Any]) -> str:
    """A small table of facts by name, for notebooks."""
    cells = "".join(
        f'<tr><th style="text-align:left">{escape(name)}</th><td style="text-align:left">{escape(str(value))}</td></tr>'
        for name, value in rows.items()
    )
    return f"<table><caption>{escape(title)}</caption><tbody>{cells}</tbody></table>"


def extents_text(shape: Sequence[int]) -> str:
    """2 x 3 x 4."""
    return " x ".join(map(str, shape))
