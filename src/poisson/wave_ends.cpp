// Tables of the waves of end values, per mode of the other axes and per mode of the axis itself.
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

// The largest kappa h in hyperbolic functions, so that they do not overflow. Beyond it waves decay to less than the
// accuracy of a real within half a spacing, and only the point at an even end of nodes has its v / kappa.
template <class Real>
constexpr double longest_decay = sizeof(Real) == 8 ? 600 : 50;

// r of the class comment. decay: kappa h, or the largest one.
double source_of(const DomainAxis& axis, End end, double kappa, double decay) {
  const bool cell = axis.centring == Centring::cell;
  if (end == End::odd) return cell ? 2 * std::cosh(decay / 2) : 1;
  const double part = cell ? 0.5 : 1.0;
  return kappa == 0 ? 2 * part * axis.spacing() : 2 * std::sinh(part * decay) / kappa;
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
      lane_axis_(neighbour_axis(input.schedule.passes.back(), line_axis_)) {
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
  return others;
}

// Multiplies the given values by r, once for all lines.
template <class Real>
void WaveEnds<Real>::take_ends(int axis, const EndModes<Real>* ends) {
  const auto a = static_cast<std::size_t>(axis);
  gives_[a] = ends != nullptr;
  if (ends == nullptr || box_.empty()) return;
  Response& response = responses_[a];
  if (response.sines.empty()) make_response(axis);
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
    std::size_t to = 0;
    for (index_t i = 0; i < others.size[0]; i++)
      for (index_t j = 0; j < others.size[1]; j++, to++) {
        const index_t at = i * slow + j * fast;
        const Real left = response.source[0][to] * from_left[at], right = response.source[1][to] * from_right[at];
        response.given[0][part][to] = alternates ? left + right : left;
        response.given[1][part][to] = alternates ? left - right : right;
      }
  }
}

template <class Real>
index_t WaveEnds<Real>::bytes() const {
  std::size_t bytes = 0;
  for (const auto& along : wavenumbers_) bytes += along.size() * sizeof(double);
  for (const Response& r : responses_)
    for (const auto* list : {&r.squares, &r.sines, &r.source[0], &r.source[1], &r.modes[0], &r.modes[1], &r.given[0][0],
                             &r.given[0][1], &r.given[1][0], &r.given[1][1]})
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
    response.sines.push_back(static_cast<Real>(4 * std::pow(std::sin(k * h / 2), 2)));
    for (int right = 0; right < (response.alternates ? 1 : 2); right++)
      response.modes[static_cast<std::size_t>(right)].push_back(static_cast<Real>(mode_of_source(along, right, k)));
  }
  const OtherAxes& others = response.others;
  const auto square_of = [&](int b, index_t mode) {
    return b < 0 ? 0.0 : std::pow(wavenumbers_[static_cast<std::size_t>(b)][static_cast<std::size_t>(mode)], 2);
  };
  for (index_t i = 0; i < others.size[0]; i++)
    for (index_t j = 0; j < others.size[1]; j++) {
      // Squares are added in the order of axes: the order of the tables depends on the number of ranks.
      const double slow = square_of(others.axis[0], i), fast = square_of(others.axis[1], j);
      const double kappa = others.axis[0] < others.axis[1] ? std::sqrt(screening_ * screening_ + slow + fast)
                                                           : std::sqrt(screening_ * screening_ + fast + slow);
      const double decay = std::min(kappa * h, longest_decay<Real>);
      response.squares.push_back(static_cast<Real>(4 * std::pow(std::sinh(decay / 2), 2)));
      for (int right = 0; right < 2; right++)
        response.source[static_cast<std::size_t>(right)].push_back(
            static_cast<Real>(factor_ * source_of(along, end_of(along, right), kappa, decay)));
    }
}

// Adds the waves of an axis, or of one of its ends, to the modes of lines. A free constant, whose factor would be
// 0 / 0, is left unchanged.
template <class Real>
void WaveEnds<Real>::add(int axis, std::size_t end, const ModeLines<Real>& lines, Real* block) const {
  if (!lines.set.neighbours) return add_gathered(axis, end, lines, block);
  const LaneWaves<Real> waves = waves_of(axis, end, lines, lines.set.index[0]);
  lane_kernels<Real>().add_waves(waves, lines.width, block);
}

