# How every target of Weft is compiled: warnings, sanitisers, and -O3 in Release.
if(CMAKE_CXX_COMPILER_ID MATCHES "GNU|Clang")
  set(CMAKE_CXX_FLAGS_RELEASE "-O3 -DNDEBUG" CACHE STRING "Flags of the Release build")
endif()

# What WEFT_SANITIZE asks for, in weft_sanitizers as -fsanitize takes it; empty without.
set(weft_sanitizers "")
if(WEFT_SANITIZE STREQUAL "thread")
  set(weft_sanitizers thread)
elseif(WEFT_SANITIZE STREQUAL "address" OR WEFT_SANITIZE STREQUAL "ON")
  set(weft_sanitizers address,undefined)
elseif(WEFT_SANITIZE)
  message(FATAL_ERROR "WEFT_SANITIZE=${WEFT_SANITIZE} is unknown: give OFF, address (with undefined behaviour) or thread.")
endif()

# weft_compile(TARGET [PLAIN]): PLAIN without sanitisers, for what is loaded before a program.
function(weft_compile target)
  target_compile_options(${target} PRIVATE -Wall -Wextra -Wpedantic -Wconversion)
  if(CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
    target_compile_options(${target} PRIVATE -Wno-sign-conversion) # is no part of -Wconversion with GCC in C++
  endif()
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
  if(weft_sanitizers AND NOT "PLAIN" IN_LIST ARGN)
    target_compile_options(${target} PRIVATE -fsanitize=${weft_sanitizers} -fno-sanitize-recover=all
                                             -fno-omit-frame-pointer)
    target_link_options(${target} PUBLIC -fsanitize=${weft_sanitizers})
  endif()
  # The lane kernels are not counted: what is inlined into one another there takes minutes for each file, and runs slowly.
  if(WEFT_COVERAGE AND target MATCHES "^weft(_small|_python|_fortran_glue)?$")
    target_compile_options(${target} PRIVATE "$<$<COMPILE_LANGUAGE:CXX>:--coverage>"
                                             "$<$<AND:$<CONFIG:Release>,$<COMPILE_LANGUAGE:CXX>>:-O1>"
                                             "$<$<AND:$<COMPILE_LANGUAGE:CXX>,$<CXX_COMPILER_ID:GNU>>:-fprofile-abs-path>")
    target_link_options(${target} PUBLIC --coverage)
  endif()
endfunction()

# weft_compile_kernels_quickly(TARGET): for builds that look at what is computed, not at how fast. With every function inlined in
# every other, as kernels are made for, optimising takes 2 to 6 minutes a file, and checks of each access ten minutes and 5 GB.
# Nothing is inlined here, and the address sanitiser checks by calls: 10 s.
function(weft_compile_kernels_quickly target)
  # Without optimisation clang fuses multiplications and additions within an expression alone: some ways to transform a line would
  # have them fused and others not, and give other bits. None is.
  target_compile_options(${target} PRIVATE -O0 -ffp-contract=off -Dalways_inline=unused)
  if(CMAKE_CXX_COMPILER_ID MATCHES "Clang")
    target_compile_options(${target} PRIVATE -Wno-psabi "SHELL:-mllvm -asan-instrumentation-with-call-threshold=0")
  else()
    target_compile_options(${target} PRIVATE -Wno-psabi -Wno-attributes
                                             "SHELL:--param asan-instrumentation-with-call-threshold=0")
  endif()
endfunction()

# weft_precompile(TARGET HEADER...): these headers, and those that most files include, are read once for the target: half of the
# time that it takes to compile. Every file includes what it needs all the same; the linters go without.
function(weft_precompile target)
  target_precompile_headers(${target} PRIVATE <algorithm> <array> <cmath> <complex> <functional> <map> <memory> <numbers>
                                              <numeric> <optional> <string> <utility> <vector> ${ARGN})
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    target_compile_options(${target} PRIVATE -fpch-preprocess) # what ccache needs for it
  elseif(CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
    target_compile_options(${target} PRIVATE "SHELL:-Xclang -fno-pch-timestamp") # the same
  endif()
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
    target_compile_options(${target} PRIVATE -Wno-array-bounds) # misread as in weft_compile
  endif()
endfunction()

# weft_unite(TARGET): files of one folder are compiled as one, up to six together, since half of the time goes into what
# their headers define. Names in the unnamed namespaces of a folder must differ. -DWEFT_UNITE=OFF compiles each file alone.
function(weft_unite target)
  if(NOT WEFT_UNITE)
    return()
  endif()
  set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    target_compile_options(${target} PRIVATE -Wno-subobject-linkage) # takes these sources for headers
  endif()
  get_target_property(sources ${target} SOURCES)
  list(FILTER sources INCLUDE REGEX "\\.cpp$")
  foreach(source IN LISTS sources)
    cmake_path(ABSOLUTE_PATH source NORMALIZE OUTPUT_VARIABLE folder)
    cmake_path(RELATIVE_PATH folder BASE_DIRECTORY ${PROJECT_SOURCE_DIR})
    cmake_path(GET folder PARENT_PATH folder)
    string(MAKE_C_IDENTIFIER "${folder}" folder)
    math(EXPR count "0${count_${folder}} + 1")
    set(count_${folder} ${count})
    math(EXPR part "(${count} - 1) / 6")
    set_source_files_properties(${source} PROPERTIES UNITY_GROUP ${folder}_${part})
  endforeach()
endfunction()
