"""VectorPoisson: solves for vector fields, Biot-Savart, gradient, divergence, curl and projection."""

from collections.abc import Sequence
from typing import Any, TypeVar

import numpy as np

from weft import _core
from weft._arguments import (
    agreed,
    array_problem,
    communicator,
    entries,
    output_problem,
    real_dtype,
    refuse,
    together,
    word,
)
from weft._arrays import empty
from weft._mpi import MPI
from weft._options import options_of, plan_options
from weft._planned import PlannedGrid
from weft._problem import displacement, equation, grid, pair, several
from weft._text import call_text
from weft.field import Field
from weft.field.makers import Home, Region, point_home, unwrapped
from weft.kernel import Kernel

Ends = tuple[str, str]
# Arrays give arrays, and fields give fields.
Array = TypeVar("Array", np.ndarray, Field)


def vector_boundary(scalar: Any) -> list[list[Ends]]:
    """The boundaries, per component and axis, of vector fields that are gradients of scalars with the given boundaries.

    An even end is a wall that the field does not cross: its normal component is odd there. The field crosses an odd end
    at right angles. Periodic and unbounded ends do not change.
    """
    given = entries(scalar, "scalar", '("periodic", "even", "unbounded")')
    pairs = [pair(value, f"scalar[{i}]") for i, value in enumerate(given)]
    return _core.vector_boundary(pairs)


