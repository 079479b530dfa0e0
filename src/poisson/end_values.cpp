// Where given values enter the differences, and with which factor.
#include "poisson/end_values.hpp"

#include <algorithm>
#include <cmath>
#include <string>

#include "poisson/line_systems.hpp"
#include "poisson/wave_ends.hpp"
#include "transform/chosen_kernels.hpp"
#include "weft/error.hpp"

namespace weft {

namespace {

End end_of(const DomainAxis& axis, Side side) { return side == Side::left ? axis.boundary.left : axis.boundary.right; }

/// The points of a plane of a box that is normal to an axis: value (i, j) lies at begin + i * step + j.
struct PlanePlaces {
  index_t begin = 0, rows = 0, step = 0, row = 0;

  PlanePlaces(const Box& box, int axis, index_t point) {
    if (point < box[axis].lo || point >= box[axis].hi || box.empty()) return;
    rows = row = 1;
    for (int a = 0; a < box.dims(); a++) (a < axis ? rows : row) *= a == axis ? 1 : box[a].size();
    step = row * box[axis].size();
    begin = (point - box[axis].lo) * row;
  }

  /// Calls work(place in the box, place in the plane) for all points.
  template <class Work>
  void for_each(const Work& work) const {
    for (index_t i = 0; i < rows; i++)
      for (index_t j = 0; j < row; j++) work(begin + i * step + j, i * row + j);
  }
};

/// The axis of a box for an axis of the problem. If the box has one axis more, its axis 0 counts right-hand sides.
int axis_of_box(const std::vector<DomainAxis>& domain, const Box& box, int axis) {
  return axis + box.dims() - static_cast<int>(domain.size());
}

/// The point whose Laplacian contains the given value, and the factor of that value.
struct Share {
  index_t point;
  double factor;
};

Share share_of(const DomainAxis& axis, Side side) {
  const bool left = side == Side::left, odd = end_of(axis, side) == End::odd;
  const double h = axis.spacing();
  if (axis.centring == Centring::node) {
    if (!odd) return {left ? 0 : axis.cells, 2 / h};  // beyond the end lies the point before it, mirrored
    return {left ? 1 : axis.cells - 1, 1 / (h * h)};
  }
  const std::vector<double> weights = axis.is_solved_along() ? solved_weights(axis) : std::vector<double>{1};
  const double width = h * (left ? weights.front() : weights.back());
  const double robin = axis.robin[left ? 0 : 1];
  return {left ? 0 : axis.points() - 1, odd ? 1 / ((width / 2 + robin) * width) : 1 / width};
}

std::string of_end(int axis, Side side) {
  return std::string("ends: the ") + (side == Side::left ? "left" : "right") + " end of axis " + std::to_string(axis);
}

template <class Real>
void check_end(const std::vector<DomainAxis>& domain, const std::string& kernel, const EndValues<Real>& given) {
  require(given.axis >= 0 && given.axis < static_cast<int>(domain.size()),
          "ends: axis " + std::to_string(given.axis) + " is not an axis of the problem; give 0 to " +
              std::to_string(domain.size() - 1));
  const DomainAxis& axis = domain[static_cast<std::size_t>(given.axis)];
  const End end = end_of(axis, given.side);
  require(end == End::odd || end == End::even,
          of_end(given.axis, given.side) + " is " + to_string(end) + "; values are given at odd and even ends");
  for (const DomainAxis& other : domain)
    require(other.shift == 0 || classify(other.boundary) == AxisClass::periodic || !has_points_on_end(axis, given.side),
            of_end(given.axis, given.side) +
                " is odd and has points on it; with a shift along an unbounded axis they would need values beyond the "
                "box, which are not given; use cells along this axis, or set that shift to 0");
  require(axis.is_solved_along() || kernel == "lgf2" || has_exact_waves(domain, kernel),
          of_end(given.axis, given.side) +
              " belongs to a transformed axis, which takes values with the kernel lgf2, or " +
              "with chat2, truncated, igf or hej0 if no axis is unbounded or has widths or Chebyshev points; kernel " +
              kernel + " given: use lgf2, or give the axis widths of its cells, or the centring chebyshev");
}

}  // namespace

double wall_factor(const DomainAxis& axis, Side side) {
  const double unit = axis.spacing();
  return end_of(axis, side) == End::odd ? 1 / (unit * unit) : 1 / unit;
}

template <class Real>
void check_ends(const Comm& comm, const std::vector<DomainAxis>& domain, const std::string& kernel, const Box& box,
                const std::vector<EndValues<Real>>& ends) {
  std::string text;
  for (const EndValues<Real>& given : ends) text += of_end(given.axis, given.side) + " ";
  comm.require_same("ends", text);
  comm.together([&] {
    for (std::size_t i = 0; i < ends.size(); i++) {
      const EndValues<Real>& given = ends[i];
      check_end(domain, kernel, given);
      const auto same = [&](const EndValues<Real>& other) {
        return other.axis == given.axis && other.side == given.side;
      };
      require(std::none_of(ends.begin(), ends.begin() + static_cast<std::ptrdiff_t>(i), same),
              of_end(given.axis, given.side) + " is given twice; give it once");
      require(given.values != nullptr || box.empty(), of_end(given.axis, given.side) + " has no values");
      bool finite = true;
      const int axis = axis_of_box(domain, box, given.axis);
      if (!box.empty())
        PlanePlaces(box, axis, box[axis].lo).for_each([&](index_t, index_t j) {
          finite = finite && std::isfinite(given.values[j]);
        });
      require(finite, of_end(given.axis, given.side) + " has NaN or Inf among its values; they must be finite");
    }
  });
}

template <class Real>
EndSource<Real>::EndSource(const std::vector<DomainAxis>& domain, const Box& box,
                           const std::vector<AxisTransform>& axes, const std::vector<EndValues<Real>>& ends)
    : axes_(axes) {
  for (const EndValues<Real>& given : ends) {
    const Share share = share_of(domain[static_cast<std::size_t>(given.axis)], given.side);
    const int axis = axis_of_box(domain, box, given.axis);
    if (box.empty() || !box[axis].contains(share.point)) continue;
    Extents plane = box.extents();
    plane[axis] = 1;
    Face face{axis, share.point - box[axis].lo, share.factor, given.values, c_strides(plane)};
    face.strides[axis] = 0;
    faces_.push_back(face);
  }
}

template <class Real>
bool EndSource<Real>::concerns(const LineSet& set, int axis, int inner) const {
  return std::any_of(faces_.begin(), faces_.end(), [&](const Face& face) {
    if (face.axis == axis) return true;
    const auto lies_in = [&](const Extents& index) {
      const index_t ahead = face.point - index[face.axis];
      return set.neighbours && face.axis == inner ? ahead >= 0 && ahead < set.used : ahead == 0;
    };
    return std::any_of(set.index.begin(), set.index.begin() + (set.neighbours ? 1 : set.used), lies_in);
  });
}

template <class Real>
void EndSource<Real>::apply(const LineSet& set, int axis, int inner, Real* block) const {
  const index_t lanes = lane_kernels<Real>().lanes;
  const AxisTransform& transform = axes_[static_cast<std::size_t>(axis)];
  for (const Face& face : faces_)
    for (int lane = 0; lane < set.used; lane++) {
      const Extents& index = set.index[static_cast<std::size_t>(set.neighbours ? 0 : lane)];
      const index_t moved = set.neighbours ? lane : 0;
      const bool along = face.axis == axis;
      if (!along && index[face.axis] + (face.axis == inner ? moved : 0) != face.point) continue;
      const Real* value = face.values + (set.neighbours ? moved * face.strides[inner] : 0);
      for (int a = 0; a < index.dims(); a++) value += (a == axis ? transform.first_point : index[a]) * face.strides[a];
      Real* point = block + lane + (along ? face.point - transform.first_point : 0) * lanes;
      for (index_t j = 0; j < (along ? 1 : transform.count); j++)
        point[j * lanes] -= static_cast<Real>(face.factor * double{value[j * face.strides[axis]]});
    }
}

template <class Real>
void take_ends_out(const std::vector<DomainAxis>& domain, const Box& box, const std::vector<EndValues<Real>>& ends,
                   Real* rhs) {
  for (const EndValues<Real>& given : ends) {
    const Share share = share_of(domain[static_cast<std::size_t>(given.axis)], given.side);
    PlanePlaces(box, axis_of_box(domain, box, given.axis), share.point).for_each([&](index_t i, index_t j) {
      rhs[i] -= static_cast<Real>(share.factor * double{given.values[j]});
    });
  }
}

bool has_points_on_end(const DomainAxis& axis, Side side) {
  return axis.centring != Centring::cell && end_of(axis, side) == End::odd &&
         axis.robin[side == Side::left ? 0 : 1] == 0;
}

template <class Real>
void put_ends_in(const std::vector<DomainAxis>& domain, const Box& box, const std::vector<EndValues<Real>>& ends,
                 Real* solution) {
  for (const EndValues<Real>& given : ends) {
    const DomainAxis& axis = domain[static_cast<std::size_t>(given.axis)];
    if (!has_points_on_end(axis, given.side)) continue;
    const index_t point = given.side == Side::left ? 0 : axis.cells;
    PlanePlaces(box, axis_of_box(domain, box, given.axis), point).for_each([&](index_t i, index_t j) {
      solution[i] = given.values[j];
    });
  }
}

template class EndSource<double>;
template class EndSource<float>;
template void check_ends(const Comm&, const std::vector<DomainAxis>&, const std::string&, const Box&,
                         const std::vector<EndValues<double>>&);
template void take_ends_out(const std::vector<DomainAxis>&, const Box&, const std::vector<EndValues<double>>&, double*);
template void put_ends_in(const std::vector<DomainAxis>&, const Box&, const std::vector<EndValues<double>>&, double*);
template void check_ends(const Comm&, const std::vector<DomainAxis>&, const std::string&, const Box&,
                         const std::vector<EndValues<float>>&);
template void take_ends_out(const std::vector<DomainAxis>&, const Box&, const std::vector<EndValues<float>>&, float*);
template void put_ends_in(const std::vector<DomainAxis>&, const Box&, const std::vector<EndValues<float>>&, float*);

}  // namespace weft
