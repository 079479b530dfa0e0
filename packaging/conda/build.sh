#!/bin/bash
# Builds the Python package (module, command line, machine files) against the MPI, FFTW and HDF5 of the host environment.
set -euo pipefail

export CMAKE_PREFIX_PATH=$PREFIX
export CMAKE_BUILD_PARALLEL_LEVEL=${CPU_COUNT:-1}
# As root, and with more ranks than cores, for the tests.
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1

"$PYTHON" -m pip install . -v --no-deps --no-build-isolation \
  -C cmake.define.WEFT_MPI=any \
  -C cmake.define.MPI_CXX_COMPILER="$PREFIX/bin/mpicxx" \
  -C cmake.define.MPIEXEC_EXECUTABLE="$PREFIX/bin/mpiexec" \
  -C cmake.define.HDF5_ROOT="$PREFIX"
