"""Options that take several numbers or words: --shape 64 64 64 is the same as --shape 64,64,64."""

from collections.abc import Sequence
from typing import Any

from typer.core import TyperCommand, TyperGroup

_OPTIONS = ("--shape", "--grid", "--cells", "--length", "--boundary", "--centring", "--mesh")


def _is_value(word: str) -> bool:
    """Whether a word is a value of the option before it: any word but options, negative numbers included."""
    return not word.startswith("-") or word[1:2].isdecimal()


def joined(arguments: Sequence[str]) -> list[str]:
    """The command line with the values of each of these options joined by commas."""
    result: list[str] = []
    within = False
    for word in arguments:
        if within and _is_value(word):
            # The first value follows the option, and the others follow the first value.
            fresh = result[-1] in _OPTIONS
            result[-1:] = [result[-1], word] if fresh else [f"{result[-1]},{word}"]
            continue
        within = word in _OPTIONS
        result.append(word)
    return result


class SeveralNumbers(TyperCommand):
    """A command with such options."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Parses the command line with joined numbers."""
        return super().parse_args(ctx, joined(args))


class SeveralNumbersGroup(TyperGroup):
    """A command with such options that has subcommands."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Parses the command line with joined numbers."""
        return super().parse_args(ctx, joined(args))
