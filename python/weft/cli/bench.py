"""weft bench: timings of Weft and of other libraries."""

import typer

from weft.cli import (
    bench_engine,
    bench_exchange,
    bench_fft,
    bench_halo,
    bench_model,
    bench_page,
    bench_solve,
    bench_tensor,
)
from weft.cli.examples import epilog
from weft.cli.multi_value_options import SeveralNumbers

app = typer.Typer(help="Timings of Weft and of other libraries.", rich_markup_mode=None)
for _name, _kind, _command in (
    ("engine", None, bench_engine.engine),
    ("fft", SeveralNumbers, bench_fft.fft),
    ("exchange", SeveralNumbers, bench_exchange.exchange),
    ("halo", SeveralNumbers, bench_halo.halo),
    ("solve", SeveralNumbers, bench_solve.solve),
    ("page", None, bench_page.page),
    ("tensor", SeveralNumbers, bench_tensor.tensor),
    ("model", SeveralNumbers, bench_model.model),
):
    app.command(_name, cls=_kind, epilog=epilog(f"bench {_name}"))(_command)
