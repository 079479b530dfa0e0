"""make simulate: every strategy on every simulated network, right or wrong, and its time beside the cost model's."""

import json as json_text
import os
import subprocess
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.progress import Progress
from rich.table import Table
from simulate_page import write_page

STRATEGIES = (
    "alltoallv",
    "alltoallw",
    "persistent",
    "datatype",
    "cyclic",
    "pairwise",
    "multistage",
    "shared",
    "hierarchical",
)
NODE_RANKS = 8
# Networks of 8, 32 and 128 nodes, as topology.hpp reads them.
NETWORKS = {
    64: ("fat tree:4,2,2", "dragonfly:2,2,2", "torus:2,2,2"),
    256: ("fat tree:8,4,4", "dragonfly:4,4,2", "torus:4,4,2"),
    1024: ("fat tree:16,8,8", "dragonfly:8,8,2", "torus:8,4,4"),
}
# No process axis divides these: 8192 complex numbers a rank, uneven blocks of 2 to 20 KB.
EXTENTS = {64: (79, 81, 83), 256: (125, 131, 129), 1024: (199, 203, 211)}
GRIDS = {64: (4, 16), 256: (16, 16), 1024: (32, 32)}
PASS_SECONDS = 5e-5
OVERLAP_RANKS, OVERLAP_CHUNKS = 256, 4
OVERLAP_STRATEGIES = ("alltoallv", "persistent", "cyclic")
REDISTRIBUTION_RANKS = 64  # all in one communicator


