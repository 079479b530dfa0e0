// Tables of the waves of given values, per mode of the other axes and per mode of the axis itself.
#include "poisson/wave_ends.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <string>

#include "poisson/kernel_modes.hpp"

namespace weft {

bool has_exact_waves(const std::vector<DomainAxis>& domain, const std::string& kernel) {
  constexpr std::array<const char*, 4> exact{"chat2", "truncated", "igf", "hej0"};
  return std::find(exact.begin(), exact.end(), kernel) != exact.end() &&
         std::none_of(domain.begin(), domain.end(),
                      [](const DomainAxis& axis) { return is_convolved(axis.boundary) || axis.is_solved_along(); });
}

namespace {

End end_of(const DomainAxis& axis, int right) { return right == 0 ? axis.boundary.left : axis.boundary.right; }

// r exp(-kappa h), so that nothing overflows.
double decayed_source(const DomainAxis& axis, End end, double kappa) {
  const double h = axis.spacing(), q = std::exp(-kappa * h / 2);
  const auto per_kappa = [&](double reach) { return kappa == 0 ? reach : -std::expm1(-kappa * reach) / kappa; };
  if (axis.centring == Centring::cell) return q * (end == End::odd ? 1 + q * q : per_kappa(h));
  return end == End::odd ? q * q : per_kappa(2 * h);
}

// The mode of wavenumber k of 1 at the point beside an end.
double mode_of_source(const DomainAxis& axis, int right, double k) {
  const double h = axis.spacing();
  const bool cell = axis.centring == Centring::cell, odd = end_of(axis, right) == End::odd;
  const double away = cell ? h / 2 : odd ? h : 0, x = right == 0 ? away : axis.length - away;
  const double wave = axis.boundary.left == End::even ? std::cos(k * x) : std::sin(k * x);
  return (cell || odd ? 2 : 1) * wave;  // a point on a mirror plane counts once
}

}  // namespace

template <class Real>
WaveEnds<Real>::WaveEnds(const SymbolInput& input, const LineSymbol<Real>& factors, double scale, int rank)
    : domain_(input.domain),
      box_(input.schedule.spectral.box(rank)),
      screening_(input.screening),
      factor_(round_trip(input.domain) / scale),
      factors_(factors),
      responses_(input.domain.size()),
      ends_(input.domain.size()) {
  for (int a = 0; a < box_.dims(); a++) {
    const auto which = static_cast<std::size_t>(a);
    std::vector<double> along;
    for (index_t mode = box_[a].lo; mode < box_[a].hi; mode++)
      along.push_back(wavenumber(domain_[which], input.schedule.axes[which], mode));
    wavenumbers_.push_back(std::move(along));
  }
  symbol_.operation = this;
}

template <class Real>
void WaveEnds<Real>::take_ends(int axis, const EndModes<Real>* ends) {
  const auto a = static_cast<std::size_t>(axis);
  ends_[a] = ends;
  if (ends != nullptr && responses_[a].sines.empty()) make_response(axis, *ends);
}

template <class Real>
index_t WaveEnds<Real>::bytes() const {
  std::size_t bytes = 0;
  for (const auto& along : wavenumbers_) bytes += along.size() * sizeof(double);
  for (const Response& response : responses_)
    for (const auto* list :
         {&response.numerator, &response.decay, &response.gap, &response.sines, &response.modes[0], &response.modes[1]})
      bytes += list->size() * sizeof(Real);
  return static_cast<index_t>(bytes);
}

template <class Real>
void WaveEnds<Real>::make_response(int axis, const EndModes<Real>& ends) {
  const auto a = static_cast<std::size_t>(axis);
  const DomainAxis& along = domain_[a];
  Response& response = responses_[a];
  for (const double k : wavenumbers_[a]) {
    response.sines.push_back(static_cast<Real>(4 * std::pow(std::sin(k * along.spacing() / 2), 2)));
    for (int right = 0; right < 2; right++)
      response.modes[static_cast<std::size_t>(right)].push_back(static_cast<Real>(mode_of_source(along, right, k)));
  }
  if (box_.empty()) return;
  Extents planes = box_.extents();
  planes[axis] = 2;
  for (auto* table : {&response.numerator, &response.decay, &response.gap})
    table->resize(static_cast<std::size_t>(planes.product()));
  for (index_t i = 0; i < planes.product(); i++) {
    Extents index = planes;
    index_t rest = i;
    double square = screening_ * screening_;
    for (int b = planes.dims() - 1; b >= 0; rest /= planes[b--]) {
      index[b] = rest % planes[b];
      if (b != axis)
        square += std::pow(wavenumbers_[static_cast<std::size_t>(b)][static_cast<std::size_t>(index[b])], 2);
    }
    const double kappa = std::sqrt(square);
    const auto place = static_cast<std::size_t>(ends.place(static_cast<int>(index[axis]), index));
    const End end = end_of(along, static_cast<int>(index[axis]));
    response.numerator[place] = static_cast<Real>(factor_ * decayed_source(along, end, kappa));
    response.decay[place] = static_cast<Real>(std::exp(-kappa * along.spacing()));
    response.gap[place] = static_cast<Real>(std::pow(std::expm1(-kappa * along.spacing()), 2));
  }
}

// Adds to the modes of all lines. The constant, where it is free, is left alone: its factor is 0 / 0.
template <class Real>
void WaveEnds<Real>::add(int axis, const ModeLines<Real>& lines, Real* block) const {
  const auto a = static_cast<std::size_t>(axis);
  const Response& response = responses_[a];
  const EndModes<Real>& ends = *ends_[a];
  const LineSet& set = lines.set;
  const int lanes = lane_kernels<Real>().lanes, width = lines.width;
  Extents one = box_.extents();
  for (int b = 0; b < one.dims(); b++) one[b] = b == lines.axis ? 1 : 0;
  // The places of mode m of line l are from + m * step, in the tables of the other axes and in that of this one.
  const index_t step = ends.place(0, one), own_step = axis == lines.axis ? 1 : 0;
  std::array<index_t, LineSet::most> from{}, own{};
  for (int lane = 0; lane < lanes; lane++) {
    Extents index = set.index[static_cast<std::size_t>(set.neighbours || lane >= set.used ? 0 : lane)];
    if (set.neighbours) index[lines.inner] += lane;
    index[lines.axis] = 0;
    from[static_cast<std::size_t>(lane)] = ends.place(0, index);
    own[static_cast<std::size_t>(lane)] = index[axis];
  }
  for (int b = 0; b < one.dims(); b++) one[b] = 0;
  const Real* sines = response.sines.data();
  for (int right = 0; right < 2; right++) {
    const index_t plane = ends.place(right, one);
    const Real *numerator = response.numerator.data() + plane, *decay = response.decay.data() + plane,
               *gap = response.gap.data() + plane, *given = ends.at(right, one);
    const Real* modes = response.modes[static_cast<std::size_t>(right)].data();
    for (index_t mode = 0; mode < box_[lines.axis].size(); mode++)
      for (int lane = 0; lane < lanes; lane++) {
        const index_t place = from[static_cast<std::size_t>(lane)] + mode * step;
        const index_t mine = own[static_cast<std::size_t>(lane)] + mode * own_step;
        const Real below = sines[mine] * decay[place] + gap[place];
        const Real factor = below == 0 ? Real(0) : numerator[place] * modes[mine] / below;
        for (int part = 0; part < width; part++)
          block[(mode * width + part) * lanes + lane] += factor * given[place * width + part];
      }
  }
}

template <class Real>
void WaveEnds<Real>::apply(const ModeLines<Real>& lines, Real* block) const {
  const LaneKernels<Real>& kernels = lane_kernels<Real>();
  const index_t count = box_[lines.axis].size();
  load_factors(kernels, factors_, {lines.axis, lines.inner, 0, count}, lines.set, lines.factors);
  kernels.multiply(block, lines.factors, count, lines.width);
  for (int axis = 0; axis < box_.dims(); axis++)
    if (ends_[static_cast<std::size_t>(axis)] != nullptr) add(axis, lines, block);
}

template class WaveEnds<double>;
template class WaveEnds<float>;

}  // namespace weft
