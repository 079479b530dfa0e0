"""Checkpoints from Python: what is kept, on one rank and from some ranks to others, and what other programs read."""

import warnings
from types import SimpleNamespace

import h5py
import numpy as np
import pytest
import weft
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays
from mpi4py import MPI
from on_ranks import on_ranks

SELF = MPI.COMM_SELF
DTYPES = ("float32", "float64", "complex64", "complex128")


def whole(shape):
    return tuple(slice(0, n) for n in shape)


def distributed(array):
    """A whole array as this one rank's block."""
    return array, whole(array.shape), array.shape


def field_like(array):
    return SimpleNamespace(local=array, slices=whole(array.shape), global_shape=array.shape, comm=SELF)


def bits(array):
    return array.dtype, array.shape, array.tobytes()


some_arrays = st.sampled_from(DTYPES).flatmap(
    lambda dtype: arrays.arrays(dtype, arrays.array_shapes(max_dims=6, max_side=4))
)
some_values = st.dictionaries(
    st.text(st.characters(exclude_characters="\0/", exclude_categories=["Cs"]), min_size=1, max_size=8).filter(
        lambda name: name != "." and not name.startswith("weft_")
    ),
    st.integers(-(2**63) + 1, 2**63 - 1)
    | st.floats(allow_nan=False)
    | st.text(st.characters(exclude_characters="\0", exclude_categories=["Cs"]), max_size=20),
    max_size=12,
)


@settings(max_examples=40, deadline=None, derandomize=True)
@given(array=some_arrays, values=some_values, compression=st.sampled_from([0, 1, 9]))
def test_whatever_is_saved_is_loaded(tmp_path_factory, array, values, compression):
    path = tmp_path_factory.getbasetemp() / "any.h5"
    weft.save_checkpoint(path, {"u": distributed(array)}, values, comm=SELF, compression=compression)
    found = weft.load_checkpoint(path, {"u": whole(array.shape)}, comm=SELF)
    assert bits(found.fields["u"]) == bits(array)
    assert found.values == values and [type(v) for v in found.values.values()] == [
        type(values[name]) for name in found.values
    ]
    assert found.shapes == {"u": array.shape} and found.dtypes == {"u": array.dtype.name}


def test_fields_of_every_form(tmp_path):
    u = np.random.default_rng(1).random((4, 6))
    strided = np.asfortranarray(u)
    fields = {"a": field_like(u), "b": distributed(strided), "c": distributed(u[::2].astype("c8"))}
    weft.save_checkpoint(tmp_path / "c.h5", fields, {"time": np.float32(0.5), "n": np.int64(3)})
    into, turned = np.zeros((4, 6)), np.zeros((6, 4)).T
    wanted = {"a": field_like(into), "b": distributed(turned), "c": (slice(1, 2), slice(2, 4))}
    found = weft.load_checkpoint(tmp_path / "c.h5", wanted)
    assert found.fields["a"] is into and found.fields["b"] is turned
    assert np.array_equal(into, u) and np.array_equal(turned, u)
    assert np.array_equal(found.fields["c"], u[2:3, 2:4].astype("c8"))
    assert found.values == {"time": 0.5, "n": 3}
    nothing = weft.load_checkpoint(tmp_path / "c.h5")
    assert nothing.fields == {} and nothing.shapes == {"a": (4, 6), "b": (4, 6), "c": (2, 6)}
    assert weft.verify_checkpoint(tmp_path / "c.h5").dtypes == {"a": "float64", "b": "float64", "c": "complex64"}


def test_other_programs_read_it(tmp_path):
    u = np.random.default_rng(2).random((70, 3, 5))
    z = (u[:, 0] + 1j * u[:, 1]).astype("c16")
    values = {"time": 0.1, "step": 7, "case": "α"}
    weft.save_checkpoint(tmp_path / "c.h5", {"u": distributed(u), "z": distributed(z)}, values, compression=4)
    with h5py.File(tmp_path / "c.h5") as file:
        assert np.array_equal(file["u"], u) and np.array_equal(file["z"], z)
        assert file["u"].compression == "gzip" and file["u"].shuffle
        assert (file.attrs["time"], file.attrs["step"], file.attrs["case"].decode()) == (0.1, 7, "α")
        assert file["z"].attrs["weft_sum_planes"] == 2
        for name, array in (("u", u), ("z", z)):
            planes = file[name].attrs["weft_sum_planes"]
            assert np.array_equal(file[name].attrs["weft_sums"], sums(array, planes))


