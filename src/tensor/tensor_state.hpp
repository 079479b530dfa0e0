// The state of a TensorDft: its shape, and a pipeline for each direction.
#pragma once

#include <cmath>
#include <optional>
#include <string>
#include <vector>

#include "base/threads.hpp"
#include "tensor/tensor_arguments.hpp"
#include "tensor/tensor_pipeline.hpp"
#include "tensor/update_rate.hpp"
#include "weft/tensor.hpp"

namespace weft {

template <class Real>
struct TensorDft<Real>::State {
  State(MPI_Comm user, const Extents& points, Kind kind, const TensorOptions& options) : comm(user) {
    check_tensor_arguments(comm, points, kind, options);
    const std::vector<UpdateKernel> kernels = usable_update_kernels(comm);
    comm.together([&] { messages.emplace(comm); });
    crew = {default_threads(comm, options.threads), options.communication_thread};
    comm.together([&] {
      require(!crew.communication_thread || crew.threads >= 2,
              "communication_thread: it needs at least 2 threads, and a rank has " + std::to_string(crew.threads) +
                  "; give threads = 2 or more, or start fewer ranks on a node");
    });
    shape = {points, kind, tensor_mesh(options.mesh, comm.size()), options.algorithm, options.matrix, {}};
    shape.ways = choose_ways<Real>(comm, shape, options.folding, kernels, crew.threads);
    physical = Layout(points, shape.mesh, {0, 1, 2});
    Extents modes = points;
    if (kind == Kind::r2c) modes[2] = points[2] / 2 + 1;
    spectral = Layout(modes, shape.mesh, {0, 1, 2});
    comm.together([&] { make_pipelines(options.norm); });
  }

  void make_pipelines(Norm norm) {
    if (!takes_part()) return;
    TensorSizes sizes;
    const auto total = static_cast<double>(shape.points.product());
    for (const Direction direction : {Direction::forward, Direction::backward}) {
      const bool scaled = (norm == Norm::backward) == (direction == Direction::backward);
      const double scale = norm == Norm::ortho ? 1 / std::sqrt(total) : scaled ? 1 / total : 1;
      auto& pipeline = direction == Direction::forward ? forward : backward;
      pipeline.emplace(shape, direction, scale, comm.rank(), crew);
      sizes.cover(pipeline->sizes());
      messages->reserve(pipeline->under_way(*messages));
    }
    buffers = TensorBuffers<Real>(sizes);
    last = &*forward;
  }

  bool takes_part() const { return comm.rank() < shape.mesh.size(); }
  Box box(const Layout& layout) const { return takes_part() ? layout.box(comm.rank()) : Box(3); }
  bool real_points() const { return shape.kind == Kind::r2c; }
  index_t physical_reals() const { return box(physical).size() * (real_points() ? 1 : 2); }
  index_t spectral_reals() const { return box(spectral).size() * 2; }

  void run(std::optional<TensorPipeline<Real>>& pipeline, const Real* in, Real* out) {
    if (!pipeline) return;
    pipeline->run(in, out, buffers, *messages);
    last = &*pipeline;
  }

  void check_sizes(std::size_t in, index_t wanted_in, std::size_t out, index_t wanted_out) const {
    const auto check = [](const char* name, std::size_t given, index_t wanted) {
      require(static_cast<index_t>(given) == wanted, std::string(name) + ": the local array has " +
                                                         std::to_string(given) + " reals, the transform needs " +
                                                         std::to_string(wanted));
    };
    comm.together([&] {
      check("in", in, wanted_in);
      check("out", out, wanted_out);
    });
  }

  MessageCount sent() const {
    MessageCount count;
    if (last == nullptr) return count;
    for (const Product<Real>& product : last->products()) {
      count += product.record().alignment;
      count += product.record().shifts;
    }
    count += last->last_move();
    return count;
  }

  Comm comm;
  std::optional<Messages> messages;
  Crew crew;
  TensorShape shape;
  Layout physical, spectral;
  std::optional<TensorPipeline<Real>> forward, backward;
  const TensorPipeline<Real>* last = nullptr;  // the one that ran last
  TensorBuffers<Real> buffers;
};

}  // namespace weft
