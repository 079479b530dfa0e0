// Users' boxes: checks, and redistributions to and from the boxes of a pipeline.
#include "plan/run/border.hpp"

#include <optional>

#include "exchange/coverage.hpp"

namespace weft {

RedistributionOptions redistribution_options(const PlanOptions& options) {
  RedistributionOptions result;
  result.strategy = options.strategy;
  result.threads = options.threads;
  result.send_batch = options.send_batch;
  result.max_pending = options.max_pending;
  result.node_ranks = options.node_ranks;
  result.between_nodes = options.between_nodes;
  result.message_limit = options.message_limit;
  result.shared_memory_limit = options.shared_memory_limit;
  return result;
}

bool check_user_boxes(const Comm& comm, const std::string& name, const Box& box, const Extents& shape) {
  const index_t given = comm.sum(index_t{box.dims() > 0});
  if (given == 0) return false;
  const Box global(shape);
  comm.together([&] {
    require(given == comm.size(), name + ": " + std::to_string(given) + " of " + std::to_string(comm.size()) +
                                      " ranks give a box; give one on every rank (an empty one where it has nothing)");
    check_box(name, box);
    require(box.dims() == global.dims(), name + ": " + to_string(box) + " has " + std::to_string(box.dims()) +
                                             " axes, the array has " + std::to_string(global.dims()));
    require(box.empty() || intersect(box, global) == box,
            name + ": " + to_string(box) + " reaches beyond the array, " + to_string(global) + "; stay inside");
  });
  const std::vector<Box> boxes = gather_boxes(comm, box);
  comm.together([&] {
    const int other = overlapping(box, boxes, comm.rank());
    require(other < 0, name + ": " + to_string(box) + " of rank " + std::to_string(comm.rank()) +
                           " overlaps the box of rank " + std::to_string(other) +
                           "; let every element belong to one rank (ghost layers are outside the box, strides step " +
                           "over them)");
    const std::optional<Box> gap = missing(global, boxes);
    require(!gap, name + ": no rank has the elements " + (gap ? to_string(*gap) : "") +
                      "; let the boxes of all ranks make up the array");
  });
  return true;
}

template <class Real>
Border<Real>::Border(const Comm& comm, const std::string& name, const Box& user, const Box& inner, const Extents& shape,
                     int width, bool padded, const PlanOptions& options)
    : user_(check_user_boxes(comm, name, user, shape) ? user : inner), width_(width) {
  const bool same = user_ == inner || (user_.empty() && inner.empty());
  if (comm.max(index_t{!same}) == 0) return;
  moves_ = std::make_unique<Redistribution>(comm, user_, inner, static_cast<std::size_t>(width) * sizeof(Real),
                                            redistribution_options(options));
  const Extents extents = inner.extents();
  inner_.strides = padded ? padded_strides<Real>(extents, width) : real_strides(extents, width);
  comm.together([&] { array_ = Buffer<Real>(reals_spanned(extents, inner_.strides)); });
  inner_.data = array_.data();
}

template <class Real>
LocalArray<Real> Border<Real>::user_array(const Real* data) const {
  // A const array is only read.
  return {const_cast<Real*>(data), real_strides(user_.extents(), width_)};  // NOLINT
}

template <class Real>
Extents Border<Real>::elements(Extents strides) const {
  for (index_t& stride : strides) stride /= width_;
  return strides;
}

template <class Real>
void Border<Real>::enter(const LocalArray<Real>& user) {
  if (active()) moves_->forward(user.data, elements(user.strides), inner_.data, elements(inner_.strides));
}

template <class Real>
void Border<Real>::leave(const LocalArray<Real>& user) {
  if (active()) moves_->backward(inner_.data, elements(inner_.strides), user.data, elements(user.strides));
}

template class Border<double>;
template class Border<float>;

}  // namespace weft
