// Values given at the ends of transformed axes, for kernels that are exact for all waves, and their terms in each mode.
#pragma once

#include <algorithm>
#include <array>
#include <memory>
#include <vector>

#include "plan/pass/line_symbol.hpp"
#include "poisson/end_modes.hpp"
#include "poisson/symbol.hpp"
#include "weft/boundary.hpp"
#include "weft/green.hpp"

namespace weft {

/// Whether a kernel has the exact factors -1/k^2 on these axes. None may be unbounded or solved along.
bool has_exact_waves(const std::vector<DomainAxis>& domain, const std::string& kernel);

/// Adds to modes the waves u that have values v at ends and lap u = screening^2 u. For wavenumber kappa of the other
/// axes, screening included, these are v times cosh and sinh of kappa x along the axis. At points h apart they also
/// satisfy second difference equations, with s = 2 sinh(kappa h / 2) in place of kappa h. Only the equation next to an
/// end lacks its point beyond the end, which acts as a source r v. So the modes of wavenumber k are exactly
///   r v e(k) / (4 sin^2(k h / 2) + s^2),
/// where e(k) is the mode of a 1 beside the end. For cells r is 2 cosh(kappa h / 2) at an odd end and 2 sinh(kappa h /
/// 2) / kappa at an even one, for nodes 1 and 2 sinh(kappa h) / kappa. If both ends are of one kind, e(k) at the right
/// end is that at the left one with alternating signs, and one term has the sum or the difference of their r v.
template <class Real>
class WaveEnds final : public ModeAddition<Real> {
 public:
  /// `scale`: the solver's. `rank`: the rank whose modes are used.
  WaveEnds(const SymbolInput& input, double scale, int rank);
  WaveEnds(const WaveEnds&) = delete;
  WaveEnds& operator=(const WaveEnds&) = delete;

  void apply(const ModeLines<Real>& lines, const LineFactors<Real>* factors, Real* block) const override;

  index_t bytes() const;
  /// Sets the values given at the ends of an axis in the solves that follow; null: 0.
  void take_ends(int axis, const EndModes<Real>* ends);

 private:
  /// The axes other than a given one, slowest in the tables first. The fastest is the axis of the lanes if possible,
  /// else that of the lines. A set of neighbours reads a table of lanes from one end to the other: its tables have
  /// blocks of L lanes, which count through the slow axis each. The last block of a row ends with the row.
  struct OtherAxes {
    std::array<int, 2> axis{-1, -1};  ///< -1: none
    std::array<index_t, 2> size{1, 1};
    /// L, or size[1] where the fast axis is not that of the lanes, or parts of an exchange cut rows anywhere.
    index_t block = 1;

    index_t blocks() const { return (size[1] + block - 1) / block; }
    index_t start(index_t which) const { return std::min(which * block, size[1] - block); }
    /// The entry of indices along the slow and the fast axis.
    index_t at(index_t slow, index_t fast) const {
      const index_t which = fast / block;
      return (which * size[0] + slow) * block + fast - start(which);
    }
    /// The entry of the first of neighbours, which begin with a block unless a block is a row.
    index_t first_of(index_t slow, index_t fast) const {
      return fast > 0 && fast == start(blocks() - 1) ? ((blocks() - 1) * size[0] + slow) * block : at(slow, fast);
    }
    /// Calls work(entry, slow index, fast index) for all entries, in order.
    template <class Work>
    void for_each(const Work& work) const;
  };
  using Pair = std::array<std::vector<Real>, 2>;
  /// Tables of an axis. Per mode of the other axes: s^2, r of each end, and the real and imaginary parts of r v, those
  /// of even and odd modes if both ends are of one kind, else those of the left and right end. Per mode of the axis:
  /// the squared sine and 1, both over e(k), at the left end alone or at each of them.
  struct Response {
    OtherAxes others;
    bool alternates = false;  ///< both ends are of one kind
    std::vector<Real> squares;
    Pair source, sines, scales;
    std::array<Pair, 2> given;
  };
  OtherAxes others_of(int axis) const;
  void make_response(int axis);
  bool has_waves(int axis, std::size_t end) const;
  bool any_has_waves(std::size_t end) const;
  void add_to_neighbours(const ModeLines<Real>& lines, std::size_t end, const LineFactors<Real>* factors,
                         Real* block) const;
  void add_gathered(const ModeLines<Real>& lines, std::size_t end, Real* block) const;

  std::vector<DomainAxis> domain_;
  Box box_;
  std::vector<std::vector<double>> wavenumbers_;  ///< of local modes, per axis
  double screening_, factor_;
  std::vector<Response> responses_;
  std::vector<bool> gives_;  ///< per axis: whether it has end values in the solves that follow
  int line_axis_, lane_axis_;
  bool rows_are_cut_;  ///< by chunks of exchanges
};

}  // namespace weft
