# Finds the MPI that WEFT_MPI names, and says how its programs are started. Sets
#   MPI::MPI_CXX, MPI_C    the library
#   MPIEXEC_EXECUTABLE     its launcher, full path
#   WEFT_MPI_NAME          mpich, openmpi or other
#   WEFT_MPI_VERSION       version of the implementation (of the standard if the launcher does not say)
#   WEFT_MPIEXEC_FLAGS     flags and
#   WEFT_MPIEXEC_ENV       environment (NAME=VALUE) with which more ranks than cores, and root, just work
set(WEFT_MPI any CACHE STRING "MPI to build with: mpich, openmpi, or any (what find_package(MPI) finds)")
set_property(CACHE WEFT_MPI PROPERTY STRINGS any mpich openmpi)

if(WEFT_MPI STREQUAL "mpich" OR WEFT_MPI STREQUAL "openmpi")
  # Debian and Ubuntu install both side by side under these names; the plain names follow an alternative.
  find_program(MPI_CXX_COMPILER NAMES mpicxx.${WEFT_MPI} DOC "MPI compiler wrapper")
  find_program(MPI_C_COMPILER NAMES mpicc.${WEFT_MPI} DOC "MPI compiler wrapper for C")
  find_program(MPIEXEC_EXECUTABLE NAMES mpiexec.${WEFT_MPI} DOC "MPI launcher")
  if(NOT MPI_CXX_COMPILER OR NOT MPIEXEC_EXECUTABLE)
    message(FATAL_ERROR "WEFT_MPI=${WEFT_MPI} needs mpicxx.${WEFT_MPI} and mpiexec.${WEFT_MPI}, found "
                        "'${MPI_CXX_COMPILER}' and '${MPIEXEC_EXECUTABLE}'. Install them (make setup MPI=${WEFT_MPI}), "
                        "or use WEFT_MPI=any to take the MPI that find_package(MPI) finds.")
  endif()
elseif(NOT WEFT_MPI STREQUAL "any")
  message(FATAL_ERROR "WEFT_MPI='${WEFT_MPI}' is unknown: give mpich, openmpi or any.")
endif()

set(MPI_CXX_SKIP_MPICXX TRUE) # the C++ bindings that MPI 3 removed are not used
find_package(MPI 3.0 REQUIRED COMPONENTS C CXX)

# Which implementation it is decides the launcher's flags, so the header is asked rather than the option.
include(CheckCXXSymbolExists)
include(CMakePushCheckState)
cmake_push_check_state(RESET)
set(CMAKE_REQUIRED_LIBRARIES MPI::MPI_CXX)
check_cxx_symbol_exists(OPEN_MPI mpi.h WEFT_MPI_IS_OPENMPI)
check_cxx_symbol_exists(MPICH_VERSION mpi.h WEFT_MPI_IS_MPICH)
cmake_pop_check_state()
set(WEFT_MPIEXEC_FLAGS "")
set(WEFT_MPIEXEC_ENV "")
if(WEFT_MPI_IS_OPENMPI)
  set(WEFT_MPI_NAME openmpi)
  set(WEFT_MPIEXEC_FLAGS --oversubscribe --bind-to none)
  set(WEFT_MPIEXEC_ENV OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1)
elseif(WEFT_MPI_IS_MPICH)
  set(WEFT_MPI_NAME mpich)
else()
  set(WEFT_MPI_NAME other)
endif()
if(NOT WEFT_MPI STREQUAL "any" AND NOT WEFT_MPI STREQUAL WEFT_MPI_NAME)
  message(FATAL_ERROR "WEFT_MPI=${WEFT_MPI}, but ${MPI_CXX_COMPILER} compiles with ${WEFT_MPI_NAME}.")
endif()

execute_process(COMMAND ${MPIEXEC_EXECUTABLE} --version OUTPUT_VARIABLE weft_mpiexec_says ERROR_QUIET)
if(weft_mpiexec_says MATCHES "[0-9]+\\.[0-9]+(\\.[0-9]+)?")
  set(WEFT_MPI_VERSION ${CMAKE_MATCH_0})
else()
  set(WEFT_MPI_VERSION ${MPI_CXX_VERSION})
endif()
