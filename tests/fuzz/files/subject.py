"""What a kind of file has to offer to be attacked, and how a file that is neither right nor refused is told."""

import random
from abc import ABC, abstractmethod
from pathlib import Path
from typing import ClassVar

from fuzz.files.mutations import mutate


class Wrong(Exception):
    """A damaged file that was read as something that it does not say."""


class Subject(ABC):
    """Good files of a kind, mutants of them, and the judgement of how one was read."""

    kind: ClassVar[str]
    suffix: ClassVar[str]
    text: ClassVar[bool] = False  # whole words and numbers are exchanged, too
    near: ClassVar[int | None] = None  # bytes from the beginning that are hit more often

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.bases: list[bytes] = []

    def mutant(self, rng: random.Random) -> bytes:
        """The bytes of a damaged file."""
        return mutate(rng, rng.choice(self.bases), text=self.text, near=self.near)

    @abstractmethod
    def read(self, path: Path, data: bytes) -> None:
        """Reads the file. Raises weft.Error where it is refused, Wrong where it should have been."""

    def compare(self, path: Path, data: bytes) -> None:  # noqa: B027
        """Compares what was read with what another reader says, whose own death is no failure. Raises Wrong."""
