"""Time series for ParaView: an XDMF file that grows with every step, and an HDF5 file for each step."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from weft import _core
from weft._arguments import (
    agreed,
    communicator,
    converted,
    entries,
    naming,
    one_per_axis,
    real,
    shown,
    whole,
    whole_entries,
)
from weft._distributed import named, part_of, same_ranks
from weft._mpi import MPI
from weft._options import path_text
from weft.errors import Error


class TimeSeries:
    """A time series of fields on a uniform mesh of 1 to 3 axes.

    path      ends in .xdmf; ParaView opens it. PATH-00000n.h5 beside it has the fields of step n: datasets NAME
              ([x][y][z]), x, y, z, and the attribute "time".
    shape     points per axis, such as plan.shape
    spacing   distance between points, per axis
    origin    position of the first point; None is 0 on every axis
    compression  as in save_checkpoint
    resume    a time: continues the series in the file and drops its steps at this time and later, which a resumed run
              writes again; their HDF5 files stay until then. None: starts a new series; an old one in the file is
              removed.

    The constructor and append are collective. A step is in the series when append returns. Whenever a run ends, the
    XDMF file refers to complete files only. Raises the same exception on every rank: Error for arguments that are not
    allowed, FileError for files that cannot be written and for a file to resume that is not a series.
    """

    def __init__(
        self,
        path: str | Path,
        shape: Any,
        spacing: Any,
        origin: Any = None,
        *,
        comm: MPI.Intracomm | None = None,
        compression: int = 0,
        resume: float | None = None,
    ) -> None:
        self.comm = communicator(comm)

        def make() -> dict[str, Any]:
            points = whole_entries(shape, "shape", "(64, 64, 64)")
            if len(points) > 6:
                raise Error(f"shape: {len(points)} axes were given; XDMF needs 1 to 3")
            first = [0.0] * len(points) if origin is None else _numbers(origin, "origin")
            steps = _numbers(spacing, "spacing")
            for values, name in ((first, "origin"), (steps, "spacing")):
                one_per_axis(values, len(points), name, "shape")
            if not isinstance(path, str | Path):
                raise Error(f'path: {shown(path)} is not a file name; give one such as "run.xdmf"')
            return {
                "path": path_text(path, "path"),
                "shape": points,
                "first": first,
                "spacing": steps,
                "compression": whole(compression, "compression", bits=32),
                "resume": None if resume is None else real(resume, "resume"),
            }

        given = agreed(self.comm, make)
        self.path, self.shape = Path(given["path"]), tuple(given["shape"])
        self._core = _core.TimeSeries(MPI._addressof(self.comm), **given)

    def __repr__(self) -> str:
        return f"TimeSeries({str(self.path)!r}, steps={len(self.times)}, ranks={self.comm.size})"

    @property
    def times(self) -> list[float]:
        """The times of all steps of the series."""
        return self._core.times()

    def append(self, time: float, fields: Mapping[str, Any]) -> None:
        """Adds a step, whose time must be later than that of all previous steps.

        fields    by name, in the forms of save_checkpoint: all float32 or all float64, of the shape of the series, with
                  the same slices on a rank.
        """

        def make() -> dict[str, Any]:
            parts = []
            for name, value in named(fields).items():
                with naming(name):
                    same_ranks(self.comm, value, name)
                    parts.append(part_of(value, name, ("float32", "float64")))
                if tuple(parts[-1].shape) != self.shape:
                    raise Error(
                        f"{name}: global_shape {tuple(parts[-1].shape)} is not that of the series, {self.shape}"
                    )
                if parts[-1].box != parts[0].box or parts[-1].array.dtype != parts[0].array.dtype:
                    raise Error(f"{name}: slices and dtype are not those of {parts[0].name}; give all fields the same")
            if not parts:
                raise Error("fields: no field is given; give at least one")
            return {"time": real(time, "time"), "parts": parts}

        given = converted(self.comm, make)
        parts = given["parts"]
        agreed(self.comm, lambda: {"dtype": parts[0].array.dtype.name})
        self._core.append(given["time"], parts[0].box, [(part.name, part.array) for part in parts])


def _numbers(values: Any, name: str) -> list[float]:
    return [real(value, f"{name}[{i}]") for i, value in enumerate(entries(values, name, "(0.1, 0.1, 0.1)"))]
