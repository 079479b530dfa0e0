"""The section of a Markdown file that a program writes, between two comments."""

from pathlib import Path

from weft.errors import Error, FileError

BEGIN, END = "<!-- bench: begin -->", "<!-- bench: end -->"


def _halves(text: str) -> tuple[str, str] | None:
    """The texts before and after the section, with the marks; None unless each mark occurs once."""
    if text.count(BEGIN) != 1 or text.count(END) != 1 or text.index(BEGIN) > text.index(END):
        return None
    return text[: text.index(BEGIN) + len(BEGIN)], text[text.index(END) :]


def check_marks(file: Path, option: str) -> None:
    """Raises FileError or Error unless the file can be read and has one section."""
    try:
        halves = _halves(file.read_text("utf-8"))
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it is not text"
        raise FileError(f"{option}: {file} cannot be read: {reason}; name a file with a marked section") from None
    if halves is None:
        raise Error(f"{option}: {file} has no section between one {BEGIN} and one {END}; add both lines")


def with_section(text: str, section: str) -> str:
    """The text of a file that passed check_marks, with a new section."""
    halves = _halves(text)
    assert halves is not None
    return f"{halves[0]}\n{section.strip()}\n{halves[1]}"
