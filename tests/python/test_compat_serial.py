"""weft.compat.mpi4py_fft on one rank: libfft against numpy and scipy, calls of planners, and FFTW's wisdom."""

import functools
import importlib
from pathlib import Path

import numpy as np
import pytest
import scipy.fft
import weft
from weft.compat.mpi4py_fft import fftw
from weft.compat.mpi4py_fft.fftw import _planned
from weft.compat.mpi4py_fft.libfft import FFT, FFTBase


@pytest.mark.parametrize("backend", ["fftw", "numpy", "scipy", "pyfftw", "mkl_fft"])
@pytest.mark.parametrize("dtype", "fdFD")
def test_serial_transforms_are_those_of_numpy(backend, dtype):
    """libfft.FFT along all axes and one of them, there and back, with given arrays and its own."""
    random = np.random.default_rng(3)
    eps = np.finfo(dtype).eps
    for shape, axes in [((7,), None), ((6, 9), 0), ((8, 7, 6), (2, 0))]:
        fft = FFT(shape, axes, dtype=dtype, backend=backend, planner_effort="FFTW_ESTIMATE")
        a, b = fft.forward.input_array, fft.forward.output_array
        assert a is fft.backward.output_array and b is fft.backward.input_array
        a[...] = random.random(shape) + (1j * random.random(shape) if dtype in "FD" else 0)
        u, where = a.copy(), tuple(range(len(shape))) if axes is None else np.atleast_1d(axes)
        half = dtype in "fd" and backend != "scipy"
        expected = (np.fft.rfftn if half else np.fft.fftn)(u, axes=where) * fft.M
        assert fft.real_transform == half and b.dtype.char == dtype.upper() and b.shape == expected.shape
        assert fft.forward() is b and np.allclose(b, expected, rtol=0, atol=4 * eps)
        again, modes = np.zeros_like(u), b.copy()
        assert fft.backward(modes, again) is again and np.allclose(again, u, rtol=0, atol=20 * eps)
        assert np.allclose(fft.forward(u, normalize=False), expected / fft.M, rtol=0, atol=4 * eps / fft.M)


def test_serial_transforms_with_padding_and_given_transforms():
    random = np.random.default_rng(4)
    padded = FFT((12, 5), 0, padding=1.5)
    u = random.random((12, 5))
    expected = np.fft.rfft(u, axis=0)[:5] / 12
    expected[4] *= 2  # the last mode of 8 points stands for 4 and -4; of a sum of real numbers both are conjugate
    expected[4] = expected[4].real
    assert padded.padding_factor == 1.5 and np.allclose(padded.forward(u), expected, rtol=0, atol=1e-15)
    modes = padded.forward.output_array.copy()
    assert np.allclose(padded.forward(padded.backward(modes)), modes, rtol=0, atol=1e-15)
    cosine = tuple(functools.partial(planner, type=3) for planner in (fftw.dctn, fftw.idctn))
    given = FFT((6, 7), (0, 1), transforms={(0, 1): cosine})
    v = random.random((6, 7))
    scipy_fft = pytest.importorskip("scipy.fft")
    assert np.allclose(given.forward(v), scipy_fft.dctn(v, type=3) / (12 * 14), rtol=0, atol=1e-15)
    assert np.allclose(given.backward(given.forward(v)), v, rtol=0, atol=1e-14)
    numpys = FFT((6, 7), 1, transforms={(1,): (np.fft.rfftn, np.fft.irfftn)})
    assert np.allclose(numpys.forward(v), np.fft.rfft(v, axis=1) / 7, rtol=0, atol=1e-15)
    scipys = FFT((6, 7), 1, transforms={(1,): (scipy_fft.fftn, scipy_fft.ifftn)}, backend="scipy")
    assert np.allclose(scipys.forward(v), np.fft.fft(v, axis=1) / 7, rtol=0, atol=1e-15)


