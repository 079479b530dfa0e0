"""Damaged texts: time series, tuning files, machine files, case files through the command line."""

import contextlib
import io
import math
import xml.etree.ElementTree as xml
from pathlib import Path

import numpy as np
import weft
from weft.cli import _run

from fuzz.files.arrays import whole
from fuzz.files.subject import Subject, Wrong


class Series(Subject):
    """The list of a time series, taken up again and continued."""

    kind, suffix, text = "series", ".xdmf", True

    def __init__(self, folder: Path) -> None:
        super().__init__(folder)
        self.u = whole(np.arange(24.0).reshape(2, 3, 4))
        path = folder / "base.xdmf"
        series = self._open(path)
        for step in range(4):
            series.append(step * 0.5, {"u": self.u, "v": self.u})
        self.bases.append(path.read_bytes())

    def _open(self, path: Path, resume: float | None = None) -> weft.TimeSeries:
        return weft.TimeSeries(path, self.u[2], (0.1, 0.1, 0.1), resume=resume)

    def read(self, path: Path, data: bytes) -> None:
        series = self._open(path, 1.2)
        times = list(series.times)
        if times != sorted(set(times)) or not all(math.isfinite(time) and time < 1.2 for time in times):
            raise Wrong(f"the times are {times}")
        series.append(7.0, {"u": self.u})
        try:
            root = xml.parse(path).getroot()
        except xml.ParseError as error:
            raise Wrong(f"after one more step the file is no XML: {error}") from None
        grids = len(root.findall(".//Grid[@GridType='Uniform']"))
        if grids != len(series.times):
            raise Wrong(f"{grids} grids for {len(series.times)} times")


class Tuning(Subject):
    """Tuning files: a plan takes one or refuses it, and transforms right."""

    kind, suffix, text = "tuning", ".toml", True

    def __init__(self, folder: Path) -> None:
        super().__init__(folder)
        path = folder / "base.toml"
        weft.tune((8, 6, 4), "r2c", save=path, effort="measure", budget=0.1)
        weft.tune((8, 6), "dct2", save=path, effort="measure", budget=0.1)
        self.bases.append(path.read_bytes())
        self.u = np.random.default_rng(0).random((8, 6, 4))
        self.modes = np.fft.rfftn(self.u)

    def read(self, path: Path, data: bytes) -> None:
        plan = weft.Plan((8, 6, 4), "r2c", tuning=path)
        # Sums of 192 numbers below 1, each of some roundings of 1.1e-16.
        if not np.allclose(plan.forward(self.u), self.modes, rtol=0, atol=1e-12):
            raise Wrong("the transform is not right")
        weft.tune((4, 4), "c2c", save=path, effort="estimate")
        weft.Plan((4, 4), "c2c", tuning=path)


class Machine(Subject):
    """Machine files: predictions are finite times, or the file is refused."""

    kind, suffix, text = "machine", ".toml", True

    def __init__(self, folder: Path) -> None:
        super().__init__(folder)
        known = sorted((Path(weft.__file__).parent / "machines").glob("*.toml"))
        self.bases = [path.read_bytes() for path in known]

    def read(self, path: Path, data: bytes) -> None:
        found = [
            *(weft.predict((64, 64, 64), "r2c", ranks=ranks, machine=path).seconds for ranks in (1, 7, 4096)),
            weft.predict((512,) * 3, "c2c", ranks=10**6, machine=path, strategy="hierarchical").seconds,
            weft.predict_solve((64,) * 3, ("unbounded",) * 3, ranks=512, machine=path).seconds,
        ]
        if not all(seconds >= 0 for seconds in found):
            raise Wrong(f"{found} seconds are predicted")


CASES = (
    """cells = [8, 6, 4]
length = [1.0, 1.0, 1.0]
boundary = ["periodic", "odd", ["even", "unbounded"]]
centring = "cell"
kernel = "truncated"
alpha = 2.0
screening = 0.5
mean = "remove"
rhs = "sin(2*pi*x) * b(y) + r"
reference = "0"
name = "what this is"
[define]
"b(s)" = "exp(-s*s)"
r = "sqrt(x*x + y*y)"
""",
    """cells = [8, 6]
length = [1, 2.5]
boundary = [["odd", "odd"], "periodic"]
centring = ["cell", "node"]
rhs = { file = "rho.npy" }
""",
    """cells = [4, 6]
length = [1, 2.5]
boundary = ["unbounded", "unbounded"]
kernel = "hej4"
rhs = { file = "rho.h5", dataset = "u" }
""",
)


class Case(Subject):
    """Case files as `weft solve` takes them: status 0, or 2 with one line of an error."""

    kind, suffix, text = "case", ".toml", True

    def __init__(self, folder: Path) -> None:
        super().__init__(folder)
        self.bases = [text.encode() for text in CASES]
        np.save(folder / "rho.npy", np.ones((9, 6)))
        weft.Field.from_global(np.ones((4, 6))).save(folder / "rho.h5", "u")

    def read(self, path: Path, data: bytes) -> None:
        said = io.StringIO()
        plot = ["--plot"] if len(data) % 50 == 0 else []
        with contextlib.redirect_stderr(said), contextlib.redirect_stdout(io.StringIO()):
            status = _run(["solve", str(path), "--out", str(path.parent / "out"), *plot])
        lines = [line for line in said.getvalue().splitlines() if "error" in line]
        if status == 2 and len(lines) == 1:
            raise weft.Error(lines[0])
        if status != 0:
            raise Wrong(f"status {status}, {said.getvalue()[:200]!r}")


SUBJECTS = (Series, Tuning, Machine, Case)
