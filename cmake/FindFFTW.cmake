# Finds FFTW 3 in double and single precision: imported targets FFTW::double and FFTW::float.
# Installed with weft, because programs that link the static library need it too.
find_package(PkgConfig QUIET)
if(PkgConfig_FOUND)
  pkg_check_modules(PC_FFTW QUIET fftw3)
  set(FFTW_VERSION ${PC_FFTW_VERSION})
endif()
find_path(FFTW_INCLUDE_DIR fftw3.h HINTS ${PC_FFTW_INCLUDE_DIRS})
find_library(FFTW_DOUBLE_LIBRARY fftw3 HINTS ${PC_FFTW_LIBRARY_DIRS})
find_library(FFTW_FLOAT_LIBRARY fftw3f HINTS ${PC_FFTW_LIBRARY_DIRS})
mark_as_advanced(FFTW_INCLUDE_DIR FFTW_DOUBLE_LIBRARY FFTW_FLOAT_LIBRARY)

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(
  FFTW
  REQUIRED_VARS FFTW_DOUBLE_LIBRARY FFTW_FLOAT_LIBRARY FFTW_INCLUDE_DIR
  VERSION_VAR FFTW_VERSION
  REASON_FAILURE_MESSAGE "FFTW 3 in double and single precision is needed (Debian: libfftw3-dev)")

function(fftw_add_target name library)
  if(NOT TARGET ${name})
    add_library(${name} UNKNOWN IMPORTED)
    set_target_properties(${name} PROPERTIES IMPORTED_LOCATION ${library} INTERFACE_INCLUDE_DIRECTORIES
                                                                          ${FFTW_INCLUDE_DIR})
  endif()
endfunction()
if(FFTW_FOUND)
  fftw_add_target(FFTW::double ${FFTW_DOUBLE_LIBRARY})
  fftw_add_target(FFTW::float ${FFTW_FLOAT_LIBRARY})
endif()
