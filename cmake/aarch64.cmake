# The toolchain of the preset aarch64: Debian's cross compiler, the libraries of a folder that tools/arm-sysroot makes, and
# qemu for programs that run while or after something is built.
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR aarch64)
set(CMAKE_LIBRARY_ARCHITECTURE aarch64-linux-gnu)
set(WEFT_SYSROOT ${CMAKE_CURRENT_LIST_DIR}/../build-arm/sysroot CACHE PATH "Libraries and headers for AArch64")
set(CMAKE_TRY_COMPILE_PLATFORM_VARIABLES WEFT_SYSROOT)
get_filename_component(CMAKE_SYSROOT ${WEFT_SYSROOT} ABSOLUTE)
set(CMAKE_C_COMPILER aarch64-linux-gnu-gcc)
set(CMAKE_CXX_COMPILER aarch64-linux-gnu-g++)
set(CMAKE_CROSSCOMPILING_EMULATOR qemu-aarch64 -L ${CMAKE_SYSROOT})

set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_PACKAGE ONLY)
set(ENV{PKG_CONFIG_SYSROOT_DIR} ${CMAKE_SYSROOT})
set(ENV{PKG_CONFIG_LIBDIR} ${CMAKE_SYSROOT}/usr/lib/aarch64-linux-gnu/pkgconfig:${CMAKE_SYSROOT}/usr/share/pkgconfig)

# The wrappers of MPI would answer for the system that builds: what they say of the other one is said here.
foreach(language C CXX)
  set(MPI_${language}_COMPILER_INCLUDE_DIRS ${CMAKE_SYSROOT}/usr/include/aarch64-linux-gnu/mpich CACHE STRING "Folder of mpi.h")
  set(MPI_${language}_LIB_NAMES mpich CACHE STRING "Libraries of MPI")
endforeach()
set(MPI_mpich_LIBRARY ${CMAKE_SYSROOT}/usr/lib/aarch64-linux-gnu/libmpich.so CACHE FILEPATH "MPICH")
