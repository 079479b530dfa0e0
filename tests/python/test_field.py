"""Field on one rank: views without copies, arithmetic, indexing as numpy's, reductions, files, and what is refused."""

import math
from xml.etree import ElementTree

import numpy as np
import pytest
import weft
from hypothesis import given, settings
from mpi4py import MPI
from reference import numbers
from test_field_selection import indices
from weft.field.elements import file_type_problem

EPS = np.finfo(float).eps


def whole_field(array):
    """A field of one rank over all of an array."""
    return weft.Field(array, [slice(0, n) for n in array.shape], array.shape, MPI.COMM_SELF)


@pytest.fixture
def plan():
    return weft.Plan((6, 5, 8), "r2c", effort="estimate", comm=MPI.COMM_SELF)


# --- making fields


def test_the_block_is_the_users_array():
    array = np.arange(24.0).reshape(4, 6).T
    u = whole_field(array)
    assert u.local is array and np.asarray(u) is array
    assert (u.global_shape, u.slices, u.ndim, u.dtype) == ((6, 4), (slice(0, 6), slice(0, 4)), 2, float)
    assert u.comm == MPI.COMM_SELF and u.side is None
    u[1, 2] = -1
    assert array[1, 2] == -1
    assert np.array(u, copy=True) is not array


def test_zeros_and_from_global():
    u = weft.Field.zeros((3, 4), "complex64")
    assert u.dtype == np.complex64 and u.local.shape == (3, 4) and not u.local.any()
    assert weft.Field.zeros(5).global_shape == (5,)
    array = numbers((3, 4), float)
    v = weft.Field.from_global(array)
    np.testing.assert_array_equal(v.local, array)
    assert not np.shares_memory(v.local, array)


def test_plans_and_solvers_make_fields_that_know_their_axes(plan):
    u, uh = plan.physical_field(), plan.spectral_field()
    assert (u.side, uh.side) == ("physical", "spectral")
    assert (u.dtype, uh.dtype) == (plan.physical_dtype, plan.spectral_dtype)
    for mine, theirs in [(u.coordinates(), plan.coordinates()), (uh.wavenumbers(), plan.wavenumbers())]:
        assert all(np.array_equal(a, b) and a.shape == b.shape for a, b in zip(mine, theirs, strict=True))
    np.testing.assert_array_equal(np.broadcast_to(uh.weights(), (1, 1, 5)), plan.weights())
    assert (u.weights() == 1).all()
    mine = plan.physical()
    assert plan.physical_field(mine).local is mine
    solver = weft.Poisson((6, 8), (1.0, 2.0), ("odd", "periodic"))
    for a, b in zip(solver.field().coordinates(), solver.points(), strict=True):
        np.testing.assert_array_equal(a, b)
    vectors = weft.VectorPoisson((6, 8), (1.0, 2.0), ("periodic", "periodic")).vector_field()
    assert vectors.global_shape == (2, 6, 8) and [x.shape for x in vectors.coordinates()] == [(1, 6, 1), (1, 1, 8)]


# --- transforms and solves of fields


def test_fields_in_fields_out(plan):
    array = numbers((6, 5, 8), float)
    u = plan.physical_field(array)
    uh = plan.forward(u)
    expected = plan.forward(array)
    assert isinstance(uh, weft.Field) and uh.side == "spectral"
    np.testing.assert_array_equal(uh.local, expected)
    np.testing.assert_array_equal(plan.backward(uh).local, plan.backward(expected))
    kx = uh.wavenumbers()[0]
    np.testing.assert_array_equal(plan.apply(u, 1j * kx).local, plan.apply(array, 1j * kx))
    factors = plan.spectral_field()
    factors.local[...] = 1j * kx
    assert plan.apply(u, factors).side == "physical"
    np.testing.assert_array_equal(plan.apply(u, factors).local, plan.apply(array, 1j * kx))
    out = plan.spectral_field()
    assert plan.forward(u, out=out) is out
    np.testing.assert_array_equal(out.local, expected)
    # A block with other strides is copied first.
    turned = plan.physical_field(np.asfortranarray(array))
    np.testing.assert_array_equal(plan.forward(turned).local, expected)
    # Fields that know nothing of axes are taken by their layout.
    np.testing.assert_array_equal(plan.forward(whole_field(array)).local, expected)


