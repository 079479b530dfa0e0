"""div(a grad u) - c u = f with coefficients that vary: conjugate gradients around the solver for constant ones."""

import math
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from weft._arguments import agreed, array_problem, communicator, converted, real, refuse, shown, together, whole
from weft._mpi import MPI
from weft._problem import grid
from weft._text import call_text
from weft.errors import Error
from weft.field import Field
from weft.halo import Halo
from weft.kernel import Kernel, kernel_of_wavenumber
from weft.poisson import Poisson

Report = Callable[[int, float], None]


class _Coefficients(NamedTuple):
    """What an equation is made of: a at the lower and upper faces of this rank's cells, over h^2, per axis.

    scale     of residuals before and after the solver for constant coefficients, an array or a number.
    solver    of lap u - lambda^2 u = f, with a kernel of second-order differences.
    is_free   whether a constant solves the equation without a right-hand side.
    """

    lower: list[np.ndarray]
    upper: list[np.ndarray]
    reaction: Any
    scale: Any
    solver: Poisson
    is_free: bool


class VariablePoisson:
    """Solves div(a grad u) - c u = f on cells, with a > 0 and c >= 0 that vary, by finite volumes of order 2.

    cells, length, boundary  as in Poisson; ends are "periodic", "even" (du/dn = 0) or "odd" (u = 0 on the wall).
    faces     a on the face between two cells: their "harmonic" mean, with which the flux through layers is exact, or
              their "arithmetic" one.
    around    how the solver for constant coefficients is used in each iteration: "scaled" divides by sqrt(a) before and
              after it (Concus and Golub 1973), best where a is smooth; "laplacian" leaves a out, best where it jumps.
    tolerance  of the residual's 2-norm over that of f.
    most_iterations  after how many a solve gives up.
    mean      if u is free up to a constant (no odd end, c = 0 everywhere), f must have zero mean: "remove" takes it
              out, "error" refuses one beyond rounding. u has zero mean then.
    comm, dtype, strategy, threads  as in Poisson.

    The equation of a cell, with q between it and the next one along each axis,
        sum over axes of (q[j+1] - q[j]) / h - c u = f,   q[j] = a (u[j] - u[j-1]) / h,
    is symmetric. It is solved by conjugate gradients (Hestenes and Stiefel 1952), whose iterations grow with the
    contrast of a but not with the number of cells. Sums over the ranks are exact, so that results have the same bits
    on any number of ranks.

        solver = weft.VariablePoisson((64, 64, 64), (1.0, 1.0, 1.0), ["periodic"] * 3)
        solver.set_coefficients(a)
        u = solver.solve(f)

    Arrays are indexed [x, y, z]. Constructor, set_coefficients, solve and apply are collective; an error raises the
    same Error on every rank.
    """

    def __init__(
        self,
        cells: Any,
        length: Any,
        boundary: Any,
        *,
        faces: str = "harmonic",
        around: str = "scaled",
        tolerance: float = 1e-10,
        most_iterations: int = 500,
        mean: str = "remove",
        comm: MPI.Intracomm | None = None,
        dtype: Any = "float64",
        strategy: str = "auto",
        threads: int | None = None,
    ) -> None:
        self._options = {"dtype": dtype, "strategy": strategy, "threads": threads}
        self.comm = communicator(comm)

        def made() -> dict[str, Any]:
            domain = grid(cells, length, boundary, "cell")
            _require_closed(domain["boundary"])
            return {
                "domain": (domain["cells"], domain["length"], domain["boundary"]),
                "faces": _choice(faces, "faces", ("harmonic", "arithmetic")),
                "around": _choice(around, "around", ("scaled", "laplacian")),
                "tolerance": _fraction(tolerance),
                "most_iterations": _count(most_iterations),
                "mean": _choice(mean, "mean", ("remove", "error")),
            }

        given = agreed(self.comm, made)
        self.faces, self.around, self.mean = given["faces"], given["around"], given["mean"]
        self.tolerance, self.most_iterations = given["tolerance"], given["most_iterations"]
        self.cells, self.length, self.boundary = (tuple(one) for one in given["domain"])
        self.spacing = tuple(extent / n for extent, n in zip(self.length, self.cells, strict=True))
        self._plain = self._solver(0.0)
        self.shape, self.local_shape, self.local_slices = (
            self._plain.shape,
            self._plain.local_shape,
            self._plain.local_slices,
        )
        self.dtype = self._plain.dtype
        self.iterations, self.residual = 0, 0.0
        self._coefficients: _Coefficients | None = None
        home = self.field()
        self._layout = home.layout
        self._halo = Halo(home, 1, list(self.boundary))
        # a itself is continued evenly, whatever u does.
        even = [tuple("even" if end == "odd" else end for end in pair) for pair in self.boundary]
        self._coefficient_halo = Halo(home, 1, even)
        self._layers = self._halo.zeros()

    def __repr__(self) -> str:
        parts = [str(self.cells), str(self.length), str(self.boundary), f"faces={self.faces!r}"]
        return call_text("VariablePoisson", [*parts, f"around={self.around!r}", f"ranks={self.comm.size}"])

    def field(self, local: np.ndarray | None = None) -> Field:
        """A Field of cells: a new field of zeros, or a field over an array of local_shape and dtype. Collective."""
        return self._plain.field(local)

    def points(self) -> tuple[np.ndarray, ...]:
        """Positions of the middles of the local cells, one float64 array per axis, broadcastable."""
        return self._plain.points()

    def set_coefficients(self, a: Any, c: Any = 0.0) -> None:
        """The coefficients of the next solves: numbers, Fields, or what broadcasts to local_shape. Collective.

        a is positive, c is 0 or positive, both finite, in the middles of cells. They are copied.
        """
        values = converted(self.comm, lambda: {"a": self._values(a, "a"), "c": self._values(c, "c")})
        a_field, c_field = self.field(values["a"]), self.field(values["c"])
        with together(self.comm):
            _require_signs(values["a"], values["c"])
        layers = self._coefficient_halo.padded(a_field)
        lower, upper = [], []
        for axis, h in enumerate(self.spacing):
            face = self._face_values(layers, axis) / h**2
            lower.append(face[_along(axis, slice(None, -1))])
            upper.append(face[_along(axis, slice(1, None))])
        screened = bool(c_field.norm(math.inf) > 0)
        free = not screened and self._plain.mean_is_free
        if self.around == "scaled":
            scale: Any = 1 / np.sqrt(values["a"])
            ratio = _mean(self.field(values["c"] * scale**2))
        else:
            mean_a = _mean(a_field)
            scale, ratio = 1 / math.sqrt(mean_a), _mean(c_field) / mean_a
        solver = self._solver(ratio) if screened else self._plain
        self._coefficients = _Coefficients(lower, upper, values["c"] if screened else None, scale, solver, free)

    def apply(self, u: Field) -> Field:
        """div(a grad u) - c u, a new Field. Collective."""
        self._require_ready()
        with together(self.comm, alike=isinstance(u, Field)):
            refuse(self._problem(u, "u"))
        return self.field(self._applied(u.local))

    def solve(self, f: Field, guess: Field | None = None, report: Report | None = None) -> Field:
        """The solution u, a new Field. Collective.

        f         a Field of field(). It is preserved.
        guess     where to begin; None: at 0. A good one, such as the solution of the last time step, saves iterations.
        report    called as report(iteration, residual) on the ranks that give it, to show how far a long solve is.

        `iterations` and `residual` tell afterwards how many there were, and the residual's norm over that of f. Error
        where the tolerance is not reached: it says what was.
        """
        self._require_ready()
        with together(self.comm, alike=isinstance(f, Field) + (0 if guess is None else 2)):
            refuse(self._problem(f, "f") or (None if guess is None else self._problem(guess, "guess")))
        norm = f.norm()
        if not math.isfinite(norm):
            raise Error("f: it has values that are not finite; give finite ones")
        target = f.local - self._mean_to_remove(f, norm)
        size = self.field(target).norm()
        u = np.zeros(self.local_shape, self.dtype) if guess is None else guess.local.copy()
        self.iterations, self.residual = 0, 0.0
        if size > 0:
            self._iterate(u, target, size, report)
        else:
            u[...] = 0
        return self.field(self._centred(u))

    def _iterate(self, u: np.ndarray, target: np.ndarray, size: float, report: Report | None) -> None:
        """Conjugate gradients for the negative operator, which is positive, from u on, which becomes the solution."""
        r = self.field(self._applied(u) - target)
        direction = np.zeros_like(u)
        before = 1.0
        while True:
            self.residual = r.norm() / size
            if report is not None:
                report(self.iterations, self.residual)
            if self.residual <= self.tolerance:
                return
            if self.iterations == self.most_iterations or not math.isfinite(self.residual):
                raise Error(
                    f"most_iterations: after {self.iterations} the residual is {self.residual:.3g} of the norm of f, "
                    f"tolerance={self.tolerance:g} was asked for; allow more iterations, or a larger tolerance"
                )
            z = self.field(self._nearly_solved(r.local))
            now = _dot(z, r)
            direction *= now / before if self.iterations > 0 else 0.0
            direction += z.local
            turned = self.field(-self._applied(direction))
            step = now / _dot(turned, self.field(direction))
            u += step * direction
            r.local[...] -= step * turned.local
            before = now
            self.iterations += 1

    def _nearly_solved(self, r: np.ndarray) -> np.ndarray:
        """The negative operator's inverse, nearly: that of constant coefficients between scales."""
        c = self._ready()
        return self._centred(-(c.scale * c.solver.solve(np.ascontiguousarray(c.scale * r, self.dtype))))

    def _applied(self, u: np.ndarray) -> np.ndarray:
        """The operator, of this rank's cells. Collective."""
        c, layers = self._ready(), self._layers
        self._halo.interior(layers)[...] = u
        self._halo.exchange(layers)
        result = np.zeros(self.local_shape, self.dtype) if c.reaction is None else -c.reaction * u
        for axis, (lower, upper) in enumerate(zip(c.lower, c.upper, strict=True)):
            result += upper * (_shifted(layers, axis, 2) - u)
            result -= lower * (u - _shifted(layers, axis, 0))
        return result

    def _face_values(self, layers: np.ndarray, axis: int) -> np.ndarray:
        """a on all faces across an axis, one more than there are cells."""
        inside = tuple(slice(None) if other == axis else slice(1, -1) for other in range(layers.ndim))
        cells = layers[inside]
        one, other = cells[_along(axis, slice(None, -1))], cells[_along(axis, slice(1, None))]
        return 2 * one * other / (one + other) if self.faces == "harmonic" else (one + other) / 2

    def _mean_to_remove(self, f: Field, norm: float) -> Any:
        """The mean of f where it has to be zero. Collective."""
        if not self._ready().is_free:
            return 0.0
        mean = _mean(f)
        if (
            self.mean == "error"
            and abs(mean) * math.sqrt(math.prod(self.cells)) > _rounding(self.cells, self.dtype) * norm
        ):
            raise Error(
                f"mean: the mean of f is {mean:.3g}, but no end fixes u, so it has to be zero; subtract it, or give "
                'mean="remove"'
            )
        return self.dtype.type(mean)

    def _centred(self, u: np.ndarray) -> np.ndarray:
        """Less its mean, where a constant is free. Collective."""
        return u - self.dtype.type(_mean(self.field(u))) if self._ready().is_free else u

    def _solver(self, square: float) -> Poisson:
        """The solver of lap u - square u = f with second-order differences."""
        kernel = _screened_differences(self.spacing, square)
        return Poisson(self.cells, self.length, self.boundary, kernel=kernel, comm=self.comm, **self._options)

    def _values(self, given: Any, name: str) -> np.ndarray:
        values = given.local if isinstance(given, Field) else given
        try:
            return np.array(np.broadcast_to(np.asarray(values, self.dtype), self.local_shape))
        except (TypeError, ValueError):
            raise Error(
                f"{name}: it does not broadcast to the cells of this rank, {self.local_shape}; give a number, a Field, "
                "or an array of local_shape, such as a function of points()"
            ) from None

    def _problem(self, given: Any, name: str) -> str | None:
        """Why a field cannot be used, or None."""
        if not isinstance(given, Field):
            return f"{name}: {type(given).__name__} is no Field; give one of solver.field()"
        if given.layout != self._layout:
            return f"{name}: the field has another layout than the solver; bring it there by redistribute_to()"
        return array_problem(given.local, name, self.local_shape, self.dtype, "solver.field() makes a right one")

    def _ready(self) -> _Coefficients:
        assert self._coefficients is not None
        return self._coefficients

    def _require_ready(self) -> None:
        if self._coefficients is None:
            raise Error("coefficients: none are set; call set_coefficients(a, c) first")


