"""Poisson: solves laplacian(u) = f or laplacian(u) - lambda^2 u = f with any mix of boundaries."""

from collections.abc import Mapping
from typing import Any, overload

import numpy as np

from weft import _core
from weft._arguments import (
    agreed,
    array_problem,
    communicator,
    converted,
    output_problem,
    real_dtype,
    refuse,
    shown,
    together,
    whole,
)
from weft._arrays import empty
from weft._mpi import MPI
from weft._options import options_of, plan_options
from weft._point_grid import PointGrid
from weft._problem import differences, displacement, equation, grid, several
from weft._text import box_text, call_text, extents_text, html_table
from weft.errors import Error
from weft.field import Field
from weft.field.makers import unwrapped
from weft.in_place import SolverField
from weft.kernel import Kernel
from weft.workspace import Workspace

Ends = Mapping[tuple[int, str], Any]


class Poisson(PointGrid):
    """A planned solver of laplacian(u) = f for arrays that are distributed over the ranks of a communicator.

    cells     cells per axis, 2 or 3 axes. Cell-centred arrays have N points per axis at (j + 1/2) L / N, node-centred
              ones N + 1 points at j L / N.
    length    physical length per axis.
    boundary  one word for all axes, or one entry per axis: "periodic", "unbounded", "even" (du/dn = 0), "odd" (u = 0),
              for both ends, or a pair for the left and the right end, such as ("even", "unbounded").
    centring  "cell" or "node", one word or one per axis. One axis may be "chebyshev", with the N + 1 points
              chebyshev_points(N + 1, 0, length) between walls, "odd" or "even": u is a polynomial of degree N along it,
              whose coefficients satisfy the equation up to degree N - 2 and the conditions at both walls (tau method).
              Errors of smooth solutions fall to rounding. The other axes, the kernel and power are restricted as with
              widths. Means are those of the polynomials, by chebyshev_weights.
    kernel    the Green's function: one of weft.kernels(), or a user's own, see kernel_of_distance and
              kernel_of_wavenumber. Orders apply to unbounded axes; without unbounded axes all kernels are exact except
              for hej2 to hej10 and the lattice kernels.
                "truncated"  spectral: the error is the part of f that the grid does not resolve. Any mixture of
                             boundaries, unequal spacings, net charge, screening. The best kernel for smooth f.
                "chat2"      order 2: the singular kernel with its mean over a cell at the origin. Robust, fast to plan;
                             for cells that are nearly cubes; screening. On cells more than twice as long as wide its
                             error is several percent or more: a RuntimeWarning on rank 0, and notes.
                "hej2", "hej4", "hej6", "hej8", "hej10"  orders 2 to 10: Gaussian regularisation with the smoothing
                             length alpha * h. Fields are smooth at the scale of the grid, as particle and vortex
                             methods need them. Equal spacings; screening.
                "hej0"       spectral: cut off at the wavenumber pi / h. Equal spacings; screening.
                "lgf2", "lgf4", "lgf6", "lgf8"  orders 2 to 8: the inverse of the 7-point Laplacian and its wider
                             forms. The discrete equation holds exactly, as in finite-difference codes. Equal spacings,
                             or any with at most one unbounded axis: each axis has differences of its own spacing.
                "mehr4l", "mehr6l", "mehr4f", "mehr6f"  orders 4 and 6: the inverse of compact Mehrstellen stencils.
                "igf"        order 2: the singular kernel integrated over cells, as in beam codes. Accurate for cells
                             that are long in one direction; screening.
    alpha     smoothing length of hej2 to hej10 in spacings.
    screening  lambda >= 0 in laplacian(u) - lambda**2 u = f. Lattice kernels and users' kernels do not support it.
    power     p in -(lambda**2 - laplacian)**p u = f, any number but 0: 1 is the equation above, 2 the biharmonic one,
              -laplacian(laplacian(u)) = f, 0.5 a fractional one; a negative p applies the operator: -1 gives
              u = laplacian(f) - lambda**2 f. All axes must be periodic, even or odd, without widths. The operator is
              spectral, or with lattice kernels that of their differences. hej2 to hej10 and users' kernels have no
              powers. If the mean of u is free, u has zero mean for every p, see mean.
    batch     the number of right-hand sides of one solve, in one exchange. Arrays then have an additional first axis,
              which counts them and is never cut: [i, x, y, z], or [i, x, y] for planes. Every solution has the bits
              that it has alone. None: one right-hand side, in arrays without that axis.
    mean      If the mean of u is free (all axes periodic or even at both ends, no screening), f must have zero mean:
              "remove" subtracts the mean of f, "error" refuses a mean beyond rounding. u has zero mean.
    widths    makes one axis a finite-difference axis, which is not transformed: one entry per axis, None or the widths
              of its cells, whose sum is the length of the axis, such as (None, None, widths_z). Values lie in the
              middles of the cells, the ends are periodic, "even" or "odd", and no other axis has an unbounded end.
              Finite volumes discretise it, of order 2 on stretched cells,
                (q[j+1] - q[j]) / widths[j] + (the other axes) = f[j],   q[j] = (u[j] - u[j-1]) / (x[j] - x[j-1]).
              The other axes are exact with the kernels chat2, truncated, igf and hej0 (with equal results), and have
              differences of order 2 to 8 with lgf2 to lgf8. Means weight cells by their widths.
    order     2 or 4, the order of the finite-difference axis. Rows of order 4 are compact: each weights f, and u times
              the squared wavenumber of the other axes, over a cell and its two neighbours (Goedheer and Potters, J.
              Comput. Phys. 61, 1985), so that the systems stay tridiagonal. The error is of fourth order in the spacing
              where widths are smooth functions of the cell's number, and at least of third order elsewhere. Means use
              weights of this order (26/24, 21/24, 25/24, 1, ... between walls, for cells of one width); widths that
              change so abruptly that a weight is not positive are refused.
    robin     (left, right), lengths at the odd ends of this axis, or of one with Chebyshev points: u + robin du/dn = 0,
              n outwards; 0 is u = 0.
    shift     one length per axis: solve() gives u(x + shift) at the points x, the solution on a displaced grid, which
              may lie outside the box of f and far from it. Along axes that are unbounded at both ends it is any length,
              along periodic axes it displaces the waves of the grid, along others it is 0. Lattice kernels take whole
              cells only along unbounded axes. None: 0. Not possible with widths or Chebyshev points. Values at ends are
              displaced with the solution; odd ends of an axis of nodes take none together with a shift along an
              unbounded axis.
    in_place  for problems without unbounded ends: solve() works on in_place_field() alone, whose right-hand side
              becomes the solution. On a node this needs no further memory except for the kernel. If an axis is
              periodic, the last axis has to be periodic.
    comm, dtype, strategy, threads, engine, chunks, workspace: as in Plan.

    Arrays are indexed [x, y, z], or [i, x, y, z] with a batch. The constructor and solve are collective. Every argument
    must be the same on all ranks, and an error raises the same Error on every rank.
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
        widths: Any = None,
        robin: Any = (0.0, 0.0),
        power: float = 1.0,
        batch: int | None = None,
        order: int = 2,
        shift: Any = None,
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
        choices = options_of(locals())

        def made() -> dict[str, Any]:
            points = grid(cells, length, boundary, centring)
            return {
                **points,
                **equation(kernel, alpha, screening, mean),
                **differences(widths, robin, order, len(points["cells"])),
                **several(power, batch),
                **displacement(shift, len(points["cells"])),
                "dtype": real_dtype(dtype),
                "options": plan_options(**choices),
            }

        problem = agreed(self.comm, made)
        self.in_place: bool = problem["options"]["in_place"]
        options, self.dtype = problem.pop("options"), np.dtype(problem.pop("dtype"))
        self._core = _core.Poisson(MPI._addressof(self.comm), problem, self.dtype.name, options)
        self.boundary = tuple(problem["boundary"])
        self.kernel: str = kernel.name if isinstance(kernel, Kernel) else kernel
        self.alpha, self.screening = problem["alpha"], problem["screening"]
        self.robin: tuple[float, float] = problem["robin"]
        self.power: float = problem["power"]
        self.batch: int | None = problem["batch"] or None
        self.order: int = problem["order"]
        self.shift: tuple[float, ...] = tuple(problem["shift"]) or (0.0,) * len(problem["cells"])
        self._take_grid(problem)

    def __repr__(self) -> str:
        parts = [str(self.cells), str(self.length), str(self.boundary), f"centring={self.centring}"]
        parts += [f"kernel={self.kernel!r}"]
        parts += [] if self.power == 1 else [f"power={self.power:g}"]
        parts += [] if self.batch is None else [f"batch={self.batch}"]
        parts += [f"shift={self.shift}"] if any(self.shift) else []
        parts += [f"dtype={self.dtype.name!r}", f"strategy={self.strategy!r}"]
        return call_text("Poisson", [*parts, f"ranks={self.comm.size}"])

    def _repr_html_(self) -> str:
        """A table for notebooks. Nothing is sent."""
        ends = [pair[0] if pair[0] == pair[1] else f"{pair[0]} to {pair[1]}" for pair in self.boundary]
        stretched = [f"axis {axis}" for axis, widths in enumerate(self.widths) if widths is not None]
        rows = {
            "cells": extents_text(self.cells),
            "points": f"{extents_text(self.shape)}, {self.dtype}, by axis in {', '.join(self._point_kinds())}",
            "length": " x ".join(f"{length:g}" for length in self.length),
            "boundary": ", ".join(ends),
            "finite differences": f"{', '.join(stretched)}, order {self.order}" if stretched else "none",
            "kernel": self.kernel,
            "screening": f"{self.screening:g}",
            "power": f"{self.power:g}",
            "shift": ", ".join(f"{length:g}" for length in self.shift),
            "ranks": f"{self.comm.size}, {self.threads} threads each",
            "points of this rank": box_text(self.local_slices),
            "strategy": self.strategy,
            "workspace of this rank": f"{self.workspace_bytes / 1e6:.3g} MB",
        }
        return html_table("weft.Poisson", rows)

    def _point_kinds(self) -> list[str]:
        return ["Chebyshev points" if word == "chebyshev" else f"{word}s" for word in self.centring]

    @property
    def mean_is_free(self) -> bool:
        """Whether u is determined up to a constant: no screening, and every axis periodic or even at both ends.

        With a negative power, which applies the operator, u is determined.
        """
        return (
            self.screening == 0
            and self.power > 0
            and all(pair in (("periodic", "periodic"), ("even", "even")) for pair in self.boundary)
        )

    def field(self, local: np.ndarray | None = None) -> Field:
        """A Field of points: a new field of zeros, or a field over an array of local_shape and dtype. Collective.

        Its mean() and mean_square() are means over the domain: the repeated node of a periodic axis has the weight 0,
        nodes at both ends of other axes 1/2, cells their widths (with order 4 weights of that order), and Chebyshev
        points those of chebyshev_weights(). Sums, norms and products include all stored points.
        """
        return self._home().field(local)

    def in_place_field(self) -> SolverField:
        """New memory, filled with zeros, for the right-hand side and the solution of an in-place solver. Collective."""
        if not self.in_place:
            raise Error("in_place_field: this solver works on numpy arrays; make it with in_place=True")
        return SolverField(self._core.field(), self.comm)

    @overload
    def solve(self, rhs: Field, out: Field | None = None, *, ends: Ends | None = None) -> Field: ...
    @overload
    def solve(
        self, rhs: np.ndarray | SolverField, out: np.ndarray | None = None, *, ends: Ends | None = None
    ) -> np.ndarray: ...
    def solve(self, rhs: Any, out: Any = None, *, ends: Ends | None = None) -> Any:
        """The solution u of laplacian(u) = rhs in a new array or in out. rhs is preserved. Collective.

        rhs is the local block, a C-contiguous array of local_shape and dtype. NaN and infinity are refused, and so is a
        nonzero mean with mean="error"; then nothing is written. Node-centred points on an odd plane and the repeated
        periodic point are ignored in rhs and written in u. out may be rhs, which is then overwritten.

        ends: {(axis, "left" or "right"): values}, values at ends that are not 0: u at an odd end (u + robin du/dn along
        an axis with widths or Chebyshev points), du/dn (n outwards) at an even end. Values are numbers, or arrays that
        broadcast to local_shape with one point along the axis, such as functions of points(). They are possible
          along an axis with widths or Chebyshev points, by its differences or polynomials;
          along transformed axes, if the kernel is chat2, truncated, igf or hej0 and no axis is unbounded or has widths
          or Chebyshev points, by harmonic waves with these values, exactly;
          along transformed axes with the kernel "lgf2", by its differences, which needs a copy of rhs.
        If the mean of u is free, f less the slopes at the ends must have zero mean, see mean: the integral of f equals
        that of du/dn over the ends.

        For a Field with the layout of field() the result is a Field.
        An in-place solver takes an in-place field, whose values become u; the result is rhs.values.
        """
        if self.in_place or isinstance(rhs, SolverField):
            with together(self.comm):
                refuse(
                    self._field_problem(rhs, out)
                    or ("ends: a solver in place takes none; omit them" if ends is not None else None)
                )
            self._core.solve_in(rhs._core)
            return rhs.values
        here = self._region()
        advice = "it must be an array of local_shape and dtype, such as numpy.zeros(solver.local_shape, solver.dtype)"
        with together(self.comm, alike=isinstance(rhs, Field) + (0 if ends is None else 2)):
            local, result, text = unwrapped(rhs, "rhs", out, here, here)
            result = empty(self.local_shape, self.dtype) if result is None else result
            text = text or array_problem(local, "rhs", self.local_shape, self.dtype, advice)
            refuse(text or output_problem(result, local, self.local_shape, self.dtype, may_be_given=True))
        if ends is not None:
            given = converted(self.comm, lambda: {"ends": self._end_arrays(ends)})["ends"]
            self._core.solve_ends(local, result, given)
        else:
            self._core.solve(local, result)
        if isinstance(rhs, Field):
            return self._home().wrap(result) if out is None else out
        return result

    def _end_arrays(self, ends: Any) -> list[tuple[int, bool, np.ndarray]]:
        """The values of ends as the extension takes them: axis, whether it is the right one, and this rank's array."""
        if not isinstance(ends, Mapping):
            raise Error(f'ends: {shown(ends)} is not a dict; give {{(2, "left"): values}}')
        found = []
        for key, values in ends.items():
            if not isinstance(key, tuple) or len(key) != 2 or key[1] not in ("left", "right"):
                raise Error(f'ends: {shown(key)} is not an end; give an axis and a side such as (2, "left")')
            axis = whole(key[0], "ends: the axis", 31)
            if not 0 <= axis < len(self.cells):
                raise Error(f"ends: {axis} is not an axis of the problem; give 0 to {len(self.cells) - 1}")
            first = len(self.cells) - len(self.shape)  # -1 for the axis of a batch
            plane = tuple(1 if a == axis else n for a, n in enumerate(self.local_shape, first))
            try:
                array = np.broadcast_to(np.asarray(values, self.dtype), plane)
            except (TypeError, ValueError):
                text = f"they are broadcast to the shape {plane} here"
                raise Error(f"ends: the values at {key} are {shown(values)}; {text}") from None
            found.append((axis, key[1] == "right", np.require(array, requirements=["C", "A"])))
        return found

    def _field_problem(self, given: Any, out: Any) -> str | None:
        """Why solve() cannot work on the given right-hand side, or None."""
        if not self.in_place:
            return "rhs is an in-place field, but this solver works on arrays; make it with in_place=True"
        if not isinstance(given, SolverField):
            kind = type(given).__name__
            return f"rhs is {kind}, but this solver works in place; give it a field of solver.in_place_field()"
        if out is not None:
            return "out is given, but a field holds its own result; omit out="
        same_ranks = MPI.Comm.Compare(self.comm, given._comm) in (MPI.IDENT, MPI.CONGRUENT)
        if (self.local_shape, self.dtype) != (given.values.shape, given.values.dtype) or not same_ranks:
            return f"rhs is {given!r}, of another solver; give it a field of solver.in_place_field()"
        return None
