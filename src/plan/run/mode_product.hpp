// The spectrum of the product of two fields without aliasing: on so many points that no mode of the plan is aliased to.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "plan/run/bordered_pipeline.hpp"

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
  Comm comm_;
  std::string tuning_summary_;
  std::unique_ptr<BorderedPipeline<Real>> pipeline_;
  Buffer<Real> points_, others_;
  double factor_ = 1;
};

}  // namespace weft
