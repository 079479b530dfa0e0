"""Bad arguments of Plan, Poisson and fields: one clear message that names the argument."""

import subprocess
import sys

import numpy as np
import pytest
import weft


class Broken(list):
    """A list that cannot be read, nor printed."""

    def __iter__(self):
        raise KeyError("gone")

    def __repr__(self):
        raise KeyError("gone")


@pytest.mark.parametrize(
    ("arguments", "options", "named"),
    [
        (((0, 8), "c2c"), {}, ["shape", "0"]),
        (((8, -1), "c2c"), {}, ["shape", "-1"]),
        (((8.0, 8), "c2c"), {}, ["shape[0]", "8.0", "write 32, not 32.0"]),
        (((True, 8), "c2c"), {}, ["shape[0]", "True"]),
        (("88", "c2c"), {}, ["shape", "'88'"]),
        (((2**70, 8), "c2c"), {}, ["shape[0]", "64 bits"]),
        (((10**5000, 8), "c2c"), {}, ["shape[0]", "64 bits"]),
        (((2**62,), "c2c"), {}, ["shape: 4611686018427387904", "64 bits", "at most 2^56 in all"]),
        (((2**20,) * 6, "r2c"), {}, ["shape: 1048576 x", "64 bits", "at most 2^56 in all"]),
        (((2**50, 4), "c2c"), {}, ["axis 0: lines of 1125899906842624 points take", "this machine has"]),
        (((2**56,), "dct2"), {}, ["axis 0: lines of", "GB of workspace", "give fewer points"]),
        ((Broken((8, 8)), "c2c"), {}, ["shape", "KeyError", "gone"]),
        (((8, Broken()), "c2c"), {}, ["shape[1]", "type Broken", "whole number"]),
        (((2,) * 7, "c2c"), {}, ["7 axes", "1 to 6"]),
        (((), "c2c"), {}, ["shape"]),
        (((8, 8), "fft"), {}, ["kinds", "fft", "dct2"]),
        (((8, 8), ("c2c", "dct5")), {}, ["kinds", "dct5"]),
        (((8, 8), ("c2c",)), {}, ["kinds has 1 entries, shape has 2"]),
        (((8, 8), ("r2c", "r2c")), {}, ["r2c"]),
        (((8, 8), 3), {}, ["kinds", "3"]),
        (((8, 8), ("c2c", None)), {}, ["kinds[1]", "None"]),
        (((1, 8), "dct1"), {}, ["dct1", "2"]),
        (((8, 8), "c2c"), {"grid": (2,)}, ["grid", "2", "1"]),
        (((8, 8), "c2c"), {"grid": (1.5,)}, ["grid[0]", "1.5"]),
        (((8, 8), "c2c"), {"grid": (2**40,)}, ["grid[0]", "32 bits"]),
        (((8, 8), "c2c"), {"dtype": "complex128"}, ["dtype", "complex128", "float64"]),
        (((8, 8), "c2c"), {"dtype": "real"}, ["dtype", "real", "float64"]),
        (((8, 8), "c2c"), {"dtype": {"names": ["a"]}}, ["dtype", "'names'", "float64"]),
        (((8, 8), "c2c"), {"dtype": "f8,,"}, ["dtype", "'f8,,'", "float64"]),
        (((8, 8), "c2c"), {"strategy": "a\udc80"}, ["strategy", "'a\\udc80'", "character 1"]),
        (((8, 8), "c2c"), {"tuning": "a\udc80.toml"}, ["tuning", "'a\\udc80.toml'", "character 1"]),
        (((8, 8), "c2c"), {"strategy": "pigeon"}, ["strategy", "pigeon", "shared"]),
        (((8, 8), "c2c"), {"threads": 0}, ["threads", "0"]),
        (((8, 8), "c2c"), {"threads": 2.0}, ["threads", "2.0"]),
        (((8, 8), "c2c"), {"norm": "none"}, ["norm", "none", "backward"]),
        (((8, 8), "c2c"), {"effort": "much"}, ["effort", "much", "measure"]),
        (((8, 8), "c2c"), {"engine": "steam"}, ["engine", "steam", "lanes"]),
        (((8, 8), "c2c"), {"engine": None}, ["engine", "None", "auto"]),
        (((8, 8), "c2c"), {"in_place": 1}, ["in_place", "1", "True or False"]),
        (((8, 8), ("r2c", "c2c")), {"in_place": True}, ["in_place", "r2c is on axis 0", "last axis"]),
        (((8, 8), "c2c"), {"comm": 3}, ["comm", "3", "intra-communicator"]),
    ],
)
def test_plan(arguments, options, named):
    with pytest.raises(weft.Error) as caught:
        weft.Plan(*arguments, **options)
    assert all(word in str(caught.value) for word in named), caught.value


