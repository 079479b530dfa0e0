"""Plan on one rank: results of numpy.fft and scipy.fft, index order, types, modes, and arrays that are the user's."""

import math

import numpy as np
import pytest
import weft
from hypothesis import given, settings
from hypothesis import strategies as st
from mpi4py import MPI
from reference import (
    KINDS,
    expand,
    factor,
    forward,
    forward_bound,
    is_complex,
    numbers,
    round_trip_bound,
    transforms,
)


def make(shape, kinds, **options):
    """A plan whose results do not depend on timings, and random numbers for it."""
    plan = weft.Plan(shape, kinds, effort="estimate", **options)
    return plan, numbers(shape, plan.physical_dtype)


def check(shape, kinds, **options):
    """Forward gives what numpy and scipy give, backward gives the input again, and both leave their input alone."""
    plan, u = make(shape, kinds, **options)
    kinds = expand(kinds, len(shape))
    eps = np.finfo(plan.dtype).eps
    kept = u.copy()
    uh = plan.forward(u)
    expected = forward(u, kinds)
    assert uh.dtype == plan.spectral_dtype and uh.shape == plan.spectral_shape == expected.shape
    # The reference rounds, too, in double precision.
    bound = forward_bound(kinds, shape, eps) + forward_bound(kinds, shape, np.finfo(float).eps)
    assert np.linalg.norm(uh - expected) <= bound * np.linalg.norm(u)
    kept_uh = uh.copy()
    back = plan.backward(uh)
    assert back.dtype == plan.physical_dtype and back.shape == tuple(shape)
    assert np.linalg.norm(back - u) <= round_trip_bound(kinds, shape, eps) * np.linalg.norm(u)
    assert np.array_equal(u, kept) and np.array_equal(uh, kept_uh)


@pytest.mark.parametrize("dtype", ["float64", "float32"])
@pytest.mark.parametrize("shape", [(16,), (7,), (6, 9), (5, 4, 8), (3, 4, 5, 6), (2, 3, 2, 4, 3), (2, 3, 2, 2, 3, 4)])
@pytest.mark.parametrize("kinds", ["r2c", "c2c", "dct2", "dst4"])
def test_one_kind_for_all_axes(shape, kinds, dtype):
    check(shape, kinds, dtype=dtype)


@pytest.mark.parametrize("dtype", ["float64", "float32"])
@pytest.mark.parametrize("axis", [0, 1, 2])
@pytest.mark.parametrize("kind", KINDS)
def test_one_kind_on_one_axis(kind, axis, dtype):
    check((5, 6, 7), tuple(kind if i == axis else "none" for i in range(3)), dtype=dtype)


ENGINES = ["auto", "lanes", "fftw"]


@settings(max_examples=250, deadline=None, derandomize=True)
@given(transforms(), st.sampled_from(["float64", "float32"]), st.sampled_from([1, 2]), st.sampled_from(ENGINES))
def test_any_shape_and_kinds(shape_and_kinds, dtype, threads, engine):
    check(*shape_and_kinds, dtype=dtype, threads=threads, engine=engine)


@pytest.mark.parametrize("engine", ["lanes", "fftw"])
def test_explain_names_the_engine_that_was_asked_for(engine):
    text = weft.Plan((8, 9), ("dct2", "r2c"), effort="estimate", engine=engine).explain()
    other = {"lanes": "fftw", "fftw": "lanes"}[engine]
    assert engine in text and other not in text


def test_default_effort_measures():
    plan = weft.Plan((12, 11), ("dct2", "r2c"))
    u = numbers((12, 11), plan.physical_dtype)
    bound = 2 * forward_bound(plan.kinds, plan.shape, np.finfo(float).eps)
    assert np.linalg.norm(plan.forward(u) - forward(u, plan.kinds)) <= bound * np.linalg.norm(u)


@pytest.mark.parametrize("norm", ["backward", "forward", "ortho"])
def test_norms_are_numpys(norm):
    plan, u = make((6, 5, 8), "r2c", norm=norm)
    uh = plan.forward(u)
    expected = np.fft.rfftn(u, norm=norm)
    scale = {"backward": 1, "forward": 1 / u.size, "ortho": 1 / math.sqrt(u.size)}[norm]
    # Both spectra err by the bound, and the factor and its product are rounded.
    eps = np.finfo(float).eps
    bound = 2 * scale * forward_bound(plan.kinds, u.shape, eps) + 3 * eps * scale * math.sqrt(u.size)
    assert np.linalg.norm(uh - expected) <= bound * np.linalg.norm(u)
    assert np.linalg.norm(plan.backward(uh) - u) <= round_trip_bound(plan.kinds, u.shape, eps) * np.linalg.norm(u)


