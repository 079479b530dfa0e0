// Terms of derivatives on lane blocks.
#include "poisson/field_operation.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "transform/chosen_kernels.hpp"

namespace weft {

namespace {

template <class Real>
void clear(const ModeBlock<Real>& block, index_t element) {
  std::fill_n(block.data, block.count * element, Real(0));
}

/// Symbols of one axis for the modes of lines: one factor per mode and lane, `step` reals apart between modes.
template <class Real>
struct LaneFactors {
  std::array<Real, LineSet::most> of_lanes;
  const Real* along = nullptr;  // where the axis is that of the lines: one factor per stored mode

  LaneFactors(const ModeLines<Real>& lines, const std::vector<Real>& symbol, int axis, int lanes) : of_lanes{} {
    if (axis == lines.axis) {
      along = symbol.data();
      return;
    }
    const LineSet& set = lines.set;
    for (int l = 0; l < lanes; l++) {
      const auto which = static_cast<std::size_t>(set.neighbours || l >= set.used ? 0 : l);
      const index_t moved = set.index[which][axis] + (set.neighbours && axis == lines.inner ? l : 0);
      of_lanes[static_cast<std::size_t>(l)] = symbol[static_cast<std::size_t>(moved)];
    }
  }
};

// Adds scale * factor * in, or i times that, to one element of `out`.
template <class Real>
void add_element(Real* out, const Real* in, const std::array<Real, LineSet::most>& factor, int lanes, int width,
                 bool imaginary) {
  if (!imaginary) {
    for (int part = 0; part < width; part++)
#pragma omp simd
      for (int l = 0; l < lanes; l++)
        out[part * lanes + l] += factor[static_cast<std::size_t>(l)] * in[part * lanes + l];
    return;
  }
#pragma omp simd
  for (int l = 0; l < lanes; l++) {
    const Real f = factor[static_cast<std::size_t>(l)];
    out[l] -= f * in[lanes + l];
    out[lanes + l] += f * in[l];
  }
}

/// Adds sign * (derivative of `in` along an axis of the problem) to `out`.
template <class Real>
void add_derivative(const ModeLines<Real>& lines, const ModeDerivatives<Real>& derivatives, int axis,
                    const Boundary& boundary, double sign, const ModeBlock<Real>& in, const ModeBlock<Real>& out) {
  const int lanes = lane_kernels<Real>().lanes;
  const auto a = static_cast<std::size_t>(axis);
  const bool imaginary = derivatives.fourier[a];
  const Real scale = static_cast<Real>(!imaginary && is_cosine(boundary) ? -sign : sign);
  const LaneFactors<Real> factors(lines, derivatives.symbols[a], axis + 1, lanes);
  std::array<Real, LineSet::most> factor;
  std::transform(factors.of_lanes.begin(), factors.of_lanes.end(), factor.begin(), [&](Real f) { return scale * f; });
  const index_t element = index_t{lines.width} * lanes;
  const index_t lo = std::max(in.first, out.first), hi = std::min(in.first + in.count, out.first + out.count);
  for (index_t mode = lo; mode < hi; mode++) {
    if (factors.along != nullptr) factor.fill(scale * factors.along[mode]);
    add_element(out.data + (mode - out.first) * element, in.data + (mode - in.first) * element, factor, lanes,
                lines.width, imaginary);
  }
}

template <class Real>
void multiply(const ModeLines<Real>& lines, const LineSymbol<Real>& kernel, const ModeBlock<Real>& block) {
  const LaneKernels<Real>& kernels = lane_kernels<Real>();
  const LineModes modes{lines.axis, lines.inner, block.first, block.count};
  kernels.multiply(line_factors(kernels, kernel, modes, lines.set, lines.row, lines.factors), block.count, lines.width,
                   block.data);
}

}  // namespace

template <class Real>
DerivativeOperation<Real>::DerivativeOperation(const FieldInput<Real>& input, std::vector<DerivativeTerm> terms)
    : input_(input), terms_(std::move(terms)) {}

template <class Real>
void DerivativeOperation<Real>::apply(const ModeLines<Real>& lines, std::span<const ModeBlock<Real>> in,
                                      std::span<const ModeBlock<Real>> out) const {
  const index_t element = index_t{lines.width} * lane_kernels<Real>().lanes;
  if (input_.kernel != nullptr)
    for (const ModeBlock<Real>& block : in) multiply(lines, *input_.kernel, block);
  for (const ModeBlock<Real>& block : out) clear(block, element);
  for (const DerivativeTerm& term : terms_) {
    const auto from = static_cast<std::size_t>(term.in);
    add_derivative(lines, input_.derivatives, term.axis, input_.space[from][static_cast<std::size_t>(term.axis)],
                   term.sign, in[from], out[static_cast<std::size_t>(term.out)]);
  }
}

namespace {

// Scales symbols by a power of two, which changes no digits. A projection does not depend on the unit of length, but
// with lengths in metres or light years squares of symbols may lie outside the range of Real.
template <class Real>
ModeDerivatives<Real> in_units_of_the_largest(ModeDerivatives<Real> derivatives) {
  Real largest = 0;
  for (const auto& axis : derivatives.symbols)
    for (const Real a : axis) largest = std::max(largest, std::abs(a));
  if (largest == 0) return derivatives;
  const int exponent = std::ilogb(largest);
  for (auto& axis : derivatives.symbols)
    for (Real& a : axis) a = std::scalbn(a, -exponent);
  return derivatives;
}

// Symbols in the kernel's unit of length.
template <class Real>
ModeDerivatives<Real> in_units_of(double unit, ModeDerivatives<Real> derivatives) {
  for (auto& axis : derivatives.symbols)
    for (Real& a : axis) a *= static_cast<Real>(unit);
  return derivatives;
}

}  // namespace

template <class Real>
ProjectionOperation<Real>::ProjectionOperation(const FieldInput<Real>& input, Real factor)
    : input_(input),
      scalar_(scalar_space(input.space)),
      derivatives_(input.kernel == nullptr ? in_units_of_the_largest(input.derivatives)
                                           : in_units_of(input.unit, input.derivatives)),
      factor_(factor) {}

// -factor / (sum of squared symbols), 0 for modes without derivative.
template <class Real>
void ProjectionOperation<Real>::load_inverse_laplacian(const ModeLines<Real>& lines,
                                                       const ModeBlock<Real>& potential) const {
  const int lanes = lane_kernels<Real>().lanes;
  Real* to = lines.factors;
  std::fill_n(to, potential.count * lanes, Real(0));
  for (std::size_t a = 0; a < scalar_[0].size(); a++) {
    const LaneFactors<Real> factors(lines, derivatives_.symbols[a], static_cast<int>(a) + 1, lanes);
    for (index_t m = 0; m < potential.count; m++)
      for (int l = 0; l < lanes; l++) {
        const Real f = factors.along == nullptr ? factors.of_lanes[static_cast<std::size_t>(l)]
                                                : factors.along[potential.first + m];
        to[m * lanes + l] += f * f;
      }
  }
  std::transform(to, to + potential.count * lanes, to,
                 [this](Real square) { return square > 0 ? -factor_ / square : 0; });
}

template <class Real>
void ProjectionOperation<Real>::apply(const ModeLines<Real>& lines, std::span<const ModeBlock<Real>> in,
                                      std::span<const ModeBlock<Real>> out) const {
  const LaneKernels<Real>& kernels = lane_kernels<Real>();
  const index_t element = index_t{lines.width} * kernels.lanes;
  const auto dims = static_cast<int>(in.size());
  const auto place = [&](int c) { return static_cast<std::size_t>(input_.reversed ? dims - 1 - c : c); };
  // The potential has the modes of a component that is tangential to the ends of the lines.
  const ModeBlock<Real>& tangential = in[place(lines.axis == 1 ? 1 : 0)];
  const ModeBlock<Real> potential{lines.scratch, tangential.first, tangential.count};
  clear(potential, element);
  for (int c = 0; c < dims; c++) {
    const auto at = static_cast<std::size_t>(c);
    add_derivative(lines, derivatives_, c, input_.space[at][at], 1, in[place(c)], potential);
  }
  if (input_.kernel != nullptr) {
    multiply(lines, *input_.kernel, potential);
  } else {
    load_inverse_laplacian(lines, potential);
    kernels.multiply({.data = lines.factors, .step = kernels.lanes}, potential.count, lines.width, potential.data);
  }
  for (int c = 0; c < dims; c++) {
    const ModeBlock<Real>&from = in[place(c)], &to = out[place(c)];
    std::transform(from.data, from.data + from.count * element, to.data,
                   [this](Real value) { return factor_ * value; });
    add_derivative(lines, derivatives_, c, scalar_[0][static_cast<std::size_t>(c)], -1, potential, to);
  }
}

template class DerivativeOperation<double>;
template class DerivativeOperation<float>;
template class ProjectionOperation<double>;
template class ProjectionOperation<float>;

}  // namespace weft
