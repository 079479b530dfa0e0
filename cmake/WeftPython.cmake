# Python and nanobind for the module weft._core.
find_package(Python 3.10 QUIET COMPONENTS Interpreter Development.Module ${SKBUILD_SABI_COMPONENT})
weft_need("${Python_FOUND}" "Python 3.10 or newer with its headers" python3-dev python none)
set(weft_nanobind_place "")
if(Python_Interpreter_FOUND)
  set(weft_nanobind_place " in ${Python_EXECUTABLE}")
  execute_process(COMMAND ${Python_EXECUTABLE} -m nanobind --cmake_dir OUTPUT_VARIABLE weft_nanobind_dir
                  OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
endif()
weft_need("${weft_nanobind_dir}" "nanobind${weft_nanobind_place}" none nanobind nanobind)
# It stops CMake where Python's headers are missing, and asks the compiler.
if(weft_nanobind_dir AND Python_FOUND AND weft_has_compilers)
  find_package(nanobind CONFIG REQUIRED PATHS ${weft_nanobind_dir} NO_DEFAULT_PATH NO_CMAKE_FIND_ROOT_PATH)
endif()
