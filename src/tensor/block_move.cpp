// Intersections of distributions, and their messages.
#include "tensor/block_move.hpp"

#include <algorithm>

namespace weft {

namespace {

// A run of an axis that two shares have in common, and its offset in each share.
struct Run {
  index_t from, to, count;
};

std::vector<Run> common_runs(const AxisShare& from, const AxisShare& to) {
  std::vector<Run> runs;
  index_t source_begin = 0;
  for (const Range& have : from.ranges) {
    index_t target_begin = 0;
    for (const Range& want : to.ranges) {
      const Range both = intersect(have, want);
      if (both.size() > 0)
        runs.push_back({source_begin + both.lo - have.lo, target_begin + both.lo - want.lo, both.size()});
      target_begin += want.size();
    }
    source_begin += have.size();
  }
  return runs;
}

bool same_everywhere(const ProcessGrid& mesh, const TensorLayout& from, const TensorLayout& to) {
  for (int rank = 0; rank < mesh.size(); rank++)
    for (std::size_t axis = 0; axis < 3; axis++)
      if (from[axis].share(mesh, rank).ranges != to[axis].share(mesh, rank).ranges) return false;
  return true;
}

constexpr int tag = 1;

}  // namespace

const AxisShare& AxisDistribution::share(const ProcessGrid& mesh, int rank) const {
  int member = mesh.coordinate(rank, mesh_axis);
  if (skewed_by >= 0) member += skew[static_cast<std::size_t>(mesh.coordinate(rank, skewed_by))];
  return partition[static_cast<std::size_t>(member) % partition.size()];
}

Extents extents(const TensorLayout& distribution, const ProcessGrid& mesh, int rank) {
  Extents result;
  for (const AxisDistribution& axis : distribution) result.push_back(axis.share(mesh, rank).count());
  return result;
}

template <class Real>
index_t BlockMove<Real>::Peer::reals(int width) const {
  index_t elements = 0;
  for (const Piece& piece : pieces) elements += piece.size();
  return elements * width;
}

template <class Real>
std::vector<typename BlockMove<Real>::Piece> BlockMove<Real>::pieces(const ProcessGrid& mesh, const TensorLayout& from,
                                                                     int sender, const TensorLayout& to, int receiver) {
  std::array<std::vector<Run>, 3> runs;
  for (std::size_t axis = 0; axis < 3; axis++) {
    runs[axis] = common_runs(from[axis].share(mesh, sender), to[axis].share(mesh, receiver));
    if (runs[axis].empty()) return {};
  }
  std::vector<Piece> result;
  for (const Run& a : runs[0])
    for (const Run& b : runs[1])
      for (const Run& c : runs[2])
        result.push_back({{a.from, b.from, c.from}, {a.to, b.to, c.to}, {a.count, b.count, c.count}});
  return result;
}

template <class Real>
BlockMove<Real>::BlockMove(const ProcessGrid& mesh, int rank, const TensorLayout& from, const TensorLayout& to,
                           int width)
    : width_(width),
      from_(extents(from, mesh, rank)),
      to_(extents(to, mesh, rank)),
      nothing_(same_everywhere(mesh, from, to)) {
  if (nothing_) return;
  own_ = pieces(mesh, from, rank, to, rank);
  for (int step = 1; step < mesh.size(); step++) {
    const int peer = (rank + step) % mesh.size();
    add_peer(to_peers_, peer, pieces(mesh, from, rank, to, peer), true);
    add_peer(from_peers_, peer, pieces(mesh, from, peer, to, rank), false);
  }
}

template <class Real>
void BlockMove<Real>::add_peer(std::vector<Peer>& peers, int rank, std::vector<Piece> found, bool sending) {
  if (found.empty()) return;
  const Extents& all = sending ? from_ : to_;
  const auto& count = found.front().count;
  int cut = 0;  // all extents before this axis are 1, and all axes after it are whole
  while (cut < 2 && count[static_cast<std::size_t>(cut)] == 1) cut++;
  bool direct = found.size() == 1;
  for (int axis = cut + 1; axis < 3; axis++) direct = direct && count[static_cast<std::size_t>(axis)] == all[axis];
  peers.push_back({rank, std::move(found), direct});
  if (!direct) (sending ? send_reals_ : receive_reals_) += peers.back().reals(width_);
}

template <class Real>
index_t BlockMove<Real>::offset(const Extents& extents, const std::array<index_t, 3>& at) {
  return (at[0] * extents[1] + at[1]) * extents[2] + at[2];
}

template <class Real>
void BlockMove<Real>::copy(const Piece& piece, const Real* from, const Extents& from_extents, Real* to,
                           const Extents& to_extents) const {
  for (index_t i = 0; i < piece.count[0]; i++)
    for (index_t j = 0; j < piece.count[1]; j++)
      std::copy_n(from + width_ * offset(from_extents, {i, j, 0}), piece.count[2] * width_,
                  to + width_ * offset(to_extents, {i, j, 0}));
}

template <class Real>
index_t BlockMove<Real>::under_way(const Messages& messages) const {
  index_t count = 0;
  for (const auto* peers : {&to_peers_, &from_peers_})
    for (const Peer& peer : *peers) count += messages.pieces(peer.reals(width_));
  return count;
}

template <class Real>
void BlockMove<Real>::run(const Real* from, Real* to, Messages& messages, Real* send_buffer,
                          Real* receive_buffer) const {
  const auto packed = [](const Piece& piece) { return Extents{piece.count[0], piece.count[1], piece.count[2]}; };
  Real* space = receive_buffer;
  for (const Peer& peer : from_peers_) {
    const index_t reals = peer.reals(width_);
    messages.receive(peer.direct ? to + width_ * offset(to_, peer.pieces.front().to) : space, reals, peer.rank, tag);
    if (!peer.direct) space += reals;
  }
  for (const Peer& peer : to_peers_) {
    const index_t reals = peer.reals(width_);
    if (peer.direct) {
      messages.send(from + width_ * offset(from_, peer.pieces.front().from), reals, peer.rank, tag);
      continue;
    }
    const Real* const begin = send_buffer;
    for (const Piece& piece : peer.pieces) {
      copy(piece, from + width_ * offset(from_, piece.from), from_, send_buffer, packed(piece));
      send_buffer += piece.size() * width_;
    }
    messages.send(begin, reals, peer.rank, tag);
  }
  for (const Piece& piece : own_)
    copy(piece, from + width_ * offset(from_, piece.from), from_, to + width_ * offset(to_, piece.to), to_);
  messages.wait();
  for (const Peer& peer : from_peers_) {
    if (peer.direct) continue;
    for (const Piece& piece : peer.pieces) {
      copy(piece, receive_buffer, packed(piece), to + width_ * offset(to_, piece.to), to_);
      receive_buffer += piece.size() * width_;
    }
  }
}

template class BlockMove<float>;
template class BlockMove<double>;

}  // namespace weft
