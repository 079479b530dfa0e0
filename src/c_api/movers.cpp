// weft_redistribution and weft_tensor.
#include "c_api/solver_handle.hpp"
#include "c_api/two_sides.hpp"
#include "plan/run/border.hpp"
#include "weft/tensor.hpp"

using namespace weft::c_api;
using weft::Box;
using weft::Direction;
using weft::Extents;
using weft::Redistribution;
using weft::TensorDft;

struct weft_tensor : weft::c_api::Handle<TensorDft> {};

namespace {

Extents strides_from(const char* name, const Box& box, const void* data, const int64_t* given) {
  check_array(name, data, box.size(), box.size());
  return given == nullptr ? c_strides(box.extents()) : extents_from(name, box.dims(), given);
}

int move(weft_redistribution* handle, Direction direction, const void* in, const int64_t* in_strides, void* out,
         const int64_t* out_strides) noexcept {
  return guarded([&] {
    weft_redistribution& moves = object("redistribution", handle);
    const bool forward = direction == Direction::forward;
    Extents from, to;
    moves.comm.together([&] {
      from = strides_from("in", forward ? moves.of.from() : moves.of.to(), in, in_strides);
      to = strides_from("out", forward ? moves.of.to() : moves.of.from(), out, out_strides);
    });
    forward ? moves.of.forward(in, from, out, to) : moves.of.backward(in, from, out, to);
  });
}

}  // namespace

int weft_redistribution_create(MPI_Comm comm, const weft_box* from, const weft_box* to, size_t element_bytes,
                               const weft_plan_options* options, weft_redistribution** redistribution) {
  return guarded([&] {
    const weft::Comm ranks(comm);
    Box has, wants;
    weft::RedistributionOptions chosen;
    ranks.together([&] {
      output_of("redistribution", redistribution) = nullptr;
      has = box_from("from", from);
      wants = box_from("to", to);
      const weft_plan_options known = completed("plan_options", options, default_plan_options());
      chosen = redistribution_options(solver_options(known, has.dims()));
    });
    *redistribution = new weft_redistribution{{ranks, Redistribution(comm, has, wants, element_bytes, chosen)}};
  });
}
int weft_redistribution_destroy(weft_redistribution** redistribution) {
  return destroy("redistribution", redistribution);
}
int weft_redistribution_forward(weft_redistribution* redistribution, const void* in, const int64_t* in_strides,
                                void* out, const int64_t* out_strides) {
  return move(redistribution, Direction::forward, in, in_strides, out, out_strides);
}
int weft_redistribution_backward(weft_redistribution* redistribution, const void* in, const int64_t* in_strides,
                                 void* out, const int64_t* out_strides) {
  return move(redistribution, Direction::backward, in, in_strides, out, out_strides);
}
int weft_redistribution_explain(const weft_redistribution* redistribution, const char** text) {
  return explain("redistribution", redistribution, text);
}
int weft_redistribution_facts(const weft_redistribution* redistribution, weft_facts* facts) {
  return facts_of("redistribution", redistribution, facts);
}

int weft_tensor_create(MPI_Comm comm, const int64_t* shape, const char* kind, const weft_tensor_options* options,
                       weft_tensor** tensor) {
  return guarded([&] {
    const weft::Comm ranks(comm);
    Extents extents;
    weft::Kind of_array = weft::Kind::c2c;
    weft::TensorOptions chosen;
    bool single = false;
    ranks.together([&] {
      output_of("tensor", tensor) = nullptr;
      extents = extents_from("shape", 3, shape);
      of_array = weft::parse_kind(&pointee("kind", kind, "write \"c2c\" or \"r2c\""), "kind");
      const weft_tensor_options known = completed("tensor_options", options, default_tensor_options());
      chosen = tensor_options(known);
      single = is_single(known.precision);
    });
    *tensor = new weft_tensor{make_handle<TensorDft>(comm, ranks, single, extents, of_array, chosen)};
  });
}
int weft_tensor_destroy(weft_tensor** tensor) { return destroy("tensor", tensor); }
int weft_tensor_box(const weft_tensor* tensor, int side, weft_box* to) { return box("tensor", tensor, side, to); }
int weft_tensor_count(const weft_tensor* tensor, int side, int64_t* elements, int* is_complex) {
  return count("tensor", tensor, side, elements, is_complex);
}
int weft_tensor_forward(weft_tensor* tensor, const void* in, int64_t in_count, void* out, int64_t out_count) {
  return transform("tensor", tensor, Direction::forward, in, in_count, out, out_count);
}
int weft_tensor_backward(weft_tensor* tensor, const void* in, int64_t in_count, void* out, int64_t out_count) {
  return transform("tensor", tensor, Direction::backward, in, in_count, out, out_count);
}
int weft_tensor_explain(const weft_tensor* tensor, const char** text) { return explain("tensor", tensor, text); }
int weft_tensor_facts(const weft_tensor* tensor, weft_facts* facts) { return facts_of("tensor", tensor, facts); }
