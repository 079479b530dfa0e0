// Times pairs of transforms of FFTW's MPI interface, forward and backward, in place in an array of fftw_malloc, with
// modes cut as the points are: the fastest of some turns for every number of points along an axis that is given. The
// status is 1 if the numbers do not come back.
#include <fftw3-mpi.h>
#include <mpi.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdio>
#include <cstdlib>

namespace {

enum class Kind { real, complex };

/// A cube in an array of this rank, and its plans.
class Cube {
 public:
  Cube(std::ptrdiff_t n, Kind kind) : n_(n), row_(kind == Kind::real ? 2 * (n / 2 + 1) : 2 * n), kind_(kind) {
    std::ptrdiff_t first = 0;
    const std::ptrdiff_t room = fftw_mpi_local_size_3d(n, n, row_ / 2, MPI_COMM_WORLD, &planes_, &first);
    data_ = fftw_alloc_real(static_cast<std::size_t>(2 * room));
    auto* numbers = reinterpret_cast<fftw_complex*>(data_);
    const bool real = kind == Kind::real;
    const MPI_Comm all = MPI_COMM_WORLD;
    there_ = real ? fftw_mpi_plan_dft_r2c_3d(n, n, n, data_, numbers, all, FFTW_ESTIMATE)
                  : fftw_mpi_plan_dft_3d(n, n, n, numbers, numbers, all, FFTW_FORWARD, FFTW_ESTIMATE);
    back_ = real ? fftw_mpi_plan_dft_c2r_3d(n, n, n, numbers, data_, all, FFTW_ESTIMATE)
                 : fftw_mpi_plan_dft_3d(n, n, n, numbers, numbers, all, FFTW_BACKWARD, FFTW_ESTIMATE);
  }
  ~Cube() {
    fftw_destroy_plan(there_);
    fftw_destroy_plan(back_);
    fftw_free(data_);
  }
  Cube(const Cube&) = delete;
  Cube& operator=(const Cube&) = delete;

  /// Seconds of a pair, of the slowest rank; `worst` is how far a number is from what it was.
  double pair(double& worst) {
    for_each([](double& value, double point) { value = point; });
    MPI_Barrier(MPI_COMM_WORLD);
    double seconds = -MPI_Wtime();
    fftw_execute(there_);
    fftw_execute(back_);
    seconds += MPI_Wtime();
    const double scale = 1 / static_cast<double>(n_ * n_ * n_);
    for_each([&](double& value, double point) { worst = std::max(worst, std::abs(value * scale - point)); });
    double found[] = {seconds, worst};
    MPI_Allreduce(MPI_IN_PLACE, found, 2, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    worst = found[1];
    return found[0];
  }

 private:
  /// Calls visit(number, what it is at the beginning) for all numbers but those after the rows.
  template <class Visit>
  void for_each(const Visit& visit) {
    const std::ptrdiff_t used = kind_ == Kind::real ? n_ : row_;
    for (std::ptrdiff_t i = 0; i < planes_ * n_; i++)
      for (std::ptrdiff_t k = 0; k < used; k++) visit(data_[i * row_ + k], static_cast<double>((i * 31 + k) % 97) / 97);
  }

  std::ptrdiff_t n_, row_, planes_ = 0;
  Kind kind_;
  double* data_ = nullptr;
  fftw_plan there_ = nullptr, back_ = nullptr;
};

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  fftw_mpi_init();
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  double worst = 0;
  for (int argument = 1; argument < argc; argument++) {
    const auto n = static_cast<std::ptrdiff_t>(std::atol(argv[argument]));
    for (const Kind kind : {Kind::real, Kind::complex}) {
      Cube cube(n, kind);
      double least = cube.pair(worst), all = least;
      for (int turn = 0; turn < 5 || (turn < 200 && all < 0.3); turn++) {
        const double seconds = cube.pair(worst);
        least = std::min(least, seconds);
        all += seconds;
      }
      if (rank == 0) std::printf("%td^3 %s: %.3f ms a pair\n", n, kind == Kind::real ? "r2c, c2r" : "c2c", 1e3 * least);
    }
  }
  MPI_Finalize();
  // Two transforms round by some epsilons of the numbers, which are below 1, each.
  return worst < 1e-13 ? 0 : 1;
}
