"""Redistribution and plans between users' own boxes: on one rank, and on several in processes of their own."""

import numpy as np
import pytest
import weft
from mpi4py import MPI
from on_ranks import on_ranks

WHOLE = (slice(0, 4), slice(0, 5), slice(0, 6))
RECORD = np.dtype([("name", "S5"), ("value", "f8"), ("flag", "?")])


def numbers(shape, dtype):
    """Bytes that look random, as elements of any type; only their copies are compared."""
    dtype = np.dtype(dtype)
    raw = np.random.default_rng(2).integers(0, 2, (*shape, dtype.itemsize), dtype=np.uint8)
    return raw.view(dtype).reshape(shape)


@pytest.mark.parametrize("dtype", ["?", "i2", "f4", "f8", "c8", "c16", "longdouble", "S3", "m8[s]", RECORD])
def test_any_element_type_and_strides(dtype):
    moves = weft.Redistribution(WHOLE, WHOLE, dtype, comm=MPI.COMM_SELF)
    u = numbers((4, 5, 6), dtype)
    assert moves.forward(u).tobytes() == u.tobytes()
    out = np.zeros((6, 5, 4), dtype).T
    assert moves.forward(u[:, ::-1], out=out) is out
    assert out.tobytes() == u[:, ::-1].tobytes()
    assert moves.backward(out).tobytes() == out.tobytes()
    moves.source()[...] = u
    assert moves.forward_source().tobytes() == u.tobytes()


def test_ghost_layers_are_left_alone():
    moves = weft.Redistribution(WHOLE, (slice(1, 3), slice(0, 5), slice(2, 6)), comm=MPI.COMM_SELF)
    u = np.random.default_rng(3).random((4, 5, 6))
    around = np.full((4, 7, 6), 9.0)
    moves.forward(u, out=around[1:-1, 1:-1, 1:-1])
    assert np.array_equal(around[1:-1, 1:-1, 1:-1], u[1:3, :, 2:])
    around[1:-1, 1:-1, 1:-1] = 9
    assert np.all(around == 9)


def test_sources_outlive_their_redistribution():
    moves = weft.Redistribution(WHOLE, WHOLE, comm=MPI.COMM_SELF)
    source = moves.source()
    source[...] = 3
    assert np.shares_memory(source, moves.source())
    del moves
    assert np.all(source == 3)


def test_facts():
    moves = weft.Redistribution(WHOLE, WHOLE, "c16", comm=MPI.COMM_SELF)
    assert (moves.strategy, moves.bytes_sent, moves.workspace_bytes) == ("none", 0, 0)
    assert moves.from_slices == moves.to_slices == WHOLE and moves.from_shape == (4, 5, 6)
    assert "[0, 4) x [0, 5) x [0, 6)" in moves.explain()
    assert "complex128" in repr(moves)


@pytest.mark.parametrize(
    ("arguments", "options", "message"),
    [
        ((WHOLE, (slice(0, 4), slice(0, 5), slice(0, 7))), {}, r"no rank has the elements .*\[6, 7\)"),
        ((WHOLE, WHOLE[:2]), {}, "2 axes"),
        (((slice(4),), WHOLE), {}, r"from_slices\[0\].*start"),
        ((WHOLE, (slice(0, 4, 2), *WHOLE[1:])), {}, r"to_slices\[0\].*no step"),
        ((WHOLE, WHOLE, object), {}, "not stored by value"),
        ((WHOLE, WHOLE, "nonsense"), {}, "is not a numpy type"),
        ((WHOLE, WHOLE), {"strategy": "teleport"}, "teleport"),
        ((WHOLE, WHOLE), {"send_batch": -1}, "send_batch: -1"),
        ((WHOLE, WHOLE), {"message_limit": 0}, "message_limit: 0"),
    ],
)
def test_wrong_arguments(arguments, options, message):
    with pytest.raises(weft.Error, match=message):
        weft.Redistribution(*arguments, comm=MPI.COMM_SELF, **options)


def test_wrong_arrays():
    moves = weft.Redistribution(WHOLE, WHOLE, "f8", comm=MPI.COMM_SELF)
    u = np.zeros((4, 5, 6))
    frozen = u.copy()
    frozen.flags.writeable = False
    packed = np.zeros((4, 5, 6), np.dtype([("a", "u1"), ("b", "f8")]))["b"]
    for call, message in [
        (lambda: moves.forward(u[:3]), r"u has shape \(3, 5, 6\)"),
        (lambda: moves.forward(u.astype("f4")), "dtype float32"),
        (lambda: moves.forward(u.tolist()), "not a numpy array"),
        (lambda: moves.forward(packed), "are not multiples of 8 bytes"),
        (lambda: moves.forward(u, out=frozen), "read-only"),
        (lambda: moves.forward(u, out=u), "shares memory"),
        (lambda: moves.forward_source(out=u[:3]), "out has shape"),
    ]:
        with pytest.raises(weft.Error, match=message):
            call()


