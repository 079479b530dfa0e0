// Transforms two spectra to more points, multiplies them there, and transforms the product back to modes.
#include "plan/run/mode_product.hpp"

#include <algorithm>

#include "plan/run/linear_product.hpp"
#include "plan/schedule/plan_shape.hpp"
#include "transform/fast_length.hpp"
#include "transform/kind_table.hpp"

namespace weft {

namespace {

// Products of two waves of these kinds are waves of the same kind.
bool is_closed(Kind kind) { return is_fourier(kind) || kind == Kind::none || kind == Kind::dct1 || kind == Kind::dct2; }

index_t largest_mode(Kind kind, index_t kept) {
  if (kind == Kind::none) return 0;
  return is_fourier(kind) ? kept / 2 : kept - 1;
}

}  // namespace

// A product of two waves K has mode 2K, which is aliased to the period minus 2K. This is beyond K if the period is more
// than 3K.
index_t dealiased_points(Kind kind, index_t n, index_t kept) {
  const index_t beyond = 3 * largest_mode(kind, kept);
  if (kind == Kind::none || period(kind, n) > beyond) return n;
  const KindRow& row = row_of(kind);
  return fast_length(beyond / row.period_factor + 1) - row.period_shift;
}

namespace {

// All ranks transform, each with its own memory for two fields at once.
PlanOptions of_all_ranks(PlanOptions given, const Comm& comm) {
  if (given.ranks != 0 && given.ranks != comm.size()) given.grid.clear();
  given.ranks = 0;
  given.chunks = 1;
  given.in_place = false;
  given.output = Output::transposed;
  given.workspace = nullptr;
  return given;
}

}  // namespace

template <class Real>
ModeProduct<Real>::ModeProduct(const Comm& comm, const Extents& shape, const std::vector<Kind>& kinds, const Box& modes,
                               const PlanOptions& given) {
  PlanOptions options = of_all_ranks(given, comm);
  Extents finer = shape;
  comm.together([&] {
    require(given.output != Output::scrambled,
            "output: products of 'scrambled' modes, which are not in the order of wavenumbers, are not possible; make "
            "the plan with 'transposed' or 'natural'");
    options.modes.resize(kinds.size());
    for (std::size_t axis = 0; axis < kinds.size(); axis++) {
      require(is_closed(kinds[axis]), "kinds: axis " + std::to_string(axis) + " has " + to_string(kinds[axis]) +
                                          ", whose waves have products of another kind; give c2c, r2c, dct1, dct2 or "
                                          "none");
      const auto a = static_cast<int>(axis);
      index_t& kept = options.modes[axis];
      if (kept == 0) kept = shape[a];
      finer[a] = dealiased_points(kinds[axis], shape[a], kept);
      factor_ *= round_trip_factor(kinds[axis], finer[a]);
      if (kept == finer[a]) kept = 0;
    }
  });
  const ScheduleInput input = checked_input(comm, finer, kinds, options, sizeof(Real));
  Schedule schedule;
  comm.together([&] { schedule = planned_schedule(input, options, comm.size()); });
  // The exchanges of both factors are under way at once, with the same tags.
  const Comm comms[] = {comm, comm.split("second factors", 0, comm.rank())};
  for (std::size_t i = 0; i < 2; i++) {
    pipelines_[i] = std::make_unique<Pipeline<Real>>(comms[i], schedule, options);
    borders_[i] = std::make_unique<Border<Real>>(comm, "spectral_box", modes, pipelines_[i]->spectral_box(),
                                                 schedule.spectral.extents(), schedule.width_spectral, true, options);
  }
  comm.together([&] {
    for (Buffer<Real>& part : parts_) {
      part = Buffer<Real>(pipelines_[0]->part_reals());
      std::fill_n(part.data(), part.size(), Real(0));  // gaps between rows are multiplied, too
    }
  });
}

template <class Real>
void ModeProduct<Real>::run(const Real* a, const Real* b, Real* out, Real amplitude) {
  Border<Real>&first = *borders_[0], &second = *borders_[1];
  const LocalArray<Real> of_a = first.user_array(a), of_b = second.user_array(b), of_out = second.user_array(out);
  first.enter(of_a);
  second.enter(of_b);
  const auto back = static_cast<Real>(1 / (factor_ * static_cast<double>(amplitude)));
  pipelines_[0]->multiply_points(*pipelines_[1], {first.inner(of_a), second.inner(of_b), second.inner(of_out)},
                                 {amplitude, back}, parts_);
  second.leave(of_out);
}

template <class Real>
index_t ModeProduct<Real>::workspace_bytes() const {
  index_t bytes = 0;
  for (std::size_t i = 0; i < 2; i++)
    bytes += pipelines_[i]->workspace_bytes() + borders_[i]->workspace_bytes() + parts_[i].bytes();
  return bytes;
}

template class ModeProduct<double>;
template class ModeProduct<float>;

}  // namespace weft
