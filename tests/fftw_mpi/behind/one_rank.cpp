// A stand-in for FFTW's MPI library on communicators of one rank: there its plans are FFTW's serial ones, which
// compute. Like the library it makes plans only after fftw_mpi_init.
#include <fftw3.h>
#include <mpi.h>

#include <cstddef>
#include <vector>

namespace {
bool is_begun = false;

std::vector<int> as_ints(int rank, const std::ptrdiff_t* n) { return {n, n + rank}; }
}  // namespace

extern "C" {

// The arrays of plans of MPI transforms have a function of their own, whose calls are counted.
int weft_executions = 0;

void fftw_mpi_init() { is_begun = true; }
void fftw_mpi_cleanup() {
  is_begun = false;
  fftw_cleanup();
}

fftw_plan fftw_mpi_plan_many_dft(int rank, const std::ptrdiff_t* n, std::ptrdiff_t howmany, std::ptrdiff_t,
                                 std::ptrdiff_t, fftw_complex* in, fftw_complex* out, MPI_Comm comm, int sign,
                                 unsigned flags) {
  int ranks = 0;
  MPI_Comm_size(comm, &ranks);
  if (!is_begun || ranks != 1) return nullptr;
  const int count = static_cast<int>(howmany);
  return fftw_plan_many_dft(rank, as_ints(rank, n).data(), count, in, nullptr, count, 1, out, nullptr, count, 1, sign,
                            flags);
}
void fftw_mpi_execute_dft(fftw_plan plan, fftw_complex* in, fftw_complex* out) {
  weft_executions++;
  fftw_execute_dft(plan, in, out);
}

std::ptrdiff_t fftw_mpi_local_size_many(int rank, const std::ptrdiff_t* n, std::ptrdiff_t howmany, std::ptrdiff_t,
                                        MPI_Comm, std::ptrdiff_t* local_n0, std::ptrdiff_t* first_0) {
  *local_n0 = n[0];
  *first_0 = 0;
  std::ptrdiff_t numbers = howmany;
  for (int axis = 0; axis < rank; axis++) numbers *= n[axis];
  return numbers;
}

}  // extern "C"
