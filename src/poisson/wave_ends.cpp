// Tables of the waves of end values, per mode of the other axes and per mode of the axis itself.
#include "poisson/wave_ends.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <utility>

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

// The largest kappa h in hyperbolic functions, so that the product of three divisors over e(k) does not overflow. Waves
// that decay faster have their value at the point next to the end, and less than its accuracy at the others.
template <class Real>
constexpr double longest_decay = sizeof(Real) == 8 ? 100 : 17;

// r of the class comment. decay: kappa h, or the largest one.
double source_of(const DomainAxis& axis, End end, double kappa, double decay) {
  const bool cell = axis.centring == Centring::cell;
  const double from_end = cell ? 0.5 : end == End::odd ? 1.0 : 0.0;  // to the next point, in spacings
  const double rest = std::exp((decay - kappa * axis.spacing()) * from_end);
  if (end == End::odd) return rest * (cell ? 2 * std::cosh(decay / 2) : 1);
  const double part = cell ? 0.5 : 1.0;
  return kappa == 0 ? 2 * part * axis.spacing() : rest * 2 * std::sinh(part * decay) / kappa;
}

// The mode of wavenumber k of a 1 at the point beside an end.
double mode_of_source(const DomainAxis& axis, int right, double k) {
  const double h = axis.spacing();
  const bool cell = axis.centring == Centring::cell, odd = end_of(axis, right) == End::odd;
  const double away = cell ? h / 2 : odd ? h : 0, x = right == 0 ? away : axis.length - away;
  const double wave = axis.boundary.left == End::even ? std::cos(k * x) : std::sin(k * x);
  return (cell || odd ? 2 : 1) * wave;  // a point on a mirror plane counts once
}

}  // namespace

template <class Real>
WaveEnds<Real>::WaveEnds(const SymbolInput& input, double scale, int rank)
    : domain_(input.domain),
      box_(input.schedule.spectral.box(rank)),
      screening_(input.screening),
      factor_(round_trip(input.domain) / scale),
      responses_(input.domain.size()),
      gives_(input.domain.size()),
      line_axis_(input.schedule.passes.back().axes.back()),
      lane_axis_(neighbour_axis(input.schedule.passes.back(), line_axis_)),
      rows_are_cut_(std::any_of(input.schedule.exchanges.begin(), input.schedule.exchanges.end(),
                                [](const ExchangePlan& exchange) { return exchange.chunks > 1; })) {
  for (int a = 0; a < box_.dims(); a++) {
    const auto which = static_cast<std::size_t>(a);
    std::vector<double> along;
    for (index_t mode = box_[a].lo; mode < box_[a].hi; mode++)
      along.push_back(wavenumber(domain_[which], input.schedule.axes[which], mode));
    wavenumbers_.push_back(std::move(along));
  }
  for (int a = 0; a < box_.dims(); a++) responses_[static_cast<std::size_t>(a)].others = others_of(a);
}

template <class Real>
typename WaveEnds<Real>::OtherAxes WaveEnds<Real>::others_of(int axis) const {
  std::vector<int> order;
  for (int b = 0; b < box_.dims(); b++)
    if (b != axis && b != line_axis_ && b != lane_axis_) order.push_back(b);
  for (const int b : {line_axis_, lane_axis_})
    if (b != axis && b >= 0) order.push_back(b);
  OtherAxes others;
  for (std::size_t i = 0; i < order.size(); i++) {
    const std::size_t to = 2 - order.size() + i;
    others.axis[to] = order[i];
    others.size[to] = box_[order[i]].size();
  }
  const index_t lanes = lane_kernels<Real>().lanes, fast = others.size[1];
  others.block = lane_axis_ >= 0 && others.axis[1] == lane_axis_ && !rows_are_cut_ ? std::min(lanes, fast) : fast;
  return others;
}

template <class Real>
template <class Work>
void WaveEnds<Real>::OtherAxes::for_each(const Work& work) const {
  std::size_t entry = 0;
  for (index_t which = 0; which < blocks(); which++)
    for (index_t slow = 0; slow < size[0]; slow++)
      for (index_t lane = 0; lane < block; lane++, entry++) work(entry, slow, start(which) + lane);
}

