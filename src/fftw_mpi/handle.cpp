// Makes and runs plans of FFTW's MPI interface.
#include "fftw_mpi/handle.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstdio>
#include <exception>
#include <utility>

#include "base/asked.hpp"
#include "fftw_mpi/serial.hpp"
#include "weft/error.hpp"
#include "weft/fftw/fftw3-mpi.h"

namespace weft::fftw_mpi {

namespace {

std::atomic<int> planned_threads{1};
std::atomic<double> time_limit{-1.0};

Effort effort_of(unsigned flags) {
  constexpr unsigned wisdom_only = 1U << 21;
  if ((flags & (FFTW_ESTIMATE | wisdom_only)) != 0 || (time_limit >= 0 && time_limit < 1)) return Effort::estimate;
  return (flags & (FFTW_PATIENT | FFTW_EXHAUSTIVE)) != 0 ? Effort::patient : Effort::measure;
}

bool is_verbose() { return is_asked("WEFT_FFTW_VERBOSE"); }

// Prints on the first rank only.
void tell(MPI_Comm comm, const std::string& text) {
  int rank = 0;
  MPI_Comm_rank(comm, &rank);
  if (rank == 0) std::fprintf(stderr, "weft: %s\n", text.c_str());
}

// The text of the current exception.
std::string failure() {
  try {
    throw;
  } catch (const std::bad_alloc&) {
    return "out of memory; use more nodes or a smaller problem";
  } catch (const std::exception& error) {
    return error.what();
  }
}

int ranks_of(MPI_Comm comm) {
  int ranks = 1;
  MPI_Comm_size(comm, &ranks);
  return ranks;
}
int rank_of(MPI_Comm comm) {
  int rank = 0;
  MPI_Comm_rank(comm, &rank);
  return rank;
}

index_t block_or_default(index_t block, index_t n, int ranks) {
  return block == FFTW_MPI_DEFAULT_BLOCK ? default_block(n, ranks) : block;
}

// Whether all ranks transform a line together: as a matrix with rows for all of them, or through a longer line if its
// length has a large prime factor.
bool is_long_line(index_t n, index_t howmany, int ranks) {
  if (ranks == 1 || howmany != 1 || n <= 1) return false;
  const LineShape shape(n);
  return shape.is_balanced() ? shape.rows >= ranks : n >= least_long_line;
}

// Whether the modes may be scrambled: the output of forward and the input of backward. Points are never scrambled,
// although a caller may permit it.
LongLine line_of(index_t n, int sign, unsigned flags, int ranks) {
  const unsigned wanted = sign == FFTW_FORWARD ? FFTW_MPI_SCRAMBLED_OUT : FFTW_MPI_SCRAMBLED_IN;
  return long_line(n, (flags & wanted) != 0 ? LineOrder::scrambled : LineOrder::natural, ranks);
}

Problem problem_of(const Call& call, const Wanted& wanted, int ranks) {
  Problem problem;
  problem.family = wanted.family;
  problem.sign = wanted.sign;
  problem.howmany = wanted.howmany;
  require(wanted.rank >= 1, "rnk = " + std::to_string(wanted.rank) + "; give 1 or more axes");
  for (int axis = 0; axis < wanted.rank; axis++) problem.n.push_back(wanted.n[axis]);
  if (wanted.kinds != nullptr) problem.kinds.assign(wanted.kinds, wanted.kinds + wanted.rank);
  if (wanted.rank > 1) {
    problem.in.axis = (call.flags & FFTW_MPI_TRANSPOSED_IN) != 0 ? 1 : 0;
    problem.out.axis = (call.flags & FFTW_MPI_TRANSPOSED_OUT) != 0 ? 1 : 0;
  }
  const Sides sides = sides_of(problem);
  problem.in.block = block_or_default(wanted.in_block, sides.in.extents[problem.in.axis], ranks);
  problem.out.block = block_or_default(wanted.out_block, sides.out.extents[problem.out.axis], ranks);
  return problem;
}

template <class Real>
std::unique_ptr<Step<Real>> make_step(const Call& call, const Problem& problem, const Planning& planning) {
  if (problem.n.dims() == 1 && problem.family == Family::complex &&
      is_long_line(problem.n[0], problem.howmany, ranks_of(call.comm)))
    return line_step<Real>(call.comm, line_of(problem.n[0], problem.sign, call.flags, ranks_of(call.comm)),
                           problem.sign, planning);
  if (kinds_of(problem).empty()) return serial_step<Real>(call.comm, problem, planning);
  auto step = node_step<Real>(call.comm, problem, planning);
  return step != nullptr ? std::move(step) : transform_step<Real>(call.comm, problem, planning);
}

double flops_of(const Problem& problem, int ranks) {
  const auto points = static_cast<double>(problem.n.product());
  return (problem.family == Family::complex ? 5.0 : 2.5) * points * std::log2(std::max(points, 2.0)) *
         static_cast<double>(problem.howmany) / ranks;
}

// The arguments of a call as a text, to compare them between ranks.
std::string text_of(const Call& call, const Wanted& wanted) {
  std::string text = std::to_string(static_cast<int>(wanted.family)) + " " + std::to_string(wanted.howmany) + " " +
                     std::to_string(wanted.in_block) + " " + std::to_string(wanted.out_block) + " " +
                     std::to_string(wanted.sign) + " " + std::to_string(call.flags);
  for (int axis = 0; axis < wanted.rank; axis++) {
    text += " " + std::to_string(wanted.n[axis]);
    if (wanted.kinds != nullptr) text += "/" + std::to_string(static_cast<int>(wanted.kinds[axis]));
  }
  return text;
}

// FFTW's own plan of a transform that has more axes than ours can have; null for other transforms. Throws Error if
// FFTW cannot make it, or is missing on a rank.
void* plan_of_fftw(const Comm& comm, const Call& call, const Wanted& wanted, const Theirs& theirs) {
  comm.require_same("rnk and howmany", std::to_string(wanted.rank) + ", " + std::to_string(wanted.howmany));
  if (has_room_for(wanted.rank, wanted.howmany)) return nullptr;
  comm.require_same("the arguments", text_of(call, wanted));
  const std::string limit = too_many_axes(wanted.rank, wanted.howmany);
  void* function = next_mpi_symbol(call.name);
  comm.together([&] {
    require(function != nullptr,
            limit + ". FFTW's own MPI library, which has no such limit, is not there for this MPI");
  });
  void* plan = theirs(function);
  require(plan != nullptr, limit + ". FFTW's own MPI library makes no plan of it, either");
  if (is_verbose()) tell(call.comm, std::string(call.name) + ": by FFTW's own MPI library: " + limit);
  return plan;
}

// Checks on every rank, with the same outcome, and then makes a plan. `instead` gives another plan than ours, or null,
// `what` checks the request and describes it, `make` makes its step.
template <class Real, class Instead, class What, class Make>
void* planned(const Call& call, const Real* in, Real* out, const Instead& instead, const What& what,
              const Make& make) noexcept {
  try {
    const Comm comm(call.comm);
    comm.together(check_linked);
    if (void* other = instead(comm)) return other;
    std::string text;
    comm.together([&] { text = what(); });
    comm.require_same("the arguments", text);
    auto handle = std::make_unique<Handle<Real>>();
    handle->in = in;
    handle->out = out;
    handle->comm = call.comm;
    handle->step = make(Planning{effort_of(call.flags), planned_threads, in, out}, *handle);
    comm.together([&] { handle->step->allocate(); });
    handle->text = text + ": " + handle->step->strategy();
    if (is_verbose()) tell(call.comm, std::string(call.name) + ": " + handle->text);
    return handle.release();
  } catch (...) {
    tell(call.comm, std::string(call.name) + ": " + failure());
    return nullptr;
  }
}

}  // namespace

template <class Real>
void* plan_transform(const Call& call, const Wanted& wanted, const Real* in, Real* out, const Theirs& theirs) noexcept {
  Problem problem;
  const int ranks = ranks_of(call.comm);
  return planned(
      call, in, out, [&](const Comm& comm) { return plan_of_fftw(comm, call, wanted, theirs); },
      [&] {
        problem = problem_of(call, wanted, ranks);
        check(problem, ranks);
        return to_string(problem);
      },
      [&](const Planning& planning, Handle<Real>& handle) {
        handle.flops = flops_of(problem, ranks);
        return make_step<Real>(call, problem, planning);
      });
}

template <class Real>
void* plan_transpose(const Call& call, std::ptrdiff_t n0, std::ptrdiff_t n1, std::ptrdiff_t howmany,
                     std::ptrdiff_t block0, std::ptrdiff_t block1, const Real* in, Real* out) noexcept {
  Transpose transpose;
  return planned(
      call, in, out, [](const Comm&) -> void* { return nullptr; },
      [&] {
        const int ranks = ranks_of(call.comm);
        transpose = {n0,
                     n1,
                     howmany,
                     block_or_default(block0, n0, ranks),
                     block_or_default(block1, n1, ranks),
                     (call.flags & FFTW_MPI_TRANSPOSED_IN) != 0,
                     (call.flags & FFTW_MPI_TRANSPOSED_OUT) != 0};
        check(transpose, ranks);
        return to_string(transpose);
      },
      [&](const Planning& planning, Handle<Real>& handle) {
        handle.flops = 0;
        return transpose_step<Real>(call.comm, transpose, planning);
      });
}

template <class Real>
void run(Handle<Real>& handle, const Real* in, Real* out) noexcept {
  try {
    handle.step->run(in, out);
  } catch (...) {
    std::fprintf(stderr, "weft: fftw_execute: %s: %s\n", handle.text.c_str(), failure().c_str());
    MPI_Abort(handle.comm, 1);
  }
}

void set_threads(int threads) { planned_threads = std::max(threads, 1); }
int threads() { return planned_threads; }
void set_time_limit(double seconds) { time_limit = seconds; }

std::ptrdiff_t local_size(int rank, const std::ptrdiff_t* n, std::ptrdiff_t howmany, std::ptrdiff_t block0,
                          std::ptrdiff_t block1, MPI_Comm comm, LocalBlock natural, LocalBlock transposed) {
  const int ranks = ranks_of(comm), me = rank_of(comm);
  if (rank < 1) {
    *natural.size = 1;
    *natural.first = 0;
    if (transposed.size != nullptr) {
      *transposed.size = 1;
      *transposed.first = 0;
    }
    return howmany;
  }
  std::ptrdiff_t rest = howmany;
  for (int axis = 2; axis < rank; axis++) rest *= n[axis];
  const Range rows = block_of(n[0], block_or_default(block0, n[0], ranks), me);
  *natural.size = rows.size();
  *natural.first = rows.lo;
  std::ptrdiff_t numbers = rows.size() * (rank > 1 ? n[1] : 1) * rest;
  if (transposed.size != nullptr) {
    const Range columns = rank > 1 ? block_of(n[1], block_or_default(block1, n[1], ranks), me) : rows;
    *transposed.size = columns.size();
    *transposed.first = columns.lo;
    if (rank > 1) numbers = std::max<std::ptrdiff_t>(numbers, columns.size() * n[0] * rest);
  }
  return std::max<std::ptrdiff_t>(numbers, 1);
}

std::ptrdiff_t local_size_of_line(std::ptrdiff_t n, std::ptrdiff_t howmany, MPI_Comm comm, int sign, unsigned flags,
                                  LocalBlock in, LocalBlock out) {
  const int ranks = ranks_of(comm), me = rank_of(comm);
  const Range block = block_of(n, default_block(n, ranks), me);
  const LineCut cut = is_long_line(n, howmany, ranks) ? line_of(n, sign, flags, ranks).cut(me) : LineCut{block, block};
  const Range first = sign == FFTW_FORWARD ? cut.points : cut.modes,
              last = sign == FFTW_FORWARD ? cut.modes : cut.points;
  *in.size = first.size();
  *in.first = first.lo;
  *out.size = last.size();
  *out.first = last.lo;
  return std::max<std::ptrdiff_t>(std::max(first.size(), last.size()) * howmany, 1);
}

template void* plan_transform(const Call&, const Wanted&, const float*, float*, const Theirs&) noexcept;
template void* plan_transform(const Call&, const Wanted&, const double*, double*, const Theirs&) noexcept;
template void* plan_transpose(const Call&, std::ptrdiff_t, std::ptrdiff_t, std::ptrdiff_t, std::ptrdiff_t,
                              std::ptrdiff_t, const float*, float*) noexcept;
template void* plan_transpose(const Call&, std::ptrdiff_t, std::ptrdiff_t, std::ptrdiff_t, std::ptrdiff_t,
                              std::ptrdiff_t, const double*, double*) noexcept;
template void run(Handle<float>&, const float*, float*) noexcept;
template void run(Handle<double>&, const double*, double*) noexcept;

}  // namespace weft::fftw_mpi
