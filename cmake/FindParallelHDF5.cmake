# Finds the parallel HDF5 (C library) that belongs to the MPI in use: imported target ParallelHDF5::hdf5.
# Debian keeps one HDF5 per MPI, with pkg-config files hdf5-mpich and hdf5-openmpi; elsewhere FindHDF5 is asked, and
# a serial HDF5 is refused. Needs WEFT_MPI_NAME (mpich, openmpi or other). Installed with weft for static linking.
find_package(PkgConfig QUIET)
if(PkgConfig_FOUND AND NOT ParallelHDF5_LIBRARY)
  pkg_check_modules(PC_PHDF5 QUIET hdf5-${WEFT_MPI_NAME})
endif()
if(PC_PHDF5_FOUND)
  set(ParallelHDF5_VERSION ${PC_PHDF5_VERSION} CACHE INTERNAL "")
  find_path(ParallelHDF5_INCLUDE_DIR hdf5.h HINTS ${PC_PHDF5_INCLUDE_DIRS} NO_DEFAULT_PATH)
  find_library(ParallelHDF5_LIBRARY hdf5 HINTS ${PC_PHDF5_LIBRARY_DIRS} NO_DEFAULT_PATH)
elseif(NOT ParallelHDF5_LIBRARY)
  set(HDF5_PREFER_PARALLEL TRUE)
  find_package(HDF5 QUIET COMPONENTS C)
  if(HDF5_FOUND AND HDF5_IS_PARALLEL)
    set(ParallelHDF5_VERSION ${HDF5_VERSION} CACHE INTERNAL "")
    list(GET HDF5_C_INCLUDE_DIRS 0 phdf5_include)
    set(ParallelHDF5_INCLUDE_DIR ${phdf5_include} CACHE PATH "Folder of the parallel hdf5.h")
    set(ParallelHDF5_LIBRARY ${HDF5_C_LIBRARY_hdf5} CACHE FILEPATH "Parallel HDF5 library")
  endif()
endif()
mark_as_advanced(ParallelHDF5_INCLUDE_DIR ParallelHDF5_LIBRARY)

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(
  ParallelHDF5
  REQUIRED_VARS ParallelHDF5_LIBRARY ParallelHDF5_INCLUDE_DIR
  VERSION_VAR ParallelHDF5_VERSION
  REASON_FAILURE_MESSAGE
    "an HDF5 built for parallel use with ${WEFT_MPI_NAME} is needed (Debian: libhdf5-${WEFT_MPI_NAME}-dev), found: \
HDF5 '${HDF5_VERSION}', parallel: '${HDF5_IS_PARALLEL}'. Set HDF5_ROOT to another one")

if(ParallelHDF5_FOUND AND NOT TARGET ParallelHDF5::hdf5)
  add_library(ParallelHDF5::hdf5 UNKNOWN IMPORTED)
  set_target_properties(
    ParallelHDF5::hdf5 PROPERTIES IMPORTED_LOCATION ${ParallelHDF5_LIBRARY} INTERFACE_INCLUDE_DIRECTORIES
                                                                            ${ParallelHDF5_INCLUDE_DIR})
endif()
