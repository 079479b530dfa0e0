"""The class Field: its making, its axes, and the methods that are in modules of their own."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from weft._arguments import agreed, communicator, raise_together, together
from weft._arrays import zeros
from weft._mpi import MPI
from weft._text import box_text, call_text
from weft.errors import Error
from weft.field.arithmetic import FieldArithmetic
from weft.field.axes import Space
from weft.field.elements import block_problem, block_type, number_type
from weft.field.figure import field_figure, html_of
from weft.field.files import load, save
from weft.field.layout import Layout, checked_layout, rank_in
from weft.field.moves import FieldMoves
from weft.field.reductions import FieldReductions
from weft.field.spectrum import shell_spectrum

if TYPE_CHECKING:
    from typing import Self  # since Python 3.11

    from matplotlib.figure import Figure


class Field(FieldArithmetic, FieldReductions, FieldMoves):
    """A global array. Every rank of a communicator has one block of it, a numpy array that is used without a copy.

    local         this rank's block: numbers of any numpy type, the same on all ranks; any strides. The field
                  writes to it in u[...] = value, u += v and scatter(), and nowhere else.
    slices        the position of the block in the global array, one slice per axis. The blocks of all ranks tile the
                  array. A rank without data gives empty slices. None: slabs along the first axis, see zeros().
    global_shape  points per axis of the global array, 1 to 6 axes.
    comm          an mpi4py communicator; None is COMM_WORLD, one rank when there is no launcher.

    Plans and solvers make fields with known axes: Plan.physical_field, Plan.spectral_field, Poisson.field,
    VectorPoisson.vector_field. They have coordinates() or wavenumbers() and weights(), and forward, backward, apply and
    solve take them and return such fields.

    Operators and numpy's functions of elements work block by block: u * v, numpy.exp(u), u += 1. Operands are numbers,
    fields of the same layout, and arrays that broadcast to this rank's block, such as those of coordinates(). They send
    nothing. Constructor, indexing, reductions, gather, scatter, redistribute_to, spectrum, save and load are
    collective; an error raises the same Error on every rank.
    """

    __slots__ = ()

    def __init__(self, local: np.ndarray, slices: Any, global_shape: Any, comm: MPI.Intracomm | None = None) -> None:
        comm = communicator(comm)
        self._layout, self._space = checked_layout(slices, global_shape, comm), None
        agreed(comm, lambda: {"the dtype of local": block_type(local, self._layout.local_shape)})
        self._local = local

    def __repr__(self) -> str:
        known = [] if self.side is None else [self.side]
        place = box_text(self.slices), f"of {self.global_shape}"
        return call_text("Field", [place, str(self.dtype), *known, f"ranks={self.comm.size}"])

    def _repr_html_(self) -> str:
        """A table for notebooks. Nothing is sent."""
        return html_of(self)

    @classmethod
    def zeros(cls, global_shape: Any, dtype: Any = "float64", comm: MPI.Intracomm | None = None) -> Self:
        """A field of zeros in slabs: the first axis cut in parts that differ by one point at most. Collective."""
        comm = communicator(comm)
        given = agreed(comm, lambda: {"dtype": number_type(dtype)})
        shape = global_shape if isinstance(global_shape, tuple | list) else (global_shape,)
        layout = checked_layout(None, shape, comm)
        return cls._of(layout.zeros(given["dtype"]), layout, None)

    @classmethod
    def from_global(
        cls, array: np.ndarray | None, slices: Any = None, root: int = 0, comm: MPI.Intracomm | None = None
    ) -> Self:
        """A field with the elements of a whole array, which only rank root has to give. Collective.

        slices    this rank's part, as in the constructor; None: slabs along the first axis.
        """
        comm = communicator(comm)
        root = agreed(comm, lambda: {"root": rank_in(comm, root)})["root"]
        raise_together(comm, block_problem(array, None, "array") if comm.rank == root else None)
        shape, dtype = comm.bcast(
            (array.shape, array.dtype) if comm.rank == root and array is not None else None, root=root
        )
        layout = checked_layout(slices, shape, comm)
        return cls._of(layout.zeros(dtype), layout, None).scatter(array, root)

    def coordinates(self, lengths: Any = None) -> tuple[np.ndarray, ...]:
        """Positions of the local points, one array per axis without components, broadcastable against the block.

        lengths   of the box, one per axis that has positions; None: 2 pi and pi, as Plan.coordinates(). A field of a
                  solver has the positions of Poisson.points() and takes no lengths.
        """
        return self._positions("coordinates", "physical", lengths)

    def wavenumbers(self, lengths: Any = None) -> tuple[np.ndarray, ...]:
        """Wavenumbers of the local modes as Plan.wavenumbers(), broadcastable against the block, without components.

        lengths   of the box, one per axis that has wavenumbers, as in spectrum(); None: 2 pi and pi.
        """
        return self._positions("wavenumbers", "spectral", lengths)

    def weights(self) -> np.ndarray:
        """The weight of each local mode in a sum over the whole spectrum, as Plan.weights(); ones for points."""
        if self._space is None:
            raise Error("weights: this field has no axes; take one that a plan or solver made")
        return self._space.product("weights", self.slices).astype(self._space.dtype)

    def spectrum(self, *components: Field, width: float = 1.0, lengths: Any = None) -> tuple[np.ndarray, np.ndarray]:
        """The shell spectrum of modes: (k, E), the mean square of the points by wavenumber. Collective.

        Shell i holds the modes with (i - 1/2) width <= |k| < (i + 1/2) width; its wavenumber is
        k[i] = i width, and E[i] the sum over its modes of |u|^2, weighted and scaled so that sum(E) is mean_square():
        the mean over the points of |u|^2, by Parseval's theorem, for all kinds of transforms. The kinetic energy per
        mass of a velocity is half of that; a density in k is E / width.

        components  other fields of modes with the same layout, whose squares are added: uh.spectrum(vh, wh). Components
                  on an axis of one field, Plan(batch_axes=...), are added in any case.
        width     of shells.
        lengths   of the box, one per axis that has wavenumbers: the period, or the interval of cosines and sines. None:
                  2 pi and pi, as wavenumbers().

        Both arrays are float64 and the same on every rank, bit for bit for every number of ranks: each shell is the
        exact sum of its terms, rounded.
        """
        return shell_spectrum((self, *components), width, lengths)

    def plot(self, name: str = "u", *, index: Any = (), limit: int = 1024) -> Figure | None:
        """A figure: a curve of one axis, a picture of two, the planes through the middle of three. Collective.

        name      the title.
        index     of the first axes, one each, such as a component: 1 to 3 others are drawn.
        limit     the largest number of points drawn along an axis, 2 or more. For longer axes every second, third, ...
                  point is drawn, as the title says, so that a rank needs memory for at most limit**2 elements per
                  plane. More modes than that are an error.

        Rank 0 gets a matplotlib.figure.Figure, for figure.savefig("u.png") or as the last line of a notebook's cell;
        the others get None. The figure does not belong to pyplot, so it need not be closed. Its axes show coordinates
        or wavenumbers if the field has them, else indices. Complex numbers are drawn by their magnitude, modes by log10
        of the magnitude in the order of wavenumbers; for three axes of modes the planes go through the mode 0.
        """
        return field_figure(self, name, index, limit)

    def save(self, path: Any, name: str = "u", *, xdmf: bool = False) -> None:
        """Writes the field to a file, which appears complete or not at all. Collective.

        path      ending in .h5 or .hdf5: HDF5 with the dataset `name` and the coordinates x, y, z of points if they
                  are known; .npy: NumPy's format. Elements are float64, float32, complex128 or complex64.
        xdmf      whether to write a description for ParaView next to an HDF5 file, with the same name and .xdmf.
        """
        save(self, path, name, xdmf)

    @classmethod
    def load(
        cls,
        path: Any,
        name: str = "u",
        *,
        like: Field | None = None,
        comm: MPI.Intracomm | None = None,
        dtype: Any = None,
    ) -> Self:
        """A field of the array in a file that save() or another program wrote: HDF5 or .npy. Collective.

        name      the dataset in HDF5.
        like      a field with the layout, communicator, axes and type for the new one; the array must have its shape.
                  None: slabs along the first axis on comm, with elements of dtype: float64, float32, complex128 or
                  complex64; without dtype float64, or complex128 if the file has complex numbers.
        """
        known = like if isinstance(like, Field) else None
        problem = None if like is known else Error(f"like is {type(like).__name__}, not a Field; give one or None")
        raise_together(communicator(comm) if known is None else known.comm, problem, alike=known is not None)
        layout, space = (None, None) if known is None else (known.layout, known._space)
        comm, dtype = (comm, dtype) if known is None else (known.comm, known.dtype)
        values, layout = load(path, name, layout, comm, dtype)
        return cls._of(values, layout, space)

    def _positions(self, what: str, side: str, lengths: Any = None) -> tuple[np.ndarray, ...]:
        if self._space is None or self._space.side != side:
            known = "no axes" if self._space is None else f"{self._space.side} axes"
            raise Error(f"{what}: this field has {known}; take a field of a plan or solver that is {side}")
        return self._space.positions(self.slices, lengths)


def over(local: Any, name: str, layout: Layout, space: Space | None, dtype: np.dtype) -> Field:
    """A field of zeros, or over an array that is given. Collective."""
    layout.require_memory(dtype, math.prod(layout.local_shape) if local is None else 0)
    with together(layout.comm):
        if local is None:
            local = zeros(layout.local_shape, dtype)
        problem = block_problem(local, layout.local_shape)
        if problem is not None:
            raise problem
        if local.dtype != dtype:
            raise Error(f"{name} has dtype {local.dtype}, but this object works on {dtype}; convert it by astype()")
    return Field._of(local, layout, space)
