"""Kernels of Poisson: those with names and their constants, and users' functions of numpy arrays."""

import math
import warnings

import numpy as np
import pytest
import weft
from on_ranks import on_ranks
from reference import numbers
from unwrapped import unwrapped

OPEN = "unbounded"


def solution(boundary, **options):
    solver = weft.Poisson((8, 9, 10), (1.0, 1.125, 1.25), boundary, **options)
    return solver.solve(numbers(solver.local_shape, float))


def gaussian_charge(cells, **options):
    """Largest error of the potential of a Gaussian charge off the middle of free space; more than 7 widths from its
    ends."""
    width = 0.055
    solver = weft.Poisson([cells] * 3, [1.0] * 3, [OPEN] * 3, **options)
    r = np.sqrt(sum((x - c) ** 2 for x, c in zip(solver.points(), (0.47, 0.52, 0.49), strict=True)))
    rho = np.exp(-(r**2) / (2 * width**2)) / (2 * math.pi * width**2) ** 1.5
    erf = np.vectorize(math.erf)(r / (math.sqrt(2) * width))
    return np.max(np.abs(solver.solve(rho) + erf / (4 * math.pi * r)))


def test_names():
    assert {"chat2", "truncated"} <= set(weft.kernels())
    assert weft.Poisson((4, 4), (1, 1), ("odd", "odd"), kernel="truncated").kernel == "truncated"
    assert "kernel='chat2'" in repr(weft.Poisson((4, 4), (1, 1), ("odd", "odd")))


def test_truncated_is_spectral():
    # 3.5 spacings a width: exp(-(3.5 pi)^2 / 2) = 5e-27 of the charge's spectrum is beyond the grid.
    assert gaussian_charge(64, kernel="truncated") < 1e-12
    assert gaussian_charge(64, kernel="chat2") > 1e-4


def test_alpha_is_the_smoothing_length():
    # hej2 errs by alpha^2 h^2 f / 2 to leading order.
    errors = [gaussian_charge(64, kernel="hej2", alpha=alpha) for alpha in (0.5, 1.0)]
    assert errors[1] / errors[0] == pytest.approx(4, rel=(2 / 64 / 0.055) ** 2)


def test_screening():
    solver = weft.Poisson((8, 6), (1.0, 2.0), ("periodic", "even"), screening=2.0, mean="error")
    assert not solver.mean_is_free and solver.screening == 2.0
    np.testing.assert_allclose(solver.solve(np.full((8, 6), 3.0)), -0.75, rtol=1e-14)


def test_mean_can_be_refused():
    solver = weft.Poisson((8, 6), (1.0, 2.0), ("periodic", "even"), mean="error")
    x, y = solver.points()
    wave = np.cos(2 * math.pi * x) * np.ones_like(y)
    solver.solve(wave)
    out = np.full((8, 6), 42.0)
    with pytest.raises(weft.Error, match="rhs: its mean is 0.001.*remove"):
        solver.solve(wave + 1e-3, out=out)
    assert np.all(out == 42)


def test_workspace_and_chunks_are_taken():
    workspace = weft.Workspace()
    shared = solution([OPEN, "odd", "periodic"], workspace=workspace, chunks=2)
    assert workspace.nbytes > 0
    assert np.array_equal(shared, solution([OPEN, "odd", "periodic"]))


# --- users' own


@pytest.mark.parametrize("boundary", [["periodic", OPEN, "odd"], ["periodic", "even", "odd"]])
def test_function_of_distance(boundary):
    # With one unbounded axis chat2 is -exp(-k r) / (2 k), without -1 / k^2; numpy's functions may round otherwise.
    seen = []

    def green(r, k):
        seen.append(k)
        assert isinstance(r, np.ndarray) and isinstance(k, float) and np.all(np.diff(r) > 0)
        return -np.exp(-k * r) / (2 * k) if OPEN in boundary else -1 / k**2

    mine = solution(boundary, kernel=weft.kernel_of_distance(green))
    expected = solution(boundary)
    assert np.max(np.abs(mine - expected)) <= 1e-14 * np.max(np.abs(expected))
    assert len(seen) == len(set(seen))  # once for each wavenumber


def test_function_of_wavenumber():
    seen = []

    def symbol(kx, ky, kz):
        seen.extend(k.shape for k in (kx, ky, kz))
        return -1 / (kx**2 + ky**2 + kz**2)

    boundary = ["periodic", "even", "odd"]
    mine, expected = solution(boundary, kernel=weft.kernel_of_wavenumber(symbol)), solution(boundary)
    # They may round their sums of squares differently.
    assert np.max(np.abs(mine - expected)) <= 1e-14 * np.max(np.abs(expected))
    assert seen == [(5, 1, 1), (1, 9, 1), (1, 1, 10)]


def test_functions_may_return_less_than_they_are_given():
    ones = solution(["odd"] * 3, kernel=weft.kernel_of_wavenumber(lambda kx, ky, kz: 1))
    rhs = numbers((8, 9, 10), float)
    # There and back again: rounding of the transforms, a few units in the last place for each of their stages.
    np.testing.assert_allclose(ones, rhs, rtol=0, atol=1e-14)
    assert np.array_equal(ones, solution(["odd"] * 3, kernel=weft.kernel_of_distance(lambda r, k: np.float32(1))))


