// Cartesian grids of ranks and the boxes that they cut a global array into.
#include "weft/layout.hpp"

#include <algorithm>
#include <limits>
#include <utility>

#include "weft/error.hpp"

namespace weft {
namespace {

void check_extents(const Extents& extents) {
  if (extents.dims() < 1)
    throw Error(Fault::argument, "an array of no axes cannot be distributed; give 1 or more axes");
  index_t remaining = std::numeric_limits<index_t>::max();
  for (index_t n : extents) {
    if (n < 0)
      throw Error(Fault::argument, "extents " + to_string(extents) + " have a negative number; give 0 or more");
    remaining /= std::max<index_t>(n, 1);
  }
  if (remaining == 0) {
    throw Error(Fault::argument,
                "extents " + to_string(extents) + " have more than 2^63 - 1 elements; give a smaller array");
  }
}

void check_cut(const Extents& extents, const ProcessGrid& grid, const std::vector<int>& cut) {
  if (static_cast<int>(cut.size()) != grid.dims()) {
    throw Error(Fault::argument, "cut has " + std::to_string(cut.size()) + " entries and the process grid has " +
                                     std::to_string(grid.dims()) + " axes; give one entry per axis of the grid");
  }
  for (auto entry = cut.begin(); entry != cut.end(); ++entry) {
    if (*entry == Layout::uncut) continue;
    if (*entry < 0 || *entry >= extents.dims()) {
      throw Error(Fault::argument, "cut names array axis " + std::to_string(*entry) + " of an array of " +
                                       std::to_string(extents.dims()) + " axes; give 0 to " +
                                       std::to_string(extents.dims() - 1) + ", or Layout::uncut");
    }
    if (std::find(cut.begin(), entry, *entry) != entry) {
      throw Error(Fault::argument, "cut names array axis " + std::to_string(*entry) +
                                       " twice; let each axis of the process grid cut another axis of the array");
    }
  }
}

}  // namespace

ProcessGrid::ProcessGrid(std::vector<int> dims) : dims_(std::move(dims)) {
  int remaining = std::numeric_limits<int>::max();
  for (int ranks : dims_) {
    if (ranks < 1) {
      throw Error(Fault::argument, "process grid " + to_string(*this) + " has the entry " + std::to_string(ranks) +
                                       "; give at least 1 rank along each axis");
    }
    remaining /= ranks;
  }
  if (remaining == 0) {
    throw Error(Fault::argument, "process grid " + to_string(*this) +
                                     " has more than 2^31 - 1 ranks; give a grid of as many ranks as run");
  }
}

int ProcessGrid::size() const {
  int result = 1;
  for (int ranks : dims_) result *= ranks;
  return result;
}

int ProcessGrid::coordinate(int rank, int process_axis) const {
  for (int axis = dims() - 1; axis > process_axis; --axis) rank /= (*this)[axis];
  return rank % (*this)[process_axis];
}

int ProcessGrid::neighbour(int rank, int process_axis, int coordinate) const {
  int stride = 1;
  for (int axis = dims() - 1; axis > process_axis; --axis) stride *= (*this)[axis];
  return rank + (coordinate - this->coordinate(rank, process_axis)) * stride;
}

int ProcessGrid::line(int rank, int process_axis) const { return neighbour(rank, process_axis, 0); }

std::string to_string(const ProcessGrid& grid) {
  if (grid.dims() == 0) return "1";
  std::string text;
  for (int axis = 0; axis < grid.dims(); ++axis) {
    if (axis > 0) text += " x ";
    text += std::to_string(grid[axis]);
  }
  return text;
}

Layout::Layout(Extents extents, ProcessGrid grid, std::vector<int> cut, Scheme scheme)
    : extents_(extents), grid_(std::move(grid)), cut_(std::move(cut)), scheme_(scheme) {
  check_extents(extents_);
  check_cut(extents_, grid_, cut_);
}

int Layout::process_axis(int array_axis) const {
  const auto found = std::find(cut_.begin(), cut_.end(), array_axis);
  return found == cut_.end() ? uncut : static_cast<int>(found - cut_.begin());
}

Box Layout::box(int rank) const {
  if (rank < 0 || rank >= ranks()) {
    throw Error(Fault::argument, "rank = " + std::to_string(rank) + " of a process grid of " + to_string(grid_) +
                                     "; give 0 to " + std::to_string(ranks() - 1));
  }
  Box result(extents_);
  for (int process_axis = 0; process_axis < grid_.dims(); ++process_axis) {
    const int axis = cut_[static_cast<std::size_t>(process_axis)];
    const int coordinate = grid_.coordinate(rank, process_axis);
    if (axis != uncut) {
      result[axis] = Partition(extents_[axis], grid_[process_axis], scheme_).range(coordinate);
    } else if (coordinate != 0) {
      return Box(dims());
    }
  }
  return result;
}

int Layout::owner(const Extents& index) const {
  bool inside = index.dims() == dims();
  for (int axis = 0; inside && axis < dims(); ++axis) inside = index[axis] >= 0 && index[axis] < extents_[axis];
  if (!inside) {
    throw Error(Fault::argument, "index (" + to_string(index) + ") lies outside an array of " + to_string(extents_) +
                                     "; give one number per axis, 0 or more and less than its extent");
  }
  int rank = 0;
  for (int process_axis = 0; process_axis < grid_.dims(); ++process_axis) {
    const int axis = cut_[static_cast<std::size_t>(process_axis)], parts = grid_[process_axis];
    rank = rank * parts + (axis == uncut ? 0 : Partition(extents_[axis], parts, scheme_).owner(index[axis]));
  }
  return rank;
}

Layout Layout::with_extents(Extents extents) const { return Layout(extents, grid_, cut_, scheme_); }

Layout Layout::with_cut(int process_axis, int array_axis) const {
  if (process_axis < 0 || process_axis >= grid_.dims()) {
    throw Error(Fault::argument, "process axis " + std::to_string(process_axis) + " of a process grid of " +
                                     to_string(grid_) + "; give 0 to " + std::to_string(grid_.dims() - 1));
  }
  std::vector<int> cut = cut_;
  cut[static_cast<std::size_t>(process_axis)] = array_axis;
  return Layout(extents_, grid_, std::move(cut), scheme_);
}

std::string to_string(const Layout& layout) {
  std::string text = to_string(layout.extents()) + " over " + to_string(layout.grid()) + ": ";
  if (layout.grid().dims() == 0) return text + "not cut";
  for (int process_axis = 0; process_axis < layout.grid().dims(); ++process_axis) {
    const int axis = layout.cut()[static_cast<std::size_t>(process_axis)];
    const std::string parts = std::to_string(layout.grid()[process_axis]);
    if (process_axis > 0) text += ", ";
    text +=
        axis == Layout::uncut ? "all on the first of " + parts : "axis " + std::to_string(axis) + " cut by " + parts;
  }
  return text;
}

}  // namespace weft
