"""The cases of weft validate: boundaries, centring, kernel, cells and strategy, as data and as a line of text."""

import itertools
from collections.abc import Sequence
from dataclasses import dataclass

from weft.cli.validate_exact import PAIRS
from weft.errors import Error

STRATEGIES = ("alltoallv", "persistent", "datatype", "shared")
CENTRINGS = ("cell", "node")
# The order is observed between these sizes. The first size has all strategies, the second one of them in turn.
SIZES = (20, 28)
_WORDS = {"P": "periodic", "E": "even", "O": "odd", "U": "unbounded"}


def boundary_words(pairs: Sequence[str]) -> list[tuple[str, str]]:
    """The boundaries in the words of the library."""
    return [(_WORDS[pair[0]], _WORDS[pair[1]]) for pair in pairs]


@dataclass(frozen=True)
class Subject:
    """Boundaries and centring, for which all kernels and strategies are tested."""

    pairs: tuple[str, ...]
    centring: str
    number: int = 0  # selects the strategy of the second size


@dataclass(frozen=True)
class Selection:
    """The selected cases."""

    subjects: tuple[Subject, ...]
    kernels: tuple[str, ...]
    strategies: tuple[str, ...] = STRATEGIES
    sizes: tuple[int, ...] = SIZES

    @property
    def cases(self) -> int:
        """The number of cases: boundaries times centrings times kernels times strategies."""
        return len(self.subjects) * len(self.kernels) * len(self.strategies)


def case_text(kernel: str, subject: Subject, cells: int, strategy: str) -> str:
    """One case in the form for --case."""
    return f"{kernel} {subject.centring} {' '.join(subject.pairs)} {cells} {strategy}"


def parse_case(text: str, known: Sequence[str]) -> Selection:
    """The selection of one case, which is compared with the first strategy. Raises Error for a wrong text."""
    example = 'write for example --case "hej6 node UU OE EU 20 persistent"'
    words = text.split()
    pairs = tuple(word for word in words if word in PAIRS)
    if len(words) != len(pairs) + 4 or len(pairs) not in (2, 3):
        raise Error(f"--case: {text!r} is not kernel, centring, two or three boundaries, cells and strategy; {example}")
    kernel, centring, cells, strategy = words[0], words[1], words[-2], words[-1]
    for word, allowed in ((kernel, known), (centring, CENTRINGS), (strategy, STRATEGIES)):
        if word not in allowed:
            raise Error(f"--case: unknown name {word!r} in {text!r}; allowed are {', '.join(allowed)}")
    if tuple(words[2:-2]) != pairs:
        raise Error(f"--case: {text!r} has another order; {example}")
    if not cells.isdecimal() or not 16 <= int(cells) <= 64:
        raise Error(f"--case: {cells!r} cells in {text!r}; 16 to 64 resolve the sources and are fast")
    # The order is known at the larger of the two sizes.
    sizes = tuple(size for size in SIZES if size < int(cells) and int(cells) in SIZES) + (int(cells),)
    strategies = tuple(dict.fromkeys((STRATEGIES[0], strategy)))
    return Selection((Subject(pairs, centring, len(strategies) - 1),), (kernel,), strategies, sizes)


def everything(kernels: Sequence[str]) -> Selection:
    """All boundaries in three and two dimensions."""
    pairs = [p for dims in (3, 2) for p in itertools.product(PAIRS, repeat=dims)]
    found = [Subject(p, centring, i + j) for i, p in enumerate(pairs) for j, centring in enumerate(CENTRINGS)]
    return Selection(tuple(found), tuple(kernels))


def quick(kernels: Sequence[str]) -> Selection:
    """A sample: every 29th subject includes every pair of boundaries on every axis, and both centrings."""
    whole = everything(kernels)
    return Selection(whole.subjects[::29], whole.kernels)
