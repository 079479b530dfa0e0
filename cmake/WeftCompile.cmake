# How every target of Weft is compiled: warnings, sanitisers, and -O3 in Release.
if(CMAKE_CXX_COMPILER_ID MATCHES "GNU|Clang")
  set(CMAKE_CXX_FLAGS_RELEASE "-O3 -DNDEBUG" CACHE STRING "Flags of the Release build")
endif()

function(weft_compile target)
  target_compile_options(${target} PRIVATE -Wall -Wextra -Wpedantic -Wconversion)
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
    # GCC 12 misreads inlined std::string and std::vector (bug 105651 and its kin): "text" + string "overlaps", filling
    # a vector of known small size "overflows".
    target_compile_options(${target} PRIVATE "$<$<COMPILE_LANGUAGE:CXX>:-Wno-restrict;-Wno-stringop-overflow>")
  endif()
  if(CMAKE_Fortran_COMPILER_ID STREQUAL "GNU")
    # gfortran takes the descriptor of an allocatable that is assigned to for uninitialised.
    target_compile_options(
      ${target} PRIVATE "$<$<COMPILE_LANGUAGE:Fortran>:-std=f2018;-Wno-uninitialized;-Wno-maybe-uninitialized>")
  endif()
  if(WEFT_WERROR)
    target_compile_options(${target} PRIVATE -Werror)
  endif()
  if(WEFT_SANITIZE)
    target_compile_options(${target} PRIVATE -fsanitize=address,undefined -fno-sanitize-recover=all
                                             -fno-omit-frame-pointer)
    target_link_options(${target} PUBLIC -fsanitize=address,undefined)
  endif()
endfunction()

# weft_precompile(TARGET HEADER...): these headers, and those that most files include, are read once for the target: half of the
# time that it takes to compile. Every file includes what it needs all the same; the linters go without.
function(weft_precompile target)
  target_precompile_headers(${target} PRIVATE <algorithm> <array> <cmath> <complex> <functional> <map> <memory> <numbers>
                                              <numeric> <optional> <string> <utility> <vector> ${ARGN})
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    target_compile_options(${target} PRIVATE -fpch-preprocess) # what ccache needs for it
  endif()
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
    target_compile_options(${target} PRIVATE -Wno-array-bounds) # misread as in weft_compile
  endif()
endfunction()
