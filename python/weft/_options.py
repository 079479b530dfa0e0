"""Converts the options of plans and solvers to the types of the extension. The library checks their values."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

from weft._arguments import encodable, flag, shown, thread_count, whole, whole_entries, word
from weft.errors import Error
from weft.workspace import workspace_core


def _word(example: str) -> Callable[[Any, str], str]:
    return lambda value, name: word(value, name, example)


def _count(value: Any, name: str) -> int:
    return whole(value, name, bits=32)


def _ranks(value: Any, name: str) -> list[int]:
    return [] if value is None else whole_entries(value, name, "(2, 2)", bits=32)


def _modes(value: Any, name: str) -> list[int]:
    return [] if value is None else whole_entries(value, name, "(64, 64, 64)")


def path_text(value: Any, name: str) -> str:
    """A file name as text, or an empty text for None."""
    if value is None:
        return ""
    if not isinstance(value, str | Path):
        text = f'{name}: {shown(value)} is not a file name; give a string or a path such as "tuning.toml", or None'
        raise Error(text)
    return encodable(str(value), name)


def _axes(value: Any, name: str) -> list[int]:
    return whole_entries(value, name, "(0,)", bits=32)


_CONVERSIONS: dict[str, Callable[[Any, str], Any]] = {
    "grid": _ranks,
    "strategy": _word("auto"),
    "between_nodes": _word("cyclic"),
    "norm": _word("backward"),
    "effort": _word("estimate"),
    "engine": _word("auto"),
    "scheme": _word("even"),
    "wire": _word("same"),
    "output": _word("transposed"),
    "chunks": _count,
    "threads": lambda value, name: thread_count(value),
    "in_place": flag,
    "fuse": flag,
    "batch_axes": _axes,
    "modes": _modes,
    "ranks": _count,
    "send_batch": _count,
    "max_pending": _count,
    "node_ranks": _count,
    "message_limit": whole,
    "tuning": path_text,
    "workspace": workspace_core,
}


def plan_options(**given: Any) -> dict[str, Any]:
    """Every option in the type that the extension takes. Raises Error that names the first option of a wrong type."""
    unknown = next((name for name in given if name not in _CONVERSIONS), None)
    if unknown is not None:
        raise Error(f"{unknown}: there is no such option; allowed are {', '.join(_CONVERSIONS)}")
    return {name: _CONVERSIONS[name](value, name) for name, value in given.items()}
