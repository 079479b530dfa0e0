// What programs of FLUPS have, for its tests: a topology, a solver, and fields given by functions.
#pragma once

#include <flups.h>
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <functional>
#include <numbers>
#include <ostream>
#include <vector>

namespace weft::testing {

using std::numbers::pi;
using Three = std::array<int, 3>;
using Point = std::array<double, 3>;
/// The conditions at both ends of a direction.
using Pair = std::array<FLUPS_BoundaryType, 2>;
/// Those of one component.
using Pairs = std::array<Pair, 3>;

inline constexpr Pair periodic{PER, PER}, even{EVEN, EVEN}, odd{ODD, ODD}, odd_even{ODD, EVEN}, even_odd{EVEN, ODD};
inline constexpr Pair open{UNB, UNB}, odd_open{ODD, UNB}, even_open{EVEN, UNB}, open_even{UNB, EVEN}, none{NONE, NONE};

inline int ranks() {
  int result = 0;
  MPI_Comm_size(MPI_COMM_WORLD, &result);
  return result;
}
inline int rank() {
  int result = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &result);
  return result;
}

/// The ways to cut three directions into as many parts as there are ranks.
inline std::vector<Three> all_parts() {
  std::vector<Three> result;
  const int count = ranks();
  for (int a = 1; a <= count; a++)
    for (int b = 1; a * b <= count; b++)
      if (count % (a * b) == 0) result.push_back({a, b, count / (a * b)});
  return result;
}

/// Where the fields of a program lie.
struct Place {
  Three parts{1, 1, ranks()};
  int axis = 0;
  int alignment = FLUPS_ALIGNMENT;
  Three rank_order{0, 1, 2};
};
inline std::ostream& operator<<(std::ostream& out, const Place& place) {
  return out << "axis " << place.axis << ", parts " << place.parts[0] << " " << place.parts[1] << " " << place.parts[2]
             << ", alignment " << place.alignment << ", ranks count along " << place.rank_order[0]
             << place.rank_order[1] << place.rank_order[2];
}

/// A place for the i-th case of a list: all of them come up, with every axis.
inline Place place_for(std::size_t i) {
  const std::vector<Three> parts = all_parts();
  const std::array<Three, 3> orders{{{0, 1, 2}, {2, 0, 1}, {1, 0, 2}}};
  return {parts[i % parts.size()], static_cast<int>(i / 2 % 3), i % 3 == 1 ? 64 : FLUPS_ALIGNMENT, orders[i % 3]};
}

struct Setting {
  Three cells{8, 8, 8};
  Point length{1, 1, 1};
  FLUPS_CenterType centre = CELL_CENTER;
  std::vector<Pairs> boundary;  ///< of each component
  FLUPS_GreenType kernel = CHAT_2;
  FLUPS_DiffType derivative = NOD;
};

class Program {
 public:
  Program(const Setting& setting, const Place& place) : setting_(setting) {
    const int components = static_cast<int>(setting.boundary.size());
    Three points{};
    for (int d = 0; d < 3; d++) {
      points[at(d)] = setting.cells[at(d)];
      if (setting.centre == NODE_CENTER && !is_none(d)) points[at(d)]++;
      spacing_[at(d)] = setting.length[at(d)] / setting.cells[at(d)];
    }
    topology_ = flups_topo_new(place.axis, components, points.data(), place.parts.data(), false,
                               place.rank_order.data(), place.alignment, MPI_COMM_WORLD);
    std::array<std::array<std::vector<FLUPS_BoundaryType>, 2>, 3> conditions;
    FLUPS_BoundaryType* bc[3][2];
    for (int d = 0; d < 3; d++)
      for (int side = 0; side < 2; side++) {
        for (const Pairs& one : setting.boundary) conditions[at(d)][at(side)].push_back(one[at(d)][at(side)]);
        bc[d][side] = conditions[at(d)][at(side)].data();
      }
    const FLUPS_CenterType centres[3] = {setting.centre, setting.centre, setting.centre};
    solver_ = flups_init(topology_, bc, spacing_.data(), setting.length.data(), setting.derivative, centres);
    flups_set_greenType(solver_, setting.kernel);
    flups_setup(solver_, true);
  }
  ~Program() {
    flups_topo_free(topology_);
    flups_cleanup_solver(solver_);
  }
  Program(const Program&) = delete;
  Program& operator=(const Program&) = delete;