def sums(array, planes):
    """The checksums as docs/files.md describes them."""
    words = array.view(array.real.dtype).view("u8").ravel()
    with np.errstate(over="ignore"):
        x = words + np.arange(1, words.size + 1, dtype="u8") * np.uint64(0x9E3779B97F4A7C15)
        x = (x ^ (x >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
        x = (x ^ (x >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
        x = (x ^ (x >> np.uint64(31))).reshape(array.shape[0], -1)
        return [x[i : i + planes].sum(dtype="u8") for i in range(0, array.shape[0], planes)]


def test_folders_skip_what_is_damaged_with_a_warning(tmp_path):
    u = np.arange(24.0).reshape(4, 6)
    folder = weft.CheckpointFolder(tmp_path / "run", keep=3)
    assert folder.latest() is None and folder.restore({"u": whole(u.shape)}) is None
    for step in range(5):
        assert folder.save(step, {"u": distributed(u + step)}, {"time": step / 2}) == folder.path(step)
    assert folder.steps() == [2, 3, 4]
    with h5py.File(folder.path(4), "r+") as file:
        file["u"][1, 2] = 9
    with pytest.warns(RuntimeWarning, match="checkpoint-000004.*indices 1 to 1 of axis 0.*step 3 is taken"):
        found = folder.restore({"u": whole(u.shape)})
    assert found.values == {"step": 3, "time": 1.5} and np.array_equal(found.fields["u"], u + 3)
    assert len(found.skipped) == 1 and found.path == folder.path(3)
    with pytest.warns(RuntimeWarning):
        assert folder.latest().path == folder.path(3)
    folder.path(3).write_bytes(folder.path(3).read_bytes()[:-1])
    folder.path(2).write_bytes(b"")
    with pytest.raises(weft.FileError, match="no checkpoint of the folder is whole"):
        folder.latest()


@pytest.mark.parametrize(
    ("fields", "values", "message"),
    [
        ([1], None, "fields: list is not a mapping"),
        ({"u": 3}, None, "u: int is not a distributed array.*weft.Field"),
        ({"u": (np.zeros(3), whole((4,)), (4,))}, None, r"u: an array of \(3,\).*sizes \(4,\)"),
        ({"u": (np.zeros(3), whole((3,)), (4,))}, None, "3 points and the array has 4"),
        ({"u": (np.zeros(3), (slice(3),), (3,))}, None, r"u: slices\[0\].*start"),
        ({"u": (np.zeros((3, 3)), whole((3,)), (3,))}, None, r"sizes \(3,\)"),
        ({"u": (np.zeros((1,) * 7), whole((1,) * 7), (1,) * 7)}, None, "7 axes; give 1 to 6"),
        ({"u": distributed(np.zeros(3, "i8"))}, None, "u: dtype int64.*astype.*float32"),
        ({"u": distributed(np.zeros(3, ">f8"))}, None, "u: dtype >f8"),
        ({"a/b": distributed(np.zeros(3))}, None, "field name.*a/b.*slash"),
        ({}, {"weft_x": 1}, "value name.*weft_"),
        ({}, {"x": None}, "x: None is not a real number"),
        ({}, {"x": 2**63}, "x: .* 64 bits"),
        ({}, {"x": True}, "x: True"),
        ({}, {"x": "a\udc80"}, "x: .* is not a valid text, character 1"),
        ({}, {"\udc80": 1}, "values: .* is not a valid text, character 0"),
        ({"\udc80": distributed(np.zeros(3))}, None, "fields: .* is not a valid text, character 0"),
        ({"u": (np.zeros(3), (slice(0.0, 3.0),), (3,))}, None, r"u: slices\[0\].start: 0.0 is not a whole number"),
        ({}, 5, "values: int is not a mapping"),
    ],
)
def test_wrong_arguments(tmp_path, fields, values, message):
    with pytest.raises(weft.Error, match=message):
        weft.save_checkpoint(tmp_path / "c.h5", fields, values)
    assert list(tmp_path.iterdir()) == []


def test_wrong_files_and_targets(tmp_path):
    u = np.zeros((4, 6))
    path = tmp_path / "c.h5"
    weft.save_checkpoint(path, {"u": distributed(u)})
    frozen = u.copy()
    frozen.flags.writeable = False
    for wanted, kind, message in [
        ({"v": whole((4, 6))}, weft.FileError, 'no field "v"; it has u'),
        ({"u": whole((4, 6, 2))}, weft.Error, "3 slices and a global_shape of 2"),
        ({"u": (slice(0, 4), slice(0, 7))}, weft.Error, r"u: slices\[1\]: 0:7 is not within an axis of 6 points"),
        ({"u": (slice(-1, 4), slice(0, 6))}, weft.Error, r"u: slices\[0\]: -1:4 is not within an axis of 4 points"),
        ({"u": (slice(0, 4), slice(0, 10**15))}, weft.Error, r"u: slices\[1\]: 0:1000000000000000 is not within"),
        ({"u": (slice(0, 4), slice(0, 6.0))}, weft.Error, r"u: slices\[1\].stop: 6.0 is not a whole number"),
        ({"u": (slice("a", "b"), slice(0, 6))}, weft.Error, r"u: slices\[0\].start: 'a' is not a whole number"),
        ({"u": (slice(4), slice(0, 6))}, weft.Error, "slices"),
        ({"u": (slice(3, 1), slice(0, 6))}, weft.Error, "u: "),
        ({"u": distributed(frozen)}, weft.Error, "read-only"),
        ({"u": distributed(u.astype("f4"))}, weft.FileError, "is float64, expected is float32"),
        ({"u": distributed(u[:3])}, weft.FileError, "shape 4 x 6, expected is 3 x 6"),
    ]:
        with pytest.raises(kind, match=message):
            weft.load_checkpoint(path, wanted)
    for path, message in [
        ("none.h5", "No such file"),
        (None, "path: None"),
        ("\udc80.h5", "path: "),
        ("c.npy", r"\.h5 or \.hdf5"),
    ]:
        with pytest.raises(weft.Error, match=message):
            weft.load_checkpoint(path)
    with pytest.raises(weft.Error, match="keep: 0"):
        weft.CheckpointFolder(tmp_path, keep=0)
    with pytest.raises(weft.Error, match="compression: 10"):
        weft.save_checkpoint(tmp_path / "d.h5", {}, compression=10)


COMMON = """\
    import sys
    from pathlib import Path
    from types import SimpleNamespace

    import numpy as np
    import weft
    from mpi4py import MPI

    comm = MPI.COMM_WORLD
    rank, size = comm.rank, comm.size
    whole = np.random.default_rng(3).random((3, 9, 10, 8)) + 1j
    u, w = whole.real.copy(), whole.astype("c8")


    def cut(axis, shape):
        slices = [slice(0, n) for n in shape]
        slices[axis] = slice(shape[axis] * rank // size, shape[axis] * (rank + 1) // size)
        return tuple(slices)


    folder = weft.CheckpointFolder(Path(__file__).parent / "run", keep=2, compression=1)
"""

SAVE = (
    COMMON
    + """\
    slab, pencil = cut(1, u.shape), cut(3, u.shape)
    field = SimpleNamespace(local=u[slab], slices=slab, global_shape=u.shape, comm=comm)
    for step in (1, 2, 3):
        folder.save(step, {"u": field, "w": (w[pencil], pencil, w.shape)}, {"time": step / 8})
    try:
        folder.save(4, {"u": (u[slab][:, :-1] if rank == size - 1 else u[slab], slab, u.shape)})
    except weft.Error as error:
        assert "is not this rank's block" in str(error), error
    else:
        raise AssertionError("not refused")
    for wrong in (slice(0, 2.0), slice("a", "b"), slice(0, 10**15)):
        try:
            folder.restore({"u": (wrong if rank == size - 1 else slice(0, 3), *slab[1:])})
        except weft.Error as error:
            assert "u: slices[0]" in str(error), error
        else:
            raise AssertionError("not refused")
    if rank == 0:
        print("saved", folder.steps())
    else:
        folder.steps()
    """
)

LOAD = (
    COMMON
    + """\
    for axis in range(4):
        mine = cut(axis, u.shape)
        found = folder.restore({"u": mine, "w": cut(2, w.shape)})
        assert np.array_equal(found.fields["u"], u[mine])
        assert np.array_equal(found.fields["w"], w[cut(2, w.shape)])
    # Everything on every rank: blocks that overlap.
    found = folder.restore({"w": tuple(slice(0, n) for n in w.shape)})
    assert np.array_equal(found.fields["w"], w)
    assert found.values == {"step": 3, "time": 0.375}
    comm.Barrier()
    if rank == 0:
        data = bytearray(found.path.read_bytes())
        data[len(data) // 2] ^= 1
        found.path.write_bytes(data)
    comm.Barrier()
    import warnings

    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        assert folder.latest().values["step"] == 2
    assert len(caught) == (1 if rank == 0 else 0)
    comm.Barrier()
    if rank == 0:
        print("loaded")
    """
)


@pytest.mark.parametrize(("writers", "readers"), [(2, 3), (3, 2)])
def test_from_some_ranks_to_others(tmp_path, writers, readers):
    assert on_ranks(writers, SAVE, tmp_path) == "saved [2, 3]"
    assert on_ranks(readers, LOAD, tmp_path) == "loaded"


def test_nothing_is_warned_of_without_damage(tmp_path):
    folder = weft.CheckpointFolder(tmp_path)
    folder.save(1, {})
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert folder.latest().values == {"step": 1}
