"""TensorDft: numpy's FFT on any mesh, its modes, counts of messages, and what is refused on every rank."""

import math
import os
import subprocess
import sys

import numpy as np
import pytest
import weft
from hypothesis import given, settings
from hypothesis import strategies as st
from mpi4py import MPI
from on_ranks import on_ranks
from reference import expand, forward, forward_bound, numbers, round_trip_bound


def check(shape, kind, **options):
    """Forward gives what numpy gives, backward gives the input again, and both leave their input alone."""
    transform = weft.TensorDft(shape, kind, **options)
    u = numbers(shape, transform.physical_dtype)
    kinds, eps = expand(kind, 3), np.finfo(transform.dtype).eps
    kept = u.copy()
    uh = transform.forward(u)
    expected = forward(u, kinds)
    assert uh.dtype == transform.spectral_dtype and uh.shape == transform.spectral_shape == expected.shape
    # Products with the matrix round as the defining sums do; the reference rounds, too, in double precision.
    bound = forward_bound(kinds, shape, eps) + forward_bound(kinds, shape, np.finfo(float).eps)
    assert np.linalg.norm(uh - expected) <= bound * np.linalg.norm(u)
    kept_uh = uh.copy()
    back = transform.backward(uh)
    assert back.dtype == transform.physical_dtype and back.shape == tuple(shape)
    assert np.linalg.norm(back - u) <= round_trip_bound(kinds, shape, eps) * np.linalg.norm(u)
    assert np.array_equal(u, kept) and np.array_equal(uh, kept_uh)
    return transform


@pytest.mark.parametrize("folding", ["on", "off", "auto"])
@pytest.mark.parametrize("dtype", ["float64", "float32"])
@pytest.mark.parametrize("kind", ["c2c", "r2c"])
@pytest.mark.parametrize("shape", [(12, 12, 12), (31, 30, 24), (1, 2, 3), (5, 1, 8), (4, 7, 1)])
def test_modes_are_numpys(shape, kind, dtype, folding):
    transform = check(shape, kind, dtype=dtype, folding=folding)
    assert folding == "auto" or all(transform.folded) == (folding == "on") or min(shape) < 3


@settings(max_examples=60, deadline=None, derandomize=True)
@given(
    st.tuples(*[st.integers(1, 17)] * 3),
    st.sampled_from(["c2c", "r2c"]),
    st.sampled_from(["cannon", "transpose"]),
    st.sampled_from(["circulate", "own"]),
    st.sampled_from(["on", "off"]),
    st.sampled_from([1, 2]),
)
def test_any_shape(shape, kind, algorithm, matrix, folding, threads):
    check(shape, kind, algorithm=algorithm, matrix=matrix, folding=folding, threads=threads)


@pytest.mark.parametrize("norm", ["backward", "forward", "ortho"])
def test_norms_are_numpys(norm):
    transform = weft.TensorDft((6, 5, 8), "r2c", norm=norm)
    u = numbers((6, 5, 8), np.float64)
    uh = transform.forward(u)
    expected = np.fft.rfftn(u, norm=norm)
    scale = {"backward": 1, "forward": 1 / u.size, "ortho": 1 / math.sqrt(u.size)}[norm]
    # Both spectra err by the bound; factors are in the matrices, whose entries are rounded once, three of them.
    eps = np.finfo(float).eps
    kinds = expand("r2c", 3)
    bound = 2 * scale * forward_bound(kinds, u.shape, eps) + 3 * eps * scale * math.sqrt(u.size)
    assert np.linalg.norm(uh - expected) <= bound * np.linalg.norm(u)
    assert np.linalg.norm(transform.backward(uh) - u) <= round_trip_bound(kinds, u.shape, eps) * np.linalg.norm(u)


