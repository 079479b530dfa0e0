// A long line over all ranks of a communicator. A complex line is a matrix or, if its length has a large prime factor,
// a convolution by such lines; a real line is computed by a complex one.
#pragma once

#include <memory>
#include <string>

#include "plan/line/line_shape.hpp"
#include "plan/run/inner_transform.hpp"
#include "weft/box.hpp"
#include "weft/comm.hpp"
#include "weft/options.hpp"

namespace weft {

/// This rank's arrays are contiguous boxes of the line's points and of its modes. Both directions are unscaled.
template <class Real>
class LineTransform : public InnerTransform<Real> {
 public:
  const Box& physical_box() const { return physical_; }
  const Box& spectral_box() const { return spectral_; }
  int chunks() const override { return 1; }
  void convolve(const Real* in, Real* out, const LineSymbol<Real>& symbol, Real scale) override;
  /// Transforms arrays without gaps. `in` may be `out`, and is preserved otherwise.
  virtual void transform(Direction direction, const Real* in, Real* out, Real scale) = 0;
  void transform(Direction direction, const LocalArray<Real>& in, const LocalArray<Real>& out, Real scale) override {
    transform(direction, in.data, out.data, scale);
  }

 protected:
  /// For this rank of `comm`, which has a part of the line.
  LineTransform(const Comm& comm, const LongLine& line) : comm_(comm), physical_(1), spectral_(1) {
    const LineCut cut = line.cut(comm.rank());
    physical_[0] = cut.points;
    spectral_[0] = cut.modes;
  }
  Range points() const { return physical_[0]; }
  Range modes() const { return spectral_[0]; }

 private:
  Comm comm_;
  Box physical_, spectral_;
  Buffer<Real> spectrum_;   // of convolve(), made when first needed
  bool convolves_ = false;  // the same on all ranks, even on those without modes
};

/// c2c or r2c over all ranks of `comm`. Collective. Of the options, those for exchanges matter, but not grid, modes or
/// scaling.
template <class Real>
std::unique_ptr<LineTransform<Real>> make_line(const Comm& comm, const LongLine& line, const PlanOptions& options);

/// The kinds of lines from which make_line() chooses.
template <class Real>
std::unique_ptr<LineTransform<Real>> make_matrix_line(const Comm& comm, const LongLine& line,
                                                      const PlanOptions& options);
template <class Real>
std::unique_ptr<LineTransform<Real>> make_chirp_line(const Comm& comm, const LongLine& line,
                                                     const PlanOptions& options);
template <class Real>
std::unique_ptr<LineTransform<Real>> make_real_line(const Comm& comm, const LongLine& line, const PlanOptions& options);

}  // namespace weft
