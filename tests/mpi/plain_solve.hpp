// The plain way to solve a Poisson problem, which the solver is compared with: every axis is written out in full, its
// whole period or its padded length with all images, and the array of all of that is transformed by defining sums in
// long double. Nothing is pruned, folded or shared, and of the library only the values of the kernel are taken.
#pragma once

#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

#include "weft/boundary.hpp"
#include "weft/green.hpp"
#include "weft/poisson.hpp"

namespace weft::testing {

/// One axis as a circle of points: what lies at each of them.
class Circle {
 public:
  struct Image {
    index_t point = -1;  ///< the stored point whose value it has, -1 where there is none
    int sign = 0;
  };

  explicit Circle(const DomainAxis& domain)
      : domain_(domain), images_(static_cast<std::size_t>(periods(domain.boundary) * domain.cells)) {
    const Boundary& b = domain.boundary;
    const int left = parity(b.left), right = parity(b.right);
    const index_t shift = domain.centring == Centring::cell ? 1 : 0, end = 2 * domain.cells;
    const index_t points = b.left == End::periodic ? domain.cells : domain.points();
    for (index_t j = 0; j < points; j++) {
      put(j, j, 1);
      put(-shift - j, j, left);
      put(end - shift - j, j, right);
      put(end + j, j, left * right);
    }
  }

  index_t length() const { return static_cast<index_t>(images_.size()); }
  bool convolved() const { return is_convolved(domain_.boundary); }
  const Image& at(index_t position) const { return images_[static_cast<std::size_t>(position)]; }
  GreenAxis green() const { return {convolved(), domain_.spacing(), convolved() ? length() / 2 : 0}; }
  /// What the kernel is taken at: offsets in space, or wavenumbers, from 0 to the far side of the circle.
  std::vector<double> green_coordinates() const {
    const double step =
        convolved() ? domain_.spacing() : 2 * std::numbers::pi / (static_cast<double>(length()) * domain_.spacing());
    std::vector<double> coordinates;
    for (index_t i = 0; i <= length() / 2; i++) coordinates.push_back(static_cast<double>(i) * step);
    return coordinates;
  }
  index_t green_entry(index_t position) const { return std::min(position, length() - position); }

 private:
  // Lengths of the axis around the circle: the reflected data of two mirrors of different parity come back after four;
  // a convolution of data of one or two lengths (with their image) needs as many zeros.
  static index_t periods(const Boundary& b) {
    switch (classify(b)) {
      case AxisClass::periodic:
        return 1;
      case AxisClass::symmetric:
        return b.left == b.right ? 2 : 4;
      case AxisClass::mixed:
        return 4;
      default:
        return 2;
    }
  }
  static int parity(End end) { return end == End::even ? 1 : end == End::odd ? -1 : 0; }

  // A point on an odd plane is its own image with the other sign, and so it is zero.
  void put(index_t position, index_t point, int sign) {
    if (sign == 0) return;
    Image& image = images_[static_cast<std::size_t>((position % length() + length()) % length())];
    image = {point, image.point >= 0 && image.sign != sign ? 0 : sign};
  }

  DomainAxis domain_;
  std::vector<Image> images_;
};

/// Complex numbers at all points of three circles.
class PlainArray {
 public:
  using Real = long double;

  explicit PlainArray(const std::vector<Circle>& circles)
      : extents_{circles[0].length(), circles[1].length(), circles[2].length()},
        re_(static_cast<std::size_t>(extents_.product())),
        im_(re_.size()) {}

  /// visit(value, positions) for each point.
  template <class Visit>
  void for_each(const Visit& visit) {
    std::size_t i = 0;
    for (index_t x = 0; x < extents_[0]; x++)
      for (index_t y = 0; y < extents_[1]; y++)
        for (index_t z = 0; z < extents_[2]; z++) visit(re_[i++], Extents{x, y, z});
  }
  Real at(const Extents& position) const {
    const Extents strides = c_strides(extents_);
    index_t i = 0;
    for (int axis = 0; axis < 3; axis++) i += position[axis] * strides[axis];
    return re_[static_cast<std::size_t>(i)];
  }

