// TensorDft: the 3-D DFT by dense DFT matrices on a volumetric mesh of ranks, with messages between two ranks alone.
#pragma once

#include <array>
#include <complex>
#include <memory>
#include <string>
#include <vector>

#include "weft/comm.hpp"
#include "weft/kind.hpp"
#include "weft/layout.hpp"
#include "weft/options.hpp"

namespace weft {

/// How the second and the third product get their blocks (Malapally et al. 2024). The first one is Algorithm 3 in both.
///  cannon     Algorithms 4 and 5: blocks travel along the mesh axis that cuts the axis of the product
///  transpose  Algorithms 6 and 7: the array is transposed over the mesh, so that blocks travel along mesh axis 2 only,
///             whose neighbours are the nearest ranks. A transposition back is one with the alignment that follows it.
enum class TensorAlgorithm { cannon, transpose };

/// Where the blocks of the DFT matrix come from: from rank to rank as in the paper (circulate), or every rank makes
/// those of its own at planning, which halves the number of messages and takes more memory (own).
enum class MatrixBlocks { circulate, own };

/// Whether an axis is folded: x(n) + x(N-n) meets cosines and x(n) - x(N-n) meets sines, both real and half as long, a
/// quarter of the operations. automatic: what is measured to be faster at planning, per axis, by the library's own
/// kernels or by the BLAS; on and off measure nothing and take own kernels. The environment variable WEFT_TENSOR_KERNEL
/// (auto, blas, own) chooses between the two.
enum class Folding { automatic, on, off };

std::string to_string(TensorAlgorithm algorithm);
std::string to_string(MatrixBlocks blocks);
std::string to_string(Folding folding);
/// The inverses ("auto" is automatic). Throw Error that names the argument and lists what is allowed.
TensorAlgorithm parse_tensor_algorithm(const std::string& text);
MatrixBlocks parse_matrix_blocks(const std::string& text);
Folding parse_folding(const std::string& text);

struct TensorOptions {
  /// Mesh p x q x r of ranks: one number per axis, product <= ranks; ranks beyond it hold nothing. Empty: the most
  /// cubic one of all ranks.
  std::vector<int> mesh;
  TensorAlgorithm algorithm = TensorAlgorithm::cannon;
  MatrixBlocks matrix = MatrixBlocks::circulate;
  Folding folding = Folding::automatic;
  int threads = 0;  ///< per rank; 0: cores of the node / ranks of the communicator on it
  /// One of the threads does nothing but see to the messages while the others compute; needs at least 2 threads.
  bool communication_thread = false;
  Norm norm = Norm::backward;
};

/// What one of the three products of a transform sends, on all ranks together, and how long it took the slowest rank.
/// Counted as messages are handed to MPI in the last transform; what stays on a rank is no message.
struct TensorTraffic {
  int axis = 0;            ///< of the array, that the product transforms
  index_t alignments = 0;  ///< messages that bring blocks to where the product begins (the first event)
  index_t shifts = 0;      ///< messages of the events behind it, of all together
  int events = 0;          ///< communication events: the alignment and the shifts, which overlap with the updates
  index_t bytes = 0;       ///< of all these messages
  double aligning = 0;     ///< seconds of the alignment
  double computing = 0;    ///< seconds of the updates, while the shifts are under way
  double waiting = 0;      ///< seconds behind updates until the shift beside them was complete
};

/// The DFT of a global array of 3 axes (C order), by three products with DFT matrices (O(N^4) operations), each one an
/// adapted Cannon's algorithm on a p x q x r mesh of ranks. There is no collective message anywhere: what a rank sends
/// goes to few others. Any extents, any mesh: blocks may be uneven or empty.
///
/// Kinds: c2c, or r2c (real points, last axis halved: modes 0 .. N3/2). Scaling is that of Plan: forward is unscaled,
/// backward divides (Norm::backward). Input arrays are preserved.
template <class Real>
class TensorDft {
 public:
  using Complex = std::complex<Real>;

  /// Collective over `comm`. Throws the same Error on every rank when an argument is not allowed or differs between
  /// ranks, before any work.
  TensorDft(MPI_Comm comm, const Extents& shape, Kind kind = Kind::c2c, const TensorOptions& options = {});
  ~TensorDft();
  TensorDft(TensorDft&&) noexcept;
  TensorDft& operator=(TensorDft&&) noexcept;

