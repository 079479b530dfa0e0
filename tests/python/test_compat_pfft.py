"""weft.compat.pfft: meshes, partitions, buffers and plans of pfft-python against numpy, on one and on several ranks."""

import subprocess
import sys

import numpy as np
import pytest
import weft
from mpi4py import MPI
from on_ranks import on_ranks
from weft.compat.pfft import Direction, Flags, LocalBuffer, Partition, Plan, ProcMesh, Type, split_size_2d
from weft.launch import own_launcher

SCRIPT = """\
    import numpy as np
    from mpi4py import MPI
    from weft.compat.pfft import Direction, Flags, LocalBuffer, Partition, Plan, ProcMesh, Type, split_size_2d

    world = MPI.COMM_WORLD


    def check(mesh, shape, type, flags):
        partition = Partition(type, shape, ProcMesh(mesh, world), flags)
        random = np.random.default_rng(1)
        u = random.uniform(-1, 1, shape)
        if partition.i_dtype.kind == "c":
            u = u + 1j * random.uniform(-1, 1, shape)
        u = u.astype(partition.i_dtype)
        expected = np.fft.rfftn(u) if partition.i_dtype.kind == "f" else np.fft.fftn(u)
        # A transform is right to epsilon log2 N of sqrt(N), the size of the modes, up to a factor.
        n = u.size
        atol = 8 * np.finfo(partition.i_dtype).eps * np.log2(n) * np.sqrt(n)
        for inplace in (False, True):
            points = LocalBuffer(partition)
            modes = points if inplace else LocalBuffer(partition)
            points.view_input()[...] = u[partition.local_i_slice]
            Plan(partition, Direction.FORWARD, points, modes).execute(points, modes)
            found = modes.view_output()
            np.testing.assert_allclose(found, expected[partition.local_o_slice], rtol=0, atol=atol)
            if not inplace:
                np.testing.assert_array_equal(points.view_input(), u[partition.local_i_slice])
                points.view_raw()[...] = 7
            Plan(partition, Direction.BACKWARD, modes, points).execute(modes, points)
            again = points.view_input() / n
            np.testing.assert_allclose(again, u[partition.local_i_slice], rtol=0, atol=atol)
        # The parts are those that the edges tell, and make up the arrays.
        for edges, part, whole in [
            (partition.i_edges, partition.local_i_slice, partition.ni),
            (partition.o_edges, partition.local_o_slice, partition.no),
        ]:
            count = np.zeros(whole, int)
            count[part] += 1
            assert np.array_equal(world.allreduce(count), np.ones(whole, int))
            for bounds, piece, extent in zip(edges, part, whole):
                assert bounds[0] == 0 and bounds[-1] == extent
                assert (piece.start, piece.stop) in list(zip(bounds[:-1], bounds[1:]))
        return partition


    size = world.size
    pencils = list(split_size_2d(size))
    for flags in (Flags.PADDED_R2C | Flags.ESTIMATE, Flags.TRANSPOSED_OUT | Flags.ESTIMATE):
        for type in (Type.R2C, Type.C2CF):
            check(pencils, (7, 6, 10), type, flags)
        check([size], (3, 4, 5), Type.C2C, flags)
        check([*pencils, 1], (6, 5, 4), Type.R2CF, flags)
    check([size], (9, 8), Type.R2C, 0)
    check(pencils, (6, 5, 4, 3), Type.R2C, Flags.TRANSPOSED_OUT)
    turned = check(pencils, (8, 8, 8), Type.R2C, Flags.TRANSPOSED_OUT)
    natural = Partition(Type.R2C, (8, 8, 8), turned.procmesh, Flags.ESTIMATE)
    assert natural.alloc_local == turned.alloc_local
    assert [len(bounds) - 1 for bounds in turned.i_edges] == [*pencils, 1]
    assert [len(bounds) - 1 for bounds in turned.o_edges] == [1, *pencils]
    if world.rank == 0:
        print("right on", size)
"""


@pytest.mark.parametrize("ranks", [1, 4])
def test_transforms_are_numpys_in_every_partition(ranks, tmp_path):
    assert on_ranks(ranks, SCRIPT, tmp_path).strip() == f"right on {ranks}"


@pytest.mark.parametrize(
    ("size", "mesh"), [(1, (1, 1)), (2, (2, 1)), (6, (3, 2)), (7, (1, 7)), (12, (4, 3)), (16, (4, 4))]
)
def test_meshes_are_those_of_pfft(size, mesh):
    assert split_size_2d(size) == mesh


def test_a_mesh_of_no_axes_is_one_process():
    mesh = ProcMesh([], MPI.COMM_SELF)
    partition = Partition(Type.R2C, [12], mesh, Flags.TRANSPOSED_OUT)
    buffer = LocalBuffer(partition)
    u = np.cos(2 * np.pi * 3 * np.arange(12) / 12)
    buffer.view_input()[...] = u
    Plan(partition, Direction.FORWARD, buffer).execute(buffer)
    # A cosine of 3 waves: half of the 12 points in the mode 3.
    np.testing.assert_allclose(buffer.view_output(), 6.0 * (np.arange(7) == 3), rtol=0, atol=1e-14)
    assert (mesh.ndim, mesh.rank, ProcMesh.split(2, MPI.COMM_SELF)) == (0, 0, [1, 1])