@pytest.mark.parametrize(
    ("changes", "named"),
    [
        ({"cells": (8, 0)}, ["cells", "0"]),
        ({"cells": (8.0, 8)}, ["cells[0]", "8.0"]),
        ({"cells": (2**40, 2**40)}, ["cells: 1099511627776 x 1099511627776", "at most 2^56 in all"]),
        ({"cells": (2**62, 8)}, ["cells: 4611686018427387904 x 8", "at most 2^56 in all"]),
        ({"length": (1.0,)}, ["length has 1 entries, cells has 2"]),
        ({"length": (1.0, -1.0)}, ["length", "-1"]),
        ({"length": (1.0, float("nan"))}, ["length", "nan"]),
        ({"length": ("1", 1)}, ["length[0]", "'1'"]),
        ({"length": 1.0}, ["length", "sequence"]),
        ({"boundary": ("odd", "neumann")}, ["neumann"]),
        ({"boundary": ("odd", ("periodic", "odd"))}, ["periodic"]),
        ({"boundary": ("odd", ("odd", "odd", "odd"))}, ["boundary[1]"]),
        ({"boundary": 3}, ["boundary", "sequence"]),
        ({"boundary": "neumann"}, ["boundary", "neumann"]),
        ({"boundary": ("odd",)}, ["boundary has 1 entries, cells has 2"]),
        ({"centring": "corner"}, ["corner", "node"]),
        ({"centring": ("cell",)}, ["centring has 1 entries"]),
        ({"kernel": "hej99"}, ["hej99", "chat2", "truncated", "function"]),
        ({"kernel": "of_distance"}, ["unknown kernel 'of_distance'"]),
        ({"kernel": None}, ["kernel", "None", "truncated"]),
        ({"kernel": lambda r, k: r}, ["kernel", "function"]),
        ({"alpha": 0.0}, ["alpha", "positive"]),
        ({"alpha": "2"}, ["alpha", "'2'"]),
        ({"screening": -1.0}, ["screening", "-1", "0 or positive"]),
        ({"screening": float("nan")}, ["screening", "nan"]),
        ({"screening": True}, ["screening", "True"]),
        ({"mean": "keep"}, ["mean", "'keep'", "remove", "error"]),
        ({"mean": 0}, ["mean", "0", "remove"]),
        ({"chunks": 1.5}, ["chunks", "1.5"]),
        ({"chunks": -1}, ["chunks", "-1"]),
        ({"workspace": 3}, ["workspace", "3"]),
        ({"strategy": "pigeon"}, ["pigeon"]),
        ({"dtype": np.int64}, ["dtype", "float32"]),
        ({"engine": "steam"}, ["engine", "steam", "fftw"]),
    ],
)
def test_poisson(changes, named):
    good = {"cells": (8, 8), "length": (1.0, 1.0), "boundary": ("odd", "even")}
    with pytest.raises(weft.Error) as caught:
        weft.Poisson(**{**good, **changes})
    assert all(word in str(caught.value) for word in named), caught.value


