"""Poisson: laplacian(u) = f, or laplacian(u) - lambda^2 u = f with any mix of boundaries."""

from typing import Any, overload

import numpy as np
from mpi4py import MPI

from weft import _core
from weft._arguments import agreed, array_problem, communicator, output_problem, real_dtype, refuse, together
from weft._arrays import empty
from weft._options import plan_options
from weft._planned import PlannedGrid
from weft._problem import equation, grid
from weft._text import box_text, call_text, extents_text, html_table
from weft.errors import Error
from weft.field import Field
from weft.field.makers import Home, Region, point_home, unwrapped
from weft.in_place import SolverField
from weft.kernel import Kernel
from weft.workspace import Workspace


class Poisson(PlannedGrid):
    """A planned solver of laplacian(u) = f, for arrays that are spread over the ranks of a communicator.

    cells     cells per axis, 2 or 3 axes. Cell-centred arrays have N points per axis at (j + 1/2) L / N, node-centred
              ones N + 1 points at j L / N.
    length    physical length per axis.
    boundary  one entry per axis: "periodic", "unbounded", "even" (du/dn = 0), "odd" (u = 0), for both ends, or a pair
              for the left and the right end, such as ("even", "unbounded").
    centring  "cell" or "node", one word or one per axis.
    kernel    the Green's function: one of weft.kernels(), or a user's own, see kernel_of_distance and
              kernel_of_wavenumber. Orders are those with unbounded axes; without, all but hej2 to hej10 and the lattice
              kernels are exact.
                "truncated"  spectral: errs by what of f the grid does not resolve. Any mixture of boundaries, unequal
                             spacings, net charge, screening. The best for smooth f.
                "chat2"      order 2: the singular kernel, its mean over a cell at the origin. Robust, cheap to plan;
                             cells that are near cubes, screening. On cells more than twice as long as wide it errs
                             by percents and more: RuntimeWarning on rank 0, and notes.
                "hej2", "hej4", "hej6", "hej8", "hej10"  orders 2 to 10: Gaussian regularisation with the smoothing
                             length alpha * h, so that fields are smooth at the scale of the grid, as particle and
                             vortex methods want them. Equal spacings; screening.
                "hej0"       spectral: cut off at the wavenumber pi / h. Equal spacings; screening.
                "lgf2", "lgf4", "lgf6", "lgf8"  the inverse of the 7-point Laplacian and its wider forms, orders 2 to 8:
                             the discrete equation holds exactly, as finite-difference codes want it. Equal spacings.
                "mehr4l", "mehr6l", "mehr4f", "mehr6f"  the same for compact Mehrstellen stencils, orders 4 and 6.
                "igf"        order 2: the singular kernel integrated over cells, as beam codes use it. Good for cells
                             that are long in one direction; screening.
    alpha     smoothing length of hej2 to hej10 in spacings.
    screening  lambda >= 0: laplacian(u) - lambda**2 u = f is solved, by all kernels but the lattice ones and users'.
    mean      where the mean of u is free (all axes periodic or even at both ends, no screening) f has to have the mean
              zero: "remove" takes it out, "error" refuses a mean beyond rounding. u has zero mean.
    in_place  for problems without unbounded ends: solve() works on in_place_field() alone, whose right-hand side
              becomes the solution. On a node that needs no memory beside it but the kernel. Where an axis is periodic
              the last one is.
    comm, dtype, strategy, threads, engine, chunks, workspace: as in Plan.

    Arrays are indexed [x, y, z]. Constructor and solve are collective; every argument must be the same on all ranks,
    and whatever is wrong raises the same Error on every rank.
    """

    def __init__(
        self,
        cells: Any,
        length: Any,
        boundary: Any,
        *,
        centring: Any = "cell",
        kernel: str | Kernel = "chat2",
        alpha: float = 2.0,
        screening: float = 0.0,
        mean: str = "remove",
        comm: MPI.Intracomm | None = None,
        dtype: Any = "float64",
        strategy: str = "auto",
        threads: int | None = None,
        engine: str = "auto",
        chunks: int = 1,
        workspace: Workspace | None = None,
        in_place: bool = False,
    ) -> None:
        self.comm = communicator(comm)
        choices = {"strategy": strategy, "threads": threads, "engine": engine, "chunks": chunks, "workspace": workspace}
        choices["in_place"] = in_place
        problem = agreed(
            self.comm,
            lambda: {
                **grid(cells, length, boundary, centring),
                **equation(kernel, alpha, screening, mean),
                "dtype": real_dtype(dtype),
                "options": plan_options(**choices),
            },
        )
        self.in_place: bool = problem["options"]["in_place"]
        options, self.dtype = problem.pop("options"), np.dtype(problem.pop("dtype"))
        self._core = _core.Poisson(MPI._addressof(self.comm), problem, self.dtype.name, options)
        self.boundary = tuple(problem["boundary"])
        self.kernel: str = kernel.name if isinstance(kernel, Kernel) else kernel
        self.alpha, self.screening = problem["alpha"], problem["screening"]
        self._take_grid(problem)
        self._made_home: Home | None = None

    def __repr__(self) -> str:
        parts = [str(self.cells), str(self.length), str(self.boundary), f"centring={self.centring}"]
        parts += [f"kernel={self.kernel!r}", f"dtype={self.dtype.name!r}", f"strategy={self.strategy!r}"]
        return call_text("Poisson", [*parts, f"ranks={self.comm.size}"])

    def _repr_html_(self) -> str:
        """A table for notebooks. Nothing is sent."""
        ends = [pair[0] if pair[0] == pair[1] else f"{pair[0]} to {pair[1]}" for pair in self.boundary]
        rows = {
            "cells": extents_text(self.cells),
            "points": f"{extents_text(self.shape)}, {self.dtype}, by axis in {', '.join(self.centring)}s",
            "length": " x ".join(f"{length:g}" for length in self.length),
            "boundary": ", ".join(ends),
            "kernel": self.kernel,
            "screening": f"{self.screening:g}",
            "ranks": f"{self.comm.size}, {self.threads} threads each",
            "points of this rank": box_text(self.local_slices),
            "strategy": self.strategy,
            "workspace of this rank": f"{self.workspace_bytes / 1e6:.3g} MB",
        }
        return html_table("weft.Poisson", rows)

    @property
    def mean_is_free(self) -> bool:
        """Whether u is determined up to a constant only: no screening, every axis periodic or even at both ends."""
        return self.screening == 0 and all(
            pair in (("periodic", "periodic"), ("even", "even")) for pair in self.boundary
        )

    def field(self, local: np.ndarray | None = None) -> Field:
        """A Field of points: a new one of zeros, or over an array of local_shape and dtype. Collective.

        Its mean() and mean_square() are those over the domain: of nodes the repeated periodic one does not count, and
        those at both ends of other axes count half. Sums, norms and products are those of all stored points.
        """
        return self._home().field(local)

    def in_place_field(self) -> SolverField:
        """New memory of zeros for the right-hand side and the solution of a solver in place. Collective."""
        if not self.in_place:
            raise Error("in_place_field: this solver works on numpy arrays; make it with in_place=True")
        return SolverField(self._core.field(), self.comm)

    @overload
    def solve(self, rhs: Field, out: Field | None = None) -> Field: ...
    @overload
    def solve(self, rhs: np.ndarray | SolverField, out: np.ndarray | None = None) -> np.ndarray: ...
    def solve(self, rhs: Any, out: Any = None) -> Any:
        """u with laplacian(u) = rhs, in a new array or in out; rhs is preserved. Collective.

        rhs is the local block, of local_shape and dtype, C-contiguous. NaN or infinity in it is refused, and its mean
        where mean="error" says so; then nothing is written. Node-centred points on an odd plane and the repeated
        periodic point are ignored in rhs and written in u. out may be rhs, which is overwritten then.

        Of a Field, with the layout of field(), the result is a Field, too.
        In place, rhs is an in-place field, whose values turn into u; the result is rhs.values.
        """
        if self.in_place or isinstance(rhs, SolverField):
            with together(self.comm):
                refuse(self._field_problem(rhs, out))
            self._core.solve_in(rhs._core)
            return rhs.values
        here = self._region()
        mend = "it must be an array of local_shape and dtype, such as numpy.zeros(solver.local_shape, solver.dtype)"
        with together(self.comm, alike=isinstance(rhs, Field)):
            local, result, text = unwrapped(rhs, "rhs", out, here, here)
            result = empty(self.local_shape, self.dtype) if result is None else result
            text = text or array_problem(local, "rhs", self.local_shape, self.dtype, mend)
            refuse(text or output_problem(result, local, self.local_shape, self.dtype, may_be_given=True))
        self._core.solve(local, result)
        if isinstance(rhs, Field):
            return self._home().wrap(result) if out is None else out
        return result

    def _region(self) -> Region:
        return Region(self.comm, self.local_slices, self.shape, "physical", "solver.field()")

    def _home(self) -> Home:
        """Layout and axes of fields; made once. Collective then."""
        if self._made_home is None:
            with together(self.comm):
                positions = [x.ravel() for x in self.points()]
            self._made_home = point_home(self._region(), positions, self.centring, self._periodic, self.dtype)
        return self._made_home

    def _field_problem(self, given: Any, out: Any) -> str | None:
        """Why solve() cannot work on a field, or None."""
        if not self.in_place:
            return "rhs is an in-place field, but this solver works on arrays; make it with in_place=True"
        if not isinstance(given, SolverField):
            kind = type(given).__name__
            return f"rhs is {kind}, but this solver works in place; give it a field of solver.in_place_field()"
        if out is not None:
            return "out is given, but a field holds its own result; leave out= away"
        same_ranks = MPI.Comm.Compare(self.comm, given._comm) in (MPI.IDENT, MPI.CONGRUENT)
        if (self.local_shape, self.dtype) != (given.values.shape, given.values.dtype) or not same_ranks:
            return f"rhs is {given!r}, of another solver; give it a field of solver.in_place_field()"
        return None
