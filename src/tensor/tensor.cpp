// The public TensorDft: checks the arguments and makes the pipelines.
#include "weft/tensor.hpp"

#include "tensor/tensor_state.hpp"

namespace weft {

template <class Real>
TensorDft<Real>::TensorDft(MPI_Comm comm, const Extents& shape, Kind kind, const TensorOptions& options)
    : state_(std::make_unique<State>(comm, shape, kind, options)) {}
template <class Real>
TensorDft<Real>::~TensorDft() = default;
template <class Real>
TensorDft<Real>::TensorDft(TensorDft&&) noexcept = default;
template <class Real>
TensorDft<Real>& TensorDft<Real>::operator=(TensorDft&&) noexcept = default;

template <class Real>
const Layout& TensorDft<Real>::physical_layout() const {
  return state_->physical;
}
template <class Real>
const Layout& TensorDft<Real>::spectral_layout() const {
  return state_->spectral;
}
template <class Real>
Box TensorDft<Real>::physical_box() const {
  return state_->box(state_->physical);
}
template <class Real>
Box TensorDft<Real>::spectral_box() const {
  return state_->box(state_->spectral);
}
template <class Real>
bool TensorDft<Real>::physical_complex() const {
  return !state_->real_points();
}
template <class Real>
bool TensorDft<Real>::spectral_complex() const {
  return true;
}
template <class Real>
std::vector<Real> TensorDft<Real>::physical_field() const {
  return std::vector<Real>(static_cast<std::size_t>(state_->physical_reals()));
}
template <class Real>
std::vector<Real> TensorDft<Real>::spectral_field() const {
  return std::vector<Real>(static_cast<std::size_t>(state_->spectral_reals()));
}

template <class Real>
void TensorDft<Real>::forward(const Real* in, Real* out) {
  state_->run(state_->forward, in, out);
}
template <class Real>
void TensorDft<Real>::backward(const Real* in, Real* out) {
  state_->run(state_->backward, in, out);
}
template <class Real>
void TensorDft<Real>::forward(const std::vector<Real>& in, std::vector<Real>& out) {
  state_->check_sizes(in.size(), state_->physical_reals(), out.size(), state_->spectral_reals());
  forward(in.data(), out.data());
}
template <class Real>
void TensorDft<Real>::backward(const std::vector<Real>& in, std::vector<Real>& out) {
  state_->check_sizes(in.size(), state_->spectral_reals(), out.size(), state_->physical_reals());
  backward(in.data(), out.data());
}

template <class Real>
std::array<int, 3> TensorDft<Real>::mesh() const {
  return {state_->shape.mesh[0], state_->shape.mesh[1], state_->shape.mesh[2]};
}
template <class Real>
int TensorDft<Real>::threads() const {
  return state_->crew.threads;
}
template <class Real>
TensorAlgorithm TensorDft<Real>::algorithm() const {
  return state_->shape.algorithm;
}
template <class Real>
MatrixBlocks TensorDft<Real>::matrix() const {
  return state_->shape.matrix;
}
template <class Real>
std::array<bool, 3> TensorDft<Real>::folded() const {
  return state_->shape.ways.folded;
}

template <class Real>
std::vector<TensorTraffic> TensorDft<Real>::traffic() const {
  std::vector<TensorTraffic> result(4);
  result[3].axis = -1;
  // Only the ranks of the mesh know the direction of the last run, so the axes are summed in the same collectives.
  for (std::size_t i = 0; i < 4; i++) {
    ProductRecord record;
    index_t axis = 0, steps = 0;
    if (state_->last != nullptr && i < 3) {
      const Product<Real>& product = state_->last->products()[i];
      record = product.record();
      axis = product.axis();
      steps = product.parts().ring.steps();
    } else if (state_->last != nullptr) {
      record.alignment = state_->last->last_move();
    }
    const Comm& comm = state_->comm;
    TensorTraffic& entry = result[i];
    entry.alignments = comm.sum(record.alignment.messages);
    entry.shifts = comm.sum(record.shifts.messages);
    entry.bytes = comm.sum(record.alignment.bytes + record.shifts.bytes);
    entry.aligning = comm.max(record.aligning);
    entry.computing = comm.max(record.computing);
    entry.waiting = comm.max(record.waiting);
    if (i < 3) entry.axis = static_cast<int>(comm.max(axis));
    const auto shift_events = static_cast<int>(comm.max(steps)) - 1;
    entry.events = (entry.alignments > 0 ? 1 : 0) + (entry.shifts > 0 ? shift_events : 0);
  }
  return result;
}

template <class Real>
index_t TensorDft<Real>::workspace_bytes() const {
  index_t bytes = state_->buffers.bytes();
  for (const auto* pipeline : {&state_->forward, &state_->backward})
    if (*pipeline)
      for (const Product<Real>& product : (*pipeline)->products()) bytes += product.matrix_bytes();
  return bytes;
}
template <class Real>
index_t TensorDft<Real>::bytes_sent() const {
  return state_->sent().bytes;
}
template <class Real>
index_t TensorDft<Real>::messages_sent() const {
  return state_->sent().messages;
}
template <class Real>
double TensorDft<Real>::flops() const {
  double flops = 0;
  if (state_->forward)
    for (const Product<Real>& product : state_->forward->products()) flops += product.flops();
  return flops;
}

template class TensorDft<float>;
template class TensorDft<double>;

}  // namespace weft
