"""weft.fftn and its relatives on arrays: the results of scipy.fft, of arrays of any layout, type and library."""

import threading

import numpy as np
import pytest
import scipy.fft
import weft
from function_cases import ALONG_AXES, ALONG_AXIS, ALONG_TWO, REAL, check
from mpi4py import MPI
from reference import numbers

NORMS = (None, "backward", "ortho", "forward")
TYPES = (1, 2, 3, 4)


def is_real(name):
    """Whether it is a cosine or sine transform."""
    return any(stem in name for stem in REAL)


def input_type(name, dtype):
    """A type that the function takes, of the precision of a complex one."""
    return np.dtype(dtype).type(0).real.dtype if name.startswith("rfft") or is_real(name) else np.dtype(dtype)


# --- numbers


@pytest.mark.parametrize("dtype", ["complex128", "complex64"])
@pytest.mark.parametrize("norm", NORMS)
@pytest.mark.parametrize(
    ("shape", "axes"),
    [
        ((16,), None),
        ((7,), 0),
        ((1, 5), None),
        ((6, 9), -2),
        ((5, 4, 8), None),
        ((5, 4, 8), (2, 0)),
        ((5, 4, 7), [-1, 1]),
        ((3, 1, 4, 2, 5), (1, 3)),
    ],
)
@pytest.mark.parametrize("name", ALONG_AXES)
def test_axes_and_norms(name, shape, axes, norm, dtype):
    check(name, numbers(shape, input_type(name, dtype)), axes=axes, norm=norm)


@pytest.mark.parametrize("orthogonalize", [None, True, False])
@pytest.mark.parametrize("norm", NORMS)
@pytest.mark.parametrize("type", TYPES)
@pytest.mark.parametrize("name", [name for name in ALONG_AXES if is_real(name)])
def test_types_of_real_transforms(name, type, norm, orthogonalize):
    for shape, axes in (((2, 5, 6), None), ((4, 3, 5), (0, 2)), ((9,), 0)):
        u = numbers(shape, "float64")
        check(name, u, type=type, axes=axes, norm=norm, orthogonalize=orthogonalize)


@pytest.mark.parametrize("dtype", ["complex128", "complex64"])
@pytest.mark.parametrize("norm", NORMS)
@pytest.mark.parametrize("type", TYPES)
@pytest.mark.parametrize("name", [name for name in ALONG_AXES if is_real(name)])
def test_real_transforms_of_complex_numbers(name, type, norm, dtype):
    for shape, axes in (((4, 5), None), ((4, 3, 2), (0,)), ((6,), None)):
        check(name, numbers(shape, dtype), type=type, axes=axes, norm=norm)


def test_orthogonal_real_transforms_of_complex_numbers_are_those_of_both_parts():
    z = numbers((5, 6), "complex128")
    expected = weft.dctn(z.real.copy(), orthogonalize=True) + 1j * weft.dctn(z.imag.copy(), orthogonalize=True)
    assert np.array_equal(weft.dctn(z, orthogonalize=True), expected)


@pytest.mark.parametrize("n", [None, 2, 5, 6, 12])
@pytest.mark.parametrize("axis", [0, -1])
@pytest.mark.parametrize("name", ALONG_AXIS)
def test_one_axis(name, axis, n):
    check(name, numbers((6, 7), input_type(name, "complex128")), n=n, axis=axis)


@pytest.mark.parametrize("name", ALONG_TWO)
def test_two_axes(name):
    check(name, numbers((3, 4, 5), input_type(name, "complex128")))


@pytest.mark.parametrize(
    ("s", "axes"), [((8, 3), None), ((3, 9, 4), None), ((-1, 7), (0, 2)), (5, 1), ((2, 6), (2, 1)), ([4, 4], [0, 1])]
)
@pytest.mark.parametrize("name", ALONG_AXES)
def test_sizes(name, s, axes):
    u = numbers((4, 5, 6), input_type(name, "complex128"))
    check(name, u, s=s, axes=axes)


def test_more_axes_than_a_plan_has():
    for shape, axes in (
        ((2,) * 9, None),
        ((2, 3, 1, 2, 2, 3, 2, 2), (0, 1, 3, 4, 5, 7, 6)),
        ((2,) * 14, (0, 5, 9, 13)),
    ):
        for name in ALONG_AXES:
            check(name, numbers(shape, input_type(name, "complex128")), axes=axes)


def test_half_spectra_that_are_not_those_of_real_numbers():
    for s in ((5, 6, 6), (5, 6, 7)):
        check("irfftn", numbers((5, 6, 4), "complex128"), s=s)


def test_the_bits_are_those_of_a_plan():
    for dtype in ("float32", "float64"):
        u = numbers((8, 9), dtype)
        plan = weft.Plan((8, 9), "r2c", comm=MPI.COMM_SELF, dtype=dtype, norm="ortho")
        assert np.array_equal(weft.rfftn(u, norm="ortho"), plan.forward(u))


