"""The page of the Fortran module: what `module weft` makes public, from the comments !> in its sources.

A type is shown with its components and its public procedures, and so are the types that it extends.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from layout import Entry, blocks

_TYPE = re.compile(r"type\s*(?:,(?P<attributes>[^:]*))?::\s*(?P<name>\w+)$", re.I)
_BINDING = re.compile(r"(?:procedure|generic)[^:]*::\s*(?P<names>[^=]+?)\s*(?:=>.*)?$", re.I)
# What belongs to the module alone: handles, pointers to functions of C, finalisers, assignments that are refused.
_INTERNAL = re.compile(r"!|final\b|type\(c_\w+\)|generic\s*::\s*assignment|procedure\([^)]*\)|.*\bprivate\b", re.I)
_PROCEDURE = re.compile(r"(?:[\w()]+\s+)*?(?:subroutine|function)\s+(?P<name>\w+)", re.I)


@dataclass
class Documented:
    """A statement with the comment in front of it; of a type also its components and procedures."""

    name: str
    comment: str
    statement: str
    parent: str = ""
    components: list[str] = field(default_factory=list)
    procedures: list[tuple[str, str]] = field(default_factory=list)


def page(folder: Path, included: Path) -> str:
    """The page, in Markdown. The sources include files of the second folder."""
    main = folder / "weft.f90"
    sources = [main, *sorted(path for path in folder.glob("*.f90") if path != main)]
    found = {each.name: each for path in sources for each in _documented(path, included)}
    public = _public_names(main.read_text(encoding="utf-8"))
    wanted = [name for name in found if name in public]
    parents = [found[name].parent for name in wanted if found[name].parent in found]
    lines = ["# Fortran", "", "`use weft`; the guide is [here](../fortran.md).", ""]
    for name in [*dict.fromkeys(parents), *wanted]:
        lines += _section(found[name])
    return "\n".join(lines)


def _public_names(text: str) -> set[str]:
    joined = re.sub(r"&\s*\n\s*", "", text)
    lists = re.findall(r"\bpublic\s*::\s*(.*)", joined, re.I)
    return {re.split(r"\s*=", name.strip())[0] for names in lists for name in re.split(r",(?![^()]*\))", names)}


def _documented(path: Path, included: Path) -> Iterator[Documented]:
    text = re.sub(r"&[ ]*\n\s*", "", path.read_text(encoding="utf-8"))
    lines = re.sub(r'\binclude "(.+)".*', lambda line: (included / line[1]).read_text(), text).split("\n")
    comment: list[str] = []
    inside: Documented | None = None
    for line in (line.strip() for line in lines):
        if line.startswith("!>"):
            comment.append(line[3:])
            continue
        if inside and re.match(r"end type", line, re.I):
            yield inside
            inside = None
        elif inside:
            _add(inside, line, "\n".join(comment))
        elif made := _started(line, "\n".join(comment)):
            if made.statement.lower().startswith("type"):
                inside = made
            else:
                yield made
        comment = []


def _started(line: str, comment: str) -> Documented | None:
    """A type, or a documented procedure, interface or constant."""
    if kind := _TYPE.match(line):
        extends = re.search(r"extends\((\w+)\)", kind["attributes"] or "", re.I)
        return Documented(kind["name"], comment, line, extends[1] if extends else "")
    if not comment:
        return None
    if procedure := _PROCEDURE.match(line):
        return Documented(procedure["name"], comment, line)
    if constant := re.match(r"[\w()]+\s*,.*parameter.*::\s*(\w+)", line, re.I):
        return Documented(constant[1], comment, line)
    return None


def _add(inside: Documented, line: str, comment: str) -> None:
    """A line of a type."""
    if _INTERNAL.match(line):
        return
    if binding := _BINDING.match(line):
        inside.procedures += [(name.strip(), comment) for name in binding["names"].split(",")]
    elif "::" in line:
        inside.components.append(f"! {comment}\n{line}" if comment else line)


def _section(each: Documented) -> Iterator[str]:
    yield from [f"## {each.name}", ""]
    if not each.statement.lower().startswith("type"):
        yield from ["```fortran", each.statement, "```", ""]
    yield from [_running(each.comment), ""]
    if each.parent:
        yield from [f"It has all that `{each.parent}` has.", ""]
    if each.components:
        yield from ["```fortran", *each.components, "```", ""]
    for name, comment in each.procedures:
        text = _running(comment)
        signature = re.match(rf"{name}\([^)]*\)", text)
        head = (
            f"`{signature[0]}`{text[signature.end() :]}" if signature else f"`{name}`" + (f": {text}" if text else "")
        )
        yield f"- {head}"
    yield ""


def _running(comment: str) -> str:
    """A comment as running text; entries become sentences."""
    parts = []
    for block in blocks(comment):
        if isinstance(block, Entry):
            inner = " ".join(" ".join(part.lines) for part in block.body if not isinstance(part, Entry))
            parts.append(f"`{block.name}`: {inner}")
        else:
            parts.append(" ".join(block.lines))
    return "\n\n".join(part for part in parts if part).replace("*", "\\*")
