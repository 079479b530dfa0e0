"""The classes against numpy and closed forms, on any number of ranks."""

import fluidfft
import numpy as np
import pytest
import weft
from mpi4py import MPI

COMM = MPI.COMM_WORLD
METHODS = ["fft2d.with_weft", "fft2d.mpi_with_weft", "fft3d.with_weft", "fft3d.mpi_with_weft"]
# Even, odd, and with less planes than some runs have ranks.
SHAPES = {"2": [(12, 16), (9, 7), (3, 4)], "3": [(8, 12, 10), (5, 9, 7), (3, 2, 4)]}
CASES = [(method, shape) for method in METHODS for shape in SHAPES[method[3]]]


def everywhere(shape, seed=1):
    """All points, the same on every rank."""
    return np.random.default_rng(seed).uniform(-1, 1, shape)


def rounding(shape):
    """What two transforms of numbers below 1, divided by the points, may differ by: eps log2 N each."""
    return 2 * np.finfo(float).eps * np.log2(np.prod(shape))


def order(fft):
    """The axis of the points of each axis of the modes."""
    return fft.get_dimX_K() if hasattr(fft, "get_dimX_K") else (1, 0) if fft.get_is_transposed() else (0, 1)


def part(first, shape):
    """Slices of this process's part."""
    return tuple(slice(start, start + n) for start, n in zip(first, shape, strict=True))


def points(fft):
    """Slices of this process's points."""
    return part(fft.get_seq_indices_first_X(), fft.get_shapeX_loc())


def modes(fft):
    """Slices of this process's modes."""
    return part(fft.get_seq_indices_first_K(), fft.get_shapeK_loc())


@pytest.fixture(params=CASES, ids=lambda case: f"{case[0]}-{'x'.join(map(str, case[1]))}")
def fft(request):
    method, shape = request.param
    return fluidfft.create_fft_object(method, *shape)


def test_modes_are_numpys_divided_by_the_points(fft):
    u = everywhere(fft.get_shapeX_seq())
    expected = np.transpose(np.fft.rfftn(u) / u.size, order(fft))
    assert fft.get_shapeK_seq() == expected.shape
    mine = np.ascontiguousarray(u[points(fft)])
    found = fft.fft(mine)
    assert found.flags.c_contiguous and found.shape == fft.get_shapeK_loc()
    np.testing.assert_allclose(found, expected[modes(fft)], rtol=0, atol=rounding(u.shape))
    np.testing.assert_array_equal(mine, u[points(fft)])
    given = fft.create_arrayK(7.0)
    fft.fft_as_arg(mine, given)
    np.testing.assert_array_equal(given, found)


def test_points_come_back_by_each_of_the_inverses(fft):
    u = np.ascontiguousarray(everywhere(fft.get_shapeX_seq())[points(fft)])
    uh = fft.fft(u)
    kept = uh.copy()
    back = fft.ifft(uh)
    # The sum of the modes is undivided: N numbers that are below 1 in the mean square.
    atol = rounding(fft.get_shapeX_seq()) * np.sqrt(np.prod(fft.get_shapeX_seq()))
    np.testing.assert_allclose(back, u, rtol=0, atol=atol)
    np.testing.assert_array_equal(uh, kept)
    given = fft.create_arrayX(7.0)
    fft.ifft_as_arg(uh, given)
    np.testing.assert_array_equal(given, back)
    np.testing.assert_array_equal(uh, kept)
    given.fill(7.0)
    fft.ifft_as_arg_destroy(uh.copy(), given)
    np.testing.assert_array_equal(given, back)
    np.testing.assert_allclose(fft.project_fft_on_realX(uh), uh, rtol=0, atol=atol)