def test_shapes_types_and_facts_on_one_rank():
    transform = weft.TensorDft((4, 5, 6), "r2c", threads=1)
    assert transform.shape == transform.physical_shape == (4, 5, 6)
    assert transform.spectral_shape == transform.global_spectral_shape == (4, 5, 4)
    assert transform.physical_slices == (slice(0, 4), slice(0, 5), slice(0, 6))
    assert transform.spectral_slices == (slice(0, 4), slice(0, 5), slice(0, 4))
    assert (transform.physical().dtype, transform.spectral().dtype) == (np.float64, np.complex128)
    assert (transform.mesh, transform.threads) == ((1, 1, 1), 1)
    assert (transform.algorithm, transform.matrix) == ("cannon", "circulate")
    transform.forward(transform.physical())
    assert (transform.messages_sent, transform.bytes_sent) == (0, 0)
    assert all(one.alignments == one.shifts == one.bytes == 0 for one in transform.traffic())
    assert transform.workspace_bytes >= 0 and transform.flops > 0
    assert "1 x 1 x 1" in transform.explain()
    assert "TensorDft((4, 5, 6), 'r2c'" in repr(transform)


ONE_TRANSFORM = """
import numpy as np, weft
transform = weft.TensorDft((7, 8, 9), "c2c")
u = transform.physical()
u.real = np.random.default_rng(1).random(u.shape)
assert np.allclose(transform.forward(u), np.fft.fftn(u))
print(transform.explain())
"""


@pytest.mark.parametrize(
    ("blas", "kernel", "good", "said"),
    [
        ("", "own", True, "own "),
        ("", "blas", True, None),
        ("/no/such/blas.so", "auto", True, "own "),
        ("/no/such/blas.so", "own", True, "own "),
        ("/no/such/blas.so", "blas", False, "/no/such/blas.so"),
        ("", "fast", False, "WEFT_TENSOR_KERNEL: unknown value 'fast'; use one of auto, blas, own"),
    ],
)
def test_kernels(blas, kernel, good, said):
    chosen = {"WEFT_TENSOR_KERNEL": kernel} | ({"WEFT_BLAS": blas} if blas else {})
    command = [sys.executable, "-c", ONE_TRANSFORM]
    done = subprocess.run(command, env=os.environ | chosen, capture_output=True, text=True, timeout=120, check=False)
    assert (done.returncode == 0) == good, done.stderr
    if said is None:
        assert "own " not in done.stdout
    else:
        assert said in (done.stdout if good else done.stderr)


def test_folding_and_real_points_save_arithmetic():
    n = 32
    plain, folded = (weft.TensorDft((n, n, n), "c2c", folding=word).flops for word in ("off", "on"))
    # n^3 elements, each n products with complex numbers, 8 operations; three axes.
    assert plain == 3 * 8 * n**4
    # Two real products of n/2 + 1 and n/2 - 1 on real and imaginary parts: 2 * 2 * (half squared, twice) a line.
    assert folded <= plain / 4 * (1 + 4 / n**2) * (1 + 4 / n)
    halves = weft.TensorDft((n, n, n), "r2c", folding="off").flops
    # Real points: half of the products on the last axis, n/2 + 1 of n modes on all axes.
    assert halves <= plain * (n / 2 + 1) / n * (1 + 1e-12)


@pytest.mark.parametrize("dtype", ["float64", "float32"])
def test_wavenumbers_have_numpys_order(dtype):
    transform = weft.TensorDft((6, 7, 8), "r2c", dtype=dtype)
    kx, ky, kz = transform.wavenumbers()
    assert [k.shape for k in (kx, ky, kz)] == [(6, 1, 1), (1, 7, 1), (1, 1, 5)]
    assert all(k.dtype == dtype for k in (kx, ky, kz))
    assert np.array_equal(kx.ravel(), np.rint(np.fft.fftfreq(6) * 6))
    assert np.array_equal(ky.ravel(), np.rint(np.fft.fftfreq(7) * 7))
    assert np.array_equal(kz.ravel(), np.arange(5))


