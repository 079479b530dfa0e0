// A stand-in for FFTW's MPI library that was built for another MPI: it finds its MPI elsewhere, and must not be called.
#include <cstdlib>

extern "C" {

int PMPI_Comm_rank(void*, int*) { std::abort(); }
void fftw_mpi_init() { std::abort(); }
void* fftw_mpi_plan_many_dft() { std::abort(); }

}  // extern "C"
