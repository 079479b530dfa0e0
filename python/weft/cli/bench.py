"""weft bench: timings of Weft and of other libraries."""

import typer

from weft.cli.examples import epilog
from weft.cli.on_demand import Place, group_of

_COMMANDS = {
    "engine": Place("bench_engine", "engine", "Time 1-D transforms by the lane engine and FFTW."),
    "fft": Place("bench_fft", "fft", "Time forward + backward transforms.", several=True),
    "exchange": Place("bench_exchange", "exchange", "Time one redistribution.", several=True),
    "halo": Place("bench_halo", "halo", "Time the exchange of halos.", several=True),
    "solve": Place("bench_solve", "solve", "Time Poisson solves.", several=True),
    "page": Place("bench_page", "page", "Run all benchmarks of the documentation."),
    "tensor": Place("bench_tensor", "tensor", "Time tensor transforms and FFTs.", several=True),
    "model": Place("bench_model", "model", "Compare measured and predicted times.", several=True),
}

app = typer.Typer(cls=group_of(_COMMANDS, "bench"), epilog=epilog("bench"), add_completion=False, rich_markup_mode=None)


@app.callback()
def _bench() -> None:
    """Timings of Weft and of other libraries."""
