// The engine interface: 1-D transforms of a batch of lines held in a lane block.
//
// A lane block is the buffer of a pass: L lines side by side. Element j of real lines is L reals; element j of complex
// lines is L real parts, then L imaginary parts. A real block of n elements is, byte for byte, a complex block of n/2
// elements whose real parts are the even points and whose imaginary parts are the odd points.
#pragma once

#include <cstddef>
#include <memory>
#include <string>

#include "transform/kernels/lane_kernels.hpp"
#include "weft/comm.hpp"
#include "weft/kind.hpp"
#include "weft/options.hpp"

namespace weft {

/// One batch of 1-D transforms. Forward: the kind as defined in kind.hpp. Backward: its unscaled inverse.
struct LineSpec {
  Kind kind;
  Direction direction;
  index_t length;  ///< points of the transform
  int width;       ///< reals per point on the physical side: 1 real, 2 complex
  /// Fourier kinds: points from here on are zeros (forward) or not needed (backward).
  index_t count = every_point;
  friend auto operator<=>(const LineSpec&, const LineSpec&) = default;
};

/// Reals per element on the spectral side.
inline int spectral_width(const LineSpec& spec) { return is_fourier(spec.kind) ? 2 : spec.width; }

/// Capabilities of an engine beyond lane blocks. Sweeps read them once, when they are prepared.
struct EngineRoutes {
  bool points = false;         ///< loads and stores the points of adjacent lines itself
  bool lines = false;          ///< transforms lines that are contiguous in memory, with all points and modes
  bool streams_lines = false;  ///< uses streaming stores for such lines, whole cache lines at a time
  bool padding = false;        ///< reads the elements of a block from LineSpec::count on as zeros, whatever they are
  bool convolution = false;    ///< forward transform, product with factors and backward transform at once
};

/// Transforms L lines at once. Immutable after construction, and shared by threads.
template <class Real>
class LineEngine {
 public:
  virtual ~LineEngine() = default;
  const EngineRoutes& routes() const { return routes_; }

  /// `in` and `out` are 64-byte aligned lane blocks that do not overlap. Returns the one with the result; the other is
  /// overwritten. If `points` gives adjacent lines in memory at either end or both, the blocks are work space, `in` of
  /// at least least_block_bytes. The engine sets direction and padding in `points` and `lines` itself: a copy would
  /// wait for the data just written there.
  virtual Real* transform(LanePoints<Real>& points, Real* in, Real* out) const = 0;
  Real* transform(Real* in, Real* out) const {
    LanePoints<Real> blocks;
    return transform(blocks, in, out);
  }
  /// Transforms contiguous lines, to the same bits. `last` holds the last modes of real lines, `work` is a lane block.
  virtual void transform(LaneLines<Real>& lines, Real* const* last, Real* work) const;
  /// Forward transform, product with factors and backward transform of points in memory or of the block.
  virtual void convolve(LanePoints<Real>& points, const LineFactors<Real>& factors, Real* block) const;
  /// Reals per lane that `in` and `out` must each hold.
  virtual index_t reals_per_lane() const = 0;
  virtual std::string name() const = 0;

 protected:
  EngineRoutes routes_;  // set by constructors
};

/// Reals per lane of the points or of the modes of a spec, whichever are more.
index_t block_reals_per_lane(const LineSpec& spec);

/// The engine requested: "auto", "lanes" or "fftw"; for `automatic` the value of the environment variable WEFT_ENGINE,
/// valid or not. Plans compare it between ranks before they make engines.
std::string engine_name(EngineChoice choice);

/// Throws Error if lanes are requested and the instruction set in use has no line transforms.
void check_engine(EngineChoice choice);

/// Makes the engine for a spec, planned with the given effort. Collective: all ranks use the planning of rank 0, so
/// that results do not depend on the rank that transforms a line. `automatic` takes FFTW if the instruction set has no
/// line transforms, or if lanes are slower by estimate or (prime factors over 13, effort other than estimate) by
/// measurement; else lanes. Kind none leaves lines unchanged. Throws Error if WEFT_ENGINE is not auto, lanes or fftw.
template <class Real>
std::shared_ptr<const LineEngine<Real>> make_engine(const Comm& comm, const LineSpec& spec, EngineChoice choice,
                                                    Effort effort);

}  // namespace weft
