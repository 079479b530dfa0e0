// The spectrum of the product of two fields without aliasing: on so many points that no mode of the plan is aliased to.
#pragma once

#include <array>
#include <memory>
#include <vector>

#include "plan/run/border.hpp"
#include "plan/run/pipeline.hpp"

namespace weft {

/// Points of an axis on which products of two waves of a transform of `kept` points are not aliased to one of these
/// waves: `n` if they are enough, else a number with fast transforms.
index_t dealiased_points(Kind kind, index_t n, index_t kept);

template <class Real>
class ModeProduct {
 public:
  /// For the modes of a plan of `shape`, of which this rank has the box `modes`. Collective. Throws Error for kinds
  /// whose waves have products of another kind.
  ModeProduct(const Comm& comm, const Extents& shape, const std::vector<Kind>& kinds, const Box& modes,
              const PlanOptions& options);

  /// `amplitude` times a mode is the amplitude of its wave. `out` may be `a` or `b`. Collective.
  void run(const Real* a, const Real* b, Real* out, Real amplitude);
  index_t workspace_bytes() const;

 private:
  std::array<std::unique_ptr<Pipeline<Real>>, 2> pipelines_;  // of the factors; the product leaves by the second
  std::array<std::unique_ptr<Border<Real>>, 2> borders_;
  std::array<Buffer<Real>, 2> parts_;
  double factor_ = 1;
};

}  // namespace weft
