// Entries of the rows, conditions at the ends, and the shift of each line.
#include "poisson/chebyshev_lines.hpp"

#include <algorithm>

#include "transform/chosen_kernels.hpp"

namespace weft {

namespace {

double half_of(const DomainAxis& axis) { return axis.length / 2; }

bool is_odd(const DomainAxis& axis, std::size_t end) {
  return (end == 0 ? axis.boundary.left : axis.boundary.right) == End::odd;
}

// Coefficients are N times too large after the transform, and f is not yet multiplied by the unit of length squared.
std::array<double, 2> end_factors(const DomainAxis& axis) {
  const double unit = half_of(axis);
  std::array<double, 2> factors{};
  for (std::size_t end = 0; end < 2; end++)
    factors[end] = static_cast<double>(axis.cells) / (is_odd(axis, end) ? unit * unit : unit);
  return factors;
}

}  // namespace

template <class Real>
ChebyshevLines<Real>::ChebyshevLines(const SymbolInput& input, int rank)
    : LineSystems<Real>(input, rank, half_of(solved_axis_of(input)), end_factors(solved_axis_of(input))) {
  const DomainAxis& axis = solved_axis_of(input);
  std::vector<double> lower(2), upper(2);
  for (index_t k = 2; k <= axis.cells; k++) {
    const double n = static_cast<double>(k);
    lower.push_back(1 / (4 * n * (n - 1)));
    upper.push_back(1 / (4 * n * (n + 1)));
  }
  lower_ = rounded<Real>(lower);
  upper_ = rounded<Real>(upper);
  for (std::size_t end = 0; end < 2; end++) {
    value_[end] = is_odd(axis, end) ? Real(1) : Real(0);
    slope_[end] = static_cast<Real>(is_odd(axis, end) ? axis.robin[end] / half_of(axis) : 1);
  }
}

template <class Real>
void ChebyshevLines<Real>::apply(const ModeLines<Real>& lines, Real* block) const {
  const LaneKernels<Real>& kernels = lane_kernels<Real>();
  alignas(64) std::array<Real, LineSet::most> shift{};
  alignas(64) std::array<Values, 2> given{};
  LaneChebyshev<Real> systems{static_cast<index_t>(lower_.size()) - 1,
                              lower_.data(),
                              upper_.data(),
                              {value_[0], value_[1]},
                              {slope_[0], slope_[1]}};
  for (std::size_t end = 0; end < 2 && this->has_ends(); end++) {
    this->load_ends(lines, static_cast<int>(end), given[end]);
    systems.given[end] = given[end].data();
  }
  for (int lane = 0; lane < kernels.lanes; lane++)
    shift[static_cast<std::size_t>(lane)] = static_cast<Real>(this->shift_of(lines, lane));
  kernels.solve_chebyshev(systems, shift.data(), lines.width, block, {lines.factors, lines.scratch});
}

template <class Real>
index_t ChebyshevLines<Real>::bytes() const {
  return LineSystems<Real>::bytes() + static_cast<index_t>((lower_.size() + upper_.size()) * sizeof(Real));
}

template <class Real>
std::string ChebyshevLines<Real>::text() const {
  return "systems of " + std::to_string(lower_.size()) + " Chebyshev coefficients along axis " +
         std::to_string(this->axis()) + ", one for each mode, solved inside the last pass";
}

template class ChebyshevLines<double>;
template class ChebyshevLines<float>;

}  // namespace weft
