"""VariablePoisson: solves div(a grad u) - c u = f with coefficients that vary."""

from collections.abc import Callable
from typing import Any

import numpy as np

from weft import _core
from weft._arguments import (
    agreed,
    array_problem,
    communicator,
    converted,
    real,
    real_dtype,
    refuse,
    together,
    whole,
    word,
)
from weft._arrays import empty
from weft._mpi import MPI
from weft._options import options_of, plan_options
from weft._point_grid import PointGrid
from weft._problem import equation, grid
from weft._text import call_text
from weft.errors import Error
from weft.field import Field

Report = Callable[[int, float], None]


class VariablePoisson(PointGrid):
    """Solves div(a grad u) - c u = f on cells, with a > 0 and c >= 0 that vary, by finite volumes or spectrally.

    cells, length, boundary  as in Poisson; ends are "periodic", "even" (du/dn = 0) or "odd" (u = 0 on the wall).
    form      "finite-volume", of order 2, or "spectral": derivatives of all waves of the grid, for smooth a and u.
    faces     of finite volumes: a on the face between two cells is their "harmonic" mean, with which the flux through
              layers is exact, or their "arithmetic" one.
    around    how the solver for constant coefficients is used in each iteration: "scaled" divides by sqrt(a) before and
              after it (Concus and Golub 1973), best where a is smooth; "laplacian" omits a, best where it jumps.
    tolerance  of the residual's 2-norm over that of f.
    most_iterations  a solve gives up after this many.
    mean      if u is free up to a constant (no odd end, c = 0 everywhere), f must have zero mean: "remove" subtracts
              the mean of f, "error" refuses a mean beyond rounding. u then has zero mean.
    comm, dtype, strategy, threads  as in Poisson.

    The equation of a cell, with q between it and the next one along each axis,
        sum over axes of (q[j+1] - q[j]) / h - c u = f,   q[j] = a (u[j] - u[j-1]) / h,
    is symmetric. So is the spectral form, D'(a D u) - c u = f, with D the derivative of the waves of the boundary, and
    D' that of waves with the parity of the gradient. The shortest wave of two points (an even number of periodic cells,
    or odd ends) has no derivative; it is removed from u and from the equation. Both are solved by conjugate gradients
    (Hestenes and Stiefel 1952). Iterations grow with the contrast of a, but for smooth a not with the number of cells.
    Sums over the ranks are exact, so that results have the same bits on any number of ranks.

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
        form: str = "finite-volume",
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
        self.comm = communicator(comm)
        choices = options_of(locals())

        def made() -> dict[str, Any]:
            return {
                **grid(cells, length, boundary, "cell"),
                **equation("chat2", 2.0, 0.0, mean),
                "form": word(form, "form", "spectral"),
                "faces": word(faces, "faces", "harmonic"),
                "around": word(around, "around", "scaled"),
                "tolerance": real(tolerance, "tolerance"),
                "most_iterations": whole(most_iterations, "most_iterations", 32),
                "dtype": real_dtype(dtype),
                "options": plan_options(**choices),
            }

        problem = agreed(self.comm, made)
        options, self.dtype = problem.pop("options"), np.dtype(problem.pop("dtype"))
        self._core = _core.VariablePoisson(MPI._addressof(self.comm), problem, self.dtype.name, options)
        self.boundary = tuple(problem["boundary"])
        self.form: str = problem["form"]
        self.faces: str = problem["faces"]
        self.around: str = problem["around"]
        self.mean: str = problem["mean"]
        self.tolerance: float = problem["tolerance"]
        self.most_iterations: int = problem["most_iterations"]
        self._take_grid(problem)

    def __repr__(self) -> str:
        parts = [str(self.cells), str(self.length), str(self.boundary), f"form={self.form!r}", f"faces={self.faces!r}"]
        return call_text("VariablePoisson", [*parts, f"around={self.around!r}", f"ranks={self.comm.size}"])

    @property
    def iterations(self) -> int:
        """The number of iterations of the last solve."""
        return self._core.iterations

    @property
    def residual(self) -> float:
        """The 2-norm of the residual of the last solve over that of f."""
        return self._core.residual

    @property
    def mean_is_free(self) -> bool:
        """Whether u is determined up to a constant with the present coefficients: no odd end, c = 0."""
        return self._core.mean_is_free

    def field(self, local: np.ndarray | None = None) -> Field:
        """A Field of cells: a new field of zeros, or a field over an array of local_shape and dtype. Collective."""
        return self._home().field(local)

    def set_coefficients(self, a: Any, c: Any = 0.0) -> None:
        """Copies the coefficients of the next solves: numbers, Fields, arrays that fit local_shape. Collective.

        They are values in the middles of cells: a is positive, c is 0 or positive, and both are finite.
        """
        values = converted(self.comm, lambda: {"a": self._values(a, "a"), "c": self._values(c, "c")})
        self._core.set_coefficients(values["a"], values["c"])

    def apply(self, u: Field) -> Field:
        """div(a grad u) - c u, a new Field. Collective."""
        self._home()
        with together(self.comm, alike=isinstance(u, Field)):
            refuse(self._problem(u, "u"))
            result = empty(self.local_shape, self.dtype)
        self._core.apply(u.local, result)
        return self._home().wrap(result)

    def solve(self, f: Field, guess: Field | None = None, report: Report | None = None) -> Field:
        """The solution u, a new Field. Collective.

        f         a Field of field(). It is preserved.
        guess     the first iterate; None: 0. A good one, such as the solution of the last time step, saves iterations.
        report    called as report(iteration, residual) on the ranks that give it, to show the progress of a long solve.
                  Ranks do not wait for it: its exceptions are printed, and the solve continues.

        Afterwards the attributes iterations and residual describe the solve. Raises Error if the tolerance is not
        reached, with the residual that was.
        """
        self._home()
        with together(self.comm, alike=isinstance(f, Field) + (0 if guess is None else 2)):
            refuse(self._problem(f, "f") or (None if guess is None else self._problem(guess, "guess")))
            result = empty(self.local_shape, self.dtype)
        self._core.solve(f.local, result, None if guess is None else guess.local, report)
        return self._home().wrap(result)

    def _values(self, given: Any, name: str) -> np.ndarray:
        values = given.local if isinstance(given, Field) else given
        try:
            return np.array(np.broadcast_to(np.asarray(values, self.dtype), self.local_shape), order="C")
        except (TypeError, ValueError):
            raise Error(
                f"{name}: it does not broadcast to the cells of this rank, {self.local_shape}; give a number, a Field, "
                "or an array of local_shape, such as a function of points()"
            ) from None

    def _problem(self, given: Any, name: str) -> str | None:
        """Why a field cannot be used, or None."""
        if not isinstance(given, Field):
            return f"{name}: {type(given).__name__} is not a Field; give one of solver.field()"
        if given.layout != self._home().layout:
            return f"{name}: the field has another layout than the solver; bring it there by redistribute_to()"
        return array_problem(given.local, name, self.local_shape, self.dtype, "solver.field() makes a suitable one")
