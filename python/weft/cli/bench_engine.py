"""weft bench engine: GF/s of the lane engine and of FFTW by kind, length, stride and location of the data."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import Annotated, Any

import typer

from weft import _core
from weft.cli import bench_engine_tables as tables
from weft.cli.bench_engine_plot import plot_rows
from weft.cli.options import chosen, words
from weft.cli.output import check_file, write_file
from weft.cli.report import print_json
from weft.cli.terminal import progress
from weft.errors import Error
from weft.launch import under_launcher

KINDS = ("c2c", "r2c", "dct1", "dct2", "dct3", "dct4", "dst1", "dst2", "dst3", "dst4")
_LENGTHS = (64, 128, 256, 512, 1024, 96, 192, 384, 250, 243, 127)
_QUICK_KINDS, _QUICK_LENGTHS = ("c2c", "r2c", "dct2", "dst2"), (64, 256, 250)
_MEMORY_LENGTHS = (256,)
_PRECISIONS = {"double": "float64", "float": "float32"}
# The size of the input array in bytes. The output array has the same size.
_PLACES = {"cache": 256 << 10, "memory": 64 << 20}
# Sweeps in the cache take little time, so there are more of them.
_TURNS = {"cache": 4, "memory": 1}


@dataclass(frozen=True)
class Measurement:
    """One sweep to time."""

    kind: str
    length: int
    stride: str
    place: str
    precision: str

    def flops_per_line(self) -> float:
        """The nominal number of operations: 5 n log2 n for complex data, half of it for real data."""
        return (5.0 if self.kind == "c2c" else 2.5) * self.length * math.log2(self.length)

    def rows(self, repeat: int, plan_seconds: float) -> list[dict[str, Any]]:
        """A row for each engine."""
        found = _core.engine_speed(
            kind=self.kind,
            length=self.length,
            strided=self.stride == "strided",
            dtype=_PRECISIONS[self.precision],
            bytes=_PLACES[self.place],
            turns=repeat * _TURNS[self.place],
            plan_seconds=plan_seconds,
        )
        gflop = 1e-9 * self.flops_per_line() * found["lines"]
        return [
            {
                **vars(self),
                "engine": engine,
                "gflops_min_time": gflop / min(found[engine]),
                "gflops_median": gflop / median(found[engine]),
                "ratio": min(found["fftw"]) / min(found[engine]),
                "copy_gb_per_s": 2e-9 * found["copy_bytes"] / min(found["copy"]),
                "lines": found["lines"],
                "repeats": len(found[engine]),
                "difference": found["difference"],
            }
            for engine in ("lanes", "fftw")
        ]


def _lengths(text: str | None, option: str, default: Sequence[int]) -> list[int]:
    """Lengths of 2 or more from a text, which may be empty. The library checks the largest length."""
    if text is None:
        return list(default)
    lengths = []
    for word in words(text, option) if text else []:
        if not word.isdecimal() or int(word) < 2:
            raise Error(f"{option}: {word!r} is not a length; give whole numbers from 2, such as 64,250")
        lengths.append(int(word))
    return lengths


def _measurements(kinds: Sequence[str], cache: Sequence[int], memory: Sequence[int], precisions: Sequence[str]) -> list:
    return [
        Measurement(kind, length, stride, place, precision)
        for precision in precisions
        for place, lengths in (("cache", cache), ("memory", memory))
        for kind in kinds
        for length in lengths
        for stride in ("contiguous", "strided")
    ]


def _with_progress(measurements: Sequence[Measurement]) -> Iterator[Measurement]:
    """The measurements one by one, with a progress bar on a terminal that is drawn between timings only."""
    with progress(None, len(measurements), "measurements", quiet=True) as bar:
        for one in measurements:
            bar.say(f"{one.kind} {one.length} {one.stride}, in {one.place}, {one.precision}")
            yield one
            bar.advance()


def engine(
    kinds: Annotated[str | None, typer.Option(help="Kinds, with commas.  [default: all]")] = None,
    lengths: Annotated[str | None, typer.Option(help="Lengths in the cache.  [default: 11, from 64 to 1024]")] = None,
    memory_lengths: Annotated[str | None, typer.Option(help="Lengths in memory, or ''.  [default: 256]")] = None,
    precision: Annotated[str | None, typer.Option(help="double, float or double,float.  [default: double]")] = None,
    repeat: Annotated[int, typer.Option(min=1, help="At least this many timings of each.")] = 10,
    plan_seconds: Annotated[float, typer.Option(min=0, help="Time limit of each FFTW plan.")] = 2.0,
    quick: Annotated[bool, typer.Option("--quick", help="Fewer kinds and lengths by default.")] = False,
    plot: Annotated[Path | None, typer.Option(metavar="FILE", help="Draw a picture (PNG).")] = None,
    markdown: Annotated[Path | None, typer.Option(metavar="FILE", help="Write the tables as Markdown.")] = None,
    json: Annotated[bool, typer.Option("--json", help="Print a JSON list of rows.")] = False,
) -> None:
    """Time the lane engine and FFTW on one core: GF/s of 5 n log2 n flops for complex data, half of it for real."""
    if under_launcher():
        raise Error("weft bench engine runs on one core: run it without mpiexec")
    wanted = _measurements(
        chosen(kinds, "--kinds", KINDS, _QUICK_KINDS if quick else KINDS),
        _lengths(lengths, "--lengths", _QUICK_LENGTHS if quick else _LENGTHS),
        _lengths(memory_lengths, "--memory-lengths", _MEMORY_LENGTHS),
        chosen(precision, "--precision", tuple(_PRECISIONS), ("double",)),
    )
    if not wanted:
        raise Error("--lengths and --memory-lengths are both empty; give at least one length")
    check_file(plot, "--plot")
    check_file(markdown, "--markdown")
    rows = [row for one in _with_progress(wanted) for row in one.rows(repeat, plan_seconds)]
    write_file(plot, "--plot", lambda file: plot_rows(rows, file))
    write_file(markdown, "--markdown", lambda file: file.write(tables.markdown(rows).encode()))
    if json:
        print_json(rows)
    else:
        tables.show(rows)
