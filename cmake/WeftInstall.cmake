# cmake --install: library, headers, and the package that find_package(weft) finds.
include(CMakePackageConfigHelpers)
set(weft_package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/weft)

install(TARGETS weft EXPORT weftTargets ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR}
                                        LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}
                                        RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
install(TARGETS weft_fftw3_mpi weft_flups EXPORT weftTargets LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(FILES ${PROJECT_SOURCE_DIR}/include/weft.h DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(DIRECTORY ${PROJECT_SOURCE_DIR}/include/weft DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(DIRECTORY ${PROJECT_SOURCE_DIR}/machines DESTINATION ${CMAKE_INSTALL_DATADIR}/weft)
install(EXPORT weftTargets NAMESPACE weft:: DESTINATION ${weft_package_dir})
if(WEFT_HAS_FORTRAN)
  # Apart, for a program without Fortran need not find an MPI for Fortran.
  install(TARGETS weft_fortran EXPORT weftFortranTargets ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR}
                                                         LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
  install(EXPORT weftFortranTargets NAMESPACE weft:: DESTINATION ${weft_package_dir})
  install(DIRECTORY ${PROJECT_BINARY_DIR}/fortran/ DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/weft/fortran
          FILES_MATCHING PATTERN "*.mod")
endif()
configure_package_config_file(${PROJECT_SOURCE_DIR}/cmake/weftConfig.cmake.in ${PROJECT_BINARY_DIR}/weftConfig.cmake
                              INSTALL_DESTINATION ${weft_package_dir} NO_SET_AND_CHECK_MACRO)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/weftConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/weftConfig.cmake ${PROJECT_BINARY_DIR}/weftConfigVersion.cmake
              ${PROJECT_SOURCE_DIR}/cmake/FindFFTW.cmake ${PROJECT_SOURCE_DIR}/cmake/FindParallelHDF5.cmake
        DESTINATION ${weft_package_dir})
include(WeftPkgConfig)
