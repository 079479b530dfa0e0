"""Plan: distributed multi-dimensional transforms of numpy arrays, one kind per axis."""

from collections.abc import Sequence
from typing import Any, overload

import numpy as np

from weft import _core
from weft._arguments import (
    agreed,
    array_problem,
    box,
    communicator,
    converted,
    factors,
    one_per_axis,
    output_problem,
    real_dtype,
    refuse,
    together,
    whole_entries,
    word,
)
from weft._arrays import empty, padded_zeros, zeros
from weft._mpi import MPI
from weft._options import options_of, plan_options
from weft._planned import Planned
from weft._text import box_text, call_text, extents_text, html_table
from weft.errors import Error
from weft.field import Field
from weft.field.makers import misplaced, unwrapped
from weft.field.of_transforms import AxisTransform
from weft.in_place import InPlaceField
from weft.spectral import SpectralOperations
from weft.workspace import Workspace

_COMPLEX: dict[str, np.dtype] = {"float64": np.dtype(np.complex128), "float32": np.dtype(np.complex64)}


class Plan(SpectralOperations, Planned):
    """A planned forward and backward transform of arrays that are distributed over the ranks of a communicator.

    shape     points per axis, 1 to 6 axes, in the index order of the arrays.
    kinds     one name for all axes, or one per axis: "none", "c2c", "r2c", "dct1".."dct4", "dst1".."dst4". "r2c" alone
              means r2c on the last axis and c2c on the others, as numpy.fft.rfftn. With real input the real-to-real
              kinds act first, then at most one r2c, then c2c; with complex input (a c2c axis and no r2c) the
              real-to-real kinds act on real and imaginary parts.
    comm      an mpi4py communicator; None is COMM_WORLD, one rank when there is no launcher.
    physical_box, spectral_box  this rank's own part of the points and of the modes, one slice per axis, instead of
              the plan's choice. The parts of all ranks tile the array. Input and output are redistributed.
    grid      ranks per cut axis, such as [2, 3]; None chooses.
    dtype     the real precision, "float64" or "float32".
    strategy  how data move between ranks: "auto" or one of weft.strategies(); all give the same bits.
    threads   threads per rank; None is cores of the node / ranks of the communicator on it.
    norm      "backward": forward is unscaled (conventions of FFTW and scipy), backward divides.
    effort    how long planning may search: "estimate", "measure" or "patient".
    engine    the library of the 1-D transforms: "lanes" (Weft's own), "fftw", or "auto", which chooses.
    in_place  whether points and modes share one memory, that of in_place_field(): about one real array instead of two
              and more, and nothing is moved if all ranks share a node. forward, backward and apply then take such
              a field in place of an array. An r2c must be on the last axis.
    chunks    parts into which every exchange is cut, to overlap it with the adjacent passes; 0 chooses.
    scheme    how an axis is cut into unequal parts: "even" spreads the larger parts over the ranks, "first"
              gives them to the first ranks, "grouped" one to each group of ranks; "block" gives each rank the largest
              part until the points are used up, as FFTW's MPI transforms do.
    fuse      whether two local axes may be transformed together, plane by plane.
    wire      "same", or "single": float64 data are sent as float32, with a relative error of 6e-8 per exchange.
    output    "transposed": modes stay in the layout of the last pass; "natural": they are cut like the points. The
              modes of a single c2c axis may be "scrambled": one exchange less, in an order that wavenumbers() gives.
    batch_axes  axes of kind "none" that no rank cuts, such as the components of a vector. One exchange serves all.
    modes     per axis, keep the modes of a transform of this many points N <= n; 0 keeps all. forward truncates,
              backward pads with zeros: fields of N modes on n points, as the 3/2 rule needs them (n = 3N/2). If the
              last mode stands for two of n points (N/2 and -N/2 of an even N, the last of dct1 and dst2), forward
              gives their sum and backward half to each. Scales are those of n points.
    ranks     how many ranks transform, the first of the communicator; 0 is all.
    send_batch, max_pending  messages started at a time, and most messages pending ("persistent", "datatype"); 0 is all.
    node_ranks  ranks that count as one node; 0 is those that share one.
    between_nodes  the strategy of "hierarchical" between nodes.
    message_limit  elements per message beyond which messages are split.
    tuning    a file of weft.tune or `weft tune` with the fastest grid, strategy, chunks and fusion; None is the file
              of the environment variable WEFT_TUNING, if it is set.
    workspace  memory to share with other plans, a weft.Workspace; None is the plan's own memory.

    A single axis of 32768 points or more, c2c or r2c with all its modes, is transformed by all ranks as a matrix, or,
    if its length has a large prime factor, as a convolution of such lines. Shorter lines, other kinds, truncated
    lines and in-place lines lie on one rank.

    Every argument except for the boxes must be the same on all ranks; an error raises the same Error on every rank.
    The constructor, transforms, derivatives and methods that make fields are collective. Arrays are indexed like the
    global array, without copies. Transforms and derivatives of a weft.Field return a Field.
    """

    def __init__(
        self,
        shape: Any,
        kinds: Any,
        *,
        comm: MPI.Intracomm | None = None,
        physical_box: Any = None,
        spectral_box: Any = None,
        grid: Any = None,
        dtype: Any = "float64",
        strategy: str = "auto",
        threads: int | None = None,
        norm: str = "backward",
        effort: str = "estimate",
        engine: str = "auto",
        in_place: bool = False,
        chunks: int = 1,
        fuse: bool = True,
        scheme: str = "even",
        wire: str = "same",
        output: str = "transposed",
        batch_axes: Any = (),
        modes: Any = None,
        ranks: int = 0,
        send_batch: int = 0,
        max_pending: int = 0,
        node_ranks: int = 0,
        between_nodes: str = "cyclic",
        message_limit: int = 2**31 - 1,
        tuning: Any = None,
        workspace: Workspace | None = None,
    ) -> None:
        self.comm = communicator(comm)
        choices = options_of(locals())
        options = agreed(self.comm, lambda: plan_arguments(shape, kinds, dtype) | plan_options(**choices))
        boxes = converted(
            self.comm,
            lambda: {
                "physical_box": box(physical_box, "physical_box"),
                "spectral_box": box(spectral_box, "spectral_box"),
            },
        )
        arguments = {name: options.pop(name) for name in ("shape", "kinds", "dtype")}
        self._core = core = _core.Plan(MPI._addressof(self.comm), **arguments, **boxes, options=options)
        self.shape: tuple[int, ...] = tuple(arguments["shape"])
        self.kinds: tuple[str, ...] = tuple(arguments["kinds"])
        self.dtype = np.dtype(arguments["dtype"])
        self.in_place: bool = options["in_place"]
        self._options, self._workspace = options, workspace
        self.physical_slices = tuple(slice(lo, hi) for lo, hi in core.physical_box)
        self.spectral_slices = tuple(slice(lo, hi) for lo, hi in core.spectral_box)
        self.physical_shape = tuple(s.stop - s.start for s in self.physical_slices)
        self.spectral_shape = tuple(s.stop - s.start for s in self.spectral_slices)
        self.global_spectral_shape = tuple(core.spectral_shape_global)
        self.physical_dtype = _COMPLEX[self.dtype.name] if core.physical_complex else self.dtype
        self.spectral_dtype = _COMPLEX[self.dtype.name] if core.spectral_complex else self.dtype
        self._alone: bool = self.comm.size == 1
        # This object marks fields as made by this plan.
        self._mark = object()

    def __repr__(self) -> str:
        parts = [f"dtype={self.dtype.name!r}", f"strategy={self.strategy!r}", f"in_place={self.in_place}"]
        return call_text("Plan", [str(self.shape), str(self.kinds), *parts, f"ranks={self.comm.size}"])

    def _repr_html_(self) -> str:
        """A table for notebooks. Nothing is sent."""
        rows = {
            "points": f"{extents_text(self.shape)}, {self.physical_dtype}",
            "modes": f"{extents_text(self.global_spectral_shape)}, {self.spectral_dtype}",
            "kinds": ", ".join(self.kinds),
            "ranks": f"{self.comm.size}, grid {extents_text(self.grid)}, {self.threads} threads each",
            "points of this rank": box_text(self.physical_slices),
            "modes of this rank": box_text(self.spectral_slices),
            "strategy": self.strategy,
            "workspace of this rank": f"{self.workspace_bytes / 1e6:.3g} MB",
        }
        return html_table("weft.Plan in place" if self.in_place else "weft.Plan", rows)

    @property
    def grid(self) -> tuple[int, ...]:
        """Ranks per process axis, first to last."""
        return tuple(self._core.grid)

    @property
    def chunks(self) -> int:
        """Parts into which exchanges are cut."""
        return self._core.chunks

    def physical(self) -> np.ndarray:
        """A new local array of zeros, of the shape and type that forward takes: physical_shape, physical_dtype."""
        return zeros(self.physical_shape, self.physical_dtype)

    def spectral(self, padded: bool = False) -> np.ndarray:
        """A new local array of zeros, of the shape and type that forward gives: spectral_shape, spectral_dtype.

        padded: if the array has more than 1 MB, its rows and planes begin on cache lines unless rows are short; it is
        then not contiguous. As out= of forward and input of backward it makes large transforms with rows of n/2+1 modes
        faster by a fifth.
        """
        make = padded_zeros if padded else zeros
        return make(self.spectral_shape, self.spectral_dtype)

    def in_place_field(self) -> InPlaceField:
        """New memory of zeros for the points and the modes of an in-place plan. Collective."""
        if not self.in_place:
            raise Error("in_place_field: this plan works out of place, on arrays; make it with in_place=True")
        return InPlaceField(self._core.field(), self.comm, self._mark)

    @overload
    def forward(self, u: Field, out: Field | None = None) -> Field: ...
    @overload
    def forward(self, u: np.ndarray | InPlaceField, out: np.ndarray | None = None) -> np.ndarray: ...
    def forward(self, u: Any, out: Any = None) -> Any:
        """The unscaled transform of u, in a new array or in out. Collective.

        u is preserved unless out begins at the same address: then it is overwritten. A plan with exchanges always
        allows that. A plan of a single pass (see explain()) needs equal strides of both along all axes except for
        the last, such as modes = plan.spectral() and u = modes.view(plan.dtype)[..., :n] for an r2c on the last axis.

        For a Field with the layout of physical_field() the result is a Field like spectral_field().
        In place, u is an in-place field, whose points turn into modes; the result is u.spectral.
        """
        return self._transform(u, "u", out, forward=True)

    @overload
    def backward(self, uh: Field, out: Field | None = None) -> Field: ...
    @overload
    def backward(self, uh: np.ndarray | InPlaceField, out: np.ndarray | None = None) -> np.ndarray: ...
    def backward(self, uh: Any, out: Any = None) -> Any:
        """The inverse of forward, scaled, in a new array or in out. uh is preserved like u of forward. Collective.

        For a Field of modes the result is a Field of points.
        In place, uh is an in-place field, whose modes turn into points; the result is uh.physical.
        """
        return self._transform(uh, "uh", out, forward=False)

    @overload
    def apply(self, u: Field, symbol: Any, out: Field | None = None) -> Field: ...
    @overload
    def apply(self, u: np.ndarray | InPlaceField, symbol: Any, out: np.ndarray | None = None) -> np.ndarray: ...
    def apply(self, u: Any, symbol: Any, out: Any = None) -> Any:
        """backward(symbol * forward(u)) without storing the spectrum: a filter, a derivative. Collective.

        symbol    a number or an array that broadcasts to spectral_shape, with any strides, such as 1j * kx or
                  np.exp(-(kx**2 + ky**2 + kz**2)) of wavenumbers(), or a Field of modes. Complex only where modes are.
                  Integers, booleans and other precisions are converted to the precision of the plan.
        out       the result instead of a new array; it may be u, which is preserved otherwise.

        For a Field the result is a Field.
        In place, u is an in-place field with points; they are overwritten, and the result is u.physical.
        """
        if self._takes_field(u):
            with together(self.comm):
                values = self._factors(symbol, self._field_problem(u, "u", out), u)
            self._core.apply(u._core, values)
            return u.physical
        here = self._region("physical")
        with together(self.comm, alike=isinstance(u, Field)):
            local, result, text = unwrapped(u, "u", out, here, here)
            result = empty(self.physical_shape, self.physical_dtype) if result is None else result
            maker = "plan.physical() makes a suitable one"
            text = text or array_problem(local, "u", self.physical_shape, self.physical_dtype, maker)
            text = text or output_problem(result, local, self.physical_shape, self.physical_dtype, may_be_given=True)
            values = self._factors(symbol, text, result)
        self._core.apply(local, result, values)
        return self._as_given(u, out, result, "physical")

    def _takes_field(self, given: Any) -> bool:
        return self.in_place or isinstance(given, InPlaceField)

    def _transform(self, given: Any, name: str, out: Any, forward: bool) -> Any:
        """Forward or backward, of arrays, of fields or in a field."""
        # Most calls are right, and for small arrays a search for errors takes longer than the transform. So first ask
        # whether the arguments are right on all ranks.
        if self.in_place:
            ready = self._field_ready(given, out, forward)
            known = ready is not None and bool(self.comm)
            if known if self._alone or not self.comm else self._core.all_agree(known):
                (self._core.forward if forward else self._core.backward)(given._core)
                return ready
        elif self.comm:
            result = self._new_result(given, forward) if out is None else out
            core = self._core
            if (core.forward_if_ready if forward else core.backward_if_ready)(given, result):
                return result
        if self._takes_field(given):
            self._check_field(given, name, out)
            (self._core.forward if forward else self._core.backward)(given._core)
            return given.spectral if forward else given.physical
        return self._transformed(given, name, out, forward, "plan", padded=True)

    def _field_ready(self, given: Any, out: Any, forward: bool) -> np.ndarray | None:
        """The result in a field that this plan has made, or None."""
        if out is not None or type(given) is not InPlaceField or given._mark is not self._mark:
            return None
        return given.spectral if forward else given.physical

    def _new_result(self, given: Any, forward: bool) -> np.ndarray | None:
        """An array for the result of an array, or None."""
        if type(given) is not np.ndarray:
            return None
        try:
            return empty(
                self.spectral_shape if forward else self.physical_shape,
                self.spectral_dtype if forward else self.physical_dtype,
            )
        except (MemoryError, Error):
            return None  # perhaps on this rank only; all ranks will learn of it

    def _check_field(self, given: Any, name: str, out: Any) -> None:
        with together(self.comm):
            refuse(self._field_problem(given, name, out))

    def _field_problem(self, given: Any, name: str, out: Any) -> str | None:
        """Why forward, backward or apply cannot work on a field, or None."""
        if not self.in_place:
            return f"{name} is an in-place field, but this plan works on arrays; make the plan with in_place=True"
        maker = "plan.in_place_field()"
        if not isinstance(given, InPlaceField):
            return f"{name} is {type(given).__name__}, but this plan works in place; give it a field of {maker}"
        if out is not None:
            return "out is given, but a field holds its own result; omit out="
        mine = (self.physical_shape, self.physical_dtype, self.spectral_shape, self.spectral_dtype)
        theirs = (given.physical.shape, given.physical.dtype, given.spectral.shape, given.spectral.dtype)
        same_ranks = MPI.Comm.Compare(self.comm, given._comm) in (MPI.IDENT, MPI.CONGRUENT)
        if mine != theirs or not same_ranks:
            return f"{name} is {given!r}, of another plan; give it a field of {maker}"
        return None

    def _factors(self, symbol: Any, text: str | None, result: Any) -> np.ndarray:
        """The symbol in the form of the library. Raises Error with `text`, or about the symbol."""
        refuse(text)
        if isinstance(symbol, Field):
            refuse(misplaced(symbol, "symbol", self._region("spectral")))
            symbol = symbol.local
        values = factors(symbol, self.spectral_shape, self.dtype, self.spectral_dtype)
        if _overlaps(values, result):
            raise Error("symbol shares memory with the result, which is written while it is read; pass a copy")
        return values

    def _axis_transforms(self) -> Sequence[AxisTransform]:
        axes = range(len(self.shape))
        components = self._options["batch_axes"]
        return [(self.kinds[axis], self.shape[axis], self._kept(axis), axis in components) for axis in axes]

    def _axis_positions(self, side: str) -> Sequence[np.ndarray]:
        positions = self._core.coordinates if side == "physical" else self._core.wavenumbers
        return [positions(axis) for axis in range(len(self.shape))]

    def _norm(self) -> str:
        return self._options["norm"]


