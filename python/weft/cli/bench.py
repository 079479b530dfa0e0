"""weft bench: timings of Weft beside those of other libraries."""

import typer

from weft.cli import bench_engine, bench_exchange, bench_fft, bench_solve
from weft.cli.several import SeveralNumbers

app = typer.Typer(help="Timings, beside those of other libraries.", rich_markup_mode=None)
app.command("engine")(bench_engine.engine)
app.command("fft", cls=SeveralNumbers)(bench_fft.fft)
app.command("exchange", cls=SeveralNumbers)(bench_exchange.exchange)
app.command("solve", cls=SeveralNumbers)(bench_solve.solve)
