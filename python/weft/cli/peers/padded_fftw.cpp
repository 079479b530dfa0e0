// A Poisson solve as it is written by hand with FFTW, timed for `weft bench solve --peers padded-fftw`. One process
// with threads; the right-hand side is copied into an array of one period in every direction, FFTW_MEASURE's r2c of all
// of it, times the transformed kernel, c2r, and the solution is cut out. Along each axis the array holds
//   periodic                 the N cells
//   unbounded                2 N: the data and as many zeros
//   even or odd, both ends   2 N: the data and its mirror image (4 N where one end is even and the other odd)
//   even or odd, unbounded   4 N: the data, its mirror image and as many zeros
// so zeros and images are stored and transformed like data. In place or out of place, whichever a trial finds faster.
// The kernel is chat2, real, a factor for every mode of the half spectrum.
//
// usage: what contender.hpp says, KIND r2c and NX NY NZ cells, then for each axis LENGTH LEFT RIGHT CENTRING.
#include <array>
#include <cstdint>

#include "chat2.hpp"
#include "threaded.hpp"

namespace {

using contender::Facts;
using contender::Job;
using contender::Team;
using padded::Axes;
using padded::Axis;

constexpr int words_per_axis = 4;

/// The most samples, spread over the solution, that are printed at the end: contenders compare their solutions.
constexpr std::uint64_t most_samples = 4096;

/// In [-1/2, 1/2): scrambled digits of the global index, the same in every contender.
double source(std::uint64_t index) {
  std::uint64_t bits = index * 0x9E3779B97F4A7C15u;
  bits = (bits ^ (bits >> 32)) * 0xD6E8FEB86659FD93u;
  return static_cast<double>((bits ^ (bits >> 32)) >> 11) * 0x1p-53 - 0.5;
}

Axes read_axes(const Job& job, char** words) {
  const std::array<std::ptrdiff_t, 3> cells{job.nx, job.ny, job.nz};
  Axes axes;
  for (std::size_t i = 0; i < 3; ++i, words += words_per_axis)
    axes[i] = Axis(cells[i], std::atof(words[0]), words[1], words[2], words[3] == std::string("node"));
  return axes;
}

/// The transform that is left to FFTW.
Job padded_job(Job job, const Axes& axes) {
  job.nx = axes[0].period;
  job.ny = axes[1].period;
  job.nz = axes[2].period;
  return job;
}

template <class Real>
class Solver {
 public:
  Solver(const Job& job, const Axes& axes, const contender::Choice& choice)
      : job_(padded_job(job, axes)),
        axes_(axes),
        strategy_(choice.in_place ? "in place" : "out of place"),
        start_(contender::seconds_now()),
        transform_(job_, choice.in_place),
        row_(transform_.row()),
        kernel_(padded::transformed_kernel<Real>(axes, job.threads)),
        setup_seconds_(choice.planning_seconds + contender::seconds_now() - start_),
        rhs_(points()),
        solution_(points()) {
    for (std::size_t i = 0; i < rhs_.size(); ++i) rhs_[i] = static_cast<Real>(source(i));
  }

  /// The right-hand side is preserved.
  void fill() {}
  /// One solve.
  void pair() {
    extend();
    transform_.forward();
    multiply();
    transform_.backward();
    cut();
  }
  Facts facts() const {
    const double bytes = static_cast<double>(rhs_.size() * sizeof(Real));
    return {strategy_, job_.threads, bytes, 2 * bytes, 0, setup_seconds_};
  }
  void print_samples() const {
    const std::size_t step = (rhs_.size() + most_samples - 1) / most_samples | 1;
    std::printf("{\"sample\": [");
    for (std::size_t i = 0; i < solution_.size(); i += step)
      std::printf("%s%.17g", i == 0 ? "" : ", ", static_cast<double>(solution_[i]));
    std::printf("]}\n");
  }

 private:
  std::size_t points() const { return static_cast<std::size_t>(axes_[0].points * axes_[1].points * axes_[2].points); }

  /// Data, images and zeros of the whole padded array: the last transform left something everywhere.
  void extend() {
    Real* const array = transform_.physical();
    const auto& [ax, ay, az] = axes_;
#pragma omp parallel for collapse(2) num_threads(job_.threads)
    for (std::ptrdiff_t x = 0; x < ax.period; ++x) {
      for (std::ptrdiff_t y = 0; y < ay.period; ++y) {
        Real* const row = array + (x * ay.period + y) * row_;
        const padded::Image from_x = ax.images[static_cast<std::size_t>(x)];
        const padded::Image from_y = ay.images[static_cast<std::size_t>(y)];
        const Real sign = static_cast<Real>(from_x.sign * from_y.sign);
        if (sign == 0) {
          std::fill_n(row, az.period, Real{0});
          continue;
        }
        const Real* const from = rhs_.data() + (from_x.point * ay.points + from_y.point) * az.points;
        if (!az.mirrored) {
          for (std::ptrdiff_t z = 0; z < az.plain; ++z) row[z] = sign * from[z];
          std::fill(row + az.plain, row + az.period, Real{0});
          continue;
        }
        for (std::ptrdiff_t z = 0; z < az.period; ++z) {
          const padded::Image image = az.images[static_cast<std::size_t>(z)];
          row[z] = sign * static_cast<Real>(image.sign) * from[image.point];
        }
      }
    }
  }

  void multiply() {
    auto* const modes = transform_.modes();
    const std::ptrdiff_t count = static_cast<std::ptrdiff_t>(kernel_.size());
#pragma omp parallel for num_threads(job_.threads)
    for (std::ptrdiff_t i = 0; i < count; ++i) {
      const Real factor = kernel_[static_cast<std::size_t>(i)];
      modes[i][0] *= factor;
      modes[i][1] *= factor;
    }
  }

  void cut() {
    const Real* const array = transform_.physical();
    const auto& [ax, ay, az] = axes_;
#pragma omp parallel for collapse(2) num_threads(job_.threads)
    for (std::ptrdiff_t x = 0; x < ax.points; ++x) {
      for (std::ptrdiff_t y = 0; y < ay.points; ++y) {
        const Real* const row = array + (x % ax.period * ay.period + y % ay.period) * row_;
        Real* const to = solution_.data() + (x * ay.points + y) * az.points;
        std::copy_n(row, az.plain, to);
        // The last node of a periodic axis repeats the first.
        for (std::ptrdiff_t z = az.plain; z < az.points; ++z) to[z] = row[z % az.period];
      }
    }
  }

  Job job_;
  Axes axes_;
  std::string strategy_;
  double start_;
  contender::Transform<Real> transform_;
  std::ptrdiff_t row_;
  std::vector<Real> kernel_;
  double setup_seconds_;
  std::vector<Real> rhs_, solution_;
};

template <class Real>
void work(const Job& job, const Axes& axes) {
  const contender::Choice choice = contender::choose<Real>(padded_job(job, axes));
  const double before = contender::process_bytes("VmRSS");
  Solver<Real> solver(job, axes, choice);
  contender::take_turns(Team(), job, solver, before);
  solver.print_samples();
}

}  // namespace

int main(int argc, char** argv) {
  Job job{};
  if (!contender::read_job(argc, argv, true, job, 3 * words_per_axis, " {LENGTH LEFT RIGHT CENTRING} for each axis"))
    return 2;
  const Axes axes = read_axes(job, argv + 10);
  job.precision == "float" ? work<float>(job, axes) : work<double>(job, axes);
  return 0;
}