def _mean(field: Field) -> float:
    return float(field.mean().real)


def _dot(one: Field, other: Field) -> float:
    return float(one.dot(other).real)


def _along(axis: int, part: slice) -> tuple[Any, ...]:
    """An index that takes a part along one axis."""
    return (*[slice(None)] * axis, part)


def _shifted(layers: np.ndarray, axis: int, begin: int) -> np.ndarray:
    """The cells of this rank, moved along an axis: begin is 0 for those before, 2 for those behind."""
    ends = [slice(1, n - 1) for n in layers.shape]
    ends[axis] = slice(begin, layers.shape[axis] - 2 + begin)
    return layers[tuple(ends)]


def _rounding(cells: tuple[int, ...], dtype: np.dtype) -> float:
    """Of a mean over sqrt(cells) times it, relative to the norm: each value is rounded."""
    return 8 * float(np.finfo(dtype).eps) * math.sqrt(math.prod(cells))


def _choice(value: Any, name: str, allowed: tuple[str, ...]) -> str:
    if value not in allowed:
        raise Error(f"{name}: {shown(value)} is not allowed; give one of {', '.join(allowed)}")
    return value


def _fraction(value: Any) -> float:
    number = real(value, "tolerance")
    if not 0 < number < 1:
        raise Error(f"tolerance: {number:g} is not allowed; give a number between 0 and 1, such as 1e-10")
    return number


