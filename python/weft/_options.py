"""Converts the options of plans and solvers to the types of the extension. The library checks their values."""

import functools
import inspect
from collections.abc import Callable
from pathlib import Path
from typing import Any

from weft._arguments import encodable, flag, shown, thread_count, whole, whole_entries, word
from weft.errors import Error
from weft.workspace import workspace_core

Conversions = dict[str, Callable[[Any, str], Any]]


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


def conversions(called: Callable[..., Any], own: Conversions) -> Conversions:
    """The conversions of the arguments of a constructor: their own ones, or by the types in the signature."""
    known = inspect.signature(called).parameters.values()
    return {p.name: own.get(p.name) or _by_type(p) for p in known if p.name in own or p.annotation in (str, bool, int)}


def _by_type(parameter: inspect.Parameter) -> Callable[[Any, str], Any]:
    if parameter.annotation is str:
        return lambda value, name: word(value, name, parameter.default)
    return flag if parameter.annotation is bool else lambda value, name: whole(value, name, bits=32)


@functools.cache
def _conversions() -> Conversions:
    """The conversions of the options of plans."""
    from weft.plan import Plan

    own: Conversions = {
        "grid": _ranks,
        "threads": lambda value, name: thread_count(value),
        "batch_axes": _axes,
        "modes": _modes,
        "message_limit": whole,
        "tuning": path_text,
        "workspace": workspace_core,
    }
    return conversions(Plan, own)


def options_of(arguments: dict[str, Any]) -> dict[str, Any]:
    """The arguments of a function that are options of plans."""
    return {name: value for name, value in arguments.items() if name in _conversions()}


def plan_options(**given: Any) -> dict[str, Any]:
    """Every option in the type that the extension takes. Raises Error that names the first option of a wrong type."""
    known = _conversions()
    unknown = next((name for name in given if name not in known), None)
    if unknown is not None:
        raise Error(f"{unknown}: there is no such option; allowed are {', '.join(known)}")
    return {name: known[name](value, name) for name, value in given.items()}