def test_solvers_take_fields():
    solver = weft.Poisson((6, 8), (1.0, 2.0), ("odd", "unbounded"))
    rhs = numbers((6, 8), float)
    solution = solver.solve(solver.field(rhs))
    np.testing.assert_array_equal(solution.local, solver.solve(rhs))
    assert solution.side == "physical"
    vectors = weft.VectorPoisson((6, 8), (1.0, 2.0), ("periodic", "periodic"))
    scalar = vectors.scalar_field(rhs)
    gradient = vectors.gradient(scalar)
    np.testing.assert_array_equal(gradient.local, vectors.gradient(rhs))
    assert gradient.global_shape == (2, 6, 8)
    np.testing.assert_array_equal(vectors.divergence(gradient).local, vectors.divergence(gradient.local))
    out = vectors.vector_field()
    assert vectors.project(gradient, out=out) is out


def test_tensor_transforms_take_fields():
    transform = weft.TensorDft((4, 5, 6), "r2c")
    u = transform.physical_field(numbers((4, 5, 6), float))
    uh = transform.forward(u)
    np.testing.assert_array_equal(uh.local, transform.forward(u.local))
    assert [k.ravel().tolist() for k in uh.wavenumbers()] == [[0, 1, -2, -1], [0, 1, 2, -2, -1], [0, 1, 2, 3]]
    assert math.isclose(uh.mean_square(), u.mean_square(), rel_tol=1e-12)
    x, _, _ = u.coordinates()
    np.testing.assert_allclose(x.ravel(), 2 * np.pi * np.arange(4) / 4)


# --- arithmetic


def test_arithmetic_is_numpys_on_the_blocks(plan):
    a, b = numbers((6, 5, 8), float), numbers((6, 5, 8), float, seed=1)
    u, v = plan.physical_field(a), plan.physical_field(b)
    x = u.coordinates()[0]
    for found, expected in [
        (u + v, a + b),
        (2 - u / v, 2 - a / b),
        (np.float64(3) * u, 3 * a),
        (a * u, a * a),
        (u * np.sin(x), a * np.sin(x)),
        (x - u, x - a),
        (-(abs(u) ** 2), -(np.abs(a) ** 2)),
        (np.exp(1j * u), np.exp(1j * a)),
        (np.exp(1j * u).real, np.exp(1j * a).real),
        (np.imag(np.exp(1j * u)), np.exp(1j * a).imag),
        (u < v, a < b),
        (np.add(u, v, where=u < v, out=u.zeros_like()), np.where(a < b, a + b, 0)),
        (np.modf(u)[1], np.modf(a)[1]),
        (np.maximum(u, 0.5), np.maximum(a, 0.5)),
    ]:
        assert isinstance(found, weft.Field) and found.layout is u.layout
        np.testing.assert_array_equal(found.local, expected)
    assert (u + v).side == (1 + u).side == "physical"
    w, memory = u.copy(), u.copy().local
    assert not np.shares_memory(w.local, a)
    w += v
    w *= 2
    np.testing.assert_array_equal(w.local, 2 * (memory + b))
    before = w.local
    w -= 1
    assert w.local is before
    assert u.astype("float32").dtype == np.float32
    assert np.zeros_like(u, dtype=complex).dtype == complex and not np.zeros_like(u).local.any()
    assert np.array_equal(np.add(u, v, out=w).local, a + b) and w.local is before


@pytest.mark.parametrize(
    ("code", "named"),
    [
        ("u + other", ["argument 2 has another layout", "(5, 6, 8)", "redistribute_to()"]),
        ("u + uh_natural", ["argument 2 is spectral", "physical"]),
        ("uh + ortho", ["modes of another kind", "ortho"]),
        ("u + np.ones((2, 6, 5, 8))", ["argument 2 has shape (2, 6, 5, 8)", "(6, 5, 8)"]),
        ("np.ones(3) * u", ["argument 1 has shape (3,)"]),
        ("np.add.reduce(u)", ["numpy.add.reduce", "u.sum()"]),
        ("u @ u", ["numpy.matmul"]),
        ("np.fft.fftn(u)", ["numpy.fftn does not know", "u.gather()"]),
        ("np.allclose(u, u)", ["numpy.allclose"]),
        ("np.sum(u, axis=0)", ["numpy.sum", "'axis'", "u.local"]),
        ("bool(u == u)", ["neither true nor false", "u.all()"]),
    ],
)
def test_arithmetic_refuses(plan, code, named):
    natural = weft.Plan((6, 5, 8), "c2c", effort="estimate", comm=MPI.COMM_SELF)
    names = {
        "np": np,
        "u": plan.physical_field(),
        "uh": plan.spectral_field(),
        "uh_natural": natural.spectral_field(),
        "ortho": weft.Plan((6, 5, 8), "r2c", effort="estimate", norm="ortho", comm=MPI.COMM_SELF).spectral_field(),
        "other": whole_field(np.zeros((5, 6, 8))),
    }
    with pytest.raises(weft.Error) as refusal:
        eval(code, names)
    assert all(part in str(refusal.value) for part in named), refusal.value


