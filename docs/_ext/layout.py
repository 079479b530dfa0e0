"""The layout of comments and docstrings, read from plain text and written as reStructuredText or Markdown.

It knows paragraphs; entries "name  what it is", with two or more spaces between, whose further lines are indented and
may hold entries of their own; and indented lines that are none of these, formulas and code, which stay as they are.
"""

import re
import textwrap
from collections.abc import Callable
from dataclasses import dataclass

_ENTRY = re.compile(r"(?P<name>\S[^()]{0,60}?) {2,}(?P<text>[^\s=].*)")


@dataclass(frozen=True)
class Paragraph:
    """Lines of running text."""

    lines: list[str]


@dataclass(frozen=True)
class Entry:
    """A name and what there is to say about it."""

    name: str
    body: list["Block"]


@dataclass(frozen=True)
class Literal:
    """Lines that stay as they are."""

    lines: list[str]


Block = Paragraph | Entry | Literal


def blocks(text: str) -> list[Block]:
    """The blocks of a text, in order."""
    lines = [line.rstrip() for line in text.split("\n")]
    result: list[Block] = []
    while lines:
        if not lines[0]:
            lines.pop(0)
        elif lines[0].startswith(" "):
            result += _indented(_take(lines, _is_inside))
        elif _ENTRY.fullmatch(lines[0]):
            result.append(_entry(lines))
        else:
            result.append(Paragraph([lines.pop(0), *_take(lines, _goes_on)]))
    return result


def _take(lines: list[str], wanted: Callable[[str], bool]) -> list[str]:
    taken = []
    while lines and wanted(lines[0]):
        taken.append(lines.pop(0))
    return taken


def _is_inside(line: str) -> bool:
    return not line or line.startswith(" ")


def _goes_on(line: str) -> bool:
    return not _is_inside(line) and not _ENTRY.fullmatch(line)


def _entry(lines: list[str]) -> Entry:
    found = _ENTRY.fullmatch(lines.pop(0))
    assert found is not None
    rest = textwrap.dedent("\n".join(_take(lines, _is_inside)))
    return Entry(found["name"], blocks(f"{found['text']}\n{rest}"))


def _indented(lines: list[str]) -> list[Block]:
    text = textwrap.dedent("\n".join(lines)).strip("\n")
    first, _, _ = text.partition("\n")
    return blocks(text) if _ENTRY.fullmatch(first) else [Literal(text.split("\n"))]


def restructured(found: list[Block]) -> list[str]:
    """Lines of reStructuredText: entries become a list of definitions."""
    result: list[str] = []
    for block in found:
        if isinstance(block, Paragraph):
            result += [_escaped(line) for line in block.lines]
        elif isinstance(block, Entry):
            result += [f"``{block.name}``", *(f"    {line}" for line in restructured(block.body))]
        else:
            result += ["::", "", *(f"    {line}" for line in block.lines)]
        result.append("")
    return result


def _escaped(line: str) -> str:
    """Running text, in which only `code` means more than it says."""
    parts = line.split("`")
    if len(parts) % 2 == 0:
        return re.sub(r"([\\*|_`])", r"\\\1", line)
    plain = [re.sub(r"([\\*|_])", r"\\\1", part) for part in parts[::2]]
    code = [f"``{part}``" for part in parts[1::2]]
    return "".join(a + b for a, b in zip(plain, [*code, ""], strict=True))


def markdown(found: list[Block]) -> list[str]:
    """Lines of Doxygen's Markdown: entries become a list."""
    result: list[str] = []
    for block in found:
        if isinstance(block, Paragraph):
            result += ["", *(line.replace("<", "\\<") if "`" not in line else line for line in block.lines)]
        elif isinstance(block, Entry):
            first, *others = markdown(block.body)[1:]
            result += [f"- `{block.name}`: {first}", *(f"  {line}" for line in others)]
        else:
            result += ["", "@verbatim", *block.lines, "@endverbatim"]
    return result
