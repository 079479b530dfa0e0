// Moves users' arrays through the borders and the pipeline between them.
#include "plan/run/bordered_pipeline.hpp"

#include <utility>

#include "plan/line/line_transform.hpp"
#include "plan/run/step_text.hpp"
#include "plan/tune/node_map.hpp"

namespace weft {

Box box_or_nothing(const Layout& layout, int rank) {
  return rank < layout.ranks() ? layout.box(rank) : Box(layout.dims());
}

namespace {

// This rank's boxes between the borders.
PlanBoxes inner_boxes(const Schedule& schedule, const PlanOptions& options, int rank) {
  PlanBoxes boxes{box_or_nothing(schedule.physical, rank), box_or_nothing(schedule.spectral, rank)};
  if (!is_line(schedule) || rank >= schedule.physical.ranks()) return boxes;
  const LineCut cut = line_of(schedule, options).cut(rank);
  boxes.physical[0] = cut.points;
  boxes.spectral[0] = cut.modes;
  return boxes;
}

// The boxes of users: given ones, or those of a layout that differs from the layout between the borders.
Box user_box(const Comm& comm, const Box& given, const Layout& layout, bool differs) {
  return differs && comm.sum(index_t{given.dims() > 0}) == 0 ? box_or_nothing(layout, comm.rank()) : given;
}

// The modes cut along the same axes as the points.
Layout natural(const Schedule& schedule) { return schedule.physical.with_extents(schedule.spectral.extents()); }

}  // namespace

template <class Real>
BorderedPipeline<Real>::BorderedPipeline(const Comm& comm, Schedule schedule, const PlanOptions& options,
                                         const PlanOptions& given, const PlanBoxes& boxes)
    : comm_(comm),
      schedule_(std::move(schedule)),
      given_(given),
      spectral_layout_(options.output == Output::natural ? natural(schedule_) : schedule_.spectral),
      inner_(inner_boxes(schedule_, options, comm.rank())),
      physical_(comm, "physical_box", user_box(comm, boxes.physical, schedule_.physical, is_line(schedule_)),
                inner_.physical, schedule_.physical.extents(), schedule_.width_physical, false, given),
      spectral_(
          comm, options.output == Output::natural ? "output" : "spectral_box",
          user_box(comm, boxes.spectral, spectral_layout_, is_line(schedule_) || options.output == Output::natural),
          inner_.spectral, schedule_.spectral.extents(), schedule_.width_spectral, true, given) {
  make_transform(options);
}

template <class Real>
void BorderedPipeline<Real>::make_transform(const PlanOptions& options) {
  const int ranks = schedule_.physical.ranks();
  const bool active = comm_.rank() < ranks;
  const Comm part = first_ranks(comm_, ranks);
  // Errors are the same on all ranks that transform, and are sent to the others.
  const auto make = [&] {
    if (!active) return;
    if (is_line(schedule_)) {
      transform_ = make_line<Real>(part, line_of(schedule_, options), options);
    } else {
      auto pipeline = std::make_unique<Pipeline<Real>>(part, schedule_, options);
      pipeline_ = pipeline.get();
      transform_ = std::move(pipeline);
    }
  };
  ranks == comm_.size() ? make() : comm_.together(make);
  strategy_ = comm_.broadcast(active ? transform_->strategy() : "", 0);
}

template <class Real>
std::string BorderedPipeline<Real>::moves() const {
  std::string names;
  for (const std::string& name : {physical_.strategy(), strategy_, spectral_.strategy()}) add_strategy(names, name);
  return names.empty() ? "none" : names;
}

template <class Real>
index_t BorderedPipeline<Real>::number_at(Space space, index_t place) const {
  if (space == Space::physical || !is_line(schedule_)) return place;
  const LongLine line = line_of(schedule_, given_);
  const LineShape shape(line.n);
  return line.order == LineOrder::scrambled && shape.is_balanced() ? shape.mode_at(place) : place;
}

template <class Real>
LocalArray<Real> BorderedPipeline<Real>::user_array(const Real* data, Space space) const {
  return (space == Space::physical ? physical_ : spectral_).user_array(data);
}

template <class Real>
void BorderedPipeline<Real>::transform(Direction direction, const LocalArray<Real>& in, const LocalArray<Real>& out,
                                       Real scale) {
  const bool forward = direction == Direction::forward;
  Border<Real>&first = forward ? physical_ : spectral_, &last = forward ? spectral_ : physical_;
  first.enter(in);
  if (transform_ != nullptr) transform_->transform(direction, first.inner(in), last.inner(out), scale);
  last.leave(out);
}

template <class Real>
void BorderedPipeline<Real>::convolve(const Real* in, Real* out, const LineSymbol<Real>& symbol, Real scale) {
  const LocalArray<Real> from = physical_.user_array(in), to = physical_.user_array(out);
  physical_.enter(from);
  if (transform_ != nullptr) transform_->convolve(physical_.inner(from).data, physical_.inner(to).data, symbol, scale);
  physical_.leave(to);
}

template <class Real>
LocalArray<const Real> BorderedPipeline<Real>::inner_factors(const Real* data, const Extents& strides, int width) {
  if (!spectral_.active()) return {data, strides};
  std::unique_ptr<Redistribution>& moves = factor_moves_[static_cast<std::size_t>(width - 1)];
  if (moves == nullptr)
    moves = std::make_unique<Redistribution>(comm_, spectral_.user(), inner_.spectral,
                                             static_cast<std::size_t>(width) * sizeof(Real),
                                             redistribution_options(given_));
  const Extents extents = inner_.spectral.extents(), packed = c_strides(extents);
  const index_t count = extents.product() * width;
  comm_.together([&] {
    if (factors_.size() < count) factors_ = Buffer<Real>(count);
  });
  Extents given = strides;
  for (index_t& stride : given) stride /= width;
  moves->forward(data, given, factors_.data(), packed);
  return {factors_.data(), real_strides(extents, width)};
}

template <class Real>
index_t BorderedPipeline<Real>::workspace_bytes() const {
  index_t bytes = physical_.workspace_bytes() + spectral_.workspace_bytes() + factors_.bytes();
  for (const auto& moves : factor_moves_) bytes += moves != nullptr ? moves->workspace_bytes() : 0;
  return bytes + (transform_ != nullptr ? transform_->workspace_bytes() : 0);
}

template <class Real>
index_t BorderedPipeline<Real>::bytes_sent() const {
  return physical_.bytes_sent() + spectral_.bytes_sent() + (transform_ != nullptr ? transform_->bytes_sent() : 0);
}

template <class Real>
std::string BorderedPipeline<Real>::explain() const {
  std::string text;
  if (transform_ == nullptr)
    text = "the first " + std::to_string(schedule_.physical.ranks()) + " of " + std::to_string(comm_.size()) +
           " ranks transform, not rank " + std::to_string(comm_.rank()) + "\n";
  if (physical_.active()) text += "physical arrays of the user:\n" + physical_.explain() + "\n";
  if (spectral_.active()) text += "spectral arrays of the user:\n" + spectral_.explain() + "\n";
  return text + (transform_ != nullptr ? transform_->explain() : "");
}

template class BorderedPipeline<double>;
template class BorderedPipeline<float>;

}  // namespace weft
