"""FFTW by the Python package pyfftw, timed for weft bench fft --peers pyfftw.

usage: python -m weft.cli.peers.pyfftw JSON, on one rank (bench_turns.py). It plans with FFTW_MEASURE, works out of
place on aligned arrays, and may destroy the input; a transform is one call, also of a batch of arrays.
"""

from typing import Any

import pyfftw

from weft.cli.bench_task import batch_and_kind
from weft.cli.bench_turns import Work, take_part
from weft.cli.peers.unscaled import TYPES, make_work
from weft.cli.report import peak_bytes

_FLAGS = ("FFTW_MEASURE", "FFTW_DESTROY_INPUT")
# FFTW's names of the kinds, and of their inverses.
_KINDS = {"1": ("00", "00"), "2": ("10", "01"), "3": ("01", "10"), "4": ("11", "11")}


def _directions(kinds: str, axes: int) -> tuple[Any, Any]:
    """The arguments of the plans of both directions."""
    if kinds in ("r2c", "c2c"):
        return "FFTW_FORWARD", "FFTW_BACKWARD"
    family = "FFTW_REDFT" if kinds.startswith("dct") else "FFTW_RODFT"
    forward, backward = _KINDS[kinds[3]]
    return (family + forward,) * axes, (family + backward,) * axes


def make(job: dict[str, Any]) -> Work:
    """The plans, their arrays, and the timed functions."""
    before = peak_bytes()
    batch, kinds = batch_and_kind(job["kinds"])
    shape, precision = tuple(job["shape"]), job["precision"]
    modes = (*shape[:-1], shape[-1] // 2 + 1) if kinds == "r2c" else shape
    u = pyfftw.empty_aligned(shape, TYPES[precision, kinds == "c2c"])
    uh = pyfftw.empty_aligned(modes, TYPES[precision, kinds in ("r2c", "c2c")])
    given = {"axes": tuple(range(batch, len(shape))), "flags": _FLAGS, "threads": job["threads"]}
    directions = _directions(kinds, len(shape) - batch)
    forward = pyfftw.FFTW(u, uh, direction=directions[0], **given)
    backward = pyfftw.FFTW(uh, u, direction=directions[1], **given)

    def pair() -> None:
        forward.execute()
        backward.execute()

    work = make_work(job | {"kinds": kinds, "shape": shape[batch:]}, u, pair, job["threads"], before)
    work.facts |= {"strategy": "out of place", "array_bytes": u.nbytes + uh.nbytes, "bytes_sent_per_rank": 0}
    return work


if __name__ == "__main__":
    take_part(make)