// The tables from the entries of the line at `index` on.
template <class Real>
LaneWaves<Real> WaveEnds<Real>::waves_of(int axis, std::size_t end, const ModeLines<Real>& lines,
                                         const Extents& index) const {
  const Response& response = responses_[static_cast<std::size_t>(axis)];
  const OtherAxes& others = response.others;
  const bool along = axis == lines.axis, alternates = response.alternates;
  index_t other = 0;
  for (int b = 0; b < box_.dims(); b++) other += b == lines.axis ? 0 : index[b] * others.step(b);
  const index_t own = along ? 0 : index[axis];
  LaneWaves<Real> waves{.count = box_[lines.axis].size(),
                        .others_differ = axis != lines.inner,
                        .own_differs = axis == lines.inner,
                        .other_step = others.step(lines.axis),
                        .own_step = along ? 1 : 0,
                        .squares = response.squares.data() + other,
                        .sines = response.sines.data() + own,
                        .modes = response.modes[end].data() + own};
  const bool varies = along || axis == lines.inner;  // the parity, within these lines
  const auto first = static_cast<std::size_t>((box_[axis].lo + own) % 2);
  for (std::size_t part = 0; part < static_cast<std::size_t>(lines.width); part++)
    for (std::size_t moved = 0; moved < 2; moved++) {
      const std::size_t which = !alternates ? end : varies ? (first + moved) % 2 : first;
      waves.given[part][moved] = response.given[which][part].data() + other;
    }
  return waves;
}

// Adds the waves for lines that are not neighbours. The entries of all lanes are gathered for some modes at a time.
template <class Real>
void WaveEnds<Real>::add_gathered(int axis, std::size_t end, const ModeLines<Real>& lines, Real* block) const {
  constexpr index_t most = 16;
  using Table = std::array<Real, most * LineSet::most>;
  Table squares{}, sines{}, modes{};
  std::array<Table, 2> given{};
  const LaneKernels<Real>& kernels = lane_kernels<Real>();
  const int lanes = kernels.lanes;
  const auto parts = static_cast<std::size_t>(lines.width);
  for (index_t first = 0; first < box_[lines.axis].size(); first += most) {
    const index_t count = std::min(most, box_[lines.axis].size() - first);
    for (int lane = 0; lane < lanes; lane++) {
      const auto which = static_cast<std::size_t>(lane < lines.set.used ? lane : 0);
      const LaneWaves<Real> of = waves_of(axis, end, lines, lines.set.index[which]);
      for (index_t mode = 0; mode < count; mode++) {
        const auto to = static_cast<std::size_t>(mode * lanes + lane);
        const index_t other = (first + mode) * of.other_step, own = (first + mode) * of.own_step;
        const std::size_t parity = axis == lines.axis ? static_cast<std::size_t>((first + mode) % 2) : 0;
        squares[to] = of.squares[other];
        sines[to] = of.sines[own];
        modes[to] = of.modes[own];
        for (std::size_t part = 0; part < parts; part++) given[part][to] = of.given[part][parity][other];
      }
    }
    LaneWaves<Real> waves{.count = count,
                          .others_differ = true,
                          .own_differs = true,
                          .other_step = lanes,
                          .own_step = lanes,
                          .squares = squares.data(),
                          .sines = sines.data(),
                          .modes = modes.data()};
    for (std::size_t part = 0; part < parts; part++) waves.given[part][0] = waves.given[part][1] = given[part].data();
    kernels.add_waves(waves, lines.width, block + first * lines.width * lanes);
  }
}

template <class Real>
void WaveEnds<Real>::apply(const ModeLines<Real>& lines, Real* block) const {
  for (int axis = 0; axis < box_.dims(); axis++) {
    const auto a = static_cast<std::size_t>(axis);
    for (std::size_t end = 0; gives_[a] && end < (responses_[a].alternates ? 1 : 2); end++)
      add(axis, end, lines, block);
  }
}

template class WaveEnds<double>;
template class WaveEnds<float>;

}  // namespace weft