class VectorPoisson(PlannedGrid):
    """A planned solver for vector fields. They have as many components as axes, 2 or 3.

    cells, length, centring, kernel, alpha, screening: as in Poisson.
    boundary    a list per component with one entry per axis, as in Poisson, or one list of words, or one word, for all
                components if no end is even or odd. A vector field has mirror symmetry: at an even or odd end its
                normal component has the opposite condition of the other components. vector_boundary() makes such
                lists.
    derivative  "spectral", or 2, 4 or 6 for the symbols of centred differences of that order.
    power       p of -(screening**2 - laplacian)**p u = f, as in Poisson, for solve, solve_gradient and biot_savart
                (minus the curl of the solution: power=0.5 is surface quasi-geostrophic flow). The other methods do not
                depend on it.
    batch       the number of fields of one call, in one exchange. Arrays then have an additional first axis, which
                counts them and is never cut. Every result has the bits that it has alone. None: one field, in arrays
                without that axis.
    shift       one length per axis, as in Poisson: solve, solve_gradient and biot_savart give their results at
                displaced points. The other methods do not displace, and project is refused.
    comm, dtype, strategy, threads, engine: as in Plan.

    Arrays of vectors have the shape vector_shape, (components, *local_shape), arrays of scalars scalar_shape, which is
    local_shape; the axis of a batch comes before these. Fields that are differentiated have to vanish towards
    unbounded ends. biot_savart and solve_gradient differentiate solutions, which need not vanish. All methods are
    collective. Each returns a new array or out, which may be the input if the shapes agree. For a Field from
    vector_field() or scalar_field() they return a Field.
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
        derivative: str | int = "spectral",
        power: float = 1.0,
        batch: int | None = None,
        shift: Any = None,
        comm: MPI.Intracomm | None = None,
        dtype: Any = "float64",
        strategy: str = "auto",
        threads: int | None = None,
        engine: str = "auto",
    ) -> None:
        self.comm = communicator(comm)
        choices = options_of(locals())

        def made() -> dict[str, Any]:
            points = _grid(cells, length, boundary, centring)
            return {
                **points,
                **equation(kernel, alpha, screening, "remove"),
                "derivative": _derivative(derivative),
                **several(power, batch),
                **displacement(shift, len(points["cells"])),
                "dtype": real_dtype(dtype),
                "options": plan_options(**choices),
            }

        problem = agreed(self.comm, made)
        options, self.dtype = problem.pop("options"), np.dtype(problem.pop("dtype"))
        self._core = _core.VectorPoisson(MPI._addressof(self.comm), problem, self.dtype.name, options)
        self._take_grid(problem)
        self.components = len(self.cells)
        self.kernel: str = kernel.name if isinstance(kernel, Kernel) else kernel
        self.derivative: str = problem["derivative"]
        self.shift: tuple[float, ...] = tuple(problem["shift"]) or (0.0,) * self.components
        self.power: float = problem["power"]
        self.batch: int | None = problem["batch"] or None
        self.scalar_shape = (*self._fields(), *self.local_shape)
        self.vector_shape = (*self._fields(), self.components, *self.local_shape)
        self._made_homes: dict[str, Home] = {}

    def __repr__(self) -> str:
        parts = [str(self.cells), str(self.length), f"centring={self.centring}", f"kernel={self.kernel!r}"]
        parts += [] if self.power == 1 else [f"power={self.power:g}"]
        parts += [] if self.batch is None else [f"batch={self.batch}"]
        parts += [f"derivative={self.derivative!r}", f"dtype={self.dtype.name!r}", f"strategy={self.strategy!r}"]
        return call_text("VectorPoisson", [*parts, f"ranks={self.comm.size}"])

    @property
    def scalar_boundary(self) -> list[Ends]:
        """The boundaries per axis of scalars that belong to the field: its divergence, a potential."""
        return self._core.scalar_boundary

    @property
    def curl_boundary(self) -> list[list[Ends]]:
        """The boundaries per component and axis of the result of curl(), which is one scalar in two dimensions."""
        return self._core.curl_boundary

    def vector_field(self, local: np.ndarray | None = None) -> Field:
        """A Field of vectors, components first: zeros, or a field over an array of vector_shape and dtype. Collective.

        Nodes have the weights of Poisson.field() in means.
        """
        return self._home("vector").field(local)

    def scalar_field(self, local: np.ndarray | None = None) -> Field:
        """A Field of scalars: zeros, or a field over an array of scalar_shape and dtype. Collective."""
        return self._home("scalar").field(local)

    def solve(self, rhs: Array, out: Array | None = None) -> Array:
        """The vectors u with laplacian(u) - screening**2 u = rhs, or of the problem with another power."""
        return self._apply("solve", rhs, self.vector_shape, self.vector_shape, out)

    def biot_savart(self, vorticity: Array, out: Array | None = None) -> Array:
        """The velocity u with curl(u) = vorticity and div(u) = 0: minus the curl of the solution, for any power.

        In three dimensions the vorticity has the boundaries of the problem and u has curl_boundary. In two dimensions
        the vorticity is a scalar with curl_boundary and u has the boundaries of the problem.
        """
        given = self.scalar_shape if self.components == 2 else self.vector_shape
        return self._apply("biot_savart", vorticity, given, self.vector_shape, out)

    def curl(self, vector: Array, out: Array | None = None) -> Array:
        """The curl (du_z/dy - du_y/dz, ...), or in two dimensions the scalar du_y/dx - du_x/dy."""
        result = self.scalar_shape if self.components == 2 else self.vector_shape
        return self._apply("curl", vector, self.vector_shape, result, out)

    def divergence(self, vector: Array, out: Array | None = None) -> Array:
        """The divergence, a scalar with the boundaries scalar_boundary."""
        return self._apply("divergence", vector, self.vector_shape, self.scalar_shape, out)

    def gradient(self, scalar: Array, out: Array | None = None) -> Array:
        """The gradient of a scalar with the boundaries scalar_boundary."""
        return self._apply("gradient", scalar, self.scalar_shape, self.vector_shape, out)

    def solve_gradient(self, scalar: Array, out: Array | None = None) -> Array:
        """The gradient of the solution for a scalar right-hand side, such as the field of a charge or mass density."""
        return self._apply("solve_gradient", scalar, self.scalar_shape, self.vector_shape, out)

    def project(self, vector: Array, out: Array | None = None) -> Array:
        """The divergence-free part, vector - grad(laplacian^-1(div(vector)))."""
        return self._apply("project", vector, self.vector_shape, self.vector_shape, out)

    def _apply(
        self, operation: str, given: Array, source: tuple[int, ...], target: tuple[int, ...], out: Array | None
    ) -> Array:
        name, wanted = ("vector" if shape == self.vector_shape else "scalar" for shape in (source, target))
        advice = f"make it with numpy.zeros(solver.{name}_shape, solver.dtype)"
        with together(self.comm, alike=isinstance(given, Field)):
            local, result, text = unwrapped(given, name, out, self._region(name), self._region(wanted))
            result = empty(target, self.dtype) if result is None else result
            text = text or array_problem(local, name, source, self.dtype, advice)
            refuse(text or output_problem(result, local, target, self.dtype, may_be_given=True))
        self._core.apply(operation, local, result)
        if out is not None:
            return out
        return self._home(wanted).wrap(result) if isinstance(given, Field) else result

    def _region(self, what: str) -> Region:
        counted = (*self._fields(), self.components) if what == "vector" else self._fields()
        slices, shape = (*(slice(0, n) for n in counted), *self.local_slices), (*counted, *self.shape)
        return Region(self.comm, slices, shape, "physical", f"solver.{what}_field()")

    def _fields(self) -> tuple[int, ...]:
        """The extents of arrays that precede those of one field: the batch."""
        return () if self.batch is None else (self.batch,)

    def _home(self, what: str) -> Home:
        """The layout and the axes of fields of vectors or scalars, made by the first call, which is collective."""
        if what not in self._made_homes:
            region = self._region(what)
            with together(self.comm):
                positions = [x.ravel() for x in self.points()]
            self._made_homes[what] = point_home(region, positions, self._point_weights(), self.dtype)
        return self._made_homes[what]


def _derivative(value: Any) -> str:
    """The text for the library. An order may be given as a number."""
    return str(value) if isinstance(value, int) else word(value, "derivative", "spectral")


def _grid(cells: Any, length: Any, boundary: Any, centring: Any) -> dict[str, Any]:
    """The points as from grid(), with the boundaries of all components."""
    given: Sequence[Any] = [boundary]
    if not isinstance(boundary, str):
        given = entries(boundary, "boundary", '[["odd", "periodic"], ["even", "periodic"]]')
        if all(isinstance(value, str) for value in given):
            given = [given]
        for i, component in enumerate(given):  # a word here may have been meant for an axis
            entries(component, f"boundary[{i}]", '["odd", "periodic"]')
    alike = [grid(cells, length, component, centring) for component in given]
    return {**alike[0], "components": [one["boundary"] for one in alike]}
