// What the tests of plans share: global arrays that every rank can make, parts of them, naive transforms of them, all
// process grids, and refusals that are the same on all ranks.
#pragma once

#include <gtest/gtest.h>

#include <cstring>
#include <functional>
#include <string>
#include <vector>

#include "../error_text.hpp"
#include "../naive_transforms.hpp"
#include "weft/plan.hpp"
#include "world.hpp"

namespace weft::plan_test {

/// What is transformed.
struct Case {
  Extents shape;
  std::vector<Kind> kinds;

  bool has(Kind kind) const {
    for (const Kind k : kinds)
      if (k == kind) return true;
    return false;
  }
  int physical_width() const { return has(Kind::c2c) && !has(Kind::r2c) ? 2 : 1; }
  int spectral_width() const { return has(Kind::c2c) || has(Kind::r2c) ? 2 : 1; }
  Kind kind(int axis) const { return kinds[static_cast<std::size_t>(axis)]; }
  Extents spectral_shape() const {
    Extents result = shape;
    for (int axis = 0; axis < shape.dims(); ++axis) result[axis] = output_length(kind(axis), shape[axis]);
    return result;
  }
  double factor() const {
    double result = 1;
    for (int axis = 0; axis < shape.dims(); ++axis) result *= round_trip_factor(kind(axis), shape[axis]);
    return result;
  }
};

inline std::string to_string(const Case& c) {
  std::string text = weft::to_string(c.shape) + ":";
  for (const Kind kind : c.kinds) text += " " + weft::to_string(kind);
  return text;
}

/// rfftn: r2c on the last axis, c2c on the others.
inline Case rfftn(const Extents& shape) {
  Case c{shape, std::vector<Kind>(static_cast<std::size_t>(shape.dims()), Kind::c2c)};
  c.kinds.back() = Kind::r2c;
  return c;
}

/// Numbers in [-1, 1) that look random, are the same on every rank, and are held exactly by float.
template <class Real>
std::vector<Real> numbers(index_t count, std::uint32_t seed = 1) {
  std::uint32_t state = seed * 2654435761U + 12345U;
  std::vector<Real> values;
  for (index_t i = 0; i < count; ++i) {
    state = state * 1664525U + 1013904223U;
    values.push_back(static_cast<Real>(static_cast<int>(state >> 20) - 2048) / 2048);
  }
  return values;
}

/// The global physical array of a case.
template <class Real>
std::vector<Real> physical_numbers(const Case& c) {
  return numbers<Real>(c.shape.product() * c.physical_width());
}

/// Calls visit(element of the global array, element of the local array) for the elements of the box, in C order.
template <class Visit>
void for_each_element(const Extents& extents, const Box& box, Visit visit) {
  const Extents strides = c_strides(extents), sides = box.extents();
  for (index_t local = 0; local < box.size(); ++local) {
    index_t rest = local, global = 0;
    for (int axis = extents.dims() - 1; axis >= 0; --axis) {
      global += (box[axis].lo + rest % sides[axis]) * strides[axis];
      rest /= sides[axis];
    }
    visit(global, local);
  }
}

/// The local array that holds `box` of a global array with `width` reals per element.
template <class Real>
std::vector<Real> part(const std::vector<Real>& global, const Extents& extents, const Box& box, int width) {
  std::vector<Real> local(static_cast<std::size_t>(box.size() * width));
  for_each_element(extents, box, [&](index_t from, index_t to) {
    for (int i = 0; i < width; ++i)
      local[static_cast<std::size_t>(to * width + i)] = global[static_cast<std::size_t>(from * width + i)];
  });
  return local;
}

template <class Real>
std::vector<Real> times(std::vector<Real> values, Real factor) {
  for (Real& value : values) value *= factor;
  return values;
}

/// The elements of a view in C order, as reals.
template <class Real, class T>
std::vector<Real> values_in(const FieldView<T>& view) {
  std::vector<Real> values;
  view.for_each([&values](const Place&, const T& value) {
    const auto* reals = reinterpret_cast<const Real*>(&value);
    values.insert(values.end(), reals, reals + sizeof(T) / sizeof(Real));
  });
  return values;
}

/// The inverse of values_in.
template <class Real, class T>
void store(const FieldView<T>& view, const std::vector<Real>& values) {
  const auto* next = reinterpret_cast<const T*>(values.data());
  view.for_each([&next](const Place&, T& value) { value = *next++; });
}

/// Calls visit(field) with a new field of a plan in place, whatever the types of its elements.
template <class Real, class Visit>
void with_field(Plan<Real>& plan, const Visit& visit) {
  using Complex = std::complex<Real>;
  if (plan.physical_complex()) {
    visit(plan.template in_place_field<Complex, Complex>());
  } else if (plan.spectral_complex()) {
    visit(plan.template in_place_field<Real, Complex>());
  } else {
    visit(plan.template in_place_field<Real, Real>());
  }
}

template <class Real>
bool same_bits(const std::vector<Real>& a, const std::vector<Real>& b) {
  return a.size() == b.size() && (a.empty() || std::memcmp(a.data(), b.data(), a.size() * sizeof(Real)) == 0);
}

template <class Real>
naive::Line as_line(const std::vector<Real>& reals, int width) {
  naive::Line line;
  for (std::size_t i = 0; i < reals.size(); i += static_cast<std::size_t>(width))
    line.emplace_back(reals[i], width == 2 ? reals[i + 1] : Real(0));
  return line;
}

/// All lines along one axis of a C-ordered array, transformed by their sums; `extents` become those of the modes.
inline naive::Line naive_along(const naive::Line& in, Extents& extents, int axis, Kind kind) {
  if (kind == Kind::none) return in;
  const naive::Transform transform(kind, extents[axis]);
  const index_t stride = c_strides(extents)[axis], points = extents[axis], modes = transform.modes();
  extents[axis] = modes;
  naive::Line out(static_cast<std::size_t>(extents.product())), line(static_cast<std::size_t>(points));
  for (index_t i = 0; i < extents.product() / modes; ++i) {
    const index_t outer = i / stride, inner = i % stride;
    for (index_t j = 0; j < points; ++j)
      line[static_cast<std::size_t>(j)] = in[static_cast<std::size_t>((outer * points + j) * stride + inner)];
    const naive::Line result = transform.forward(line);
    for (index_t k = 0; k < modes; ++k)
      out[static_cast<std::size_t>((outer * modes + k) * stride + inner)] = result[static_cast<std::size_t>(k)];
  }
  return out;
}

/// The global spectrum of a global physical array.
inline naive::Line naive_forward(const Case& c, naive::Line field) {
  Extents extents = c.shape;
  for (int axis = 0; axis < extents.dims(); ++axis) field = naive_along(field, extents, axis, c.kind(axis));
  return field;
}

/// Bound on (2-norm of the error of the spectrum) / (2-norm of the field), to first order: the error that each axis
/// makes in what it gets, amplified by the other axes.
inline double forward_bound(const Case& c, double eps) {
  naive::Real bound = 0;
  for (int axis = 0; axis < c.shape.dims(); ++axis) {
    if (c.kind(axis) == Kind::none) continue;
    naive::Real term = naive::direct_sum_bound(c.kind(axis), c.shape[axis], eps);
    for (int other = 0; other < c.shape.dims(); ++other)
      if (other != axis) term *= naive::gain_bound(c.kind(other), c.shape[other]);
    bound += term;
  }
  return static_cast<double>(bound);
}

/// The same for backward(forward(field)) with the factor divided out: the inverse makes errors like those of the
/// forward transform of the inverse kinds, each is amplified by the other direction, and two roundings scale the
/// result.
inline double round_trip_bound(const Case& c, double eps) {
  Case inverse = c;
  naive::Real gain = 1;
  for (std::size_t axis = 0; axis < c.kinds.size(); ++axis) {
    inverse.kinds[axis] = weft::inverse(c.kinds[axis]);
    gain *= naive::gain_bound(c.kinds[axis], c.shape[static_cast<int>(axis)]);
  }
  const double both = forward_bound(c, eps) + forward_bound(inverse, eps);
  return both * static_cast<double>(gain) / c.factor() + 2 * eps;
}

/// 2-norm of a - b.
template <class Real>
double distance(const std::vector<Real>& a, const std::vector<Real>& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += std::pow(static_cast<double>(a[i]) - static_cast<double>(b[i]), 2);
  return std::sqrt(sum);
}

template <class Real>
double norm(const std::vector<Real>& a) {
  return distance(a, std::vector<Real>(a.size()));
}

/// All ways to write `ranks` as a product of 1 to `most` factors, in order.
inline std::vector<std::vector<int>> all_grids(int ranks, int most) {
  std::vector<std::vector<int>> result{{ranks}};
  if (most < 2) return result;
  for (int first = 1; first <= ranks; ++first) {
    if (ranks % first != 0) continue;
    for (std::vector<int> rest : all_grids(ranks / first, most - 1)) {
      rest.insert(rest.begin(), first);
      result.push_back(rest);
    }
  }
  return result;
}

inline std::string text_of(const PlanOptions& options) {
  std::string text = weft::to_string(options.strategy) + ", engine " + weft::to_string(options.engine) + ", " +
                     std::to_string(options.threads) + " threads, grid";
  for (const int entry : options.grid) text += " " + std::to_string(entry);
  return text;
}

/// Options whose results do not depend on timings.
inline PlanOptions quick(Strategy strategy = Strategy::alltoallv) {
  PlanOptions options;
  options.effort = Effort::estimate;
  options.strategy = strategy;
  return options;
}

/// Every rank throws the same Error, and its text contains all of `parts`.
inline void expect_refused(const std::function<void()>& call, const std::vector<std::string>& parts) {
  const std::string text = testing::error_text(call);
  EXPECT_EQ(text, Comm(MPI_COMM_WORLD).broadcast(text, 0));
  for (const std::string& part : parts)
    EXPECT_NE(text.find(part), std::string::npos) << "'" << part << "' in: " << text;
}

}  // namespace weft::plan_test
