"""The code blocks of README.md and docs/*.md, as data: what a page has, in which language, and what is not run and why.

A block begins with three backticks at the margin and its language. Further words:
  a file name   ```toml case.toml   the block is written to that file, for the blocks after it
  run           ```bash run         commands that are run; others are checked for their options only
A comment just before a block says that it is not run, and why:
  <!-- not run: REASON -->
Lines that are indented by four blanks after an empty line are commands.
"""

import re
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[2]
NOT_RUN = re.compile(r"<!-- not run: (.+?) -->")


@dataclass(frozen=True)
class Block:
    """Code of a page. line: that of its first line, from 1; reason: why it is not run, or empty."""

    page: Path
    line: int
    language: str
    words: tuple[str, ...]
    code: str
    reason: str

    @property
    def place(self) -> str:
        """Page and line, for messages."""
        return f"{self.page.relative_to(ROOT)}:{self.line}"

    @property
    def file(self) -> str:
        """The name of the file that the block is, or empty."""
        return next((word for word in self.words if "." in word), "")


def pages() -> list[Path]:
    """README.md and the pages of docs."""
    return [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]


def blocks(page: Path) -> list[Block]:
    """The fenced and the indented blocks of a page, in order."""
    lines = page.read_text(encoding="utf-8").split("\n")
    found: list[Block] = []
    reason, number = "", 0
    while number < len(lines):
        line = lines[number]
        if line.startswith("```"):
            end = lines.index("```", number + 1)
            language, *words = line[3:].split() or [""]
            code = "\n".join(lines[number + 1 : end])
            found.append(Block(page, number + 2, language, tuple(words), code, reason))
            reason, number = "", end + 1
        elif line.startswith("    ") and _may_begin_after(lines[number - 1]):
            end = next((n for n in range(number, len(lines)) if not lines[n].startswith("    ")), len(lines))
            code = "\n".join(text[4:] for text in lines[number:end])
            found.append(Block(page, number + 1, "indented", (), code, reason))
            reason, number = "", end
        else:
            if comment := NOT_RUN.fullmatch(line.strip()):
                reason = comment[1]
            elif line.strip() and reason:
                raise ValueError(f"{page.name}:{number + 1}: the comment 'not run' is not followed by a block")
            number += 1
    return found


def _may_begin_after(line: str) -> bool:
    return not line.strip() or line.startswith("#")


def all_blocks(*languages: str) -> list[Block]:
    """The blocks of all pages in these languages."""
    return [block for page in pages() for block in blocks(page) if block.language in languages]
