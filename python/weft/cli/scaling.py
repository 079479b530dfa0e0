"""weft scaling: writes the tables and pictures of the scaling study from the model."""

from pathlib import Path
from typing import Annotated

import typer

from weft._mpi import MPI
from weft.cli.output import check_file, write_file
from weft.cli.report import print_json
from weft.papers import ayala_wang, flups, study, trends

_BEGIN, _END = "<!-- measured: begin -->\n", "<!-- measured: end -->\n"
_TEMPLATE = Path(ayala_wang.__file__).with_name("scaling.md.in")


def _kept(path: Path) -> str:
    """The measured part of the existing page."""
    text = path.read_text(encoding="utf-8") if path.is_file() else ""
    begin, end = text.find(_BEGIN), text.find(_END)
    return text[begin + len(_BEGIN) : end] if 0 <= begin < end else "Not measured yet.\n"


def scaling(
    out: Annotated[Path, typer.Option(metavar="FOLDER", help="Folder of scaling.md and its pictures.")] = Path("docs"),
    json: Annotated[bool, typer.Option("--json", help="Print one JSON object with the files.")] = False,
) -> None:
    """Write the scaling study: published figures, those of the model, and Weft to a million ranks (half a minute)."""
    if MPI.COMM_WORLD.rank != 0:
        return
    page = out / "scaling.md"
    check_file(page, "--out")
    places = {"MEASURED": _kept(page)} | ayala_wang.section(out) | flups.section(out) | trends.s3dft()
    places |= trends.dalcin() | study.section(out)
    text = _TEMPLATE.read_text(encoding="utf-8")
    for name, value in places.items():
        text = text.replace(f"@{name}@", value)
    write_file(page, "--out", lambda file: file.write(text.encode()))
    if json:
        print_json({"page": str(page), "pictures": sorted(str(path) for path in out.glob("scaling-*.svg"))})
    else:
        print(f"written: {page}")
