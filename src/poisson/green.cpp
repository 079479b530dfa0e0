// The table of kernels by name, and the checks of their input.
#include "weft/green.hpp"

#include <algorithm>
#include <cmath>

#include "base/number.hpp"
#include "poisson/kernels.hpp"
#include "weft/error.hpp"

namespace weft {

namespace {

struct Family {
  std::string name;
  std::unique_ptr<GreenKernel> (*make)(const KernelInput& input);
};

const std::vector<Family>& families() {
  static const std::vector<Family> all{
      {"chat2", make_chat2},    {"lgf2", make_lattice},   {"lgf4", make_lattice},   {"lgf6", make_lattice},
      {"lgf8", make_lattice},   {"mehr4l", make_lattice}, {"mehr6l", make_lattice}, {"mehr4f", make_lattice},
      {"mehr6f", make_lattice}, {"hej2", make_hej},       {"hej4", make_hej},       {"hej6", make_hej},
      {"hej8", make_hej},       {"hej10", make_hej},      {"hej0", make_hej0},      {"truncated", make_truncated},
      {"igf", make_igf},
  };
  return all;
}

std::string quoted(const Kernel& kernel) { return "kernel: " + kernel.name; }

}  // namespace

index_t GreenGrid::size() const {
  index_t size = 1;
  for (const auto& axis : coordinates) size *= static_cast<index_t>(axis.size());
  return size;
}

double GreenKernel::value(std::span<const double> coordinates) const {
  GreenGrid grid;
  for (const double x : coordinates) grid.coordinates.push_back({std::abs(x)});
  double result = 0;
  sample(grid, &result, 1);
  return result;
}

// A remainder of some units in the last place of the shift is rounding: singular kernels would take it for a distance.
CellShift cell_shift(const GreenAxis& axis) {
  const double h = axis.spacing, cells = std::round(axis.shift / h), rest = axis.shift - cells * h;
  return {cells, std::abs(rest) <= 1e-12 * (1 + std::abs(cells)) * h ? 0 : rest};
}

bool is_shifted(const std::vector<GreenAxis>& axes) {
  return std::any_of(axes.begin(), axes.end(), [](const GreenAxis& axis) { return axis.shift != 0; });
}

int KernelInput::dimension() const {
  return static_cast<int>(std::count_if(axes.begin(), axes.end(), [](const GreenAxis& a) { return a.convolved; }));
}

double KernelInput::common_spacing() const {
  const double h = axes.front().spacing;
  for (const GreenAxis& axis : axes)
    require(std::abs(axis.spacing - h) <= 1e-12 * h, quoted(kernel) + " needs the same spacing along all axes, given " +
                                                         number("%.6g", h) + " and " + number("%.6g", axis.spacing) +
                                                         "; change cells or length, or use truncated, igf or chat2");
  return h;
}

void KernelInput::refuse_screening() const {
  require(screening == 0, quoted(kernel) + " does not support screening, given " + std::to_string(screening) +
                              (kernel.is_users() ? "; put it into the function and leave screening = 0"
                                                 : "; use truncated, chat2, igf, or hej0 to hej10"));
}

const std::vector<std::string>& kernel_names() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> all;
    for (const Family& family : families()) all.push_back(family.name);
    return all;
  }();
  return names;
}

void check_kernel(const Kernel& kernel) {
  require(std::isfinite(kernel.alpha) && kernel.alpha > 0,
          "alpha: " + std::to_string(kernel.alpha) + " given; it must be positive and finite, 2 is usual");
  if (kernel.is_users()) return;
  const auto& names = kernel_names();
  if (std::find(names.begin(), names.end(), kernel.name) != names.end()) return;
  std::string allowed;
  for (const std::string& known : names) allowed += (allowed.empty() ? "" : ", ") + known;
  throw Error(Fault::argument,
              "kernel: unknown kernel '" + kernel.name + "'; use one of: " + allowed + ", or a function of your own");
}

void check_screening(double screening) {
  require(std::isfinite(screening) && screening >= 0,
          "screening: " + std::to_string(screening) + " given; it must be 0 or positive, and finite");
}

std::unique_ptr<GreenKernel> make_kernel(const Kernel& kernel, const std::vector<GreenAxis>& axes, double screening,
                                         double power) {
  check_kernel(kernel);
  require(!axes.empty() && axes.size() <= 3,
          "cells: " + std::to_string(axes.size()) + " axes given; a Poisson problem has 1 to 3 axes");
  for (const GreenAxis& axis : axes) {
    require(std::isfinite(axis.spacing) && axis.spacing > 0,
            "spacing: " + std::to_string(axis.spacing) + " given; it must be positive and finite");
  }
  check_screening(screening);
  const KernelInput input{kernel, axes, screening};
  if (kernel.is_users()) {
    input.refuse_screening();
    return to_power(kernel.distance ? make_of_distance(input) : make_of_wavenumber(input), input, power);
  }
  for (const Family& family : families())
    if (family.name == kernel.name) return to_power(family.make(input), input, power);
  throw Error(Fault::internal, "kernel: no maker for " + kernel.name);
}

}  // namespace weft
