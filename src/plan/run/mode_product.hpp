// The spectrum of the product of two fields, on so many points that no product is aliased to a mode of the plan.
#pragma once

#include <array>
#include <memory>
#include <vector>

#include "plan/run/border.hpp"
#include "plan/run/pipeline.hpp"

namespace weft {

/// The number of points of an axis on which products of two waves of a transform of `kept` points are not aliased to
/// one of these waves: `n` if that is enough, else a number with fast transforms.
index_t dealiased_points(Kind kind, index_t n, index_t kept);

template <class Real>
class ModeProduct {
 public:
  /// For the modes of a plan of `shape`; this rank has the box `modes`. Collective. Throws Error for kinds whose waves
  /// have products of another kind.
  ModeProduct(const Comm& comm, const Extents& shape, const std::vector<Kind>& kinds, const Box& modes,
              const PlanOptions& options);

  /// `amplitude` times a mode is the amplitude of its wave. `out` may be `a` or `b`. Collective.
  void run(const Real* a, const Real* b, Real* out, Real amplitude);
  index_t workspace_bytes() const;

 private:
  std::array<std::unique_ptr<Pipeline<Real>>, 2> pipelines_;  // of the two factors; the second also has the product
  std::array<std::unique_ptr<Border<Real>>, 2> borders_;
  std::array<Buffer<Real>, 2> parts_;
  double factor_ = 1;
};

}  // namespace weft
