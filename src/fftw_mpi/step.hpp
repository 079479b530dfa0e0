// The step that a plan of FFTW's MPI interface runs: one transform of one rank's arrays.
#pragma once

#include <memory>
#include <string>

#include "fftw_mpi/problem.hpp"
#include "plan/line/line_shape.hpp"
#include "weft/comm.hpp"
#include "weft/options.hpp"
#include "weft/redistribution.hpp"

namespace weft::fftw_mpi {

template <class Real>
class Step {
 public:
  Step() = default;
  virtual ~Step() = default;
  Step(const Step&) = delete;
  Step& operator=(const Step&) = delete;
  /// Collective. `out` is `in` or does not overlap it; `in` is preserved unless it is `out`.
  virtual void run(const Real* in, Real* out) = 0;
  /// Allocates the buffers of a run, apart from the caller's arrays. Not collective.
  virtual void allocate() = 0;
  /// The strategy of the exchanges: "shared", "none".
  virtual std::string strategy() const = 0;
};

struct Planning {
  Effort effort = Effort::measure;
  int threads = 1;
  const void* in = nullptr;  ///< the caller's arrays on this rank
  void* out = nullptr;
  Strategy strategy = Strategy::automatic;
  bool in_place() const { return in == out; }
};

/// The options of redistributions of a plan.
inline RedistributionOptions moves_of(const Planning& planning) {
  RedistributionOptions options;
  options.threads = planning.threads;
  return options;
}

/// A transform by a plan of Weft. Collective, like the functions below.
template <class Real>
std::unique_ptr<Step<Real>> transform_step(MPI_Comm comm, const Problem& problem, const Planning& planning);

/// A transform by ranks that share a node, in the arrays where they lie. Null if input and output are cut along
/// different axes, or if the ranks share no memory.
template <class Real>
std::unique_ptr<Step<Real>> node_step(MPI_Comm comm, const Problem& problem, const Planning& planning);

/// Halfcomplex and Hartley transforms: FFTW transforms whole lines, with redistributions before and after.
template <class Real>
std::unique_ptr<Step<Real>> serial_step(MPI_Comm comm, const Problem& problem, const Planning& planning);

/// A long complex line of single numbers over all ranks, in blocks.
LongLine long_line(index_t n, LineOrder modes, int ranks);
template <class Real>
std::unique_ptr<Step<Real>> line_step(MPI_Comm comm, const LongLine& line, int sign, const Planning& planning);

/// A matrix of n0 x n1 tuples of `howmany` numbers, whose rows (axis 0) are cut in the input and whose columns are cut
/// in the output. The axis that is cut is the slower one in memory, unless that side is swapped.
struct Transpose {
  index_t n0 = 1, n1 = 1, howmany = 1;
  index_t block0 = 1, block1 = 1;
  bool in_swapped = false, out_swapped = false;
};
std::string to_string(const Transpose& transpose);
/// Throws Error if there is no such transpose on so many ranks.
void check(const Transpose& transpose, int ranks);
template <class Real>
std::unique_ptr<Step<Real>> transpose_step(MPI_Comm comm, const Transpose& what, const Planning& planning);

}  // namespace weft::fftw_mpi
