"""VariablePoisson: the matrix of its equation, exact solutions, orders, iterations, bits on several ranks, mistakes."""

import itertools
from pathlib import Path

import numpy as np
import pytest
import weft
from mpi4py import MPI
from on_ranks import on_ranks
from variable_cases import medium, solved, source


def matrix(solver, a, c):
    """The equation as a dense matrix, entry by entry: the only thing that is shared with the solver is its text."""
    shape = solver.shape
    number = np.arange(np.prod(shape)).reshape(shape)
    result = np.zeros((number.size, number.size))
    for i in itertools.product(*map(range, shape)):
        result[number[i], number[i]] -= c[i]
        for axis, h in enumerate(solver.spacing):
            for side in -1, 1:
                j = list(i)
                j[axis] += side
                end = solver.boundary[axis][side > 0]
                if 0 <= j[axis] < shape[axis] or end == "periodic":
                    other = tuple(k % n for k, n in zip(j, shape, strict=True))
                    mean = 2 * a[i] * a[other] / (a[i] + a[other])
                    if solver.faces == "arithmetic":
                        mean = (a[i] + a[other]) / 2
                    result[number[i], number[other]] += mean / h**2
                    result[number[i], number[i]] -= mean / h**2
                elif end == "odd":
                    result[number[i], number[i]] -= 2 * a[i] / h**2
    return result


@pytest.mark.parametrize("faces", ["harmonic", "arithmetic"])
@pytest.mark.parametrize("around", ["scaled", "laplacian"])
@pytest.mark.parametrize("boundary", [["periodic"] * 3, ["even"] * 3, ["odd", ("even", "odd"), "periodic"]])
def test_solves_the_matrix(boundary, around, faces):
    solver = weft.VariablePoisson(
        (5, 4, 6), (1.0, 2.0, 1.5), boundary, faces=faces, around=around, tolerance=1e-12, most_iterations=200
    )
    a, c = medium(solver, 50.0), 1.0 + medium(solver, 3.0)
    f = source(solver)
    for reaction in np.zeros_like(a), c:
        solver.set_coefficients(a, reaction)
        whole = matrix(solver, a, reaction)
        u = solver.solve(f)
        target = f.local.ravel()
        if solver.mean_is_free:
            target = target - target.mean()
        wanted = np.linalg.lstsq(whole, target)[0]
        condition = np.linalg.cond(whole) if reaction.any() or boundary[0] == "odd" else 1e4
        assert np.linalg.norm(u.local.ravel() - wanted) <= 1e-12 * condition * np.linalg.norm(wanted)
        applied = solver.apply(u).local.ravel()
        assert np.linalg.norm(applied - whole @ u.local.ravel()) <= 1e-13 * np.linalg.norm(whole, 2) * u.norm()
        assert solver.residual <= 1e-12


def test_constant_coefficients_take_one_iteration():
    solver = weft.VariablePoisson((16, 12, 10), (1.6, 1.2, 1.0), ["even"] * 3)
    plain = weft.Poisson((16, 12, 10), (1.6, 1.2, 1.0), ["even"] * 3, kernel="lgf2")
    f = source(solver)
    solver.set_coefficients(3.0)
    u = solver.solve(f)
    assert solver.iterations == 1
    assert np.allclose(3 * u.local, plain.solve(f.local), rtol=0, atol=1e-12)


def test_order_2():
    """u = cos(2 pi x) sin(pi y), a = 2 + cos(2 pi x): the divergence by hand."""
    errors = []
    for n in 16, 32, 64:
        solver = weft.VariablePoisson((n, n), (1.0, 1.0), ["periodic", "odd"])
        x, y = solver.points()
        w, v = 2 * np.pi, np.pi
        a = 2 + np.cos(w * x) + 0 * y
        exact = np.cos(w * x) * np.sin(v * y)
        divergence = (-a * (w**2 + v**2) * np.cos(w * x) + w**2 * np.sin(w * x) ** 2) * np.sin(v * y)
        solver.set_coefficients(a)
        errors.append(np.abs(solver.solve(solver.field(divergence)).local - exact).max())
    assert 1.9 < np.log2(errors[0] / errors[1]) < 2.1 and 1.95 < np.log2(errors[1] / errors[2]) < 2.05


@pytest.mark.parametrize("ends", ["periodic", "even", "odd", ("odd", "even"), ("even", "odd")])
def test_the_spectral_form_errs_less_than_any_power(ends):
    """u and a are analytic and of the parity of the ends; f by symbolic derivatives of both."""
    k = {"periodic": 2 * np.pi, "even": np.pi, "odd": np.pi}.get(ends, np.pi / 2)
    shift = np.pi / 2 if np.ravel(ends)[0] == "even" else 0.0
    errors = []
    for n in 8, 16, 32:
        solver = weft.VariablePoisson((n, n), (1.0, 1.0), [ends, "periodic"], form="spectral", tolerance=1e-13)
        x, y = solver.points()
        w = 2 * np.pi
        # a = exp(cos(w x)), even at all ends; u = sin(k x + shift) exp(sin(w y)).
        a, part, along = np.exp(np.cos(w * x)), np.sin(k * x + shift), np.exp(np.sin(w * y))
        second = w**2 * (np.cos(w * y) ** 2 - np.sin(w * y)) * along
        slope = k * np.cos(k * x + shift)
        f = a * (-(k**2) * part * along + part * second) - w * np.sin(w * x) * a * slope * along - 2 * part * along
        solver.set_coefficients(a + 0 * y, 2.0)
        errors.append(np.abs(solver.solve(solver.field(f)).local - part * along).max())
    # 32 cells hold the waves of exp(sin) to I_16(1), some 1e-18; 16 cells those to I_8(1) = 1e-7.
    assert errors[1] < 1e-3 * errors[0] and errors[2] < 1e-11


