// TensorDft: the 3-D DFT by dense DFT matrices on a volumetric mesh of ranks, with point-to-point messages only.
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

/// How the second and the third product get their blocks (Malapally et al. 2024). The first one is always Algorithm 3.
///  cannon     Algorithms 4 and 5: blocks travel along the mesh axis that cuts the axis of the product
///  transpose  Algorithms 6 and 7: the array is transposed over the mesh, so that blocks travel along mesh axis 2 only,
///             whose neighbours are the nearest ranks. The transposition back is joined with the following alignment.
enum class TensorAlgorithm { cannon, transpose };

/// The source of the blocks of the DFT matrix: they travel from rank to rank as in the paper (circulate), or every rank
/// computes its own at planning, which halves the number of messages and takes more memory (own).
enum class MatrixBlocks { circulate, own };

/// Whether an axis is folded: cosines multiply x(n) + x(N-n) and sines x(n) - x(N-n). Both are real and half as long,
/// which takes a quarter of the operations. automatic: planning measures which is faster, per axis, by the library's
/// own kernels or by the BLAS. on and off measure nothing and use own kernels. The environment variable
/// WEFT_TENSOR_KERNEL (auto, blas, own) chooses between the kernels.
enum class Folding { automatic, on, off };

std::string to_string(TensorAlgorithm algorithm);
std::string to_string(MatrixBlocks blocks);
std::string to_string(Folding folding);
/// The inverses ("auto" is automatic). They throw an Error that names the argument and lists what is allowed.
TensorAlgorithm parse_tensor_algorithm(const std::string& text);
MatrixBlocks parse_matrix_blocks(const std::string& text);
Folding parse_folding(const std::string& text);

struct TensorOptions {
  /// Mesh p x q x r of ranks: one number per axis, product <= ranks; further ranks hold no data. Empty: the most cubic
  /// mesh of all ranks.
  std::vector<int> mesh;
  TensorAlgorithm algorithm = TensorAlgorithm::cannon;
  MatrixBlocks matrix = MatrixBlocks::circulate;
  Folding folding = Folding::automatic;
  int threads = 0;  ///< per rank; 0: cores of the node / ranks of the communicator on it
  /// One of the threads handles messages only while the others compute. This needs at least 2 threads.
  bool communication_thread = false;
  Norm norm = Norm::backward;
};

/// Messages of one of the three products of a transform, summed over all ranks, and times of the slowest rank. Messages
/// are counted when they are passed to MPI in the last transform. Data that stay on a rank are not counted.
struct TensorTraffic {
  int axis = 0;            ///< axis of the array that the product transforms
  index_t alignments = 0;  ///< messages that move blocks to the start of the product (the first event)
  index_t shifts = 0;      ///< messages of all following events
  int events = 0;          ///< communication events: the alignment and the shifts, which overlap with the updates
  index_t bytes = 0;       ///< of all these messages
  double aligning = 0;     ///< seconds of the alignment
  double computing = 0;    ///< seconds of the updates, which run during the shifts
  double waiting = 0;      ///< seconds after the updates until the concurrent shift was complete
};

/// The DFT of a global array of 3 axes (C order) by three products with DFT matrices (O(N^4) operations), each one an
/// adapted Cannon's algorithm on a p x q x r mesh of ranks. There are no collective messages: a rank sends to few
/// others. Extents and mesh are arbitrary: blocks may be uneven or empty.
///
/// Kinds: c2c, or r2c (real points, last axis halved: modes 0 .. N3/2). Scaling is that of Plan: forward is unscaled,
/// backward divides (Norm::backward). Input arrays are preserved.
template <class Real>
class TensorDft {
 public:
  using Complex = std::complex<Real>;

  /// Collective over `comm`. Throws the same Error on every rank, before any work, if an argument is not allowed or
  /// differs between ranks.
  TensorDft(MPI_Comm comm, const Extents& shape, Kind kind = Kind::c2c, const TensorOptions& options = {});
  ~TensorDft();
  TensorDft(TensorDft&&) noexcept;
  TensorDft& operator=(TensorDft&&) noexcept;

