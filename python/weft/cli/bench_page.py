"""weft bench page: runs all benchmarks and writes them into the marked sections of README and documentation."""

import datetime
import os
import platform
import shlex
import sys
import tempfile
from collections.abc import Sequence
from functools import partial
from json import loads
from pathlib import Path
from typing import Annotated, Any

import typer

from weft import _build
from weft.cli import bench_page_chart as chart
from weft.cli import bench_page_text as text
from weft.cli.bench_page_runs import PEERS, Run, all_runs
from weft.cli.bench_plot import bars
from weft.cli.generated_blocks import check_marks, with_section
from weft.cli.options import chosen
from weft.cli.output import write_file
from weft.cli.report import print_json
from weft.cli.terminal import Bar, progress
from weft.errors import Error, ResourceError
from weft.launch import captured, leave_mpi, under_launcher, weft_command

_README_HELP, _BENCHMARKS_HELP = "The README whose marked section is written.", "The page with all tables."
_ENGINE_HELP = "The page with the 1-D transforms; its picture is written to the same folder."
_PEERS_PICTURE = "bench-peers.png"
_PICTURES = {"transforms": "bench-transforms.png", "solves": "bench-solves.png", "engines": "bench-engines.png"}


def page(
    readme: Annotated[Path, typer.Option(metavar="FILE", help=_README_HELP)] = Path("README.md"),
    benchmarks: Annotated[Path, typer.Option(metavar="FILE", help=_BENCHMARKS_HELP)] = Path("docs/benchmarks.md"),
    engine: Annotated[Path, typer.Option(metavar="FILE", help=_ENGINE_HELP)] = Path("docs/engine.md"),
    repeat: Annotated[int, typer.Option(min=1, help="At least this many timings of each.")] = 10,
    without: Annotated[str, typer.Option(help=f"Peers to omit, with commas: {', '.join(PEERS)}.")] = "",
    quick: Annotated[
        bool, typer.Option("--quick", help="Tiny sizes, few ranks and one timing, to test the command.")
    ] = False,
    json: Annotated[bool, typer.Option("--json", help="Print one JSON object with the files.")] = False,
) -> None:
    """Run every benchmark of the documentation and write its tables and pictures after all have succeeded."""
    if under_launcher():
        raise Error("weft bench starts its ranks itself: run it without mpiexec")
    for file, option in ((readme, "--readme"), (benchmarks, "--benchmarks"), (engine, "--engine")):
        check_marks(file, option)
    left_out = chosen(without or None, "--without", PEERS, ())
    leave_mpi()
    runs = all_runs()
    # With --quick, rows that differ only in their sizes share a command line, which runs once.
    lines = [tuple(run.arguments(quick, repeat, left_out)) for run in runs]
    with (
        tempfile.TemporaryDirectory(prefix="weft-bench-") as folder,
        progress(None, len(set(lines)) + 1, "benchmarks", quiet=True) as bar,
    ):
        rows = {line: _rows(line, bar) for line in dict.fromkeys(lines)}
        results = [(run, rows[line]) for run, line in zip(runs, lines, strict=True)]
        picture, tables = Path(folder) / "engine.png", Path(folder) / "engine.md"
        _rows(_engine_arguments(quick, repeat, picture, tables), bar)
        _write_all(
            results,
            _head(results, repeat, quick),
            _short_head(repeat, quick),
            readme,
            benchmarks,
            engine,
            (picture.read_bytes(), tables.read_text("utf-8")),
        )
    if json:
        pictures = [
            *(benchmarks.parent / name for name in (_PEERS_PICTURE, *_PICTURES.values())),
            engine.with_suffix(".png"),
        ]
        print_json({"pages": [str(readme), str(benchmarks), str(engine)], "pictures": list(map(str, pictures))})


