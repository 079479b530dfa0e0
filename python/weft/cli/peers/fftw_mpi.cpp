// FFTW's own MPI transform, timed for `weft bench fft --peers fftw-mpi`: in place, transposed, FFTW_MEASURE.
//
// usage: fftw_mpi FOLDER TAG KIND REPEATS NX NY NZ     KIND is r2c or c2c
// Speaks one JSON object a line on stdout: one when planned, one for every round, one at the end. Round K starts when
// the file FOLDER/TAG.K appears, the end when FOLDER/stop does; until then every rank sleeps, so that a program that is
// timed in turns with this one has the machine for itself.
#include <fftw3-mpi.h>
#include <mpi.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <string>
#include <vector>

namespace {

int rank() {
  int value = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &value);
  return value;
}

double largest(double value) {
  MPI_Allreduce(MPI_IN_PLACE, &value, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  return value;
}

bool exists(const std::string& path) { return access(path.c_str(), F_OK) == 0; }

/// Peak resident memory of this process in bytes.
double peak_bytes() {
  std::ifstream status("/proc/self/status");
  std::string line;
  while (std::getline(status, line)) {
    if (line.rfind("VmHWM:", 0) == 0) return std::strtod(line.c_str() + 6, nullptr) * 1024;
  }
  return 0;
}

/// One array in place, and the plans of both directions.
class Transform {
 public:
  Transform(bool real, ptrdiff_t nx, ptrdiff_t ny, ptrdiff_t nz)
      : real_(real), nz_(nz), modes_(real ? nz / 2 + 1 : nz), rows_(ny), scale_(static_cast<double>(nx * ny * nz)) {
    const ptrdiff_t complex_shape[] = {nx, ny, modes_};
    ptrdiff_t first = 0, transposed_first = 0;
    allocated_ = fftw_mpi_local_size_transposed(3, complex_shape, MPI_COMM_WORLD, &planes_, &first, &transposed_planes_,
                                                &transposed_first);
    data_ = fftw_alloc_complex(static_cast<std::size_t>(std::max<ptrdiff_t>(allocated_, 1)));
    auto* reals = reinterpret_cast<double*>(data_);
    const unsigned out = FFTW_MEASURE | FFTW_MPI_TRANSPOSED_OUT, in = FFTW_MEASURE | FFTW_MPI_TRANSPOSED_IN;
    if (real_) {
      forward_ = fftw_mpi_plan_dft_r2c_3d(nx, ny, nz, reals, data_, MPI_COMM_WORLD, out);
      backward_ = fftw_mpi_plan_dft_c2r_3d(nx, ny, nz, data_, reals, MPI_COMM_WORLD, in);
    } else {
      forward_ = fftw_mpi_plan_dft_3d(nx, ny, nz, data_, data_, MPI_COMM_WORLD, FFTW_FORWARD, out);
      backward_ = fftw_mpi_plan_dft_3d(nx, ny, nz, data_, data_, MPI_COMM_WORLD, FFTW_BACKWARD, in);
    }
  }
  ~Transform() {
    fftw_destroy_plan(forward_);
    fftw_destroy_plan(backward_);
    fftw_free(data_);
  }
  Transform(const Transform&) = delete;
  Transform& operator=(const Transform&) = delete;

  void fill() {
    std::srand(static_cast<unsigned>(1 + rank()));
    for (ptrdiff_t i = 0; i < reals(); ++i) data()[i] = std::rand() / static_cast<double>(RAND_MAX);
  }

  void pair() {
    fftw_execute(forward_);
    fftw_execute(backward_);
  }

  /// Largest absolute difference after a forward and a backward transform, over all ranks.
  double error() {
    fill();
    const std::vector<double> before(data(), data() + reals());
    pair();
    double worst = 0;
    const ptrdiff_t row = real_ ? 2 * modes_ : 2 * nz_, used = real_ ? nz_ : 2 * nz_;
    for (ptrdiff_t i = 0; i < reals(); ++i) {
      // In-place rows of reals carry padding at their end.
      if (i % row < used) worst = std::max(worst, std::abs(data()[i] / scale_ - before[static_cast<std::size_t>(i)]));
    }
    return largest(worst);
  }

  /// Bytes that the rank which sends most sends in both directions together.
  double bytes_sent() const {
    return largest(2.0 * sizeof(fftw_complex) * static_cast<double>(planes_ * (rows_ - transposed_planes_) * modes_));
  }

 private:
  double* data() { return reinterpret_cast<double*>(data_); }
  ptrdiff_t reals() const { return 2 * planes_ * rows_ * modes_; }

  bool real_;
  ptrdiff_t nz_, modes_, rows_, planes_ = 0, transposed_planes_ = 0, allocated_ = 0;
  double scale_;
  fftw_complex* data_ = nullptr;
  fftw_plan forward_ = nullptr, backward_ = nullptr;
};

/// Bytes read and written per second, in GB/s over all ranks, when all copy 64 MB at once; best of 3.
double copy_speed() {
  static std::vector<char> from(std::size_t{64} << 20, 1), to(from.size());
  int ranks = 0;
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  double best = 1e30;
  for (int i = 0; i < 3; ++i) {
    MPI_Barrier(MPI_COMM_WORLD);
    const double start = MPI_Wtime();
    std::memcpy(to.data(), from.data(), from.size());
    best = std::min(best, largest(MPI_Wtime() - start));
  }
  return 2e-9 * static_cast<double>(from.size()) * ranks / best;
}

/// Sleeps until the round starts (true) or the end has come (false).
bool wait_for(const std::string& folder, const std::string& round) {
  while (!exists(folder + "/" + round)) {
    if (!exists(folder) || exists(folder + "/stop")) return false;
    usleep(1000);
  }
  return true;
}

void run_round(Transform& transform, int repeats) {
  std::string seconds;
  transform.fill();
  transform.pair();
  for (int i = 0; i < repeats; ++i) {
    transform.fill();
    MPI_Barrier(MPI_COMM_WORLD);
    const double start = MPI_Wtime();
    transform.pair();
    const double taken = largest(MPI_Wtime() - start);
    char text[32];
    std::snprintf(text, sizeof text, "%s%.9f", i == 0 ? "" : ", ", taken);
    seconds += text;
  }
  const double peak = largest(peak_bytes());
  const double copy = copy_speed();
  if (rank() == 0) {
    std::printf("{\"seconds\": [%s], \"peak_rss_bytes\": %.0f, \"copy_gb_per_s\": %.2f}\n", seconds.c_str(), peak,
                copy);
    std::fflush(stdout);
  }
}

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  fftw_mpi_init();
  if (argc != 8) {
    if (rank() == 0) std::fprintf(stderr, "usage: %s FOLDER TAG r2c|c2c REPEATS NX NY NZ\n", argv[0]);
    MPI_Finalize();
    return 2;
  }
  const std::string folder = argv[1], tag = argv[2];
  {
    Transform transform(std::string(argv[3]) == "r2c", std::atol(argv[5]), std::atol(argv[6]), std::atol(argv[7]));
    const double sent = transform.bytes_sent();
    if (rank() == 0) {
      std::printf(
          "{\"strategy\": \"transposed, in place\", \"threads\": 1, \"workspace_bytes\": null, "
          "\"bytes_sent_per_rank\": %.0f}\n",
          sent);
      std::fflush(stdout);
    }
    for (int round = 0; wait_for(folder, tag + "." + std::to_string(round)); ++round) {
      run_round(transform, std::atoi(argv[4]));
    }
    const double error = transform.error();
    if (rank() == 0) std::printf("{\"error\": %.3e}\n", error);
  }
  MPI_Finalize();
  return 0;
}
