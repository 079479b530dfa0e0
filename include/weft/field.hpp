// Field: a rank's block of a distributed array that knows where its points or modes are.
#pragma once

#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include "weft/box.hpp"
#include "weft/memory.hpp"

namespace weft {

/// Where an element of a field is: its position (coordinates or wavenumbers, one per axis) and how often it counts in a
/// sum over the whole array (2 for the doubled modes of a half spectrum, else 1).
struct Place {
  std::span<const double> position;
  double weight = 1;

  double operator[](int axis) const { return position[static_cast<std::size_t>(axis)]; }
  /// Squared length of the position: k^2 for a mode.
  double squared() const {
    double sum = 0;
    for (const double value : position) sum += value * value;
    return sum;
  }
};

/// The block `box()` of a global array, contiguous in C order. T is a real or a std::complex type.
template <class T>
class Field {
 public:
  /// `positions` and `weights`: one list per axis, one number per index of the box along that axis.
  Field(Box box, std::vector<std::vector<double>> positions, std::vector<std::vector<double>> weights)
      : box_(std::move(box)),
        positions_(std::move(positions)),
        weights_(std::move(weights)),
        values_(static_cast<std::size_t>(box_.size())) {}

  const Box& box() const { return box_; }
  std::size_t size() const { return values_.size(); }
  T* data() { return values_.data(); }
  const T* data() const { return values_.data(); }
  T& operator[](std::size_t i) { return values_[i]; }
  const T& operator[](std::size_t i) const { return values_[i]; }
  auto begin() { return values_.begin(); }
  auto end() { return values_.end(); }
  auto begin() const { return values_.begin(); }
  auto end() const { return values_.end(); }

  /// Calls work(Place, T& value) for every element, in memory order.
  template <class Work>
  void for_each(const Work& work) {
    const Extents extents = box_.extents();
    std::vector<double> position(positions_.size());
    for (std::size_t i = 0; i < values_.size(); i++) {
      auto rest = static_cast<index_t>(i);
      double weight = 1;
      for (int axis = box_.dims() - 1; axis >= 0; axis--) {
        const auto a = static_cast<std::size_t>(axis);
        const auto place = static_cast<std::size_t>(rest % extents[axis]);
        position[a] = positions_[a][place];
        weight *= weights_[a][place];
        rest /= extents[axis];
      }
      work(Place{position, weight}, values_[i]);
    }
  }

  /// Sets every element to f(x), f(x, y) or f(x, y, z) of its coordinates, or to f(Place) in any dimension.
  template <class Function>
  void fill(const Function& f) {
    for_each([&f](const Place& at, T& value) {
      if constexpr (std::is_invocable_v<Function, Place>)
        value = f(at);
      else if constexpr (std::is_invocable_v<Function, double>)
        value = f(at[0]);
      else if constexpr (std::is_invocable_v<Function, double, double>)
        value = f(at[0], at[1]);
      else
        value = f(at[0], at[1], at[2]);
    });
  }

 private:
  Box box_;
  std::vector<std::vector<double>> positions_, weights_;
  AlignedVector<T> values_;
};

}  // namespace weft
