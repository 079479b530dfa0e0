// What the passes of a pipeline load from and store to: arrays of users, sides of exchanges, memory in place.
#include "plan/run/pipeline.hpp"

namespace weft {

template <class Real>
LocalArray<Real> Pipeline<Real>::user_array(const Real* data, Direction side) const {
  const bool physical = side == Direction::forward;
  const Layout& layout = physical ? schedule_.physical : schedule_.spectral;
  const int width = physical ? schedule_.width_physical : schedule_.width_spectral;
  // Views serve loads and stores alike; what comes in as const is only ever loaded from.
  return {const_cast<Real*>(data), real_strides(layout.box(comm_.rank()).extents(), width)};  // NOLINT
}

template <class Real>
SegmentedView<Real> Pipeline<Real>::view(const LocalArray<Real>& array, const Layout& layout, int width,
                                         int axis) const {
  return whole_view(array.data, layout.box(comm_.rank()).extents(), array.strides, width, axis);
}

template <class Real>
typename Pipeline<Real>::Sides Pipeline<Real>::make_sides() const {
  Sides sides;
  const auto side = [this](const Layout& layout, int width, int axis) {
    return whole_side(view({}, layout, width, axis));
  };
  for (std::size_t i = 0; i < passes_.size(); i++) {
    const PassPlan& plan = passes_[i]->plan();
    const bool from_exchange = i > 0 && !shares_memory_, to_exchange = i + 1 < passes_.size() && !shares_memory_;
    sides.before.push_back(from_exchange ? exchanges_[i - 1]->far()
                                         : side(plan.before, plan.width_before, plan.axes.front()));
    sides.after.push_back(to_exchange ? exchanges_[i]->near() : side(plan.after, plan.width_after, plan.axes.back()));
    const bool stream = !shares_memory_ && passes_[i]->bytes() > stream_from_bytes;
    for (Side<Real>* of_pass : {&sides.before.back(), &sides.after.back()})
      for (Part<Real>& part : of_pass->parts) part.view.stream = stream;
  }
  return sides;
}

namespace {

// Lets a side without parts be an array.
template <class Real>
void put(const LocalArray<Real>& array, Side<Real>& side) {
  SegmentedView<Real>& view = side.parts.front().view;
  view.segments.front().base = array.data;
  view.segments.front().stride = array.strides;
}

}  // namespace

template <class Real>
typename Pipeline<Real>::Sides& Pipeline<Real>::between(Sides& sides, const LocalArray<Real>& physical,
                                                        const LocalArray<Real>& spectral) const {
  put(physical, sides.before.front());
  put(spectral, sides.after.back());
  sides.known = nullptr;
  return sides;
}

template <class Real>
typename Pipeline<Real>::Sides& Pipeline<Real>::within(Sides& sides, const InPlaceMemory<Real>& memory) const {
  if (!shares_memory_) {
    if (sides.known != memory.begin()) between(sides, memory.physical(), memory.spectral());
    sides.known = memory.begin();
    return sides;
  }
  sides.memory = &memory;
  if (sides.known == memory.begin()) return sides;
  sides.middle.clear();
  for (std::size_t i = 0; i < passes_.size(); i++) {
    const PassPlan& plan = passes_[i]->plan();
    put(memory.at(plan.before, plan.width_before), sides.before[i]);
    put(memory.at(plan.after, plan.width_after), sides.after[i]);
    sides.middle.push_back(memory.at(plan.before, plan.width_before));
  }
  sides.known = memory.begin();
  return sides;
}

template LocalArray<double> Pipeline<double>::user_array(const double*, Direction) const;
template LocalArray<float> Pipeline<float>::user_array(const float*, Direction) const;
#define WEFT_SIDES(Real)                                                                                            \
  template Pipeline<Real>::Sides Pipeline<Real>::make_sides() const;                                                \
  template Pipeline<Real>::Sides& Pipeline<Real>::between(Sides&, const LocalArray<Real>&, const LocalArray<Real>&) \
      const;                                                                                                        \
  template Pipeline<Real>::Sides& Pipeline<Real>::within(Sides&, const InPlaceMemory<Real>&) const;
WEFT_SIDES(double)
WEFT_SIDES(float)
#undef WEFT_SIDES

}  // namespace weft
