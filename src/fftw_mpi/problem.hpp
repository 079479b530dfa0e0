// The transform that a call of FFTW's MPI interface requests, and the places of the elements of its arrays on each
// rank.
#pragma once

#include <fftw3.h>

#include <string>
#include <vector>

#include "weft/box.hpp"
#include "weft/kind.hpp"

namespace weft::fftw_mpi {

/// The axis of an array that is cut over the ranks, in blocks of a number of points, one for each rank.
struct Cut {
  int axis = 0;
  index_t block = 0;
};

/// The default number of points of a block: ceil(n / ranks).
index_t default_block(index_t n, int ranks);
/// The points of a rank's block of an axis of n.
Range block_of(index_t n, index_t block, int rank);

enum class Family { complex, real_to_complex, complex_to_real, real_to_real };

/// A transform of n.dims() axes, of tuples of `howmany` numbers each.
struct Problem {
  Family family = Family::complex;
  Extents n;
  index_t howmany = 1;
  Cut in, out;
  std::vector<fftw_r2r_kind> kinds;  ///< of real_to_real, one per axis
  int sign = FFTW_FORWARD;           ///< of complex
};

/// A text that is the same on all ranks if they request the same transform.
std::string to_string(const Problem& problem);
/// Whether a plan of Weft can have so many axes of tuples of `howmany` numbers.
bool has_room_for(int axes, index_t howmany);
/// The message about a transform with too many axes.
std::string too_many_axes(int axes, index_t howmany);
/// Throws Error if an axis of n points in such blocks takes more ranks than there are. `name` is the argument.
void check_block(const std::string& name, index_t block, index_t n, int ranks);
/// Throws Error if there is no such transform on so many ranks.
void check(const Problem& problem, int ranks);

/// One array of a problem. Its axes are those of the transform, in the caller's order, and one for the numbers of a
/// tuple if it is needed. In memory the axis that is cut is the slowest.
struct Side {
  Extents extents;  ///< of the global array
  Extents strides;  ///< elements from one index to the next
  Cut cut;
  bool is_complex = false;

  Box box(int rank) const;
  int width() const { return is_complex ? 2 : 1; }
  /// Reals of a rank's array, padding included.
  index_t reals(int rank) const;
};

struct Sides {
  Side in, out;
};
Sides sides_of(const Problem& problem);

/// The direction of Weft's plan for the requested transform.
Direction direction_of(const Problem& problem);
/// The kinds of that plan, one per axis of a side. Empty if Weft has no such kind: halfcomplex and Hartley transforms.
std::vector<Kind> kinds_of(const Problem& problem);

}  // namespace weft::fftw_mpi