def _engine_arguments(quick: bool, repeat: int, picture: Path, tables: Path) -> list[str]:
    lengths = ["--kinds", "c2c", "--lengths", "16", "--memory-lengths", "", "--plan-seconds", "0"]
    sizes = lengths if quick else ["--memory-lengths", "64,128,256,512,1024,250"]
    repeats = ["--repeat", str(1 if quick else repeat)]
    return ["engine", *sizes, *repeats, "--plot", str(picture), "--markdown", str(tables)]


def _rows(arguments: Sequence[str], bar: Bar) -> list[dict[str, Any]]:
    """The rows of a benchmark. It is a separate process, so that each one starts with a new MPI and new memory."""
    command = ["bench", *arguments]
    if bar.shown:
        bar.say(f"weft {shlex.join(command)}"[:60])
    else:
        print(f"{bar.done + 1} of {bar.total}: weft {shlex.join(command)}", file=sys.stderr, flush=True)
    done = captured(weft_command([*command, "--json"]))
    if done.returncode != 0:
        said = done.stderr.strip().removeprefix("weft: error: ")
        raise (Error if done.returncode == 2 else ResourceError)(f"weft {shlex.join(command)}: {said[-1000:]}")
    bar.advance()
    return loads(done.stdout)


def _processor() -> str:
    """The name of the processor according to the system."""
    for line in Path("/proc/cpuinfo").read_text(encoding="ascii", errors="replace").splitlines():
        if line.startswith("model name"):
            return line.split(":", 1)[1].strip()
    return platform.machine()


def _written() -> str:
    """The date and the machine of the measurements."""
    today = datetime.datetime.now(datetime.UTC).date().isoformat()
    return f"Written by `make bench` on {today}, {len(os.sched_getaffinity(0))} cores of {_processor()}"


def _head(results: text.Results, repeat: int, quick: bool) -> str:
    """The date, the machine and the method of the measurements."""
    return (
        f"{_written()}, {_build.MPI} {_build.MPI_VERSION}: 2 ranks with one thread each. Seconds are the fastest of "
        f"{repeat} or more, in turns with the others.\nIn the same turns a plain copy by both ranks ran at "
        f"{text.copy_speeds(results)} GB/s, read and written; the load was {text.loads(results)} when the rows began."
        + _trial(quick)
    )


def _short_head(repeat: int, quick: bool) -> str:
    """The caption of the chart."""
    return f"{_written()}: the fastest of {repeat} or more runs, in turns with the others.{_trial(quick)}"


def _trial(quick: bool) -> str:
    return " This is a trial with tiny sizes; its figures mean nothing." if quick else ""


def _drawn(results: text.Results, table: str, file: Any) -> None:
    """A bar for every contender of every run of a table."""
    rows = [row | {"name": f"{run.name}: {row['name']}"} for run, rows in text.of(results, table) for row in rows]
    others = {
        row["name"] for row in rows if not row["name"].split(": ")[-1].startswith("weft") or "fftw" in row["name"]
    }
    bars(f"weft bench page: {table}", rows, others, file)


def _write_all(
    results: list[tuple[Run, list[dict[str, Any]]]],
    head: str,
    short_head: str,
    readme: Path,
    benchmarks: Path,
    engine: Path,
    engine_page: tuple[bytes, str],
) -> None:
    peers = benchmarks.parent / _PEERS_PICTURE
    write_file(peers, "--benchmarks", partial(chart.draw, results))
    for table, name in _PICTURES.items():
        write_file(benchmarks.parent / name, "--benchmarks", partial(_drawn, results, table))
    write_file(engine.with_suffix(".png"), "--engine", lambda file: file.write(engine_page[0]))
    _rewrite(engine, "--engine", f"{_written()}: one core.\n\n{engine_page[1]}")
    _rewrite(benchmarks, "--benchmarks", text.benchmarks(results, head, [_PEERS_PICTURE, *_PICTURES.values()]))
    _rewrite(readme, "--readme", text.readme(short_head, Path(os.path.relpath(peers, readme.parent)).as_posix()))


def _rewrite(file: Path, option: str, section: str) -> None:
    new = with_section(file.read_text("utf-8"), section)
    write_file(file, option, lambda out: out.write(new.encode()))