def test_fields_are_not_walked_through(plan):
    with pytest.raises(TypeError):
        iter(plan.physical_field())


# --- global indices


@settings(max_examples=200, deadline=None, derandomize=True)
@given(indices())
def test_indices_are_numpys(shape_and_index):
    shape, index = shape_and_index
    array = np.arange(np.prod(shape)).reshape(shape)
    u = whole_field(array.copy())
    found, expected = u[index], array[index]
    assert np.shape(found) == np.shape(expected) and np.array_equal(found, expected)
    if np.ndim(expected) == 0:
        assert not isinstance(found, np.ndarray)
    u[index] = np.asarray(expected) + 100
    array[index] += 100
    np.testing.assert_array_equal(u.local, array)


def test_values_are_broadcast_as_numpys(plan):
    u = plan.physical_field()
    x, y, z = u.coordinates()
    u[...] = np.sin(x) * np.cos(y)
    np.testing.assert_array_equal(u.local, np.broadcast_to(np.sin(x) * np.cos(y), u.local.shape))
    u[2:5, :, 7] = np.arange(5.0)
    np.testing.assert_array_equal(u[2:5, :, 7], [np.arange(5.0)] * 3)
    v = plan.physical_field()
    v[...] = u
    np.testing.assert_array_equal(v.local, u.local)
    v[0] = 1
    assert (v[0] == 1).all() and v[1, 0, 0] == u[1, 0, 0]
    copy = v[...]
    copy[...] = 7
    assert v[0, 0, 0] == 1


