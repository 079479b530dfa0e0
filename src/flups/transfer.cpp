// Copies fields to the boxes and order of a solver, component by component, and back.
#include "flups/transfer.hpp"

#include <utility>

namespace weft::flups {

namespace {

bool in_order(const std::vector<int>& components) {
  for (std::size_t k = 0; k < components.size(); k++)
    if (components[k] != static_cast<int>(k)) return false;
  return true;
}

}  // namespace

Transfer::Transfer(const Comm& comm, const Topology& user, const std::vector<int>& directions, const Box& box,
                   std::vector<int> components)
    : components_(std::move(components)),
      user_doubles_(user.component_doubles()),
      strides_(user.strides(directions)),
      packed_(box.extents()) {
  const Box mine = user.box(directions);
  const bool empty = mine.empty() && box.empty();
  const bool same = empty || (mine == box && strides_ == c_strides(packed_) && in_order(components_));
  if (comm.max(index_t{same ? 0 : 1}) == 0) return;
  moves_ = std::make_unique<Redistribution>(comm, mine, box, sizeof(double));
  comm.together([&] { values_.resize(static_cast<std::size_t>(packed_.product()) * components_.size()); });
}

const double* Transfer::enter(const double* user) {
  if (moves_ == nullptr) return user;
  for (std::size_t k = 0; k < components_.size(); k++)
    moves_->forward(user + user_component(k), strides_, own_component(k), c_strides(packed_));
  return values_.data();
}

void Transfer::leave(double* user) {
  if (moves_ == nullptr) return;
  for (std::size_t k = 0; k < components_.size(); k++)
    moves_->backward(own_component(k), c_strides(packed_), user + user_component(k), strides_);
}

}  // namespace weft::flups
