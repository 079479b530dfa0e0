"""What stands for mpi4py where a wheel finds no MPI has mpi4py's meaning on one rank; and how a wheel finds its MPI."""

import ctypes
import os
import sys
from pathlib import Path

import numpy as np
import pytest
from mpi4py import MPI
from weft import _build, _loading, _runtime_mpi, _serial_mpi, launch
from weft.errors import ResourceError

BOTH = pytest.mark.parametrize("mpi", [MPI, _serial_mpi], ids=["mpi4py", "stand-in"])


@BOTH
def test_one_rank_agrees_with_itself(mpi):
    comm = mpi.COMM_SELF
    assert (comm.rank, comm.size) == (0, 1)
    for op in (mpi.MAX, mpi.MIN, mpi.SUM):
        assert comm.allreduce(3, op=op) == 3
    assert comm.allreduce(True, op=mpi.LAND) and not comm.allreduce(False, op=mpi.LOR)
    assert comm.bcast({"a": 1}, root=0) == {"a": 1}
    assert comm.gather(2, root=0) == comm.allgather(2) == [2]
    comm.Barrier()


@BOTH
def test_arrays_are_reduced_and_gathered(mpi):
    values = np.arange(6.0)
    out = np.zeros(6)
    mpi.COMM_SELF.Allreduce(values, out, mpi.SUM)
    assert np.array_equal(out, values)
    mpi.COMM_SELF.Allreduce(mpi.IN_PLACE, values, mpi.MIN)
    assert np.array_equal(values, np.arange(6.0))
    rows = np.zeros((1, 6))
    mpi.COMM_SELF.Allgather(values, rows)
    assert np.array_equal(rows[0], values)


@BOTH
def test_communicators_are_compared_and_freed(mpi):
    copy = mpi.COMM_SELF.Dup()
    assert isinstance(copy, mpi.Intracomm) and isinstance(copy, mpi.Comm)
    assert mpi.Comm.Compare(mpi.COMM_SELF, mpi.COMM_SELF) == mpi.IDENT
    assert mpi.Comm.Compare(mpi.COMM_SELF, copy) == mpi.CONGRUENT
    assert copy != mpi.COMM_SELF and copy != mpi.COMM_NULL and copy
    key = mpi.Comm.Create_keyval()
    assert copy.Get_attr(key) is None
    copy.Set_attr(key, "kept")
    assert copy.Get_attr(key) == "kept" and mpi.COMM_SELF.Get_attr(key) is None
    node = copy.Split_type(mpi.COMM_TYPE_SHARED)
    assert node.size == 1
    node.Free()
    copy.Free()
    assert copy == mpi.COMM_NULL and not copy


@BOTH
def test_is_running(mpi):
    assert mpi.Is_initialized() and not mpi.Is_finalized()
    assert isinstance(mpi.Get_library_version(), str)


def test_handles_lie_where_the_library_reads_them():
    """A handle is a number of 8 bytes, another one for each communicator (src/runtime_mpi/serial.cpp)."""
    comms = [_serial_mpi.COMM_WORLD, _serial_mpi.COMM_SELF, _serial_mpi.COMM_SELF.Dup()]
    read = [ctypes.c_uint64.from_address(_serial_mpi._addressof(comm)).value for comm in comms]
    assert read == [comm.handle for comm in comms] and len(set(read)) == 3 and max(read) < 1 << 32
    assert read[:2] == [1, 2], "the handles of the library's own COMM_WORLD and COMM_SELF"


def test_family_of_the_running_mpi():
    found = _runtime_mpi.family_of(MPI._handleof(MPI.COMM_WORLD), MPI._sizeof(MPI.COMM_WORLD))
    assert found == {"mpich": "mpich", "openmpi": "openmpi"}[_build.MPI]
    assert _runtime_mpi.family_of(0x101, 8) == "mpiabi"
    assert _runtime_mpi.family_of(0x7F0012345678, 8) == "openmpi"