@pytest.mark.parametrize(
    ("code", "named"),
    [
        ("u[0, 0, 8]", ["axis 2", "8 is out of range for 8 points", "-8 to 7"]),
        ("u.__setitem__((6,), 1.0)", ["axis 0", "6 is out of range"]),
        ("u.__setitem__(slice(0, 2), np.ones(7))", ["value has shape (7,)", "(2, 5, 8)"]),
        ("u.__setitem__(..., np.ones((2, 5, 8)))", ["value has shape (2, 5, 8)", "(6, 5, 8)"]),
        ("u.__setitem__(0, [[1], [2, 3]])", ["value: this cannot be used (ValueError"]),
        ("u.__setitem__(..., 1j)", ["value has dtype complex128", "float64"]),
        ("u.__setitem__(slice(0, 2), u)", ["value is a Field", "v[...]"]),
        ("fixed.__setitem__(0, 1.0)", ["read-only"]),
        ("fixed.scatter(np.zeros((6, 5, 8)))", ["read-only"]),
        ("u.gather(root=1)", ["root: 1 is not a rank", "0 to 0"]),
        ("u.gather(root='a')", ["root", "'a'"]),
        ("u.scatter(np.zeros((6, 5, 7)))", ["array has shape (6, 5, 7)", "(6, 5, 8)"]),
        ("u.scatter([0])", ["array is list"]),
        ("u.scatter(np.zeros((6, 5, 8), complex))", ["array has dtype complex128", "float64"]),
        ("u.redistribute_to((slice(0, 6), slice(0, 5)))", ["slices has 2 entries"]),
        ("u.redistribute_to((slice(0, 6), slice(0, 5), slice(0, 7)))", ["hold 210 points", "240"]),
        ("u.redistribute_to(weft.Field.zeros((5, 6, 8)))", ["target has (5, 6, 8)", "(6, 5, 8)"]),
        ("u.norm(3)", ["order: 3 is not allowed", "1, 2 or math.inf"]),
        ("u.norm(np.zeros((2, 2)))", ["order: array", "1, 2 or math.inf"]),
        ("u.dot(u.local)", ["other is ndarray", "(u * array).sum()"]),
        ("uh.max()", ["max: complex numbers have no order", "abs(u)"]),
        ("u.spectrum()", ["no wavenumbers"]),
        ("uh.spectrum(u.local)", ["component 1 is ndarray"]),
        ("uh.spectrum(u)", ["component 1 has another layout"]),
        ("uh.spectrum(width=0)", ["width: 0 is not allowed", "positive"]),
        ("uh.spectrum(width=1e-9)", ["width: 1e-09 makes", "larger"]),
        ("uh.spectrum(width=5e-324)", ["width: 5e-324 makes inf shells", "larger"]),
        ("uh.spectrum(lengths=(1, 1))", ["lengths has 2 entries"]),
        ("uh.spectrum(lengths=(1, 1, -1))", ["lengths[2]: -1"]),
        ("uh.coordinates()", ["coordinates: this field has spectral axes"]),
        ("weft.Field.zeros((2, 2)).wavenumbers()", ["wavenumbers: this field has no axes"]),
        ("weft.Field.zeros((2, 2)).weights()", ["weights"]),
        ("weft.Field(1.0, (slice(0, 1),), (1,))", ["local is float"]),
        ("weft.Field(np.zeros(3), (slice(0, 4),), (4,))", ["local has shape (3,)", "(4,)"]),
        ("weft.Field(np.zeros(3, 'O'), (slice(0, 3),), (3,))", ["dtype object"]),
        ("weft.Field(np.zeros(3), (slice(0, 3),), (4,))", ["hold 3 points", "(4,) has 4"]),
        ("weft.Field(np.zeros(3), (slice(2, 5),), (4,))", ["slices[0]: 2:5 is not within an axis of 4 points"]),
        ("weft.Field(np.zeros(3), (slice(0, 3),), (0,))", ["global_shape: (0,)"]),
        ("weft.Field.zeros((2**40, 2**40))", ["global_shape: (1099511627776, 1099511627776)", "2^59"]),
        ("weft.Field(np.zeros(3), 3, (3,))", ["slices: 3 is not a sequence"]),
        ("weft.Field(np.zeros(3), (slice(0, 3),), (3,), comm=3)", ["comm: 3"]),
        ("weft.Field.zeros((2, 2), 'S3')", ["dtype", "S3"]),
        ("weft.Field.from_global(None)", ["array is NoneType"]),
        ("plan.physical_field(np.zeros(3))", ["local has shape (3,)"]),
        ("plan.physical_field(np.zeros((6, 5, 8), 'float32'))", ["local has dtype float32", "float64"]),
        ("plan.forward(uh)", ["u is spectral, but has to be physical", "Plan.physical_field()"]),
        ("plan.forward(weft.Field.zeros((2, 2)))", ["u is a field of (2, 2)", "(6, 5, 8)"]),
        ("plan.forward(u, out=plan.spectral())", ["u is a Field, but out is ndarray"]),
        ("plan.forward(plan.physical(), out=uh)", ["out is a Field, but u is ndarray"]),
        ("plan.forward(u.astype('float32'))", ["u has dtype float32"]),
        ("plan.apply(u, u)", ["symbol is physical", "spectral"]),
        ("inside.forward(u)", ["u is Field", "plan.in_place_field()"]),
        ("u.save('u.txt')", ["u.txt does not say", ".h5, .hdf5, .npy"]),
        ("u.save(3)", ["path: 3 is not a file name"]),
        ("u.save('u.npy', xdmf=True)", ["xdmf", "not HDF5"]),
        ("u.astype('int32').save('u.h5')", ["dtype int32", "astype"]),
        ("u.astype('U5')", ["dtype: <U5 is not allowed", "whole, real or complex numbers"]),
        ("u.astype('>f8')", ["dtype: >f8 is not allowed", "this machine's byte order"]),
        ("u.astype({'names': ['a']})", ["dtype: {'names': ['a']} is not a numpy type"]),
        ("u.zeros_like('>f8')", ["dtype: >f8 is not allowed", "byte order"]),
        ("weft.Field(np.zeros(3, '>f8'), (slice(0, 3),), (3,))", ["local has dtype >f8", "byte order"]),
        ("weft.Field.zeros((2, 2), 'f8,,')", ["dtype: 'f8,,' is not a numpy type"]),
        ("u.save('\\udc80.h5')", ["path: '\\udc80.h5' is not a valid text, character 0"]),
        ("u.save('u.h5', '\\udc80')", ["name: '\\udc80' is not a valid text, character 0"]),
        ("weft.Field.load('u.npy', dtype='>f8')", ["dtype: '>f8' is not allowed", "float64"]),
        ("weft.Field.load('u.npy', dtype='f8,,')", ["dtype: 'f8,,' is not allowed", "float64"]),
        ("uh.real.save('u.h5', xdmf=True)", ["xdmf: this field has modes"]),
        ("weft.Field.load('missing.npy')", ["missing.npy"]),
        ("weft.Field.load('u.npy', like=u.local)", ["like is ndarray"]),
    ],
)
def test_what_is_refused(plan, code, named):
    fixed = plan.physical_field()
    fixed.local.flags.writeable = False
    names = {
        "np": np,
        "weft": weft,
        "plan": plan,
        "inside": weft.Plan((6, 5, 8), "r2c", in_place=True, effort="estimate", comm=MPI.COMM_SELF),
        "u": plan.physical_field(),
        "uh": plan.spectral_field(),
        "fixed": fixed,
    }
    with pytest.raises(weft.Error) as refusal:
        eval(code, names)
    assert all(part in str(refusal.value) for part in named), refusal.value


