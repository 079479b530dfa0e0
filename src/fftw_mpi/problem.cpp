// Shapes, distributions and kinds of FFTW's MPI interface.
#include "fftw_mpi/problem.hpp"

#include <algorithm>

#include "transform/kind_table.hpp"
#include "weft/error.hpp"

namespace weft::fftw_mpi {

namespace {

bool is_real_transform(Family family) { return family == Family::real_to_complex || family == Family::complex_to_real; }

// Whether there is an axis of tuples: if they have several numbers, if an axis is needed for exchanges, or if the last
// axis of the transform is the slowest in memory and another axis must have adjacent numbers.
bool has_tuple_axis(const Problem& problem) {
  const int rank = problem.n.dims();
  return problem.howmany != 1 || rank == 1 || (rank == 2 && (problem.in.axis == 1 || problem.out.axis == 1));
}

Side side_of(const Problem& problem, const Cut& cut, bool is_complex) {
  Side side;
  side.cut = cut;
  side.is_complex = is_complex;
  side.extents = problem.n;
  Extents stored = problem.n;
  if (is_real_transform(problem.family)) {
    const int last = problem.n.dims() - 1;
    const index_t modes = problem.n[last] / 2 + 1;
    if (is_complex) side.extents[last] = modes;
    stored[last] = is_complex ? modes : 2 * modes;  // rows of points are as long as rows of modes
  }
  if (has_tuple_axis(problem)) {
    side.extents.push_back(problem.howmany);
    stored.push_back(problem.howmany);
  }
  side.strides = Extents(side.extents.dims());
  index_t stride = 1;
  for (int axis = side.extents.dims() - 1; axis >= 0; axis--) {
    if (axis == cut.axis) continue;
    side.strides[axis] = stride;
    stride *= stored[axis];
  }
  side.strides[cut.axis] = stride;
  return side;
}

const char* name_of(Family family) {
  switch (family) {
    case Family::complex:
      return "c2c";
    case Family::real_to_complex:
      return "r2c";
    case Family::complex_to_real:
      return "c2r";
    default:
      return "r2r";
  }
}

std::string to_string(const Cut& cut) {
  return "axis " + std::to_string(cut.axis) + " in blocks of " + std::to_string(cut.block);
}

}  // namespace

index_t default_block(index_t n, int ranks) { return (n + ranks - 1) / ranks; }

Range block_of(index_t n, index_t block, int rank) {
  const index_t lo = rank > 0 && block > n / rank ? n : std::min(n, block * rank);
  return {lo, lo + std::min(block, n - lo)};
}

bool has_room_for(int axes, index_t howmany) { return axes <= (howmany == 1 ? max_dims : max_dims - 1); }

std::string too_many_axes(int axes, index_t howmany) {
  return "rnk = " + std::to_string(axes) + " with howmany = " + std::to_string(howmany) + "; give at most " +
         std::to_string(max_dims - 1) + " axes of tuples, or " + std::to_string(max_dims) + " of numbers";
}

void check_block(const std::string& name, index_t block, index_t n, int ranks) {
  require(block > 0, name + " = " + std::to_string(block) + "; give 1 or more points, or 0 for the default");
  require((n + block - 1) / block <= ranks,
          name + " = " + std::to_string(block) + ": " + std::to_string(n) + " points make more blocks than there are " +
              "ranks, " + std::to_string(ranks) + "; give " + std::to_string(default_block(n, ranks)) +
              " or more, or 0 for the default");
}

std::string to_string(const Problem& problem) {
  std::string text = weft::to_string(problem.n) + " " + name_of(problem.family);
  for (const fftw_r2r_kind kind : problem.kinds) text += " " + std::to_string(static_cast<int>(kind));
  if (problem.family == Family::complex) text += problem.sign == FFTW_FORWARD ? " forward" : " backward";
  if (problem.howmany != 1) text += ", tuples of " + std::to_string(problem.howmany);
  return text + ", from " + to_string(problem.in) + " to " + to_string(problem.out);
}

void check(const Problem& problem, int ranks) {
  const int rank = problem.n.dims();
  for (int axis = 0; axis < rank; axis++) {
    require(problem.n[axis] >= 1,
            "n[" + std::to_string(axis) + "] = " + std::to_string(problem.n[axis]) + "; give 1 or more points");
  }
  require(problem.howmany >= 1, "howmany = " + std::to_string(problem.howmany) + "; give 1 or more");
  require(problem.sign == FFTW_FORWARD || problem.sign == FFTW_BACKWARD,
          "sign = " + std::to_string(problem.sign) + "; give FFTW_FORWARD or FFTW_BACKWARD");
  for (std::size_t axis = 0; axis < problem.kinds.size(); axis++) {
    const int kind = problem.kinds[axis];
    const std::string name = "kind[" + std::to_string(axis) + "] = " + std::to_string(kind);
    require(kind >= FFTW_R2HC && kind <= FFTW_RODFT11, name + "; give one of FFTW's, FFTW_R2HC to FFTW_RODFT11");
    require(kind != FFTW_REDFT00 || problem.n[static_cast<int>(axis)] > 1,
            name + " (REDFT00) of 1 point; give 2 or more points");
  }
  if (is_real_transform(problem.family)) {
    require(rank >= 2 || ranks == 1, "rnk = 1 of a real transform on several ranks; give complex numbers");
    const Cut& points = problem.family == Family::real_to_complex ? problem.in : problem.out;
    require(points.axis == 0, "flags: the real side of a transform cannot be transposed; give the complex side");
  }
  const Sides sides = sides_of(problem);
  check_block("block of the input", problem.in.block, sides.in.extents[problem.in.axis], ranks);
  check_block("block of the output", problem.out.block, sides.out.extents[problem.out.axis], ranks);
}

Box Side::box(int rank) const {
  Box result(extents);
  result[cut.axis] = block_of(extents[cut.axis], cut.block, rank);
  return result;
}

index_t Side::reals(int rank) const { return box(rank)[cut.axis].size() * strides[cut.axis] * width(); }

Sides sides_of(const Problem& problem) {
  const bool complex_in = problem.family == Family::complex || problem.family == Family::complex_to_real;
  const bool complex_out = problem.family == Family::complex || problem.family == Family::real_to_complex;
  return {side_of(problem, problem.in, complex_in), side_of(problem, problem.out, complex_out)};
}

Direction direction_of(const Problem& problem) {
  const bool back =
      problem.family == Family::complex_to_real || (problem.family == Family::complex && problem.sign == FFTW_BACKWARD);
  return back ? Direction::backward : Direction::forward;
}

std::vector<Kind> kinds_of(const Problem& problem) {
  std::vector<Kind> result;
  const int rank = problem.n.dims();
  for (int axis = 0; axis < rank; axis++) {
    Kind kind = is_real_transform(problem.family) && axis == rank - 1 ? Kind::r2c : Kind::c2c;
    if (problem.family == Family::real_to_real) {
      const int wanted = problem.kinds[static_cast<std::size_t>(axis)];
      kind = Kind::none;
      for (const Kind one : all_kinds())
        if (row_of(one).fftw == wanted) kind = one;
      if (kind == Kind::none) return {};
    }
    result.push_back(kind);
  }
  if (has_tuple_axis(problem)) result.push_back(Kind::none);
  return result;
}

}  // namespace weft::fftw_mpi
