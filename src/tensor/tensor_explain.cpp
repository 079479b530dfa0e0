// The explanation of a tensor transform.
#include "base/number.hpp"
#include "base/wrap.hpp"
#include "tensor/tensor_state.hpp"

namespace weft {

namespace {

std::string seconds_text(double seconds) { return number("%.3f ms", seconds * 1e3); }

std::string count_text(const MessageCount& count) {
  return std::to_string(count.messages) + (count.messages == 1 ? " message, " : " messages, ") +
         number("%.4g MB", static_cast<double>(count.bytes) * 1e-6);
}

// Per axis: Algorithms 3 to 5 of the paper, or 3, 6 and 7.
int algorithm_number(TensorAlgorithm algorithm, int axis) {
  return algorithm == TensorAlgorithm::cannon || axis == 2 ? 5 - axis : 7 - axis;
}

template <class Real>
std::string product_text(const Product<Real>& product, const TensorShape& shape) {
  const auto& parts = product.parts();
  const ProductRecord& record = product.record();
  const int steps = parts.ring.steps();
  std::string text = "product along axis " + std::to_string(product.axis()) + " (Algorithm " +
                     std::to_string(algorithm_number(shape.algorithm, product.axis())) +
                     "): " + (parts.matrix.folded() ? "folded, " : "plain, ") + kernel_name(parts.kernel) + ", " +
                     number("%.4g Gflop", product.flops() * 1e-9) + ", " + std::to_string(steps) +
                     (steps == 1 ? " step" : " steps") + " along mesh axis " + std::to_string(parts.ring.along());
  if (steps > 1) text += ", matrix along mesh axis " + std::to_string(parts.ring.across());
  text += "\n  alignment " + count_text(record.alignment);
  if (steps > 1) text += "; shifts " + count_text(record.shifts);
  if (record.computing > 0)
    text += "; last run: aligning " + seconds_text(record.aligning) + ", updates " + seconds_text(record.computing) +
            ", waiting " + seconds_text(record.waiting);
  return text + "\n";
}

}  // namespace

template <class Real>
std::string TensorDft<Real>::explain() const {
  const State& state = *state_;
  std::string text = "tensor transform of " + weft::to_string(state.shape.points) + " (" +
                     weft::to_string(state.shape.kind) + ") over " + weft::to_string(state.shape.mesh) + " ranks, " +
                     weft::to_string(state.shape.algorithm) +
                     "\nmatrix blocks: " + weft::to_string(state.shape.matrix) + ", " +
                     std::to_string(state.crew.threads) + (state.crew.threads == 1 ? " thread" : " threads") +
                     (state.crew.communication_thread ? ", one of them for messages" : "") + "\n";
  if (state.last == nullptr) return wrapped(text + "this rank lies beyond the mesh and holds nothing\n");
  text += "this rank: points " + weft::to_string(physical_box()) + ", modes " + weft::to_string(spectral_box()) + ", " +
          number("%.4g MB of workspace", static_cast<double>(workspace_bytes()) * 1e-6) + "\n";
  for (const Product<Real>& product : state.last->products()) text += product_text(product, state.shape);
  if (state.last->last_move().messages > 0)
    text += "to the users' blocks: " + count_text(state.last->last_move()) + "\n";
  return wrapped(text);
}

template std::string TensorDft<float>::explain() const;
template std::string TensorDft<double>::explain() const;

}  // namespace weft
