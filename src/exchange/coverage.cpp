// Overlaps and gaps of boxes.
#include "exchange/coverage.hpp"

namespace weft {

namespace {

// A box without a part of it: up to two slabs per axis.
std::vector<Box> without(Box box, const Box& part) {
  std::vector<Box> rest;
  for (int axis = 0; axis < box.dims(); axis++) {
    for (const Range range : {Range{box[axis].lo, part[axis].lo}, Range{part[axis].hi, box[axis].hi}}) {
      if (range.size() == 0) continue;
      rest.push_back(box);
      rest.back()[axis] = range;
    }
    box[axis] = part[axis];
  }
  return rest;
}

}  // namespace

std::vector<Box> gather_boxes(const Comm& comm, const Box& mine) {
  const auto dims = static_cast<std::size_t>(mine.dims());
  std::vector<index_t> bounds, all;
  std::vector<Box> boxes;
  comm.together([&] {
    all.resize(2 * dims * static_cast<std::size_t>(comm.size()));
    boxes.assign(static_cast<std::size_t>(comm.size()), Box(mine.dims()));
    for (int axis = 0; axis < mine.dims(); axis++) {
      bounds.push_back(mine[axis].lo);
      bounds.push_back(mine[axis].hi);
    }
  });
  const int count = static_cast<int>(bounds.size());
  MPI_Request request = MPI_REQUEST_NULL;
  MPI_Iallgather(bounds.data(), count, MPI_INT64_T, all.data(), count, MPI_INT64_T, comm.handle(), &request);
  comm.wait(request);
  auto next = all.begin();
  for (Box& box : boxes)
    for (int axis = 0; axis < box.dims(); axis++) {
      box[axis].lo = *next++;
      box[axis].hi = *next++;
    }
  return boxes;
}

int overlapping(const Box& box, const std::vector<Box>& others, int except) {
  for (std::size_t i = 0; i < others.size(); i++)
    if (static_cast<int>(i) != except && !intersect(box, others[i]).empty()) return static_cast<int>(i);
  return -1;
}

std::optional<Box> missing(const Box& wanted, const std::vector<Box>& owned) {
  index_t found = 0;
  for (const Box& box : owned) found += intersect(wanted, box).size();
  if (found == wanted.size()) return std::nullopt;
  std::vector<Box> rest{wanted};
  for (const Box& box : owned) {
    std::vector<Box> next;
    for (const Box& piece : rest) {
      const Box shared = intersect(piece, box);
      const std::vector<Box> left = shared.empty() ? std::vector<Box>{piece} : without(piece, shared);
      next.insert(next.end(), left.begin(), left.end());
    }
    rest = std::move(next);
  }
  return rest.front();
}

void check_box(const std::string& name, const Box& box) {
  require(box.dims() >= 1 && box.dims() <= max_dims,
          name + ": a box has 1 to 6 axes, " + std::to_string(box.dims()) + " were given");
  for (int axis = 0; axis < box.dims(); axis++)
    require(box[axis].lo <= box[axis].hi, name + ": the range of axis " + std::to_string(axis) + " of " +
                                              to_string(box) + " ends before it begins; give lo <= hi");
}

}  // namespace weft