@pytest.mark.parametrize(("dtype", "held"), [("float32", True), ("complex128", True), (">f8", False), ("i4", False)])
def test_elements_of_files_are_those_of_this_machine(dtype, held):
    problem = file_type_problem(np.dtype(dtype))
    assert problem is None if held else f"dtype {np.dtype(dtype)}; files hold float32" in str(problem)


# --- gather, scatter, other layouts


@pytest.mark.parametrize("dtype", ["float32", "complex128", "int16", "bool"])
def test_gather_and_scatter(dtype):
    array = (10 * numbers((5, 4, 3), float)).astype(dtype)
    u = whole_field(np.zeros((3, 4, 5), dtype).T).scatter(array)
    np.testing.assert_array_equal(u.local, array)
    for root in (0, None):
        np.testing.assert_array_equal(u.gather(root), array)
    moved = u.redistribute_to(u)
    np.testing.assert_array_equal(moved.local, array)
    assert not np.shares_memory(moved.local, u.local)


# --- files


@pytest.mark.parametrize("name", ["u.npy", "u.h5", "u.hdf5"])
@pytest.mark.parametrize("dtype", ["float64", "float32", "complex128", "complex64"])
def test_files_keep_every_bit(tmp_path, name, dtype):
    array = numbers((4, 5, 6), dtype)
    whole_field(array).save(tmp_path / name, "density")
    back = weft.Field.load(str(tmp_path / name), "density", dtype=dtype)
    assert back.dtype == dtype and np.array_equal(back.local, array)
    double = weft.Field.load(tmp_path / name, "density")
    assert double.dtype == np.result_type(dtype, np.float64) and np.array_equal(double.local, array)
    real = np.empty(0, dtype).real.dtype.name
    kind = "c2c" if "complex" in dtype else "dct2"
    like = weft.Plan((4, 5, 6), kind, dtype=real, effort="estimate").physical_field()
    again = weft.Field.load(tmp_path / name, "density", like=like)
    assert again.layout is like.layout and again.side == "physical" and np.array_equal(again.local, array)


def test_hdf5_has_coordinates_and_a_description(tmp_path):
    import h5py

    solver = weft.Poisson((4, 6), (1.0, 3.0), ("odd", "odd"))
    u = solver.field(numbers((4, 6), float))
    u.save(tmp_path / "u.h5", xdmf=True)
    with h5py.File(tmp_path / "u.h5") as file:
        np.testing.assert_array_equal(file["u"], u.local)
        for name, positions in zip("xy", u.coordinates(), strict=True):
            np.testing.assert_array_equal(file[name], positions.ravel())
        assert file.attrs["side"] == "physical"
    mesh = (tmp_path / "u.xdmf").read_text()
    assert "u.h5:/view/u" in mesh
    items = ElementTree.fromstring(mesh).findall("./Domain/Grid/Geometry/DataItem")  # z, y, x
    assert [[float(v) for v in item.text.split()] for item in items] == [[0, 0.25, 0.125], [1, 0.5, 0.25]]


def test_npy_files_are_numpys(tmp_path):
    array = numbers((3, 4), float)
    np.save(tmp_path / "a.npy", array)
    np.testing.assert_array_equal(weft.Field.load(tmp_path / "a.npy").local, array)
    whole_field(array[::-1]).save(tmp_path / "b.npy")
    np.testing.assert_array_equal(np.load(tmp_path / "b.npy"), array[::-1])
