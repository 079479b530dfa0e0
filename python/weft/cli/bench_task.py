"""What the contenders of weft bench fft have to do, as plain data."""

from dataclasses import dataclass

_BYTES = {"double": 8, "float": 4}


@dataclass(frozen=True)
class Task:
    """Forward and backward transforms of one array. An empty grid leaves the choice to the contender."""

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
class Round:
    """Where the files appear that start a contender's turns, and how many timings a turn has."""

    folder: str
    tag: str
    repeats: int
