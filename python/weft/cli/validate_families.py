"""The checks of weft validate besides kernels: walls, values at ends, halos, particles, media, displaced points.

Each family is a list of cases with an exact answer: smooth profiles between walls, whose errors fall with the order of
the differences; polynomials for which the differences are exact for any values at ends; layers of whole numbers;
charges and linear functions, which B-splines preserve; waves in media that are waves; displaced points and long cells
(validate_displaced.py).
"""

from collections.abc import Callable, Iterator, Sequence
from itertools import product
from math import log2
from typing import Any

import numpy as np

from weft._mpi import MPI
from weft.cli.validate_displaced import displaced, lattices
from weft.cli.validate_findings import EPS, Finding, largest
from weft.field import Field
from weft.halo import Halo
from weft.particle_mesh import ParticleMesh
from weft.poisson import Poisson
from weft.variable_poisson import VariablePoisson

# Ends of the finite-difference axis, and the lengths of their Robin conditions.
_WALLS = (
    (("periodic", "periodic"), (0.0, 0.0)),
    (("odd", "odd"), (0.0, 0.0)),
    (("even", "odd"), (0.0, 0.0)),
    (("even", "even"), (0.0, 0.0)),
    (("odd", "odd"), (0.3, 0.7)),
    (("odd", "even"), (0.2, 0.0)),
)
_ENDS = ("periodic", "even", "odd", "unbounded")


def _stretched(cells: int) -> np.ndarray:
    """Widths of cells that are narrow at both ends of [0, 1]."""
    edges = np.tanh(1.5 * np.linspace(-1, 1, cells + 1)) / np.tanh(1.5)
    return np.diff(edges) / 2


def _solver(comm: MPI.Intracomm, axis: int, ends: Any, widths: np.ndarray | int, **options: Any) -> Poisson:
    """A solver with 8 periodic cells along the other axes, whose waves are exact. A number counts Chebyshev cells."""
    cells, centring = [8] * 3, ["cell"] * 3
    boundary: list[Any] = ["periodic"] * 3
    given: list[Any] = [None] * 3
    boundary[axis] = ends
    if isinstance(widths, int):
        cells[axis], centring[axis] = widths, "chebyshev"
    else:
        cells[axis], given[axis] = len(widths), widths
    more: dict[str, Any] = {"widths": given, "centring": centring, "comm": comm, "threads": 1}
    return Poisson(cells, (1.0,) * 3, boundary, **more, **options)


def _profile(ends: tuple[str, str], robin: tuple[float, float]) -> tuple[Callable, Callable]:
    """A function of z that obeys the conditions at 0 and 1, and its second derivative: exp and parabola, or a wave."""
    if ends[0] == "periodic":
        k = 2 * np.pi
        return lambda z: np.sin(k * z + 0.3), lambda z: -(k**2) * np.sin(k * z + 0.3)
    rows, wanted = [], []
    for end, length, z, outwards in zip(ends, robin, (0.0, 1.0), (-1, 1), strict=True):
        value, slope = np.array([1, z, z * z]), np.array([0, 1, 2 * z]) * outwards
        rows.append(slope if end == "even" else value + length * slope)
        wanted.append(-np.exp(z) * (outwards if end == "even" else 1 + length * outwards))
    a, b, c = np.linalg.lstsq(rows, wanted, rcond=None)[0]
    return lambda z: np.exp(z) + a + b * z + c * z * z, lambda z: np.exp(z) + 2 * c


def _wall_error(comm: MPI.Intracomm, axis: int, number: int, widths: np.ndarray | int, order: int = 2) -> float:
    ends, robin = _WALLS[number]
    solver = _solver(comm, axis, ends, widths, robin=robin, order=order)
    profile, second = _profile(ends, robin)
    points = solver.points()
    k, wave = 2 * np.pi, np.cos(2 * np.pi * points[(axis + 1) % 3]) * (1 + 0 * points[(axis + 2) % 3])
    z = points[axis]
    return largest(comm, solver.solve(wave * (second(z) - k**2 * profile(z))) - wave * profile(z))


