"""FLUPS's interface from Python: a program that opens the library by ctypes, as FLUPS's own package does."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from weft.cli import run_with
from weft.launch import own_launcher

# Solves lap u = -4 pi^2 cos(2 pi x) on cells and takes the curl of two waves, through pointers alone. The communicator
# goes as a number of the size of a pointer, as in FLUPS's package.
PROGRAM = """
import ctypes, os
import numpy as np
from ctypes import c_bool, c_double, c_int, c_size_t, c_void_p
from mpi4py import MPI

lib = ctypes.CDLL(os.path.join(os.environ["FLUPS_LIB_PATH"], "libflups.so"))
for name, result in (("topo_new", c_void_p), ("init", c_void_p), ("init_timed", c_void_p), ("profiler_new", c_void_p),
                     ("topo_get_memsize", c_size_t), ("topo_get_isComplex", c_bool), ("get_innerBuffer", c_void_p)):
    getattr(lib, "flups_" + name).restype = result
comm, n, period = MPI.COMM_WORLD, 8, 3
three = c_int * 3


def solver_of(components, conditions, derivative):
    shape, parts = three(n, n, n), three(1, 1, comm.size)
    topology = c_void_p(lib.flups_topo_new(0, components, shape, parts, c_bool(False), None, 16, c_void_p(comm.handle)))
    lists = [(c_int * components)(*[condition] * components) for condition in conditions for _ in range(2)]
    ends = (c_void_p * 6)(*[ctypes.addressof(one) for one in lists])
    h, length, cells = (c_double * 3)(*[1 / n] * 3), (c_double * 3)(1, 1, 1), three(1, 1, 1)
    solver = c_void_p(lib.flups_init(topology, ends, h, length, derivative, cells))
    lib.flups_set_greenType(solver, 0)
    lib.flups_setup(solver, c_bool(False))
    return topology, solver


def solve(topology, solver, rhs, kind):
    field = np.zeros_like(rhs)
    lib.flups_solve(solver, field.ctypes.data_as(c_void_p), rhs.ctypes.data_as(c_void_p), kind)
    lib.flups_cleanup_solver(solver)
    lib.flups_topo_free(topology)
    return field


assert lib.flups_profiler_new() is None
topology, solver = solver_of(1, [period] * 3, 0)
assert not lib.flups_topo_get_isComplex(topology)
local = [lib.flups_topo_get_nloc(topology, direction) for direction in range(3)]
start = three()
lib.flups_topo_get_istartGlob(topology, start)
assert lib.flups_topo_get_memsize(topology) == np.prod(local)
x = ((start[0] + np.arange(local[0])) + 0.5) / n
z = (((start[2] + np.arange(local[2])) + 0.5) / n)[:, None, None]
wave = np.broadcast_to(np.cos(2 * np.pi * x), local[::-1]).copy()
error = abs(solve(topology, solver, -4 * np.pi**2 * wave, 0) - wave).max()

# (0, 0, cos 2 pi x), whose ends are even in all components, has the curl (0, 2 pi sin 2 pi x, 0).
topology, solver = solver_of(3, [0] * 3, 1)
rhs = np.zeros((3, *wave.shape))
rhs[2] = wave
curl = solve(topology, solver, rhs, 1)
exact = np.zeros_like(rhs)
exact[1] = -np.sin(2 * np.pi * x) / (2 * np.pi)
error = max(error, abs(curl - exact).max())
lib.flups_profiler_disp(None)
assert comm.allreduce(error, MPI.MAX) < 1e-14, error
print("right", flush=True)
"""


def test_a_program_that_opens_flups_itself_opens_weft(tmp_path):
    library = Path(os.environ.get("WEFT_TEST_LIBRARIES", "")).parent / "src" / run_with.FLUPS.name
    if not library.is_file():
        pytest.skip("the library is not built, or the tests are run without tools/test")
    (tmp_path / "program.py").write_text(PROGRAM)
    launcher = own_launcher()
    program = launcher.command(2, [sys.executable, "-m", "mpi4py", str(tmp_path / "program.py")])
    command = [sys.executable, "-m", "weft", "run-with", "--flups", "--quiet", "--library", str(library), *program]
    done = subprocess.run(command, env=launcher.environ(), capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.count("right") == 2
    assert "weft: times of default, 2 ranks" in done.stdout


def test_a_folder_without_that_name_changes_nothing(tmp_path):
    (tmp_path / run_with.FLUPS.name).touch()
    assert run_with.opened({"A": "1"}, tmp_path / run_with.FLUPS.name, run_with.FLUPS) == {"A": "1"}
    (tmp_path / "weft").mkdir()
    (tmp_path / "weft" / "libflups.so").touch()
    expected = {"A": "1", "FLUPS_LIB_PATH": str(tmp_path / "weft")}
    assert run_with.opened({"A": "1"}, tmp_path / run_with.FLUPS.name, run_with.FLUPS) == expected
    assert run_with.opened({"A": "1"}, tmp_path / run_with.FFTW.name, run_with.FFTW) == {"A": "1"}
