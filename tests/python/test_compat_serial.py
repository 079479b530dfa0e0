"""weft.compat.mpi4py_fft on one rank: libfft against numpy and scipy, calls of planners, and FFTW's wisdom."""

import functools
import importlib
from pathlib import Path

import numpy as np
import pytest
import weft
from weft.compat.mpi4py_fft import fftw
from weft.compat.mpi4py_fft.libfft import FFT


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
    monkeypatch.setattr(fftw.factory, "Plan", lambda *a, effort, **k: efforts.append(effort) or plan(*a, **k))
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
    for module, names in {
        "fftw.xfftn": "fftn irfftn dctn idstn hfftn inverse get_normalization FFTW_MEASURE dct_type aligned",
        "fftw.factory": "get_planned_FFT get_fftw_lib fftlib export_wisdom import_wisdom forget_wisdom set_timelimit",
        "fftw.utilities": "FFTW_REDFT00 C2R aligned aligned_like get_alignment",
        "fftw": "FFTW_ESTIMATE flag_dict rfftn get_planned_FFT cleanup aligned inverse idct_type",
        "libfft": "FFT",
        "mpifft": "PFFT Transform FFT Pencil Subcomm",
        "distarray": "DistArray newDistArray Function",
        "pencil": "Subcomm Pencil Transfer",
    }.items():
        found = importlib.import_module(f"weft.compat.mpi4py_fft.{module}")
        assert [name for name in names.split() if not hasattr(found, name)] == [], module
