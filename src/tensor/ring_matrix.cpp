// Alignment and shifts of matrix blocks.
#include "tensor/ring_matrix.hpp"

#include <algorithm>

namespace weft {

namespace {
constexpr int queue_tag = 2, align_tag = 3;  // the latter plus the number of the block
}

template <class Real>
RingMatrix<Real>::RingMatrix(const DftMatrix& matrix, const AxisPartition& in, const AxisShare& out,
                             const ProductRing& ring, const ProductRing::Position& position)
    : steps_(ring.steps()), position_(position) {
  for (const AxisShare& share : in) reals_.push_back(matrix.reals(share, out));
  for (int block = position.skew; block < position.skew + position.queue; block++) {
    home_.emplace_back(static_cast<std::size_t>(reals_[static_cast<std::size_t>(block)]));
    matrix.fill(in[static_cast<std::size_t>(block)], out, home_.back().data());
  }
  if (position.alone()) return;
  const index_t largest = *std::max_element(reals_.begin(), reals_.end());
  for (int i = 0; i <= position.queue; i++) slots_.emplace_back(static_cast<std::size_t>(largest));
}

template <class Real>
index_t RingMatrix<Real>::under_way(const Messages& messages) const {
  if (position_.alone()) return 0;
  return 2 * position_.queue * messages.pieces(*std::max_element(reals_.begin(), reals_.end()));
}

// The home of block kk is the rank whose skews hold kk; block kk is first needed by the one whose skews hold kk - here.
template <class Real>
void RingMatrix<Real>::align(Messages& messages) {
  if (position_.alone()) return;
  const auto member = [this](int position) { return position_.members[static_cast<std::size_t>(position)]; };
  for (int step = 0; step < position_.queue; step++) {
    const int block = (position_.here + position_.skew + step) % steps_, home = position_.holder(block);
    if (home != position_.position) messages.receive(slot(step).data(), reals(step), member(home), align_tag + block);
  }
  for (int i = 0; i < position_.queue; i++) {
    const Block& block = home_[static_cast<std::size_t>(i)];
    const int skew = (position_.skew + i - position_.here + steps_) % steps_, user = position_.holder(skew);
    if (user == position_.position)
      std::copy(block.begin(), block.end(), slot(skew - position_.skew).begin());
    else
      messages.send(block.data(), static_cast<index_t>(block.size()), member(user), align_tag + position_.skew + i);
  }
}

template <class Real>
void RingMatrix<Real>::shift(int step, Messages& messages) {
  if (position_.alone()) return;
  const int last = steps_ - 1;
  if (step + position_.queue <= last) {
    const int wanted = step + position_.queue;
    messages.receive(slot(wanted).data(), reals(wanted), position_.next_across, queue_tag);
  }
  if (step + position_.prev_queue <= last)
    messages.send(slot(step).data(), reals(step), position_.prev_across, queue_tag);
}

template <class Real>
const Real* RingMatrix<Real>::block(int step) const {
  if (position_.alone())
    return home_[static_cast<std::size_t>((position_.here + position_.skew + step) % steps_)].data();
  return slots_[static_cast<std::size_t>(step) % slots_.size()].data();
}

template <class Real>
index_t RingMatrix<Real>::bytes() const {
  std::size_t reals = 0;
  for (const auto* list : {&home_, &slots_})
    for (const Block& block : *list) reals += block.size();
  return static_cast<index_t>(reals * sizeof(Real));
}

template class RingMatrix<float>;
template class RingMatrix<double>;

}  // namespace weft
