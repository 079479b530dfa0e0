"""The tasks of the contenders of weft bench fft, tensor and solve, as plain data."""

from dataclasses import dataclass
from itertools import dropwhile
from typing import ClassVar

# The kernels whose waves are exact if no axis is unbounded.
_EXACT_KERNELS = ("chat2", "truncated", "igf", "hej0")
_BYTES = {"double": 8, "float": 4}


def batch_and_kind(kinds: str) -> tuple[int, str]:
    """Leading axes of kind none, and the kinds of the others: one word, as "r2c" of rfftn, if there is one."""
    words = kinds.split(",")
    others = list(dropwhile(lambda word: word == "none", words))
    rfftn = len(others) > 1 and others[-1] == "r2c" and set(others[:-1]) == {"c2c"}
    alike = len(set(others)) == 1 and not (len(others) > 1 and others[0] == "r2c")
    return len(words) - len(others), others[-1] if rfftn or alike else ",".join(others)


@dataclass(frozen=True)
class Task:
    """Forward and backward transforms of one array. An empty grid leaves the choice to the contender."""

    work: ClassVar[str] = "pair"
    worker: ClassVar[str] = "weft.cli.bench_worker"

    shape: tuple[int, ...]
    kinds: str
    ranks: int
    threads: int
    precision: str = "double"
    grid: tuple[int, ...] = ()

    @property
    def element_bytes(self) -> int:
        """Bytes of an element of the physical array, which is complex if there is a c2c axis and no r2c axis."""
        kinds = self.kinds.split(",")
        return _BYTES[self.precision] * (2 if "c2c" in kinds and "r2c" not in kinds else 1)


@dataclass(frozen=True)
class SolveTask:
    """A Poisson problem: laplacian(u) = f. One entry per axis.

    stretched   the axis that is not transformed, with narrow cells at its ends; None: no axis is.
    centring    one axis may have "chebyshev" points.
    order       order of the differences along this axis.
    ends        also time solves with values at the ends that take them.
    """

    work: ClassVar[str] = "solve"
    worker: ClassVar[str] = "weft.cli.bench_solve_worker"

    cells: tuple[int, ...]
    length: tuple[float, ...]
    boundary: tuple[tuple[str, str], ...]
    centring: tuple[str, ...]
    kernel: str
    ranks: int
    threads: int
    precision: str = "double"
    stretched: int | None = None
    order: int = 2
    ends: bool = False

    @property
    def taking(self) -> list[int]:
        """The axes whose ends take values: the stretched or Chebyshev one, others by differences or exact waves."""
        solved = [axis for axis, word in enumerate(self.centring) if word == "chebyshev" or axis == self.stretched]
        closed = [axis for axis, pair in enumerate(self.boundary) if set(pair) <= {"even", "odd"}]
        exact = not solved and not any("unbounded" in pair for pair in self.boundary)
        others = self.kernel == "lgf2" or (exact and self.kernel in _EXACT_KERNELS)
        return [axis for axis in closed if axis in solved or others]

    @property
    def shape(self) -> tuple[int, ...]:
        """Points per axis."""
        return tuple(n + (word != "cell") for n, word in zip(self.cells, self.centring, strict=True))

    @property
    def element_bytes(self) -> int:
        """Bytes of a point."""
        return _BYTES[self.precision]

    @property
    def boundary_text(self) -> str:
        """The boundaries as a text, one word if all axes and ends are alike."""
        words = [left if left == right else f"{left}-{right}" for left, right in self.boundary]
        return words[0] if len(set(words)) == 1 else " ".join(words)


@dataclass(frozen=True)
class Variant:
    """A variant of Weft for a task."""

    strategy: str
    engine: str
    in_place: bool
    apply: bool  # also time plan.apply
    chunks: int = 1
    may_refuse: bool = False  # the user did not request it by name

    @property
    def tag(self) -> str:
        """A name for files."""
        return f"weft-{self.strategy}-{self.engine}-{self.chunks}" + ("-in-place" if self.in_place else "")

    def name(self, strategy: str) -> str:
        """A name for tables, with the strategy in use."""
        parts = [
            f"weft {strategy}",
            *([] if self.engine == "auto" else [self.engine]),
            *([] if self.chunks == 1 else [f"{self.chunks} chunks"]),
            *(["in place"] if self.in_place else []),
        ]
        return ", ".join(parts)


@dataclass(frozen=True)
class TensorTask(Task):
    """Transforms by products with DFT matrices. The grid is the mesh of ranks."""

    worker: ClassVar[str] = "weft.cli.bench_tensor_worker"


@dataclass(frozen=True)
class TensorVariant:
    """A variant of the tensor transform."""

    algorithm: str
    matrix: str
    folding: str
    communication_thread: bool = False
    may_refuse: bool = False  # the user did not request it by name

    @property
    def tag(self) -> str:
        """A name for files."""
        return f"tensor-{self.algorithm}-{self.matrix}-{self.folding}" + ("-thread" * self.communication_thread)

    def name(self, strategy: str) -> str:
        """A name for tables."""
        parts = [
            f"{strategy} {self.algorithm}",
            *([] if self.matrix == "circulate" else ["own matrix"]),
            *([] if self.folding == "auto" else [f"folding {self.folding}"]),
            *(["communication thread"] if self.communication_thread else []),
        ]
        return ", ".join(parts)


@dataclass(frozen=True)
class Round:
    """The folder of the files that start the turns of a contender, and the number of timings per turn."""

    folder: str
    tag: str
    repeats: int
