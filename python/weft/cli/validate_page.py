"""The report of weft validate as a single HTML file."""

import html
import io
from collections.abc import Sequence

from weft import _build
from weft.cli.validate_curves import Figure
from weft.cli.validate_report import COLUMNS, Tally, cells_of

_STYLE = """
body { font: 16px/1.5 system-ui, sans-serif; max-width: 75rem; margin: 2rem auto; padding: 0 1rem; color: #222; }
table { border-collapse: collapse; } td, th { padding: .15rem .8rem; text-align: right; border-bottom: 1px solid #ddd; }
td:first-child, th:first-child { text-align: left; } code { font-size: 85%; } .bad { color: #b00020; }
figure { margin: 2rem 0; } svg { max-width: 100%; height: auto; }
"""
_FAMILIES = {"lgf": "-", "mehr": "--", "hej": "-."}


def _style(kernel: str) -> str:
    """The line style of a family of kernels."""
    return next((line for prefix, line in _FAMILIES.items() if kernel.startswith(prefix) and kernel != "hej0"), ":")


def draw(drawn: Figure) -> str:
    """An SVG element with errors over cells on logarithmic axes and the fitted slopes."""
    from matplotlib import rc_context
    from matplotlib.figure import Figure as Canvas
    from matplotlib.ticker import NullFormatter

    rows = (len(drawn.panels) + 1) // 2
    canvas = Canvas(figsize=(13, 6.4 * rows), layout="constrained")
    axes = canvas.subplots(rows, 2, sharey=True)
    for ax, panel in zip(axes.flat, drawn.panels, strict=True):
        for i, curve in enumerate(panel.curves):
            fitted = "" if curve.slope is None else f"  {curve.slope:.2f}"
            # Zeros cannot be drawn on a logarithmic axis.
            errors = [max(error, 1e-17) for error in curve.errors]
            label = f"{curve.kernel}{fitted}"
            ax.loglog(curve.cells, errors, _style(curve.kernel), marker="o", ms=3, color=f"C{i % 10}", label=label)
        ax.set_xticks(panel.curves[0].cells, [str(n) for n in panel.curves[0].cells])
        ax.xaxis.set_minor_formatter(NullFormatter())
        ax.set_xlabel("cells per axis")
        ax.set_title(panel.name)
        ax.grid(alpha=0.3)
        place = {"loc": "upper center", "bbox_to_anchor": (0.5, -0.11), "ncols": 4}
        ax.legend(fontsize="small", title="kernel and slope", title_fontsize="small", **place)
    for ax in axes.flat[::2]:
        ax.set_ylabel("largest error")
    canvas.suptitle(drawn.title)
    text = io.StringIO()
    with rc_context({"svg.fonttype": "none", "svg.hashsalt": drawn.title}):
        canvas.savefig(text, format="svg", metadata={"Date": None})
    return text.getvalue()[text.getvalue().index("<svg") :]


def _rows(tally: Tally) -> str:
    head = "".join(f"<th>{html.escape(text)}</th>" for text in ("kernel", *COLUMNS))
    body = "".join(
        f"<tr{' class=bad' if row.failed else ''}>"
        + "".join(f"<td>{html.escape(text)}</td>" for text in (row.kernel, *cells_of(row)))
        + "</tr>"
        for row in (*tally.rows.values(), *tally.families.values())
    )
    return f"<table><tr>{head}</tr>{body}</table>"


def _failures(tally: Tally) -> str:
    if not tally.failures:
        return "<p>No case failed.</p>"
    lines = "".join(
        f"<li><code>{html.escape(line)}</code><br>{html.escape('; '.join(texts))}</li>"
        for line, texts in tally.failures
    )
    return f"<h2 class=bad>Failed</h2><ul>{lines}</ul>"


def page(tally: Tally, drawn: Sequence[Figure]) -> bytes:
    """The page."""
    done = tally.selection
    count = (
        f"{tally.cases} cases, {tally.failed} failed: {len(done.subjects)} combinations of boundaries and centring, "
        f"{len(done.kernels)} kernels, {len(done.strategies)} strategies; {tally.seconds / 60:.1f} minutes on "
        f"{tally.ranks} ranks ({_build.MPI} {_build.MPI_VERSION}, weft {_build.VERSION})."
    )
    parts = [
        "<!doctype html><html lang=en><meta charset=utf-8><title>weft validate</title>",
        f"<style>{_STYLE}</style><h1>weft validate</h1><p>{html.escape(count)}</p>",
        _rows(tally),
        "<p>error / bound: of any point. deviation / tolerance: between the solution and the one that theory predicts, "
        "error included. orders seen: between "
        f"{' and '.join(map(str, done.sizes))} cells; from theory: the largest difference from the predicted "
        "order.</p>",
        _failures(tally),
        *(f"<figure>{draw(figure)}</figure>" for figure in drawn),
        "</html>\n",
    ]
    return "\n".join(parts).encode()
