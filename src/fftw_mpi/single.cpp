// FFTW's MPI interface in single precision.
#include <cstdio>
#include <cstdlib>
#include <string>

#include "fftw_mpi/handle.hpp"
#include "fftw_mpi/memory.hpp"
#include "fftw_mpi/serial.hpp"
#include "fftw_mpi/wisdom.hpp"
#include "weft/fftw/fftw3-mpi.h"

#define X(name) fftwf_##name
#define R float
#define C fftwf_complex
#include "fftw_mpi/interface.inc"
// Included last, because it calls the functions above.
#include "fftw_mpi/fortran.inc"