def _count(value: Any) -> int:
    number = whole(value, "most_iterations", 31)
    if number < 1:
        raise Error(f"most_iterations: {number} is not allowed; give 1 or more")
    return number


def _require_closed(boundary: Any) -> None:
    for axis, pair in enumerate(boundary):
        if "unbounded" in pair:
            raise Error(
                f"boundary of axis {axis}: {pair} given; varying coefficients need ends that are periodic, even or odd"
            )


def _require_signs(a: np.ndarray, c: np.ndarray) -> None:
    for name, values, allowed in ("a", a, "positive"), ("c", c, "0 or positive"):
        wrong = ~np.isfinite(values) | (values <= 0 if name == "a" else values < 0)
        if wrong.any():
            raise Error(f"{name}: {values[wrong][0]:g} given; it has to be {allowed} and finite in all cells")


def _screened_differences(spacing: tuple[float, ...], square: float) -> Kernel:
    """-1 / (k^2 + square), with the k^2 of second-order differences; 0 where that is nothing."""

    def factors(*wavenumbers: np.ndarray) -> np.ndarray:
        squares = sum((2 / h * np.sin(k * h / 2)) ** 2 for k, h in zip(wavenumbers, spacing, strict=True)) + square
        return np.divide(-1.0, squares, out=np.zeros_like(squares), where=squares > 0)

    return kernel_of_wavenumber(factors)