def _walls(order: int) -> Callable[[MPI.Intracomm, bool], Iterator[Finding]]:
    """Errors on 32 and 64 stretched cells. A tenth is allowed for terms after the leading one, which fall faster."""

    def check(comm: MPI.Intracomm, quickly: bool) -> Iterator[Finding]:
        for number, axis in product(range(len(_WALLS)), range(3)):
            if quickly and axis != number % 3:
                continue
            coarse, fine = (_wall_error(comm, axis, number, _stretched(cells), order) for cells in (32, 64))
            ends, robin = _WALLS[number]
            found = Finding(f"axis {axis} {ends[0]} {ends[1]} robin {robin[0]} {robin[1]}", 0.0, log2(coarse / fine))
            found.error = fine * 2**order / (1.1 * coarse)
            yield found.judged()

    return check


def _chebyshev(comm: MPI.Intracomm, quickly: bool) -> Iterator[Finding]:
    """Errors on 4, 8 and 16 cells of profiles whose coefficients fall as those of exp, I_k(1/2) = (1/4)^k / k!.

    From 4 to 8 cells they fall by 4! / 8! / 4^4 = 2e-6, with factors of the number of coefficients allowed at the ends.
    On 16 they are rounding errors of values below 30, second derivatives included, in transforms of 4 stages.
    """
    for number, axis in product(range(1, len(_WALLS)), range(3)):
        if quickly and axis != number % 3:
            continue
        ends, robin = _WALLS[number]
        coarse, middle, fine = (_wall_error(comm, axis, number, cells) for cells in (4, 8, 16))
        error = max(middle / (4 * 2.3e-6 * coarse), fine / (4 * 30 * EPS))
        yield Finding(f"axis {axis} {ends[0]} {ends[1]} robin {robin[0]} {robin[1]}", error).judged()


def _given(comm: MPI.Intracomm, quickly: bool) -> Iterator[Finding]:
    """Polynomials between ends with any values: differences of order 2 are exact for degree 1, of order 4 for 4."""
    widths = np.array([3, 4, 4, 5, 6, 5, 5, 3, 2, 3], float) / 40
    for order, number, axis in product((2, 4), range(1, len(_WALLS)), range(3)):
        ends, robin = _WALLS[number]
        if ends == ("even", "even") or (quickly and axis != number % 3):
            continue
        p = np.polynomial.Polynomial([0.5, -1.5] if order == 2 else [0.5, -1.5, 2.0, 1.0, -0.75])
        solver = _solver(comm, axis, ends, widths, robin=robin, order=order)
        z = solver.points()[axis] + 0 * sum(solver.points())
        given = {}
        for side, end, length, at, outwards in zip(("left", "right"), ends, robin, (0.0, 1.0), (-1, 1), strict=True):
            slope = outwards * p.deriv()(at)
            given[axis, side] = slope if end == "even" else p(at) + length * slope
        u = solver.solve(np.ascontiguousarray(p.deriv(2)(z)), ends=given)
        # The inverse of second differences amplifies rounding errors by up to the square of the number of cells.
        error = largest(comm, u - p(z)) / (EPS / widths.min() ** 2)
        yield Finding(f"order {order} axis {axis} {ends[0]} {ends[1]} robin {robin[0]} {robin[1]}", error).judged()


def _shown(count: int, width: tuple[int, int], ends: tuple[str, str], centring: str) -> tuple[np.ndarray, np.ndarray]:
    """The point that each place of an axis with layers shows, and its sign; 0 where nothing is shown."""
    places = np.arange(-width[0], count + width[1])
    period, node = (count, 0) if centring == "cell" else (count - 1, 1)
    point, sign = places.copy(), np.ones(len(places), int)
    for beyond, end, mirrored in (
        (places < 0, ends[0], -places - 1 + node),
        (places >= count, ends[1], 2 * count - 1 - node - places),
    ):
        point[beyond] = (places % period if end == "periodic" else mirrored)[beyond]
        sign[beyond] = {"odd": -1, "unbounded": 0}.get(end, 1)
    return np.where(sign == 0, 0, point), sign