def test_functions_may_keep_what_they_are_given():
    kept = []
    solution([OPEN] * 3, kernel=weft.kernel_of_distance(lambda r, k: kept.append(r) or -np.exp(-r)))
    assert kept[0][0] == 0 and np.all(np.diff(kept[0]) > 0)


NEEDED = """\
    import numpy as np
    import weft
    from mpi4py import MPI

    comm, seen = MPI.COMM_WORLD, []
    cells, length, boundary = (8, 9, 10), (1.0, 1.125, 1.25), ["unbounded"] * 3


    def singular(r, k):
        seen.append(r)
        return np.where(r > 0, -1 / (4 * np.pi * np.where(r > 0, r, 1)), -0.19 * 8)


    kernel = weft.kernel_of_distance(singular)
    solvers = [weft.Poisson(cells, length, boundary, kernel=kernel, comm=c) for c in (MPI.COMM_SELF, comm)]
    assert len(seen) == 2 and all((np.diff(r) > 0).all() for r in seen)
    alone, mine = seen
    assert alone[0] == 0 and np.isin(mine, alone).all()
    print(comm.gather(bool(mine[0] == 0)) or "", end="")  # whether a rank is asked for r = 0
    rhs = np.random.default_rng(1).random((8, 9, 10))
    solution = solvers[1].solve(rhs[solvers[1].local_slices].copy())
    assert np.array_equal(solution, solvers[0].solve(rhs)[solvers[1].local_slices])
    """


def test_ranks_are_asked_for_the_distances_that_they_need(tmp_path):
    assert on_ranks(2, NEEDED, tmp_path) == "[True, False]"


def out_of_memory(*_):
    raise MemoryError


@pytest.mark.parametrize(
    ("kernel", "named"),
    [
        (weft.kernel_of_distance(lambda r, k: -1 / np.where(r > 0, r, np.nan)), ["nan", "r = 0, k = 0", "finite"]),
        (weft.kernel_of_distance(lambda r, k: [1, 2]), ["ValueError", "(2,)"]),
        (weft.kernel_of_distance(lambda r: r), ["TypeError", "positional"]),
        (weft.kernel_of_distance(lambda r, k: r * 1j), ["TypeError", "complex128"]),
        (weft.kernel_of_distance(lambda r, k: None), ["TypeError", "object"]),
        (weft.kernel_of_wavenumber(lambda kx, ky, kz: 1 / 0), ["ZeroDivisionError", "division by zero"]),
        (weft.kernel_of_wavenumber(lambda *k: np.where(sum(k) > 0, 1, np.inf)), ["inf", "wavenumber (0, 0, 0)"]),
    ],
)
def test_functions_that_fail(kernel, named):
    with pytest.raises(weft.Error) as caught:
        solution([OPEN] * 3, kernel=kernel)
    assert all(word in str(caught.value) for word in ["kernel: the user's function", *named]), caught.value


# Their sums leave the range of numbers, and differences of such sums are no numbers.
@pytest.mark.parametrize("function", [lambda r, k: 1e308 + 0 * r, lambda r, k: 1e308 * np.cos(np.pi * 8 * r)])
def test_values_near_the_end_of_the_range_are_refused(function):
    with pytest.raises(weft.Error, match="the kernel's factors are up to inf"):
        weft.Poisson((8, 8, 8), (1, 1, 1), [OPEN] * 3, kernel=weft.kernel_of_distance(function))


@pytest.mark.parametrize("kernel", [weft.kernel_of_distance(out_of_memory), weft.kernel_of_wavenumber(out_of_memory)])
def test_functions_without_memory(kernel):
    with pytest.raises(weft.ResourceError, match="out of memory"):
        solution([OPEN] * 3, kernel=kernel)


@pytest.mark.parametrize("make", [weft.kernel_of_distance, weft.kernel_of_wavenumber])
def test_what_is_no_function(make):
    with pytest.raises(weft.Error, match="kernel: 'chat2' is not a function"):
        make("chat2")
    with pytest.raises(weft.Error, match="screening"):
        solution(["odd"] * 3, kernel=make(lambda *k: 1), screening=1.0)


LONG = ((8, 8, 8), (1.0, 1.0, 10.0), [OPEN] * 3)


@pytest.mark.parametrize(
    "make",
    [
        lambda **options: weft.Poisson(*LONG, **options),
        lambda **options: weft.VectorPoisson(*LONG[:2], [LONG[2]], **options),
    ],
    ids=["Poisson", "VectorPoisson"],
)
def test_long_cells_are_warned_of(make):
    with pytest.warns(RuntimeWarning, match="chat2.*10 times the shortest.*igf") as caught:
        solver = make()
    assert [warning.filename for warning in caught] == [__file__]
    assert solver.notes == (str(caught[0].message),)
    assert solver.notes[0] in unwrapped(solver.explain())
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert make(kernel="igf").notes == make(kernel="truncated").notes == ()


def test_long_cells_are_warned_of_on_rank_0_and_errors_are_raised_on_all(tmp_path):
    script = f"""
        import warnings
        import weft
        from mpi4py import MPI
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            solver = weft.Poisson{LONG}
        assert len(caught) == (1 if solver.comm.rank == 0 else 0) and len(solver.notes) == 1
        warnings.simplefilter("error")
        try:
            weft.Poisson{LONG}
        except weft.Error as error:
            told = str(error)
        assert all(solver.notes[0] in text for text in solver.comm.allgather(told))
    """
    on_ranks(2, script, tmp_path)
