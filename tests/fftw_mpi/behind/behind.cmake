# What Weft's library passes on to FFTW's MPI library: tests with stand-ins for that, which the loader finds first, and with
# FFTW's own, where it is installed for this MPI (Debian has it for Open MPI).
set(behind ${CMAKE_CURRENT_LIST_DIR})
add_executable(weft_fftw_behind_tests mpi/main.cpp ${behind}/test_behind.cpp)
target_link_libraries(weft_fftw_behind_tests PRIVATE weft::fftw3_mpi GTest::gtest ${CMAKE_DL_LIBS})
target_compile_features(weft_fftw_behind_tests PRIVATE cxx_std_20)
weft_compile(weft_fftw_behind_tests)

# weft_add_stand_in(NAME SUITE RANKS...): NAME.cpp as FFTW's MPI library, in a folder of its own.
function(weft_add_stand_in name suite)
  set(folder ${CMAKE_CURRENT_BINARY_DIR}/fftw_${name})
  add_library(weft_fftw_${name} SHARED ${behind}/${name}.cpp)
  set_target_properties(weft_fftw_${name} PROPERTIES OUTPUT_NAME fftw3_mpi VERSION 3 SOVERSION 3
                                                     LIBRARY_OUTPUT_DIRECTORY ${folder})
  target_compile_features(weft_fftw_${name} PRIVATE cxx_std_20)
  weft_compile(weft_fftw_${name})
  weft_add_rank_tests(fftw_${name} 120 "weft_fftw_behind_tests;--gtest_filter=${suite}.*" ${ARGN})
  foreach(ranks IN LISTS ARGN)
    set_property(TEST fftw_${name}_${ranks} APPEND PROPERTY ENVIRONMENT_MODIFICATION
                                                            "LD_LIBRARY_PATH=path_list_prepend:${folder}")
  endforeach()
endfunction()
if(UNIX AND NOT APPLE)
  weft_add_stand_in(one_rank FftwBehindOneRank 2)
  target_link_libraries(weft_fftw_one_rank PRIVATE FFTW::double MPI::MPI_CXX)
  weft_add_stand_in(foreign FftwBehindNone 1 3)
endif()

find_library(WEFT_FFTW_OWN_MPI fftw3_mpi)
mark_as_advanced(WEFT_FFTW_OWN_MPI)
if(WEFT_FFTW_OWN_MPI AND WEFT_MPI_NAME STREQUAL "openmpi")
  weft_add_rank_tests(fftw_behind 120 "weft_fftw_behind_tests;--gtest_filter=FftwBehindAllRanks.*" 1 2 4)
endif()
