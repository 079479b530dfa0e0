# Installs the build tree BUILD_DIR into a scratch prefix, and makes and runs programs against it: those of README.md
# with one command each, compiler and pkg-config, and all of them through find_package(weft).
set(scratch ${BUILD_DIR}/package-test)
set(readme ${CMAKE_CURRENT_LIST_DIR}/../../README.md)
file(REMOVE_RECURSE ${scratch})

function(run)
  execute_process(COMMAND ${ARGN} RESULT_VARIABLE result OUTPUT_VARIABLE text ERROR_VARIABLE text)
  message(STATUS "${ARGN}\n${text}")
  if(NOT result EQUAL 0)
    message(FATAL_ERROR "failed with ${result}: ${ARGN}")
  endif()
endfunction()

# The program between the marks of a language in README.md.
function(extract language file)
  file(READ ${readme} text)
  string(FIND "${text}" "```${language}\n" begin)
  if(begin EQUAL -1)
    message(FATAL_ERROR "README.md has no program in ${language}")
  endif()
  string(LENGTH "```${language}\n" mark)
  math(EXPR begin "${begin} + ${mark}")
  string(SUBSTRING "${text}" ${begin} -1 text)
  string(FIND "${text}" "```" end)
  string(SUBSTRING "${text}" 0 ${end} text)
  file(WRITE ${file} "${text}")
endfunction()

# readme_program(LANGUAGE FILE PACKAGE COMPILER [FLAG...]): one command makes it, and it runs on 1 and 2 ranks.
function(readme_program language file package compiler)
  if(NOT compiler)
    message(STATUS "no compiler for ${language}: ${file} is left out")
    return()
  endif()
  extract(${language} ${scratch}/${file})
  string(REPLACE ";" " " flags "${ARGN}")
  run(${CMAKE_COMMAND} -E env PKG_CONFIG_PATH=${scratch}/prefix/${LIBDIR}/pkgconfig sh -c
      "cd ${scratch} && ${compiler} ${FLAGS} ${file} $(pkg-config --cflags --libs ${package}) ${flags} -o ${file}.run")
  foreach(ranks 1 2)
    run(${CMAKE_COMMAND} -E env ${MPI_ENV} ${MPIEXEC} ${MPI_FLAGS} -n ${ranks} ${scratch}/${file}.run)
  endforeach()
endfunction()

run(${CMAKE_COMMAND} --install ${BUILD_DIR} --config ${CONFIG} --prefix ${scratch}/prefix)
readme_program(cpp example.cpp weft "${MPICXX}")
readme_program(c example.c weft-c "${MPICC}" -lm)
readme_program(fortran example.f90 weft-fortran "${MPIFORT}")

run(${CMAKE_COMMAND} -S ${CMAKE_CURRENT_LIST_DIR} -B ${scratch}/build -G ${GENERATOR} -DCMAKE_PREFIX_PATH=${scratch}/prefix
    -DCMAKE_C_COMPILER=${C} -DCMAKE_CXX_COMPILER=${CXX} -DCMAKE_BUILD_TYPE=${CONFIG} "-DCMAKE_C_FLAGS=${FLAGS}"
    "-DCMAKE_CXX_FLAGS=${FLAGS}" "-DPROGRAM_FOLDER=${scratch}" "-DWITH_FORTRAN=${MPIFORT}")
run(${CMAKE_COMMAND} --build ${scratch}/build --config ${CONFIG})
run(${CMAKE_COMMAND} -E env ${MPI_ENV} ${scratch}/build/example)
run(${CMAKE_COMMAND} -E env ${MPI_ENV} ${scratch}/build/example_c)
if(MPIFORT)
  run(${CMAKE_COMMAND} -E env ${MPI_ENV} ${scratch}/build/example_fortran)
endif()
