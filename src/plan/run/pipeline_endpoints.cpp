// The endpoints of the passes of a pipeline: arrays of users, ends of exchanges, in-place memory.
#include <algorithm>

#include "plan/run/pipeline.hpp"

namespace weft {

template <class Real>
LocalArray<Real> Pipeline<Real>::user_array(const Real* data, Space space) const {
  const bool physical = space == Space::physical;
  const Layout& layout = physical ? schedule_.physical : schedule_.spectral;
  const int width = physical ? schedule_.width_physical : schedule_.width_spectral;
  // A view serves loads and stores; a const array is only loaded from.
  return {const_cast<Real*>(data), real_strides(layout.box(comm_.rank()).extents(), width)};  // NOLINT
}

template <class Real>
SegmentedView<Real> Pipeline<Real>::view(const LocalArray<Real>& array, const Layout& layout, int width,
                                         int axis) const {
  return whole_view(array.data, layout.box(comm_.rank()).extents(), array.strides, width, axis);
}

template <class Real>
typename Pipeline<Real>::PassEndpoints Pipeline<Real>::make_endpoints(Streaming streaming) const {
  PassEndpoints endpoints;
  const auto undivided = [this](const Layout& layout, int width, int axis) {
    return endpoint_of(view({}, layout, width, axis));
  };
  for (std::size_t i = 0; i < passes_.size(); i++) {
    const PassPlan& plan = passes_[i]->plan();
    const bool from_exchange = i > 0 && !shares_memory_, to_exchange = i + 1 < passes_.size() && !shares_memory_;
    endpoints.before.push_back(from_exchange ? exchanges_[i - 1]->far()
                                             : undivided(plan.before, plan.width_before, plan.axes.front()));
    endpoints.after.push_back(to_exchange ? exchanges_[i]->near()
                                          : undivided(plan.after, plan.width_after, plan.axes.back()));
    const bool large = !shares_memory_ && passes_[i]->bytes() > stream_from_bytes(),
               ends = streaming == Streaming::ends;
    const auto set = [&](PassEndpoint<Real>& endpoint, bool of_user) {
      for (Part<Real>& part : endpoint.parts) {
        part.view.stream = large && (streaming == Streaming::large || (ends && of_user));
        part.view.cached = ends && !of_user;
      }
    };
    set(endpoints.before.back(), i == 0);
    set(endpoints.after.back(), i + 1 == passes_.size());
  }
  return endpoints;
}

namespace {

// Sets an endpoint of one part to an array.
template <class Real>
void put(const LocalArray<Real>& array, PassEndpoint<Real>& endpoint) {
  SegmentedView<Real>& view = endpoint.parts.front().view;
  view.segments.front().base = array.data;
  view.segments.front().stride = array.strides;
}

}  // namespace

template <class Real>
typename Pipeline<Real>::PassEndpoints& Pipeline<Real>::between(PassEndpoints& endpoints,
                                                                const LocalArray<Real>& physical,
                                                                const LocalArray<Real>& spectral) const {
  put(physical, endpoints.before.front());
  put(spectral, endpoints.after.back());
  endpoints.known = nullptr;
  return endpoints;
}

// Whether passes may meet in the array of a result in this space, so that caches hold two arrays instead of three:
// arrays that are not exchanged, if all arrays between passes have the shape of the result, and a pass loads and stores
// more than the caches that are near, but not much more than the last one. In more, results that are streamed to a
// third array are faster.
template <class Real>
bool Pipeline<Real>::may_work_in_result(Space space) const {
  constexpr double most_bytes = 48 << 20;
  if (exchanges_.empty()) return false;
  const double bytes = passes_.front()->bytes();
  if (bytes <= meet_from_bytes() || bytes > most_bytes) return false;
  const bool physical = space == Space::physical;
  const Extents extents = (physical ? schedule_.physical : schedule_.spectral).box(comm_.rank()).extents();
  const int width = physical ? schedule_.width_physical : schedule_.width_spectral;
  return std::all_of(schedule_.exchanges.begin(), schedule_.exchanges.end(), [&](const ExchangePlan& plan) {
    return !plan.moves() && plan.memory_order.empty() && plan.width == width &&
           plan.near.box(comm_.rank()).extents() == extents;
  });
}

// Whether the passes after the first work in the result. Not if points of a line that is loaded or stored there are
// whole pages apart, so that they fall into few sets of a cache, nor if the result overwrites the input, which the
// first pass has to have read.
template <class Real>
bool Pipeline<Real>::works_in_result(Direction direction, const LocalArray<Real>& in,
                                     const LocalArray<Real>& out) const {
  constexpr index_t page_reals = 4096 / static_cast<index_t>(sizeof(Real));
  return may_work_in_result_[static_cast<std::size_t>(space_after(direction))] && in.data != out.data &&
         std::none_of(schedule_.exchanges.begin(), schedule_.exchanges.end(), [&](const ExchangePlan& plan) {
           return out.strides[plan.near_axis] % page_reals == 0 || out.strides[plan.far_axis] % page_reals == 0;
         });
}

template <class Real>
typename Pipeline<Real>::PassEndpoints& Pipeline<Real>::in_result(Direction direction, const LocalArray<Real>& in,
                                                                  const LocalArray<Real>& out) {
  PassEndpoints& endpoints = in_result_;
  for (std::size_t i = 0; i < passes_.size(); i++) {
    put(out, endpoints.before[i]);
    put(out, endpoints.after[i]);
  }
  put(in, direction == Direction::forward ? endpoints.before.front() : endpoints.after.back());
  return endpoints;
}

template <class Real>
typename Pipeline<Real>::PassEndpoints& Pipeline<Real>::within(PassEndpoints& endpoints,
                                                               const InPlaceMemory<Real>& memory) const {
  if (!shares_memory_) {
    if (endpoints.known != memory.begin()) between(endpoints, memory.physical(), memory.spectral());
    endpoints.known = memory.begin();
    return endpoints;
  }
  endpoints.memory = &memory;
  if (endpoints.known == memory.begin()) return endpoints;
  endpoints.middle.clear();
  for (std::size_t i = 0; i < passes_.size(); i++) {
    const PassPlan& plan = passes_[i]->plan();
    put(memory.at(plan.before, plan.width_before), endpoints.before[i]);
    put(memory.at(plan.after, plan.width_after), endpoints.after[i]);
    endpoints.middle.push_back(memory.at(plan.before, plan.width_before));
  }
  endpoints.known = memory.begin();
  return endpoints;
}

template LocalArray<double> Pipeline<double>::user_array(const double*, Space) const;
template LocalArray<float> Pipeline<float>::user_array(const float*, Space) const;
#define WEFT_ENDPOINTS(Real)                                                                                        \
  template SegmentedView<Real> Pipeline<Real>::view(const LocalArray<Real>&, const Layout&, int, int) const;        \
  template Pipeline<Real>::PassEndpoints Pipeline<Real>::make_endpoints(Streaming) const;                           \
  template bool Pipeline<Real>::may_work_in_result(Space) const;                                                    \
  template bool Pipeline<Real>::works_in_result(Direction, const LocalArray<Real>&, const LocalArray<Real>&) const; \
  template Pipeline<Real>::PassEndpoints& Pipeline<Real>::in_result(Direction, const LocalArray<Real>&,             \
                                                                    const LocalArray<Real>&);                       \
  template Pipeline<Real>::PassEndpoints& Pipeline<Real>::between(PassEndpoints&, const LocalArray<Real>&,          \
                                                                  const LocalArray<Real>&) const;                   \
  template Pipeline<Real>::PassEndpoints& Pipeline<Real>::within(PassEndpoints&, const InPlaceMemory<Real>&) const;
WEFT_ENDPOINTS(double)
WEFT_ENDPOINTS(float)
#undef WEFT_ENDPOINTS

}  // namespace weft