  /// sum_j exp(sign 2 pi i j k / n) along an axis.
  void transform(int axis, int sign) {
    const index_t n = extents_[axis], stride = c_strides(extents_)[axis];
    std::vector<Real> cosine, sine, re(static_cast<std::size_t>(n)), im(re.size());
    for (index_t q = 0; q < n; q++) {
      const Real angle = 2 * std::numbers::pi_v<Real> * static_cast<Real>(q) / static_cast<Real>(n);
      cosine.push_back(std::cos(angle));
      sine.push_back(static_cast<Real>(sign) * std::sin(angle));
    }
    for (index_t line = 0; line < extents_.product() / n; line++) {
      const index_t first = line / stride * stride * n + line % stride;
      for (index_t j = 0; j < n; j++) {
        re[static_cast<std::size_t>(j)] = re_[static_cast<std::size_t>(first + j * stride)];
        im[static_cast<std::size_t>(j)] = im_[static_cast<std::size_t>(first + j * stride)];
      }
      for (index_t k = 0; k < n; k++) {
        Real real = 0, imaginary = 0;
        for (index_t j = 0; j < n; j++) {
          const auto q = static_cast<std::size_t>(j * k % n), i = static_cast<std::size_t>(j);
          real += re[i] * cosine[q] - im[i] * sine[q];
          imaginary += re[i] * sine[q] + im[i] * cosine[q];
        }
        re_[static_cast<std::size_t>(first + k * stride)] = real;
        im_[static_cast<std::size_t>(first + k * stride)] = imaginary;
      }
    }
  }

  /// Times the real part of another.
  void multiply(const PlainArray& factor) {
    for (std::size_t i = 0; i < re_.size(); i++) {
      re_[i] *= factor.re_[i];
      im_[i] *= factor.re_[i];
    }
  }

 private:
  Extents extents_;
  std::vector<Real> re_, im_;
};

/// A problem in three dimensions with its axes written out.
class PlainProblem {
 public:
  explicit PlainProblem(const PoissonProblem& problem) {
    std::vector<GreenAxis> axes;
    for (std::size_t a = 0; a < 3; a++) {
      const index_t cells = problem.cells[static_cast<int>(a)];
      const DomainAxis domain{cells, problem.length[a], problem.boundary[a],
                              problem.centring[problem.centring.size() == 1 ? 0 : a]};
      const Circle& circle = circles_.emplace_back(domain);
      axes.push_back(circle.green());
      grid_.coordinates.push_back(circle.green_coordinates());
      points_.push_back(domain.points());
      weight_ *= (circle.convolved() ? domain.spacing() : 1) / static_cast<PlainArray::Real>(circle.length());
    }
    samples_.resize(static_cast<std::size_t>(grid_.size()));
    make_kernel(problem.kernel, axes, problem.screening)->sample(grid_, samples_.data(), 1);
  }

  /// At all stored points, in C order, for a right-hand side that is a function of the stored point.
  template <class Function>
  std::vector<double> solution(const Function& rhs) const {
    PlainArray data = extended(rhs), kernel = transformed_kernel();
    for (int axis = 0; axis < 3; axis++) data.transform(axis, -1);
    data.multiply(kernel);
    for (int axis = 0; axis < 3; axis++) data.transform(axis, 1);
    std::vector<double> values;
    Extents position(3);
    for (index_t i = 0; i < points_.product(); i++) {
      index_t rest = i;
      for (int axis = 2; axis >= 0; rest /= points_[axis--])
        position[axis] = rest % points_[axis] % circle(axis).length();  // the last node of a periodic axis is the first
      values.push_back(static_cast<double>(data.at(position)));
    }
    return values;
  }

 private:
  const Circle& circle(int axis) const { return circles_[static_cast<std::size_t>(axis)]; }

  template <class Function>
  PlainArray extended(const Function& rhs) const {
    PlainArray data(circles_);
    data.for_each([&](PlainArray::Real& value, Extents position) {
      int sign = 1;
      for (int axis = 0; axis < 3; axis++) {
        const Circle::Image image = circle(axis).at(position[axis]);
        sign *= image.sign;
        position[axis] = image.point;
      }
      value = sign == 0 ? 0 : sign * rhs(position);
    });
    return data;
  }

  PlainArray transformed_kernel() const {
    PlainArray kernel(circles_);
    kernel.for_each([&](PlainArray::Real& value, const Extents& position) {
      std::size_t entry = 0;
      for (int axis = 0; axis < 3; axis++)
        entry = entry * grid_.coordinates[static_cast<std::size_t>(axis)].size() +
                static_cast<std::size_t>(circle(axis).green_entry(position[axis]));
      value = weight_ * static_cast<PlainArray::Real>(samples_[entry]);
    });
    for (int axis = 0; axis < 3; axis++)
      if (circle(axis).convolved()) kernel.transform(axis, -1);
    return kernel;
  }

  std::vector<Circle> circles_;
  GreenGrid grid_;
  Extents points_;
  std::vector<double> samples_;
  PlainArray::Real weight_ = 1;  // h along convolved axes, one over the length of every circle
};

}  // namespace weft::testing
