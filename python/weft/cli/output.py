"""The output folder of a solve, and its files."""

import io
import os
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import IO

import numpy as np

from weft import _core
from weft._arguments import together
from weft._build import VERSION
from weft._mesh import write_mesh
from weft._mpi import MPI
from weft._point_grid import PointGrid
from weft.case import Case
from weft.chebyshev import chebyshev_points
from weft.errors import Error, FileError
from weft.poisson import Poisson


class OutputFolder:
    """A folder that is checked to be writable before the work starts. New folders are removed if they remain empty."""

    def __init__(self, path: Path, comm: MPI.Intracomm) -> None:
        """Makes the folder on rank 0 and writes and removes a file in it, which all hosts must see.

        Collective. Raises FileError on every rank.
        """
        self.path, self._comm = path, comm
        self._made: list[Path] = []
        with together(comm):
            if comm.rank == 0:
                self._try()
        try:
            _core.require_shared_folder(MPI._addressof(comm), str(path))
        except FileError:
            self.discard()
            raise

    def _try(self) -> None:
        """Makes the folder, and a file in it for a moment."""
        try:
            self._make()
            with tempfile.NamedTemporaryFile(dir=self.path, prefix=".weft-") as probe:
                probe.write(b"weft")
        except OSError as error:
            self._remove()
            words = (
                f"--out: the folder {self.path} cannot be written: {error.strerror or error}; name a folder that can"
            )
            raise FileError(words) from error

    def _make(self) -> None:
        missing = [folder for folder in (self.path, *self.path.parents) if not folder.exists()]
        for folder in reversed(missing):
            folder.mkdir(exist_ok=True)
            self._made.append(folder)
        if not self.path.is_dir():
            raise NotADirectoryError(None, "it is a file")

    def _remove(self) -> None:
        for folder in reversed(self._made):
            # A folder that has received files in the meantime is kept, and so are its parents.
            try:
                folder.rmdir()
            except OSError:
                return

    def discard(self) -> None:
        """Removes the new folders that are empty."""
        if self._comm.rank == 0:
            self._remove()


def file_positions(solver: PointGrid) -> list[np.ndarray]:
    """The positions of all points of every axis, as written to files."""
    shape = solver.shape[-len(solver.cells) :]
    axes = zip(shape, solver.centring, solver.spacing, solver.widths, strict=True)
    return [_axis_positions(*axis) for axis in axes]


def _axis_positions(size: int, centring: str, spacing: float, widths: np.ndarray | None) -> np.ndarray:
    if widths is not None:
        return np.cumsum([0.0, *widths[:-1]]) + widths / 2
    if centring == "chebyshev":
        return chebyshev_points(size, 0.0, (size - 1) * spacing)
    return (np.arange(size) + (0.5 if centring == "cell" else 0.0)) * spacing


def equation_text(case: Case) -> str:
    """The equation of a case, such as "laplacian(solution) = rhs"."""
    if case.variable is not None:
        reaction = "" if case.variable.c is None else f" - ({case.variable.c.text}) solution"
        return f"div(({case.variable.a.text}) grad(solution)){reaction} = rhs"
    if case.power != 1:
        screened = f"{case.screening!r}^2 " if case.screening else ""
        return f"-({screened}- laplacian)^{case.power!r} solution = rhs"
    screened = f" - {case.screening!r}^2 solution" if case.screening else ""
    return f"laplacian(solution){screened} = rhs"


def kernel_attributes(case: Case, solver: PointGrid) -> dict[str, str]:
    """The attributes of a file about the Green's function of the solver."""
    if not isinstance(solver, Poisson):
        return {}
    return {"kernel": case.kernel, "shift": " ".join(f"{length!r}" for length in solver.shift)}


def side_by_side(fields: dict[str, np.ndarray], batch: int | None) -> dict[str, np.ndarray]:
    """Fields by name. A batch has one field per right-hand side, with its number after the name."""
    if batch is None:
        return fields
    digits = len(str(batch - 1))
    return {f"{name}_{i:0{digits}}": each for name, field in fields.items() for i, each in enumerate(field)}


def write_solution(case: Case, solver: PointGrid, solution: np.ndarray, rhs: np.ndarray, folder: Path) -> list[Path]:
    """Writes solution.h5 (datasets solution, rhs) and solution.xdmf, and returns the paths. Collective.

    With several right-hand sides each has its own datasets, solution_0, rhs_0 and so on.
    """
    comm = MPI._addressof(solver.comm)
    data, description = folder / "solution.h5", folder / "solution.xdmf"
    fields = side_by_side({"solution": solution, "rhs": rhs}, case.batch)
    positions = file_positions(solver)
    axes = len(solver.cells)
    box = [(s.start, s.stop) for s in solver.local_slices[-axes:]]
    attributes = {
        "equation": equation_text(case),
        "case": case.name,
        "boundary": "; ".join(" - ".join(pair) for pair in solver.boundary),
        "centring": " ".join(solver.centring),
        **kernel_attributes(case, solver),
        "weft": VERSION,
    }
    _core.write_fields(comm, str(data), fields, solver.shape[-axes:], box, positions, attributes)
    write_mesh(comm, str(description), str(data), positions, solver.spacing, list(fields))
    return [data, description]


def replace_file(path: Path, write: Callable[[IO[bytes]], object]) -> None:
    """Writes the output of write(file) to a new file in the same folder and renames it: path is complete or absent.

    Raises a FileError that names path if this is not possible. The new file exists for a moment only, not while a
    picture is drawn, so that a killed rank leaves no file.
    """
    content = io.BytesIO()
    write(content)
    try:
        _replace_file(path, content.getbuffer())
    except OSError as error:
        reason = error.strerror or str(error)
        raise FileError(f"{path} cannot be written: {reason}; give a folder that is writable and has room") from None


def _replace_file(path: Path, content: memoryview) -> None:
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.stem}-", suffix=path.suffix)
    try:
        with os.fdopen(handle, "w+b") as file:
            file.write(content)
        os.chmod(name, 0o666 & ~_umask())
        os.replace(name, path)
    except BaseException:
        os.unlink(name)
        raise


def _umask() -> int:
    """The umask of this process, which can be read only by setting it."""
    mask = os.umask(0o077)
    os.umask(mask)
    return mask


def check_picture(path: Path | None, option: str) -> None:
    """Raises Error if the name of a picture does not end in .png, FileError if its folder does not exist."""
    if path is not None and path.suffix.lower() != ".png":
        raise Error(f"{option}: {path} does not end in .png, the format of the picture; name a file that does")
    check_file(path, option)


def check_file(path: Path | None, option: str) -> None:
    """Raises FileError if the folder of a file does not exist, before the work starts."""
    if path is not None and not path.resolve().parent.is_dir():
        raise FileError(f"{option}: {path} cannot be written: its folder does not exist; name another")


def write_file(path: Path | None, option: str, write: Callable[[IO[bytes]], object]) -> None:
    """Writes the file, if one is requested, completely or not at all."""
    if path is None:
        return
    try:
        replace_file(path, write)
    except FileError as error:
        raise FileError(f"{option}: {error}") from None
