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

/// Transforms L lines at once. Immutable after construction, shared by threads.
template <class Real>
class LineEngine {
 public:
  virtual ~LineEngine() = default;
  /// `in` and `out` are 64-byte aligned lane blocks that do not overlap. Returns the one that holds the result; the
  /// other is destroyed.
  virtual Real* transform(Real* in, Real* out) const = 0;
  /// The same for L neighbouring lines in memory: `points` replaces either block or both, and where it is both the
  /// first and last stages load and store them. Only where can_use_points(); `in` and `out` are work space, `in` of
  /// least_block_bytes at least.
  virtual Real* transform(const LanePoints<Real>& points, Real* in, Real* out) const;
  virtual bool can_use_points() const { return false; }
  /// The same for Fourier transforms of lines that are contiguous in memory, all points and all modes. Only where
  /// can_transform_lines(); `last` are the last modes of real lines, `work` is a block of work space. The bits are
  /// those of transform().
  virtual void transform_lines(const LaneLines<Real>& lines, Real* const* last, Real* work) const;
  virtual bool can_transform_lines() const { return false; }
  /// Whether these can be stored past the cache, whole cache lines at a time. Only where can_transform_lines().
  virtual bool can_stream_lines() const { return true; }
  /// Whether what a block holds from element spec.count on does not matter: it is taken as zeros.
  virtual bool knows_padding() const { return false; }
  /// Forward transform, factors, backward transform of points or of the block. Only where can_convolve(): not backward.
  virtual void convolve(const LanePoints<Real>& points, const LineFactors<Real>& factors, Real* block) const;
  virtual bool can_convolve() const { return false; }
  /// Reals a lane that `in` and `out` must hold each.
  virtual index_t reals_per_lane() const = 0;
  virtual std::string name() const = 0;
};

/// Reals a lane of the larger of the points and the modes of a spec.
index_t block_reals_per_lane(const LineSpec& spec);

/// The engine that was asked for: "auto", "lanes" or "fftw"; for `automatic` whatever the environment variable
/// WEFT_ENGINE says, right or wrong. Plans compare it between ranks before they make engines.
std::string engine_name(EngineChoice choice);

/// The engine for a spec, planned with the given effort. Collective: rank 0's planning is used by every rank, so that
/// results do not depend on which rank transforms a line. `automatic` takes lanes, except where they are estimated or
/// (lengths with prime factors over 13, and an effort other than estimate) measured to be slower than FFTW. Throws
/// Error where WEFT_ENGINE is none of auto, lanes and fftw.
template <class Real>
std::shared_ptr<const LineEngine<Real>> make_engine(const Comm& comm, const LineSpec& spec, EngineChoice choice,
                                                    Effort effort);

}  // namespace weft
