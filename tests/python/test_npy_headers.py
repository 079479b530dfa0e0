"""Hostile .npy files: what Weft reads, numpy reads alike; everything else is one FileError."""

import io

import numpy as np
import pytest
import weft
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays
from mpi4py import MPI
from weft import _core

COMM = MPI._addressof(MPI.COMM_SELF)
DTYPES = ("<f4", "<f8", "<i4", "<i8", "<c8", "<c16", ">f4", ">f8", ">i4", ">i8", ">c8", ">c16")


@pytest.fixture(scope="module")
def path(tmp_path_factory):
    return str(tmp_path_factory.mktemp("npy") / "f.npy")


def read(path):
    """The array in double precision, as Weft reads it."""
    shape, is_complex = _core.file_array(COMM, path, "")
    out = np.empty(shape, "c16" if is_complex else "f8")
    _core.read_block(COMM, path, "", shape, [(0, n) for n in shape], out)
    return out


def saved(array):
    file = io.BytesIO()
    np.save(file, array)
    return bytearray(file.getvalue())


def expect_numpy_or_refusal(path, data):
    with open(path, "wb") as file:
        file.write(data)
    try:
        found = read(path)
    except weft.FileError as error:
        assert path in str(error)
        return
    expected = np.load(path, allow_pickle=False)
    assert found.shape == expected.shape
    np.testing.assert_array_equal(found, expected.astype(found.dtype))


numbers = st.sampled_from(DTYPES).flatmap(
    lambda dtype: arrays.arrays(
        dtype, arrays.array_shapes(max_dims=6, max_side=4), elements={"allow_nan": False} if dtype[1] != "i" else None
    )
)


@settings(max_examples=50, deadline=None, derandomize=True)
@given(array=numbers)
def test_what_numpy_saves_is_read(path, array):
    with np.errstate(invalid="ignore"):  # the largest integers, rounded, are no integers of their type any more
        assume(array.dtype.kind != "i" or np.all(array.astype("f8").astype(array.dtype) == array))
    np.save(path, array)
    np.testing.assert_array_equal(read(path), array)


@settings(max_examples=40, deadline=None, derandomize=True)
@given(array=numbers)
def test_what_is_written_numpy_loads(path, array):
    array = array.astype(array.dtype.newbyteorder("=").name.replace("int32", "float32").replace("int64", "float64"))
    _core.write_npy(COMM, path, array, array.shape, [(0, n) for n in array.shape])
    loaded = np.load(path)
    assert loaded.dtype == array.dtype and loaded.tobytes() == array.tobytes()


@settings(max_examples=200, deadline=None, derandomize=True)
@given(
    array=numbers,
    changes=st.lists(st.tuples(st.integers(0, 140), st.integers(0, 255)), min_size=1, max_size=4),
    length=st.none() | st.integers(0, 300),
)
@example(array=np.zeros(1, "f4"), changes=[(7, 1)], length=None)  # a version that does not exist
@example(array=np.zeros(1, "f4"), changes=[(21, 128)], length=None)  # a type that is no text
@example(array=np.zeros((3, 4)), changes=[(63, ord("0"))], length=None)  # (3,04)
def test_any_damage_to_a_header(path, array, changes, length):
    data = saved(array)
    for place, value in changes:
        data[place % len(data)] = value
    expect_numpy_or_refusal(path, data[:length])


words = st.sampled_from(
    [
        "{",
        "}",
        "(",
        ")",
        ",",
        ":",
        " ",
        "'",
        '"',
        "'descr'",
        "'shape'",
        "'fortran_order'",
        "'<f8'",
        "False",
        "True",
        "None",
    ]
)
sizes = st.integers(-3, 5) | st.sampled_from([2**31, 2**32, 2**62, 2**63 - 1, 2**63, 2**64, 10**30])


@settings(max_examples=200, deadline=None, derandomize=True)
@given(parts=st.lists(words | sizes.map(str), max_size=30), version=st.integers(0, 4))
def test_any_header_of_the_right_words(path, parts, version):
    expect_numpy_or_refusal(path, with_header("".join(parts), version))


@settings(max_examples=200, deadline=None, derandomize=True)
@given(shape=st.lists(sizes, max_size=8), dtype=st.sampled_from(DTYPES), fortran=st.booleans())
def test_any_shape(path, shape, dtype, fortran):
    text = str({"descr": dtype, "fortran_order": fortran, "shape": tuple(shape)})
    expect_numpy_or_refusal(path, with_header(text, 1))


def with_header(text, version):
    length = len(text) + 1
    start = b"\x93NUMPY" + bytes([version, 0]) + length.to_bytes(2 if version == 1 else 4, "little")
    return start + text.encode() + b"\n" + bytes(1024)
