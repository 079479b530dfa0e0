// The engine interface: 1-D transforms of a batch of lines held in a lane block.
//
// A lane block is the buffer that a pass works in: L lines side by side. Real lines: element j is L reals; complex
// lines: element j is L real parts, then L imaginary parts. A real block of n elements is, byte for byte, a complex
// block of n/2 elements whose real parts are the even points and imaginary parts the odd ones.
#pragma once

#include <cstddef>
#include <memory>
#include <string>

#include "transform/kernels/lane_kernels.hpp"
#include "weft/comm.hpp"
#include "weft/kind.hpp"
#include "weft/options.hpp"

namespace weft {

/// One batch of 1-D transforms. Forward: kind as in kind.hpp. Backward: the unscaled inverse.
struct LineSpec {
  Kind kind;
  Direction direction;
  index_t length;  ///< points of the transform
  int width;       ///< reals per point on the physical side: 1 real, 2 complex
  /// Fourier kinds: points from here on are zeros (forward) or not wanted (backward).
  index_t count = every_point;
  friend auto operator<=>(const LineSpec&, const LineSpec&) = default;
};

/// Reals per element on the spectral side.
inline int spectral_width(const LineSpec& spec) { return is_fourier(spec.kind) ? 2 : spec.width; }

/// What an engine does besides transforming lane blocks; sweeps ask once, when they are prepared.
struct EngineRoutes {
  bool points = false;         ///< loads and stores the points of neighbouring lines itself
  bool lines = false;          ///< takes lines that are contiguous in memory, all points and all modes
  bool streams_lines = false;  ///< stores these past the cache, whole cache lines at a time
  bool padding = false;        ///< takes what a block holds from element LineSpec::count on as zeros, whatever it is
  bool convolution = false;    ///< forward transform, factors and backward transform at once
};

/// Transforms L lines at once. Immutable after construction, shared by threads.
template <class Real>
class LineEngine {
 public:
  virtual ~LineEngine() = default;
  const EngineRoutes& routes() const { return routes_; }

  /// `in` and `out` are 64-byte aligned lane blocks that do not overlap. Returns the one that holds the result; the
  /// other is destroyed. `points` may say that lines are neighbours in memory at either end or both; the blocks are
  /// work space then, `in` of least_block_bytes at least. The engine adds its direction and its padding to them: a copy
  /// would wait for what has just been written there.
  virtual Real* transform(LanePoints<Real>& points, Real* in, Real* out) const = 0;
  Real* transform(Real* in, Real* out) const {
    LanePoints<Real> blocks;
    return transform(blocks, in, out);
  }
  /// The same, to the same bits, for contiguous lines; `last` are the last modes of real lines, `work` is a block.
  virtual void transform(const LaneLines<Real>& lines, Real* const* last, Real* work) const;
  /// Forward transform, factors, backward transform of points or of the block.
  virtual void convolve(LanePoints<Real>& points, const LineFactors<Real>& factors, Real* block) const;
  /// Reals a lane that `in` and `out` must hold each.
  virtual index_t reals_per_lane() const = 0;
  virtual std::string name() const = 0;

 protected:
  EngineRoutes routes_;  // set by constructors
};

/// Reals a lane of the larger of the points and the modes of a spec.
index_t block_reals_per_lane(const LineSpec& spec);

/// The engine that was asked for: "auto", "lanes" or "fftw"; for `automatic` whatever the environment variable
/// WEFT_ENGINE says, right or wrong. Plans compare it between ranks before they make engines.
std::string engine_name(EngineChoice choice);

/// Throws Error where lanes are asked for and the instruction set in use has no line transforms.
void check_engine(EngineChoice choice);

/// The engine for a spec, planned with the given effort. Collective: rank 0's planning is used by every rank, so that
/// results do not depend on which rank transforms a line. `automatic` takes lanes, except where the instruction set has
/// none, or they are estimated or (lengths with prime factors over 13, and an effort other than estimate) measured to
/// be slower than FFTW. For the kind none, lines are loaded and stored as they are. Throws Error where WEFT_ENGINE is
/// none of auto, lanes and fftw.
template <class Real>
std::shared_ptr<const LineEngine<Real>> make_engine(const Comm& comm, const LineSpec& spec, EngineChoice choice,
                                                    Effort effort);

}  // namespace weft
