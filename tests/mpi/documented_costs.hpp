// What the documentation says that a solve sends and holds (docs/design.md, "What a solve sends and holds"), worked out
// from the boundary table alone, without the schedule.
#pragma once

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include "weft/boundary.hpp"
#include "weft/partition.hpp"
#include "weft/poisson.hpp"

namespace weft::testing {

/// A problem in three dimensions in double precision on a grid of p x q ranks (q = 1: slabs).
class DocumentedCosts {
 public:
  DocumentedCosts(const PoissonProblem& problem, int p, int q) {
    std::vector<int> order = transform_order(problem.boundary);
    const auto boundary = [&](std::size_t i) { return problem.boundary[static_cast<std::size_t>(order[i])]; };
    padded_ = is_convolved(boundary(1));
    if (padded_ && order[2] == 0 && classify(boundary(1)) == classify(boundary(2))) std::swap(order[1], order[2]);
    index_t width = 1;
    for (std::size_t i = 0; i < 3; i++) {
      const auto a = static_cast<std::size_t>(order[i]);
      const DomainAxis domain{problem.cells[order[i]], problem.length[a], problem.boundary[a],
                              problem.centring[problem.centring.size() == 1 ? 0 : a]};
      const AxisTransform transform = axis_transform(domain, width == 2);
      if (is_fourier(transform.kind)) width = 2;
      axes_[i] = {order[i], domain.points(), transform.modes, width, green_extent(domain)};
    }
    step(0, padded_ ? std::array<int, 3>{1, p, q} : std::array<int, 3>{1, q, p});
  }

  /// All ranks together, there and back.
  index_t bytes_sent() const { return 2 * sent_ * real; }
  /// Of one rank with one thread, with messages or in the memory of the node; lines and addresses come on top.
  index_t workspace_bytes(bool shared) const {
    index_t reals = arrays_ + (shared ? nears_ + gaps_ : nears_ + fars_ + (nears_ + fars_) / 16);
    return (reals + plane() + kernel_ + kernel_ / 8) * real;
  }
  /// What a rank's part of the kernel takes.
  index_t kernel_bytes() const { return kernel_ * real; }

 private:
  static constexpr index_t real = sizeof(double);
  struct Axis {
    int number;  // in the array
    index_t points, modes, width, entries;
  };

  static index_t share(index_t n, int ranks) { return (n + ranks - 1) / ranks; }

  // A rank's part after `transformed` transforms, each axis cut by so many ranks.
  Extents part(std::size_t transformed, const std::array<int, 3>& cut) const {
    Extents extents(3);
    for (std::size_t i = 0; i < 3; i++)
      extents[axes_[i].number] = share(i < transformed ? axes_[i].modes : axes_[i].points, cut[i]);
    return extents;
  }
  // Rows and planes begin on cache lines, at most two of which are added to each. Memory is in C order; where planes of
  // the last two axes of a padded problem are fused, the first is the slowest axis.
  index_t gaps(const Extents& part, bool planes_follow) const {
    const int slow = planes_follow ? axes_[0].number : 0;
    const int between = slow == 0 ? 1 : 0;
    return 16 * (part[slow] * part[between] + part[slow]);
  }

  // Between the transforms of axes i and i + 1.
  void step(std::size_t i, std::array<int, 3> cut) {
    if (i == 2) {
      kernel_ = 1;
      for (std::size_t a = 0; a < 3; a++)
        kernel_ *= std::min(axes_[a].entries, share(axes_[a].modes, cut[a]) + (cut[a] > 1 ? 1 : 0));
      return;
    }
    const int ranks = cut[i + 1];
    const index_t width = axes_[i].width;
    const Extents near = part(i + 1, cut);
    const bool planes_follow = padded_ && i == 0 && cut[2] == 1;
    std::swap(cut[i], cut[i + 1]);
    if (ranks == 1) {
      const bool has_rows = axes_[i].number == 2 || axes_[i + 1].number == 2;
      const bool fuses = padded_ ? i == 1 : i == 0 && has_rows;
      if (!fuses) arrays_ += width * near.product() + gaps(near, planes_follow);
      return step(i + 1, cut);
    }
    nears_ += width * near.product();
    fars_ += width * part(i + 1, cut).product();
    gaps_ += gaps(near, planes_follow);
    const Extents all = part(i + 1, {1, 1, 1});
    const Partition modes(axes_[i].modes, ranks), points(axes_[i + 1].points, ranks);
    index_t kept = all.product() / axes_[i].modes / axes_[i + 1].points, pairs = 0;
    for (int r = 0; r < ranks; r++) pairs += modes.range(r).size() * points.range(r).size();
    sent_ += width * (all.product() - kept * pairs);
    step(i + 1, cut);
  }

  // Modes of one axis by points of the next, in rows that are padded.
  index_t plane() const {
    const auto of = [](const Axis& a, const Axis& b) {
      const index_t slow = a.number < b.number ? a.modes : b.points, fast = a.number < b.number ? b.points : a.modes;
      return slow * (fast * a.width + 16);
    };
    return padded_ ? of(axes_[1], axes_[2]) : std::max(of(axes_[0], axes_[1]), of(axes_[1], axes_[2]));
  }

  std::array<Axis, 3> axes_;
  bool padded_ = false;
  index_t sent_ = 0, nears_ = 0, fars_ = 0, gaps_ = 0, arrays_ = 0, kernel_ = 0;
};

}  // namespace weft::testing
