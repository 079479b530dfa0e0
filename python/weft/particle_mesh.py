"""ParticleMesh: deposits particles on the points of a distributed array and gathers values at them, by B-splines."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from weft import _core
from weft._arguments import (
    agreed,
    array_problem,
    converted,
    entries,
    naming,
    output_problem,
    real,
    real_dtype,
    refuse,
    together,
    whole,
)
from weft._arrays import empty
from weft._mpi import MPI
from weft._options import options_of, plan_options
from weft._planned import Planned
from weft._problem import axis_ends
from weft._text import box_text, call_text
from weft.errors import Error
from weft.field import Field
from weft.field.layout import Layout
from weft.halo import axis_centrings


class Migration:
    """The migration of particles to other ranks; made by ParticleMesh.migration.

    before    the number of particles of this rank before; count: after it.
    """

    def __init__(self, core: Any, comm: MPI.Intracomm, before: int) -> None:
        self._core, self.comm, self.before = core, comm, before
        self.count: int = core.count

    def __repr__(self) -> str:
        return call_text("Migration", [f"{self.before} -> {self.count} particles", f"ranks={self.comm.size}"])

    def forward(self, array: np.ndarray) -> np.ndarray:
        """The entries of the particles that arrive, in the order of the ranks that they come from. Collective.

        array     one entry per particle along its first axis, of any type that numpy stores by value; type and shape of
                  the entries are the same on all ranks.
        """
        return self._move(self._core.forward, array, self.before, self.count)

    def backward(self, array: np.ndarray) -> np.ndarray:
        """The entries of the particles that were sent, in the order that they had before. Collective."""
        return self._move(self._core.backward, array, self.count, self.before)

    def _move(self, run: Any, array: Any, given: int, arriving: int) -> np.ndarray:
        kept = converted(self.comm, lambda: {"array": _attribute(array, given)})["array"]
        agreed(self.comm, lambda: {"the type of array": kept.dtype.str, "the shape of entries": kept.shape[1:]})
        with together(self.comm):
            result = empty((arriving, *kept.shape[1:]), kept.dtype)
        size = kept.dtype.itemsize * math.prod(kept.shape[1:])
        if size > 0:
            run(kept.reshape(-1).view(np.uint8), result.reshape(-1).view(np.uint8), size)
        return result


def _attribute(array: Any, particles: int) -> np.ndarray:
    if not isinstance(array, np.ndarray) or array.ndim == 0 or len(array) != particles or array.dtype.hasobject:
        what = f"{array.dtype} {array.shape}" if isinstance(array, np.ndarray) else type(array).__name__
        raise Error(f"array: {what} is not allowed; give numbers with one entry for each of {particles} particles")
    return np.ascontiguousarray(array)


class ParticleMesh(Planned):
    """Deposits particles on the points of a distributed array, and interpolates values from the points to particles.

    layout    the distribution of the points: a Field of 1 to 3 axes, such as solver.field(), or its layout.
    spacing   distance of points, a number or one per axis: solver.spacing.
    origin    position of the point of index 0, a number or one per axis. Cells of a solver: half a spacing.
    order     points per axis that share a particle: 1 nearest point, 2 cloud in cell, 3 triangular cloud, 4 piecewise
              cubic, up to 8. The weights are the centred B-spline of this order and add up to 1.
    boundary  what lies beyond the ends, as in Halo: particles near an even or odd end also have the clouds of their
              mirror images; clouds must not reach beyond unbounded ends.
    centring  "cell" or "node", one word or one per axis, as in Halo. Periodic axes need "cell".
    margin    points beyond its own up to which a rank accepts particles, so that they need not migrate at every step.
    dtype     of positions, charges and values: float64 or float32; None: that of the Field, float64 with a layout.
    threads, node_ranks, message_limit  as in Plan.

    A particle belongs to the rank that owns the point nearest to it. migrate() takes particles there. positions have
    the shape (particles, axes). Along periodic axes they may be any number of periods away.

    gather is the adjoint of deposit: the sum of charge times gathered value is the sum of deposit times value. With a
    kernel that is odd in the distance, the forces between particles through the mesh add up to zero.

    All methods are collective. An error raises the same Error on every rank.
    """

    def __init__(
        self,
        layout: Field | Layout,
        spacing: Any,
        *,
        origin: Any = 0.0,
        order: int = 2,
        boundary: Any = "periodic",
        centring: Any = "cell",
        margin: int = 0,
        dtype: Any = None,
        threads: int | None = None,
        node_ranks: int = 0,
        message_limit: int = 2**31 - 1,
    ) -> None:
        self.layout = layout.layout if isinstance(layout, Field) else layout
        if not isinstance(self.layout, Layout):
            raise Error(f"layout: {type(layout).__name__} is not a layout; give a Field or its layout")
        self.comm = self.layout.comm
        axes = len(self.layout.global_shape)
        wanted = layout.dtype if dtype is None and isinstance(layout, Field) else dtype
        options = options_of(locals())
        given = agreed(
            self.comm,
            lambda: {
                "spacing": _numbers(spacing, "spacing"),
                "origin": _numbers(origin, "origin"),
                "order": whole(order, "order", bits=32),
                "margin": whole(margin, "margin", bits=32),
                "boundary": axis_ends(boundary, axes, "boundary", "the layout"),
                "centring": axis_centrings(centring, axes),
                "dtype": real_dtype("float64" if wanted is None else wanted),
                "options": plan_options(**options),
            },
        )
        owned = [(part.start, part.stop) for part in self.layout.slices]
        address, shape = MPI._addressof(self.comm), list(self.layout.global_shape)
        made_of, kind = given.pop("options"), given.pop("dtype")
        self._core = _core.ParticleMesh(address, shape, owned, given, kind, made_of)
        self.dtype, self.order, self.margin = np.dtype(kind), given["order"], given["margin"]
        self.local_shape = self.layout.local_shape

    def __repr__(self) -> str:
        place = box_text(self.layout.slices), f"of {self.layout.global_shape}"
        more = f"order={self.order}", f"{self.dtype}", f"strategy={self.strategy!r}", f"ranks={self.comm.size}"
        return call_text("ParticleMesh", [place, *more])

    def deposit(self, positions: np.ndarray, charges: Any = 1.0, out: np.ndarray | None = None) -> np.ndarray:
        """The charge of every point of this rank, in a new array or in out: charge, not charge per volume. Collective.

        charges   one per particle, or one number for all.
        """
        given = self._positions(positions)
        with together(self.comm):
            with naming("charges"):
                strengths = np.ascontiguousarray(np.broadcast_to(np.asarray(charges, self.dtype), given.shape[:1]))
            result = empty(self.local_shape, self.dtype) if out is None else out
            refuse(output_problem(out, given, self.local_shape, self.dtype) if out is not None else None)
        self._core.deposit(given, strengths, result)
        return result

    def gather(self, values: Field | np.ndarray, positions: np.ndarray) -> np.ndarray:
        """The values at the particles: (particles,), or (particles, components). Collective.

        values    of the points of this rank: a Field, or an array, whose first axis may be one of components.
        """
        given = self._positions(positions)
        local = values.local if isinstance(values, Field) else values
        axes = len(self.local_shape)
        leading = local.shape[:1] if isinstance(local, np.ndarray) and local.ndim == axes + 1 else ()
        with together(self.comm):
            if isinstance(values, Field) and not leading and values.layout != self.layout:
                refuse("values: the field has another layout than the mesh; bring it there by redistribute_to()")
            advice = "pass the points of this rank, components first"
            refuse(array_problem(local, "values", (*leading, *self.local_shape), self.dtype, advice))
        components = agreed(self.comm, lambda: {"components of values": leading[0] if leading else 1})
        components = components["components of values"]
        result = empty((len(given), components), self.dtype)
        self._core.gather(given, local, components, result)
        return result if leading else result[:, 0]

    def migration(self, positions: np.ndarray) -> Migration:
        """The migration of these particles to the ranks that own them, forward and backward. Collective."""
        given = self._positions(positions)
        return Migration(self._core.migration(given), self.comm, len(given))

    def migrate(self, positions: np.ndarray, *attributes: np.ndarray) -> tuple[np.ndarray, ...]:
        """The particles that belong to this rank: new arrays of positions and of every attribute. Collective.

        attributes  arrays with one entry per particle along their first axis, as in Migration.forward.
        """
        moves = self.migration(positions)
        return tuple(moves.forward(array) for array in (positions, *attributes))

    def _positions(self, positions: Any) -> np.ndarray:
        """Positions as the extension takes them. Collective."""
        axes = len(self.local_shape)
        with together(self.comm):
            if not isinstance(positions, np.ndarray) or positions.ndim != 2 or positions.shape[1] != axes:
                what = f"shape {positions.shape}" if isinstance(positions, np.ndarray) else type(positions).__name__
                raise Error(f"positions: {what} is not allowed; give a numpy array of (particles, {axes})")
            if positions.dtype != self.dtype:
                raise Error(
                    f"positions have dtype {positions.dtype}, but this mesh works on {self.dtype}; "
                    f"pass positions.astype(numpy.{self.dtype})"
                )
            return np.ascontiguousarray(positions)


def _numbers(values: Any, name: str) -> list[float]:
    if not np.iterable(values):
        return [real(values, name)]
    return [real(value, f"{name}[{i}]") for i, value in enumerate(entries(values, name, "(0.1, 0.1, 0.2)"))]