// Multiplies the given values by r, once for all lines.
template <class Real>
void WaveEnds<Real>::take_ends(int axis, const EndModes<Real>* ends) {
  const auto a = static_cast<std::size_t>(axis);
  gives_[a] = ends != nullptr;
  if (ends == nullptr || box_.empty()) return;
  Response& response = responses_[a];
  if (response.squares.empty()) make_response(axis);
  const OtherAxes& others = response.others;
  const auto step = [&](int other) {
    Extents one(box_.dims());
    if (other >= 0) one[other] = 1;
    return ends->place(0, one) * ends->width();
  };
  const index_t slow = step(others.axis[0]), fast = step(others.axis[1]);
  for (std::size_t part = 0; part < static_cast<std::size_t>(ends->width()); part++) {
    for (Pair& given : response.given) given[part].resize(response.squares.size());
    const Real *from_left = ends->at(0, Extents(box_.dims())) + part,
               *from_right = ends->at(1, Extents(box_.dims())) + part;
    const bool alternates = response.alternates;
    others.for_each([&](std::size_t to, index_t i, index_t j) {
      const index_t at = i * slow + j * fast;
      const Real left = response.source[0][to] * from_left[at], right = response.source[1][to] * from_right[at];
      response.given[0][part][to] = alternates ? left + right : left;
      response.given[1][part][to] = alternates ? left - right : right;
    });
  }
}

template <class Real>
index_t WaveEnds<Real>::bytes() const {
  std::size_t bytes = 0;
  for (const auto& along : wavenumbers_) bytes += along.size() * sizeof(double);
  for (const Response& r : responses_)
    for (const auto* list : {&r.squares, &r.sines[0], &r.sines[1], &r.scales[0], &r.scales[1], &r.source[0],
                             &r.source[1], &r.given[0][0], &r.given[0][1], &r.given[1][0], &r.given[1][1]})
      bytes += list->size() * sizeof(Real);
  return static_cast<index_t>(bytes);
}

template <class Real>
void WaveEnds<Real>::make_response(int axis) {
  const auto a = static_cast<std::size_t>(axis);
  const DomainAxis& along = domain_[a];
  const double h = along.spacing();
  Response& response = responses_[a];
  response.alternates = along.boundary.left == along.boundary.right;
  for (const double k : wavenumbers_[a]) {
    for (std::size_t right = 0; right < (response.alternates ? 1 : 2); right++) {
      const double source = mode_of_source(along, static_cast<int>(right), k);
      response.sines[right].push_back(static_cast<Real>(4 * std::pow(std::sin(k * h / 2), 2) / source));
      response.scales[right].push_back(static_cast<Real>(1 / source));
    }
  }
  const OtherAxes& others = response.others;
  const auto square_of = [&](int b, index_t mode) {
    return b < 0 ? 0.0 : std::pow(wavenumbers_[static_cast<std::size_t>(b)][static_cast<std::size_t>(mode)], 2);
  };
  others.for_each([&](std::size_t, index_t i, index_t j) {
    // Squares are added in the order of axes: the order of the tables depends on the number of ranks.
    const double slow = square_of(others.axis[0], i), fast = square_of(others.axis[1], j);
    const double kappa = others.axis[0] < others.axis[1] ? std::sqrt(screening_ * screening_ + slow + fast)
                                                         : std::sqrt(screening_ * screening_ + fast + slow);
    const double decay = std::min(kappa * h, longest_decay<Real>);
    response.squares.push_back(static_cast<Real>(4 * std::pow(std::sinh(decay / 2), 2)));
    for (int right = 0; right < 2; right++)
      response.source[static_cast<std::size_t>(right)].push_back(
          static_cast<Real>(factor_ * source_of(along, end_of(along, right), kappa, decay)));
  });
}

// Whether an axis has term number `end`: 0 of its left end, or of both if these are of one kind, 1 of its right end.
template <class Real>
bool WaveEnds<Real>::has_waves(int axis, std::size_t end) const {
  const auto a = static_cast<std::size_t>(axis);
  return gives_[a] && (end == 0 || !responses_[a].alternates);
}

template <class Real>
bool WaveEnds<Real>::any_has_waves(std::size_t end) const {
  bool some = false;
  for (int axis = 0; axis < box_.dims(); axis++) some = some || has_waves(axis, end);
  return some;
}

template <class Real>
void WaveEnds<Real>::apply(const ModeLines<Real>& lines, const LineFactors<Real>* factors, Real* block) const {
  const bool at_once = lines.set.neighbours && (any_has_waves(0) || any_has_waves(1));
  if (factors != nullptr && !at_once) {
    lane_kernels<Real>().multiply(*factors, box_[lines.axis].size(), lines.width, block);
    factors = nullptr;
  }
  for (std::size_t end = 0; end < 2; end++) {
    if (!any_has_waves(end)) continue;
    lines.set.neighbours ? add_to_neighbours(lines, end, std::exchange(factors, nullptr), block)
                         : add_gathered(lines, end, block);
  }
}