def unaligned(shape, dtype=float):
    """A contiguous array whose elements begin in the middle of a word."""
    size = int(np.prod(shape)) * np.dtype(dtype).itemsize
    return np.zeros(size + 4, np.uint8)[4:].view(dtype).reshape(shape)


@pytest.fixture(scope="module")
def plan():
    return weft.Plan((6, 8), "r2c", effort="estimate")


@pytest.mark.parametrize(
    ("array", "named"),
    [
        (np.zeros((6, 9)), ["shape (6, 9)", "(6, 8)", "plan.physical()"]),
        (np.zeros((6, 8), complex), ["complex128", "float64"]),
        (np.zeros((6, 8), np.float32), ["float32", "float64"]),
        (np.zeros((6, 8), ">f8"), [">f8", "float64"]),
        (np.zeros((8, 6)).T, ["C-contiguous", "ascontiguousarray"]),
        (np.zeros((6, 16))[:, ::2], ["C-contiguous"]),
        (unaligned((6, 8)), ["not aligned", "pass a copy, u.copy()"]),
        ([[0.0] * 8] * 6, ["list", "numpy array"]),
        (None, ["NoneType"]),
    ],
)
def test_arrays_of_forward(plan, array, named):
    with pytest.raises(weft.Error) as caught:
        plan.forward(array)
    assert all(word in str(caught.value) for word in ["u ", *named]), caught.value


def test_arrays_of_backward(plan):
    with pytest.raises(weft.Error, match="uh has shape .*plan.spectral"):
        plan.backward(np.zeros((6, 8), complex))


def test_output_arrays(plan):
    u = plan.physical()
    with pytest.raises(weft.Error, match=r"out has shape \(6, 8\)"):
        plan.forward(u, out=u)
    locked = plan.spectral()
    locked.flags.writeable = False
    with pytest.raises(weft.Error, match="out is read-only"):
        plan.forward(u, out=locked)
    # What a copy would lose is not to be copied.
    for wrong, text in [
        (np.zeros((5, 6), complex).T, "out is not C-contiguous (strides (16, 96)); give a C-contiguous array"),
        (unaligned((6, 5), complex), "of their size in memory; give an aligned array"),
    ]:
        with pytest.raises(weft.Error) as caught:
            plan.forward(u, out=wrong)
        assert str(caught.value).endswith(text)
    solver = weft.Poisson((6, 8), (1, 1), ("odd", "odd"))
    rows = np.zeros((7, 8))
    with pytest.raises(weft.Error, match="out shares memory"):
        solver.solve(rows[:6], out=rows[1:])


@pytest.mark.parametrize(
    ("symbol", "named"),
    [
        (np.zeros((6, 8)), ["shape (6, 8)", "(6, 5)", "plan.wavenumbers()"]),
        (np.zeros(6), ["shape (6,)", "(6, 5)"]),
        (np.zeros((1, 1, 1)), ["shape (1, 1, 1)"]),
        ([[1.0]], ["list", "numpy array"]),
        (None, ["NoneType"]),
        (np.array(["a"]), ["<U1"]),
        (np.array([None]), ["object"]),
    ],
)
def test_symbols_of_apply(plan, symbol, named):
    with pytest.raises(weft.Error) as caught:
        plan.apply(plan.physical(), symbol)
    assert all(word in str(caught.value) for word in ["symbol ", *named]), caught.value


def test_complex_symbol_of_real_modes():
    plan = weft.Plan((6, 8), "dct2", effort="estimate")
    with pytest.raises(weft.Error, match="symbol has dtype complex128, but the modes of this plan are real"):
        plan.apply(plan.physical(), 1j)


