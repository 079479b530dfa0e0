// The part of pipelines that transforms the modes of two fields to points, multiplies these, and transforms them back.
#include <algorithm>

#include "plan/run/pipeline.hpp"

namespace weft {

namespace {

// Bytes of the points of one field in a part, per thread: a part of two fields stays in the second-level cache.
constexpr index_t part_bytes = 1 << 18;

// u *= v, shared among the threads.
template <class Real>
void multiply_numbers(Real* u, const Real* v, index_t reals, int width, int threads) {
  const index_t numbers = reals / width;
  on_threads(threads, [&](int thread) {
    const index_t begin = numbers * thread / threads * width, end = numbers * (thread + 1) / threads * width;
    if (width == 1) {
#pragma omp simd
      for (index_t i = begin; i < end; i++) u[i] *= v[i];
      return;
    }
#pragma omp simd
    for (index_t i = begin; i < end; i += 2) {
      const Real re = u[i] * v[i] - u[i + 1] * v[i + 1];
      u[i + 1] = u[i] * v[i + 1] + u[i + 1] * v[i];
      u[i] = re;
    }
  });
}

}  // namespace

template <class Real>
typename Pipeline<Real>::PointParts Pipeline<Real>::point_parts() const {
  const PassPlan& plan = passes_.front()->plan();
  PointParts parts;
  parts.extents = physical_box().extents();
  for (int axis = parts.extents.dims() - 1; axis >= 0; axis--)
    if (std::find(plan.axes.begin(), plan.axes.end(), axis) == plan.axes.end()) parts.axis = axis;
  if (parts.axis < 0 || parts.extents.product() == 0) return parts;
  index_t& along = parts.extents[parts.axis];
  parts.all = along;
  along = 1;
  const index_t bytes = parts.extents.product() * plan.width_before * static_cast<index_t>(sizeof(Real));
  parts.most = along = std::clamp<index_t>(part_bytes * threads_ / bytes, 1, parts.all);
  return parts;
}

template <class Real>
index_t Pipeline<Real>::part_reals() const {
  const PointParts parts = point_parts();
  return reals_spanned(parts.extents, padded_strides<Real>(parts.extents, schedule_.width_physical));
}

template <class Real>
void Pipeline<Real>::multiply_points(Pipeline& other, const ModeArrays<Real>& arrays, const ProductScales<Real>& scales,
                                     std::array<Buffer<Real>, 2>& parts) {
  const std::size_t last = passes_.size() - 1;
  const LocalArray<Real> nowhere = user_array(nullptr, Space::physical);
  const PassEndpoints &mine = between(endpoints_[0], nowhere, arrays.a),
                      &theirs = other.between(other.endpoints_[0], nowhere, arrays.b),
                      &result = other.between(other.endpoints_[1], nowhere, arrays.out);
  for (std::size_t i = last; i > 0; i--) {
    const Real scale = i == last ? scales.backward : Real(1);
    run_pass(Direction::backward, i, mine, scale);
    other.run_pass(Direction::backward, i, theirs, scale);
  }
  const std::size_t exchange = last == 0 ? no_exchange : 0;
  const Neighbours turn{exchange, exchange, Direction::backward, Direction::forward};
  if (last > 0) other.open(exchange, Direction::forward, result);
  finish(turn, nullptr, 0, 1);
  other.finish(turn, nullptr, 0, 1);
  const auto ends = [](const PassEndpoints& endpoints) { return endpoints.after.front().parts.front().view; };
  SegmentedView<Real> to_modes = ends(result);
  to_modes.stream = to_modes.stream && last == 0;  // else it has just been loaded
  const ProductScales<Real> here{last == 0 ? scales.backward : Real(1), last == 0 ? scales.forward : Real(1)};
  const PointParts cut = point_parts();
  const Extents strides = padded_strides<Real>(cut.extents, schedule_.width_physical);
  const PassPlan& plan = passes_.front()->plan();
  for (index_t first = 0; first < cut.all; first += cut.most) {
    const Range range{first, std::min(first + cut.most, cut.all)};
    const auto points = [&](const Buffer<Real>& part) {
      const LocalArray<Real> array{part.data() - (cut.axis < 0 ? 0 : first * strides[cut.axis]), strides};
      return view(array, plan.before, plan.width_before, plan.axes.front());
    };
    const SegmentedView<Real> u = points(parts[0]), v = points(parts[1]), from_a = ends(mine), from_b = ends(theirs);
    const auto run = [&](Pipeline& of, Direction direction, const SegmentedView<Real>& from,
                         const SegmentedView<Real>& to, Real scale) {
      typename LocalPass<Real>::PassData data{.from = from, .to = to};
      if (cut.axis >= 0) data.only.add(cut.axis, range);
      of.passes_.front()->run(direction, data, scale, of.workspaces_);
    };
    run(*this, Direction::backward, from_a, u, here.backward);
    run(other, Direction::backward, from_b, v, here.backward);
    multiply_numbers(parts[1].data(), parts[0].data(), parts[1].size(), schedule_.width_physical, threads_);
    run(other, Direction::forward, v, to_modes, here.forward);
  }
  other.start(turn, nullptr, 0, 1);
  for (std::size_t i = 1; i <= last; i++)
    other.run_pass(Direction::forward, i, result, i == last ? scales.forward : Real(1));
}

#define WEFT_POINTS(Real)                                                                                       \
  template void Pipeline<Real>::multiply_points(Pipeline&, const ModeArrays<Real>&, const ProductScales<Real>&, \
                                                std::array<Buffer<Real>, 2>&);                                  \
  template index_t Pipeline<Real>::part_reals() const;
WEFT_POINTS(double)
WEFT_POINTS(float)
#undef WEFT_POINTS

}  // namespace weft