  FLUPS_Solver* solver() const { return solver_; }
  FLUPS_Topology* topology() const { return topology_; }
  double cell() const { return spacing_[0] * spacing_[1] * spacing_[2]; }

  using Function = std::function<double(int component, const Point& x)>;

  /// Calls visit(component, coordinates, place in memory) for every point of this rank.
  template <class Visit>
  void for_each(const FLUPS_Topology* topology, const Visit& visit) const {
    int first[3];
    flups_topo_get_istartGlob(topology, first);
    const Three stored{flups_topo_get_nmem(topology, 0), flups_topo_get_nmem(topology, 1),
                       flups_topo_get_nmem(topology, 2)};
    const double shift = setting_.centre == CELL_CENTER ? 0.5 : 0;
    for (int c = 0; c < flups_topo_get_lda(topology); c++)
      for (int k = 0; k < flups_topo_get_nloc(topology, 2); k++)
        for (int j = 0; j < flups_topo_get_nloc(topology, 1); j++)
          for (int i = 0; i < flups_topo_get_nloc(topology, 0); i++) {
            const Point x{(first[0] + i + shift) * spacing_[0], (first[1] + j + shift) * spacing_[1],
                          (first[2] + k + shift) * spacing_[2]};
            visit(c, x, flups_locID(0, i, j, k, c, flups_topo_get_axis(topology), stored.data(), 1));
          }
  }

  /// A field, with `gap` between its rows.
  std::vector<double> field(const Function& value, double gap = 0) const { return field(topology_, value, gap); }
  std::vector<double> field(const FLUPS_Topology* topology, const Function& value, double gap = 0) const {
    std::vector<double> result(std::max(flups_topo_get_memsize(topology), std::size_t{1}), gap);
    for_each(topology, [&](int c, const Point& x, std::size_t place) { result[place] = value(c, x); });
    return result;
  }

  struct Distance {
    double largest = 0;
    double mean_square = 0;  ///< integral of the square, its root
  };
  /// How far a field is from a function, over all components and ranks.
  Distance distance(const double* values, const Function& exact) const { return distance(topology_, values, exact); }
  Distance distance(const FLUPS_Topology* topology, const double* values, const Function& exact) const {
    Distance mine, all;
    for_each(topology, [&](int c, const Point& x, std::size_t place) {
      const double error = values[place] - exact(c, x);
      mine.largest = std::max(mine.largest, std::abs(error));
      mine.mean_square += error * error * cell();
    });
    MPI_Allreduce(&mine.largest, &all.largest, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    MPI_Allreduce(&mine.mean_square, &all.mean_square, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    all.mean_square = std::sqrt(all.mean_square);
    return all;
  }

 private:
  static std::size_t at(int index) { return static_cast<std::size_t>(index); }
  bool is_none(int direction) const { return setting_.boundary[0][at(direction)][0] == NONE; }

  Setting setting_;
  Point spacing_{};
  FLUPS_Topology* topology_ = nullptr;
  FLUPS_Solver* solver_ = nullptr;
};

/// A wave along one direction that satisfies a pair of conditions without unbounded ends.
class Wave {
 public:
  Wave(const Pair& pair, double length) {
    if (pair[0] == NONE) return;
    const double unit = pi / length;
    if (pair[0] == PER) {
      k_ = 4 * unit;
      phase_ = 0.3;
      return;
    }
    k_ = (pair[0] == pair[1] ? 2 : 1.5) * unit;
    phase_ = pair[0] == EVEN ? 0 : -pi / 2;
  }
  double k() const { return k_; }
  double value(double x) const { return std::cos(k_ * x + phase_); }
  /// Of unit wavenumber.
  double derivative(double x) const { return -std::sin(k_ * x + phase_); }

 private:
  double k_ = 0, phase_ = 0;
};

}  // namespace weft::testing
