"""weft bench: timings of Weft beside those of other libraries."""

import typer

from weft.cli import bench_engine, bench_exchange, bench_fft, bench_model, bench_page, bench_solve, bench_tensor
from weft.cli.several import SeveralNumbers

app = typer.Typer(help="Timings, beside those of other libraries.", rich_markup_mode=None)
app.command("engine")(bench_engine.engine)
app.command("fft", cls=SeveralNumbers)(bench_fft.fft)
app.command("exchange", cls=SeveralNumbers)(bench_exchange.exchange)
app.command("solve", cls=SeveralNumbers)(bench_solve.solve)
app.command("page")(bench_page.page)
app.command("tensor", cls=SeveralNumbers)(bench_tensor.tensor)
app.command("model", cls=SeveralNumbers)(bench_model.model)
