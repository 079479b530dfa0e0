"""VectorPoisson: fields with known derivatives, walls, two dimensions, several ranks, arguments that are refused."""

import numpy as np
import pytest
import weft
from on_ranks import on_ranks

PI = np.pi


def periodic(cells=(16, 12, 10), **more):
    return weft.VectorPoisson(cells, [2 * PI] * len(cells), ["periodic"] * len(cells), **more)


def rounding(solver, order):
    """Bound on the error of fields below 2 after a transform, a factor and a transform back, in the 2-norm: direct sums
    along each axis, as in test_poisson.py, times the largest symbol."""
    eps = np.finfo(solver.dtype).eps
    sums = 2 * sum(2 * np.sqrt(2) * (2 * n + 4) * np.sqrt(4 * (n + 1)) for n in solver.cells)
    largest = max(PI / h for h in solver.spacing)
    return sums * eps * largest**order * 2 * np.sqrt(np.prod(solver.shape))


def taylor_green(solver):
    """u = (cos x sin y, -sin x cos y, 0) cos z without divergence, and its curl."""
    x, y, z = solver.points()
    zero = np.zeros(solver.local_shape)
    u = np.stack([np.cos(x) * np.sin(y) * np.cos(z), -np.sin(x) * np.cos(y) * np.cos(z), zero])
    omega = np.stack(
        [
            -np.sin(x) * np.cos(y) * np.sin(z),
            -np.cos(x) * np.sin(y) * np.sin(z),
            -2 * np.cos(x) * np.cos(y) * np.cos(z),
        ]
    )
    return u.astype(solver.dtype), omega.astype(solver.dtype)


@pytest.mark.parametrize("dtype", ["float64", "float32"])
def test_taylor_green_flow(dtype):
    solver = periodic(dtype=dtype)
    u, omega = taylor_green(solver)
    before = u.copy()
    bound = rounding(solver, 1)
    assert np.abs(solver.curl(u) - omega).max() < bound
    assert np.abs(solver.divergence(u)).max() < bound
    assert np.abs(solver.biot_savart(omega) - u).max() < bound
    x, y, z = solver.points()
    s = (np.sin(x) * np.cos(2 * y) * np.sin(z)).astype(dtype)
    gradient = solver.gradient(s)
    assert np.abs(gradient[1] + 2 * np.sin(x) * np.sin(2 * y) * np.sin(z)).max() < bound
    assert np.abs(solver.project(u + gradient) - u).max() < bound
    assert np.abs(solver.solve_gradient(-6 * s) - gradient).max() < bound
    assert np.abs(solver.solve(-3 * u) - u).max() < bound
    assert np.abs(periodic(dtype=dtype, screening=2.0).solve(-7 * u) - u).max() < bound
    assert np.array_equal(u, before)


def test_results_may_overwrite_their_input():
    solver = periodic()
    u, omega = taylor_green(solver)
    field = u.copy()
    assert solver.curl(field, out=field) is field
    assert np.array_equal(field, solver.curl(u))


def test_walls_of_two_dimensions():
    # Flow between walls at y = 0 and y = 1 that it does not cross, from psi = sin(2 pi x) sin(pi y).
    boundary = weft.vector_boundary(["periodic", "even"])
    assert boundary[1][1] == ("odd", "odd") and boundary[0][1] == ("even", "even")
    for centring in ("cell", "node"):
        solver = weft.VectorPoisson([12, 10], [1.0, 1.0], boundary, centring=["cell", centring])
        x, y = solver.points()
        u = np.stack([PI * np.sin(2 * PI * x) * np.cos(PI * y), -2 * PI * np.cos(2 * PI * x) * np.sin(PI * y)])
        omega = 5 * PI**2 * np.sin(2 * PI * x) * np.sin(PI * y)
        bound = 10 * rounding(solver, 1)  # fields below 20
        assert solver.curl_boundary == [[("periodic", "periodic"), ("odd", "odd")]]
        assert solver.scalar_boundary == [("periodic", "periodic"), ("even", "even")]
        assert np.abs(solver.curl(u) - omega).max() < 10 * bound
        assert np.abs(solver.biot_savart(omega) - u).max() < 10 * bound


@pytest.mark.parametrize(
    ("derivative", "symbol"),
    [
        ("spectral", lambda t: t),
        (2, np.sin),
        (4, lambda t: 4 / 3 * np.sin(t) - np.sin(2 * t) / 6),
        ("6", lambda t: 3 / 2 * np.sin(t) - 3 / 10 * np.sin(2 * t) + np.sin(3 * t) / 30),
    ],
)
def test_derivatives_have_their_symbols(derivative, symbol):
    solver = periodic(derivative=derivative)
    x, y, z = solver.points()
    h = solver.spacing[0]
    result = solver.gradient(np.sin(3 * x) + 0 * y + 0 * z)
    assert np.abs(result[0] - symbol(3 * h) / h * np.cos(3 * x)).max() < rounding(solver, 1)
    assert solver.derivative == str(derivative)


