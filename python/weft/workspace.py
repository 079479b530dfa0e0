"""Workspace: memory that several plans use one after the other."""

from typing import Any

import numpy as np

from weft import _core
from weft._arguments import array_problem
from weft.errors import Error


class Workspace:
    """Memory of this rank for the buffers of plans. Plans that share a workspace need as much as the largest of them.

    memory    a C-contiguous array of bytes (uint8), which the workspace keeps; None: memory that grows on demand.

    Plans that share a workspace may be used in any order, but not at the same time by several threads. The workspace
    does not contain memory that ranks of a node share, nor fields. Either every rank gives a workspace or none does;
    sizes may differ.
    """

    def __init__(self, memory: np.ndarray | None = None) -> None:
        if memory is None:
            self._core = _core.Workspace()
            return
        shape = memory.shape if isinstance(memory, np.ndarray) and memory.ndim == 1 else (-1,)
        advice = "use numpy.empty(bytes, numpy.uint8)"
        if problem := array_problem(memory, "memory", shape, np.dtype(np.uint8), advice):
            raise Error(problem)
        if not memory.flags.writeable:
            raise Error("memory is read-only; " + advice)
        self._core = _core.Workspace(memory)

    @property
    def nbytes(self) -> int:
        """Bytes that plans may use. A workspace that grows has the bytes that they have needed so far."""
        return self._core.nbytes


def workspace_core(value: Any, name: str) -> Any:
    """The compiled workspace, or None. Raises Error for anything else."""
    if value is None or isinstance(value, Workspace):
        return None if value is None else value._core
    raise Error(f"{name}: {value!r} is not a workspace; give a weft.Workspace or None")
