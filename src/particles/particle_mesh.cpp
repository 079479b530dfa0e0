// The public ParticleMesh: checks of particles, and the loops over their clouds in an array with halo layers.
#include "weft/particle_mesh.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "base/threads.hpp"
#include "base/wrap.hpp"
#include "exchange/block_copy.hpp"
#include "exchange/coverage.hpp"
#include "particles/particle_space.hpp"
#include "particles/spline.hpp"

namespace weft {

namespace {

constexpr std::size_t space = most_particle_axes;

// The points that share a particle: places in the padded array. Missing axes come first, with a single point.
struct Cloud {
  std::array<SplineWeights, space> axes;
  index_t offset = 0;  // of the first point of all axes
};

// A mesh with halo layers, as three axes.
struct PaddedMesh {
  std::array<int, space> orders{1, 1, 1};
  std::array<index_t, space> lower{}, strides{};
};

}  // namespace

template <class Real>
struct ParticleMesh<Real>::State {
  State(MPI_Comm given, const Extents& shape, const Box& owned, const ParticleProblem& asked,
        const HaloOptions& options)
      : comm(given),
        problem(checked(comm, shape, asked)),
        axes(particle_axes(shape, problem)),
        halo(given, shape, owned, particle_halo(problem, element_of<Real>), options),
        boxes(gather_boxes(comm, owned)) {
    const Extents strides = c_strides(halo.padded().extents());
    for (int axis = 0; axis < shape.dims(); axis++) {
      const auto at = space - static_cast<std::size_t>(shape.dims() - axis);
      mesh.orders[at] = problem.order;
      mesh.lower[at] = halo.padded()[axis].lo;
      mesh.strides[at] = strides[axis];
      first_owned += (halo.owned()[axis].lo - halo.padded()[axis].lo) * strides[axis];
    }
  }

  static ParticleProblem checked(const Comm& comm, const Extents& shape, const ParticleProblem& asked) {
    std::string text;
    comm.together([&] {
      check_particles(shape, asked);
      text = to_text(asked);
    });
    comm.require_same("the mesh", text);
    return asked;
  }

  int dims() const { return static_cast<int>(axes.size()); }

  // The points whose particles this rank takes.
  Range taken(int axis) const {
    const Range& owned = halo.owned()[axis];
    return {owned.lo - problem.margin, owned.hi + problem.margin};
  }

  double place(const Real* position, int axis) const {
    const int named = problem.reversed ? dims() - 1 - axis : axis;
    return place_of(axes[static_cast<std::size_t>(axis)], static_cast<double>(position[named]));
  }

  void refuse(const Real* positions, index_t particle, const std::string& why) const {
    std::string text = "positions: particle " + std::to_string(particle) + " at (";
    for (int axis = 0; axis < dims(); axis++)
      text += (axis > 0 ? ", " : "") + std::to_string(static_cast<double>(positions[particle * dims() + axis]));
    throw Error(Fault::argument, text + ") " + why);
  }

  // Throws Error unless this rank may take all particles.
  void check(const Real* positions, index_t count) const {
    for (index_t i = 0; i < count; i++) {
      for (int axis = 0; axis < dims(); axis++) {
        const double at = place(positions + i * dims(), axis);
        if (!std::isfinite(at)) refuse_outside(positions, i);
        if (halo.owned().empty() || !std::isfinite(place_near(axes[static_cast<std::size_t>(axis)], at, taken(axis))))
          refuse(positions, i,
                 "belongs to another rank than the one that gives it; migrate the particles before, or "
                 "give the mesh a larger margin");
      }
    }
  }
  void refuse_outside(const Real* positions, index_t particle) const {
    refuse(positions, particle,
           "is not on the mesh: it is not finite, beyond an even or odd end, or its cloud reaches "
           "beyond an unbounded one; move it inside or omit it");
  }

  template <int Order>
  Cloud cloud(const Real* position) const {
    Cloud result;
    for (auto& axis : result.axes) axis.weight[0] = 1;
    for (int axis = 0; axis < dims(); axis++) {
      const auto at = space - static_cast<std::size_t>(dims() - axis);
      const double near = place_near(axes[static_cast<std::size_t>(axis)], place(position, axis), taken(axis));
      result.axes[at] = spline_weights<Order>(near);
      result.offset += (result.axes[at].first - mesh.lower[at]) * mesh.strides[at];
    }
    return result;
  }