def methods_of(solver):
    """Each method of a solver, and whether it takes a scalar."""
    of_scalar = {"gradient", "solve_gradient"} | ({"biot_savart"} if solver.components == 2 else set())
    names = ("solve", "biot_savart", "curl", "divergence", "gradient", "solve_gradient", "project")
    return [(getattr(solver, name), name in of_scalar) for name in names]


@pytest.mark.parametrize(("cells", "scalar"), [((6, 7, 5), ["even", "unbounded", "periodic"]), ((8, 6), ["odd"] * 2)])
def test_a_batch_of_fields_has_the_bits_of_each(cells, scalar):
    box = cells, [0.1 * n for n in cells], weft.vector_boundary(scalar)
    one, batch = weft.VectorPoisson(*box), weft.VectorPoisson(*box, batch=3)
    assert (one.batch, batch.batch, batch.local_shape, batch.scalar_shape) == (None, 3, cells, (3, *cells))
    assert batch.vector_shape == (3, len(cells), *cells) and "batch=3" in repr(batch)
    rng = np.random.default_rng(5)
    vectors, scalars = rng.standard_normal(batch.vector_shape), rng.standard_normal(batch.scalar_shape)
    for (alone, of_scalar), (together, _) in zip(methods_of(one), methods_of(batch), strict=True):
        given = scalars if of_scalar else vectors
        found = together(given)
        assert np.array_equal(found, np.stack([alone(each) for each in given]))
        field = batch.scalar_field(given) if of_scalar else batch.vector_field(given)
        assert np.array_equal(together(field).local, found)
        out = np.empty_like(found)
        assert together(given, out) is out and np.array_equal(out, found)
    bad = vectors.copy()
    bad[2, 1, 3] = np.nan
    with pytest.raises(weft.Error, match=r"rhs: -?nan at point \[2, 1, 3, 0"):
        batch.solve(bad)
    with pytest.raises(weft.Error, match=r"make it with numpy.zeros\(solver.vector_shape"):
        batch.curl(vectors[0])
    with pytest.raises(weft.Error, match="batch: 0 given"):
        weft.VectorPoisson(*box, batch=0)


@pytest.mark.parametrize("power", [0.5, 2.0, -0.5])
def test_velocities_of_a_power_are_those_of_numpys_fft(power):
    # Surface quasi-geostrophic flow has the power 1/2: psi = -k^(-2 p) theta, u = (-d psi/dy, d psi/dx).
    solver = periodic((16, 12), power=power)
    theta = np.random.default_rng(6).standard_normal(solver.shape)
    kx, ky = np.fft.fftfreq(16, 1 / 16)[:, None], np.fft.fftfreq(12, 1 / 12)[None, :]
    square = kx**2 + ky**2
    psi = -np.fft.fft2(theta) * np.where(square > 0, np.where(square > 0, square, 1.0) ** -power, 0.0)
    kx, ky = (np.where(abs(k) == n / 2, 0, k) for k, n in ((kx, 16), (ky, 12)))  # the shortest wave has no derivative
    expected = np.stack([np.fft.ifft2(-1j * ky * psi).real, np.fft.ifft2(1j * kx * psi).real])
    # As test_operators.rounding(): factors k^(1 - 2 p) of wavenumbers from 1 to 10.
    stages = sum(np.log2(4.0 * n) + 2 for n in solver.cells)
    bound = 14 * np.finfo(float).eps * stages * max(1, 10 ** (1 - 2 * power)) * np.linalg.norm(theta)
    assert np.abs(solver.biot_savart(theta) - expected).max() < bound
    assert solver.power == power and f"power={power:g}" in repr(solver)
    with pytest.raises(weft.Error, match="power: 2 given with an unbounded axis"):
        weft.VectorPoisson((8, 8), (1, 1), ["unbounded"] * 2, power=2)


def test_ranks_give_the_parts_of_one(tmp_path):
    script = """
        import numpy as np, weft
        from mpi4py import MPI
        s = weft.VectorPoisson([12, 8, 10], [1.0, 1.0, 1.0], weft.vector_boundary(["unbounded", "odd", "periodic"]))
        x, y, z = s.points()
        f = np.sin(7 * x * y + z) + np.zeros(s.local_shape)
        field = np.stack([f * (y * (1 - y)), f, f * (y * (1 - y))])
        u = s.biot_savart(field)
        whole = np.zeros((3, *s.shape))
        whole[(slice(None), *s.local_slices)] = u
        whole = MPI.COMM_WORLD.allreduce(whole)
        if MPI.COMM_WORLD.rank == 0:
            print(" ".join(f"{v:.17g}" for v in whole[:, 1::5, 2::3, ::4].ravel()))
    """
    one, three = (np.array(on_ranks(n, script, tmp_path).split(), float) for n in (1, 3))
    assert np.array_equal(one, three)


