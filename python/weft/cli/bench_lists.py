"""Options of weft bench that are lists with commas."""

from collections.abc import Sequence

from weft.errors import Error


def words(text: str, option: str) -> list[str]:
    """The entries, each once."""
    found = list(dict.fromkeys(word.strip() for word in text.split(",")))
    if not all(found):
        raise Error(f"{option}: {text!r} has an empty entry; separate the entries by single commas")
    return found


def chosen(text: str | None, option: str, allowed: Sequence[str], default: Sequence[str]) -> list[str]:
    """Names from a fixed set; the default where nothing is given."""
    found = list(default) if text is None else words(text, option)
    for word in found:
        if word not in allowed:
            raise Error(f"{option}: unknown name {word!r}; allowed are {', '.join(allowed)}")
    return found
