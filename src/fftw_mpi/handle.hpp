// The plans that callers of FFTW's MPI interface hold, and functions that make them.
#pragma once

#include <fftw3.h>
#include <mpi.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "fftw_mpi/step.hpp"

namespace weft::fftw_mpi {

/// A plan of Weft. Its first word distinguishes it from a plan of FFTW, which begins with an address.
struct Mark {
  static constexpr std::uint64_t ours = 0xf7f7'7765'6674'f7f7;
  std::uint64_t word = ours;
};
template <class Real>
struct Handle {
  Mark mark;
  std::unique_ptr<Step<Real>> step;
  const Real* in;
  Real* out;
  MPI_Comm comm;
  std::string text;  ///< a description in one line
  double flops;      ///< of this rank
};

/// The plan of Weft for a caller's plan, or null if the plan is FFTW's.
template <class Real, class Plan>
Handle<Real>* own(Plan plan) {
  auto* handle = reinterpret_cast<Handle<Real>*>(plan);
  return handle != nullptr && handle->mark.word == Mark::ours ? handle : nullptr;
}

/// The common arguments of all calls that make plans.
struct Call {
  const char* name;  ///< of the function
  MPI_Comm comm;
  unsigned flags;
};

/// The arguments of a transform. Blocks of 0 are the default.
struct Wanted {
  Family family;
  int rank;
  const std::ptrdiff_t* n;
  std::ptrdiff_t howmany, in_block, out_block;
  int sign = FFTW_FORWARD;
  const fftw_r2r_kind* kinds = nullptr;
};

/// Makes a plan of FFTW's by its function of the name of the call, which is given.
using Theirs = std::function<void*(void* function)>;

/// A new plan, or null after a message of rank 0 that says why there is none. Collective. It is a Handle, or FFTW's own
/// plan where a transform has more axes than ours.
template <class Real>
void* plan_transform(const Call& call, const Wanted& wanted, const Real* in, Real* out, const Theirs& theirs) noexcept;
template <class Real>
void* plan_transpose(const Call& call, std::ptrdiff_t n0, std::ptrdiff_t n1, std::ptrdiff_t howmany,
                     std::ptrdiff_t block0, std::ptrdiff_t block1, const Real* in, Real* out) noexcept;
/// Runs a plan. Ends the program with a message if it cannot: FFTW's interface has no way to say so.
template <class Real>
void run(Handle<Real>& handle, const Real* in, Real* out) noexcept;

/// Threads of the plans that are made from now on, and the largest planning time of a plan in seconds; < 0: no limit.
void set_threads(int threads);
int threads();
void set_time_limit(double seconds);

/// A rank's block of an axis.
struct LocalBlock {
  std::ptrdiff_t *size, *first;
};
/// The blocks of the axes 0 and 1 of a rank, one if `transposed.size` is null, and how many numbers have room for both
/// distributions.
std::ptrdiff_t local_size(int rank, const std::ptrdiff_t* n, std::ptrdiff_t howmany, std::ptrdiff_t block0,
                          std::ptrdiff_t block1, MPI_Comm comm, LocalBlock natural, LocalBlock transposed);
/// The blocks of the input and the output of a line.
std::ptrdiff_t local_size_of_line(std::ptrdiff_t n, std::ptrdiff_t howmany, MPI_Comm comm, int sign, unsigned flags,
                                  LocalBlock in, LocalBlock out);

}  // namespace weft::fftw_mpi
