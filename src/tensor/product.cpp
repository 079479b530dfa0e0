// Cannon's algorithm for slices, on threads.
#include "tensor/product.hpp"

#include <algorithm>
#include <chrono>

#include "base/threads.hpp"

namespace weft {

namespace {

constexpr int shift_tag = 0;

// Adds the seconds of its lifetime to a sum.
class Stopwatch {
 public:
  explicit Stopwatch(double& seconds) : seconds_(seconds), start_(std::chrono::steady_clock::now()) {}
  ~Stopwatch() { seconds_ += std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count(); }
  Stopwatch(const Stopwatch&) = delete;
  Stopwatch& operator=(const Stopwatch&) = delete;

 private:
  double& seconds_;
  std::chrono::steady_clock::time_point start_;
};

const AxisDistribution& on_axis(const TensorLayout& distribution, int axis) {
  return distribution[static_cast<std::size_t>(axis)];
}

}  // namespace

void TensorSizes::cover(const TensorSizes& other) {
  array = std::max(array, other.array);
  ring = std::max(ring, other.ring);
  scratch = std::max(scratch, other.scratch);
  sent = std::max(sent, other.sent);
  received = std::max(received, other.received);
}

template <class Real>
TensorBuffers<Real>::TensorBuffers(const TensorSizes& sizes)
    : scratch(sizes.scratch), sent(sizes.sent), received(sizes.received) {
  for (Buffer<Real>& array : arrays) array = Buffer<Real>(sizes.array);
  for (Buffer<Real>& ring : rings) ring = Buffer<Real>(sizes.ring);
}

template <class Real>
index_t TensorBuffers<Real>::bytes() const {
  index_t bytes = scratch.bytes() + sent.bytes() + received.bytes();
  for (const Buffer<Real>& array : arrays) bytes += array.bytes();
  for (const Buffer<Real>& ring : rings) bytes += ring.bytes();
  return bytes;
}

template <class Real>
Product<Real>::Product(const ProcessGrid& mesh, int rank, Parts parts, const Crew& crew)
    : parts_(std::move(parts)),
      crew_(crew),
      position_(parts_.ring.position(mesh, rank)),
      update_({parts_.axis, extents(parts_.in, mesh, rank)}, parts_.matrix, parts_.kernel),
      out_(on_axis(parts_.out, parts_.axis).share(mesh, rank)),
      matrix_(parts_.matrix, on_axis(parts_.in, parts_.axis).partition, out_, parts_.ring, position_) {
  index_t reals = 0;
  for (int step = 0; step < parts_.ring.steps(); step++)
    reals = std::max(reals, parts_.matrix.reals(share_in(step), out_));
  if (parts_.kernel == UpdateKernel::own) panels_.resize(static_cast<std::size_t>(reals));
  if (!travels()) static_cast<void>(factors(0));
}

// The block of a step. A rank with the whole axis has a single block, which is laid out at planning.
template <class Real>
const Real* Product<Real>::factors(int step) {
  return update_.factors(share_in(step), out_, matrix_.block(step), panels_.data());
}

template <class Real>
const AxisShare& Product<Real>::share_in(int step) const {
  return on_axis(parts_.in, parts_.axis).partition[static_cast<std::size_t>(parts_.ring.block(position_, step))];
}

template <class Real>
index_t Product<Real>::ring_reals() const {
  if (!travels()) return 0;
  index_t reals = update_.folded() ? update_.travelling_reals(out_) : 0;
  for (int step = 0; step < parts_.ring.steps(); step++)
    reals = std::max(reals, update_.travelling_reals(share_in(step)));
  return reals;
}

// One more cache line, so that threads do not share one.
template <class Real>
index_t Product<Real>::scratch_reals() const {
  constexpr index_t line = 64 / sizeof(Real);
  index_t reals = 0;
  for (int step = 0; step < parts_.ring.steps(); step++)
    reals = std::max(reals, travels() ? update_.multiply_scratch(share_in(step), out_)
                                      : update_.transform_scratch(share_in(step), out_));
  return reals == 0 ? 0 : round_up(reals, line) + line;
}

template <class Real>
TensorSizes Product<Real>::sizes() const {
  return {0, ring_reals(), crew_.threads * scratch_reals(), 0, 0};
}

template <class Real>
index_t Product<Real>::under_way(const BlockMove<Real>& move, const Messages& messages) const {
  index_t most = 0;  // of the blocks of one shift
  for (int step = 0; travels() && step < parts_.ring.steps(); step++)
    most = std::max(most, messages.pieces(update_.travelling_reals(share_in(step))));
  return matrix_.under_way(messages) + std::max(move.under_way(messages), 2 * most);
}

template <class Real>
double Product<Real>::flops() const {
  double flops = 0;
  for (int step = 0; step < parts_.ring.steps(); step++) flops += update_.flops(share_in(step), out_);
  return flops;
}

// Calls work(slice, thread) for every slice, each one always on the same thread. Pending messages are handled by a
// separate thread, or by the first thread between its slices (only that thread may call MPI).
template <class Real>
template <class Work>
void Product<Real>::in_slices(Messages* messages, Work work) {
  const int without = crew_.communication_thread && travels() && crew_.threads > 1 ? 1 : 0;
  on_threads(crew_.threads, [&](int thread) {
    if (thread < without) {
      if (messages != nullptr) messages->wait();
      return;
    }
    const ThreadShare share(update_.shape().slices(), thread - without, crew_.threads - without);
    for (index_t slice = share.first; slice < share.last; slice++) {
      work(slice, thread);
      if (thread == 0 && messages != nullptr) messages->advance();
    }
  });
}

template <class Real>
void Product<Real>::run(const BlockMove<Real>& move, const Real* from, Real* aligned, Real* result,
                        TensorBuffers<Real>& buffers, Messages& messages) {
  record_ = {};
  {
    const Stopwatch watch(record_.aligning);
    matrix_.align(messages);
    if (!move.nothing()) move.run(from, aligned, messages, buffers.sent.data(), buffers.received.data());
    messages.wait();
    record_.alignment = messages.take_count();
  }
  const Real* const array = move.nothing() ? from : aligned;
  if (travels())
    run_steps(array, result, buffers, messages);
  else
    run_here(array, result, buffers);
}

template <class Real>
void Product<Real>::run_here(const Real* array, Real* result, TensorBuffers<Real>& buffers) {
  const Stopwatch watch(record_.computing);
  const Real* const c = parts_.kernel == UpdateKernel::own ? panels_.data() : matrix_.block(0);
  const index_t scratch = scratch_reals();
  in_slices(nullptr, [&](index_t slice, int thread) {
    update_.transform_slice(slice, share_in(0), out_, array, c, result, buffers.scratch.data() + thread * scratch);
  });
}

template <class Real>
void Product<Real>::start_shift(int step, const Real* x, Real* next, Messages& messages) {
  messages.receive(next, update_.travelling_reals(share_in(step + 1)), position_.next, shift_tag);
  messages.send(x, update_.travelling_reals(share_in(step)), position_.prev, shift_tag);
  matrix_.shift(step, messages);
}

// Folded blocks travel in folded form: a block is folded once and multiplied on every rank of the ring.
template <class Real>
void Product<Real>::run_steps(const Real* array, Real* result, TensorBuffers<Real>& buffers, Messages& messages) {
  const Real* x = array;
  Real* y = result;
  if (update_.folded()) {
    const Stopwatch watch(record_.computing);
    Real* const folded = buffers.rings[1].data();
    in_slices(nullptr, [&](index_t slice, int) { update_.fold_slice(slice, share_in(0), array, folded); });
    x = folded;
    y = buffers.rings[2].data();
  }
  const index_t scratch = scratch_reals();
  for (int step = 0; step < parts_.ring.steps(); step++) {
    const bool last = step + 1 == parts_.ring.steps();
    Real* const next = buffers.rings[static_cast<std::size_t>(step) % 2].data();
    {
      const Stopwatch watch(record_.computing);
      if (!last) start_shift(step, x, next, messages);
      const Real* const c = factors(step);
      in_slices(last ? nullptr : &messages, [&](index_t slice, int thread) {
        update_.multiply(slice, share_in(step), out_, x, c, step > 0, y, buffers.scratch.data() + thread * scratch);
        if (last && update_.folded()) update_.unfold_slice(slice, out_, y, result);
      });
    }
    const Stopwatch watch(record_.waiting);
    messages.wait();
    x = next;
  }
  record_.shifts = messages.take_count();
}

template struct TensorBuffers<float>;
template struct TensorBuffers<double>;
template class Product<float>;
template class Product<double>;

}  // namespace weft
