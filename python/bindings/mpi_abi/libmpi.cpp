// A library that is called libmpi.so.12, as MPICH is everywhere but on Debian, and does nothing but bring Debian's
// MPICH, libmpich.so.12: mpi4py's wheels look for that name. Both have the same binary interface.
#include <mpi.h>

// A reference, without which the linker would leave MPICH out.
extern "C" int weft_brings_mpich() { return MPI_Init(nullptr, nullptr); }
