"""weft.compat.mpi4py_fft: the documented examples of mpi4py-fft, numbers of numpy, scipy and the original."""

import importlib.util
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
import reference
import weft
from compat_cases import CASES
from mpi4py import MPI
from on_ranks import on_ranks
from weft.compat import mpi4py_fft
from weft.compat.mpi4py_fft import PFFT, DistArray, Function, HDF5File, fftw, generate_xdmf, newDistArray
from weft.compat.mpi4py_fft.fftw.kinds import logical_size
from weft.compat.mpi4py_fft.libfft import FFT
from weft.compat.mpi4py_fft.pencil import Pencil, Subcomm
from weft.launch import own_launcher

SCRIPT = Path(__file__).with_name("compat_cases.py")
ORIGINAL = pytest.mark.skipif(
    importlib.util.find_spec("mpi4py_fft") is None, reason="mpi4py-fft is not installed (tools/setup --also bench)"
)


def run(ranks, library, target):
    """The script of compat_cases on some ranks; what rank 0 prints."""
    launcher = own_launcher()
    command = launcher.command(ranks, [sys.executable, str(SCRIPT), library, str(target)])
    done = subprocess.run(command, env=launcher.environ(), capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout.strip()


@pytest.mark.parametrize("ranks", [1, 2, 4])
def test_documented_examples(ranks):
    assert run(ranks, "weft.compat.mpi4py_fft", "check") == "all examples"


@ORIGINAL
def test_the_examples_are_right_with_the_original():
    assert run(2, "mpi4py_fft", "check") == "all examples"


@pytest.fixture(scope="module", params=[1, 4])
def numbers(request, tmp_path_factory):
    """What the cases give on some ranks."""
    target = tmp_path_factory.mktemp("compat") / f"weft-{request.param}.npz"
    run(request.param, "weft.compat.mpi4py_fft", target)
    return request.param, np.load(target)


def truncated(modes, axis, kept, half):
    """The modes of `kept` points, the two that fall on one another added."""
    n = kept // 2
    if half:
        result = np.take(modes, range(n + 1), axis)
        if kept % 2 == 0:
            last = [slice(None)] * modes.ndim
            last[axis] = slice(n, n + 1)
            result[tuple(last)] = 2 * result[tuple(last)].real
        return result
    low = np.take(modes, range((kept + 1) // 2), axis)
    high = np.take(modes, range(modes.shape[axis] - n, modes.shape[axis]), axis)
    if kept % 2 == 0:
        high = np.moveaxis(high, axis, 0)
        high[0] += np.take(modes, n, axis)
        high = np.moveaxis(high, 0, axis)
    return np.concatenate([low, high], axis)


def expected_modes(case, points):
    """The normalised, truncated modes by numpy and scipy, and 1 over what they were divided by."""
    shape, _, options, kinds = CASES[case]
    scale = np.prod([logical_size(kind, n) for kind, n in zip(kinds, points.shape, strict=True) if kind != "none"])
    # Truncated axis by axis as it is transformed: the real axis first, so that its last mode is real where it is added.
    result = points.astype(complex if points.dtype.kind == "c" else float)
    order = sorted(range(len(kinds)), key=lambda axis: "ndrc".index(kinds[axis][0]))
    for axis in order:
        one = ["none"] * len(kinds)
        one[axis] = kinds[axis]
        result = reference.forward(result, one)
        if "padding" in options and result.shape[axis] != shape[axis] and points.shape[axis] != shape[axis]:
            result = truncated(result, axis, shape[axis], kinds[axis] == "r2c")
    return result / scale, scale


@pytest.mark.parametrize("case", CASES)
def test_modes_are_those_of_numpy_and_scipy(numbers, case):
    _, found = numbers
    points, modes = found[f"{case}: points"], found[f"{case}: modes"]
    kinds = CASES[case][3]
    expected, scale = expected_modes(case, points)
    eps = np.finfo(points.dtype).eps
    # Both round, and the scale factor does; truncation leaves modes out.
    bound = reference.forward_bound(kinds, points.shape, eps) + reference.forward_bound(kinds, points.shape, 2**-52)
    size = np.linalg.norm(points) / scale
    assert modes.shape == expected.shape
    assert np.linalg.norm(modes - expected) <= (bound + 4 * eps * np.sqrt(scale)) * size
    raw = found[f"{case}: raw"]
    assert np.linalg.norm(raw - expected * scale) <= (bound + 4 * eps * np.sqrt(scale)) * size * scale


@pytest.mark.parametrize("case", CASES)
def test_the_way_back_gives_the_points(numbers, case):
    _, found = numbers
    points = found[f"{case}: points"]
    bound = reference.round_trip_bound(CASES[case][3], points.shape, np.finfo(points.dtype).eps)
    for name in ("back", "scaled"):
        back = found[f"{case}: {name}"]
        if "padding" in CASES[case][2]:
            # What is left after truncation is a projection: it has the modes that it was made of.
            again, scale = expected_modes(case, back)
            modes = found[f"{case}: modes"]
            assert np.allclose(again, modes, rtol=0, atol=bound * np.linalg.norm(points) / np.sqrt(scale))
        else:
            assert np.linalg.norm(back - points) <= bound * np.linalg.norm(points)


@ORIGINAL
def test_the_original_gives_the_same_numbers(numbers, tmp_path):
    ranks, ours = numbers
    run(ranks, "mpi4py_fft", tmp_path / "theirs.npz")
    theirs = np.load(tmp_path / "theirs.npz")
    for name in theirs.files:
        if name.endswith("layout"):
            assert np.array_equal(ours[name], theirs[name]), name
            continue
        kinds = CASES[name.split(":")[0]][3]
        points = theirs[name.split(":")[0] + ": points"]
        eps = np.finfo(points.dtype).eps
        bound = 2 * reference.round_trip_bound(kinds, points.shape, eps)
        assert ours[name].dtype == theirs[name].dtype
        largest = np.linalg.norm(theirs[name])
        assert np.linalg.norm(ours[name] - theirs[name]) <= bound * max(largest, np.linalg.norm(points) / points.size)


def test_slices_of_the_global_array_and_files(tmp_path):
    on_ranks(
        3,
        f"""\
        import numpy as np
        from mpi4py import MPI
        from weft.compat.mpi4py_fft import DistArray, HDF5File

        comm = MPI.COMM_WORLD
        whole = np.arange(7 * 5 * 6.0).reshape(7, 5, 6)
        z = DistArray((7, 5, 6), alignment=1)
        z[:] = whole[z.local_slice()]
        for index in [(0, slice(None), 0), (slice(None), 4), (slice(1, 6, 2), 2, slice(None, None, -1)), (-1,), ()]:
            found = z.get(index)
            assert (found is None) == (comm.rank > 0)
            assert comm.rank > 0 or np.array_equal(found, whole[index]), index
        name = {str(tmp_path / "u.h5")!r}
        z.write(name, "u", 0)
        z.write(name, "d", 0, domain=((0, 1.0), (2, 3.0), (0, 4.0)))
        z[:] += 1
        z.write(name, "u", 1, domain=((0, 1.0), (0, 2.0), (0, 3.0)))
        z.write(name, "u", 1, global_slice=[slice(None), slice(None), 4])
        v = DistArray((3, 7, 5, 6), rank=1, dtype=complex)
        v[:] = np.arange(3).reshape(3, 1, 1, 1) + 1j * whole[v.local_slice()[1:]]
        HDF5File(name, mode="a").write(7, {{"v": [v, (v, [6, 4, slice(None)])]}})
        v.write(name, "w", 7, as_scalar=True)
        other = DistArray((7, 5, 6), alignment=2)
        other.read(name, "u", 0)
        assert np.array_equal(other, whole[other.local_slice()])
        tensor = DistArray((3, 7, 5, 6), rank=1, dtype=complex, alignment=0)
        tensor.read(name, "v", 7)
        assert np.array_equal(tensor[2].imag, whole[tensor.local_slice()[1:]]) and np.all(tensor[2].real == 2)
        """,
        tmp_path,
    )
    h5py = pytest.importorskip("h5py")
    whole = np.arange(7 * 5 * 6.0).reshape(7, 5, 6)
    with h5py.File(tmp_path / "u.h5") as file:
        assert np.array_equal(file["u/3D/1"], whole + 1) and np.array_equal(
            file["u/2D/slice_slice_4/1"], whole[..., 4] + 1
        )
        assert np.array_equal(file["v/1D/6_4_slice/7"][1], 1 + 1j * whole[6, 4])
        assert np.array_equal(file["w2/3D/7"], 2 + 1j * whole)
        assert list(file["u"].attrs["shape"]) == [7, 5, 6] and file["v"].attrs["rank"] == 1
        assert list(file["u/domain/x1"]) == [0, 2 * np.pi] and list(file["d/domain/x1"]) == [2, 3]


def test_more_ranks_than_points(tmp_path):
    on_ranks(
        4,
        """\
        import numpy as np
        from mpi4py import MPI
        from weft.compat.mpi4py_fft import PFFT, newDistArray

        fft = PFFT(MPI.COMM_WORLD, (2, 3, 5), grid=(-1,))
        whole = np.random.default_rng(0).random((2, 3, 5))
        u = newDistArray(fft, False)
        u[:] = whole[fft.local_slice(False)]
        modes = fft.forward(u)
        assert np.allclose(modes, (np.fft.rfftn(whole) / whole.size)[fft.local_slice()])
        assert np.allclose(fft.backward(modes), u)
        sizes = MPI.COMM_WORLD.allgather(u.size)
        assert sizes == [15, 15, 0, 0]
        """,
        tmp_path,
    )


def test_an_error_on_one_rank_is_one_on_all(tmp_path):
    out = on_ranks(
        2,
        """\
        import numpy as np
        import weft
        from mpi4py import MPI
        from weft.compat.mpi4py_fft import PFFT, newDistArray

        comm = MPI.COMM_WORLD
        fft = PFFT(comm, (4, 4))
        texts = []
        for call in [
            lambda: fft.forward(np.zeros((9, 9)) if comm.rank else newDistArray(fft, False)),
            lambda: fft.forward(newDistArray(fft, False), np.zeros((3 + comm.rank, 3), complex)),
            lambda: PFFT(comm, (4, 4 + comm.rank)),
            lambda: PFFT(comm, (4, 4), backend="abacus" if comm.rank else "fftw"),
            lambda: newDistArray(fft).get((5, 0) if comm.rank else (0, 0)),
        ]:
            try:
                call()
            except weft.Error as error:
                texts.append(str(error))
        if comm.rank == 0:
            print(*texts, sep="|")
        assert len(comm.allreduce(texts)) == 10
        """,
        tmp_path,
    ).split("|")
    words = ["input_array", "output_array", "arguments must be the same", "abacus", "slice: 5"]
    assert all(word in text for word, text in zip(words, out, strict=True)), out


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"shape": (8,)}, ["shape", "weft.Plan"]),
        ({"dtype": "g"}, ["dtype", "long double"]),
        ({"dtype": int}, ["dtype", "int64"]),
        ({"axes": (0, 0)}, ["axes", "once"]),
        ({"axes": (0, 2)}, ["axes", "2"]),
        ({"padding": [1.5]}, ["padding", "1 factors"]),
        ({"padding": 0.5}, ["padding[0]", "0.5"]),
        ({"backend": "abacus"}, ["abacus", "pyfftw"]),
        ({"backend": "scipy"}, ["scipy", "half"]),
        ({"grid": (2, 2, 2)}, ["grid", "cannot hold"]),
        ({"grid": (1,), "slab": True}, ["grid", "twice"]),
        ({"transforms": {(1,): (fftw.dctn, fftw.dctn)}}, ["transforms", "inverse"]),
        ({"transforms": {(1,): (fftw.fftn, fftw.ifftn)}}, ["transforms", "real"]),
        ({"transforms": {(0,): (fftw.rfftn, fftw.irfftn)}}, ["transforms", "complex"]),
        ({"transforms": {(1,): (len, len)}}, ["transforms", "fftw"]),
        ({"planner_effort": "FFTW_HOPE"}, ["planner_effort", "FFTW_PATIENT"]),
        ({"colour": 1}, ["colour", "threads"]),
    ],
)
def test_bad_arguments(given, words):
    with pytest.raises(weft.Error) as caught:
        PFFT(MPI.COMM_WORLD, **({"shape": (8, 8)} | given))
    assert all(word in str(caught.value) for word in words), caught.value


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda fft: fft.forward(normalize="yes"), ["normalize", "True"]),
        (lambda fft: fft.forward(colour=1), ["colour"]),
        (lambda fft: newDistArray(fft).redistribute(), ["axis", "out"]),
        (lambda fft: newDistArray(fft).redistribute(2), ["axis", "2"]),
        (lambda fft: newDistArray(fft).redistribute(out=newDistArray(fft, False)), ["out", "same global shape"]),
        (lambda fft: newDistArray(fft).write("u.nc"), ["darray", "complex", "HDF5File"]),
        (lambda fft: newDistArray(fft).read("missing.h5"), ["missing.h5"]),
        (lambda fft: DistArray((8,)).alignment, ["not cut"]),
        (lambda fft: DistArray((8, 8), subcomm=[1]), ["subcomm", "1 entries"]),
        (lambda fft: DistArray((8, 8), subcomm=3), ["subcomm: 3", "one entry per axis"]),
        (lambda fft: DistArray((8, 8), MPI.COMM_WORLD), ["subcomm", "one entry per axis"]),
        (lambda fft: DistArray((8, 8), rank=2), ["rank", "0 to 1"]),
        (lambda fft: HDF5File("u.h5", mode="x"), ["mode", "x"]),
        (lambda fft: generate_xdmf("u.h5"), ["u.h5", "XDMF", "cannot be made"]),
        (lambda fft: generate_xdmf("u.h5", order="matlab"), ["'matlab'", "paraview or visit"]),
        (lambda fft: fftw.export_wisdom("missing/w"), ["missing", "0_w", "cannot be written"]),
        (lambda fft: fftw.export_wisdom(""), ["filename"]),
        (lambda fft: fftw.import_wisdom("missing.dat"), ["0_missing.dat", "cannot be read"]),
        (lambda fft: fftw.set_timelimit("soon"), ["limit", "soon"]),
        (lambda fft: FFT((8, 8), padding=1.5), ["padding", "2 axes"]),
        (lambda fft: FFT((8, 8), 1, padding=0.5), ["padding", "0.5"]),
        (lambda fft: FFT((8, 8), 2), ["axes", "2"]),
        (lambda fft: FFT((0, 8)), ["shape", "(0, 8)"]),
        (lambda fft: FFT((8, 8), dtype=int), ["dtype", "int64"]),
        (lambda fft: newDistArray(fft, False).T.copy().view(DistArray).get((0, 0)), ["not cut", "fill it"]),
        (lambda fft: fftw.dctn(np.zeros(4), type=5), ["type", "5"]),
        (lambda fft: fftw.fftn(np.zeros(4)), ["input_array", "complex"]),
        (lambda fft: fftw.rfftn(np.zeros(4, np.longdouble)), ["long double"]),
        (lambda fft: fftw.FFT(np.zeros(4), np.zeros(4), kind=99), ["kind", "99"]),
        (lambda fft: Pencil([MPI.COMM_SELF] * 2, (8, 8), axis=2), ["axis", "2"]),
        (lambda fft: Subcomm(MPI.COMM_WORLD, []), ["dims", "empty"]),
    ],
)
def test_bad_calls(call, words, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(weft.Error) as caught:
        call(PFFT(MPI.COMM_WORLD, (8, 8)))
    assert all(word in str(caught.value) for word in words), caught.value


def test_what_there_is_not_says_so():
    fft = PFFT(MPI.COMM_WORLD, (8, 8))
    with pytest.raises(AttributeError, match="no attribute 'colour'"):
        _ = fft.colour
    with pytest.warns(FutureWarning, match="newDistArray"):
        assert Function(fft, False, tensor=True).rank == 1
    assert set(mpi4py_fft.fftlib) == {"F", "D"} and fftw.get_fftw_lib("g") is None


def test_inputs_of_other_types_and_of_the_plan_itself():
    fft = PFFT(MPI.COMM_WORLD, (6, 8), dtype="f")
    u = np.random.default_rng(0).random((6, 8))
    modes = np.fft.rfftn(u) / u.size
    assert np.allclose(fft.forward(u), modes, atol=1e-6)  # float64, converted
    assert np.allclose(fft.forward(u.T.copy().T), modes, atol=1e-6)  # another order in memory
    wide = np.zeros((6, 5), np.complex128)
    assert fft.forward(u, wide) is wide and np.allclose(wide, modes, atol=1e-6)
    assert fft.forward(1.0)[0, 0] == 1
    back = fft.backward(fft.forward.output_array)
    assert back is fft.backward.output_array is fft.forward.input_array


def test_the_example_of_mixed_transforms_with_padding(tmp_path):
    on_ranks(
        2,
        """\
        import functools
        import numpy as np
        from mpi4py import MPI
        from weft.compat.mpi4py_fft import PFFT, newDistArray
        from weft.compat.mpi4py_fft.fftw import dctn, idctn

        shape = np.array([18, 18, 18], dtype=int)
        pair = functools.partial(dctn, type=3), functools.partial(idctn, type=3)
        transforms = {(1, 2): pair}
        fft = PFFT(MPI.COMM_WORLD, shape, axes=None, collapse=True, grid=(-1,), transforms=transforms)
        padded = PFFT(
            MPI.COMM_WORLD, shape, axes=((0,), (1, 2)), grid=(-1,), padding=[1.5, 1.0, 1.0], transforms=transforms
        )
        assert fft.axes == padded.axes
        u = newDistArray(fft, forward_output=False)
        u[:] = np.random.default_rng(MPI.COMM_WORLD.rank).random(u.shape)
        u_hat = fft.forward(u, newDistArray(fft, forward_output=True))
        assert np.allclose(fft.backward(u_hat, np.zeros_like(u)), u)
        kept = u_hat.copy()
        points = padded.backward(u_hat, newDistArray(padded, forward_output=False))
        assert points.global_shape == (27, 18, 18)
        assert np.allclose(padded.forward(points, u_hat), kept)
        """,
        tmp_path,
    )


def test_arrays_cut_as_there_are_not_redistributed(tmp_path):
    on_ranks(
        4,
        """\
        import numpy as np
        import weft
        from mpi4py import MPI
        from weft.compat.mpi4py_fft.pencil import Pencil, Subcomm, block

        comm = MPI.COMM_WORLD
        options = {"grid": [2, 2], "scheme": "first", "strategy": "alltoallv"}
        plan = weft.Plan((7, 9, 10), "r2c", **options)
        pencil = Pencil(Subcomm(comm, [2, 2, 1]), (7, 9, 10), axis=2)
        assert plan.physical_slices == pencil.slices
        assert [block(7, 4, rank) for rank in range(4)] == [(2, 0), (2, 2), (2, 4), (1, 6)]
        same = weft.Plan((7, 9, 10), "r2c", physical_box=pencil.slices, **options)
        assert same.bytes_sent == plan.bytes_sent and "redistribution" not in same.explain()
        even = weft.Plan((7, 9, 10), "r2c", **(options | {"scheme": "even"}))
        first = [comm.bcast(one.physical_slices)[0] for one in (plan, even)]
        assert first == [slice(0, 4), slice(0, 3)]
        """,
        tmp_path,
    )
    with pytest.raises(weft.Error, match="scheme: unknown value 'last'; use one of even, first, grouped, block"):
        weft.Plan((8, 8), "r2c", scheme="last")