# --- the description of the arrays


def test_shapes_slices_and_types_on_one_rank():
    plan = weft.Plan((4, 5, 6), "r2c")
    assert plan.shape == plan.physical_shape == (4, 5, 6)
    assert plan.spectral_shape == plan.global_spectral_shape == (4, 5, 4)
    assert plan.physical_slices == (slice(0, 4), slice(0, 5), slice(0, 6))
    assert plan.spectral_slices == (slice(0, 4), slice(0, 5), slice(0, 4))
    assert plan.kinds == ("c2c", "c2c", "r2c")
    assert (plan.physical().dtype, plan.spectral().dtype) == (np.float64, np.complex128)
    assert not plan.physical().any() and not plan.spectral().any()
    assert (plan.strategy, plan.bytes_sent) == ("none", 0)
    assert plan.workspace_bytes > 0 and plan.threads >= 1
    assert "r2c" in plan.explain() and "rank" in plan.explain()


@pytest.mark.parametrize(
    ("kinds", "physical", "spectral"),
    [
        ("c2c", "complex64", "complex64"),
        ("r2c", "float32", "complex64"),
        ("dct2", "float32", "float32"),
        (("dct2", "c2c"), "complex64", "complex64"),
        (("c2c", "r2c"), "float32", "complex64"),
        (("r2c", "none"), "float32", "complex64"),
    ],
)
def test_element_types_follow_from_the_kinds(kinds, physical, spectral):
    plan = weft.Plan((4, 6), kinds, dtype=np.float32)
    assert (plan.physical_dtype, plan.spectral_dtype) == (physical, spectral)
    assert plan.dtype == np.float32
    assert is_complex(plan.kinds) == (physical == "complex64")


def test_one_size_is_one_axis():
    assert weft.Plan(8, "r2c").shape == (8,)
    assert weft.Plan(np.int64(8), "r2c").spectral_shape == (5,)
    assert weft.Plan(np.array([4, 6]), "dct2").shape == (4, 6)


def test_communicator_of_the_user():
    plan = weft.Plan((8, 8), "c2c", comm=MPI.COMM_SELF, grid=[1])
    assert plan.comm is MPI.COMM_SELF
    assert plan.physical_shape == (8, 8)


# --- modes


def test_wavenumbers_have_numpys_order():
    plan = weft.Plan((6, 7, 8), "r2c")
    kx, ky, kz = plan.wavenumbers()
    assert [k.shape for k in (kx, ky, kz)] == [(6, 1, 1), (1, 7, 1), (1, 1, 5)]
    # fftfreq rounds m / n; times n it is within one rounding of the whole number.
    assert np.array_equal(kx.ravel(), np.rint(np.fft.fftfreq(6) * 6))
    assert np.array_equal(ky.ravel(), np.rint(np.fft.fftfreq(7) * 7))
    assert np.array_equal(kz.ravel(), np.arange(5))


def test_axes_without_transform_have_no_wavenumber():
    kx, ky = weft.Plan((6, 8), ("none", "r2c")).wavenumbers()
    assert not kx.any() and kx.shape == (6, 1)
    assert np.array_equal(ky.ravel(), np.arange(5))


@pytest.mark.parametrize("dtype", ["float64", "float32"])
def test_wavenumbers_and_coordinates_have_the_precision_of_the_plan(dtype):
    plan = weft.Plan((4, 6), ("dct4", "c2c"), dtype=dtype)
    for values in (*plan.wavenumbers(), *plan.coordinates(), plan.weights()):
        assert values.dtype == dtype
    # No array turns into another precision on the way.
    assert (plan.physical() * plan.coordinates()[0]).dtype == plan.physical_dtype


@pytest.mark.parametrize("kind", KINDS)
def test_a_wave_fills_the_mode_of_its_wavenumber(kind):
    n = 8
    plan = weft.Plan(n, kind, effort="estimate")
    (x,), (k,) = plan.coordinates(), plan.wavenumbers()
    for mode, wavenumber in enumerate(k):
        phase = wavenumber * x
        wave = np.exp(1j * phase) if kind == "c2c" else np.sin(phase) if kind.startswith("dst") else np.cos(phase)
        uh = np.abs(plan.forward(wave))
        # The wave is at most 1; its phase, of up to n turns, is rounded.
        bound = forward_bound((kind,), (n,), np.finfo(float).eps) * math.sqrt(n) * 2 * math.pi * n
        assert uh[mode] >= n / 2 - bound
        assert np.all(np.delete(uh, mode) <= bound)