def test_plans_take_their_own_box_on_one_rank():
    whole = (slice(0, 6), slice(0, 8))
    plan = weft.Plan((6, 8), "r2c", comm=MPI.COMM_SELF, physical_box=whole, output="natural")
    u = np.random.default_rng(4).random((6, 8))
    assert np.array_equal(plan.forward(u), weft.Plan((6, 8), "r2c", comm=MPI.COMM_SELF).forward(u))
    for box, message in [
        ((slice(0, 6), slice(0, 7)), r"physical_box: no rank has .*\[7, 8\)"),
        ((slice(0, 6), slice(0, 9)), "physical_box: .* beyond the array"),
        ((slice(0, 6),), "physical_box: .* 1 axes"),
        (6, "physical_box: 6 is not a sequence"),
    ]:
        with pytest.raises(weft.Error, match=message):
            weft.Plan((6, 8), "r2c", comm=MPI.COMM_SELF, physical_box=box)


SCRIPT = """\
    import numpy as np
    import weft
    from mpi4py import MPI

    world = MPI.COMM_WORLD
    rank, size = world.rank, world.size


    def cut(n, part, parts):
        return slice(n * part // parts, n * (part + 1) // parts)


    shape = (9, 10, 8)
    u = np.random.default_rng(1).random(shape)
    rows = (cut(9, rank, size), slice(0, 10), slice(0, 8))
    columns = (slice(0, 9), slice(0, 10), cut(8, size - 1 - rank, size))
    ghosts = (slice(0, 9), slice(0, 10), slice(max(columns[2].start - 1, 0), min(columns[2].stop + 1, 8)))
    for strategy in ("auto", "shared", "alltoallv", "alltoallw", "persistent", "multistage"):
        moves = weft.Redistribution(rows, columns, strategy=strategy)
        assert np.array_equal(moves.forward(u[rows]), u[columns])
        assert np.array_equal(moves.backward(u[columns]), u[rows])
        layers = weft.Redistribution(rows, ghosts, strategy=strategy)
        assert np.array_equal(layers.forward(u[rows]), u[ghosts])
        layers.source()[...] = u[rows]
        assert np.array_equal(layers.forward_source(), u[ghosts])

    alone = weft.Plan(shape, "r2c", comm=MPI.COMM_SELF, effort="estimate")
    modes = alone.forward(u)
    for options in [{}, {"output": "natural"}, {"ranks": 2}, {"ranks": 1, "output": "natural"}]:
        plan = weft.Plan(shape, "r2c", physical_box=columns, effort="estimate", **options)
        assert plan.physical_slices == columns
        assert np.array_equal(plan.forward(u[columns].copy()), modes[plan.spectral_slices])
        around = np.full(tuple(n + 2 for n in plan.physical_shape), np.nan)
        inside = around[1:-1, 1:-1, 1:-1]
        inside[...] = u[columns]
        assert np.array_equal(plan.forward(inside), modes[plan.spectral_slices])
        plan.backward(modes[plan.spectral_slices].copy(), out=inside)
        assert np.array_equal(inside, alone.backward(modes)[columns])
        k = alone.wavenumbers()[0]
        assert np.array_equal(plan.apply(u[columns].copy(), plan.wavenumbers()[0]), alone.apply(u, k)[columns])

    try:
        weft.Redistribution(rows, columns if rank else (slice(0, 9), slice(0, 10), slice(0, 99)))
    except weft.Error as error:
        assert "[8, 99)" in str(error), error
    else:
        raise AssertionError("not refused")
    if rank == 0:
        print("done")
    """


@pytest.mark.parametrize("ranks", [2, 3])
def test_several_ranks(tmp_path, ranks):
    assert on_ranks(ranks, SCRIPT, tmp_path) == "done"


ONE_PLANE = """\
    import numpy as np
    import weft
    from mpi4py import MPI

    rank, shape = MPI.COMM_WORLD.rank, (8, 6, 3)
    mine = (slice(0, 8), slice(0, 6), slice(rank, rank + 1))
    plan = weft.Plan(shape, "r2c", physical_box=mine, output="natural", effort="estimate")
    u = np.random.default_rng(1).random(shape)
    around = np.full((10, 8, 3), np.nan)
    inside = around[1:-1, 1:-1, 1:-1]  # 8 x 6 x 1: neighbours along y are three apart
    inside[...] = u[mine]
    modes = plan.forward(inside)
    assert np.allclose(modes, np.fft.rfftn(u)[plan.spectral_slices], rtol=0, atol=1e-13)
    around[...] = np.nan
    plan.backward(modes, out=inside)
    assert np.allclose(inside, u[mine], rtol=0, atol=1e-14) and np.isnan(around).sum() == around.size - inside.size
    if rank == 0:
        print("done")
    """


def test_one_plane_a_rank_between_ghost_layers(tmp_path):
    assert on_ranks(3, ONE_PLANE, tmp_path) == "done"
