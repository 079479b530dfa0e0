// Checks and names of the options of tensor transforms.
#include "tensor/tensor_arguments.hpp"

#include <algorithm>

#include "base/names.hpp"
#include "plan/arguments.hpp"
#include "transform/chosen_kernels.hpp"

namespace weft {

namespace {

const Names<TensorAlgorithm>& algorithm_names() {
  static const Names<TensorAlgorithm> names{{TensorAlgorithm::cannon, "cannon"},
                                            {TensorAlgorithm::transpose, "transpose"}};
  return names;
}
const Names<MatrixBlocks>& matrix_names() {
  static const Names<MatrixBlocks> names{{MatrixBlocks::circulate, "circulate"}, {MatrixBlocks::own, "own"}};
  return names;
}
const Names<Folding>& folding_names() {
  static const Names<Folding> names{{Folding::automatic, "auto"}, {Folding::on, "on"}, {Folding::off, "off"}};
  return names;
}

std::string mesh_text(const std::vector<int>& mesh) {
  std::string text;
  for (const int ranks : mesh) text += (text.empty() ? "" : " x ") + std::to_string(ranks);
  return text.empty() ? "auto" : text;
}

void check_shape(const Extents& shape) {
  require(shape.dims() == 3, "shape: " + std::to_string(shape.dims()) +
                                 " axes were given; a tensor transform has 3 axes, weft::Plan takes 1 to 6");
  constexpr index_t longest = (index_t{1} << 31) - 1;  // the BLAS counts in 31 bits
  for (int axis = 0; axis < 3; axis++)
    require(shape[axis] >= 1 && shape[axis] <= longest / 2, "shape: axis " + std::to_string(axis) + " has " +
                                                                std::to_string(shape[axis]) + " points; give 1 to " +
                                                                std::to_string(longest / 2));
  check_total("shape", shape);
}

}  // namespace

std::string to_string(TensorAlgorithm algorithm) { return name_of(algorithm_names(), algorithm); }
std::string to_string(MatrixBlocks blocks) { return name_of(matrix_names(), blocks); }
std::string to_string(Folding folding) { return name_of(folding_names(), folding); }
TensorAlgorithm parse_tensor_algorithm(const std::string& text) { return parse(algorithm_names(), "algorithm", text); }
MatrixBlocks parse_matrix_blocks(const std::string& text) { return parse(matrix_names(), "matrix", text); }
Folding parse_folding(const std::string& text) { return parse(folding_names(), "folding", text); }

void check_tensor_mesh(const std::vector<int>& mesh, int ranks) {
  require(mesh.size() == 3, "mesh: " + mesh_text(mesh) + " has " + std::to_string(mesh.size()) +
                                " entries; give the number of ranks along each of the 3 axes");
  index_t product = 1;
  for (const int entry : mesh) {
    require(entry >= 1, "mesh: " + mesh_text(mesh) + " has an entry below 1; every entry is a number of ranks");
    product = std::min<index_t>(product * entry, index_t{1} << 31);
  }
  require(product <= ranks, "mesh: " + mesh_text(mesh) + " needs " + (product == index_t{1} << 31 ? "at least " : "") +
                                std::to_string(product) + " ranks, but there are " + std::to_string(ranks) +
                                "; start more ranks or give a smaller mesh");
}

void check_tensor_arguments(const Comm& comm, const Extents& shape, Kind kind, const TensorOptions& options) {
  comm.require_same("shape", to_string(shape));
  comm.require_same("kind", to_string(kind));
  comm.require_same("options", "mesh " + mesh_text(options.mesh) + ", algorithm " + to_string(options.algorithm) +
                                   ", matrix " + to_string(options.matrix) + ", folding " + to_string(options.folding) +
                                   ", communication_thread " + (options.communication_thread ? "yes" : "no") +
                                   ", norm " + to_string(options.norm));
  comm.together([&] {
    (void)lane_kernels<double>();  // WEFT_SIMD may be wrong on a single rank
    check_shape(shape);
    require(is_fourier(kind),
            "kind: '" + to_string(kind) +
                "' is not possible here; a tensor transform takes 'c2c' or 'r2c', weft::Plan all kinds");
    if (!options.mesh.empty()) check_tensor_mesh(options.mesh, comm.size());
    require(options.threads >= 0,
            "threads: " + std::to_string(options.threads) + " is not allowed; give 1 or more, or 0 for the default");
  });
}

ProcessGrid tensor_mesh(const std::vector<int>& asked, int ranks) {
  if (!asked.empty()) return ProcessGrid(asked);
  std::vector<int> best{ranks, 1, 1};
  for (int r = 1; r * r * r <= ranks; r++) {
    if (ranks % r != 0) continue;
    for (int q = r; q * q <= ranks / r; q++) {
      if (ranks / r % q != 0) continue;
      const int p = ranks / r / q;
      if (p + q + r < best[0] + best[1] + best[2]) best = {p, q, r};
    }
  }
  return ProcessGrid(best);
}

}  // namespace weft
