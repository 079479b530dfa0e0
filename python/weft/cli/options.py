"""Options of weft bench and weft check whose values are lists with commas."""

from collections.abc import Sequence

from weft.errors import Error
from weft.plan import strategies as all_strategies


def _entries(text: str, option: str) -> list[str]:
    found = [word.strip() for word in text.split(",")]
    if not all(found):
        raise Error(f"{option}: {text!r} has an empty entry; separate the entries by single commas")
    return found


def words(text: str, option: str) -> list[str]:
    """The entries of a list, each once."""
    return list(dict.fromkeys(_entries(text, option)))


def chosen(text: str | None, option: str, allowed: Sequence[str], default: Sequence[str]) -> list[str]:
    """Names from a fixed set, or the default for an empty text."""
    found = list(default) if text is None else words(text, option)
    for word in found:
        if word not in allowed:
            raise Error(f"{option}: unknown name {word!r}; allowed are {', '.join(allowed)}")
    return found


def numbers(text: str, option: str, example: str) -> tuple[int, ...]:
    """Positive integers in the given order."""
    entries = _entries(text, option)
    for word in entries:
        if not word.isdecimal() or int(word) < 1:
            raise Error(f"{option}: {word!r} is not a whole number from 1; write for example {option} {example}")
    return tuple(map(int, entries))


def per_axis(text: str, axes: int, option: str) -> list[str]:
    """The words of all axes, from one word for all or one for each."""
    found = _entries(text, option)
    if len(found) not in (1, axes):
        raise Error(f"{option}: {len(found)} entries are given for {axes} axes; give one for all or one per axis")
    return found * axes if len(found) == 1 else found


def strategies(given: Sequence[str] | None, default: str) -> list[str]:
    """Strategies from an option that may be repeated and may have commas. "all" is every strategy."""
    known = all_strategies()
    found: list[str] = []
    for text in given or [default]:
        named = chosen(text, "--strategy", ("all", "auto", *known), ())
        found += [name for word in named for name in (known if word == "all" else [word])]
    return list(dict.fromkeys(found))
