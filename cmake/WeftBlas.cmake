# Which BLAS tensor transforms load when they first need one. It is not linked: the library chooses the kernel for the
# processor before it loads it, and the variable WEFT_BLAS of the environment may name another file.
set(WEFT_BLAS openblas CACHE STRING "The BLAS of tensor transforms: openblas or mkl")
set_property(CACHE WEFT_BLAS PROPERTY STRINGS openblas mkl)
if(WEFT_BLAS STREQUAL "openblas")
  # Debian's variant for one thread (openblas-serial) must not be called by several: the one with threads is told to
  # start none.
  find_library(WEFT_BLAS_LIBRARY NAMES libopenblas.so.0 openblas PATH_SUFFIXES openblas-pthread openblas-openmp
               DOC "The BLAS of tensor transforms")
  weft_need("${WEFT_BLAS_LIBRARY}" "OpenBLAS" libopenblas-dev openblas none)
elseif(WEFT_BLAS STREQUAL "mkl")
  find_library(WEFT_BLAS_LIBRARY NAMES libmkl_rt.so.2 mkl_rt HINTS $ENV{MKLROOT} PATH_SUFFIXES lib lib/intel64
               DOC "The BLAS of tensor transforms")
  weft_need("${WEFT_BLAS_LIBRARY}" "MKL, which WEFT_BLAS names" intel-mkl mkl-devel mkl)
else()
  message(FATAL_ERROR "WEFT_BLAS=${WEFT_BLAS} is unknown: give openblas (the default) or mkl.")
endif()
mark_as_advanced(WEFT_BLAS_LIBRARY)