# --- types and memory


@pytest.mark.parametrize(
    "dtype", ["bool", "int8", "uint16", "int64", "float16", ">f4", ">f8", "<f8", ">c8", ">c16", "O"]
)
@pytest.mark.parametrize("name", ALONG_AXES)
def test_types_are_converted_as_scipy_does(name, dtype):
    u = np.arange(20).reshape(4, 5).astype(dtype)
    if name.startswith("rfft"):
        u = u.real
    made, expected = (getattr(library, name)(u) for library in (weft, scipy.fft))
    assert made.dtype == expected.dtype
    # Half precision is computed in single precision, all else as it is or in double precision.
    same = u.astype(np.result_type(made.real.dtype, np.complex64 if u.dtype.kind == "c" else np.float32))
    assert np.array_equal(made, getattr(weft, name)(same))
    check(name, same)


LAYOUTS = {
    "Fortran's order": np.asfortranarray,
    "a transposed view": lambda u: np.ascontiguousarray(u.T).T,
    "every second": lambda u: np.repeat(u, 2, axis=1)[:, ::2],
    "backwards": lambda u: u[::-1].copy()[::-1],
    "a slice": lambda u: np.pad(u, 2)[2:-2, 2:-2, 2:-2],
    "unaligned": lambda u: np.frombuffer(b"x" + u.tobytes(), np.uint8)[1:].view(u.dtype).reshape(u.shape),
    "repeated": lambda u: np.broadcast_to(u[:1, :1], u.shape),
    "read-only": lambda u: np.frombuffer(u.tobytes(), u.dtype).reshape(u.shape),
    "a list": lambda u: u.tolist(),
    "a buffer": memoryview,
}


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("name", ALONG_AXES)
def test_layouts_give_the_same_bits(name, layout):
    given = LAYOUTS[layout](numbers((3, 4, 5), input_type(name, "complex128")))
    plain = np.array(given, order="C")
    assert np.array_equal(getattr(weft, name)(given, axes=(0, 2)), getattr(weft, name)(plain, axes=(0, 2)))
    assert np.array_equal(np.asarray(given), plain)


class Lent:
    """Memory that only DLPack gives away."""

    def __init__(self, array, refuses=False):
        self._array, self._refuses = array, refuses

    def __dlpack__(self, **options):
        if self._refuses:
            raise BufferError("it is on another device")
        return self._array.__dlpack__(**options)

    def __dlpack_device__(self):
        return self._array.__dlpack_device__()


class Described:
    """Memory with the interface of numpy's arrays."""

    def __init__(self, array):
        self._kept, self.__array_interface__ = array, array.__array_interface__


@pytest.mark.parametrize("lend", [Lent, Described, memoryview])
def test_memory_of_other_libraries_is_used_in_place(lend):
    u = numbers((4, 6), "complex128")
    expected = weft.fftn(u)
    assert np.array_equal(weft.fftn(lend(u)), expected)
    # Without a copy the result lands in the memory that was lent.
    made = weft.fftn(lend(u), overwrite_x=True)
    assert np.shares_memory(made, u) and np.array_equal(u, expected)


def test_memory_out_of_reach_is_an_error_that_says_why():
    with pytest.raises(weft.Error, match="x is Lent.*another device.*memory of the processor"):
        weft.fftn(Lent(np.zeros(3), refuses=True))


@pytest.mark.parametrize("name", ALONG_AXES)
@pytest.mark.parametrize("type", TYPES)
def test_overwritten_memory_gives_the_same_bits(name, type):
    arguments = {"type": type} if is_real(name) else {}
    for dtype in ("float64", "complex128"):
        if name.startswith("rfft") and dtype == "complex128":
            continue
        u = numbers((4, 5, 6), dtype)
        expected = getattr(weft, name)(u, norm="ortho", **arguments)
        assert np.array_equal(getattr(weft, name)(u, norm="ortho", overwrite_x=True, **arguments), expected)
    frozen = numbers((4, 5), input_type(name, "complex128"))
    frozen.flags.writeable = False
    kept = frozen.copy()
    getattr(weft, name)(frozen, overwrite_x=True)
    assert np.array_equal(frozen, kept)


def test_results_are_new_memory():
    u = numbers((4, 5), "complex128")
    first, second = weft.fftn(u), weft.fftn(u)
    assert not np.shares_memory(first, u) and not np.shares_memory(first, second)
    for without in (weft.fftn(u, axes=()), weft.dctn(u, axes=())):
        assert np.array_equal(without, u) and not np.shares_memory(without, u)


def test_arrays_without_elements():
    for shape in ((0, 5), (3, 0, 4)):
        for name in ALONG_AXIS:
            made, expected = (getattr(library, name)(np.zeros(shape), axis=-1) for library in (weft, scipy.fft))
            assert made.shape == expected.shape and made.dtype == expected.dtype