@pytest.mark.parametrize("kind", ["c2c", "r2c"])
def test_wavenumbers_of_a_box(kind):
    shape, lengths = (6, 7, 8), (0.5, 3.0, 2 * np.pi)
    found = weft.TensorDft(shape, kind).wavenumbers(lengths)
    expected = [2 * np.pi * np.fft.fftfreq(n, length / n) for n, length in zip(shape, lengths, strict=True)]
    if kind == "r2c":
        expected[2] = 2 * np.pi * np.fft.rfftfreq(8, lengths[2] / 8)
    for mine, theirs in zip(found, expected, strict=True):
        np.testing.assert_allclose(mine.ravel(), theirs, rtol=4 * np.finfo(float).eps)
    plan = weft.Plan(shape, kind).wavenumbers(lengths)
    assert all(np.array_equal(a, b) and a.shape == b.shape for a, b in zip(found, plan, strict=True))
    for wrong, part in [((1, 1), "the transform has 3"), ((1, 1, 0), r"lengths\[2\]: 0")]:
        with pytest.raises(weft.Error, match=part):
            weft.TensorDft(shape, kind).wavenumbers(wrong)


def test_a_wave_fills_its_mode():
    transform = weft.TensorDft((8, 9, 10))
    kx, ky, kz = transform.wavenumbers()
    x, y, z = np.ogrid[:8, :9, :10]
    wave = np.exp(2j * np.pi * (-3 * x / 8 + 2 * y / 9 + 5 * z / 10))
    uh = transform.forward(wave)
    there = (kx == -3) & (ky == 2) & (kz == -5)
    assert there.sum() == 1
    # Phases of up to five turns are rounded.
    bound = (forward_bound(("c2c",) * 3, uh.shape, np.finfo(float).eps) + 1e-14) * math.sqrt(wave.size)
    assert abs(uh[there][0] - wave.size) < bound * 2 * math.pi * 5
    assert np.max(np.abs(uh[~there])) < bound * 2 * math.pi * 5


def test_results_are_new_arrays_or_out():
    transform = weft.TensorDft((6, 8, 4), folding="on")
    u = numbers((6, 8, 4), np.complex128)
    first = transform.forward(u)
    assert not np.shares_memory(first, transform.forward(2 * u))
    out = transform.spectral()
    assert transform.forward(u, out=out) is out and np.array_equal(out, first)
    # In place for complex points.
    mine = u.copy()
    assert transform.forward(mine, out=mine) is mine and np.array_equal(mine, first)
    back = transform.physical()
    assert transform.backward(first, back) is back


def test_arrays_that_do_not_fit_are_refused():
    transform = weft.TensorDft((6, 8, 4), "r2c")
    u = numbers((6, 8, 4), np.float64)
    with pytest.raises(weft.Error, match=r"u has shape \(6, 8, 3\)"):
        transform.forward(u[:, :, :3])
    with pytest.raises(weft.Error, match=r"uh has dtype float64.*transform.spectral\(\) makes a suitable one"):
        transform.backward(np.zeros((6, 8, 3)))
    with pytest.raises(weft.Error, match="ascontiguousarray"):
        transform.forward(np.asfortranarray(u))
    with pytest.raises(weft.Error, match="out shares memory"):
        memory = np.zeros(6 * 8 * 4 * 2)
        transform.forward(memory[: u.size].reshape(u.shape), out=memory[: 6 * 8 * 3 * 2].view(complex).reshape(6, 8, 3))
    with pytest.raises(weft.Error, match="out is read-only"):
        out = transform.spectral()
        out.flags.writeable = False
        transform.forward(u, out=out)


@pytest.mark.parametrize(
    ("arguments", "named"),
    [
        ({"shape": (4, 5)}, ["shape", "3"]),
        ({"shape": (4, 5, 0)}, ["shape"]),
        ({"shape": (4.0, 5, 6)}, ["shape[0]", "4.0"]),
        ({"kind": "dct2"}, ["kind", "dct2", "c2c", "r2c"]),
        ({"kind": 3}, ["kind", "3"]),
        ({"dtype": "int32"}, ["dtype", "float64"]),
        ({"mesh": (2, 1, 1)}, ["mesh", "1"]),
        ({"mesh": (1, 1)}, ["mesh", "3"]),
        ({"mesh": (1, 0, 1)}, ["mesh", "0"]),
        ({"algorithm": "magic"}, ["algorithm", "magic", "cannon", "transpose"]),
        ({"matrix": "lent"}, ["matrix", "lent", "circulate", "own"]),
        ({"folding": "maybe"}, ["folding", "maybe", "auto", "on", "off"]),
        ({"folding": True}, ["folding", "True"]),
        ({"threads": 0}, ["threads", "0"]),
        ({"communication_thread": True, "threads": 1}, ["communication_thread", "2"]),
        ({"communication_thread": "yes"}, ["communication_thread", "yes"]),
        ({"norm": "best"}, ["norm", "best"]),
        ({"comm": "world"}, ["comm", "world"]),
    ],
)
def test_arguments_that_are_refused(arguments, named):
    given = {"shape": (4, 5, 6), "kind": "c2c", "comm": MPI.COMM_SELF} | arguments
    with pytest.raises(weft.Error) as caught:
        weft.TensorDft(given.pop("shape"), given.pop("kind"), **given)
    assert all(word in str(caught.value) for word in named), caught.value


