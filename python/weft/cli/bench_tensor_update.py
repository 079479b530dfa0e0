"""The rate of the local update of the tensor transform over block sizes and threads, and of the best zgemm."""

from collections.abc import Sequence
from typing import Any

from rich.table import Table

from weft import _core
from weft.cli.terminal import print_table

DEFAULT_BLOCKS = (32, 64, 96, 128, 192, 256, 384, 512)
WAYS = ("plain", "folded")


def update_rows(
    blocks: Sequence[int], threads: Sequence[int], dtype: str, axis: int = 2, seconds: float = 0.5
) -> list[dict[str, Any]]:
    """A row for every block size, number of threads and variant. GF/s count 8 b^4 flops, folded or not."""
    rows = []
    for count in threads:
        for block in blocks:
            for way in WAYS:
                given: dict[str, Any] = {
                    "block": block,
                    "threads": count,
                    "axis": axis,
                    "dtype": dtype,
                    "seconds": seconds,
                }
                found = _core.tensor_update_rate(**given, folded=way == "folded")
                rows.append(
                    {
                        "name": f"{way}, b = {block}",
                        "way": way,
                        "block": block,
                        "threads": count,
                        "axis": axis,
                        "dtype": dtype,
                        "seconds_min": found["seconds"],
                        "gflops": found["gflops"],
                        "zgemm_gflops": found["best_gflops"],
                        "of_zgemm": found["gflops"] / found["best_gflops"],
                        "transforms_per_second": 1 / found["seconds"],
                        "kernel": found["kernel"],
                        "blas": found["blas"],
                    }
                )
    return rows


def _short(row: dict[str, Any]) -> str:
    return "BLAS" if row["kernel"] == row["blas"] else str(row["kernel"])


def show_updates(rows: list[dict[str, Any]]) -> None:
    """Prints a line for every block size and number of threads."""
    table = Table(title=f"local update, {rows[0]['dtype']}; zgemm of {rows[0]['blas']}", title_justify="left")
    columns = [
        "b",
        "threads",
        "zgemm GF/s",
        "plain ms",
        "plain GF/s",
        "of zgemm",
        "by",
        "folded ms",
        "by",
        "folded/plain",
    ]
    for column in columns:
        table.add_column(column, justify="right")
    for plain, folded in zip(rows[::2], rows[1::2], strict=True):
        table.add_row(
            str(plain["block"]),
            str(plain["threads"]),
            f"{plain['zgemm_gflops']:.1f}",
            f"{plain['seconds_min'] * 1e3:.3f}",
            f"{plain['gflops']:.1f}",
            f"{plain['of_zgemm']:.3f}",
            _short(plain),
            f"{folded['seconds_min'] * 1e3:.3f}",
            _short(folded),
            f"{plain['seconds_min'] / folded['seconds_min']:.2f}",
        )
    print_table(table)