def _overlaps(symbol: np.ndarray, result: np.ndarray | InPlaceField) -> bool:
    results = (result.physical, result.spectral) if isinstance(result, InPlaceField) else (result,)
    return any(np.may_share_memory(symbol, array) for array in results)


def _expand(kinds: Any, axes: int) -> list[str]:
    """One kind per axis. A lone "r2c" is numpy's rfftn: the last axis real-to-complex, then complex ones."""
    if isinstance(kinds, str):
        return ["c2c"] * (axes - 1) + ["r2c"] if kinds == "r2c" else [word(kinds, "kinds", "c2c")] * axes
    if not isinstance(kinds, list | tuple):
        raise Error(f'kinds: {kinds!r} is neither a name nor a sequence of names; write "r2c" or ("dct2", "c2c")')
    one_per_axis(kinds, axes, "kinds", "shape")
    return [word(kind, f"kinds[{i}]", "c2c") for i, kind in enumerate(kinds)]


def strategies() -> list[str]:
    """The ways to move data between ranks, by name, that strategy= takes besides "auto"."""
    return list(_core.info()["strategies"])


def plan_arguments(shape: Any, kinds: Any, dtype: Any) -> dict[str, Any]:
    """The shape and the kinds in the types of the extension."""
    if isinstance(shape, int | np.integer) and not isinstance(shape, bool):
        shape = (shape,)
    sizes = whole_entries(shape, "shape", "(64, 64, 64)")
    return {"shape": sizes, "kinds": _expand(kinds, len(sizes)), "dtype": real_dtype(dtype)}
