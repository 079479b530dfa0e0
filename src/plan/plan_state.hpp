// The state of a plan: its pipeline, and the conversion of users' arrays, symbols and axes for it.
#pragma once

#include <array>
#include <cmath>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "plan/planned.hpp"
#include "plan/run/linear_product.hpp"
#include "plan/run/mode_product.hpp"
#include "plan/run/overlap.hpp"
#include "plan/space.hpp"
#include "weft/plan.hpp"

namespace weft {

template <class Real>
struct Plan<Real>::State {
  State(MPI_Comm user, const Extents& shape, const std::vector<Kind>& given, const PlanBoxes& boxes,
        const PlanOptions& given_options)
      : comm(user),
        kinds(given),
        pipeline(make_pipeline(shape, boxes, given_options)),
        physical_extents(pipeline.physical_box().extents()),
        spectral_extents(pipeline.spectral_box().extents()),
        options(given_options),
        norm(options.norm),
        in_place(options.in_place) {
    for (int axis = 0; axis < shape.dims(); axis++)
      factor *= round_trip_factor(kinds[static_cast<std::size_t>(axis)], shape[axis]);
  }

  BorderedPipeline<Real> make_pipeline(const Extents& shape, const PlanBoxes& boxes, const PlanOptions& given) {
    const ScheduleInput input = checked_input(comm, shape, kinds, given, sizeof(Real));
    comm.together([&] { check_boxes(given, boxes, comm.size()); });
    return planned<Real>(comm, input, boxes, given, tuning_summary);
  }

  Real scale(Direction direction) const {
    if (norm == Norm::ortho) return static_cast<Real>(1 / std::sqrt(factor));
    const bool here = (norm == Norm::backward) == (direction == Direction::backward);
    return static_cast<Real>(here ? 1 / factor : 1);
  }

  // One value per local index of an axis of points or modes, according to `space`.
  template <class Value>
  std::vector<double> along(Space space, int axis, const Value& value) const {
    const bool physical = space == Space::physical;
    const Box box = physical ? pipeline.physical_box() : pipeline.spectral_box();
    require(
        axis >= 0 && axis < box.dims(),
        "axis: " + std::to_string(axis) + " is not an axis of the array; give 0 to " + std::to_string(box.dims() - 1));
    const AxisTransform& transform = pipeline.schedule().axes[static_cast<std::size_t>(axis)];
    const index_t n = physical ? transform.points : transform.kept_points();
    std::vector<double> result;
    for (index_t i = box[axis].lo; i < box[axis].hi; i++)
      result.push_back(value(kinds[static_cast<std::size_t>(axis)], n, pipeline.number_at(space, i)));
    return result;
  }

  // The positions and weights of a field, from functions of the axis.
  template <class Positions, class Weights>
  std::shared_ptr<const AxisPlaces> places(const Positions& positions, const Weights& weights) const {
    AxisPlaces places;
    for (int axis = 0; axis < pipeline.schedule().physical.dims(); axis++) {
      places.positions.push_back(positions(axis));
      places.weights.push_back(weights(axis));
    }
    return std::make_shared<const AxisPlaces>(std::move(places));
  }

  // Only a single pass loads from and stores to users' arrays directly; arrays with strides are always checked.
  void transform(Direction direction, const LocalArray<Real>& in, LocalArray<Real> out, bool strided) {
    require_place(false);
    if (strided || pipeline.schedule().passes.size() == 1) check_arrays(direction, in, out);
    const Extents &from = extents(space_before(direction)), &to = extents(space_after(direction));
    for (int axis = 0; axis < from.dims(); axis++)  // the stride of a single index has no effect
      if (in.data == out.data && from[axis] == 1 && to[axis] == 1) out.strides[axis] = in.strides[axis];
    pipeline.transform(direction, in, out, scale(direction));
  }
  // A user's array in `space`.
  LocalArray<Real> array(const Real* data, Space space) const { return pipeline.user_array(data, space); }
  LocalArray<Real> array(const Real* data, Space space, const Extents& strides) const {
    LocalArray<Real> result = pipeline.user_array(data, space);
    result.strides = strides;
    for (index_t& stride : result.strides) stride *= width(space);
    return result;
  }
  ShapedArray<Real> shaped(const LocalArray<Real>& array, Space space) const {
    return {array, extents(space), width(space)};
  }
  const Extents& extents(Space space) const { return space == Space::physical ? physical_extents : spectral_extents; }
  int width(Space space) const {
    const Schedule& schedule = pipeline.schedule();
    return space == Space::physical ? schedule.width_physical : schedule.width_spectral;
  }

  // Collective.
  void check_arrays(Direction direction, const LocalArray<Real>& in, const LocalArray<Real>& out) const {
    const int axes = pipeline.schedule().physical.dims();
    const auto check = [axes](const char* name, const Extents& strides) {
      if (strides.dims() == axes) return;
      throw Error(Fault::argument, std::string(name) + ": " + std::to_string(strides.dims()) + " strides for " +
                                       std::to_string(axes) + " axes; give one per axis");
    };
    comm.together([&] {
      check("in_strides", in.strides);
      check("out_strides", out.strides);
      const std::string problem = overlap_problem(pipeline.schedule(), shaped(in, space_before(direction)),
                                                  shaped(out, space_after(direction)));
      require(problem.empty(), problem);
    });
  }

