"""weft bench tensor: the 3-D DFT by products with DFT matrices, compared with FFTs, in its parts, and by a model."""

from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any

import typer

from weft.cli import bench_tensor_contest as contests
from weft.cli import bench_tensor_measure as measure
from weft.cli import bench_tensor_plot as pictures
from weft.cli import bench_tensor_predict as predictions
from weft.cli import bench_tensor_update as updates
from weft.cli.bench_task import TensorTask
from weft.cli.bench_tensor_cost import UPDATE_FLOPS, Method, Model, Network, Processor
from weft.cli.check_cases import PRECISIONS
from weft.cli.check_tensor_runs import ALGORITHMS, KINDS, MATRICES
from weft.cli.options import chosen, numbers, strategies
from weft.cli.output import check_file, write_file
from weft.cli.peers import PEERS
from weft.cli.ranks import communicator
from weft.cli.report import print_json
from weft.errors import Error
from weft.launch import under_launcher

_FOLDINGS = ("auto", "on", "off")
_ELEMENT_BYTES = {"double": 16, "float": 8}
_PARTS = ("--update", "--model", "--overlap", "--predict")
_STRATEGY_HELP = "The FFT's strategies, with commas.  [default: auto,alltoallv]"
_RANKS_HELP = "Numbers of ranks, with commas."
_BLOCKS_HELP = "Block sizes of --update, --model and --overlap, with commas."
_NETWORK_HELP = "For --predict: seconds per message, seconds per byte, factor of the latter if all ranks exchange."
_SPEED_HELP = "For --predict: flops per second and rank of the update and of the FFT."


def tensor(
    shape: Annotated[str, typer.Option(metavar="NX NY NZ", help="Points per axis.")] = "128 128 128",
    kinds: Annotated[str, typer.Option(help="c2c or r2c.")] = "c2c",
    ranks: Annotated[str, typer.Option("-n", "--ranks", help=_RANKS_HELP)] = "1",
    mesh: Annotated[str | None, typer.Option(metavar="P Q R", help="Mesh of ranks.  [default: cubic]")] = None,
    algorithm: Annotated[str, typer.Option(help=f"With commas: {', '.join(ALGORITHMS)}.")] = ALGORITHMS[0],
    matrix: Annotated[str, typer.Option(help=f"With commas: {', '.join(MATRICES)}.")] = MATRICES[0],
    folding: Annotated[str, typer.Option(help=f"With commas: {', '.join(_FOLDINGS)}.")] = _FOLDINGS[0],
    message_thread: Annotated[bool, typer.Option("--message-thread", help="A separate thread for messages.")] = False,
    strategy: Annotated[list[str] | None, typer.Option(help=_STRATEGY_HELP)] = None,
    peers: Annotated[str, typer.Option(help=f"Other libraries to time, with commas: {', '.join(PEERS)}.")] = "",
    precision: Annotated[str, typer.Option(help="double or float.")] = "double",
    threads: Annotated[str, typer.Option(help="Threads per rank; several with commas for --update.")] = "1",
    repeat: Annotated[int, typer.Option(min=1, help="At least this many timings of each.")] = 10,
    update: Annotated[bool, typer.Option("--update", help="Time the local update, and the best zgemm.")] = False,
    model: Annotated[bool, typer.Option("--model", help="Fit event and update: which blocks hide messages.")] = False,
    overlap: Annotated[bool, typer.Option("--overlap", help="Time products, their events and their updates.")] = False,
    predict: Annotated[bool, typer.Option("--predict", help="Predict tensor transform and FFT on a network.")] = False,
    blocks: Annotated[str | None, typer.Option(help=_BLOCKS_HELP)] = None,
    network: Annotated[str, typer.Option(metavar="TS,TW[,KAPPA]", help=_NETWORK_HELP)] = "2e-6,1e-10",
    speed: Annotated[str, typer.Option(metavar="GEMM,FFT", help=_SPEED_HELP)] = "5e10,5e9",
    plot: Annotated[Path | None, typer.Option(metavar="FILE", help="Draw a picture (PNG or SVG).")] = None,
    json: Annotated[bool, typer.Option("--json", help="Print a JSON list of rows.")] = False,
) -> None:
    """Time tensor transforms and FFTs, forward + backward in alternating turns; or time or predict their parts."""
    given = dict(locals())
    wanted = [name for name, asked in zip(_PARTS, (update, model, overlap, predict), strict=True) if asked]
    if len(wanted) > 1:
        raise Error(f"{wanted[0]} and {wanted[1]} exclude each other; give one of {', '.join(_PARTS)}, or none")
    chosen(precision, "--precision", tuple(PRECISIONS), ())
    pictures.picture_format(plot)
    check_file(plot, "--plot")
    runs: dict[str, Callable[..., None]] = {
        "--update": _update,
        "--model": _model,
        "--overlap": _overlap,
        "--predict": _predict,
    }
    runs.get("".join(wanted), _contest)(**given)


def _shape(text: str) -> tuple[int, ...]:
    sizes = numbers(text.replace(" ", ","), "--shape", "64 64 64")
    if len(sizes) != 3:
        raise Error(f"--shape: {len(sizes)} numbers are given; a tensor transform has 3 axes, such as 64 64 64")
    return sizes


def _one(text: str, option: str) -> int:
    """A single integer, for uses of an option that take only one."""
    found = numbers(text, option, "2")
    if len(found) != 1:
        raise Error(f"{option}: {text!r} is several numbers; give one here")
    return found[0]


