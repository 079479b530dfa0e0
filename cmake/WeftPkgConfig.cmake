# pkg-config files: weft (C++), weft-c and weft-fortran, so that one command of the MPI's compiler makes a program. The
# MPI itself is left to that compiler.

# weft_link_flags(VARIABLE TARGET...): what a linker takes for imported libraries and plain paths.
function(weft_link_flags variable)
  set(flags "")
  foreach(library ${ARGN})
    if(TARGET ${library})
      get_target_property(library ${library} IMPORTED_LOCATION)
    endif()
    string(APPEND flags " ${library}")
  endforeach()
  set(${variable} "${flags}" PARENT_SCOPE)
endfunction()

# The C++ library, which compilers of C and Fortran do not add themselves.
set(weft_cxx_libraries "")
foreach(library ${CMAKE_CXX_IMPLICIT_LINK_LIBRARIES})
  if(library MATCHES "^(stdc\\+\\+|c\\+\\+|c\\+\\+abi|m)$")
    list(APPEND weft_cxx_libraries -l${library})
  endif()
endforeach()
list(TRANSFORM weft_system_libraries PREPEND -l OUTPUT_VARIABLE weft_system_flags)

# A shared weft brings its libraries along and has to be found when the program starts; a static one needs all of them.
set(weft_pc_libs "-L\${libdir}")
set(weft_pc_others "")
if(BUILD_SHARED_LIBS)
  string(APPEND weft_pc_libs " -Wl,-rpath,\${libdir}")
else()
  weft_link_flags(weft_pc_others FFTW::double FFTW::float ParallelHDF5::hdf5 ${OpenMP_CXX_LIBRARIES}
                  ${weft_cxx_libraries} ${weft_system_flags})
endif()

# weft_add_pc(NAME DESCRIPTION CFLAGS LIBRARY...)
function(weft_add_pc name description cflags)
  set(pc_name ${name})
  set(pc_description "${description}")
  set(pc_cflags "-I\${includedir}${cflags}")
  set(pc_libs "${weft_pc_libs}")
  foreach(library ${ARGN})
    string(APPEND pc_libs " -l${library}")
  endforeach()
  string(APPEND pc_libs "${weft_pc_others}")
  configure_file(${PROJECT_SOURCE_DIR}/cmake/weft.pc.in ${PROJECT_BINARY_DIR}/${name}.pc.in @ONLY)
  # The prefix is known when it is installed (cmake --install --prefix), and the file may be moved with its folder.
  install(FILES ${PROJECT_BINARY_DIR}/${name}.pc.in DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig RENAME ${name}.pc)
endfunction()

file(RELATIVE_PATH weft_pc_prefix /prefix/${CMAKE_INSTALL_LIBDIR}/pkgconfig /prefix)
string(REGEX REPLACE "/$" "" weft_pc_prefix ${weft_pc_prefix})
set(weft_pc_mpi "")
if(WEFT_MPI_DEFINITION)
  set(weft_pc_mpi " -D${WEFT_MPI_DEFINITION}")
endif()
weft_add_pc(weft "Distributed Fourier-type transforms and Poisson solvers, C++" " -std=c++20${weft_pc_mpi}" weft)
weft_add_pc(weft-c "Distributed Fourier-type transforms and Poisson solvers, C" "${weft_pc_mpi}" weft)
if(WEFT_HAS_FORTRAN)
  weft_add_pc(weft-fortran "Distributed Fourier-type transforms and Poisson solvers, Fortran"
              " -I\${includedir}/weft/fortran" weft_fortran weft)
endif()