  void require_place(bool wanted) const {
    if (in_place == wanted) return;  // every transform calls this, so no text is made in the normal case
    throw Error(Fault::argument, wanted ? "in_place: this plan works out of place; make it with PlanOptions::in_place"
                                        : "in_place: this plan works in place; give it a field of in_place_field()");
  }

  // The symbol in the form that passes read: a table of offsets per axis.
  LineSymbol<Real> line_symbol(const Symbol& symbol) {
    const Extents modes = pipeline.spectral_box().extents(), inner = pipeline.inner_modes();
    comm.together([&] {
      require(!symbol.is_complex || pipeline.schedule().width_spectral == 2,
              "symbol: its factors are complex, but the modes of this plan are real; give real factors");
      require(symbol.strides.dims() == modes.dims(), "symbol: " + std::to_string(symbol.strides.dims()) +
                                                         " strides for " + std::to_string(modes.dims()) + " axes");
      require(symbol.data != nullptr || modes.product() == 0, "symbol: its data are a null pointer");
    });
    const int width = symbol.is_complex ? 2 : 1;
    Extents steps = symbol.strides;
    for (index_t& step : steps) step *= width;
    const LocalArray<const Real> factors = pipeline.inner_factors(symbol.data, steps, width);
    LineSymbol<Real> result{factors.data, {}, width, 0};
    comm.together([&] {
      for (int axis = 0; axis < inner.dims(); axis++) {
        const index_t step = factors.strides[axis];
        std::vector<index_t>& offsets = result.offsets.emplace_back();
        for (index_t i = 0; i < inner[axis]; i++) offsets.push_back(i * step);
        if (axis == pipeline.last_axis()) result.step = step;
      }
    });
    return result;
  }

  // Collective.
  void multiply(Product product, const Real* a, const Real* b, Real* out) {
    require_place(false);
    comm.together([&] {
      check_product_kinds(kinds);
      if (spectrum.size() == 0) spectrum = Buffer<Real>(reals(Space::spectral));
    });
    pipeline.transform(Direction::forward, array(a, Space::physical), array(spectrum.data(), Space::spectral), Real(1));
    if (product == Product::correlation)
      for (index_t i = 1; i < spectrum.size(); i += 2) spectrum.data()[i] = -spectrum.data()[i];
    const LineSymbol<Real> factors = line_symbol({spectrum.data(), c_strides(spectral_extents), true});
    pipeline.convolve(b, out, factors, static_cast<Real>(1 / factor));
  }

  // Collective.
  void multiply(Product product, const Real* a, const Real* b, Real* out, const Extents& origin) {
    require_place(false);
    std::unique_ptr<LinearProduct<Real>>& kept = linear[product == Product::convolution ? 0 : 1];
    // Ranks may have different origins until these are compared.
    if (comm.max(index_t{kept == nullptr || kept->origin() != origin}) > 0) {
      kept.reset();
      const ProductFields fields{pipeline.schedule().physical.extents(), kinds, width(Space::physical),
                                 pipeline.physical_box(), pipeline.physical_layout().grid()};
      kept = std::make_unique<LinearProduct<Real>>(comm, fields, product, origin, options);
    }
    kept->run(a, b, out);
  }
  // Collective.
  void multiply_modes(const Real* a, const Real* b, Real* out) {
    require_place(false);
    if (modes == nullptr)
      modes = std::make_unique<ModeProduct<Real>>(comm, pipeline.schedule().physical.extents(), kinds,
                                                  pipeline.spectral_box(), options);
    modes->run(a, b, out, scale(Direction::backward));
  }
  index_t workspace_bytes() const {
    index_t bytes = pipeline.workspace_bytes() + spectrum.bytes() + (modes != nullptr ? modes->workspace_bytes() : 0);
    for (const auto& product : linear) bytes += product != nullptr ? product->workspace_bytes() : 0;
    return bytes;
  }

  index_t reals(Space space) const { return extents(space).product() * width(space); }

  Comm comm;
  std::vector<Kind> kinds;
  std::string tuning_summary;  // written while the pipeline is made
  BorderedPipeline<Real> pipeline;
  Extents physical_extents, spectral_extents;                  // of this rank's arrays
  Buffer<Real> spectrum;                                       // of multiply(), made when first needed
  std::array<std::unique_ptr<LinearProduct<Real>>, 2> linear;  // convolution and correlation, for the last origin
  std::unique_ptr<ModeProduct<Real>> modes;                    // made when first needed, like `linear`
  PlanOptions options;                                         // as given
  Norm norm;
  bool in_place;
  double factor = 1;
};

}  // namespace weft
