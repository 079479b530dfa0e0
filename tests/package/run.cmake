# Installs the build tree BUILD_DIR into a scratch prefix, and makes and runs programs against it: the first ones of
# docs/cpp.md, c.md and fortran.md with one command each, compiler and pkg-config, and C and Fortran also through
# find_package(weft). Another MPI is refused.
set(scratch ${BUILD_DIR}/package-test)
set(docs ${CMAKE_CURRENT_LIST_DIR}/../../docs)
file(REMOVE_RECURSE ${scratch})

# In the scratch folder, so that flags have paths from there: that of the build tree may have blanks.
function(run)
  execute_process(COMMAND ${ARGN} WORKING_DIRECTORY ${scratch} RESULT_VARIABLE result OUTPUT_VARIABLE text
                  ERROR_VARIABLE text)
  message(STATUS "${ARGN}\n${text}")
  if(NOT result EQUAL 0)
    message(FATAL_ERROR "failed with ${result}: ${ARGN}")
  endif()
endfunction()

# refused(WORDS COMMAND...): it fails, with words that match.
function(refused words)
  execute_process(COMMAND ${ARGN} WORKING_DIRECTORY ${scratch} RESULT_VARIABLE result OUTPUT_VARIABLE text
                  ERROR_VARIABLE text)
  string(REGEX REPLACE "[ \n]+" " " text "${text}")
  if(result EQUAL 0 OR NOT text MATCHES "${words}")
    message(FATAL_ERROR "has to be refused with '${words}': ${ARGN}\n${result}: ${text}")
  endif()
endfunction()

# The first program of docs/LANGUAGE.md, between the marks of the language.
function(extract language file)
  file(READ ${docs}/${language}.md text)
  string(FIND "${text}" "```${language}\n" begin)
  if(begin EQUAL -1)
    message(FATAL_ERROR "docs/${language}.md has no program")
  endif()
  string(LENGTH "```${language}\n" mark)
  math(EXPR begin "${begin} + ${mark}")
  string(SUBSTRING "${text}" ${begin} -1 text)
  string(FIND "${text}" "```" end)
  string(SUBSTRING "${text}" 0 ${end} text)
  file(WRITE ${file} "${text}")
endfunction()

# page_program(LANGUAGE FILE PACKAGE COMPILER [FLAG...]): one command makes it, and it runs on 1 and 2 ranks.
function(page_program language file package compiler)
  if(NOT compiler)
    message(STATUS "no compiler for ${language}: ${file} is left out")
    return()
  endif()
  extract(${language} ${scratch}/${file})
  string(REPLACE ";" " " flags "${ARGN}")
  run(${CMAKE_COMMAND} -E env ${pkg_config_path} sh -c
      "${compiler} ${FLAGS} ${file} $(pkg-config --cflags --libs ${package}) ${flags} -o ${file}.run")
  foreach(ranks 1 2)
    run(${CMAKE_COMMAND} -E env ${MPI_ENV} ${MPIEXEC} ${MPI_FLAGS} -n ${ranks} ${scratch}/${file}.run)
  endforeach()
endfunction()

file(MAKE_DIRECTORY ${scratch})
set(pkg_config_path PKG_CONFIG_PATH=prefix/${LIBDIR}/pkgconfig)
run(${CMAKE_COMMAND} --install ${BUILD_DIR} --config ${CONFIG} --prefix ${scratch}/prefix)
file(GLOB flups_link ${scratch}/prefix/${LIBDIR}/weft/libflups.*)
if(NOT EXISTS "${flups_link}")
  message(FATAL_ERROR "no library of FLUPS's name: '${flups_link}'")
endif()
page_program(cpp example.cpp weft "${MPICXX}")
page_program(c example.c weft-c "${MPICC}" -lm)
page_program(fortran example.f90 weft-fortran "${MPIFORT}")

# Without pkg-config, and with other libraries of the same names before those that weft was built with.
foreach(decoy libfftw3.so libfftw3f.so libhdf5.so)
  file(WRITE ${scratch}/decoys/${decoy} "")
endforeach()
set(configure ${CMAKE_COMMAND} -S ${CMAKE_CURRENT_LIST_DIR} -G ${GENERATOR} -DCMAKE_PREFIX_PATH=${scratch}/prefix
    -DCMAKE_C_COMPILER=${C} -DCMAKE_CXX_COMPILER=${CXX} -DCMAKE_BUILD_TYPE=${CONFIG} "-DCMAKE_C_FLAGS=${FLAGS}"
    "-DCMAKE_CXX_FLAGS=${FLAGS}" "-DPROGRAM_FOLDER=${scratch}" "-DWITH_FORTRAN=${MPIFORT}"
    -DCMAKE_DISABLE_FIND_PACKAGE_PkgConfig=ON "-DCMAKE_LIBRARY_PATH=${scratch}/decoys")
run(${configure} -B ${scratch}/build)
run(${CMAKE_COMMAND} --build ${scratch}/build --config ${CONFIG})
run(${CMAKE_COMMAND} -E env ${MPI_ENV} ${scratch}/build/example)
run(${CMAKE_COMMAND} -E env ${MPI_ENV} ${scratch}/build/example_c)
run(${CMAKE_COMMAND} -E env ${MPI_ENV} ${scratch}/build/example_flups)
if(MPIFORT)
  run(${CMAKE_COMMAND} -E env ${MPI_ENV} ${scratch}/build/example_fortran)
endif()

# The MPI that weft was built with, and the other one: what their mpi.h is called in messages.
set(spoken_mpich MPICH)
set(spoken_openmpi "Open MPI")
set(other mpich)
if(MPI_NAME STREQUAL "mpich")
  set(other openmpi)
endif()
if(DEFINED spoken_${MPI_NAME})
  # A library of the other MPI has the same flags but for its name.
  refused("Weft was built for ${spoken_${other}}, and this mpi.h is ${spoken_${MPI_NAME}}'s" ${CMAKE_COMMAND} -E env
          ${pkg_config_path} sh -c
          "${MPICC} -c example.c $(pkg-config --cflags weft-c | sed s/WEFT_MPI_${MPI_NAME}/WEFT_MPI_${other}/)")
  find_program(other_mpicxx mpicxx.${other})
  if(other_mpicxx)
    refused("this weft was built with ${MPI_NAME}, and the MPI that was found is another one" ${configure}
            -B ${scratch}/refused -DMPI_CXX_COMPILER=${other_mpicxx})
  else()
    message(STATUS "no mpicxx.${other}: that find_package(weft) refuses it is left out")
  endif()
endif()
