"""The command lines of weft bench page, by the table that they fill."""

from collections.abc import Sequence
from dataclasses import dataclass

Rows = list[dict]

PEERS = ("fftw-mpi", "fftw-threads", "padded-fftw", "pyfftw", "dtfft")
_TINY = 8
# The names of these rows are strategies, which a single rank does not need.
_BY_STRATEGY = ("transforms", "strategies", "exchanges", "two ranks")
_PAIR = ("-n", "2", "--strategy", "shared,alltoallv", "--in-place")


@dataclass(frozen=True)
class Run:
    """One command line, without its sizes, and the name of its row."""

    table: str  # transforms, one thread, two ranks, threads, strategies, engines, solves or exchanges
    name: str
    command: str  # fft, solve or exchange
    size: tuple[int, ...]
    options: tuple[str, ...]
    peer: str = ""

    def arguments(self, quick: bool, repeat: int, without: Sequence[str] = ()) -> list[str]:
        """The arguments after `weft bench` without omitted peers.

        quick     a tiny size, one timing, and one rank where rows do not need two.
        """
        sizes = [str(_TINY if quick else n) for n in self.size]
        option = "--cells" if self.command == "solve" else "--shape"
        peers = ["--peers", self.peer] if self.peer and self.peer not in without else []
        options = list(self.options)
        if quick and self.table not in _BY_STRATEGY:
            options[options.index("-n") + 1] = "1"
        return [self.command, option, *sizes, *options, *peers, "--repeat", str(1 if quick else repeat)]


def _transforms() -> list[Run]:
    wanted = [
        ("r2c", 256, "double"),
        ("r2c", 128, "double"),
        ("c2c", 256, "double"),
        ("r2c", 256, "float"),
        ("dct2", 256, "double"),
        ("r2c", 250, "double"),
        ("r2c", 243, "double"),
        ("r2c", 210, "double"),
        ("r2c", 127, "double"),
    ]
    return [
        Run(
            "transforms",
            f"{kind} {n}^3" + (", float" if precision == "float" else ""),
            "fft",
            (n, n, n),
            ("--kinds", kind, "--precision", precision, *_PAIR),
            "fftw-mpi",
        )
        for kind, n, precision in wanted
    ]


def _small() -> list[Run]:
    """Small arrays, where a call costs most, compared with FFTW built for the vectors of the processor."""
    one = ("--kinds", "r2c", "-n", "1", "--threads", "1", "--in-place")
    two = ("--kinds", "r2c", *_PAIR)
    return [
        *[Run("one thread", f"r2c {n}^3", "fft", (n, n, n), one, "pyfftw") for n in (16, 32, 64, 128)],
        *[Run("two ranks", f"r2c {n}^3", "fft", (n, n, n), two, "dtfft") for n in (16, 32, 64, 128, 256)],
    ]


def _others() -> list[Run]:
    cube = (256, 256, 256)
    threads = ("--kinds", "r2c", "-n", "1", "--threads", "2", "--in-place")
    every = ("--kinds", "r2c", "-n", "2", "--strategy", "all", "--apply")
    moved = ("--complex", "-n", "2", "--strategy", "shared,alltoallv,alltoallw", "--axes")
    return [
        Run("threads", "r2c 256^3", "fft", cube, threads, "fftw-threads"),
        Run("strategies", "r2c 256^3", "fft", cube, every, "fftw-mpi"),
        *[Run("exchanges", axes, "exchange", cube, (*moved, axes)) for axes in ("y-z", "x-z")],
    ]


def _engines() -> list[Run]:
    """Mixed kinds, one for each axis, by both engines."""
    mixes = ("dct2,dct2,r2c", "dst2,dct2,dct2", "dct1,dst1,dct4", "dct3,dst3,dst4", "dct2,c2c,r2c")
    return [
        Run("engines", mix, "fft", (n, n, n), ("--kinds", mix, "-n", "2", "--engine", "lanes,fftw"))
        for n in (128, 256)
        for mix in mixes
    ]


def _solves() -> list[Run]:
    mixed = [
        ("periodic", (192, 192, 192)),
        ("unbounded unbounded periodic", (192, 192, 192)),
        ("unbounded periodic periodic", (192, 192, 192)),
        ("even-unbounded unbounded unbounded", (128, 128, 128)),
        ("odd even periodic", (192, 192, 192)),
    ]
    free = [("unbounded", (n, n, n)) for n in (96, 128, 192, 256)]
    return [
        Run(
            "solves",
            f"{boundary}, {size[0]}^3",
            "solve",
            size,
            ("--boundary", *boundary.split(), "-n", "2"),
            "padded-fftw",
        )
        for boundary, size in [*free, *mixed]
    ]


def all_runs() -> Sequence[Run]:
    """All runs in their order: the ones that need the quietest machine come first."""
    return [*_solves(), *_transforms(), *_small(), *_others(), *_engines()]
