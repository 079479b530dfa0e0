# The compilers of C++ and C. One that is missing is told with everything else that is missing, so CMake enables the
# languages only when both are there. Sets weft_has_compilers.
set(weft_has_compilers ON)

# weft_find_compiler(LANGUAGE SPOKEN VARIABLE NAME...): finds the program that CMake would take, which the VARIABLE of the
# environment may name. pip's builds set it to the compiler that Python was built with.
macro(weft_find_compiler language spoken variable)
  set(weft_names ${ARGN})
  set(weft_named "")
  if(NOT "$ENV{${variable}}" STREQUAL "")
    separate_arguments(weft_names UNIX_COMMAND "$ENV{${variable}}")
    list(GET weft_names 0 weft_names)
    set(weft_named " (${variable} is ${weft_names}, which is not there; set it to yours if you have one)")
  endif()
  if(NOT DEFINED CMAKE_${language}_COMPILER)
    find_program(WEFT_${language}_PROGRAM NAMES ${weft_names} DOC "The compiler of ${language}")
    mark_as_advanced(WEFT_${language}_PROGRAM)
    weft_need("${WEFT_${language}_PROGRAM}" "a ${spoken} compiler${weft_named}" g++ gxx none)
    if(NOT WEFT_${language}_PROGRAM)
      set(weft_has_compilers OFF)
    endif()
  endif()
endmacro()

weft_find_compiler(CXX C++ CXX c++ CC g++ icpx clang++ xlC)
weft_find_compiler(C C CC cc gcc icx clang xlc) # FindHDF5 asks it
if(weft_has_compilers)
  enable_language(C)
  enable_language(CXX)
else()
  # The compiler would say where Debian keeps libraries.
  file(GLOB CMAKE_LIBRARY_ARCHITECTURE RELATIVE /usr/lib /usr/lib/${CMAKE_HOST_SYSTEM_PROCESSOR}-linux-gnu*)
endif()