SCRIPT = """\
    import numpy as np
    import weft
    from mpi4py import MPI
    from weft.cli.check_reference import forward_bound

    world = MPI.COMM_WORLD
    random = np.random.default_rng(3)
    shape = (7, 6, 9)
    points = random.uniform(-1, 1, shape)
    for kind, given, expected in (
        ("r2c", points, np.fft.rfftn(points)),
        ("c2c", points * (1 + 2j), np.fft.fftn(points * (1 + 2j))),
    ):
        kinds = ("c2c", "c2c", kind)
        bound = 2 * forward_bound(kinds, shape, np.finfo(float).eps) * np.linalg.norm(given)
        for algorithm in ("cannon", "transpose"):
            for mesh in (None, (2, 1, 2), (1, 3, 1), (1, 1, 4)):
                transform = weft.TensorDft(shape, kind, mesh=mesh, algorithm=algorithm)
                assert transform.mesh == mesh or mesh is None
                ks = [np.rint(np.fft.fftfreq(n) * n)[:m] for n, m in zip(shape, expected.shape)]
                for k, whole, cut in zip(transform.wavenumbers(), ks, transform.spectral_slices):
                    assert np.array_equal(k.ravel(), whole[cut]), (kind, mesh)
                xs = transform.physical_field().coordinates()
                for x, n, cut in zip(xs, shape, transform.physical_slices):
                    assert np.allclose(x.ravel(), (2 * np.pi * np.arange(n) / n)[cut], rtol=0, atol=1e-14)
                total = world.allreduce(int(np.prod(transform.spectral_shape)))
                assert total == expected.size
                uh = transform.forward(np.ascontiguousarray(given[transform.physical_slices]))
                error = np.linalg.norm(uh - expected[transform.spectral_slices])
                assert error <= bound, (kind, algorithm, mesh, error)
                traffic = transform.traffic()
                sent = sum(one.alignments + one.shifts for one in traffic)
                assert sent == world.allreduce(transform.messages_sent)
                assert sum(one.bytes for one in traffic) == world.allreduce(transform.bytes_sent)
                assert sent > 0 and sorted(one.axis for one in traffic if one.axis >= 0) == [0, 1, 2]
                back = transform.backward(uh)
                assert np.allclose(back, given[transform.physical_slices], rtol=0, atol=1e-13)
    {wrong}
    if world.rank == 0:
        print("right")
"""


def test_on_four_ranks(tmp_path):
    assert on_ranks(4, SCRIPT.format(wrong=""), tmp_path) == "right"


def test_what_is_wrong_on_one_rank_is_told_on_all(tmp_path):
    wrong = """
    texts = []
    for arguments in (
        {"matrix": "own" if world.rank == 2 else "circulate"},
        {"mesh": "flat" if world.rank == 1 else None},
        {"mesh": (3, 3, 3)},
    ):
        try:
            weft.TensorDft((8, 8, 8), **arguments)
        except weft.Error as error:
            texts.append(str(error))
    assert len(texts) == 3
    assert "matrix must be the same on all ranks" in texts[0] and "mesh" in texts[1] and "27" in texts[2], texts
    transform = weft.TensorDft((8, 8, 8))
    u = transform.physical() if world.rank else np.zeros(3)
    try:
        transform.forward(u)
        raise AssertionError("nothing was wrong")
    except weft.Error as error:
        assert "u has shape (3,)" in str(error)
    """
    assert on_ranks(4, SCRIPT.replace("{wrong}", wrong.strip()), tmp_path) == "right"
