"""Sphinx: pages in Markdown (MyST), references from headers (Doxygen), package (autodoc) and commands (Typer)."""

import re
import sys
from pathlib import Path

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE / "_ext"))

import reference  # noqa: E402
import weft  # noqa: E402

project, author = "Weft", "Weft developers"
copyright = f"2026, {author}"
release = version = weft.__version__

DOXYGEN = HERE.parent / "build" / "docs" / "doxygen"
reference.write_all(DOXYGEN)

extensions = [
    "myst_parser",
    "sphinx.ext.autodoc",
    "sphinx.ext.mathjax",
    "sphinx-mathjax-offline",
    "breathe",
    "docstrings",
]
exclude_patterns = ["_ext"]
html_theme, html_title = "furo", f"Weft {release}"
html_static_path, html_css_files = ["_static"], ["weft.css"]
html_show_sphinx = False
pygments_style, smartquotes = "default", False

myst_enable_extensions = ["amsmath", "colon_fence", "dollarmath"]
myst_heading_anchors = 3
# Every header opens the namespace weft anew, and a struct of C has the name of its typedef: duplicates for Sphinx.
# Pages may leave out a level of headings.
suppress_warnings = ["duplicate_declaration.cpp", "duplicate_declaration.c", "myst.header"]

autodoc_member_order = "bysource"
autodoc_typehints = "signature"
autodoc_typehints_format = "short"
autodoc_preserve_defaults = True

breathe_projects = {"weft": str(DOXYGEN / "xml")}
breathe_default_project = "weft"
breathe_domain_by_extension = {"h": "c", "hpp": "cpp"}

# Types of other libraries, those that are declared and not shown, and names of modules inside the package.
nitpick_ignore_regex = [
    ("py:.*", r"(weft\.\w+|np|numpy|mpi4py|MPI|collections\.abc|typing|pathlib)\.\w.*|Any|Path|Figure"),
    ("cpp:.*", r"(std|MPI_\w+|State|InPlaceMemory|ElementOf)\b.*"),
    ("c:.*", r".*"),
]


def local_links(_app, docname: str, source: list[str]) -> None:
    """Links to the README and to folders are good on a forge; here the README is a page, and folders are none."""
    text = source[0].replace("](../README.md", "](reference/readme.md")
    outside = r"\[([^\]]+)\]\((\.\./[^)#]+)\)"
    text = re.sub(outside, lambda link: link[1] if (HERE / link[2]).is_dir() else link[0], text)
    if docname == "index":
        text = with_existing_pages(text)
    source[0] = text


def with_existing_pages(text: str) -> str:
    """The index with the pages that there are, and those that it does not name behind the guides."""
    pages = {path.stem for path in HERE.glob("*.md")}
    pages |= {f"reference/{path.stem}" for path in (HERE / "reference").glob("*.md")}
    named = set(re.findall(r"^([\w/]+)$", text, re.M))
    lines = [line for line in text.split("\n") if line not in named or line in pages]
    others = sorted(page for page in pages - named - {"index"} if "/" not in page)
    return "\n".join(lines).replace("(other pages)", "\n".join(others))


def setup(app) -> None:
    """Called by Sphinx."""
    app.connect("source-read", local_links)