def test_wavenumbers_are_those_of_the_modes_and_that_of_half_is_positive(fft):
    for axis, k, here in zip(order(fft), fft.get_k_adim_loc(), modes(fft), strict=True):
        n = fft.get_shapeX_seq()[axis]
        half_spectrum = axis == len(fft.get_shapeX_seq()) - 1
        expected = np.fft.rfftfreq(n, 1 / n) if half_spectrum else np.fft.fftfreq(n, 1 / n)
        expected[n // 2] = n // 2  # of an odd n it is that already
        np.testing.assert_array_equal(k, np.rint(expected)[here])
        assert k.dtype.kind == "i"


def test_parts_of_the_ranks_make_up_the_arrays(fft):
    shared = "mpi_" in type(fft).__module__
    for parts, shape in ((points(fft), fft.get_shapeX_seq()), (modes(fft), fft.get_shapeK_seq())):
        count = np.zeros(shape, int)
        count[parts] += 1
        np.testing.assert_array_equal(COMM.allreduce(count), np.full(shape, 1 if shared else COMM.size))
    assert fft.get_local_size_X() == np.prod(fft.get_shapeX_loc())


def test_energies_are_those_of_a_wave(fft):
    shape = fft.get_shapeX_seq()
    # cos(y + x) has the mean square 1/2, and 1 more in each point of it adds 1.
    grids = np.meshgrid(*(2 * np.pi * np.arange(n) / n for n in shape), indexing="ij")
    wave = np.cos(grids[-2] + grids[-1]) + 1
    u = np.ascontiguousarray(wave[points(fft)])
    # Of two points along y the wave is one of cos(x) cos(y): the same mean square.
    assert fft.compute_energy_from_X(u) == pytest.approx(0.75, rel=1e-14)
    assert fft.compute_energy_from_K(fft.fft(u)) == pytest.approx(0.75, rel=1e-14)
    assert fft.compute_energy_from_spatial(u) == fft.compute_energy_from_X(u)
    assert fft.compute_energy_from_Fourier(fft.fft(u)) == fft.compute_energy_from_K(fft.fft(u))


def test_the_sum_over_wavenumbers_counts_all_modes(fft):
    assert fft.sum_wavenumbers(fft.create_arrayK(1.0)) == np.prod(fft.get_shapeX_seq())
    assert fft.sum_wavenumbers(np.ones(fft.get_shapeK_loc())) == np.prod(fft.get_shapeX_seq())


def test_points_are_gathered_and_scattered(fft):
    u = everywhere(fft.get_shapeX_seq())
    shared = "mpi_" in type(fft).__module__ and COMM.size > 1
    mine = np.ascontiguousarray(u[points(fft)])
    for root in {0, COMM.size - 1}:
        whole = fft.gather_Xspace(mine, root=root)
        if shared and COMM.rank != root:
            assert whole is None
        else:
            np.testing.assert_array_equal(whole, u)
        np.testing.assert_array_equal(fft.scatter_Xspace(whole if shared else u, root=root), mine)
    np.testing.assert_array_equal(fft.gather_Xspace(mine, root=None), u)
    if shared:
        for move in (fft.gather_Xspace, fft.scatter_Xspace):
            with pytest.raises(weft.Error, match=rf"root: {COMM.size} is no rank; give 0 to {COMM.size - 1}"):
                move(mine, root=COMM.size)


def test_arrays_are_made_in_the_shapes_that_are_asked_for(fft):
    for make, here, whole, dtype in (
        (fft.create_arrayX, fft.get_shapeX_loc(), fft.get_shapeX_seq(), np.float64),
        (fft.create_arrayK, fft.get_shapeK_loc(), fft.get_shapeK_seq(), np.complex128),
    ):
        assert make().shape == here and make().dtype == dtype
        np.testing.assert_array_equal(make(3.0), np.full(here, 3.0))
        np.testing.assert_array_equal(make(0.0, whole), np.zeros(whole))


@pytest.mark.parametrize("method", METHODS)
def test_arrays_of_other_shapes_and_types_are_refused_on_all_ranks(method):
    fft = fluidfft.create_fft_object(method, *SHAPES[method[3]][0])
    x, k = fft.create_arrayX(1.0), fft.create_arrayK(1.0)
    # The last rank alone is wrong, and all are told; none waits for it.
    wrong = COMM.rank == COMM.size - 1 or "mpi_" not in method
    for call in (
        lambda: fft.fft_as_arg(x, k[..., :-1] if wrong else k),
        lambda: fft.fft_as_arg(x, k.real.copy() if wrong else k),
        lambda: fft.ifft_as_arg(k[..., :-1] if wrong else k, x),
        lambda: fft.ifft(k[:1] if wrong else k),
        lambda: fft.ifft(k.real.copy() if wrong else k),
        lambda: fft.fft(x.astype(np.float32) if wrong else x),
    ):
        with pytest.raises(weft.Error, match="has (shape|dtype)"):
            call()
    np.testing.assert_array_equal(fft.fft(fft.ifft(k)).shape, k.shape)


@pytest.mark.parametrize("method", METHODS[2:])
@pytest.mark.parametrize("shape", SHAPES["3"])
def test_fields_of_two_axes_are_repeated_along_the_first(method, shape):
    fft = fluidfft.create_fft_object(method, *shape)
    flat = fluidfft.create_fft_object("fft2d.with_weft", *shape[1:])
    plane = everywhere(shape[1:])
    field = fft.build_invariant_arrayX_from_2d_indices12X(flat, plane)
    np.testing.assert_array_equal(field, np.broadcast_to(plane, shape)[points(fft)])
    uh = fft.build_invariant_arrayK_from_2d_indices12X(flat, flat.fft(plane))
    np.testing.assert_allclose(uh, fft.fft(field), rtol=0, atol=rounding(shape))
    with pytest.raises(weft.Error, match=r"arr2d has shape .*, but all points of two axes have"):
        fft.build_invariant_arrayX_from_2d_indices12X(flat, plane[1:])
    with pytest.raises(weft.Error, match=r"arr2d has shape .*, but all modes of two axes have"):
        fft.build_invariant_arrayK_from_2d_indices12X(flat, plane)
