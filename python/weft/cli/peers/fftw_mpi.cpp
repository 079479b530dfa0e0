// FFTW's own MPI transform, timed for `weft bench fft --peers fftw-mpi`: in place, transposed, FFTW_MEASURE, one thread
// a rank. Usage and output: contender.hpp.
#include <fftw3-mpi.h>
#include <mpi.h>

#include "contender.hpp"

namespace {

using contender::Facts;
using contender::Fftw;
using contender::Job;

/// All ranks of MPI_COMM_WORLD.
struct Team {
  int rank() const {
    int value = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &value);
    return value;
  }
  int size() const {
    int value = 0;
    MPI_Comm_size(MPI_COMM_WORLD, &value);
    return value;
  }
  double largest(double value) const {
    MPI_Allreduce(MPI_IN_PLACE, &value, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    return value;
  }
  void barrier() const { MPI_Barrier(MPI_COMM_WORLD); }
};

template <class Real>
struct Planner;

template <>
struct Planner<double> {
  static constexpr auto local_size = fftw_mpi_local_size_3d_transposed;
  static constexpr auto c2c = fftw_mpi_plan_dft_3d;
  static constexpr auto r2c = fftw_mpi_plan_dft_r2c_3d;
  static constexpr auto c2r = fftw_mpi_plan_dft_c2r_3d;
  static constexpr auto r2r = fftw_mpi_plan_r2r_3d;
};

template <>
struct Planner<float> {
  static constexpr auto local_size = fftwf_mpi_local_size_3d_transposed;
  static constexpr auto c2c = fftwf_mpi_plan_dft_3d;
  static constexpr auto r2c = fftwf_mpi_plan_dft_r2c_3d;
  static constexpr auto c2r = fftwf_mpi_plan_dft_c2r_3d;
  static constexpr auto r2r = fftwf_mpi_plan_r2r_3d;
};

/// One array in place, and the plans of both directions.
template <class Real>
class Transform {
 public:
  using Complex = typename Fftw<Real>::Complex;

  explicit Transform(const Job& job) : job_(job) {
    std::ptrdiff_t first = 0, transposed_first = 0;
    // In elements of the spectrum: real ones for the real-to-real kinds, else complex ones.
    const std::ptrdiff_t elements = Planner<Real>::local_size(job.nx, job.ny, job.modes(), MPI_COMM_WORLD, &planes_,
                                                              &first, &transposed_planes_, &transposed_first);
    bytes_ = static_cast<std::size_t>(std::max<std::ptrdiff_t>(elements, 1)) * element_bytes();
    data_ = static_cast<Real*>(Fftw<Real>::alloc(bytes_));
    forward_ = plan(true);
    backward_ = plan(false);
  }
  ~Transform() {
    Fftw<Real>::destroy(forward_);
    Fftw<Real>::destroy(backward_);
    Fftw<Real>::free(data_);
  }
  Transform(const Transform&) = delete;
  Transform& operator=(const Transform&) = delete;

  void fill() { contender::fill(data_, physical_reals(), Team().rank()); }
  void pair() {
    Fftw<Real>::execute(forward_);
    Fftw<Real>::execute(backward_);
  }
  const Real* physical() const { return data_; }
  std::ptrdiff_t row() const { return job_.row(true); }
  std::ptrdiff_t physical_reals() const { return planes_ * job_.ny * row(); }
  Facts facts() const {
    const auto modes_sent = static_cast<double>(planes_ * (job_.ny - transposed_planes_) * job_.modes());
    return {"transposed, in place", 1, static_cast<double>(planes_ * job_.ny * job_.used()) * sizeof(Real),
            static_cast<double>(bytes_), 2 * modes_sent * static_cast<double>(element_bytes())};
  }

 private:
  std::size_t element_bytes() const { return (job_.is_r2r() ? 1 : 2) * sizeof(Real); }

  typename Fftw<Real>::Plan plan(bool forward) const {
    const std::ptrdiff_t nx = job_.nx, ny = job_.ny, nz = job_.nz;
    const unsigned flags = FFTW_MEASURE | (forward ? FFTW_MPI_TRANSPOSED_OUT : FFTW_MPI_TRANSPOSED_IN);
    auto* modes = reinterpret_cast<Complex*>(data_);
    if (job_.is_r2r()) {
      const fftw_r2r_kind kind = job_.r2r_kind(forward);
      return Planner<Real>::r2r(nx, ny, nz, data_, data_, MPI_COMM_WORLD, kind, kind, kind, flags);
    }
    if (job_.kind == "c2c")
      return Planner<Real>::c2c(nx, ny, nz, modes, modes, MPI_COMM_WORLD, forward ? FFTW_FORWARD : FFTW_BACKWARD,
                                flags);
    if (forward) return Planner<Real>::r2c(nx, ny, nz, data_, modes, MPI_COMM_WORLD, flags);
    return Planner<Real>::c2r(nx, ny, nz, modes, data_, MPI_COMM_WORLD, flags);
  }

  Job job_;
  std::ptrdiff_t planes_ = 0, transposed_planes_ = 0;
  std::size_t bytes_ = 0;
  Real* data_ = nullptr;
  typename Fftw<Real>::Plan forward_ = nullptr, backward_ = nullptr;
};

template <class Real>
void work(const Job& job) {
  const double before = contender::process_bytes("VmRSS");
  Transform<Real> transform(job);
  contender::take_part(Team(), job, transform, before);
}

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  fftw_mpi_init();
  fftwf_mpi_init();
  Job job{};
  const bool good = contender::read_job(argc, argv, Team().rank() == 0, job);
  if (good) job.precision == "float" ? work<float>(job) : work<double>(job);
  MPI_Finalize();
  return good ? 0 : 2;
}
