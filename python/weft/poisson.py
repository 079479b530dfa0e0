"""Poisson: laplacian(u) = f on a box with any mix of periodic, even, odd and unbounded boundaries."""

from typing import Any

import numpy as np
from mpi4py import MPI

from weft import _core
from weft._arguments import (
    agreed,
    array_problem,
    axis_shaped,
    communicator,
    entries,
    one_per_axis,
    output_problem,
    raise_together,
    real,
    real_dtype,
    whole_entries,
    word,
)
from weft._arrays import empty
from weft._options import plan_options
from weft._planned import Planned
from weft.errors import Error


class Poisson(Planned):
    """A planned solver of laplacian(u) = f, for arrays that are spread over the ranks of a communicator.

    cells     cells per axis, 2 or 3 axes. Cell-centred arrays have N points per axis at (j + 1/2) L / N, node-centred
              ones N + 1 points at j L / N.
    length    physical length per axis.
    boundary  one entry per axis: "periodic", "unbounded", "even" (du/dn = 0), "odd" (u = 0), for both ends, or a pair
              for the left and the right end, such as ("even", "unbounded").
    centring  "cell" or "node", one word or one per axis.
    kernel    the Green's function: "chat2".
    comm, dtype, strategy, threads, engine: as in Plan.

    Arrays are indexed [x, y, z]. Constructor and solve are collective; every argument must be the same on all ranks,
    and whatever is wrong raises the same Error on every rank. Where the mean of u is free (all axes periodic or even
    at both ends) the mean of f is ignored and u has zero mean.
    """

    def __init__(
        self,
        cells: Any,
        length: Any,
        boundary: Any,
        *,
        centring: Any = "cell",
        kernel: str = "chat2",
        comm: MPI.Intracomm | None = None,
        dtype: Any = "float64",
        strategy: str = "auto",
        threads: int | None = None,
        engine: str = "auto",
    ) -> None:
        self.comm = communicator(comm)
        choices = {"strategy": strategy, "threads": threads, "engine": engine}
        options = agreed(
            self.comm,
            lambda: _arguments(cells, length, boundary, centring, kernel, dtype) | {"options": plan_options(**choices)},
        )
        self._core = _core.Poisson(MPI._addressof(self.comm), **options)
        self.cells, self.length = tuple(options["cells"]), tuple(options["length"])
        self.boundary, self.centring = tuple(options["boundary"]), tuple(options["centring"])
        self.dtype = np.dtype(options["dtype"])
        self.shape: tuple[int, ...] = tuple(self._core.global_shape)
        self.local_slices = tuple(slice(lo, hi) for lo, hi in self._core.local_box)
        self.local_shape = tuple(s.stop - s.start for s in self.local_slices)

    def __repr__(self) -> str:
        return (
            f"Poisson({self.cells}, {self.length}, {self.boundary}, centring={self.centring}, "
            f"dtype={self.dtype.name!r}, strategy={self.strategy!r}, ranks={self.comm.size})"
        )

    @property
    def setup_seconds(self) -> float:
        """Seconds that planning and the Green's function took."""
        return self._core.setup_seconds

    @property
    def spacing(self) -> tuple[float, ...]:
        """Distance between points, per axis."""
        return tuple(length / cells for length, cells in zip(self.length, self.cells, strict=True))

    @property
    def mean_is_free(self) -> bool:
        """Whether u is determined up to a constant only: every axis is periodic or even at both ends."""
        return all(pair in (("periodic", "periodic"), ("even", "even")) for pair in self.boundary)

    def points(self) -> tuple[np.ndarray, ...]:
        """Positions of the local points, one float64 array per axis, broadcastable against the local arrays."""
        axes = len(self.cells)
        return tuple(axis_shaped(self._core.points(axis), axis, axes) for axis in range(axes))

    def solve(self, rhs: np.ndarray, out: np.ndarray | None = None) -> np.ndarray:
        """u with laplacian(u) = rhs, in a new array or in out; rhs is preserved. Collective.

        rhs is the local block, of local_shape and dtype, C-contiguous. NaN or infinity in it is refused. Node-centred
        points on an odd plane and the repeated periodic point are ignored in rhs and written in u.
        """
        result = empty(self.local_shape, self.dtype) if out is None else out
        mend = "it must be an array of local_shape and dtype, such as numpy.zeros(solver.local_shape, solver.dtype)"
        text = array_problem(rhs, "rhs", self.local_shape, self.dtype, mend)
        text = text or output_problem(result, rhs, self.local_shape, self.dtype)
        raise_together(self.comm, None if text is None else Error(text))
        self._core.solve(rhs, result)
        return result


def _pair(value: Any, name: str) -> tuple[str, str]:
    """The words of both ends of an axis; one word stands for both."""
    if isinstance(value, str):
        return value, value
    if not isinstance(value, list | tuple) or len(value) != 2:
        raise Error(f'{name}: {value!r} is neither a word nor a pair; write "periodic" or ("even", "unbounded")')
    return word(value[0], f"{name}[0]", "even"), word(value[1], f"{name}[1]", "unbounded")


def _arguments(cells: Any, length: Any, boundary: Any, centring: Any, kernel: Any, dtype: Any) -> dict[str, Any]:
    """The arguments in the types of the extension."""
    counts = whole_entries(cells, "cells", "(64, 64, 64)")
    lengths = [real(value, f"length[{i}]") for i, value in enumerate(entries(length, "length", "(1.0, 1.0, 1.0)"))]
    ends = entries(boundary, "boundary", '("periodic", "odd", ("even", "unbounded"))')
    centrings = [centring] * len(counts) if isinstance(centring, str) else entries(centring, "centring", '"cell"')
    for values, name in ((lengths, "length"), (ends, "boundary"), (centrings, "centring")):
        one_per_axis(values, len(counts), name, "cells")
    return {
        "cells": counts,
        "length": lengths,
        "boundary": [_pair(value, f"boundary[{i}]") for i, value in enumerate(ends)],
        "centring": [word(value, f"centring[{i}]", "cell") for i, value in enumerate(centrings)],
        "kernel": word(kernel, "kernel", "chat2"),
        "dtype": real_dtype(dtype),
    }