def test_arrays_of_apply(plan):
    with pytest.raises(weft.Error, match=r"u has shape \(6, 5\)"):
        plan.apply(plan.spectral(), 1.0)
    u = np.zeros((7, 8))
    with pytest.raises(weft.Error, match="out shares memory with the input"):
        plan.apply(u[:6], 1.0, out=u[1:])
    modes = plan.spectral()
    out = modes.view(float).ravel()[:48].reshape(6, 8)
    with pytest.raises(weft.Error, match="symbol shares memory with the result"):
        plan.apply(plan.physical(), modes, out=out)


# What is given to plans in place and out of place; `u` and `there` are an array and a field of the right shape.
@pytest.mark.parametrize(
    ("code", "named"),
    [
        ("inside.forward(u)", ["u is ndarray", "plan.in_place_field()"]),
        ("inside.backward(inside.spectral())", ["uh is ndarray", "plan.in_place_field()"]),
        ("inside.apply(u, 1.0)", ["u is ndarray", "plan.in_place_field()"]),
        ("outside.forward(there)", ["u is an in-place field", "in_place=True"]),
        ("outside.backward(there)", ["uh is an in-place field", "in_place=True"]),
        ("outside.apply(there, 1.0)", ["u is an in-place field", "in_place=True"]),
        ("outside.in_place_field()", ["in_place_field", "in_place=True"]),
        ("inside.forward(there, out=inside.spectral())", ["out", "omit out="]),
        ("inside.forward(other.in_place_field())", ["InPlaceField((8, 6) float64", "another plan"]),
        ("inside.backward(single.in_place_field())", ["InPlaceField((6, 8) float32", "another plan"]),
        ("inside.apply(other.in_place_field(), 1.0)", ["another plan"]),
        ("inside.apply(there, 'k')", ["symbol is str"]),
        ("inside.apply(there, there.spectral)", ["symbol shares memory"]),
    ],
)
def test_fields(code, named):
    options = {"effort": "estimate", "in_place": True}
    inside, other = weft.Plan((6, 8), "r2c", **options), weft.Plan((8, 6), "r2c", **options)
    names = {
        "inside": inside,
        "outside": weft.Plan((6, 8), "r2c", effort="estimate"),
        "other": other,
        "single": weft.Plan((6, 8), "r2c", dtype="float32", **options),
        "u": inside.physical(),
        "there": inside.in_place_field(),
    }
    with pytest.raises(weft.Error) as caught:
        eval(code, names)
    assert all(word in str(caught.value) for word in named), caught.value


def test_read_only_input_is_fine(plan):
    u = plan.physical()
    u[1, 2] = 1.0
    expected = plan.forward(u)
    u.flags.writeable = False
    np.testing.assert_array_equal(plan.forward(u), expected)


@pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf])
def test_right_hand_side_must_be_finite(bad):
    solver = weft.Poisson((6, 8), (1, 1), ("odd", "odd"))
    rhs = np.zeros((6, 8))
    rhs[5, 7] = bad
    with pytest.raises(weft.Error, match="rhs"):
        solver.solve(rhs)


# Long periodic lines are looked at in memory, not in blocks.
@pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf])
@pytest.mark.parametrize("place", [0, 1, 129, 255])
def test_right_hand_side_must_be_finite_along_long_lines(bad, place):
    solver = weft.Poisson((4, 3, 256), (1, 1, 1), ("periodic", "periodic", "periodic"))
    rhs = np.zeros((4, 3, 256))
    assert np.all(solver.solve(rhs) == 0)
    rhs[2, 1, place] = bad
    with pytest.raises(weft.Error, match="rhs"):
        solver.solve(rhs)


def test_what_does_not_fit_into_memory_is_a_resource_error():
    program = """
import resource
import weft
resource.setrlimit(resource.RLIMIT_AS, (2 << 30, 2 << 30))
try:
    weft.Poisson((8, 2**32 + 1), (1, 2.5), [("odd", "odd"), "periodic"], centring=("cell", "node"))
except weft.ResourceError as error:
    print("refused", "memory" in str(error))
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=60)
    assert done.stdout == "refused True\n", done.stderr
