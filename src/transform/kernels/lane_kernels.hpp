// What the compiled instruction-set variants of the lane kernels offer: loads and stores of lane blocks, and transforms
// of them. Plain data and function pointers only, so that no code compiled for one processor leaks into another
// variant.
#pragma once

#include <cstddef>
#include <cstdint>

namespace weft {

/// A run of points of L lines in memory, to be copied to or from elements first .. first+count of a lane block.
template <class Real>
struct LineCopy {
  Real* const* lines;  ///< for each of the L lanes the address of the run's first point (unused lanes: any valid one)
  std::int64_t first;  ///< first element of the block
  std::int64_t count;
  std::int64_t step;  ///< reals from one point of a line to the next
  int width;          ///< reals per point: 1 or 2
  int used;           ///< lanes that carry a line; stores leave the memory of the others alone
  bool adjacent;      ///< all lanes are used, and line l+1 lies `width` reals behind line l
  bool stream;        ///< stores should not go through the cache: what is stored is larger and not read again soon
  std::ptrdiff_t ahead = 0;  ///< reals to what will be wanted next, to be fetched by then; 0: nothing
};

/// One stage of a self-sorting transform by decimation in frequency: butterflies of `radix` points, `count` apart, in
/// sub-transforms of `length` = radix * count points.
struct LaneStage {
  int radix;
  std::int64_t length, count;
  std::int64_t twiddles;  ///< where its factors begin in LanePlan::twiddles
};

/// The tables of a complex transform of n points, and of the real one of 2n points that is built on it.
template <class Real>
struct LanePlan {
  std::int64_t n;
  int stages;
  const LaneStage* stage;
  const Real* twiddles;       ///< per stage [count][radix - 1] pairs cos, -sin
  const std::int64_t* order;  ///< mode of the first result of each butterfly of the last stage
  const Real* split;          ///< n pairs cos, -sin of pi k / n
  bool sorts;                 ///< radices read the same in both directions: results can be sorted where they are
};

/// Where a complex transform finds its points or leaves its modes, when not in a lane block: neighbouring lines of
/// complex numbers, so that each element of all L lines is one stretch of memory.
template <class Real>
struct LanePlaces {
  Real* const* at = nullptr;  ///< address of each element of some line; null: a block
  std::ptrdiff_t shift = 0;   ///< reals from there to the first of the L lines
  std::ptrdiff_t ahead = 0;   ///< reals to the element that will be wanted next, to be fetched by then; 0: none
};

template <class Real>
struct LanePoints {
  LanePlaces<Real> from, to;
  Real scale = 1;       ///< applied to what is stored to `to`
  bool stream = false;  ///< past the cache; every element in `to` is a whole vector
  bool spare = false;   ///< the elements of `from` may be destroyed; they are those of `to` or apart from them
};

/// `in` and `out` are aligned lane blocks that do not overlap; `in` is destroyed.
template <class Real>
using LanePointTransform = void (*)(const LanePlan<Real>& plan, const LanePoints<Real>& points, Real* in, Real* out);

/// The real transforms that are built on a complex one.
enum class LaneRealKind { forward, backward, dct1, dct2, dct3, dct4, dst1, dst2, dst3, dst4 };

/// A real transform of n points: forward gives modes 0..n/2, backward takes them (unscaled); the others are FFTW's.
/// The complex transform has n/2 points where the folded real line (see docs/design.md) has an even number of points,
/// else as many as the line.
template <class Real>
struct LaneRealPlan {
  LaneRealKind kind;
  std::int64_t n;
  int width;  ///< reals per point: 2 transforms real and imaginary parts each; forward and backward have 1
  LanePlan<Real> complex;
  const Real* roots;  ///< pairs cos, sin: of pi k / 2n for types II and III; of pi (4j+1) / 4n and pi k / n for IV
};

/// `in` and `out` as above; `a` and `b` are two more blocks of 2n+2 reals (4n+6 for type I) a lane.
template <class Real>
using LaneRealTransform = void (*)(const LaneRealPlan<Real>& plan, Real* in, Real* out, Real* a, Real* b);

template <class Real>
struct LaneKernels {
  const char* isa;
  int lanes;  ///< L
  void (*load)(const LineCopy<Real>& copy, Real* block);
  void (*store)(const LineCopy<Real>& copy, const Real* block, Real scale);
  /// Makes streamed stores visible to others; to be called by the thread that stored.
  void (*fence)();
  /// block[j] *= factor[j] for n elements of `width` reals a lane; one real factor a lane and element.
  void (*multiply)(Real* block, const Real* factor, std::int64_t n, int width);
  /// The same for blocks of complex numbers and factors.
  void (*multiply_complex)(Real* block, const Real* factor, std::int64_t n);
  LanePointTransform<Real> c2c_forward, c2c_backward;
  LaneRealTransform<Real> real;
};

// One pair of tables a variant; those that the build machine's compiler targets exist (see CMakeLists.txt).
namespace avx512 {
extern const LaneKernels<double> kernels_double;
extern const LaneKernels<float> kernels_float;
}  // namespace avx512
namespace avx2 {
extern const LaneKernels<double> kernels_double;
extern const LaneKernels<float> kernels_float;
}  // namespace avx2
namespace baseline {
extern const LaneKernels<double> kernels_double;
extern const LaneKernels<float> kernels_float;
}  // namespace baseline

}  // namespace weft