def test_bad_arguments():
    with pytest.raises(weft.Error, match=r"boundary of component 0, axis 0: even, but.*odd"):
        weft.VectorPoisson([8, 8], [1.0, 1.0], [["even", "periodic"], ["even", "periodic"]])
    with pytest.raises(weft.Error, match="boundary: given for 3 components"):
        weft.VectorPoisson([8, 8], [1.0, 1.0], [["periodic", "periodic"]] * 3)
    # A word among lists may stand for a component or for an axis.
    with pytest.raises(weft.Error, match=r"boundary\[1\]: 'periodic' is not a sequence"):
        weft.VectorPoisson([8, 8], [1.0, 1.0], [("unbounded", "unbounded"), "periodic"])
    one, each = (weft.VectorPoisson([8, 6], [1.0, 2.0], ends) for ends in ("periodic", ["periodic", "periodic"]))
    field = np.random.default_rng(5).standard_normal(one.vector_shape)
    np.testing.assert_array_equal(one.project(field), each.project(field))
    with pytest.raises(weft.Error, match="boundary has 0 entries"):
        weft.VectorPoisson([8, 8], [1.0, 1.0], [])
    with pytest.raises(weft.Error, match="derivative: unknown derivative '3'"):
        periodic(derivative=3)
    with pytest.raises(weft.Error, match="kernel: unknown"):
        periodic(kernel="hej3")
    solver = periodic()
    with pytest.raises(weft.Error, match=r"scalar has shape \(3, 16, 12, 10\), but this rank holds \(16, 12, 10\)"):
        solver.gradient(np.zeros(solver.vector_shape))
    with pytest.raises(weft.Error, match="vector has dtype float32"):
        solver.curl(np.zeros(solver.vector_shape, np.float32))
    bad = np.zeros(solver.vector_shape)
    bad[2, 1, 3, 4] = np.inf
    with pytest.raises(weft.Error, match=r"inf at point \[2, 1, 3, 4\]"):
        solver.divergence(bad)


IGNORED = """\
    import numpy as np
    import weft
    from mpi4py import MPI

    CELLS = (6, 7, 8)
    FLIPPED = {"even": "odd", "odd": "even"}


    def nan_where_ignored(v, slices, boundary):
        # Odd planes, and the last point of a periodic axis, which repeats the first.
        for axis, (ends, cells) in enumerate(zip(boundary, CELLS)):
            pair = ("even", "odd") if ends == "periodic" else ends
            for end, point in zip(pair, (0, cells)):
                local = point - slices[axis].start
                if end == "odd" and 0 <= local < v.shape[axis]:
                    v[(slice(None),) * axis + (local,)] = np.nan
        return v


    def turned(ends, axis, component):
        return ends if axis != component or ends == "periodic" else tuple(FLIPPED.get(end, end) for end in ends)


    found = 0
    for scalar in (
        (("even", "even"), "periodic", ("odd", "odd")),
        ("periodic", "periodic", "periodic"),
        (("unbounded", "unbounded"), "periodic", ("even", "odd")),
    ):
        boundary = tuple(tuple(turned(e, a, c) for a, e in enumerate(scalar)) for c in range(3))
        solver = weft.VectorPoisson(CELLS, (1.0, 1.0, 1.0), boundary, centring="node")
        slices = solver.vector_field().slices
        whole = np.random.default_rng(1).standard_normal((3, *(n + 1 for n in CELLS)))
        v = np.ascontiguousarray(whole[slices])
        holes = v.copy()
        for c in range(3):
            nan_where_ignored(holes[c], slices[1:], boundary[c])
        found += np.isnan(holes).sum()
        for operation in (solver.solve, solver.project):
            assert np.array_equal(operation(holes.copy()), operation(v.copy())), (scalar, operation)
        bad = whole.copy()
        bad[1, 2, 2, 2] = np.nan
        try:
            solver.solve(np.ascontiguousarray(bad[slices]))
            raise SystemExit("a point that counts was accepted")
        except weft.Error as error:
            assert "point [1, 2, 2, 2]" in str(error), error

    solver = weft.Poisson(CELLS, (1.0, 1.0, 1.0), ("periodic",) * 3, centring="node", mean="error")
    x, y, z = solver.points()
    rhs = np.sin(2 * np.pi * x) + 0 * y + 0 * z
    expected = solver.solve(rhs.copy())
    slices = solver.field().slices
    assert np.array_equal(solver.solve(nan_where_ignored(rhs, slices, ("periodic",) * 3)), expected)
    assert MPI.COMM_WORLD.allreduce(int(found)) > 0
    if MPI.COMM_WORLD.rank == 0:
        print("the same")
"""


@pytest.mark.parametrize("ranks", [1, 2, 3, 7])
def test_points_that_a_component_ignores_may_hold_anything(tmp_path, ranks):
    assert on_ranks(ranks, IGNORED, tmp_path) == "the same"
