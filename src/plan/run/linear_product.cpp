// Schedules of padded axes with an axis 0 for the fields, and the product of their modes.
#include "plan/run/linear_product.hpp"

#include <algorithm>
#include <cstdint>
#include <utility>

#include "plan/arguments.hpp"
#include "plan/schedule/plan_shape.hpp"
#include "transform/chosen_kernels.hpp"
#include "transform/fast_length.hpp"

namespace weft {

void check_product_kinds(const std::vector<Kind>& kinds) {
  for (std::size_t axis = 0; axis < kinds.size(); axis++)
    require(is_fourier(kinds[axis]) || kinds[axis] == Kind::none,
            "kinds: axis " + std::to_string(axis) + " has " + to_string(kinds[axis]) +
                ", whose modes have no convolution; give c2c, r2c or none");
}

// Cyclic sums wrap around at the length. Of the linear sums 0 .. 2n-2, none may be wrapped onto the sums origin ..
// origin+n-1. Even lengths have the fastest passes.
index_t linear_length(index_t n, index_t origin) {
  return n == 1 ? 1 : fast_length(std::max(origin + n, 2 * n - 1 - origin), 2);
}

namespace {

// Multiplies the modes of two fields.
template <class Real>
class ModesTimesModes final : public ModeOperation<Real> {
 public:
  explicit ModesTimesModes(Product product) : sign_(product == Product::correlation ? -1 : 1) {}
  void apply(const ModeLines<Real>& lines, std::span<const ModeBlock<Real>> in,
             std::span<const ModeBlock<Real>> out) const override {
    const int lanes = lane_kernels<Real>().lanes;
    const index_t element = index_t{lines.width} * lanes;
    const Real sign = sign_;
    for (index_t mode = 0; mode < out[0].count; mode++) {
      const Real *a = in[0].data + mode * element, *b = in[1].data + mode * element;
      Real* to = out[0].data + mode * element;
#pragma omp simd
      for (int l = 0; l < lanes; l++) {
        const Real re = a[l], im = sign * a[lanes + l];
        to[l] = re * b[l] - im * b[lanes + l];
        to[lanes + l] = re * b[lanes + l] + im * b[l];
      }
    }
  }