def _wanted(whole: np.ndarray, window: list[slice], width: Any, ends: Any, centring: str) -> np.ndarray:
    """A part of the whole array with its layers."""
    shown = []
    for count, layers, pair, part in zip(whole.shape, width, ends, window, strict=True):
        point, sign = _shown(count, layers, pair, centring)
        shown.append((point[part], sign[part]))
    signs = [sign.reshape([-1 if a == axis else 1 for a in range(whole.ndim)]) for axis, (_, sign) in enumerate(shown)]
    return whole[np.ix_(*[point for point, _ in shown])] * signs[0] * signs[1] * signs[2]


def _halo(comm: MPI.Intracomm, quickly: bool) -> Iterator[Finding]:
    """Layers of whole numbers: every place shows the point that geometry says."""
    shape, width = (7, 6, 9), ((2, 1), (1, 3), (0, 2))
    pairs = [(a, b) for a, b in product(_ENDS, repeat=2) if (a == "periodic") == (b == "periodic")]
    layout = Field.zeros(shape, comm=comm)
    window = [slice(s.start, s.stop + sum(w)) for s, w in zip(layout.slices, width, strict=True)]
    whole = 1.0 + np.arange(np.prod(shape)).reshape(shape)
    for number, centring in product(range(len(pairs)), ("cell", "node")):
        if quickly and number % 2 == (centring == "cell"):
            continue
        ends = [pairs[(number + axis) % len(pairs)] for axis in range(3)]
        halo = Halo(layout, width, ends, centring=centring)
        array = halo.zeros()
        halo.interior(array)[...] = whole[layout.slices]
        halo.exchange(array)
        wrong = array != _wanted(whole, window, width, ends, centring) if layout.local.size else np.zeros(0, bool)
        error = np.inf if largest(comm, wrong.astype(float)) else 0.0
        yield Finding(f"{centring} {' '.join(f'{a}:{b}' for a, b in ends)}", error).judged()


def _particles(comm: MPI.Intracomm, quickly: bool) -> Iterator[Finding]:
    """Charges are kept, linear functions are gathered exactly, and gathering is the adjoint of depositing."""
    shape, spacing, count = (24, 20, 18), (0.5, 0.25, 0.1), 200
    layout = Field.zeros(shape, comm=comm)
    points = [h * np.arange(s.start, s.stop) for h, s in zip(spacing, layout.slices, strict=True)]
    grids = np.meshgrid(*points, indexing="ij")
    for order in range(1, 9, 3 if quickly else 1):
        random = np.random.default_rng(17 * comm.rank + order)
        mesh = ParticleMesh(layout, spacing, order=order, boundary="unbounded")
        places = 4 + random.random((count, 3)) * (np.array(shape) - 9)
        x, charge = mesh.migrate(places * np.array(spacing), random.uniform(0.5, 1, count))
        density = mesh.deposit(x, charge)
        total = comm.allreduce(float(charge.sum()))
        kept = abs(comm.allreduce(float(density.sum())) - total)
        linear = grids[0] - 2 * grids[1] + 3 * grids[2] if order > 1 else np.ones_like(grids[0])
        seen = x @ np.array([1.0, -2.0, 3.0]) if order > 1 else np.ones(len(x))
        missed = largest(comm, mesh.gather(np.ascontiguousarray(linear), x) - seen)
        values = np.ascontiguousarray(np.cos(grids[0] + grids[1] * grids[2]))
        there = comm.allreduce(float(np.sum(density * values)))
        apart = abs(there - comm.allreduce(float(np.sum(charge * mesh.gather(values, x)))))
        # Each particle has order^3 weights, each rounded a few times, and sums add the rounding errors of all.
        rounding = EPS * 8 * order**3
        error = max(kept / (rounding * total), apart / (rounding * total), missed / (rounding * 30))
        yield Finding(f"order {order}", error).judged()


