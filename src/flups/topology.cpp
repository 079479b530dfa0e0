// The points of a rank of a topology, and their places in memory.
#include "flups/topology.hpp"

#include <algorithm>
#include <cstddef>

#include "weft/error.hpp"

namespace weft::flups {

namespace {

std::size_t at(int direction) { return static_cast<std::size_t>(direction); }

void check(const Shape& shape, int ranks) {
  require(shape.axis >= 0 && shape.axis < 3,
          "axis: " + std::to_string(shape.axis) + " is not a direction; give 0, 1 or 2");
  require(shape.components >= 1, "lda: " + std::to_string(shape.components) + " components; give 1 or more");
  for (int d = 0; d < 3; d++) {
    const std::string place = "[" + std::to_string(d) + "]: ";
    require(shape.points[at(d)] >= 1,
            "nglob" + place + std::to_string(shape.points[at(d)]) + " points; give 1 or more");
    require(shape.parts[at(d)] >= 1, "nproc" + place + std::to_string(shape.parts[at(d)]) + " parts; give 1 or more");
  }
  const index_t parts = index_t{shape.parts[0]} * shape.parts[1] * shape.parts[2];
  require(parts == ranks, "nproc: " + to_text(shape.parts) + " are " + std::to_string(parts) +
                              " parts, the communicator has " + std::to_string(ranks) +
                              " ranks; let their product be that number");
  Three sorted = shape.rank_order;
  std::sort(sorted.begin(), sorted.end());
  require(sorted == Three{0, 1, 2},
          "axproc: " + to_text(shape.rank_order) + "; give 0, 1, 2 in any order, or NULL for this one");
  const int number = shape.is_complex ? 16 : 8;
  require(shape.alignment >= 8 && (shape.alignment % number == 0 || number % shape.alignment == 0),
          "alignment: " + std::to_string(shape.alignment) + " bytes; give a multiple of the " + std::to_string(number) +
              " bytes of a number");
}

// The coordinates of a Cartesian communicator are the parts.
void check_coordinates(MPI_Comm comm, const Three& parts) {
  int dims = 0;
  MPI_Cartdim_get(comm, &dims);
  require(dims == 3, "comm: it is Cartesian with " + std::to_string(dims) + " dimensions; give one with 3, or without");
  Three extents{}, periods{}, coordinates{};
  MPI_Cart_get(comm, 3, extents.data(), periods.data(), coordinates.data());
  require(extents == parts,
          "nproc: " + to_text(parts) + ", but the Cartesian communicator has " + to_text(extents) + "; give the same");
}

}  // namespace

std::string to_text(const Three& values) {
  return std::to_string(values[0]) + ", " + std::to_string(values[1]) + ", " + std::to_string(values[2]);
}

std::string to_text(const Topology& topology) {
  const Shape& shape = topology.shape();
  return "axis " + std::to_string(shape.axis) + ", lda " + std::to_string(shape.components) + ", nglob " +
         to_text(shape.points) + ", nproc " + to_text(shape.parts) + ", axproc " + to_text(shape.rank_order) +
         (shape.is_complex ? ", complex" : ", real") + ", alignment " + std::to_string(shape.alignment);
}

Topology::Topology(MPI_Comm comm, const Shape& shape) : comm_(comm), shape_(shape) {
  int ranks = 1, rank = 0, kind = MPI_UNDEFINED;
  MPI_Comm_size(comm, &ranks);
  MPI_Comm_rank(comm, &rank);
  MPI_Topo_test(comm, &kind);
  check(shape, ranks);
  cartesian_ = shape.cartesian && kind == MPI_CART;
  if (cartesian_) check_coordinates(comm, shape.parts);
  parts_ = parts_of(rank);
}

Partition Topology::partition(int direction) const {
  return {shape_.points[at(direction)], shape_.parts[at(direction)], scheme};
}

Range Topology::range(int direction) const { return partition(direction).range(parts_[at(direction)]); }

int Topology::stored(int direction) const {
  const auto points = static_cast<int>(range(direction).size());
  const int number = 8 * width();
  if (direction != shape_.axis || shape_.alignment <= number) return points;
  const int aligned = shape_.alignment / number;
  return (points + aligned - 1) / aligned * aligned;
}

std::size_t Topology::point_doubles() const {
  return static_cast<std::size_t>(range(0).size() * range(1).size() * range(2).size() * width());
}

index_t Topology::component_doubles() const { return index_t{stored(0)} * stored(1) * stored(2) * width(); }

Three Topology::parts_of(int rank) const {
  Three parts{};
  if (cartesian_) {
    MPI_Cart_coords(comm_, rank, 3, parts.data());
    return parts;
  }
  for (const int direction : shape_.rank_order) {
    parts[at(direction)] = rank % shape_.parts[at(direction)];
    rank /= shape_.parts[at(direction)];
  }
  return parts;
}

int Topology::rank_of(const Three& parts) const {
  int rank = 0;
  if (cartesian_) {
    MPI_Cart_rank(comm_, parts.data(), &rank);
    return rank;
  }
  for (auto direction = shape_.rank_order.rbegin(); direction != shape_.rank_order.rend(); ++direction)
    rank = rank * shape_.parts[at(*direction)] + parts[at(*direction)];
  return rank;
}

Box Topology::box(const std::vector<int>& directions) const {
  Box box(static_cast<int>(directions.size()));
  for (int axis = 0; axis < box.dims(); axis++) box[axis] = range(directions[at(axis)]);
  // A plane may be cut along the direction that it lacks: one part has it.
  if (point_doubles() == 0 && !box.empty()) box[0].hi = box[0].lo;
  return box;
}

Extents Topology::strides(const std::vector<int>& directions) const {
  std::array<index_t, 3> of_direction{};
  const std::vector<int> order = slowest_first();
  index_t stride = 1;
  for (auto direction = order.rbegin(); direction != order.rend(); ++direction) {
    of_direction[at(*direction)] = stride;
    stride *= stored(*direction);
  }
  Extents result;
  for (const int direction : directions) result.push_back(of_direction[at(direction)]);
  return result;
}

std::vector<int> Topology::slowest_first() const { return {(shape_.axis + 2) % 3, (shape_.axis + 1) % 3, shape_.axis}; }

Topology topology_of(MPI_Comm comm, const Layout& layout, const std::vector<int>& directions, const Shape& like) {
  Shape shape = like;
  shape.points = shape.parts = {1, 1, 1};
  shape.alignment = 8;
  shape.cartesian = false;
  for (int axis = 0; axis < layout.dims(); axis++)
    shape.points[at(directions[at(axis)])] = static_cast<int>(layout.extents()[axis]);
  // Ranks of a process grid count its last dimension fastest.
  std::vector<int> order;
  for (int j = layout.grid().dims() - 1; j >= 0; j--) {
    const int axis = layout.cut()[at(j)];
    if (axis == Layout::uncut) continue;
    order.push_back(directions[at(axis)]);
    shape.parts[at(order.back())] = layout.grid()[j];
  }
  for (int direction = 0; direction < 3; direction++)
    if (std::find(order.begin(), order.end(), direction) == order.end()) order.push_back(direction);
  std::copy_n(order.begin(), 3, shape.rank_order.begin());
  return {comm, shape};
}

}  // namespace weft::flups
