"""The page of the command line, from the application itself."""

from collections.abc import Iterator
from typing import Any

import typer
from weft.cli import app
from weft.cli.examples import EXAMPLES
from weft.cli.on_demand import commands_of

HEAD = """\
# Command line

Written from the commands themselves; `weft COMMAND --help` says the same. Options that take several numbers take them
with spaces or with commas. Bad input ends with the exit status 2 and one line that says what is wrong.
"""


def page() -> str:
    """Every command with its usage and options, in Markdown."""
    return "\n".join([HEAD, *_command(typer.main.get_command(app), "weft", None, 1)]) + "\n"


def _command(command: Any, name: str, parent: typer.Context | None, level: int) -> Iterator[str]:
    context = typer.Context(command, info_name=name, parent=parent)
    inner = commands_of(command)
    if level > 1:
        yield from [f"{'#' * level} {context.command_path}", ""]
    yield from [_text(command.help or ""), ""]
    if not inner or command.invoke_without_command:
        yield from ["```text", " ".join([context.command_path, *command.collect_usage_pieces(context)]), "```", ""]
        yield from _options(command, context)
    yield from _examples(context.command_path.removeprefix("weft").strip())
    for each in sorted(inner):
        yield from _command(inner[each], each, context, level + 1)


def _options(command: Any, context: typer.Context) -> Iterator[str]:
    records = [parameter.get_help_record(context) for parameter in command.get_params(context)]
    yield from ["| option | |", "|---|---|"]
    for option, text in filter(None, records):
        cells = (f"`{option}`".replace("|", "\\|"), _text(text).replace("|", "\\|"))
        yield "| " + " | ".join(" ".join(cell.split()) for cell in cells) + " |"
    yield ""


def _examples(name: str) -> Iterator[str]:
    if EXAMPLES.get(name):
        lines = [(f"weft {name} {arguments}".rstrip(), says) for arguments, says in EXAMPLES[name]]
        width = max(len(line) for line, _ in lines)
        yield from ["```text", *(f"{line:<{width}}  # {says}" for line, says in lines), "```", ""]


def _text(text: str) -> str:
    """Running text that Markdown takes for nothing else."""
    for character in "*_<[":
        text = text.replace(character, "\\" + character)
    return text.strip()
