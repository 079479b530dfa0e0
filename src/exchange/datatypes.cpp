// Makes the MPI datatypes of boxes.
#include "exchange/datatypes.hpp"

#include <algorithm>
#include <numeric>
#include <vector>

namespace weft {

Datatype::~Datatype() {
  int finalised = 0;
  MPI_Finalized(&finalised);
  if (type_ != MPI_DATATYPE_NULL && finalised == 0) MPI_Type_free(&type_);
}

namespace {

// The parts of an element.
struct ElementParts {
  MPI_Datatype type;
  int count;
  index_t bytes;  // of the whole element
};

// A part of an array and its offset in bytes.
struct Part {
  index_t offset;
  Extents extents;
};

// Halves a box along its longest axis until no part has more elements than allowed.
void split(const Part& part, const Extents& strides, index_t limit, std::vector<Part>& parts) {
  if (part.extents.product() <= limit) {
    parts.push_back(part);
    return;
  }
  int longest = 0;
  for (int axis = 1; axis < part.extents.dims(); axis++)
    if (part.extents[axis] > part.extents[longest]) longest = axis;
  Part low = part, high = part;
  low.extents[longest] /= 2;
  high.extents[longest] -= low.extents[longest];
  high.offset += low.extents[longest] * strides[longest];
  split(low, strides, limit, parts);
  split(high, strides, limit, parts);
}

// A type of rows, rows of rows, and so on. An axis of one element adds nothing.
MPI_Datatype nested_type(const Extents& extents, const Extents& strides, const ElementParts& element) {
  int axis = extents.dims() - 1;
  const bool touch = strides[axis] == element.bytes;
  MPI_Datatype type = MPI_DATATYPE_NULL;
  MPI_Type_contiguous(touch ? static_cast<int>(extents[axis] * element.count) : element.count, element.type, &type);
  for (axis -= touch ? 1 : 0; axis >= 0; axis--) {
    if (extents[axis] == 1) continue;
    MPI_Datatype inner = type;
    MPI_Type_create_hvector(static_cast<int>(extents[axis]), 1, static_cast<MPI_Aint>(strides[axis]), inner, &type);
    MPI_Type_free(&inner);
  }
  return type;
}

// The type of a part of an array; strides are in bytes.
Datatype type_of(const Extents& extents, const Extents& strides, const ElementParts& element, index_t limit) {
  std::vector<Part> parts;
  split({0, extents}, strides, std::max<index_t>(limit / element.count, 1), parts);
  if (parts.size() == 1) return Datatype(nested_type(extents, strides, element));
  std::vector<MPI_Datatype> types;
  std::vector<MPI_Aint> displacements;
  for (const Part& part : parts) {
    types.push_back(nested_type(part.extents, strides, element));
    displacements.push_back(static_cast<MPI_Aint>(part.offset));
  }
  const std::vector<int> ones(parts.size(), 1);
  MPI_Datatype result = MPI_DATATYPE_NULL;
  MPI_Type_create_struct(static_cast<int>(parts.size()), ones.data(), displacements.data(), types.data(), &result);
  for (MPI_Datatype& type : types) MPI_Type_free(&type);
  return Datatype(result);
}

}  // namespace

template <class Real>
Datatype array_type(const Extents& extents, const Extents& strides, int width, index_t limit) {
  constexpr index_t bytes = sizeof(Real);
  std::vector<int> order(static_cast<std::size_t>(extents.dims()));  // as elements lie in memory
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](int a, int b) { return strides[a] > strides[b]; });
  Extents sorted, steps;
  for (const int axis : order) {
    sorted.push_back(extents[axis]);
    steps.push_back(strides[axis] * bytes);
  }
  return type_of(sorted, steps, {mpi_real<Real>(), width, width * bytes}, limit);
}

Datatype block_type(const Extents& extents, const Extents& strides, index_t element_bytes, index_t limit) {
  return type_of(extents, strides, {MPI_BYTE, static_cast<int>(element_bytes), element_bytes}, limit);
}

template Datatype array_type<double>(const Extents&, const Extents&, int, index_t);
template Datatype array_type<float>(const Extents&, const Extents&, int, index_t);

}  // namespace weft
