"""The README for PyPI, where relative links lead nowhere: scikit-build-core asks for it when it builds a package.

Settings in pyproject.toml, [tool.scikit-build.metadata.readme]:

address  where the files of the repository are on the web, such as "https://host/owner/weft/blob/v0.1.0". Links become
         absolute, and pictures come from the same address with raw for blob. Without it links become plain text, and
         pictures are omitted.
"""

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

_RELATIVE = r"\((?!https?:|mailto:|#)([^)\s]+)\)"


def for_pypi(text: str, address: str = "") -> str:
    """The text with links and pictures that do not depend on the place of the file."""
    base = address.rstrip("/")
    pictures = base.replace("/blob/", "/raw/")
    text = re.sub(
        r"!\[([^\]]*)\]" + _RELATIVE + r"\n*",
        lambda found: f"![{found[1]}]({pictures}/{found[2]})\n\n" if base else "",
        text,
    )
    return re.sub(
        r"(?<!!)\[([^\]]+)\]" + _RELATIVE,
        lambda found: f"[{found[1]}]({base}/{found[2]})" if base else found[1],
        text,
    )


def dynamic_metadata(field: str, settings: Mapping[str, Any]) -> dict[str, str]:
    """The field `readme` of the package's metadata."""
    if field != "readme":
        raise ValueError(f"pypi_readme gives the field readme, not {field}")
    text = Path("README.md").read_text(encoding="utf-8")
    return {"content-type": "text/markdown", "text": for_pypi(text, settings.get("address", ""))}
