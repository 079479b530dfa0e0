# Finds an HDF5 (C library) that can be used beside the MPI in use: imported target ParallelHDF5::hdf5. In this order:
#   the parallel one of this MPI, as Debian keeps one per MPI (pkg-config hdf5-mpich, hdf5-openmpi, or their folders)
#   what FindHDF5 finds (HDF5_ROOT, conda, modules), parallel ones first, unless it is that of another MPI
#   a serial one (pkg-config hdf5-serial, hdf5): ranks then read each by itself instead of together
# ParallelHDF5_KIND says which it is. Needs WEFT_MPI_NAME (mpich, openmpi or other). Installed with weft for static linking.
find_package(PkgConfig QUIET)

# Debian's belong to Debian's MPI: beside another copy of it two MPI libraries would be in one process.
function(weft_hdf5_of_pkgconfig module)
  if(NOT PkgConfig_FOUND OR ParallelHDF5_LIBRARY)
    return()
  endif()
  pkg_check_modules(PC_PHDF5_${module} QUIET ${module})
  if(PC_PHDF5_${module}_FOUND)
    set(ParallelHDF5_VERSION ${PC_PHDF5_${module}_VERSION} CACHE INTERNAL "")
    find_path(ParallelHDF5_INCLUDE_DIR hdf5.h HINTS ${PC_PHDF5_${module}_INCLUDE_DIRS} NO_DEFAULT_PATH)
    find_library(ParallelHDF5_LIBRARY NAMES hdf5 hdf5_serial HINTS ${PC_PHDF5_${module}_LIBRARY_DIRS}
                                                                   ${PC_PHDF5_${module}_LIBDIR} NO_DEFAULT_PATH)
    if(ParallelHDF5_LIBRARY MATCHES "${weft_other_hdf5}")
      unset(ParallelHDF5_INCLUDE_DIR CACHE)
      unset(ParallelHDF5_LIBRARY CACHE)
    endif()
  endif()
endfunction()

# Debian's folders, where there is no pkg-config to tell them. No others: hdf5.h of one library fits no other library.
function(weft_hdf5_of_debian kind)
  if(PkgConfig_FOUND OR ParallelHDF5_LIBRARY)
    return()
  endif()
  find_path(ParallelHDF5_INCLUDE_DIR hdf5.h PATHS /usr/include/hdf5/${kind} NO_DEFAULT_PATH)
  find_library(ParallelHDF5_LIBRARY hdf5 PATHS /usr/lib/${CMAKE_LIBRARY_ARCHITECTURE}/hdf5/${kind} NO_DEFAULT_PATH)
  if(NOT ParallelHDF5_INCLUDE_DIR OR NOT ParallelHDF5_LIBRARY)
    unset(ParallelHDF5_INCLUDE_DIR CACHE)
    unset(ParallelHDF5_LIBRARY CACHE)
  endif()
endfunction()

function(weft_hdf5_of_cmake)
  if(ParallelHDF5_LIBRARY)
    return()
  endif()
  set(HDF5_PREFER_PARALLEL TRUE)
  find_package(HDF5 QUIET COMPONENTS C)
  if(HDF5_FOUND AND HDF5_C_LIBRARY_hdf5 AND NOT HDF5_C_LIBRARY_hdf5 MATCHES "${weft_other_hdf5}")
    set(ParallelHDF5_VERSION ${HDF5_VERSION} CACHE INTERNAL "")
    list(GET HDF5_C_INCLUDE_DIRS 0 phdf5_include)
    set(ParallelHDF5_INCLUDE_DIR ${phdf5_include} CACHE PATH "Folder of hdf5.h")
    set(ParallelHDF5_LIBRARY ${HDF5_C_LIBRARY_hdf5} CACHE FILEPATH "HDF5 library")
  endif()
endfunction()

# Libraries that belong to another MPI, by their folders.
set(weft_other_hdf5 "/(mpich|openmpi)/")
if(MPI_CXX_COMPILER MATCHES "^/usr/bin/" OR NOT DEFINED MPI_CXX_COMPILER)
  string(REPLACE "${WEFT_MPI_NAME}" "none" weft_other_hdf5 "${weft_other_hdf5}")
  weft_hdf5_of_pkgconfig(hdf5-${WEFT_MPI_NAME})
  weft_hdf5_of_debian("${WEFT_MPI_NAME}")
endif()
weft_hdf5_of_cmake()
weft_hdf5_of_pkgconfig(hdf5-serial)
weft_hdf5_of_pkgconfig(hdf5)
weft_hdf5_of_debian(serial)
if(NOT ParallelHDF5_VERSION AND EXISTS "${ParallelHDF5_INCLUDE_DIR}/H5public.h")
  file(STRINGS ${ParallelHDF5_INCLUDE_DIR}/H5public.h phdf5_version REGEX "define H5_VERS_INFO")
  string(REGEX MATCH "[0-9]+\\.[0-9]+\\.[0-9]+" ParallelHDF5_VERSION "${phdf5_version}")
endif()
mark_as_advanced(ParallelHDF5_INCLUDE_DIR ParallelHDF5_LIBRARY)

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(
  ParallelHDF5
  REQUIRED_VARS ParallelHDF5_LIBRARY ParallelHDF5_INCLUDE_DIR
  VERSION_VAR ParallelHDF5_VERSION
  REASON_FAILURE_MESSAGE "an HDF5 is needed (Debian: libhdf5-${WEFT_MPI_NAME}-dev, or libhdf5-dev). HDF5_ROOT names one")

if(ParallelHDF5_FOUND)
  set(ParallelHDF5_KIND serial)
  file(GLOB phdf5_headers ${ParallelHDF5_INCLUDE_DIR}/H5pubconf*.h)
  foreach(header IN LISTS phdf5_headers)
    file(STRINGS ${header} phdf5_parallel REGEX "^#define H5_HAVE_PARALLEL 1")
    if(phdf5_parallel)
      set(ParallelHDF5_KIND parallel)
    endif()
  endforeach()
endif()
if(ParallelHDF5_FOUND AND NOT TARGET ParallelHDF5::hdf5)
  add_library(ParallelHDF5::hdf5 UNKNOWN IMPORTED)
  set_target_properties(
    ParallelHDF5::hdf5 PROPERTIES IMPORTED_LOCATION ${ParallelHDF5_LIBRARY} INTERFACE_INCLUDE_DIRECTORIES
                                                                            ${ParallelHDF5_INCLUDE_DIR})
endif()
