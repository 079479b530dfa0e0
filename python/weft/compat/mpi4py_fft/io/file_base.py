"""FileBase of mpi4py-fft: the common base of HDF5File and NCFile."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

from mpi4py import MPI

from weft._arguments import together
from weft.compat.mpi4py_fft.io._parts import Part, at_root, components, file_errors
from weft.errors import Error

if TYPE_CHECKING:
    from weft.compat.mpi4py_fft.distarray import DistArray

comm = MPI.COMM_WORLD  # a public name of this module


class FileBase(ABC):
    """The base of file classes, which say how one array is written and read.

    filename  the name of the file.
    domain    per axis a pair, or an array of positions; None is 0 to 2 pi for all.

    f is the file of h5py or netCDF4 between open() and close(), else None. write and read open the file themselves.
    """

    def __init__(self, filename: Any = None, domain: Any = None) -> None:
        self.f: Any = None
        self.filename, self.domain = filename, domain

    def open(self, mode: str = "r+") -> None:
        """Opens the file as f on every rank of COMM_WORLD, to read it; one rank alone may change it. Collective.

        mode  "r", or "r+" and "a" to change the file. Several ranks get "r", except for the attributes of an HDF5 file,
              which all ranks have to set alike: without a parallel HDF5 only one process at a time can change a file,
              as in write().
        """
        if mode not in ("r", "r+", "a"):
            raise Error(f"mode: {mode!r} is not possible; give r, r+ or a")
        self.close()
        with together(MPI.COMM_WORLD), file_errors(self.filename, "it cannot be opened"):
            self.f = self._opened(mode) if MPI.COMM_WORLD.size == 1 else self._opened_by_all(mode)

    def close(self) -> None:
        """Closes the file that open() has opened, if any. Collective: no rank changes a file that another still has."""
        file, self.f = self.f, None
        if file is None:
            return
        if MPI.COMM_WORLD.rank > 0:
            file.close()
        MPI.COMM_WORLD.Barrier()
        at_root(MPI.COMM_WORLD, self.filename, file.close)

    @staticmethod
    @abstractmethod
    def backend() -> str:
        """The kind of the file."""

    def write(self, step: int, fields: dict[str, Any], as_scalar: bool = False, **_: Any) -> None:
        """Writes arrays and slices of global arrays as one step. Other options have no effect, as there. Collective.

        fields     name: list of DistArrays and of pairs of a DistArray and a list with an index or slice(None) per axis
                   (without tensor indices).
        as_scalar  whether components of tensors are written under separate names, such as U0, U1, U2.
        """
        self.close()
        for name, u, chosen in _listed(fields, as_scalar):
            self._write_one(name, u, Part(u, chosen), step)

    def read(self, u: "DistArray", name: str, step: int = 0, **_: Any) -> None:
        """Reads a whole array into u. It may have been written in another distribution. Collective."""
        self.close()
        with together(u.pencil.comm), file_errors(self.filename, "it cannot be read"):
            self._read_part(u, name, step)

    def _make(self, work: Callable[[], None]) -> None:
        """Calls work on rank 0, which makes or looks at the file. Collective over COMM_WORLD.

        It begins when every rank has come here: one may remove an old file of this name before.
        """
        MPI.COMM_WORLD.Barrier()
        at_root(MPI.COMM_WORLD, self.filename, work)

    @abstractmethod
    def _opened(self, mode: Any) -> Any:
        """The open file of the library that reads and writes this kind."""

    def _opened_by_all(self, mode: str) -> Any:
        """The file as each of several ranks gets it. The mode may be to change it."""
        return self._opened("r")

    @abstractmethod
    def _write_one(self, name: str, u: "DistArray", part: Part, step: Any) -> None:
        """Writes one array or slice. Collective."""

    @abstractmethod
    def _read_part(self, u: "DistArray", name: str, step: Any) -> None:
        """Reads this rank's part."""


def _listed(fields: Any, as_scalar: bool) -> Iterator[tuple[str, "DistArray", Any]]:
    """The name of each array to write, the array, and the slice or None."""
    if not isinstance(fields, dict) or not all(
        isinstance(name, str) and isinstance(entries, list | tuple) for name, entries in fields.items()
    ):
        raise Error('fields: give a dict of names and lists of arrays, such as {"u": [u]}')
    for name, entries in fields.items():
        for entry in entries:
            u, chosen = entry if isinstance(entry, tuple | list) and len(entry) == 2 else (entry, None)
            if not hasattr(u, "pencil"):
                text = f"fields: {name} has a {type(u).__name__}"
                raise Error(f"{text}; give DistArrays of 2 axes or more, and pairs of one and a list with its slice")
            for part, field in components(name, u) if as_scalar else [(name, u)]:
                yield part, field, chosen
