// Checks whether input and output overlap in memory, and whether a schedule permits it.
#include "plan/run/overlap.hpp"

#include <algorithm>
#include <cstdint>

namespace weft {

namespace {

// Reals from the first element to the end of the last one along the axes from `axis` on.
template <class Real>
index_t reach(const ShapedArray<Real>& shaped, int axis = 0) {
  index_t reals = shaped.width;
  for (int a = axis; a < shaped.extents.dims(); a++) reals += (shaped.extents[a] - 1) * shaped.array.strides[a];
  return reals;
}

// Whether the strides of all axes up to `axis` are multiples of `unit` reals.
template <class Real>
bool steps_of(const ShapedArray<Real>& shaped, int axis, index_t unit) {
  for (int a = 0; a <= axis; a++)
    if (shaped.extents[a] > 1 && shaped.array.strides[a] % unit != 0) return false;
  return true;
}

// Whether all blocks along the axes after `axis` lie in different parts of a step along `axis`.
template <class Real>
bool lie_between(const ShapedArray<Real>& a, const ShapedArray<Real>& b, int axis, index_t distance) {
  const index_t unit = a.array.strides[axis];
  if (unit <= 0 || a.extents[axis] < 2 || !steps_of(a, axis, unit) || !steps_of(b, axis, unit)) return false;
  const index_t place = (distance % unit + unit) % unit;
  return reach(a, axis + 1) <= place && place + reach(b, axis + 1) <= unit;
}

// Whether rows with equal indices begin at the same place on both sides; a row is a line along the last axis.
template <class Real>
bool same_rows(const ShapedArray<Real>& a, const ShapedArray<Real>& b) {
  for (int axis = 0; axis < a.extents.dims() - 1; axis++)
    if (std::max(a.extents[axis], b.extents[axis]) > 1 && a.array.strides[axis] != b.array.strides[axis]) return false;
  return true;
}

}  // namespace

template <class Real>
bool overlap(const ShapedArray<Real>& a, const ShapedArray<Real>& b) {
  if (a.extents.product() == 0 || b.extents.product() == 0) return false;
  const auto begin = [](const ShapedArray<Real>& shaped) { return reinterpret_cast<std::intptr_t>(shaped.array.data); };
  constexpr auto bytes = static_cast<std::intptr_t>(sizeof(Real));
  if (begin(a) + reach(a) * bytes <= begin(b) || begin(b) + reach(b) * bytes <= begin(a)) return false;
  const std::intptr_t distance = begin(b) - begin(a);
  if (distance % bytes != 0) return true;
  for (int axis = 0; axis < a.extents.dims() - 1; axis++)
    if (lie_between(a, b, axis, distance / bytes)) return false;
  return true;
}

template <class Real>
std::string overlap_problem(const Schedule& schedule, const ShapedArray<Real>& in, const ShapedArray<Real>& out) {
  if (!overlap(in, out)) return {};
  if (in.array.data != out.array.data)
    return "out: it shares memory with the input, but begins elsewhere; let both begin at the same address, which "
           "overwrites the input, or give another array";
  if (schedule.passes.size() > 1) return {};
  const std::vector<int>& axes = schedule.passes.front().axes;
  const int last = in.extents.dims() - 1;
  index_t others = 1;
  bool has_last = false;
  for (int axis = 0; axis <= last; axis++) {
    const bool mine = std::find(axes.begin(), axes.end(), axis) != axes.end();
    if (!mine) others *= in.extents[axis];
    has_last = has_last || (mine && axis == last);
  }
  if (others == 1) return {};
  if (!has_last && in.width != out.width)
    return "out: it begins where the input does, but the r2c on axis " + std::to_string(axes.front()) +
           " makes rows of modes that grow into their neighbours; put it on the last axis (" + std::to_string(last) +
           "), or give another array";
  if (same_rows(in, out)) return {};
  return "out: it begins where the input does, but its rows do not; give both the same strides in reals along all axes "
         "but the last (rows of 2 (n/2 + 1) reals for n/2 + 1 complex numbers), or another array";
}

template bool overlap<double>(const ShapedArray<double>&, const ShapedArray<double>&);
template bool overlap<float>(const ShapedArray<float>&, const ShapedArray<float>&);
template std::string overlap_problem<double>(const Schedule&, const ShapedArray<double>&, const ShapedArray<double>&);
template std::string overlap_problem<float>(const Schedule&, const ShapedArray<float>&, const ShapedArray<float>&);

}  // namespace weft
