// Field: a rank's block of a distributed array that knows the positions of its points or modes.
#pragma once

#include <memory>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include "weft/box.hpp"
#include "weft/memory.hpp"

namespace weft {

/// The position of an element of a field (coordinates or wavenumbers, one per axis) and its weight in a sum over the
/// whole array (2 for the doubled modes of a half spectrum, else 1).
struct Place {
  std::span<const double> position;
  double weight = 1;

  double operator[](int axis) const { return position[static_cast<std::size_t>(axis)]; }
  /// Squared length of the position, k^2 for a mode.
  double squared() const {
    double sum = 0;
    for (const double value : position) sum += value * value;
    return sum;
  }
};

/// Positions and weights of the points or modes of a block: one list per axis, one number per index of the box.
struct AxisPlaces {
  std::vector<std::vector<double>> positions, weights;
};

/// A view of the block `box()` of a global array in memory that it does not own. T is a real or a std::complex type.
template <class T>
class FieldView {
 public:
  /// `strides`: elements of T from one index to the next, per axis.
  FieldView(Box box, std::shared_ptr<const AxisPlaces> places, T* data, const Extents& strides)
      : box_(std::move(box)), places_(std::move(places)), data_(data), strides_(strides) {}

  const Box& box() const { return box_; }
  T* data() const { return data_; }
  const Extents& strides() const { return strides_; }
  /// The element at local indices i, j, ... (one per axis, from 0).
  template <class... Index>
  T& operator()(Index... index) const {
    T* place = data_;
    int axis = 0;
    ((place += static_cast<index_t>(index) * strides_[axis++]), ...);
    return *place;
  }

  /// Calls work(Place, T& value) for every element, the last axis fastest.
  template <class Work>
  void for_each(const Work& work) const {
    if (box_.size() == 0) return;
    const Extents extents = box_.extents();
    const int dims = box_.dims();
    Extents index(dims);
    std::vector<double> position(static_cast<std::size_t>(dims));
    for (bool more = true; more; more = next(index, extents)) {
      double weight = 1;
      T* place = data_;
      for (int axis = 0; axis < dims; axis++) {
        const auto a = static_cast<std::size_t>(axis), i = static_cast<std::size_t>(index[axis]);
        position[a] = places_->positions[a][i];
        weight *= places_->weights[a][i];
        place += index[axis] * strides_[axis];
      }
      work(Place{position, weight}, *place);
    }
  }

  /// Sets every element to f(x), f(x, y) or f(x, y, z) of its coordinates, or to f(Place) in any dimension.
  template <class Function>
  void fill(const Function& f) const {
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
  static bool next(Extents& index, const Extents& extents) {
    for (int axis = extents.dims() - 1; axis >= 0; axis--) {
      if (++index[axis] < extents[axis]) return true;
      index[axis] = 0;
    }
    return false;
  }

  Box box_;
  std::shared_ptr<const AxisPlaces> places_;
  T* data_;
  Extents strides_;
};

/// The block `box()` of a global array, contiguous in C order, with its memory. T is a real or a std::complex type.
template <class T>
class Field {
 public:
  Field(Box box, std::shared_ptr<const AxisPlaces> places)
      : box_(std::move(box)), places_(std::move(places)), values_(static_cast<std::size_t>(box_.size())) {}

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

  FieldView<T> view() { return {box_, places_, values_.data(), c_strides(box_.extents())}; }
  /// These members work as those of FieldView.
  template <class Work>
  void for_each(const Work& work) {
    view().for_each(work);
  }
  template <class Function>
  void fill(const Function& f) {
    view().fill(f);
  }

 private:
  Box box_;
  std::shared_ptr<const AxisPlaces> places_;
  AlignedVector<T> values_;
};

/// A view with padding between rows and planes that owns its memory. Copies refer to the same memory.
template <class T>
struct PaddedField {
  FieldView<T> view;
  std::shared_ptr<AlignedVector<T>> memory;
};

template <class Real>
class InPlaceMemory;

/// The points and modes of a distributed array in one memory that an in-place plan has made. Modes overwrite points and
/// points overwrite modes. Copies refer to the same memory.
template <class In, class Out, class Real>
struct InPlaceField {
  FieldView<In> physical;
  FieldView<Out> spectral;
  std::shared_ptr<const InPlaceMemory<Real>> memory;
};

}  // namespace weft
