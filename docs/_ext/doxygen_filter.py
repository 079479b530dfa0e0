"""A filter for Doxygen: a header, its comments /// as Markdown and its first lines as the comment of the file."""

import re
import sys
from itertools import groupby
from pathlib import Path

from layout import blocks, markdown


def filtered(text: str) -> str:
    """The header with the layout of its comments made visible for Doxygen, and without what it cannot parse."""
    lines = re.sub(r"^extern template [^;]*;$", "", text, flags=re.M).split("\n")
    about = 0
    while about < len(lines) and lines[about].startswith("// "):
        about += 1
    head = ["/// @file", *(f"/// {line[3:]}" for line in lines[:about])] if about else []
    result = [*head, ""]
    for is_comment, group in groupby(lines[about:], _is_comment):
        run = list(group)
        result += _comment(run) if is_comment else run
    return "\n".join(result)


def _is_comment(line: str) -> bool:
    return line.strip() == "///" or line.lstrip().startswith("/// ")


def _comment(lines: list[str]) -> list[str]:
    margin = lines[0][: len(lines[0]) - len(lines[0].lstrip())]
    text = "\n".join(line.lstrip()[4:] for line in lines)
    return [f"{margin}/// {line}".rstrip() for line in "\n".join(markdown(blocks(text))).strip("\n").split("\n")]


if __name__ == "__main__":
    sys.stdout.write(filtered(Path(sys.argv[1]).read_text(encoding="utf-8")))
