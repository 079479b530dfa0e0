// A pipeline, or a long line, on some of the ranks, between arrays of users on all of them.
#pragma once

#include <array>
#include <memory>
#include <string>

#include "plan/line/line_shape.hpp"
#include "plan/run/border.hpp"
#include "plan/run/pipeline.hpp"
#include "weft/plan.hpp"

namespace weft {

/// The first ranks, as many as the process grid of the schedule has, transform. The others own nothing of the
/// pipeline's arrays, but may have boxes as users. If users' boxes are those of the pipeline, the border is empty.
template <class Real>
class BorderedPipeline {
 public:
  /// Collective. Both options are valid: those of the pipeline, and those `given` by the user, which hold for the
  /// borders, since a search for the best pipeline does not consider their messages.
  BorderedPipeline(const Comm& comm, Schedule schedule, const PlanOptions& options, const PlanOptions& given,
                   const PlanBoxes& boxes);

  const Schedule& schedule() const { return schedule_; }
  /// The layouts that users see: those of the schedule, except for natural output.
  const Layout& physical_layout() const { return schedule_.physical; }
  const Layout& spectral_layout() const { return spectral_layout_; }
  const Box& physical_box() const { return physical_.user(); }
  const Box& spectral_box() const { return spectral_.user(); }
  /// The number of the point or mode at a place of the global array: the place itself, except for scrambled modes.
  index_t number_at(Space space, index_t place) const;
  /// A contiguous array of the user in that space.
  LocalArray<Real> user_array(const Real* data, Space space) const;

  void transform(Direction direction, const LocalArray<Real>& in, const LocalArray<Real>& out, Real scale);
  /// `symbol` has the modes of the pipeline, see inner_factors.
  void convolve(const Real* in, Real* out, const LineSymbol<Real>& symbol, Real scale);
  /// The modes that this rank's passes multiply, and their factors from the factors of the user's modes, `width` reals
  /// each with strides in reals. Collective.
  Extents inner_modes() const { return inner_.spectral.extents(); }
  LocalArray<const Real> inner_factors(const Real* data, const Extents& strides, int width);

  std::shared_ptr<const InPlaceMemory<Real>> make_memory() const { return pipeline_->make_memory(); }
  void transform(Direction direction, const InPlaceMemory<Real>& memory, Real scale) {
    pipeline_->transform(direction, memory, scale);
  }
  void convolve(const InPlaceMemory<Real>& memory, const LineSymbol<Real>& symbol, Real scale) {
    pipeline_->convolve(memory, symbol, scale);
  }
  bool shares_memory() const { return pipeline_->shares_memory(); }

  int last_axis() const { return is_line(schedule_) ? 0 : schedule_.passes.back().axes.back(); }
  int threads() const { return transform_ != nullptr ? transform_->threads() : 1; }
  int chunks() const { return transform_ != nullptr ? transform_->chunks() : 1; }
  /// The strategy of the pipeline, and the strategies of the pipeline and the borders together.
  std::string strategy() const { return strategy_; }
  std::string moves() const;
  index_t workspace_bytes() const;
  index_t bytes_sent() const;
  std::string explain() const;

 private:
  void make_transform(const PlanOptions& options);

  Comm comm_;
  Schedule schedule_;
  PlanOptions given_;
  Layout spectral_layout_;
  PlanBoxes inner_;                                  // this rank's, between the borders
  std::unique_ptr<InnerTransform<Real>> transform_;  // null on ranks that do not transform
  Pipeline<Real>* pipeline_ = nullptr;               // transform_ if it is a pipeline
  std::string strategy_;                             // of the pipeline, on every rank
  Border<Real> physical_, spectral_;
  std::array<std::unique_ptr<Redistribution>, 2> factor_moves_;  // moves real and complex factors
  Buffer<Real> factors_;
};

/// The box of a rank that may lie outside the process grid of a layout and own nothing.
Box box_or_nothing(const Layout& layout, int rank);

}  // namespace weft
