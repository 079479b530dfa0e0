"""The command line: weft solve, plot, info, demo, check, validate, tune, explain, predict, calibrate, scaling,
bench, run-with.

One module per command, imported when the command is used.

Bad input ends with exit status 2 and one line on stderr, printed by rank 0 only; Ctrl-C ends with 130 and no message.
"""

import os
import sys
import traceback
from contextlib import suppress
from typing import Annotated, NoReturn

import typer

from weft._build import VERSION
from weft._mpi import MPI
from weft.cli.examples import main_epilog
from weft.cli.on_demand import Place, group_of
from weft.cli.streams import StdoutError, prepare
from weft.errors import Error
from weft.launch import MANY_RANKS, STOPPED, asked_to_end, end_on_interrupt

_COMMANDS = {
    "solve": Place("solve", "solve", "Solve laplacian(u) = rhs from a case file."),
    "plot": Place("plot_file", "plot", "Draw an array of a file as PNG."),
    "info": Place("info", "info", "Print versions, libraries and the processor."),
    "demo": Place("demo", "demo", "Solve an example in free space and draw it."),
    "validate": Place("validate", "validate", "Measure the errors of solves against theory."),
    "tune": Place("tune", "tune", "Search for the fastest options of a plan.", several=True),
    "explain": Place("explain", "explain", "Print every step of a plan or a solve.", several=True),
    "predict": Place("predict", "predict_command", "Predict times on any number of ranks.", several=True),
    "calibrate": Place("calibrate", "calibrate", "Measure the speeds of this machine for predictions."),
    "scaling": Place("scaling", "scaling", "Write the scaling study."),
    "run-with": Place(
        "run_with",
        "run_with",
        "Run a program with Weft in place of FFTW or FLUPS.",
        settings={"allow_interspersed_args": False},  # options after the program are its own
    ),
    "check": Place("check", "app", "Check results and bits on this machine."),
    "bench": Place("bench", "app", "Time Weft and other libraries."),
}

app = typer.Typer(
    cls=group_of(_COMMANDS),
    help="Weft: distributed Fourier-type transforms and Poisson solvers with any mix of boundaries.",
    epilog=main_epilog(),
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)


def _print_version(wanted: bool) -> None:
    if not wanted:
        return
    if _rank() == 0:
        typer.echo(f"weft {VERSION}")
    raise typer.Exit


@app.callback()
def _options(
    version: Annotated[
        bool, typer.Option("--version", callback=_print_version, is_eager=True, help="Print the version and exit.")
    ] = False,
    many_ranks: Annotated[
        bool, typer.Option("--many-ranks", help="Let -n of a command start more than 4 ranks per core.")
    ] = False,
) -> None:
    if many_ranks:
        os.environ[MANY_RANKS] = "1"


def _rank() -> int:
    return 0 if MPI.Is_finalized() else MPI.COMM_WORLD.rank


def _alone() -> bool:
    return MPI.Is_finalized() or MPI.COMM_WORLD.size == 1


def _refuse(text: str) -> int:
    """Prints one line on stderr, on one rank."""
    if _rank() == 0:
        with suppress(OSError):  # nothing else can be reported
            print("weft: error: " + " ".join(text.split()), file=sys.stderr, flush=True)
    return 2


def _run(arguments: list[str]) -> int:
    """Runs a command line and returns the exit status."""
    try:
        return app(args=arguments, prog_name="weft", standalone_mode=False) or 0
    except StdoutError:
        raise
    except Error as error:
        return _refuse(str(error))
    except typer.Abort:
        return STOPPED
    except Exception as error:
        # Errors of the command line itself (unknown options, ...) format their own messages.
        if hasattr(error, "format_message"):
            return _refuse(f"{error.format_message()} (see weft --help)")
        raise


def _stop_all(status: int) -> NoReturn:
    """Ends all ranks after an exception on one of them, since the others would wait for it."""
    sys.stderr.flush()
    MPI.COMM_WORLD.Abort(status)
    raise SystemExit(status)


def main(arguments: list[str] | None = None) -> NoReturn:
    """Entry point of the command `weft`."""
    try:
        prepare()
        end_on_interrupt()
        status = _run(sys.argv[1:] if arguments is None else arguments)
        sys.stdout.flush()
    except StdoutError as error:
        status = _refuse(str(error))
        if not _alone():
            _stop_all(status)
    except Exception as error:
        stopped = asked_to_end()
        if stopped is None:
            if _alone():
                raise
            traceback.print_exception(error)
            _stop_all(1)
        status = stopped
    sys.exit(status)
