"""mpb-mpi, Debian's program for photonic bands, on the diamond lattice of spheres of its manual."""

import re
from pathlib import Path

from clients.contest import ClientError, Row, Setting, in_turns, package_version, run

PACKAGES = ("mpb-mpi",)
_INPUT = Path(__file__).with_name("diamond.ctl")


def rows(setting: Setting) -> list[Row]:
    """One row: seconds of the whole program, and whether the frequencies have the same digits."""
    command = setting.command("openmpi", setting.ranks, ["mpb-mpi", str(_INPUT)])
    original, weft, theirs, ours = in_turns(
        lambda: run(command, setting.scratch, setting.environment("openmpi", weft=False)),
        lambda: run(command, setting.scratch, setting.environment("openmpi", weft=True)),
    )
    digits = [re.findall(r"(?m)^freqs:.*$", text) for text in (theirs, ours)]
    if digits[0] != digits[1] or len(digits[0]) < 2:
        raise ClientError(f"mpb-mpi: frequencies differ\n{digits[0]}\n{digits[1]}")
    version = package_version("mpb-mpi")
    what = "5 bands of the diamond lattice, 32^3 points, tuples of 15 numbers"
    return [Row("mpb-mpi", version, what, "", original, weft, "all six digits of the frequencies")]