// Adds waves to neighbours, whose tables lie as the kernels read them. A free constant, whose factor would be 0 / 0, is
// left unchanged.
template <class Real>
void WaveEnds<Real>::add_to_neighbours(const ModeLines<Real>& lines, std::size_t end, const LineFactors<Real>* factors,
                                       Real* block) const {
  const Extents& index = lines.set.index[0];
  LaneWaves<Real> waves{.modes = box_[lines.axis].size()};
  for (int axis = 0; axis < box_.dims(); axis++) {
    if (!has_waves(axis, end)) continue;
    const Response& response = responses_[static_cast<std::size_t>(axis)];
    const OtherAxes& others = response.others;
    const auto index_of = [&](int b) { return b < 0 || b == lines.axis ? 0 : index[b]; };
    const index_t slow = index_of(others.axis[0]), fast = index_of(others.axis[1]), own = index_of(axis);
    const index_t other = others.first_of(slow, fast);
    LaneWaveAxis<Real>& to = waves.axes[waves.count++];
    to.lines = axis == lines.axis ? LinesAt::along : axis == lines.inner ? LinesAt::across : LinesAt::beside;
    to.squares = response.squares.data() + other;
    to.sines = response.sines[end].data() + own;
    to.scales = response.scales[end].data() + own;
    to.step = others.block;
    const auto first = static_cast<std::size_t>((box_[axis].lo + own) % 2);
    for (std::size_t part = 0; part < static_cast<std::size_t>(lines.width); part++)
      for (std::size_t parity = 0; parity < 2; parity++) {
        const std::size_t moved = to.lines == LinesAt::beside ? 0 : parity;
        to.given[part][parity] = response.given[response.alternates ? (first + moved) % 2 : end][part].data() + other;
      }
  }
  lane_kernels<Real>().add_waves(waves, factors, lines.width, block);
}

// Adds waves to lines that are not neighbours. The entries of all lanes are gathered for some modes at a time.
template <class Real>
void WaveEnds<Real>::add_gathered(const ModeLines<Real>& lines, std::size_t end, Real* block) const {
  constexpr index_t most = 4;
  using Table = std::array<Real, most * LineSet::most>;
  struct Tables {
    Table squares, sines, scales;
    std::array<Table, 2> given;
  };
  std::array<Tables, 3> tables{};
  const LaneKernels<Real>& kernels = lane_kernels<Real>();
  for (index_t first = 0; first < box_[lines.axis].size(); first += most) {
    LaneWaves<Real> waves{.modes = std::min(most, box_[lines.axis].size() - first)};
    for (int axis = 0; axis < box_.dims(); axis++) {
      if (!has_waves(axis, end)) continue;
      const Response& response = responses_[static_cast<std::size_t>(axis)];
      const OtherAxes& others = response.others;
      Tables& entries = tables[static_cast<std::size_t>(waves.count)];
      for (index_t i = 0; i < waves.modes * kernels.lanes; i++) {
        const auto to = static_cast<std::size_t>(i);
        const index_t lane = i % kernels.lanes;
        const index_t valid = lane < lines.set.used ? lane : 0;
        Extents index = lines.set.index[static_cast<std::size_t>(valid)];
        index[lines.axis] = first + i / kernels.lanes;
        const auto index_of = [&](int b) { return b < 0 ? 0 : index[b]; };
        const auto other = static_cast<std::size_t>(others.at(index_of(others.axis[0]), index_of(others.axis[1])));
        const auto own = static_cast<std::size_t>(index[axis]);
        entries.squares[to] = response.squares[other];
        entries.sines[to] = response.sines[end][own];
        entries.scales[to] = response.scales[end][own];
        const auto parity = static_cast<std::size_t>((box_[axis].lo + index[axis]) % 2);
        for (std::size_t part = 0; part < static_cast<std::size_t>(lines.width); part++)
          entries.given[part][to] = response.given[response.alternates ? parity : end][part][other];
      }
      LaneWaveAxis<Real>& to = waves.axes[waves.count++];
      to = {LinesAt::any, entries.squares.data(), entries.sines.data(), entries.scales.data(), kernels.lanes};
      for (std::size_t part = 0; part < 2; part++) to.given[part][0] = to.given[part][1] = entries.given[part].data();
    }
    kernels.add_waves(waves, nullptr, lines.width, block + first * lines.width * kernels.lanes);
  }
}

template class WaveEnds<double>;
template class WaveEnds<float>;

}  // namespace weft
