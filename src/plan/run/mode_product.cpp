// Two spectra are taken to more points, multiplied there, and brought back.
#include "plan/run/mode_product.hpp"

#include <algorithm>

#include "base/threads.hpp"
#include "plan/planned.hpp"
#include "plan/run/linear_product.hpp"
#include "plan/schedule/plan_shape.hpp"
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

// A product of two waves K has the mode 2K, aliased to 2K minus the period: this is to be beyond K, and so the period
// more than 3K.
index_t dealiased_points(Kind kind, index_t n, index_t kept) {
  const index_t beyond = 3 * largest_mode(kind, kept);
  if (kind == Kind::none || period(kind, n) > beyond) return n;
  const KindRow& row = row_of(kind);
  return fast_length(beyond / row.period_factor + 1) - row.period_shift;
}

template <class Real>
ModeProduct<Real>::ModeProduct(const Comm& comm, const Extents& shape, const std::vector<Kind>& kinds, const Box& modes,
                               const PlanOptions& given)
    : comm_(comm) {
  PlanOptions options = given;
  options.in_place = false;
  options.output = Output::transposed;
  Extents finer = shape;
  ScheduleInput input;
  comm.together([&] {
    require(given.output != Output::scrambled,
            "output: 'scrambled' modes, whose order is not that of wavenumbers, have no product here; make the plan "
            "with 'transposed' or 'natural'");
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
  input = checked_input(comm, finer, kinds, options, sizeof(Real));
  pipeline_ =
      std::make_unique<BorderedPipeline<Real>>(planned<Real>(comm, input, {Box{}, modes}, options, tuning_summary_));
  comm.together([&] {
    const index_t reals = pipeline_->physical_box().size() * pipeline_->schedule().width_physical;
    points_ = Buffer<Real>(reals);
    others_ = Buffer<Real>(reals);
  });
}

namespace {

// u *= v, each thread a part.
template <class Real>
void multiply_points(Buffer<Real>& u, const Buffer<Real>& v, int width, int threads) {
  const index_t points = u.size() / width;
  on_threads(threads, [&](int thread) {
    const index_t begin = points * thread / threads * width, end = points * (thread + 1) / threads * width;
    Real* a = u.data();
    const Real* b = v.data();
    if (width == 1) {
#pragma omp simd
      for (index_t i = begin; i < end; i++) a[i] *= b[i];
      return;
    }
#pragma omp simd
    for (index_t i = begin; i < end; i += 2) {
      const Real re = a[i] * b[i] - a[i + 1] * b[i + 1];
      a[i + 1] = a[i] * b[i + 1] + a[i + 1] * b[i];
      a[i] = re;
    }
  });
}

}  // namespace

template <class Real>
void ModeProduct<Real>::run(const Real* a, const Real* b, Real* out, Real amplitude) {
  BorderedPipeline<Real>& pipeline = *pipeline_;
  const auto to_points = [&](const Real* modes, Buffer<Real>& points) {
    pipeline.transform(Direction::backward, pipeline.user_array(modes, Space::spectral),
                       pipeline.user_array(points.data(), Space::physical), amplitude);
  };
  to_points(a, points_);
  to_points(b, others_);
  multiply_points(points_, others_, pipeline.schedule().width_physical, pipeline.threads());
  pipeline.transform(Direction::forward, pipeline.user_array(points_.data(), Space::physical),
                     pipeline.user_array(out, Space::spectral),
                     static_cast<Real>(1 / (factor_ * static_cast<double>(amplitude))));
}

template <class Real>
index_t ModeProduct<Real>::workspace_bytes() const {
  return pipeline_->workspace_bytes() + points_.bytes() + others_.bytes();
}

template class ModeProduct<double>;
template class ModeProduct<float>;

}  // namespace weft
