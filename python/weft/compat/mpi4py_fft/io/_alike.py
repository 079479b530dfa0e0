"""An HDF5 file that several ranks have open, to read it and to set its attributes alike."""

from collections.abc import Iterator
from typing import Any

import h5py
import numpy as np


class FileAlike(h5py.File):
    """A file of h5py, to read; its attributes can be set, and one rank stores them when it closes the file.

    is_writer  whether this rank stores them. It closes the file when the others have done so.
    """

    def __init__(self, filename: str, *, is_writer: bool) -> None:
        super().__init__(filename, "r")
        self._is_writer = is_writer
        self._attributes = _Attributes(self)

    @property
    def attrs(self) -> "_Attributes":
        """The attributes of the file, and those set since it was opened."""
        return self._attributes

    def close(self) -> None:
        """Closes the file. The writer stores the attributes that were set."""
        if not self:
            return
        filename = self.filename
        super().close()
        if self._is_writer and self._attributes.set_now:
            with h5py.File(filename, "r+") as file:
                for name, value in self._attributes.set_now.items():
                    file.attrs[name] = value


class _Attributes(h5py.AttributeManager):
    """Attributes of a file. Attributes that were set are kept in memory."""

    def __init__(self, parent: FileAlike) -> None:
        super().__init__(parent)
        self.set_now: dict[str, Any] = {}

    def __getitem__(self, name: str) -> Any:
        return self.set_now[name] if name in self.set_now else super().__getitem__(name)

    def __setitem__(self, name: str, value: Any) -> None:
        self.set_now[name] = value

    def __contains__(self, name: Any) -> bool:
        return name in self.set_now or super().__contains__(name)

    def __iter__(self) -> Iterator[str]:
        yield from dict.fromkeys([*super().__iter__(), *self.set_now])

    def __len__(self) -> int:
        return len(list(iter(self)))

    def create(self, name: str, data: Any, shape: Any = None, dtype: Any = None) -> None:
        """Sets an attribute, which may be there already, of a shape and type."""
        values = data if shape is None and dtype is None else np.asarray(data, dtype)
        self.set_now[name] = values if shape is None else values.reshape(shape)

    def modify(self, name: str, value: Any) -> None:
        """Sets an attribute."""
        self.set_now[name] = value