def test_loaded_library_is_read_from_the_maps():
    found = _runtime_mpi._loaded_library(Path("/proc/self/maps").read_text())
    assert found is not None and found.exists()
    assert _runtime_mpi._loaded_library("7f00-7f01 r-xp 0 08:01 12 /usr/lib/libmpifort.so.12.1\n") is None
    maps = "".join(
        f"7f00-7f01 r-xp 0 08:01 12 {folder}\n"
        for folder in (_runtime_mpi._FOLDER / "libmpi.so.12", "/usr/lib/libmpich.so.12")
    )
    assert _runtime_mpi._loaded_library(maps) == Path("/usr/lib/libmpich.so.12")


@pytest.mark.parametrize(
    ("environ", "loaded"),
    [
        ({}, ["libmpich.so.12", "libmpi.so.12"]),
        ({"MPI4PY_LIBMPI": "/opt/lib/libmpich.so.12"}, ["/opt/lib/libmpich.so.12", "libmpi.so.12"]),
        ({"MPI4PY_LIBMPI": "/opt/lib/libmpi.so.40"}, []),
        ({"MPI4PY_MPIABI": "mpich"}, []),
    ],
)
def test_debians_mpich_is_brought_unless_the_user_has_chosen_another_library(monkeypatch, environ, loaded):
    for name in ("MPI4PY_LIBMPI", "MPI4PY_MPIABI"):
        monkeypatch.delenv(name, raising=False)
    for name, value in environ.items():
        monkeypatch.setenv(name, value)
    seen = []
    monkeypatch.setattr(ctypes, "CDLL", lambda name, mode=ctypes.DEFAULT_MODE: seen.append(name))
    assert (_runtime_mpi._import_with_debian_mpich() is MPI) == bool(loaded)
    assert [name.removeprefix(f"{_runtime_mpi._FOLDER}/") for name in seen] == loaded


@pytest.mark.parametrize(
    ("words", "environ", "alone"),
    [
        (["/opt/bin/weft", "--help"], {}, True),
        (["/opt/bin/weft", "bench", "fft", "--help"], {}, True),
        (["/opt/bin/weft", "info"], {}, False),
        (["/opt/bin/weft", "run-with", "--fftw", "program", "--help"], {}, False),
        (["/opt/bin/weft", "--help"], {"PMI_RANK": "0"}, False),
        (["/opt/bin/program", "--help"], {}, False),
    ],
)
def test_a_help_text_needs_no_mpi(monkeypatch, words, environ, alone):
    for name in _loading._RANK_VARIABLES:
        monkeypatch.delenv(name, raising=False)
    for name, value in environ.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setattr(sys, "argv", words)
    monkeypatch.setattr(sys, "orig_argv", [sys.executable, *words])
    monkeypatch.setattr(_runtime_mpi, "_import_mpi", lambda: pytest.fail("mpi4py is imported"))
    assert _loading.asks_for_help() == alone
    if alone:
        for name in ("MPI", "MPI_VERSION"):
            monkeypatch.setattr(_build, name, getattr(_build, name))
        assert _runtime_mpi.start() is _serial_mpi


def test_launcher_lies_beside_the_library(tmp_path):
    (tmp_path / "lib" / "x86_64-linux-gnu").mkdir(parents=True)
    library = tmp_path / "lib" / "x86_64-linux-gnu" / "libmpi.so.40"
    assert not _runtime_mpi.launcher_beside(library, "openmpi").startswith(str(tmp_path))
    (tmp_path / "bin").mkdir()
    for name in ("mpiexec", "mpiexec.openmpi"):
        program = tmp_path / "bin" / name
        program.write_text("#!/bin/sh\n")
        assert not _runtime_mpi.launcher_beside(library, "openmpi").startswith(str(program))
        os.chmod(program, 0o755)
        assert _runtime_mpi.launcher_beside(library, "openmpi") == str(program)


@pytest.mark.parametrize(
    ("build", "words"),
    [
        ({"MPI": "none"}, ["-n", "one rank", "pip install mpich"]),
        ({"MPI": "mpich", "MPI_VERSION": "4.2", "MPIEXEC": ""}, ["-n", "no mpiexec", "mpich 4.2", "mpiexec -n 2"]),
    ],
)
def test_ranks_without_a_launcher_are_refused(monkeypatch, build, words):
    for name, value in build.items():
        monkeypatch.setattr(_build, name, value)
    with pytest.raises(ResourceError) as caught:
        launch.own_launcher()
    assert all(word in str(caught.value) for word in words)