@pytest.mark.parametrize("kinds", ["r2c", "c2c", ("r2c", "c2c", "c2c"), ("c2c", "r2c", "none")])
@pytest.mark.parametrize("shape", [(4, 6, 8), (5, 7, 9)])
def test_weights_make_parsevals_theorem_hold(shape, kinds):
    plan, u = make(shape, kinds)
    weights = plan.weights()
    assert np.broadcast_shapes(weights.shape, plan.spectral_shape) == plan.spectral_shape
    expected = factor(plan.kinds, shape) * np.linalg.norm(u) ** 2
    relative = forward_bound(plan.kinds, shape, np.finfo(float).eps) / math.sqrt(factor(plan.kinds, shape))
    # A relative error of the spectrum counts twice in its square, and twice more where modes do.
    assert abs(np.sum(weights * np.abs(plan.forward(u)) ** 2) - expected) <= 4 * relative * expected


def test_derivative_of_a_trigonometric_field_is_exact():
    plan = weft.Plan((12, 10, 9), "r2c", effort="estimate")
    x, y, z = plan.coordinates()
    u = np.sin(3 * x) * np.cos(2 * y + 1) * np.sin(4 * z)
    u = np.ascontiguousarray(u)
    kx, ky, kz = plan.wavenumbers()
    # Wavenumbers go to 6; phases of up to 4 turns are rounded.
    bound = 6 * 8 * math.pi * round_trip_bound(plan.kinds, plan.shape, np.finfo(float).eps) * math.sqrt(u.size)
    uh = plan.forward(u)
    assert np.linalg.norm(plan.backward(1j * kx * uh) - 3 * np.cos(3 * x) * np.cos(2 * y + 1) * np.sin(4 * z)) <= bound
    assert np.linalg.norm(plan.backward(1j * kz * uh) - 4 * np.sin(3 * x) * np.cos(2 * y + 1) * np.cos(4 * z)) <= bound


# --- arrays


def test_results_are_new_arrays_or_out():
    plan, u = make((6, 8), "r2c")
    first = plan.forward(u)
    second = plan.forward(2 * u)
    assert not np.shares_memory(first, second)
    assert np.array_equal(second, 2 * first)
    out = plan.spectral()
    assert plan.forward(u, out=out) is out
    assert np.array_equal(out, first)
    back = plan.physical()
    assert plan.backward(first, back) is back


@pytest.mark.parametrize("spoil", [np.asfortranarray, lambda u: u[::-1], lambda u: np.repeat(u, 2, axis=1)[:, ::2]])
def test_arrays_that_are_not_contiguous_are_refused(spoil):
    plan, u = make((6, 8), "r2c")
    with pytest.raises(weft.Error, match="ascontiguousarray"):
        plan.forward(spoil(u))
    with pytest.raises(weft.Error, match="out is not C-contiguous"):
        plan.forward(u, out=spoil(plan.spectral()))


def test_errors_are_value_errors():
    assert issubclass(weft.Error, ValueError)
    with pytest.raises(ValueError, match="shape"):
        weft.Plan((0, 4), "c2c")
    plan, u = make((6, 8), "r2c")
    with pytest.raises(ValueError, match="dtype float32"):
        plan.forward(u.astype(np.float32))
    with pytest.raises(ValueError, match=r"\(6, 7\)"):
        plan.forward(u[:, :7])


def test_hundreds_of_plans():
    u = numbers((4, 6), float)
    first = weft.Plan((4, 6), "r2c", effort="estimate").forward(u)
    for _ in range(300):
        assert np.array_equal(weft.Plan((4, 6), "r2c", effort="estimate").forward(u), first)


