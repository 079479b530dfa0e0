"""Figures in files."""

from pathlib import Path
from typing import TYPE_CHECKING

from weft.cli.output import replace_file

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def save_figure(figure: "Figure", path: Path) -> None:
    """Writes a PNG, whole or not at all."""
    replace_file(path, lambda file: figure.savefig(file, format="png"))
