"""weft bench: timings of Weft beside those of other libraries."""

import typer

from weft.cli import bench_engine, bench_fft

app = typer.Typer(help="Timings, beside those of other libraries.", rich_markup_mode=None)
app.command("engine")(bench_engine.engine)
app.command("fft")(bench_fft.fft)
