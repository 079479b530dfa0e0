"""The fuzzers of files: their mutants repeat, their HDF5 checksum is HDF5's, and they tell whose crash it was."""

import random
import struct

import h5py
import numpy as np
import pytest
from fuzz.files.__main__ import inside_hdf5, signature
from fuzz.files.hdf5_bytes import checksum, signed_blocks, signed_mutant
from fuzz.files.mutations import mutate


@pytest.fixture
def hdf5_file(tmp_path):
    path = tmp_path / "some.h5"
    with h5py.File(path, "w", libver="latest") as file:
        for length in range(1, 8):
            file["a" * length] = np.arange(length)
            file["a" * length].attrs["of this length"] = "x" * (5 * length)
    return path


def test_checksums_are_those_that_hdf5_writes(hdf5_file):
    data = hdf5_file.read_bytes()
    blocks = signed_blocks(data)
    assert len(blocks) >= 8  # the superblock and the headers of the datasets
    for first, end in blocks:
        assert struct.unpack_from("<I", data, end)[0] == checksum(data[first:end])


def test_signed_mutants_pass_the_checks_of_checksums(hdf5_file):
    data = hdf5_file.read_bytes()
    blocks = signed_blocks(data)
    for seed in range(20):
        mutant = signed_mutant(random.Random(seed), data, blocks)
        assert len(mutant) == len(data)
        for first, end in blocks:
            assert struct.unpack_from("<I", mutant, end)[0] == checksum(mutant[first:end])


def test_a_seed_gives_the_same_mutant_again():
    text = b'cells = [8, 6]\nname = "some text"\n' * 5
    mutants = [mutate(random.Random(seed), text, text=True) for seed in range(200)]
    assert mutants == [mutate(random.Random(seed), text, text=True) for seed in range(200)]
    assert len(set(mutants)) > 150
    assert sum(mutant == text for mutant in mutants) < 20


def test_empty_files_have_mutants():
    assert sum(bool(mutate(random.Random(seed), b"", text=True)) for seed in range(50)) > 25


def test_a_crash_is_told_to_be_hdf5s_by_its_innermost_frame():
    frames = [
        " 0  /lib/x86_64-linux-gnu/libucs.so.0(ucs_handle_error+0x2dc) [0x1]",
        " 1  /lib/x86_64-linux-gnu/libc.so.6(+0x3c050) [0x2]",
        " 2  /lib/x86_64-linux-gnu/libhdf5_mpich.so.103(H5A__close+0x1c) [0x3]",
        " 3  /site/weft/_core.so(_ZN4weft2io18inspect_checkpointE+0x1) [0x4]",
    ]
    assert inside_hdf5("\n".join(frames))
    assert not inside_hdf5("\n".join(frames[:2] + frames[3:] + frames[2:3]))
    assert not inside_hdf5("Timeout (0:01:00)!")


def test_failures_that_look_alike_are_counted_together():
    assert signature("took 12.5 s") == signature("took 7.1 s")
    assert signature("a\nthe times are [1, 2]") != signature("a\nu has other bits and no error")
