"""weft.compat.mpi4py_fft on ranks: the tensor rank of results, results in the place of inputs, and parts of plans."""

from on_ranks import on_ranks

ARITHMETIC = """\
import numpy as np
import weft
from mpi4py import MPI
from weft.compat.mpi4py_fft import DistArray

comm = MPI.COMM_WORLD
shape = (3, 3, 3)  # with two ranks the parts are (2, 3, 3) and (1, 3, 3), as long as tensors are
s, U, M = DistArray(shape), DistArray((3, *shape), rank=1), DistArray((3, 3, *shape), rank=2)
scalar = 1 + np.arange(27.0).reshape(shape)
vector, matrix = scalar + np.arange(3).reshape(3, 1, 1, 1), scalar + np.arange(9).reshape(3, 3, 1, 1, 1)
s[:], U[:], M[:] = scalar[s.local_slice()], vector[U.local_slice()], matrix[M.local_slice()]
given = np.array([1.0, 2.0, 4.0]).reshape(3, 1, 1, 1)
cases = {
    "s*U": (s * U, 1, scalar * vector),
    "U*s": (U * s, 1, scalar * vector),
    "s+U": (s + U, 1, scalar + vector),
    "s/U": (s / U, 1, scalar / vector),
    "-s": (-s, 0, -scalar),
    "2*U": (np.float64(2) * U, 1, 2 * vector),
    "given*s": (given * s, 1, given * scalar),
    "M*U": (M * U, 2, matrix * vector),
    "M@U": (np.sum(M * U, axis=1), 1, np.sum(matrix * vector, axis=1)),
    "sum": (np.sum(U, axis=0), 0, np.sum(vector, axis=0)),
    "sum of all": (np.sum(M, axis=(0, -4)), 0, np.sum(matrix, axis=(0, 1))),
    "kept": (U.max(axis=0, keepdims=True), 1, vector.max(axis=0, keepdims=True)),
    "mean": (np.mean(M, axis=0), 1, np.mean(matrix, axis=0)),
    "cumsum": (np.cumsum(U, axis=0), 1, np.cumsum(vector, axis=0)),
    "quotient": (np.divmod(U, s)[0], 1, vector // scalar),
    "component": (M[2], 1, matrix[2]),
    "row": ((M[2] * s)[1], 0, matrix[2, 1] * scalar),
}
for name, (found, rank, whole) in cases.items():
    assert isinstance(found, DistArray) and found.rank == rank, name
    assert found.global_shape == whole.shape and np.array_equal(found, whole[found.local_slice()]), name
    got = found.get(())
    assert comm.rank > 0 or np.array_equal(got, whole), name
    turned = found.copy().redistribute(1)
    assert turned.rank == rank and np.array_equal(turned, whole[turned.local_slice()]), name
file = "r.h5"
(s * U).write(file, "sU", 0)
np.sum(U, axis=0).write(file, "sum", 0)
again, total = DistArray((3, *shape), rank=1, alignment=0), DistArray(shape, alignment=1)
again.read(file, "sU", 0)
total.read(file, "sum", 0)
assert np.array_equal(again, (scalar * vector)[again.local_slice()])
assert np.array_equal(total, np.sum(vector, axis=0)[total.local_slice()])
# What has lost an axis of the grid is local, and no DistArray.
for local in (np.sum(U, axis=1), np.sum(U, axis=(0, 2)), U.T, U.reshape(-1), np.trace(M), U[..., 0], M[None]):
    assert type(local) is np.ndarray
assert np.isscalar(np.sum(U)) and U.rank == 1
V = U.copy()
V += s
assert V.rank == 1 and np.multiply(s, U, out=V) is V and np.array_equal(V, s * U)
try:
    s + DistArray(shape, alignment=0)
except weft.Error as error:
    print(f"{comm.rank} {error}\\n", end="", flush=True)  # one piece, which the launcher does not mix with others
"""


def test_results_of_arithmetic_have_the_tensor_rank_that_they_are(tmp_path, monkeypatch):
    """Scalars and vectors in any order; then all that is collective, where ranks have to agree on the cut."""
    monkeypatch.chdir(tmp_path)
    out = on_ranks(2, ARITHMETIC, tmp_path)
    assert sorted(line[0] for line in out.splitlines()) == ["0", "1"] and out.count("redistribute one of them") == 2