  // Calls visit(offset of a row in the padded array, weight of the row, weights in it) for the rows of a cloud.
  template <class Visit>
  void for_each_row(const Cloud& cloud, const Visit& visit) const {
    for (int i = 0; i < mesh.orders[0]; i++)
      for (int j = 0; j < mesh.orders[1]; j++)
        visit(cloud.offset + i * mesh.strides[0] + j * mesh.strides[1],
              cloud.axes[0].weight[static_cast<std::size_t>(i)] * cloud.axes[1].weight[static_cast<std::size_t>(j)],
              cloud.axes[2].weight);
  }

  template <int Order>
  void deposit_range(const Real* positions, const Real* charges, index_t first, index_t last, Real* target) const {
    for (index_t i = first; i < last; i++)
      for_each_row(cloud<Order>(positions + i * dims()), [&](index_t offset, double weight, const auto& weights) {
        const double share = weight * static_cast<double>(charges[i]);
        for (std::size_t k = 0; k < Order; k++)
          target[offset + static_cast<index_t>(k)] += static_cast<Real>(share * weights[k]);
      });
  }

  // Every thread except for the first has an array of its own, which is added at the end.
  void deposit_local(const Real* positions, const Real* charges, index_t count) {
    const index_t points = halo.padded().size();
    padded.assign(static_cast<std::size_t>(points), 0);
    const int threads = static_cast<int>(std::clamp<index_t>(count / (points + 1), 1, halo.threads()));
    std::vector<AlignedVector<Real>> others(static_cast<std::size_t>(threads - 1));
    for (AlignedVector<Real>& other : others) other.assign(padded.size(), 0);
    on_threads(threads, [&](int thread) {
      Real* const target = thread == 0 ? padded.data() : others[static_cast<std::size_t>(thread - 1)].data();
      with_order(problem.order, [&](auto order) {
        deposit_range<order>(positions, charges, count * thread / threads, count * (thread + 1) / threads, target);
      });
    });
    on_threads(threads, [&](int thread) {
      for (const AlignedVector<Real>& other : others)
        for (index_t i = points * thread / threads; i < points * (thread + 1) / threads; i++)
          padded[static_cast<std::size_t>(i)] += other[static_cast<std::size_t>(i)];
    });
  }

  // values[particle][component] from as many padded arrays, one after the other.
  template <int Order>
  void gather_range(const Real* positions, index_t first, index_t last, int components, Real* values) const {
    const index_t points = halo.padded().size();
    for (index_t i = first; i < last; i++) {
      const Cloud shares = cloud<Order>(positions + i * dims());
      for (int component = 0; component < components; component++) {
        const Real* source = padded.data() + component * points;
        double sum = 0;
        for_each_row(shares, [&](index_t offset, double weight, const auto& weights) {
          double row = 0;
          for (std::size_t k = 0; k < Order; k++)
            row += weights[k] * static_cast<double>(source[offset + static_cast<index_t>(k)]);
          sum += weight * row;
        });
        values[i * components + component] = static_cast<Real>(sum);
      }
    }
  }

  void gather_local(const Real* positions, index_t count, int components, Real* values) const {
    on_threads(halo.threads(), [&](int thread) {
      with_order(problem.order, [&](auto order) {
        gather_range<order>(positions, count * thread / halo.threads(), count * (thread + 1) / halo.threads(),
                            components, values);
      });
    });
  }

  // Copies between the points of this rank and the same points in the padded array.
  ByteArray<char> interior(int component) {
    return {reinterpret_cast<char*>(padded.data() + component * halo.padded().size() + first_owned),
            bytes(halo.padded())};
  }
  Extents bytes(const Box& box) const {
    Extents strides = c_strides(box.extents());
    for (index_t& stride : strides) stride *= static_cast<index_t>(sizeof(Real));
    return strides;
  }
  void copy(const ByteArray<const char>& from, const ByteArray<char>& to) const {
    copy_block(from, to, halo.owned().extents(), sizeof(Real), {halo.threads(), false});
  }

