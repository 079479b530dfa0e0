// Reads versions of structs, boxes, shapes and kinds.
#include "c_api/structs.hpp"

#include <algorithm>
#include <cstring>

#include "plan/schedule/plan_shape.hpp"

namespace weft::c_api {

namespace {

// Sizes of structs are multiples of their alignment. A size above this limit comes from uninitialised memory.
constexpr std::size_t smallest_size = 2 * sizeof(std::size_t), largest_size = 65536;

std::size_t checked_size(const char* name, std::size_t size) {
  require(size >= smallest_size && size <= largest_size && size % alignof(std::size_t) == 0,
          std::string(name) + ": its struct_size is " + std::to_string(size) +
              ", which no version of the struct has; call weft_" + name + "_init() before setting members");
  return size;
}

std::size_t size_of(const char* name, const void* given) {
  std::size_t size = 0;
  std::memcpy(&size, given, sizeof size);
  return checked_size(name, size);
}

}  // namespace

void read_sized(const char* name, const void* given, void* known, std::size_t known_size) {
  const std::size_t size = size_of(name, given);
  const auto* bytes = static_cast<const unsigned char*>(given);
  for (std::size_t i = known_size; i < size; i++)
    require(bytes[i] == 0, std::string(name) + ": the program sets members that this library, version " +
                               weft_version() + ", does not know; do not set them, or use a newer library");
  std::memcpy(known, given, std::min(size, known_size));
}

void write_sized(const char* name, void* given, const void* known, std::size_t known_size) {
  const std::size_t size = size_of(name, given), both = std::min(size, known_size);
  std::memcpy(static_cast<char*>(given) + sizeof size, static_cast<const char*>(known) + sizeof size,
              both - sizeof size);
}

namespace {

// Members that the program has and the library does not know remain zero, which marks them as unset.
template <class Struct>
int init(const char* name, Struct* given, std::size_t size, const Struct& defaults) {
  return guarded([&] {
    output_of(name, given);
    std::memset(static_cast<void*>(given), 0, checked_size(name, size));
    std::memcpy(static_cast<void*>(given), &size, sizeof size);
    write_sized(name, given, &defaults, sizeof defaults);
  });
}

}  // namespace

Extents extents_from(const char* name, int dims, const int64_t* values, int most) {
  require(dims >= 1 && dims <= most,
          "dims: " + std::to_string(dims) + " was given; give 1 to " + std::to_string(most) + " axes");
  pointee(name, values, "give one number per axis");
  Extents extents;
  for (int axis = 0; axis < dims; axis++) extents.push_back(values[axis]);
  return extents;
}

Box box_from(const char* name, const weft_box* given) {
  const weft_box& box = pointee(name, given, "give a box");
  require(box.dims >= 1 && box.dims <= WEFT_MAX_DIMS,
          std::string(name) + ": it has dims " + std::to_string(box.dims) + "; give 1 to 6 axes");
  Box result(box.dims);
  for (int axis = 0; axis < box.dims; axis++) result[axis] = {box.lo[axis], box.hi[axis]};
  return result;
}

weft_box c_box(const Box& box) {
  weft_box result{};
  result.dims = box.dims();
  for (int axis = 0; axis < box.dims(); axis++) {
    result.lo[axis] = box[axis].lo;
    result.hi[axis] = box[axis].hi;
  }
  return result;
}

std::vector<Kind> kinds_from(const char* kinds, const Extents& shape) {
  const std::string text = &pointee("kinds", kinds, "write for example \"r2c\" or \"dct2,none,c2c\"");
  std::vector<Kind> result;
  for (std::size_t from = 0; from <= text.size();) {
    const std::size_t comma = std::min(text.find(',', from), text.size());
    std::string name = text.substr(from, comma - from);
    std::erase(name, ' ');
    result.push_back(parse_kind(name));
    from = comma + 1;
  }
  return result.size() == 1 ? one_for_all(shape, result.front()) : result;
}

}  // namespace weft::c_api

using namespace weft::c_api;

int weft_plan_options_init_sized(weft_plan_options* options, size_t size) {
  return init("plan_options", options, size, default_plan_options());
}
int weft_poisson_problem_init_sized(weft_poisson_problem* problem, size_t size) {
  return init("poisson_problem", problem, size, default_problem<weft_poisson_problem>());
}
int weft_vector_problem_init_sized(weft_vector_problem* problem, size_t size) {
  return init("vector_problem", problem, size, default_problem<weft_vector_problem>());
}
int weft_variable_problem_init_sized(weft_variable_problem* problem, size_t size) {
  return init("variable_problem", problem, size, default_variable_problem());
}
int weft_tensor_options_init_sized(weft_tensor_options* options, size_t size) {
  return init("tensor_options", options, size, default_tensor_options());
}
int weft_halo_problem_init_sized(weft_halo_problem* problem, size_t size) {
  return init("halo_problem", problem, size, default_halo_problem());
}
int weft_particle_problem_init_sized(weft_particle_problem* problem, size_t size) {
  return init("particle_problem", problem, size, default_particle_problem());
}
int weft_facts_init_sized(weft_facts* facts, size_t size) { return init("facts", facts, size, weft_facts{}); }
