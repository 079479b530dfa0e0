// Moves an array from one distribution to another: at most one message between any two ranks.
#pragma once

#include "tensor/distribution.hpp"
#include "tensor/messages.hpp"

namespace weft {

/// Alignments, transpositions over the mesh, and conversions to and from folded shares are such moves.
template <class Real>
class BlockMove {
 public:
  /// For this rank of the mesh; elements have `width` reals.
  BlockMove(const ProcessGrid& mesh, int rank, const TensorLayout& from, const TensorLayout& to, int width);

  /// Whether every rank owns the same elements before and after.
  bool nothing() const { return nothing_; }
  /// Reals of the buffers of run().
  index_t send_reals() const { return send_reals_; }
  index_t receive_reals() const { return receive_reals_; }
  /// The number of pending messages of run(), sent and received.
  index_t under_way(const Messages& messages) const;
  /// Collective over the mesh. Waits for all pending messages of `messages`.
  void run(const Real* from, Real* to, Messages& messages, Real* send_buffer, Real* receive_buffer) const;

 private:
  // A box of elements that moves between two ranks, with its offsets in both arrays.
  struct Piece {
    std::array<index_t, 3> from, to, count;
    index_t size() const { return count[0] * count[1] * count[2]; }
  };
  struct Peer {
    int rank;
    std::vector<Piece> pieces;
    bool direct;  ///< one piece that is contiguous in the array: needs no packing
    index_t reals(int width) const;
  };
  static std::vector<Piece> pieces(const ProcessGrid& mesh, const TensorLayout& from, int sender,
                                   const TensorLayout& to, int receiver);
  void add_peer(std::vector<Peer>& peers, int rank, std::vector<Piece> found, bool sending);
  // Elements before `at` in an array of these extents.
  static index_t offset(const Extents& extents, const std::array<index_t, 3>& at);
  void copy(const Piece& piece, const Real* from, const Extents& from_strides, Real* to,
            const Extents& to_strides) const;

  int width_;
  Extents from_, to_;
  bool nothing_ = true;
  std::vector<Peer> to_peers_, from_peers_;
  std::vector<Piece> own_;
  index_t send_reals_ = 0, receive_reals_ = 0;
};

}  // namespace weft