def _alone(option: str) -> None:
    if under_launcher():
        raise Error(f"weft bench tensor{option}: run it without mpiexec")


def _contest(*, ranks: str, mesh: str | None, plot: Path | None, json: bool, **given: Any) -> None:
    _alone(", which starts its ranks itself with -n RANKS")
    counts = numbers(ranks, "--ranks", "1,2,8")
    cuts = () if mesh is None else numbers(mesh, "--mesh", "2 2 2")
    chosen(given["kinds"], "--kinds", KINDS, ())
    threads = _one(given["threads"], "--threads")
    task = TensorTask(_shape(given["shape"]), given["kinds"], counts[0], threads, given["precision"], cuts)
    variants = contests.variants(
        chosen(given["algorithm"], "--algorithm", ALGORITHMS, ()),
        chosen(given["matrix"], "--matrix", MATRICES, ()),
        chosen(given["folding"], "--folding", _FOLDINGS, ()),
        given["message_thread"],
    )
    ways = tuple(strategies(given["strategy"], "auto,alltoallv"))
    rivals = tuple(chosen(given["peers"] or None, "--peers", tuple(PEERS), ()))
    contest = contests.Contest(task, counts, variants, ways, rivals, given["repeat"])
    rows = contest.rows()
    contests.draw(contest, rows, plot)
    print_json(rows) if json else contests.show(contest, rows)


def _update(*, threads: str, precision: str, blocks: str | None, plot: Path | None, json: bool, **_: Any) -> None:
    _alone(" --update, which works on one process")
    sizes = updates.DEFAULT_BLOCKS if blocks is None else numbers(blocks, "--blocks", "64,128")
    counts = numbers(threads, "--threads", "1,2")
    rows = updates.update_rows(sizes, counts, PRECISIONS[precision])
    kind = pictures.picture_format(plot)
    write_file(plot, "--plot", lambda file: pictures.update_picture(rows, file, kind))
    print_json(rows) if json else updates.show_updates(rows)


def _predict(
    *,
    shape: str,
    folding: str,
    matrix: str,
    network: str,
    speed: str,
    precision: str,
    plot: Path | None,
    json: bool,
    **_: Any,
) -> None:
    _alone(" --predict, which works on one process")
    sizes = _shape(shape)
    if len(set(sizes)) != 1:
        raise Error(f"--shape: {shape} is not a cube, which --predict needs; give for example 256 256 256")
    flops = UPDATE_FLOPS["plain" if folding == "off" else "folded"]
    model = Model(
        Network(*predictions.positive(network, "--network", (2, 3), "2e-6,1e-10")),
        Processor(*predictions.positive(speed, "--speed", (2,), "5e10,5e9")),
        Method(flops, messages=1 if matrix == "own" else 2),
        _ELEMENT_BYTES[precision],
    )
    rows = predictions.prediction(sizes[0], model)
    kind, title = pictures.picture_format(plot), f"{sizes[0]}^3, one transform, closed form"
    write_file(plot, "--plot", lambda file: pictures.prediction_picture(rows, title, file, kind))
    print_json(rows) if json else predictions.show_prediction(sizes[0], rows)


def _measured(option: str, run: Callable[[measure.Steps, tuple[int, ...]], Any], given: dict[str, Any]) -> list[Any]:
    """The rows measured by a job for each number of ranks. In such a job rank 0 prints its rows, and the job ends."""
    blocks, mesh, threads = given["blocks"], given["mesh"], _one(given["threads"], "--threads")
    sizes = measure.DEFAULT_BLOCKS if blocks is None else numbers(blocks, "--blocks", "16,32,48,64,96")
    if option == "--model" and len(set(sizes)) < 5:
        text = f"--blocks: {blocks} is {len(set(sizes))} sizes"
        raise Error(f"{text}; a quartic needs 5 or more, such as 16,32,48,64,96")
    counts = numbers(given["ranks"], "--ranks", "2,8")
    if under_launcher():
        comm = communicator(_one(given["ranks"], "--ranks"))
        cuts = measure.mesh_of(comm.size) if mesh is None else numbers(mesh, "--mesh", "2 2 2")
        steps = measure.Steps(comm, cuts, threads, given["folding"] == "on", PRECISIONS[given["precision"]])
        rows = run(steps, sizes)
        if comm.rank == 0:
            print_json(rows)
        raise typer.Exit(0)
    arguments = [option, "--threads", str(threads), "--blocks", ",".join(map(str, sizes))]
    arguments += [word for name in ("folding", "precision", "repeat") for word in (f"--{name}", str(given[name]))]
    return measure.collected(counts, [*arguments, *([] if mesh is None else ["--mesh", mesh])])


def _model(*, plot: Path | None, json: bool, **given: Any) -> None:
    models = _measured("--model", lambda steps, sizes: [steps.model(sizes)], given)
    kind = pictures.picture_format(plot)
    write_file(plot, "--plot", lambda file: pictures.model_picture(models, file, kind))
    print_json(models) if json else measure.show_models(models)


def _overlap(*, plot: Path | None, json: bool, **given: Any) -> None:
    if plot is not None:
        raise Error("--plot: --overlap has no picture; omit --plot")
    repeat = given["repeat"]
    rows = _measured("--overlap", lambda steps, sizes: [steps.overlap(block, repeat) for block in sizes], given)
    print_json(rows) if json else measure.show_overlap(rows)
