"""Writes docs/clients.md: programs that exist already, each with its own library and with Weft.

python -m clients --mpich BUILD [--openmpi BUILD] [--part quick] [--only NAME ...] [--out FILE]; make clients builds and
calls it.
"""

import argparse
import platform
import subprocess
import sys
import time
from collections.abc import Sequence
from datetime import date
from pathlib import Path

from clients import (
    fftw_bench,
    fluid,
    flups,
    mpb,
    mpi4py_fft_tests,
    petsc,
    pmesh_tests,
    shenfun_tests,
    spectraldns_tests,
    xmds,
)
from clients.contest import TURNS, ClientError, Missing, Row, Setting

_CLIENTS = {
    "fftw-bench": fftw_bench,
    "mpb": mpb,
    "petsc": petsc,
    "xmds2": xmds,
    "mpi4py-fft": mpi4py_fft_tests,
    "shenfun": shenfun_tests,
    "spectraldns": spectraldns_tests,
    "fluidfft": fluid,
    "pmesh": pmesh_tests,
    "flups": flups,
}
# The quick part takes less than 90 seconds, what is installed included.
_PARTS = {"all": tuple(_CLIENTS), "own": ("mpi4py-fft", "fluidfft", "pmesh"), "quick": ("mpi4py-fft", "fluidfft")}
_LIBRARY = "src/libweft_fftw3_mpi.so"
_BEGIN, _END = "<!-- clients: begin -->", "<!-- clients: end -->"


def main() -> int:
    """Runs the programs and writes the page; the status is 1 if one of them failed."""
    parser = argparse.ArgumentParser(prog="make clients", description=__doc__.splitlines()[0])
    parser.add_argument("--mpich", type=Path, required=True, help="the build tree of the library for MPICH")
    parser.add_argument("--openmpi", type=Path, help="the build tree of the library for Open MPI, for --part all")
    parser.add_argument("--scratch", type=Path, required=True, help="a folder for sources and for what is built")
    text = "own: own tests with Weft alone; quick: some of them"
    parser.add_argument("--part", choices=list(_PARTS), default="all", help=text)
    parser.add_argument("--only", nargs="*", choices=list(_CLIENTS), help="these programs; all of the part")
    parser.add_argument("--ranks", type=int, default=2, help="of the programs that are timed")
    parser.add_argument("--out", type=Path, help="the page whose table is replaced; none: print it")
    given = parser.parse_args()
    if given.openmpi is None and given.part == "all":
        parser.error("--openmpi is not given, and --part all needs it; give the build tree, or --part own or quick")
    given.scratch.mkdir(parents=True, exist_ok=True)
    builds = {"mpich": given.mpich, "openmpi": given.openmpi}
    libraries = {mpi: (build / _LIBRARY).resolve() for mpi, build in builds.items() if build is not None}
    setting = Setting(libraries, given.scratch.resolve(), given.ranks, given.part)
    found, failed = _run(setting, given.only or _PARTS[given.part])
    text = _table(found, given.ranks)
    if given.out is None:
        print(text)
    elif not failed:
        before, _, rest = given.out.read_text(encoding="utf-8").partition(_BEGIN)
        given.out.write_text(f"{before}{_BEGIN}\n{text}\n{_END}{rest.partition(_END)[2]}", encoding="utf-8")
        print(f"written: {given.out}")
    return 1 if failed else 0


def _run(setting: Setting, names: Sequence[str]) -> tuple[list[Row], bool]:
    """The rows of these programs, and whether one of them failed.

    One that cannot be had has a row that says so. A part that is there to test changes fails then.
    """
    found: list[Row] = []
    failed = False
    for name in names:
        print(f"{name} ...", file=sys.stderr, flush=True)
        began = time.perf_counter()
        try:
            _install(_CLIENTS[name].PACKAGES)
            found += _CLIENTS[name].rows(setting)
        except Missing as missing:
            found.append(Row(name, "-", f"not run: {missing}"))
            failed = failed or setting.part != "all"
        except ClientError as error:
            print(f"{name}: {error}", file=sys.stderr, flush=True)
            failed = True
        print(f"{name}: {time.perf_counter() - began:.0f} s", file=sys.stderr, flush=True)
    return found, failed


def _install(packages: tuple[str, ...]) -> None:
    """Installs Debian's packages that are missing. Raises Missing if that is not possible."""
    missing = [
        name for name in packages if subprocess.run(["dpkg", "-s", name], capture_output=True, check=False).returncode
    ]
    if missing and subprocess.run(["apt-get", "install", "-y", "-qq", *missing], check=False).returncode:
        raise Missing(f"apt-get install {' '.join(missing)} failed")


def _table(rows: list[Row], ranks: int) -> str:
    cells = [
        [
            row.program,
            row.version,
            row.what,
            row.tests or "-",
            "-" if row.original is None else f"{row.original:.2f}",
            "-" if row.weft is None else f"{row.weft:.2f}",
            row.agreement or "-",
        ]
        for row in rows
    ]
    head = ["program", "version", "what ran", "own tests passed", "its own library, s", "Weft, s", "same results"]
    lines = [head, ["---", "---", "---", "---", "---:", "---:", "---"], *cells]
    table = "\n".join(f"| {' | '.join(line)} |" for line in lines)
    when, machine = date.today().isoformat(), _processor()
    return (
        f"Written by `make clients` on {when}, {machine}: {ranks} ranks where seconds are given, fastest of {TURNS} "
        f"runs of the whole program, in turns, unless the row says otherwise.\n\n{table}"
    )


def _processor() -> str:
    for line in Path("/proc/cpuinfo").read_text().splitlines():
        if line.startswith("model name"):
            return line.partition(":")[2].strip()
    return platform.processor()


if __name__ == "__main__":
    sys.exit(main())
