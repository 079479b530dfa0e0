"""weft.scipy_backend: scipy.fft's functions are Weft's, and those that Weft does not have are scipy's."""

import inspect

import numpy as np
import pytest
import scipy.fft
import scipy.signal
import weft
from function_cases import ALONG_AXES, ALONG_AXIS, ALONG_TWO, REAL, axes_of, points_of, tolerance
from hypothesis import given, settings
from hypothesis import strategies as st
from reference import numbers


@pytest.fixture
def called(monkeypatch):
    """What the backend was asked for while scipy.fft goes to it, and whether it served that."""
    calls = []
    asked = weft.scipy_backend.__ua_function__

    def listed(method, args, kwargs):
        result = asked(method, args, kwargs)
        calls.append((method.__name__, result is not NotImplemented))
        return result

    monkeypatch.setattr(weft.scipy_backend, "__ua_function__", listed)
    with scipy.fft.set_backend(weft.scipy_backend):
        yield calls


@pytest.mark.parametrize("name", (*ALONG_AXES, *ALONG_AXIS, *ALONG_TWO))
def test_served_functions_are_those_of_the_package(name, called):
    u = numbers((4, 6), "float64")
    assert np.array_equal(getattr(scipy.fft, name)(u), getattr(weft, name)(u))
    assert np.array_equal(getattr(scipy.fft, name)(x=u, norm="ortho"), getattr(weft, name)(u, norm="ortho"))
    assert called == [(name, True)] * 2


def test_arguments_may_stand_in_order(called):
    u = numbers((4, 6), "float64")
    assert np.array_equal(scipy.fft.fftn(u, (5, 5), (1, 0), "ortho", True, 2), weft.fftn(u, (5, 5), (1, 0), "ortho"))
    assert np.array_equal(
        scipy.fft.dct(u, 3, 5, 0, "ortho", False, 2, False), weft.dct(u, 3, 5, 0, "ortho", False, 2, False)
    )
    assert np.array_equal(
        scipy.fft.idctn(u, 4, None, 1, orthogonalize=True), weft.idctn(u, 4, axes=1, orthogonalize=True)
    )
    assert called == [("fftn", True), ("dct", True), ("idctn", True)]


def test_other_functions_and_long_double_are_left_to_scipy(called):
    u = numbers((4, 6), "float64")
    scipy.fft.hfft(u)
    scipy.fft.ihfftn(u)
    scipy.fft.fht(u, dln=0.1, mu=0.5)
    assert scipy.fft.fft(u.astype(np.longdouble)).dtype == np.clongdouble
    assert scipy.fft.dct([np.longdouble(1), np.longdouble(2)]).dtype == np.longdouble
    with pytest.raises(RuntimeError, match="precomputed plan"):  # scipy refuses, not this backend
        scipy.fft.fft(u, plan=1)
    # Scipy's fht calls rfft and irfft.
    left = [name for name, served in called if not served]
    assert left == ["hfft", "ihfftn", "fht", "fft", "dct", "fft"]


def test_the_number_of_workers_of_scipy_holds(monkeypatch, called):
    threads = []
    planned = weft.functions.arrays._planned
    monkeypatch.setattr(weft.functions.arrays, "_planned", lambda key: threads.append(key.threads) or planned(key))
    weft.clear_plans()
    u = numbers((4, 6), "float64")
    with scipy.fft.set_workers(2):
        scipy.fft.fftn(u)
        scipy.fft.fftn(u, None, None, None, False, None)
        scipy.fft.fftn(u, workers=1)
    scipy.fft.fftn(u)
    assert threads == [2, 1]


def test_functions_of_scipy_that_use_its_transforms(called):
    a, b = numbers((30,), "float64"), numbers((20,), "float64", seed=1)
    made = scipy.signal.fftconvolve(a, b)
    # 20 products below 1 each, over transforms of 54 points or a few more.
    assert np.abs(made - np.convolve(a, b)).max() <= 20 * 64 * 8 * np.finfo(float).eps
    assert any(served for _, served in called)


@pytest.mark.parametrize("wrong", [{"norm": "none"}, {"axes": 5}, {"s": (0, 1)}, {"workers": 0}])
def test_errors_are_values_that_are_wrong_as_scipys_are(wrong, called):
    with pytest.raises(ValueError):
        scipy.fft.fftn(np.ones((2, 3)), **wrong)


NAMES = (*ALONG_AXES, *ALONG_AXIS, *ALONG_TWO)
TYPES = ("float16", "float32", "float64", "complex64", "complex128", "int32", "bool")


@st.composite
def calls(draw):
    """The name of a function, an array and arguments of a call that scipy takes."""
    name = draw(st.sampled_from(NAMES))
    dtype = draw(st.sampled_from(TYPES if not name.startswith("rfft") else TYPES[:3] + TYPES[5:]))
    shape = tuple(draw(st.lists(st.integers(2, 7), min_size=2, max_size=4)))
    arguments = {"norm": draw(st.sampled_from([None, "backward", "ortho", "forward"]))}
    if any(stem in name for stem in REAL):
        arguments["type"] = draw(st.integers(1, 4))
    if name in ALONG_AXIS:
        arguments["axis"] = draw(st.integers(-len(shape), len(shape) - 1))
        arguments["n"] = draw(st.none() | st.integers(2, 9))
    else:
        axes = draw(st.permutations(range(len(shape))))[: draw(st.integers(1, len(shape)))]
        arguments["axes"] = axes
        arguments["s"] = draw(st.none() | st.just([draw(st.integers(2, 9)) for _ in axes]))
    u = 10 * np.random.default_rng(draw(st.integers(0, 99))).standard_normal(shape)
    return name, (u + 1j * u[::-1] if dtype.startswith("complex") else u).astype(dtype), arguments


@settings(max_examples=400, deadline=None, derandomize=True)
@given(calls())
def test_any_call(call):
    name, u, arguments = call
    expected = getattr(scipy.fft, name)(u, **arguments)
    with scipy.fft.set_backend(weft.scipy_backend, only=True):
        made = getattr(scipy.fft, name)(u, **arguments)
    assert made.shape == expected.shape and made.dtype == expected.dtype
    assert np.linalg.norm(np.ravel(made - expected)) <= tolerance_of(name, u, arguments)


def tolerance_of(name, u, arguments):
    """As that of other tests; half precision is computed in single."""
    u = u.astype(np.float32) if u.dtype == np.float16 else u
    axes, sizes = axes_of(name, u.ndim, arguments)
    known = {key: arguments[key] for key in ("type", "norm") if key in arguments}
    return tolerance(name, u, axes, points_of(name, u.shape, axes, sizes), **known)


@pytest.mark.parametrize("name", NAMES)
def test_arguments_have_the_names_order_and_defaults_of_scipy(name):
    ours, theirs = (inspect.signature(getattr(library, name)).parameters.values() for library in (weft, scipy.fft))
    assert [(each.name, each.default) for each in ours] == [(each.name, each.default) for each in theirs]
    # What may stand in order there, may here.
    assert all(one.kind <= other.kind for one, other in zip(ours, theirs, strict=True))
