"""What the contenders of weft bench fft, tensor and solve have to do, as plain data."""

from dataclasses import dataclass
from typing import ClassVar

_BYTES = {"double": 8, "float": 4}


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
        """Bytes of an element of the physical array: complex where a c2c axis comes without r2c."""
        kinds = self.kinds.split(",")
        return _BYTES[self.precision] * (2 if "c2c" in kinds and "r2c" not in kinds else 1)


@dataclass(frozen=True)
class SolveTask:
    """A Poisson problem: laplacian(u) = f. One entry per axis."""

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

    @property
    def shape(self) -> tuple[int, ...]:
        """Points per axis."""
        return tuple(n + (word == "node") for n, word in zip(self.cells, self.centring, strict=True))

    @property
    def element_bytes(self) -> int:
        """Bytes of a point."""
        return _BYTES[self.precision]

    @property
    def boundary_text(self) -> str:
        """The boundaries as they are asked for: one word where all axes and ends are alike."""
        words = [left if left == right else f"{left}-{right}" for left, right in self.boundary]
        return words[0] if len(set(words)) == 1 else " ".join(words)


@dataclass(frozen=True)
class Variant:
    """A way in which Weft can do it."""

    strategy: str
    engine: str
    in_place: bool
    apply: bool  # time plan.apply, too
    chunks: int = 1
    may_refuse: bool = False  # nobody asked for it by name

    @property
    def tag(self) -> str:
        """A name for files."""
        return f"weft-{self.strategy}-{self.engine}-{self.chunks}" + ("-in-place" if self.in_place else "")

    def name(self, strategy: str) -> str:
        """A name for people, with the strategy that is in use."""
        parts = [
            f"weft {strategy}",
            *([] if self.engine == "auto" else [self.engine]),
            *([] if self.chunks == 1 else [f"{self.chunks} chunks"]),
            *(["in place"] if self.in_place else []),
        ]
        return ", ".join(parts)


@dataclass(frozen=True)
class TensorTask(Task):
    """The same transforms by products with DFT matrices; the grid is the mesh of ranks."""

    worker: ClassVar[str] = "weft.cli.bench_tensor_worker"


@dataclass(frozen=True)
class TensorVariant:
    """A variant of the tensor transform."""

    algorithm: str
    matrix: str
    folding: str
    communication_thread: bool = False
    may_refuse: bool = False  # nobody asked for it by name

    @property
    def tag(self) -> str:
        """A name for files."""
        return f"tensor-{self.algorithm}-{self.matrix}-{self.folding}" + ("-thread" * self.communication_thread)

    def name(self, strategy: str) -> str:
        """A name for people."""
        parts = [
            f"{strategy} {self.algorithm}",
            *([] if self.matrix == "circulate" else ["own matrix"]),
            *([] if self.folding == "auto" else [f"folding {self.folding}"]),
            *(["communication thread"] if self.communication_thread else []),
        ]
        return ", ".join(parts)


@dataclass(frozen=True)
class Round:
    """Where the files appear that start a contender's turns, and how many timings a turn has."""

    folder: str
    tag: str
    repeats: int