@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
def test_what_a_report_raises_is_printed_and_the_solve_goes_on():
    solver = weft.VariablePoisson((8, 8), (1.0, 1.0), ["odd"] * 2)
    solver.set_coefficients(medium(solver, 3.0))
    f = source(solver)
    u = solver.solve(f, report=lambda iteration, residual: 1 / 0)
    assert (u - solver.solve(f)).norm(np.inf) == 0


def test_layers_have_the_flux_of_resistances_in_series():
    """A wall of two materials, heated in the middle of its first cell: u falls linearly in each, as resistances say."""
    n, h = 16, 1 / 16
    solver = weft.VariablePoisson((n, 4), (1.0, 1.0), ["odd", "periodic"], tolerance=1e-13)
    a = np.where(np.arange(n) < n // 2, 1.0, 1000.0)[:, None] * np.ones((n, 4))
    solver.set_coefficients(a)
    f = solver.field()
    f[0] = -1.0 / h  # a flux of 1 that comes in
    u = solver.solve(f).local[:, 0]
    left = (h / 2) / a[0, 0]
    right = np.sum(h / a[1:, 0]) + (h / 2) / a[0, 0]
    assert abs(u[0] - left * right / (left + right)) <= 1e-10
    flux = u[0] / right
    assert np.allclose(a[n // 2 + 1 :, 0] * -np.diff(u[n // 2 :]) / h, flux, rtol=1e-7)


def test_iterations_do_not_grow_with_the_cells():
    counts = {}
    for contrast, n in itertools.product((10.0, 100.0), (16, 32)):
        solver = weft.VariablePoisson((n, n, n), (1.0, 1.0, 1.0), ["periodic"] * 3, tolerance=1e-8)
        solver.set_coefficients(medium(solver, contrast))
        solver.solve(source(solver))
        counts[contrast, n] = solver.iterations
    for contrast in 10.0, 100.0:
        assert counts[contrast, 32] <= counts[contrast, 16] + 3
    # The number that conjugate gradients need at most for a condition number of the contrast.
    assert counts[10.0, 32] <= np.sqrt(10) / 2 * np.log(2 / 1e-8) + 1


def test_a_guess_saves_iterations():
    solver = weft.VariablePoisson((16, 16, 16), (1.0, 1.0, 1.0), ["odd"] * 3)
    solver.set_coefficients(medium(solver, 20.0))
    f = source(solver)
    u = solver.solve(f)
    first, seen = solver.iterations, []
    again = solver.solve(f, guess=u, report=lambda i, residual: seen.append((i, residual)))
    assert solver.iterations <= 1 < first and seen[-1] == (solver.iterations, solver.residual)
    assert (again - u).norm() <= 1e-8 * u.norm()


SCRIPT = """
    import sys

    sys.path.insert(0, {folder!r})
    import numpy as np
    from mpi4py import MPI
    from variable_cases import solved

    found, iterations = solved(MPI.COMM_WORLD, {form!r})
    if MPI.COMM_WORLD.rank == 0:
        print(iterations, np.array_equal(found, np.load({whole!r})))
"""


@pytest.mark.parametrize(("ranks", "form"), [(2, "finite-volume"), (3, "spectral")])
def test_bits_of_one_rank(ranks, form, tmp_path):
    whole, iterations = solved(MPI.COMM_SELF, form)
    file = tmp_path / "whole.npy"
    np.save(file, whole)
    script = SCRIPT.format(folder=str(Path(__file__).parent), whole=str(file), form=form)
    assert on_ranks(ranks, script, tmp_path) == f"{iterations} True"


def test_mistakes_are_told():
    solver = weft.VariablePoisson((6, 6, 6), (1.0, 1.0, 1.0), ["even"] * 3, mean="error", most_iterations=2)
    f = source(solver)
    with pytest.raises(weft.Error, match="set_coefficients"):
        solver.solve(f)
    for a, c, text in (
        (0.0, 0.0, "a: 0 given"),
        (1.0, -1.0, "c: -1 given"),
        (np.nan, 0.0, "a: nan"),
        ("x", 0, "a: it does"),
    ):
        with pytest.raises(weft.Error, match=text):
            solver.set_coefficients(a, c)
    solver.set_coefficients(1.0)
    with pytest.raises(weft.Error, match="f: its mean is 1"):
        solver.solve(f + 1.0)
    with pytest.raises(weft.Error, match="is not a Field"):
        solver.solve(f.local)
    solver.set_coefficients(medium(solver, 1e4))
    with pytest.raises(weft.Error, match="after 2 the residual is"):
        solver.solve(f - f.mean())
    with pytest.raises(weft.Error, match="boundary of axis 1"):
        weft.VariablePoisson((6, 6, 6), (1.0, 1.0, 1.0), ["even", "unbounded", "even"])
    wrong = ("tolerance", 2.0), ("most_iterations", 0), ("form", "fem"), ("faces", "mean"), ("around", "jacobi")
    for name, value in wrong:
        with pytest.raises(weft.Error, match=f"{name}: "):
            weft.VariablePoisson((6, 6, 6), (1.0, 1.0, 1.0), ["even"] * 3, **{name: value})