@dataclass(frozen=True)
class Case:
    """One run of the program: both exchanges of a three-dimensional transform, or one redistribution, and back."""

    strategy: str
    network: str
    ranks: int
    chunks: int = 1
    redistribution: bool = False

    @property
    def topology(self) -> str:
        return self.network.partition(":")[0]

    @property
    def grid(self) -> tuple[int, int]:
        """Ranks that share memory have to be on one node, so there the second process axis is the node."""
        return (self.ranks // NODE_RANKS, NODE_RANKS) if self.strategy == "shared" else GRIDS[self.ranks]

    @property
    def look_seconds(self) -> float:
        """What a look at one message takes: of all of a rank, or of one step; collectives never poll."""
        if self.strategy in ("alltoallv", "alltoallw"):
            return 1e-9
        return 1e-7 if self.strategy in ("persistent", "datatype") else 5e-7

    def arguments(self) -> list[str]:
        words = {"strategy": self.strategy, "chunks": self.chunks, "rounds": 1, "compute": PASS_SECONDS}
        words["redistribution"] = int(self.redistribution)
        words["extents"] = ",".join(map(str, EXTENTS[self.ranks]))
        words["grid"] = ",".join(map(str, self.grid))
        return [self.network, str(self.ranks // NODE_RANKS), str(NODE_RANKS)] + [f"{k}={v}" for k, v in words.items()]


def cases(largest: int) -> list[Case]:
    """All cases of up to `largest` ranks; the long ones come first, so that all processors have work to the end."""
    ranks = sorted((count for count in NETWORKS if count <= largest), reverse=True)
    found = [Case(strategy, net, count) for count in ranks for strategy in STRATEGIES for net in NETWORKS[count]]
    found += [
        Case(strategy, network, REDISTRIBUTION_RANKS, redistribution=True)
        for strategy in STRATEGIES
        for network in NETWORKS[REDISTRIBUTION_RANKS]
        if strategy != "shared"  # its ranks are on several nodes
    ]
    if OVERLAP_RANKS in ranks:
        found += [
            Case(strategy, network, OVERLAP_RANKS, OVERLAP_CHUNKS)
            for strategy in OVERLAP_STRATEGIES
            for network in NETWORKS[OVERLAP_RANKS]
        ]
    return found


def run_case(case: Case, build: Path) -> dict[str, Any]:
    """The case, what the program printed about it, and sums over its exchanges in seconds; `problem` if it failed.

    A pass takes `compute` seconds on either side of an exchange. In one piece they simply add up, and are taken off.
    `modelled` is None for a redistribution.
    """
    command = [str(Path(__file__).parent / "run"), str(build / "tests/simulate"), *case.arguments()]
    environment = os.environ | {"WEFT_LOOK_SECONDS": str(case.look_seconds)}
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    record = asdict(case) | {"topology": case.topology, "grid": case.grid, "right": False, "exchanges": []}
    lines = [line for line in done.stdout.splitlines() if line.startswith("{")]
    if not lines:
        return record | {"problem": (done.stderr or done.stdout).strip()[-2000:]}
    record |= json_text.loads(lines[-1])
    added = case.chunks == 1 and not case.redistribution
    passes = 2 * PASS_SECONDS * len(record["exchanges"]) if added else 0.0
    record["simulated"] = sum(e["forward"] + e["backward"] for e in record["exchanges"]) / 2 - passes
    modelled = sum(e["modelled"] for e in record["exchanges"]) - passes
    return record | {"modelled": None if case.redistribution else modelled}


def run_all(todo: list[Case], build: Path, jobs: int, kept: Path) -> Iterator[dict[str, Any]]:
    """The records of all cases as they come; each is kept in a file at once."""
    with ThreadPoolExecutor(jobs) as pool, kept.open("a") as file:
        for future in as_completed([pool.submit(run_case, case, build) for case in todo]):
            record = future.result()
            file.write(json_text.dumps(record) + "\n")
            file.flush()
            yield record


def _name(record: dict[str, Any]) -> tuple[Any, ...]:
    """What makes a case one of its own, in the order of the tables."""
    strategy = STRATEGIES.index(record["strategy"])
    return record["redistribution"], record["chunks"], record["ranks"], strategy, record["network"]


def _table(records: list[dict[str, Any]]) -> Table:
    table = Table("strategy", "network", "ranks", "chunks", "data")
    for name in ("simulated us", "modelled us", "ratio"):
        table.add_column(name, justify="right")
    for r in records:
        strategy = f"{r['strategy']}, redistribution" if r["redistribution"] else r["strategy"]
        cells = [strategy, r["network"], str(r["ranks"]), str(r["chunks"]), "right" if r["right"] else "WRONG"]
        if r["right"]:
            cells.append(f"{1e6 * r['simulated']:.1f}")
        if r["right"] and r["modelled"] is not None:
            cells += [f"{1e6 * r['modelled']:.1f}", f"{r['simulated'] / r['modelled']:.2f}"]
        table.add_row(*cells)
    return table


def _gathered(todo: list[Case], build: Path, jobs: int, reuse: bool, console: Console) -> list[dict[str, Any]]:
    """Records of all cases; with `reuse` those that an earlier run left are taken from there."""
    kept = build / "simulated.jsonl"
    if not reuse:
        kept.unlink(missing_ok=True)
    old = [json_text.loads(line) for line in kept.read_text().splitlines()] if kept.exists() else []
    left = {_name(asdict(case)): case for case in todo}
    records = [record for record in old if record["right"] and left.pop(_name(record), None)]
    with Progress(console=console, transient=True) as progress:
        task = progress.add_task("simulating", total=len(left))
        for record in run_all(list(left.values()), build, jobs, kept):
            records.append(record)
            progress.update(task, advance=1, description=f"{record['strategy']}, {record['network']}")
    return sorted(records, key=_name)


def _most_jobs(asked: int) -> int:
    """So many simulations that they fit in half of the memory: one of 1024 ranks takes up to 1.4 GB."""
    memory = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE") / 2
    return max(1, min(asked, int(memory / 1.4e9)))


def main(
    build: Annotated[Path, typer.Option(help="Build tree of preset simulate.")] = Path("build-simulate"),
    jobs: Annotated[int, typer.Option(min=1, help="Simulations at the same time, if memory is enough.")] = 2,
    ranks: Annotated[int, typer.Option(help="At most so many ranks: 64, 256 or 1024.")] = 1024,
    docs: Annotated[Path | None, typer.Option(help="Write simulation.md and simulation.svg here.")] = None,
    reuse: Annotated[bool, typer.Option("--reuse", help="Do not repeat what an earlier run of this did.")] = False,
    json: Annotated[bool, typer.Option("--json", help="Print one JSON list and nothing else.")] = False,
) -> None:
    """Run all strategies on simulated fat trees, dragonflies and tori. Exit status 1 if data do not arrive right."""
    if ranks not in NETWORKS:
        raise typer.BadParameter(f"{ranks} is not allowed; give one of {', '.join(map(str, NETWORKS))}")
    console = Console(stderr=json)
    records = _gathered(cases(ranks), build.resolve(), _most_jobs(jobs), reuse, console)
    wrong = [record for record in records if not record["right"]]
    if json:
        print(json_text.dumps(records, indent=1))
    else:
        console.print(_table(records))
    for record in wrong:
        name = f"{record['strategy']}, {record['network']}, {record['ranks']} ranks"
        console.print(f"{name}: {record.get('problem', 'wrong data')}", style="red", markup=False)
    console.print(f"{len(records) - len(wrong)} of {len(records)} cases right")
    if docs is not None and not wrong and ranks == max(NETWORKS):
        write_page(records, docs)
    if wrong:
        raise typer.Exit(1)


if __name__ == "__main__":
    typer.run(main)