def test_explicit_calls_of_planners_use_the_arrays_of_the_plan():
    own, modes = np.zeros((6, 4)), np.zeros((6, 3), complex)
    plan = fftw.rfftn(own, axes=(0, 1), output_array=modes)
    u, out = np.random.default_rng(5).random((6, 4)), np.zeros((6, 3), complex)
    assert plan(u, out, implicit=False, normalize=True) is out
    assert np.array_equal(own, u) and np.array_equal(out, modes)
    assert np.allclose(out, np.fft.rfftn(u) / 24, rtol=0, atol=1e-15)
    assert plan(u, implicit=False) is modes
    turned = fftw.rfftn(np.zeros((4, 6)).T, axes=(0, 1))  # an own array in another order
    turned.input_array[...] = u
    assert np.allclose(turned(), np.fft.rfftn(u), rtol=0, atol=1e-13)


def test_wisdom_is_what_fftw_has_learnt_of_measured_plans(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    fftw.forget_wisdom()
    fftw.export_wisdom("none.dat")
    fftw.import_wisdom("none.dat")
    # 1009 is a prime, for which FFTW is tried beside Weft's engine.
    fftw.fftn(np.zeros((4, 1009), complex), axes=(1,), flags=(fftw.FFTW_PATIENT,))
    fftw.export_wisdom("learnt.dat")
    texts = {char: (tmp_path / f"{char}0_learnt.dat").read_text() for char in fftw.fftlib}
    assert texts["D"].startswith("(fftw-3") and texts["F"] == ""
    fftw.forget_wisdom()
    fftw.export_wisdom("none.dat")
    assert (tmp_path / "D0_none.dat").read_text() == ""
    fftw.import_wisdom(Path("learnt.dat"))
    fftw.export_wisdom("again.dat")
    assert sorted((tmp_path / "D0_again.dat").read_text().split()) == sorted(texts["D"].split())
    (tmp_path / "D0_bad.dat").write_text("no wisdom")
    (tmp_path / "F0_bad.dat").write_text("")
    with pytest.raises(weft.FileError, match="D0_bad.dat: FFTW does not understand"):
        fftw.import_wisdom("bad.dat")
    fftw.cleanup()


def test_a_limit_of_time_keeps_planners_from_measuring(monkeypatch):
    efforts = []
    plan = weft.Plan
    monkeypatch.setattr(_planned, "Plan", lambda *a, effort, **k: efforts.append(effort) or plan(*a, **k))
    for limit, flags in [
        (-1, fftw.FFTW_ESTIMATE),
        (-1, (fftw.FFTW_MEASURE,)),
        (-1, (fftw.FFTW_PATIENT, fftw.FFTW_DESTROY_INPUT)),
        (0.01, fftw.FFTW_PATIENT),
        (10, fftw.FFTW_EXHAUSTIVE),
    ]:
        fftw.set_timelimit(limit)
        fftw.rfftn(np.zeros((4, 4)), flags=flags)
    fftw.cleanup()
    assert efforts == ["estimate", "estimate", "measure", "estimate", "measure"]


def test_names_are_where_the_original_has_them():
    library = "FFT alignment_of export_wisdom import_wisdom forget_wisdom set_timelimit cleanup aligned FFTW_DHT C2R"
    files = "FileBase HDF5File NCFile generate_xdmf"
    for module, names in {
        "": "PFFT DistArray Function newDistArray HDF5File NCFile generate_xdmf fftw fftlib",
        "fftw.xfftn": "fftn irfftn dctn idstn hfftn inverse get_normalization dct_type aligned FFTW_FORWARD FFTW_R2HC "
        "FFTW_DHT FFTW_REDFT00 FFTW_WISDOM_ONLY C2C_BACKWARD get_alignment get_planned_FFT",
        "fftw.factory": "get_planned_FFT get_fftw_lib fftlib export_wisdom import_wisdom forget_wisdom set_timelimit "
        "cleanup comm",
        "fftw.utilities": "FFTW_REDFT00 C2R aligned aligned_like get_alignment",
        "fftw.fftw_xfftn": library,
        "fftw.fftwf_xfftn": library,
        "fftw": "FFTW_ESTIMATE flag_dict rfftn get_planned_FFT cleanup aligned inverse idct_type fftw_xfftn factory",
        "libfft": "FFT FFTBase fftw",
        "mpifft": "PFFT Transform FFT Pencil Subcomm",
        "distarray": "DistArray newDistArray Function Pencil Subcomm HDF5File NCFile FileBase comm",
        "pencil": "Subcomm Pencil Transfer",
        "io": f"{files} file_base h5py_file nc_file",
        "io.file_base": "FileBase comm",
        "io.h5py_file": "FileBase HDF5File comm",
        "io.nc_file": "FileBase NCFile comm",
        "io.generate_xdmf": "generate_xdmf",
    }.items():
        found = importlib.import_module(f"weft.compat.mpi4py_fft.{module}".rstrip("."))
        assert [name for name in names.split() if not hasattr(found, name)] == [], module


@pytest.mark.parametrize("backend", ["fftw", "scipy"])
@pytest.mark.parametrize("dtype", "dD")
@pytest.mark.parametrize("padding", [False, 1.5])
def test_the_unscaled_transforms_of_all_modes(backend, dtype, padding):
    """fwd and bck share the points of forward, and have the modes that padding leaves out of it."""
    random = np.random.default_rng(4)
    fft = FFT((5, 12), 1, dtype=dtype, padding=padding, backend=backend)
    u = random.random((5, 12)) + (1j * random.random((5, 12)) if dtype == "D" else 0)
    fft.forward.input_array[...] = u
    half = dtype == "d" and backend == "fftw"
    expected = (np.fft.rfft if half else np.fft.fft)(u, axis=1)
    # Sums of 12 numbers of size 1, then of 12 sums.
    assert fft.fwd() is fft.fwd.output_array is fft.bck.input_array
    assert np.allclose(fft.fwd.output_array, expected, rtol=0, atol=12**1.5 * 2**-52)
    assert (fft.fwd.output_array is fft.forward.output_array) == (not padding)
    assert fft.bck(normalize=True) is fft.forward.input_array is fft.backward.output_array
    assert np.allclose(fft.forward.input_array, u, rtol=0, atol=12**1.5 * 2**-52)
    assert fft.forward.xfftn() is fft.forward.output_array
    assert fft.padding_factor == (padding or 1)


@pytest.mark.parametrize("kind", [1, 2, 3, 4])
def test_the_unscaled_cosine_transforms(kind):
    pair = functools.partial(fftw.dctn, type=kind), functools.partial(fftw.idctn, type=kind)
    fft = FFT((5, 12), 1, transforms={(1,): pair})
    u = np.random.default_rng(kind).random((5, 12))
    fft.forward.input_array[...] = u
    assert np.allclose(fft.fwd(), scipy.fft.dct(u, kind, axis=1), rtol=0, atol=24**1.5 * 2**-52)
    assert fft.fwd.get_normalization() == fft.M == 1 / (22 if kind == 1 else 24)
    assert np.allclose(fft.bck(normalize=True), u, rtol=0, atol=24**1.5 * 2**-52)


def test_the_base_of_serial_transforms():
    base = FFTBase((6, 8, 9), (-1, 0), np.float32, padding=[1, 1, 1.5])
    assert (base.shape, base.axes, base.dtype.char) == ([6, 8, 9], [2, 0], "f")
    assert (base.padding, base.padding_factor, base.real_transform) == ([1, 1, 1.5], 1, True)
    assert FFTBase(7).axes == [0] and not FFTBase((7, 3), dtype=complex).real_transform
    assert isinstance(FFT((4, 4)), FFTBase)
    with pytest.raises(weft.Error, match="axes.*once"):
        FFTBase((6, 8), (0, -2))
    with pytest.raises(weft.Error, match="dtype: long double"):
        FFTBase((6, 8), dtype="g")


def test_each_precision_has_its_own_wisdom_and_limit(tmp_path, monkeypatch):
    single, double = fftw.fftlib["F"], fftw.fftlib["D"]
    assert single is fftw.get_fftw_lib("f") is fftw.fftwf_xfftn and double is fftw.get_fftw_lib("D") is fftw.fftw_xfftn
    fftw.cleanup()
    for dtype in "FD":
        fftw.fftn(np.zeros((4, 1013), dtype), axes=(1,), flags=fftw.FFTW_PATIENT)  # a length of this test alone
    name = str(tmp_path / "w").encode()
    assert single.export_wisdom(name) == 1 and (tmp_path / "w").read_text().startswith("(fftw-3")
    single.forget_wisdom()
    assert single.export_wisdom(name) == 1 and (tmp_path / "w").read_text() == ""
    assert double.export_wisdom(name) == 1 and (tmp_path / "w").read_text().startswith("(fftw-3")
    assert single.import_wisdom(name) == 0 and double.import_wisdom(name) == 1
    assert double.import_wisdom(name + b"none") == 0 and double.export_wisdom(name + b"/none") == 0
    efforts = []
    plan = weft.Plan
    monkeypatch.setattr(_planned, "Plan", lambda *a, effort, **k: efforts.append(effort) or plan(*a, **k))
    double.set_timelimit(0.01)
    for dtype in "fd":
        fftw.rfftn(np.zeros((4, 4), dtype), flags=fftw.FFTW_PATIENT)
    double.cleanup()
    fftw.rfftn(np.zeros((4, 4)), flags=fftw.FFTW_PATIENT)
    assert efforts == ["measure", "estimate", "measure"]
    fftw.cleanup()


def half_complex(u, axis):
    """The modes of real data in FFTW's order of R2HC, by numpy."""
    modes = np.moveaxis(np.fft.rfft(u, axis=axis), axis, 0)
    return np.moveaxis(np.concatenate([modes.real, modes.imag[1 : (u.shape[axis] + 1) // 2][::-1]]), 0, axis)


@pytest.mark.parametrize("kind", [0, [0, 0], [0, fftw.FFTW_REDFT10], [fftw.FFTW_RODFT01, 0]])
@pytest.mark.parametrize("shape", [(2, 6, 7), (2, 1, 8)])
def test_half_complex_transforms(kind, shape):
    u = np.random.default_rng(8).random(shape)
    plan = fftw.get_planned_FFT(np.zeros(shape), np.zeros(shape), (1, 2), kind, normalization=0.5)
    expected, numbers = u, [0, 0] if kind == 0 else kind
    for axis, number in zip((1, 2), numbers, strict=True):
        if number == 0:
            expected = half_complex(expected, axis)
        else:
            one = scipy.fft.dct(expected, 2, axis=axis) if number == fftw.FFTW_REDFT10 else None
            expected = scipy.fft.dst(expected, 3, axis=axis) if one is None else one
    kept = u.copy()
    found = plan(u, normalize=True)
    assert found is plan.output_array and np.array_equal(u, kept)
    # Sums of up to 2 * 56 terms of size 1.
    assert np.allclose(2 * found, expected, rtol=0, atol=112**1.5 * 2**-52)
    with pytest.raises(weft.Error, match="kind"):
        fftw.get_planned_FFT(u, u.copy(), (1, 2), [0, 99])


@pytest.mark.parametrize("n", [1, 16, 32, 48, 64, 100, 256, 4096])
def test_arrays_begin_where_they_should(n):
    for dtype, shape in (("d", (3, 5)), ("F", 7), ("D", (1, 2))):
        array = fftw.aligned(shape, n=n, dtype=dtype, fill=2)
        assert array.ctypes.data % n == 0 and array.shape == ((shape,) if shape == 7 else shape)
        assert np.all(array == 2) and array.dtype.char == dtype
    assert fftw.get_alignment(array) == 32 and fftw.fftw_xfftn.alignment_of(array.reshape(-1)) == 0
    assert fftw.fftw_xfftn.alignment_of(fftw.aligned(4)[1:]) == 8
    with pytest.raises(weft.Error, match="n: no address is a multiple of 0"):
        fftw.aligned(4, n=0)
