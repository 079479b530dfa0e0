// The transform between the borders of a plan: a pipeline, or a long line over all ranks.
#pragma once

#include <string>

#include "base/buffer.hpp"
#include "plan/pass/line_symbol.hpp"
#include "weft/types.hpp"

namespace weft {

template <class Real>
class InnerTransform {
 public:
  InnerTransform() = default;
  virtual ~InnerTransform() = default;
  InnerTransform(const InnerTransform&) = delete;
  InnerTransform& operator=(const InnerTransform&) = delete;

  /// `in` is the physical side forward, the spectral side backward. Collective, as convolve() is.
  virtual void transform(Direction direction, const LocalArray<Real>& in, const LocalArray<Real>& out, Real scale) = 0;
  /// Forward, multiply by a symbol of the modes, backward. `in` may be `out`.
  virtual void convolve(const Real* in, Real* out, const LineSymbol<Real>& symbol, Real scale) = 0;

  virtual int threads() const = 0;
  /// The number of parts that exchanges are cut into; 1 without exchanges.
  virtual int chunks() const = 0;
  /// "alltoallv", "shared", "none" or a mixture.
  virtual std::string strategy() const = 0;
  virtual index_t workspace_bytes() const = 0;
  virtual index_t bytes_sent() const = 0;
  virtual std::string explain() const = 0;
};

}  // namespace weft