 private:
  Real sign_;
};

AxisTransform padded_axis(Kind kind, index_t n, index_t origin, index_t pad, int axis) {
  AxisTransform result = whole_axis(kind, n, axis);
  if (kind == Kind::none) return result;
  result.length = linear_length(n, origin);
  result.pad = pad;
  result.modes = output_length(kind, result.length);
  return result;
}

std::vector<AxisTransform> padded_axes(const ProductFields& fields, const Extents& origin, const Extents& pads) {
  std::vector<AxisTransform> axes;
  axes.reserve(fields.kinds.size());
  for (int axis = 0; axis < fields.shape.dims(); axis++)
    axes.push_back(
        padded_axis(fields.kinds[static_cast<std::size_t>(axis)], fields.shape[axis], origin[axis], pads[axis], axis));
  return axes;
}

// The schedule of fields with the given transforms, counted by axis 0. Of three transformed axes the last two are fused
// (ScheduleInput::padded), in the order that leaves the points cut as in the plan.
template <class Real>
Schedule product_schedule(const ProductFields& fields, const std::vector<std::vector<AxisTransform>>& transforms,
                          const PlanOptions& options, int ranks) {
  ScheduleInput input = schedule_input(fields.shape, fields.kinds, sizeof(Real), options);
  input.padded = input.order.size() == 3 && fields.shape.dims() == 3;
  if (input.padded) std::swap(input.order[1], input.order[2]);
  for (int& axis : input.order) axis++;
  for (int& axis : input.batch_axes) axis++;
  input.batch_axes.insert(input.batch_axes.begin(), 0);
  const AxisTransform counted = whole_axis(Kind::none, static_cast<index_t>(transforms.size()), 0);
  for (const auto& axes : transforms) {
    input.components.push_back(axes);
    input.components.back().insert(input.components.back().begin(), counted);
  }
  input.axes = input.components.front();
  input.node_ranks = options.node_ranks;
  if (!options.fuse) input.plane_reals = 0;
  input.grid = fields.grid.size() == ranks ? fields.grid : choose_grid(input, ranks);
  return make_schedule(input);
}

Box without_count(const Box& box) {
  Box result(box.dims() - 1);
  for (int axis = 0; axis < result.dims(); axis++) result[axis] = box[axis + 1];
  return result;
}

PlanOptions product_options(PlanOptions given) {
  given.workspace = nullptr;  // two pipelines hold fields at once
  given.chunks = 1;
  given.in_place = false;
  given.modes.clear();
  given.output = Output::transposed;
  return given;
}

void check_origin(const ProductFields& fields, const Extents& origin) {
  require(fields.shape.dims() < max_dims, "origin: linear sums take fields of at most " + std::to_string(max_dims - 1) +
                                              " axes, this plan has " + std::to_string(fields.shape.dims()));
  require(origin.dims() == fields.shape.dims(), "origin: " + std::to_string(origin.dims()) + " entries for " +
                                                    std::to_string(fields.shape.dims()) + " axes; give one per axis");
  for (int axis = 0; axis < origin.dims(); axis++) {
    const bool is_summed = fields.kinds[static_cast<std::size_t>(axis)] != Kind::none;
    const index_t most = is_summed ? fields.shape[axis] - 1 : 0;
    require(origin[axis] >= 0 && origin[axis] <= most,
            "origin: " + std::to_string(origin[axis]) + " on axis " + std::to_string(axis) + "; give 0 to " +
                std::to_string(most) + (is_summed ? "" : " where there is no transform"));
  }
}

}  // namespace

template <class Real>
LinearProduct<Real>::LinearProduct(const Comm& comm, const ProductFields& fields, Product product,
                                   const Extents& origin, const PlanOptions& given)
    : origin_(origin), product_(product) {
  const PlanOptions options = product_options(given);
  comm.require_same("origin", to_string(origin));
  Schedule of_fields, of_result;
  comm.together([&] {
    check_product_kinds(fields.kinds);
    check_origin(fields, origin);
    // Sums begin at index `origin`: convolutions store the result from there, correlations shift the second field.
    const auto plain = padded_axes(fields, origin, Extents(origin.dims())),
               shifted = padded_axes(fields, origin, origin);
    const bool convolves = product == Product::convolution;
    of_fields = product_schedule<Real>(fields, {plain, convolves ? plain : shifted}, options, comm.size());
    of_result = product_schedule<Real>(fields, {convolves ? shifted : plain}, options, comm.size());
    double factor = 1;
    for (const AxisTransform& axis : plain) factor *= round_trip_factor(axis.kind, axis.length);
    scale_ = static_cast<Real>(1 / factor);
  });
  forward_ = std::make_unique<Pipeline<Real>>(comm, std::move(of_fields), options);
  backward_ = std::make_unique<Pipeline<Real>>(comm, std::move(of_result), options);
  for (auto& border : borders_)
    border =
        std::make_unique<Border<Real>>(comm, "physical_box", fields.points, without_count(backward_->physical_box()),
                                       fields.shape, fields.width, false, options);
}

// Two arrays are passed as one whose axis 0 has the distance between them as its stride.
template <class Real>
void LinearProduct<Real>::run(const Real* a, const Real* b, Real* out) {
  Border<Real>&first = *borders_[0], &second = *borders_[1];
  const LocalArray<Real> of_a = first.user_array(a), of_b = second.user_array(b), of_out = first.user_array(out);
  first.enter(of_a);
  second.enter(of_b);
  const auto counted = [](const LocalArray<Real>& array, index_t stride) {
    LocalArray<Real> result{array.data, {stride}};
    for (const index_t step : array.strides) result.strides.push_back(step);
    return result;
  };
  const Real *from = first.inner(of_a).data, *other = second.inner(of_b).data;
  const auto apart = (reinterpret_cast<std::intptr_t>(other) - reinterpret_cast<std::intptr_t>(from)) /
                     static_cast<std::intptr_t>(sizeof(Real));
  const ModesTimesModes<Real> operation(product_);
  forward_->combine(*backward_, counted(first.inner(of_a), apart), counted(first.inner(of_out), 0), operation, scale_);
  first.leave(of_out);
}

template <class Real>
index_t LinearProduct<Real>::workspace_bytes() const {
  index_t bytes = forward_->workspace_bytes() + backward_->workspace_bytes();
  for (const auto& border : borders_) bytes += border->workspace_bytes();
  return bytes;
}

template class LinearProduct<double>;
template class LinearProduct<float>;

}  // namespace weft