@pytest.mark.parametrize(
    ("shape", "kinds"), [((6, 5, 70), "r2c"), ((4, 9, 33), "c2c"), ((3, 40), "dct2"), ((50,), "r2c")]
)
@pytest.mark.parametrize("dtype", ["float64", "float32"])
def test_arrays_with_gaps_between_rows_give_the_same_bits(shape, kinds, dtype):
    plan = weft.Plan(shape, kinds, dtype=dtype)
    u = numbers(plan.physical_shape, plan.physical_dtype)
    *rows, row = plan.spectral_shape
    gaps = np.zeros((*rows, row + 3), plan.spectral_dtype)[..., :row]
    assert plan.forward(u, out=gaps) is gaps
    modes = plan.forward(u)
    assert np.array_equal(gaps, modes)
    assert np.array_equal(plan.backward(gaps), plan.backward(modes))


def test_rows_of_large_padded_arrays_begin_on_cache_lines():
    plan = weft.Plan((64, 40, 72), "r2c", comm=MPI.COMM_SELF)
    u = numbers(plan.physical_shape, plan.physical_dtype)
    padded = plan.spectral(padded=True)
    assert padded.shape == plan.spectral_shape and padded.dtype == plan.spectral_dtype and not padded.any()
    assert padded.strides == (441 * 64, 11 * 64, 16)  # odd numbers of cache lines
    assert plan.forward(u, out=padded) is padded
    assert np.array_equal(padded, plan.forward(u))
    assert np.array_equal(plan.backward(padded), plan.backward(np.ascontiguousarray(padded)))


def test_small_padded_arrays_are_contiguous():
    plan = weft.Plan((6, 5, 70), "r2c", comm=MPI.COMM_SELF)
    assert plan.spectral(padded=True).flags.c_contiguous


def test_padding_is_left_alone():
    plan = weft.Plan((4, 6), "r2c")
    around = np.full((4, 7), 5 + 5j)
    plan.forward(numbers((4, 6), np.float64), out=around[:, :4])
    assert np.all(around[:, 4:] == 5 + 5j) and not np.any(around[:, :4] == 5 + 5j)


def test_every_strategy_is_taken_by_its_name():
    names = weft.strategies()
    assert len(names) == len(set(names)) == 9 and "auto" not in names
    for name in names:
        assert weft.Plan((6, 8, 4), "r2c", strategy=name, comm=MPI.COMM_SELF).strategy == "none"


@pytest.mark.parametrize("kinds", ["c2c", "r2c", "dct2"])
def test_columns_of_one_point_in_a_wider_array(kinds):
    plan, u = make((16, 1), kinds, comm=MPI.COMM_SELF)
    wide, result = np.zeros((16, 3), plan.physical_dtype), np.zeros((16, 3), plan.spectral_dtype)
    wide[:, 1:2] = u
    assert plan.forward(wide[:, 1:2], out=result[:, 1:2]).base is result
    assert np.array_equal(result[:, 1:2], plan.forward(u))
    assert not result[:, ::2].any()


def test_arrays_are_ready_if_the_library_can_use_them_as_they_are():
    plan = weft.Plan((4, 6, 8), "r2c", comm=MPI.COMM_SELF)
    shape, dtype = plan.physical_shape, plan.physical_dtype
    u, uh = np.random.default_rng(1).standard_normal(shape), plan.spectral()
    wide = np.zeros((4, 7, 10))[:, :6, :8]
    wide[...] = u
    exact = np.fft.rfftn(u)
    for array in (u, wide):
        uh[...] = 0
        assert plan._core.forward_if_ready(array, uh)
        np.testing.assert_allclose(uh, exact, rtol=0, atol=1e-13)
        back = np.zeros((4, 6, 9))[:, :, :8]
        assert plan._core.backward_if_ready(uh, back)
        np.testing.assert_allclose(back, u, rtol=0, atol=1e-14)

    class Own(np.ndarray):
        pass

    odd_address = np.zeros(u.nbytes + 4, np.uint8)[4:].view(dtype).reshape(shape)
    readable = np.zeros_like(uh)
    readable.flags.writeable = False
    wrong = [None, u.tolist(), u[:3], u.astype("float32"), u.astype(">f8"), u.astype(complex), u.view(Own)]
    wrong += [
        np.asfortranarray(u),
        np.zeros((4, 6, 16))[:, :, ::2],
        u[::-1],
        u[:, ::-1],
        u.reshape(4, 6, 8, 1),
        odd_address,
    ]
    uh[...] = 7
    for array in wrong:
        assert not plan._core.forward_if_ready(array, uh)
    for out in (None, readable, uh.real, uh.astype("complex64"), uh[:, :, :4]):
        assert not plan._core.forward_if_ready(u, out)
    assert (uh == 7).all() and (readable == 0).all()