def test_workers_give_the_same_bits():
    u = numbers((16, 12, 10), "float64")
    expected = weft.rfftn(u)
    assert all(np.array_equal(weft.rfftn(u, workers=workers), expected) for workers in (1, 2, -1))


def test_threads_use_one_plan_in_turns():
    us = [numbers((12, 10, 8), "complex128", seed) for seed in range(4)]
    expected = [weft.fftn(u) for u in us]
    wrong = []

    def work(number):
        wrong.extend(number for _ in range(50) if not np.array_equal(weft.fftn(us[number]), expected[number]))

    threads = [threading.Thread(target=work, args=(number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong


# --- errors


@pytest.mark.parametrize(
    ("call", "words"),
    [
        ("weft.fftn(u, s=(1, 2, 3))", ["s has 3 entries", "x has 2 axes"]),
        ("weft.fftn(u, s=(1, 2), axes=0)", ["s has 2 entries, axes has 1"]),
        ("weft.fftn(u, s=(0, 2))", ["s: ", "(0) along axis 0", "1 or more"]),
        ("weft.fftn(u, s=(2.0, 2))", ["s[0]: 2.0 is not a whole number"]),
        ("weft.fftn(u, axes=(0, 2))", ["axes: 2 is out of range", "-2 to 1"]),
        ("weft.fftn(u, axes=(0, -2))", ["axes: (0, -2) has an axis twice"]),
        ("weft.fftn(u, axes='x')", ["axes: 'x' is not a sequence"]),
        ("weft.rfftn(u, axes=())", ["axes: ()", "rfftn needs one or more"]),
        ("weft.irfftn(u, axes=())", ["axes: ()", "irfftn needs one or more"]),
        ("weft.fftn(u, norm='none')", ["norm: 'none' is not allowed", '"ortho"']),
        ("weft.fftn(u, norm=['ortho'])", ["norm: ['ortho'] is not allowed"]),
        ("weft.fftn(u, workers=0)", ["workers must not be zero", "1 or more"]),
        ("weft.fftn(u, workers=-10**6)", ["workers value out of range: -1000000", "(all cores)"]),
        ("weft.fftn(u, workers='2')", ["workers: '2' is not a whole number"]),
        ("weft.fftn(u, overwrite_x=1)", ["overwrite_x: 1 is not allowed", "True or False"]),
        ("weft.fftn(u, plan=3)", ["plan: ", "omit plan="]),
        ("weft.fft(u, n=0)", ["n: ", "(0) along axis 1", "1 or more"]),
        ("weft.fft(u, n=2.5)", ["n: 2.5 is not a whole number"]),
        ("weft.fft(u, axis=2)", ["axis: 2 is out of range"]),
        ("weft.fft(3.0)", ["axis: -1", "0 axes", "one axis or more"]),
        ("weft.fft([])", ["x: ", "(0) along axis 0", "longer array"]),
        ("weft.irfft([1.0])", ["x: ", "(0) along axis 0", "or n"]),
        ("weft.rfftn(u * 1j)", ["x has dtype complex128", "real", "x.real", "fftn"]),
        ("weft.fftn(u.astype('g'))", ["x has dtype", "numpy.float64"]),
        ("weft.fftn('text')", ["x is str", "give an array"]),
        ("weft.fftn([[1, 2], [3]])", ["x is list", "give an array"]),
        ("weft.dctn(u, type=5)", ["type: 5 is not allowed", "1, 2, 3 or 4"]),
        ("weft.dctn(u, type='II')", ["type: 'II' is not a whole number"]),
        ("weft.dctn(u, orthogonalize=0)", ["orthogonalize: 0 is not allowed"]),
        ("weft.dctn(u[:1], type=1)", ["x: ", "(1) along axis 0", "2 or more for type 1"]),
    ],
)
def test_errors_say_what_is_wrong(call, words):
    with pytest.raises(weft.Error) as caught:
        eval(call, {"weft": weft, "u": np.ones((3, 4))})
    assert all(word in str(caught.value) for word in words), caught.value


@pytest.mark.parametrize(
    ("give", "words"),
    [
        (np.asfortranarray, "pass numpy.ascontiguousarray(u)"),
        (Lent, "pass numpy.from_dlpack(u)"),
        (Described, "pass numpy.asarray(u)"),
        (memoryview, "pass numpy.asarray(u)"),
        (lambda u: u.astype("float32"), "pass u.astype(numpy.float64)"),
    ],
)
def test_plans_say_which_copy_to_make(give, words):
    plan = weft.Plan((4, 6), "r2c")
    with pytest.raises(weft.Error) as caught:
        plan.forward(give(numbers((4, 6), "float64")))
    assert words in str(caught.value)
