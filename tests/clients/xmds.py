"""xmds2, Debian's generator of programs for partial differential equations: the Gross-Pitaevskii equation in a plane.

xmds2 links FFTW into its programs (static libraries), so the program that it generates is linked once more, with Weft's
library in their place.
"""

import re
import shutil
from pathlib import Path

import h5py
import numpy as np

from clients.contest import ClientError, Row, Setting, in_turns, package_version, run

PACKAGES = ("xmds2", "libopenmpi-dev", "libhdf5-dev")
_INPUT = Path(__file__).with_name("gpe.xmds")


def rows(setting: Setting) -> list[Row]:
    """One row: seconds of the whole program, and how far densities are apart."""
    folder = setting.scratch / "xmds"
    folder.mkdir(exist_ok=True)
    shutil.copy(_INPUT, folder)
    text = run(["xmds2", "--verbose", _INPUT.name], folder)
    _build(folder, text, setting.libraries["openmpi"])
    original, weft, _, _ = in_turns(lambda: _run(setting, folder, "gpe"), lambda: _run(setting, folder, "gpe-weft"))
    theirs, ours = (_density(folder / f"{name}-found.h5") for name in ("gpe", "gpe-weft"))
    apart = float(np.max(np.abs(theirs - ours)) / np.max(np.abs(theirs)))
    if not apart < 1e-12:
        raise ClientError(f"xmds2: densities differ by {apart:.1e}")
    what = "Gross-Pitaevskii equation, 256^2 points, 100 steps"
    return [Row("xmds2", package_version("xmds2"), what, "", original, weft, f"densities to {apart:.0e}")]


def _build(folder: Path, text: str, library: Path) -> None:
    """Links the program once more by the command that xmds2 used, with Weft's library in place of FFTW's."""
    found = re.search(r"(?m)^(\S+) (gpe\.cc\S*\.o) -o\S+ (.*)$", text)
    if not found:
        raise ClientError(f"xmds2 does not say how it links:\n{text[-2000:]}")
    compiler, program, libraries = found.groups()
    others = [word for word in libraries.split() if word not in ("-lfftw3_mpi", "-lfftw3")]
    own = [f"-L{library.parent}", f"-Wl,-rpath,{library.parent}", "-lweft_fftw3_mpi", "-lfftw3"]
    run([compiler, program, "-o", "gpe-weft", *own, *others], folder)


def _run(setting: Setting, folder: Path, program: str) -> str:
    command = setting.command("openmpi", setting.ranks, [f"./{program}"])
    text = run(command, folder, setting.environment("openmpi", weft=False))
    (folder / "gpe.h5").rename(folder / f"{program}-found.h5")
    return text


def _density(file: Path) -> np.ndarray:
    with h5py.File(file) as data:
        return np.asarray(data["1"]["density"])