def _wave(ends: tuple[str, str], x: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """The lowest wave that changes between these ends of [0, 1], its first and its second derivative."""
    k = 2 * np.pi if ends[0] == "periodic" else np.pi if ends[0] == ends[1] else np.pi / 2
    shift = {"periodic": 0.3, "even": np.pi / 2, "odd": 0.0}[ends[0]]
    return np.sin(k * x + shift), k * np.cos(k * x + shift), -(k**2) * np.sin(k * x + shift)


def _product(factors: Sequence[np.ndarray]) -> np.ndarray:
    """The product of arrays that broadcast against each other."""
    result = np.ones(1)
    for factor in factors:
        result = result * factor
    return result


def _variable_error(comm: MPI.Intracomm, ends: list[tuple[str, str]], cells: int, form: str) -> tuple[float, float]:
    """The largest error of u, a product of waves, and its 2-norm over the one that the residual explains.

    a = 2 + w and c = 1 + w / 2, with a wave w that is even at all ends. The inverse is at most 1 / c <= 2; rounding is
    allowed as much again.
    """
    solver = VariablePoisson((cells,) * 3, (1.0,) * 3, ends, form=form, tolerance=1e-12, comm=comm, threads=1)
    points = solver.points()
    value, slope, curve = zip(*[_wave(pair, x) for pair, x in zip(ends, points, strict=True)], strict=True)
    k = 2 * np.pi
    even, even_slope = [np.cos(k * x) for x in points], [-k * np.sin(k * x) for x in points]
    u, w = _product(value), _product(even)
    f = -(1 + w / 2) * u
    for axis in range(3):
        others = [other for other in range(3) if other != axis]
        of_u = _product([value[other] for other in others])
        of_a = _product([even[other] for other in others])
        f = f + (2 + w) * curve[axis] * of_u + even_slope[axis] * of_a * slope[axis] * of_u
    solver.set_coefficients(2 + w, 1 + w / 2)
    right = solver.field(np.ascontiguousarray(f))
    apart = solver.solve(right) - u
    return float(apart.norm(np.inf)), float(apart.norm()) / (4 * solver.tolerance * float(right.norm()))


def _variable(form: str) -> Callable[[MPI.Intracomm, bool], Iterator[Finding]]:
    """Finite volumes on 16 and 32 cells, as in _walls; spectrally, waves that 12 cells resolve, and their products."""

    def check(comm: MPI.Intracomm, quickly: bool) -> Iterator[Finding]:
        pairs = [(a, b) for a, b in product(_ENDS[:3], repeat=2) if (a == "periodic") == (b == "periodic")]
        for first, step in product(range(len(pairs)), range(1, 2 if quickly else 4)):
            ends = [pairs[(first + axis * step) % len(pairs)] for axis in range(3)]
            found = Finding(" ".join(f"{a}:{b}" for a, b in ends), 0.0)
            if form == "spectral":
                found.error = _variable_error(comm, ends, 12, form)[1]
            else:
                coarse, fine = (_variable_error(comm, ends, cells, form)[0] for cells in (16, 32))
                found.order, found.error = log2(coarse / fine), fine * 4 / (1.1 * coarse)
            yield found.judged()

    return check


FAMILIES: dict[str, tuple[str, Callable[[MPI.Intracomm, bool], Iterator[Finding]]]] = {
    "walls-2": ("2", _walls(2)),
    "walls-4": ("4", _walls(4)),
    "chebyshev": ("spectral", _chebyshev),
    "ends": ("exact", _given),
    "halos": ("exact", _halo),
    "particles": ("exact", _particles),
    "displaced": ("exact", displaced),
    "lattices": ("exact", lattices),
    "variable-2": ("2", _variable("finite-volume")),
    "variable-spectral": ("exact", _variable("spectral")),
}
"""By name: the expected order, and the cases on all ranks, fewer of them with --quick. Collective."""
