"""The wisdom and the time limit of FFTW in one precision."""

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

from weft import _core
from weft._arguments import real


class Precision:
    """The functions of one of mpi4py-fft's compiled modules, such as fftw_xfftn for "float64".

    limit  the time limit of planners in seconds; a negative number, the default, is no limit.
    """

    def __init__(self, name: str) -> None:
        self.name, self.limit = name, -1.0

    def functions(self) -> tuple[Callable[..., Any], ...]:
        """The functions in the order in which the modules name them."""
        return self.export_wisdom, self.import_wisdom, self.forget_wisdom, self.set_timelimit, self.cleanup

    def write(self, path: Path) -> None:
        """Writes what FFTW has learnt. Raises OSError if it cannot."""
        path.write_text(_core.fftw_wisdom(self.name))

    def add(self, path: Path) -> bool:
        """Adds what a file has; whether FFTW understands it. Raises OSError or UnicodeDecodeError if none is read."""
        return _core.add_fftw_wisdom(self.name, path.read_text())

    def export_wisdom(self, filename: bytes | str) -> int:
        """Writes what FFTW has learnt in this precision to exactly this file: 1, or 0 if it cannot be written."""
        try:
            self.write(Path(os.fsdecode(filename)))
        except OSError:
            return 0
        return 1

    def import_wisdom(self, filename: bytes | str) -> int:
        """Adds the wisdom of exactly this file: 1, or 0 if there is none."""
        try:
            return int(self.add(Path(os.fsdecode(filename))))
        except (OSError, UnicodeDecodeError):
            return 0

    def forget_wisdom(self) -> None:
        """Deletes the wisdom of this precision. Existing plans do not change."""
        kept = {name: _core.fftw_wisdom(name) for name in PRECISIONS if name != self.name}
        _core.forget_fftw_wisdom()
        for name, text in kept.items():
            _core.add_fftw_wisdom(name, text)

    def set_timelimit(self, limit: float) -> None:
        """Sets the time limit of planners in this precision; see factory.set_timelimit."""
        self.limit = real(limit, "limit")

    def cleanup(self) -> None:
        """Deletes the wisdom and the time limit of this precision. Memory is freed with the plans."""
        self.forget_wisdom()
        self.limit = -1.0


PRECISIONS = {name: Precision(name) for name in ("float32", "float64")}
