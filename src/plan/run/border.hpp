// The border between users' arrays and one side of a pipeline: nothing, or a redistribution between the boxes of the
// users and those of the pipeline.
#pragma once

#include <memory>
#include <string>

#include "base/buffer.hpp"
#include "plan/run/in_place.hpp"
#include "weft/options.hpp"
#include "weft/redistribution.hpp"

namespace weft {

template <class Real>
class Border {
 public:
  /// Collective. `name` is the argument that gave the boxes `user`; `inner` are the boxes of the pipeline, which tile
  /// the whole array; `width` is the reals of an element. Throws Error unless the boxes of the users tile it, too.
  Border(const Comm& comm, const std::string& name, const Box& user, const Box& inner, const Extents& shape, int width,
         bool padded, const PlanOptions& options);

  /// Whether any rank has another box than the pipeline.
  bool active() const { return moves_ != nullptr; }
  const Box& user() const { return user_; }
  /// A contiguous array of the user.
  LocalArray<Real> user_array(const Real* data) const;
  /// The array of the pipeline for an array of the user: the same array, or an internal one.
  LocalArray<Real> inner(const LocalArray<Real>& user) const { return active() ? inner_ : user; }
  /// Collective: copies between the array of the user and inner(user). Does nothing if they are the same.
  void enter(const LocalArray<Real>& user);
  void leave(const LocalArray<Real>& user);

  index_t workspace_bytes() const { return array_.bytes() + (active() ? moves_->workspace_bytes() : 0); }
  index_t bytes_sent() const { return active() ? moves_->bytes_sent() : 0; }
  std::string strategy() const { return active() ? moves_->strategy() : "none"; }
  /// Boxes, strategy and times of the redistribution.
  std::string explain() const { return moves_->explain(); }

 private:
  Extents elements(Extents strides) const;

  Box user_;
  int width_;
  std::unique_ptr<Redistribution> moves_;  // from the users to the pipeline
  Buffer<Real> array_;
  LocalArray<Real> inner_;
};

/// The options of the redistributions of a plan.
RedistributionOptions redistribution_options(const PlanOptions& options);

/// Throws Error, on every rank alike, unless the boxes of all ranks tile an array of `shape`. Either all ranks give a
/// box or none; returns whether they do. Collective.
bool check_user_boxes(const Comm& comm, const std::string& name, const Box& box, const Extents& shape);

}  // namespace weft
