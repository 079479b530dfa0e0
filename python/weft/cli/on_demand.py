"""Commands whose modules are imported when the command line names them.

Importing all commands takes as long as importing NumPy, and every rank of `weft COMMAND -n RANKS` would do it.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from importlib import import_module
from typing import Any

import typer
from typer.core import TyperCommand, TyperGroup

from weft.cli.examples import epilog
from weft.cli.multi_value_options import SeveralNumbers


@dataclass(frozen=True)
class Place:
    """The place of a command, and its line in the help of its group.

    name      the function in the module, or the Typer of a group.
    summary   one line, which fits the help.
    several   whether options take several numbers, as in --shape 64 64 64.
    settings  settings of the context of the command.
    """

    module: str
    name: str
    summary: str
    several: bool = False
    settings: dict[str, Any] = field(default_factory=dict)


class OnDemand(TyperCommand):
    """A command that imports its module when it parses a command line. Its help is the summary until then."""

    def __init__(self, path: str, place: Place) -> None:
        super().__init__(path.rpartition(" ")[2], short_help=place.summary, rich_markup_mode=None)
        self._path, self._place = path, place

    def loaded(self) -> Any:
        """The command itself, with its options and commands."""
        place = self._place
        found = getattr(import_module(f"weft.cli.{place.module}"), place.name)
        if not isinstance(found, typer.Typer):
            app = typer.Typer(add_completion=False, rich_markup_mode=None)
            kind = SeveralNumbers if place.several else None
            app.command(self.name, cls=kind, epilog=epilog(self._path), context_settings=place.settings)(found)
            found = app
        command = typer.main.get_command(found)
        command.name = self.name
        return command

    def make_context(self, info_name: str | None, args: list[str], parent: Any = None, **extra: Any) -> Any:
        """The context of the command itself."""
        return self.loaded().make_context(info_name, args, parent=parent, **extra)


def group_of(places: Mapping[str, Place], path: str = "") -> type[TyperGroup]:
    """The class of a group with these commands. `path` is the name of the group on the command line, if it has one."""

    class Group(TyperGroup):
        """Commands on demand."""

        def __init__(self, **given: Any) -> None:
            super().__init__(**given)
            for name, place in places.items():
                self.commands[name] = OnDemand(f"{path} {name}".strip(), place)

    return Group


def commands_of(group: Any) -> dict[str, Any]:
    """The commands of a group by their names, all imported. A command that is not a group has none."""
    inner = getattr(group, "commands", {})
    return {name: each.loaded() if isinstance(each, OnDemand) else each for name, each in inner.items()}