  int owner(const Real* position, int guess) const {
    std::array<index_t, space> point{};
    for (int axis = 0; axis < dims(); axis++)
      point[static_cast<std::size_t>(axis)] =
          nearest_point(axes[static_cast<std::size_t>(axis)], place(position, axis));
    const auto has = [&](int rank) {
      const Box& box = boxes[static_cast<std::size_t>(rank)];
      for (int axis = 0; axis < dims(); axis++)
        if (!box[axis].contains(point[static_cast<std::size_t>(axis)])) return false;
      return true;
    };
    if (has(guess)) return guess;
    int rank = 0;
    while (!has(rank)) rank++;
    return rank;
  }

  Comm comm;
  ParticleProblem problem;
  std::vector<ParticleAxis> axes;
  Halo halo;
  std::vector<Box> boxes;
  PaddedMesh mesh;
  index_t first_owned = 0;  // in the padded array
  AlignedVector<Real> padded;
};

template <class Real>
ParticleMesh<Real>::ParticleMesh(MPI_Comm comm, const Extents& shape, const Box& owned, const ParticleProblem& problem,
                                 const HaloOptions& options)
    : state_(std::make_unique<State>(comm, shape, owned, problem, options)) {}
template <class Real>
ParticleMesh<Real>::~ParticleMesh() = default;
template <class Real>
ParticleMesh<Real>::ParticleMesh(ParticleMesh&&) noexcept = default;
template <class Real>
ParticleMesh<Real>& ParticleMesh<Real>::operator=(ParticleMesh&&) noexcept = default;

template <class Real>
void ParticleMesh<Real>::deposit(const Real* positions, const Real* charges, index_t count, Real* mesh) {
  State& my = *state_;
  my.comm.together([&] {
    my.check(positions, count);
    my.deposit_local(positions, charges, count);
  });
  my.halo.accumulate(my.padded.data());
  const ByteArray<char> from = my.interior(0);
  my.copy({from.data, from.strides}, {reinterpret_cast<char*>(mesh), my.bytes(owned())});
}

template <class Real>
void ParticleMesh<Real>::gather(const Real* positions, index_t count, const Real* mesh, int components, Real* values) {
  State& my = *state_;
  my.comm.together([&] {
    require(components >= 1, "components: " + std::to_string(components) + " is not allowed; give at least 1");
    my.check(positions, count);
    my.padded.assign(static_cast<std::size_t>(components * my.halo.padded().size()), 0);  // also beyond unbounded ends
  });
  for (int component = 0; component < components; component++) {
    const Real* part = mesh + component * owned().size();
    my.copy({reinterpret_cast<const char*>(part), my.bytes(owned())}, my.interior(component));
    my.halo.exchange(my.padded.data() + component * my.halo.padded().size());
  }
  my.gather_local(positions, count, components, values);
}

template <class Real>
Migration ParticleMesh<Real>::migration(const Real* positions, index_t count) const {
  const State& my = *state_;
  std::vector<int> owners;
  my.comm.together([&] {
    owners.reserve(static_cast<std::size_t>(count));
    int guess = my.comm.rank();
    for (index_t i = 0; i < count; i++) {
      const Real* position = positions + i * my.dims();
      for (int axis = 0; axis < my.dims(); axis++)
        if (!std::isfinite(my.place(position, axis))) my.refuse_outside(positions, i);
      guess = my.owner(position, guess);
      owners.push_back(guess);
    }
  });
  return {my.comm, owners};
}

template <class Real>
const Box& ParticleMesh<Real>::owned() const {
  return state_->halo.owned();
}
template <class Real>
std::string ParticleMesh<Real>::strategy() const {
  return state_->halo.strategy();
}
template <class Real>
int ParticleMesh<Real>::threads() const {
  return state_->halo.threads();
}
template <class Real>
index_t ParticleMesh<Real>::workspace_bytes() const {
  return state_->halo.workspace_bytes() + static_cast<index_t>(state_->padded.size() * sizeof(Real));
}
template <class Real>
index_t ParticleMesh<Real>::bytes_sent() const {
  return state_->halo.bytes_sent();
}
template <class Real>
std::string ParticleMesh<Real>::explain() const {
  return wrapped("B-splines of order " + std::to_string(state_->problem.order) + " on " + state_->halo.explain());
}

template class ParticleMesh<float>;
template class ParticleMesh<double>;

}  // namespace weft
