"""What explain() and tables say, with each step and heading in one line again, for tests of the words."""

import re


def unwrapped(text: str) -> str:
    """The text without the breaks of long lines: further lines of a step are indented by four columns and more."""
    return re.sub(r"\n {4,}(?=\S)", " ", text)


def headings(text: str) -> list[str]:
    """The headings of all tables in the text, each in one line again."""
    found: list[str] = []
    columns: list[list[str]] = []
    for line in text.splitlines():
        if line.startswith("┃"):
            cells = [cell.strip() for cell in line.split("┃")[1:-1]]
            columns = columns or [[] for _ in cells]
            for column, cell in zip(columns, cells, strict=True):
                column += [cell] if cell else []
        elif columns:
            found += map(" ".join, columns)
            columns = []
    return found
