// Timed local updates and events.
#include "tensor/update_rate.hpp"

#include <algorithm>
#include <chrono>
#include <limits>

#include "base/threads.hpp"
#include "tensor/blas.hpp"
#include "tensor/tensor_arguments.hpp"

namespace weft {

namespace {

double seconds_now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

// The shortest of the runs that begin within `budget` seconds; at least 2 runs.
template <class Run>
double shortest(double budget, Run run) {
  const double start = seconds_now();
  double best = std::numeric_limits<double>::infinity();
  for (int i = 0; i < 2 || seconds_now() - start < budget; i++) {
    const double begin = seconds_now();
    run();
    best = std::min(best, seconds_now() - begin);
  }
  return best;
}

template <class Real>
Buffer<Real> ones(index_t reals) {
  Buffer<Real> buffer(reals);
  std::fill_n(buffer.data(), reals, Real(1));
  return buffer;
}

// A product along an axis that one rank holds completely.
struct Trial {
  SliceShape slices;
  index_t points;
  ProductKind kind;
  bool folded;
  UpdateKernel kernel;
};

template <class Real>
double update_seconds(const Trial& trial, int threads, double budget) {
  const bool half = trial.kind != ProductKind::complex_to_complex;
  const AxisShare points = (trial.folded ? partition_in_pairs : partition_in_blocks)(trial.points, 1).front();
  const AxisShare modes = half ? partition_half_spectrum(trial.points, 1).front() : points;
  const DftMatrix matrix(trial.points, Direction::forward, trial.kind, trial.folded, 1);
  const LocalUpdate<Real> update(trial.slices, matrix, trial.kernel);
  const index_t lines = trial.slices.slices() * trial.slices.lines(),
                scratch = round_up(update.transform_scratch(points, modes), 64);
  const Buffer<Real> in = ones<Real>(lines * points.count() * width_in(trial.kind)),
                     out = ones<Real>(lines * modes.count() * width_out(trial.kind)), scratches(scratch * threads),
                     block = ones<Real>(matrix.reals(points, modes)), panels = ones<Real>(block.size());
  const Real* const c = update.factors(points, modes, block.data(), panels.data());
  return shortest(budget, [&] {
    on_threads(threads, [&](int thread) {
      const ThreadShare share(trial.slices.slices(), thread, threads);
      for (index_t slice = share.first; slice < share.last; slice++)
        update.transform_slice(slice, points, modes, in.data(), c, out.data(), scratches.data() + thread * scratch);
    });
  });
}

// Folding is judged by a few slices of the largest block, as if the block were the whole axis. A single update then
// includes the sums and differences, which a ring of ranks computes only once for all updates.
Trial trial_of(const TensorShape& shape, int axis, int threads) {
  Extents block(3);
  for (int a = 0; a < 3; a++) {
    const bool half = shape.half(a) && a != axis;
    block[a] = Partition(half ? shape.points[a] / 2 + 1 : shape.points[a], shape.mesh[a]).largest();
  }
  const int stacked = axis == 0 ? 1 : 0;
  block[stacked] = std::min<index_t>(block[stacked], 2 * threads);
  const ProductKind kind = shape.half(axis) ? ProductKind::real_to_half : ProductKind::complex_to_complex;
  return {{axis, block}, block[axis], kind, false, UpdateKernel::own};
}

// The best rate of the BLAS: a large product on each thread.
template <class Real>
double best_rate(int threads, double budget) {
  constexpr index_t n = 512;
  using Complex = std::complex<Real>;
  const index_t reals = 2 * n * n;
  const Buffer<Real> a = ones<Real>(reals * threads), b = ones<Real>(reals), c = ones<Real>(reals * threads);
  const double seconds = shortest(budget, [&] {
    on_threads(threads, [&](int thread) {
      const index_t mine = reals * thread;
      multiply<Complex>({n, n, n}, false, {reinterpret_cast<const Complex*>(a.data() + mine), n},
                        {reinterpret_cast<const Complex*>(b.data()), n}, false,
                        {reinterpret_cast<Complex*>(c.data() + mine), n});
    });
  });
  return 8.0 * n * n * n * threads / seconds * 1e-9;
}

}  // namespace

template <class Real>
UpdateWays choose_ways(const Comm& comm, const TensorShape& shape, Folding asked,
                       const std::vector<UpdateKernel>& kernels, int threads) {
  UpdateWays ways;
  ways.folded.fill(asked == Folding::on);
  ways.kernels.fill(kernels.back());
  if (asked != Folding::automatic) return ways;
  constexpr double budget = 2e-3;
  for (int axis = 0; axis < 3; axis++) {
    Trial trial = trial_of(shape, axis, threads);
    double best = std::numeric_limits<double>::infinity();
    for (const bool folded : {false, true})
      for (const UpdateKernel kernel : kernels) {
        trial.folded = folded;
        trial.kernel = kernel;
        double mine = 0;
        comm.together([&] { mine = update_seconds<Real>(trial, threads, budget); });
        const double seconds = comm.max(mine);
        if (seconds >= best) continue;
        best = seconds;
        ways.folded[static_cast<std::size_t>(axis)] = folded;
        ways.kernels[static_cast<std::size_t>(axis)] = kernel;
      }
  }
  return ways;
}

template <class Real>
TensorUpdateRate tensor_update_rate(index_t block, int threads, bool folded, int axis, double seconds) {
  require(block >= 1 && block <= 4096, "block: " + std::to_string(block) + " is not allowed; give 1 to 4096");
  require(threads >= 1, "threads: " + std::to_string(threads) + " is not allowed; give 1 or more");
  require(axis >= 0 && axis <= 2, "axis: " + std::to_string(axis) + " is not allowed; give 0, 1 or 2");
  require_blas();
  TensorUpdateRate rate;
  rate.blas = blas_kernel();
  rate.best_gflops = best_rate<Real>(threads, seconds / 2);
  // All slices are alike: some slices of a large block are enough and need neither gigabytes nor minutes.
  const index_t slices = std::min(block, std::max<index_t>(16 * threads, (index_t{1} << 22) / (block * block)));
  Extents extents{block, block, block};
  extents[axis == 0 ? 1 : 0] = slices;
  const auto b = static_cast<double>(block);
  const std::vector<UpdateKernel> kernels = usable_update_kernels();
  rate.seconds = std::numeric_limits<double>::infinity();
  for (const UpdateKernel kernel : kernels) {
    const Trial trial{{axis, extents}, block, ProductKind::complex_to_complex, folded, kernel};
    const double all = update_seconds<Real>(trial, threads, seconds / 2 / static_cast<double>(kernels.size())) * b /
                       static_cast<double>(slices);
    if (all >= rate.seconds) continue;
    rate.seconds = all;
    rate.kernel = kernel_name(kernel);
  }
  rate.gflops = 8 * b * b * b * b / rate.seconds * 1e-9;
  return rate;
}

template <class Real>
double tensor_event_seconds(MPI_Comm user, const std::vector<int>& mesh_dims, index_t block, int axis,
                            int repetitions) {
  const Comm comm(user);
  comm.together([&] {
    check_tensor_mesh(mesh_dims, comm.size());
    require(block >= 1 && block <= 4096, "block: " + std::to_string(block) + " is not allowed; give 1 to 4096");
    require(axis >= 0 && axis <= 2, "axis: " + std::to_string(axis) + " is not allowed; give 0, 1 or 2");
    require(repetitions >= 1, "repetitions: " + std::to_string(repetitions) + " is not allowed; give 1 or more");
  });
  const ProcessGrid mesh(mesh_dims);
  const ProductRing ring(mesh, axis, axis == 1 ? 2 : 1, false);
  const bool takes_part = comm.rank() < mesh.size();
  const index_t array_reals = takes_part ? 2 * block * block * block : 0,
                matrix_reals = takes_part ? 2 * block * block : 0;
  Buffer<Real> sent, received;
  Messages messages(comm);
  comm.together([&] {
    sent = ones<Real>(array_reals + matrix_reals);
    received = ones<Real>(array_reals + matrix_reals);
    messages.reserve(2 * (messages.pieces(array_reals) + messages.pieces(matrix_reals)));
  });
  double best = std::numeric_limits<double>::infinity();
  for (int i = 0; i < repetitions; i++) {
    comm.barrier();
    const double begin = seconds_now();
    if (takes_part) {
      const ProductRing::Position position = ring.position(mesh, comm.rank());
      if (ring.steps() > 1) {
        messages.receive(received.data(), array_reals, position.next, 0);
        messages.send(sent.data(), array_reals, position.prev, 0);
      }
      if (ring.steps() > 1 && !position.alone()) {
        messages.receive(received.data() + array_reals, matrix_reals, position.next_across, 1);
        messages.send(sent.data() + array_reals, matrix_reals, position.prev_across, 1);
      }
      messages.wait();
    }
    best = std::min(best, comm.max(seconds_now() - begin));
  }
  return best;
}

template UpdateWays choose_ways<float>(const Comm&, const TensorShape&, Folding, const std::vector<UpdateKernel>&, int);
template UpdateWays choose_ways<double>(const Comm&, const TensorShape&, Folding, const std::vector<UpdateKernel>&,
                                        int);
template TensorUpdateRate tensor_update_rate<float>(index_t, int, bool, int, double);
template TensorUpdateRate tensor_update_rate<double>(index_t, int, bool, int, double);
template double tensor_event_seconds<float>(MPI_Comm, const std::vector<int>&, index_t, int, int);
template double tensor_event_seconds<double>(MPI_Comm, const std::vector<int>&, index_t, int, int);

}  // namespace weft