def test_the_result_may_go_where_the_input_is(tmp_path):
    """forward(u, u) and backward(u, u), as the original takes them: plans whose points and modes are alike."""
    on_ranks(
        2,
        """\
        import functools
        import numpy as np
        import scipy.fft
        from mpi4py import MPI
        from weft.compat.mpi4py_fft import PFFT, DistArray, fftw, newDistArray

        random = np.random.default_rng(1)
        whole = random.random((6, 8)) + 1j * random.random((6, 8))
        fft = PFFT(MPI.COMM_WORLD, (6, 8), axes=(1,), dtype=complex)
        modes = np.fft.fft(whole, axis=1) / 8
        part = fft.local_slice(False)
        for u in (newDistArray(fft, False), fft.forward.input_array, fft.forward.output_array):
            u[...] = whole[part]
            assert fft.forward(u, u) is u and np.allclose(u, modes[part], rtol=0, atol=1e-15)
            assert fft.backward(u, u) is u and np.allclose(u, whole[part], rtol=0, atol=1e-14)
        both = np.zeros((2, *whole[part].shape), complex)  # parts of one array, one of which overlaps the other
        flat = both.reshape(-1)
        a, b = flat[: u.size].reshape(u.shape), flat[3 : u.size + 3].reshape(u.shape)
        a[...] = whole[part]
        assert fft.forward(a, b) is b and np.allclose(b, modes[part], rtol=0, atol=1e-15)

        cosine = functools.partial(fftw.dctn, type=2), functools.partial(fftw.idctn, type=2)
        dct = PFFT(MPI.COMM_SELF, (6, 8), transforms={(0,): cosine, (1,): cosine})
        u = whole.real.copy()
        assert dct.forward(u, u) is u and np.allclose(u, scipy.fft.dctn(whole.real) / (12 * 16), rtol=0, atol=1e-15)
        assert dct.backward(u, u) is u and np.allclose(u, whole.real, rtol=0, atol=1e-14)

        own = whole.copy()
        plan = fftw.fftn(own, axes=(0, 1), output_array=own)  # in place
        assert plan() is own and np.allclose(own, np.fft.fftn(whole), rtol=0, atol=1e-13)

        z = DistArray((6, 8), alignment=1)
        z[:] = whole.real[z.local_slice()]
        assert z.redistribute(out=z) is z and z.redistribute(1) is z
        turned = DistArray((6, 8), alignment=0, buffer=np.zeros(64))
        shared = DistArray((6, 8), alignment=1, buffer=turned.base)
        shared[:] = whole.real[shared.local_slice()]
        shared.redistribute(out=turned)
        assert np.array_equal(turned, whole.real[turned.local_slice()])
        """,
        tmp_path,
    )


def test_serial_transforms_and_transfers_of_a_plan_make_up_the_plan(tmp_path):
    on_ranks(
        3,
        """\
        import functools
        import numpy as np
        from mpi4py import MPI
        from weft.compat.mpi4py_fft import PFFT, fftw, newDistArray

        comm = MPI.COMM_WORLD
        sine = functools.partial(fftw.dstn, type=3), functools.partial(fftw.idstn, type=3)
        for shape, options in [
            ((7, 6, 10), {}),
            ((7, 6, 10), {"axes": ((0,), (1, 2)), "grid": (-1,), "dtype": "F"}),
            ((6, 8, 9), {"axes": ((0,), (1,), (2,)), "transforms": {(2,): sine}}),
            ((6, 8), {"padding": [1.5, 1.5]}),
            ((2, 3, 5), {"grid": (-1,)}),
        ]:
            fft = PFFT(comm, shape, **options)
            u = newDistArray(fft, False)
            u[:] = np.random.default_rng(comm.rank).random(u.shape)
            eps = np.finfo(u.dtype).eps
            if comm.rank == 0:
                assert len(fft.axes) == len(fft.xfftn) == len(fft.transfer) + 1  # nothing that others would wait for
            part = u
            for i, one in enumerate(fft.xfftn):
                part = one.forward(part)
                if i < len(fft.transfer):
                    after = fft.xfftn[i + 1].forward.input_array
                    fft.transfer[i].forward(part, after)
                    part = after
            modes = fft.forward(u)
            largest = comm.allreduce(float(np.abs(modes).max(initial=0)), MPI.MAX)
            assert part.shape == modes.shape and part.dtype == modes.dtype
            assert np.allclose(part, modes, rtol=0, atol=20 * eps * largest)
            points = fft.backward(modes).copy()
            for i in reversed(range(len(fft.xfftn))):
                part = fft.xfftn[i].backward(part)
                if i > 0:
                    before = fft.xfftn[i - 1].backward.input_array
                    fft.transfer[i - 1].backward(part, before)
                    part = before
            assert np.allclose(part, points, rtol=0, atol=40 * eps)
            fft.destroy()
        """,
        tmp_path,
    )
