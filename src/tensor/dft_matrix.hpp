// Blocks of DFT matrices, each entry rounded once from a value that is accurate to more than double precision.
#pragma once

#include <utility>
#include <vector>

#include "tensor/axis_partition.hpp"
#include "weft/kind.hpp"

namespace weft {

/// The types of the elements before and after a product along its axis.
///  complex_to_complex   all points to all modes, or back
///  real_to_half         real points to the modes 0 .. N/2
///  half_to_real         these modes to real points
enum class ProductKind { complex_to_complex, real_to_half, half_to_real };

inline int width_in(ProductKind kind) { return kind == ProductKind::real_to_half ? 1 : 2; }
inline int width_out(ProductKind kind) { return kind == ProductKind::half_to_real ? 1 : 2; }

/// The matrix exp(-+ 2 pi i n k / N), times a factor; entries are made block by block.
class DftMatrix {
 public:
  DftMatrix(index_t length, Direction direction, ProductKind kind, bool folded, double scale);

  index_t length() const { return length_; }
  Direction direction() const { return direction_; }
  ProductKind kind() const { return kind_; }
  bool folded() const { return folded_; }

  /// Reals of the block that maps the share `in` to the share `out`.
  index_t reals(const AxisShare& in, const AxisShare& out) const;
  /// Fills the block, one row for each real or complex input number. Folded: cosines [even in][even out], then sines
  /// [odd in][odd out]. Else complex entries [in][out], or reals where one side is real: of a real point, real and
  /// imaginary part for each mode; of a mode, a row for its real part and one for its imaginary part.
  template <class Real>
  void fill(const AxisShare& in, const AxisShare& out, Real* block) const;

 private:
  struct Root {
    long double cosine, sine;
  };
  const Root& root(index_t n, index_t k) const { return roots_[static_cast<std::size_t>(n * k % length_)]; }
  // A mode that also stands for its partner counts twice backward to real points.
  long double weight(index_t in) const;
  template <class Real>
  void fill_folded(const AxisShare& in, const AxisShare& out, Real* block) const;
  template <class Real>
  void fill_half_to_real(const AxisShare& in, const AxisShare& out, Real* block) const;

  index_t length_;
  Direction direction_;
  ProductKind kind_;
  bool folded_;
  long double scale_;
  std::vector<Root> roots_;
};

}  // namespace weft
