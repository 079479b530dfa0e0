"""What explain() says, with each step in one line again, for tests of its words."""

import re


def unwrapped(text: str) -> str:
    """The text without the breaks of long lines: further lines of a step are indented by four columns and more."""
    return re.sub(r"\n {4,}(?=\S)", " ", text)
