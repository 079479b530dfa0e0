// weft_halo.
#include "c_api/solver_handle.hpp"

using namespace weft::c_api;
using weft::Box;
using weft::Extents;
using weft::Halo;
using weft::index_t;

namespace weft::c_api {

weft_halo_problem default_halo_problem() {
  const HaloProblem known;
  weft_halo_problem problem{};
  for (auto& width : problem.width) {
    width[0] = known.width.front().lower;
    width[1] = known.width.front().upper;
  }
  problem.components = known.components;
  problem.message_limit = HaloOptions().message_limit;
  return problem;
}

}  // namespace weft::c_api

namespace {

index_t elements_of(const Halo& halo) { return halo.padded().size() * halo.components(); }

// Runs a method on an array whose size is checked on every rank alike.
template <class Method>
int with_array(weft_halo* handle, const void* array, int64_t count, const Method& method) noexcept {
  return guarded([&] {
    weft_halo& any = object("halo", handle);
    any.comm.together([&] { check_array("array", array, count, elements_of(any.of)); });
    method(any.of);
  });
}

}  // namespace

int weft_halo_create(MPI_Comm comm, const int64_t* shape, const weft_box* owned, const weft_halo_problem* problem,
                     weft_halo** halo) {
  return guarded([&] {
    const weft::Comm ranks(comm);
    Extents extents;
    Box box;
    weft::HaloProblem wanted;
    weft::HaloOptions options;
    ranks.together([&] {
      output_of("halo", halo) = nullptr;
      box = box_from("owned", owned);
      extents = extents_from("shape", box.dims(), shape);
      const weft_halo_problem known = completed("halo_problem", problem, default_halo_problem());
      wanted = halo_problem(known, box.dims());
      options.threads = known.threads;
      options.node_ranks = known.node_ranks;
      options.message_limit = known.message_limit;
    });
    *halo = new weft_halo{{ranks, Halo(comm, extents, box, wanted, options)}};
  });
}
int weft_halo_destroy(weft_halo** halo) { return destroy("halo", halo); }
int weft_halo_box(const weft_halo* halo, weft_box* padded, int64_t* count) {
  return guarded([&] {
    const weft_halo& any = object("halo", halo);
    output_of("padded", padded) = c_box(any.of.padded());
    output_of("count", count) = elements_of(any.of);
  });
}
int weft_halo_exchange(weft_halo* halo, void* array, int64_t count) {
  return with_array(halo, array, count, [&](Halo& of) { of.exchange(array); });
}
int weft_halo_start(weft_halo* halo, void* array, int64_t count) {
  return with_array(halo, array, count, [&](Halo& of) { of.start(array); });
}
int weft_halo_finish(weft_halo* halo) {
  return guarded([&] { object("halo", halo).of.finish(); });
}
int weft_halo_accumulate(weft_halo* halo, void* array, int64_t count) {
  return with_array(halo, array, count, [&](Halo& of) { of.accumulate(array); });
}
int weft_halo_explain(const weft_halo* halo, const char** text) { return explain("halo", halo, text); }
int weft_halo_facts(const weft_halo* halo, weft_facts* facts) { return facts_of("halo", halo, facts); }
