"""weft calibrate: measures the elementary times of this machine and writes a machine file."""

import os
import sys
from contextlib import suppress
from pathlib import Path
from typing import Annotated, Any

import typer

from weft import _core
from weft._arguments import together
from weft._mpi import MPI
from weft._text import wrapped
from weft.cli.output import check_file, replace_file
from weft.cli.ranks import communicator
from weft.cli.report import print_json
from weft.errors import Error, FileError
from weft.launch import under_launcher

_RANKS_HELP = "Start this many ranks.  [default: as many as cores]"
_HOSTS_HELP = "Start them on these hosts, h1,h2 or h1:2,h2:2, and measure the network between them."
_OUT_HELP = "The file.  [default: ~/.config/weft/machine.toml, which plans and weft predict use]"


def calibrate(
    ranks: Annotated[int | None, typer.Option("-n", "--ranks", min=1, help=_RANKS_HELP)] = None,
    hosts: Annotated[str | None, typer.Option(metavar="HOST,HOST...", help=_HOSTS_HELP)] = None,
    out: Annotated[Path | None, typer.Option(metavar="FILE", help=_OUT_HELP)] = None,
    turns: Annotated[int, typer.Option(min=1, help="Timings of each operation; the fastest counts.")] = 15,
    quick: Annotated[bool, typer.Option("--quick", help="Small arrays only, for a first impression.")] = False,
    json: Annotated[bool, typer.Option("--json", help="Print one JSON object and nothing else.")] = False,
) -> None:
    """Measure flops, copies and messages (about half a minute on a quiet machine) and write them to a machine file."""
    # An existing file may be damaged; it is going to be replaced.
    os.environ["WEFT_MACHINE"] = ""
    if hosts is not None:
        places = [] if under_launcher() else _places(hosts, ranks)
        comm = communicator(ranks or sum(int(place.partition(":")[2] or 1) for place in places) or None, hosts=places)
    elif ranks is None and not under_launcher():
        ranks = len(os.sched_getaffinity(0))
        comm = communicator(ranks, [*sys.argv[1:], "-n", str(ranks)])
    else:
        comm = communicator(ranks)
    path = _path(comm, out)
    progress = _say if comm.rank == 0 and not json else None
    text = _core.calibrate(MPI._addressof(comm), turns, quick, progress)
    with together(comm):
        if comm.rank == 0:
            try:
                replace_file(path, lambda file: file.write(text.encode()))
            except OSError as error:
                words = f"--out: {path} cannot be written: {error.strerror or error}; name another file"
                raise FileError(words) from error
    if comm.rank == 0:
        _report(path, _core.machine_facts(text), json)


def _places(hosts: str, ranks: int | None) -> list[str]:
    """The hosts with their numbers of ranks, in order: the given numbers, or equal numbers on each host."""
    names = hosts.split(",")
    for name in names:
        host, _, number = name.partition(":")
        if not host or host.startswith("-") or any(c.isspace() for c in name) or (":" in name and not number.isdigit()):
            raise Error(f"--hosts: '{hosts}' is not a list of hosts; give names with commas: h1,h2 or h1:2,h2:2")
    if ranks is None or any(":" in name for name in names):
        return names
    if ranks % len(names) != 0:
        raise Error(f"-n: {ranks} ranks cannot be shared equally by {len(names)} hosts; give a multiple, or h1:2,h2:1")
    return [f"{name}:{ranks // len(names)}" for name in names]


def _path(comm: MPI.Intracomm, out: Path | None) -> Path:
    """The file to write. Its folder must exist; the folder of the default file is made. Collective."""
    path = out or Path(_core.standard_machine_path() or "machine.toml")
    with together(comm):
        if comm.rank == 0:
            try:
                if out is None:
                    path.parent.mkdir(parents=True, exist_ok=True)
                check_file(path, "--out")
            except OSError as error:
                words = f"--out: {path.parent} cannot be made: {error.strerror or error}; give --out FILE"
                raise FileError(words) from error
    return path


def _say(what: str) -> None:
    with suppress(OSError):
        print(f"measuring {what}", file=sys.stderr, flush=True)


def _report(path: Path, facts: dict[str, Any], json: bool) -> None:
    if json:
        print_json({"file": str(path)} | facts)
        return
    print(f"{facts['name']}, {facts['node_cores']} ranks a node")
    print(f"t_c {facts['t_c'] * 1e9:.4g} ns a flop ({1e-9 / facts['t_c']:.4g} GF/s a rank at the best length)")
    for name, label in (("t_a", "one rank"), ("t_a_together", "all ranks")):
        speed = 16e-9 / facts[name]
        print(f"t_a {facts[name] * 1e9:.4g} ns a word copied, {label} at work ({speed:.4g} GB/s loaded and stored)")
    print(f"of arithmetic and memory the shorter is hidden to {facts['hidden']:.0%}")
    for name, label in (("_inside", "inside a node"), ("", "between nodes")):
        print(f"t_w {facts['t_w' + name] * 1e9:.4g} ns a word, t_s {facts['t_s' + name] * 1e6:.4g} us, {label}")
    if facts["strategies"]:
        print(f"the link of a node carries {facts['link'] * 1e-9:.4g} GB/s; the part used, and the part overlapped:")
    for name, (speed, overlapped) in facts["strategies"].items():
        print(f"  {name:<13}{speed:5.0%}{overlapped:6.0%}")
    print(wrapped(facts["fitted"]))
    print(f"written: {path}")
