// What the tests of VariablePoisson share: media, sampling on its cells, norms.
#pragma once

#include <array>
#include <cmath>
#include <numbers>
#include <vector>

#include "mpi/poisson_support.hpp"
#include "weft/variable_poisson.hpp"

namespace weft::testing {

/// A function of x, y, z (0 in two dimensions) in this rank's cells.
template <class Real, class Function>
std::vector<Real> sample(const VariablePoisson<Real>& solver, const Function& function) {
  std::vector<Real> values;
  const bool flat = solver.box().dims() == 2;
  for (const double x : solver.points(0))
    for (const double y : solver.points(1))
      for (const double z : flat ? std::vector<double>{0} : solver.points(2))
        values.push_back(static_cast<Real>(function(x, y, z)));
  return values;
}

/// Numbers in [-1, 1) that depend on the global index only.
template <class Real>
std::vector<Real> noise_in(const VariablePoisson<Real>& solver) {
  const Box box = solver.box();
  std::vector<Real> values;
  Extents index = box.lower();
  for (index_t i = 0; i < box.size(); i++) {
    index_t rest = i;
    for (int axis = box.dims() - 1; axis >= 0; rest /= box[axis--].size())
      index[axis] = box[axis].lo + rest % box[axis].size();
    values.push_back(static_cast<Real>(noise(index)));
  }
  return values;
}

template <class Real>
double dot(const Comm& comm, const std::vector<Real>& a, const std::vector<Real>& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); i++) sum += double{a[i]} * double{b[i]};
  return comm.sum(sum);
}

template <class Real>
std::vector<Real> difference(std::vector<Real> a, const std::vector<Real>& b) {
  for (std::size_t i = 0; i < a.size(); i++) a[i] -= b[i];
  return a;
}

/// A smooth coefficient from 1 to the contrast.
inline auto medium(double contrast) {
  return [contrast](double x, double y, double z) {
    const double w = 2 * std::numbers::pi;
    return std::pow(contrast, (1 + std::cos(w * (x + 0.1)) * std::cos(w * (y + 0.2)) * std::cos(w * (z + 0.1))) / 2);
  };
}

}  // namespace weft::testing
