// What lies between users' arrays and a pipeline, on one of its two sides: nothing, or a redistribution from the boxes
// of the users to those of the pipeline and back.
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
  /// Collective. `name` is the argument that gave the boxes `user`; `inner` are those of the pipeline, which together
  /// make up the whole array, `width` the reals of an element. Throws Error unless the boxes of the users do, too.
  Border(const Comm& comm, const std::string& name, const Box& user, const Box& inner, const Extents& shape, int width,
         bool padded, const PlanOptions& options);

  /// Whether any rank has another box than the pipeline.
  bool active() const { return moves_ != nullptr; }
  const Box& user() const { return user_; }
  /// A contiguous array of the user.
  LocalArray<Real> user_array(const Real* data) const;
  /// What the pipeline works on for an array of the user: this very array, or one of the library's.
  LocalArray<Real> inner(const LocalArray<Real>& user) const { return active() ? inner_ : user; }
  /// Collective: copies between the array of the user and inner(user); does nothing where they are the same.
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

/// The options of a redistribution beside a plan.
RedistributionOptions redistribution_options(const PlanOptions& options);

/// Throws Error, on every rank alike, unless the boxes of all ranks make up an array of `shape`, each element once. All
/// or none of the ranks give a box; returns whether they do. Collective.
bool check_user_boxes(const Comm& comm, const std::string& name, const Box& box, const Extents& shape);

}  // namespace weft