def test_buffers_share_memory_with_their_base():
    partition = Partition(Type.R2C, [4, 6], ProcMesh([1], MPI.COMM_SELF), 0)
    first, other = LocalBuffer(partition), LocalBuffer(partition)
    view = LocalBuffer(partition, base=first)
    assert view in first and other not in first
    view.view_output()[...] = 1 + 2j
    assert partition.alloc_local == 4 * 4 and first.view_raw().tolist() == [1.0, 2.0] * 16
    assert first.view_input().shape == (4, 6) and first.view_input().strides == tuple(partition.local_i_strides)
    assert other.view_raw().sum() == 0
    # Transposed or not, padded or not, partitions share buffers.
    turned = Partition(Type.R2C, [4, 6], partition.procmesh, Flags.TRANSPOSED_OUT | Flags.PADDED_R2C)
    assert LocalBuffer(turned, base=first).view_output().tolist() == view.view_output().tolist()


def test_rows_of_points_have_room_for_their_modes_where_that_is_asked_for():
    partition = Partition(Type.R2C, [4, 8], ProcMesh([1], MPI.COMM_SELF), Flags.TRANSPOSED_OUT | Flags.PADDED_R2C)
    buffer = LocalBuffer(partition)
    assert buffer.view_input().strides == buffer.view_output().strides[:1] + (8,) == (80, 8)
    assert partition.alloc_local == 4 * 5
    back = Plan(partition, Direction.BACKWARD, buffer)
    assert (back.type, back.flags, back.inplace) == (Type.C2R, Flags.TRANSPOSED_IN | Flags.PADDED_R2C, 1)


def test_parts_are_blocks_as_those_of_pfft():
    # Three parts of 4 points: 2, 2 and none. The edges are those of the tests of pfft-python.
    class Three:
        comm, ndim, np, this = MPI.COMM_SELF, 1, np.array([3]), np.array([1])

    partition = Partition(Type.C2C, [4, 4], Three(), Flags.TRANSPOSED_OUT)
    assert [bounds.tolist() for bounds in partition.i_edges] == [[0, 2, 4, 4], [0, 4]]
    assert [bounds.tolist() for bounds in partition.o_edges] == [[0, 4], [0, 2, 4, 4]]
    assert partition.local_i_slice == (slice(2, 4), slice(0, 4)) and partition.local_o_slice[1] == slice(2, 4)


def test_types_know_their_inverses():
    assert [Type(number).inverse for number in range(8)] == [0, 2, 1, 3, 4, 6, 5, 7]
    assert Type.C2RF.is_inverse_of(Type.R2CF) and not Type.R2C.is_inverse_of(Type.R2C)


@pytest.mark.parametrize(
    ("make", "text"),
    [
        (lambda mesh: ProcMesh([2], MPI.COMM_SELF), r"np: \[2\] is a mesh of another size than the communicator, 1"),
        (lambda mesh: ProcMesh(3, MPI.COMM_SELF), r"np: 3 is not usable; give the ranks along each axis"),
        (lambda mesh: ProcMesh.split(3, MPI.COMM_SELF), r"ndim: 3; give 1 or 2 axes"),
        (
            lambda mesh: Partition(Type.C2R, [4, 4], mesh, 0),
            r"type: C2R is not a type of a partition here; give C2C, R2C",
        ),
        (lambda mesh: Partition(Type.C2C, [4], ProcMesh([1, 1], MPI.COMM_SELF), 0), r"n: \(4,\) on a mesh of 2 axes"),
        (lambda mesh: Partition(Type.C2C, [4, 0], mesh, 0), r"n: \(4, 0\) .* 1 or more points"),
        (lambda mesh: Partition(Type.C2C, [4, 4], mesh, Flags.SHIFTED_IN), r"flags: .*SHIFTED_IN"),
    ],
)
def test_what_is_not_usable_is_refused(make, text):
    with pytest.raises(weft.Error, match=text):
        make(ProcMesh([1], MPI.COMM_SELF))


def test_plans_and_buffers_of_another_kind_are_refused():
    mesh = ProcMesh([1], MPI.COMM_SELF)
    partition, larger = (Partition(Type.R2C, [n, 4], mesh, 0) for n in (4, 8))
    buffer = LocalBuffer(partition)
    with pytest.raises(weft.Error, match=r"base: a buffer of 12 numbers, but the partition needs 24"):
        LocalBuffer(larger, base=buffer)
    with pytest.raises(weft.Error, match=r"type: R2C in the direction BACKWARD of a partition for R2C; give C2R"):
        Plan(partition, Direction.BACKWARD, buffer, type=Type.R2C)
    with pytest.raises(weft.Error, match=r"direction: 0; give Direction.FORWARD or Direction.BACKWARD"):
        Plan(partition, 0, buffer)


def test_programs_that_import_pfft_run_unchanged(tmp_path):
    program = tmp_path / "program.py"
    program.write_text("import sys, pfft\nprint(pfft.__name__, pfft.split_size_2d(6), sys.argv[1:])\n")
    launcher = own_launcher()
    command = [sys.executable, "-m", "weft.compat.pfft", str(program), "7"]
    done = subprocess.run(command, env=launcher.environ(), capture_output=True, text=True, timeout=120, check=True)
    assert done.stdout.strip() == "weft.compat.pfft (3, 2) ['7']"