  /// Points and modes are cut alike: mesh axis j cuts axis j, evenly. The layouts speak of the ranks of the mesh.
  const Layout& physical_layout() const;
  const Layout& spectral_layout() const;
  /// The part of the global array that this rank owns; nothing beyond the mesh.
  Box physical_box() const;
  Box spectral_box() const;
  bool physical_complex() const;  ///< false for r2c
  bool spectral_complex() const;  ///< always true
  /// Arrays of zeros for this rank's part, two Real per complex element.
  std::vector<Real> physical_field() const;
  std::vector<Real> spectral_field() const;

  /// Collective. `in` and `out` are this rank's parts as contiguous arrays in C order, complex ones as pairs of Real.
  /// They are the same array or do not overlap; where they do not, `in` is preserved.
  void forward(const Real* in, Real* out);
  void backward(const Real* in, Real* out);
  /// The same for whole vectors, whose sizes are checked on every rank before any work.
  void forward(const std::vector<Real>& in, std::vector<Real>& out);
  void backward(const std::vector<Real>& in, std::vector<Real>& out);

  std::array<int, 3> mesh() const;
  int threads() const;
  TensorAlgorithm algorithm() const;
  MatrixBlocks matrix() const;
  /// Which axes are folded, first to last.
  std::array<bool, 3> folded() const;
  /// What the three products of the last transform sent, in the order in which they ran, and the blocks that went to
  /// where they belong behind the last one (folded axes, Algorithm 7) as a fourth entry of axis -1. Collective.
  std::vector<TensorTraffic> traffic() const;
  /// Bytes that this rank holds beyond the caller's arrays.
  index_t workspace_bytes() const;
  /// Bytes and messages that this rank has sent in the last transform.
  index_t bytes_sent() const;
  index_t messages_sent() const;
  /// Real operations (additions and multiplications) of the products of one transform on this rank.
  double flops() const;
  /// Mesh, and for every product of the last transform its kernel and what it did, sent and took. Not collective.
  std::string explain() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

extern template class TensorDft<float>;
extern template class TensorDft<double>;

/// How fast local updates are on this machine.
struct TensorUpdateRate {
  double seconds = 0;      ///< of one update: all slices of a block, one product
  double gflops = 0;       ///< 8 b^4 / seconds for a complex block of b^3, whether folded or not
  double best_gflops = 0;  ///< of the BLAS for one large complex product on each of as many threads
  std::string kernel;      ///< what multiplied in the update: "own avx512", or what the BLAS calls its kernel
  std::string blas;        ///< what the BLAS calls its kernel: "OpenBLAS SkylakeX"
};

/// Times the local update of complex blocks of `block`^3 along `axis` (0, 1 or 2) on `threads` threads: the product
/// with a block of the DFT matrix, or with folding all of it: folding, the two real products, unfolding. The shortest
/// of the runs that `seconds` have room for, by the BLAS or by own kernels, whichever is faster (or as
/// WEFT_TENSOR_KERNEL = blas, own says). Not collective. Throws Error for numbers that are not allowed.
template <class Real>
TensorUpdateRate tensor_update_rate(index_t block, int threads, bool folded, int axis = 2, double seconds = 0.5);
extern template TensorUpdateRate tensor_update_rate<float>(index_t, int, bool, int, double);
extern template TensorUpdateRate tensor_update_rate<double>(index_t, int, bool, int, double);

/// One event of the computation phase, timed on its own: the messages of a shift as a transform sends them on this mesh
/// (blocks of `block`^3 along `axis`, and those of the matrix), and nothing else. The longest of all ranks, in seconds,
/// the shortest of `repetitions` runs. Collective; for the model of overlap.
template <class Real>
double tensor_event_seconds(MPI_Comm comm, const std::vector<int>& mesh, index_t block, int axis, int repetitions = 5);
extern template double tensor_event_seconds<float>(MPI_Comm, const std::vector<int>&, index_t, int, int);
extern template double tensor_event_seconds<double>(MPI_Comm, const std::vector<int>&, index_t, int, int);

}  // namespace weft