  /// Points and modes are cut alike: mesh axis j cuts axis j evenly. The layouts contain the ranks of the mesh.
  const Layout& physical_layout() const;
  const Layout& spectral_layout() const;
  /// The part of the global array that this rank owns, which is empty beyond the mesh.
  Box physical_box() const;
  Box spectral_box() const;
  bool physical_complex() const;  ///< false for r2c
  bool spectral_complex() const;  ///< always true
  /// Arrays of zeros for this rank's part, two Real per complex element.
  std::vector<Real> physical_field() const;
  std::vector<Real> spectral_field() const;

  /// Collective. `in` and `out` are this rank's parts as contiguous arrays in C order, complex ones as pairs of Real.
  /// They are the same array or do not overlap. If they do not overlap, `in` is preserved.
  void forward(const Real* in, Real* out);
  void backward(const Real* in, Real* out);
  /// Transforms whole vectors, whose sizes are checked on every rank before any work.
  void forward(const std::vector<Real>& in, std::vector<Real>& out);
  void backward(const std::vector<Real>& in, std::vector<Real>& out);

  std::array<int, 3> mesh() const;
  int threads() const;
  TensorAlgorithm algorithm() const;
  MatrixBlocks matrix() const;
  /// Which axes are folded, first to last.
  std::array<bool, 3> folded() const;
  /// The messages and times of the three products of the last transform in the order in which they ran, and a fourth
  /// entry of axis -1 for the final moves of blocks after the last product (folded axes, Algorithm 7). Collective.
  std::vector<TensorTraffic> traffic() const;
  /// Bytes that this rank holds beyond the caller's arrays.
  index_t workspace_bytes() const;
  /// Bytes and messages that this rank has sent in the last transform.
  index_t bytes_sent() const;
  index_t messages_sent() const;
  /// Real operations (additions and multiplications) of the products of one transform on this rank.
  double flops() const;
  /// The mesh, and for every product of the last transform its kernel, operations, messages and times. Not collective.
  std::string explain() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

extern template class TensorDft<float>;
extern template class TensorDft<double>;

/// The speed of local updates on this machine.
struct TensorUpdateRate {
  double seconds = 0;      ///< time of one update: all slices of a block, one product
  double gflops = 0;       ///< 8 b^4 / seconds for a complex block of b^3, whether folded or not
  double best_gflops = 0;  ///< rate of the BLAS for one large complex product on each of as many threads
  std::string kernel;      ///< the kernel of the update: "own avx512", or the BLAS's name of its kernel
  std::string blas;        ///< the BLAS's name of its kernel: "OpenBLAS SkylakeX"
};

/// Times the local update of complex blocks of `block`^3 along `axis` (0, 1 or 2) on `threads` threads: the product
/// with a block of the DFT matrix, or, with folding, the folding, the two real products and the unfolding. The result
/// is the shortest run within `seconds`, by the BLAS or by own kernels, whichever is faster (or as chosen by
/// WEFT_TENSOR_KERNEL = blas, own). Not collective. Throws Error for numbers that are not allowed.
template <class Real>
TensorUpdateRate tensor_update_rate(index_t block, int threads, bool folded, int axis = 2, double seconds = 0.5);
extern template TensorUpdateRate tensor_update_rate<float>(index_t, int, bool, int, double);
extern template TensorUpdateRate tensor_update_rate<double>(index_t, int, bool, int, double);

/// The time of one event of the computation phase by itself: the messages of a shift as a transform sends them on this
/// mesh (blocks of `block`^3 along `axis`, and those of the matrix). It is the time of the slowest rank in seconds, and
/// the shortest of `repetitions` runs. Collective. It is used by the model of overlap.
template <class Real>
double tensor_event_seconds(MPI_Comm comm, const std::vector<int>& mesh, index_t block, int axis, int repetitions = 5);
extern template double tensor_event_seconds<float>(MPI_Comm, const std::vector<int>&, index_t, int, int);
extern template double tensor_event_seconds<double>(MPI_Comm, const std::vector<int>&, index_t, int, int);

}  // namespace weft
