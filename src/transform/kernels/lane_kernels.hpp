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
  std::int64_t first = 0;  ///< first element of the block
  std::int64_t count;
  std::int64_t step;      ///< reals from one point of a line to the next
  int width = 1;          ///< reals per point: 1 or 2
  int used;               ///< lanes that carry a line; stores leave the memory of the others alone
  bool adjacent = false;  ///< all lanes are used, and line l+1 lies `width` reals behind line l
  bool stream = false;    ///< stores should not go through the cache: what is stored is larger and not read again soon
  std::ptrdiff_t prefetch_distance = 0;  ///< reals to what will be wanted next, to be fetched by then; 0: nothing
};

/// A matrix whose rows are contiguous, to be stored with its columns contiguous: element (i, j), `width` reals, goes
/// from from[i * from_step + j * width] to to[j * to_step + i * width].
template <class Real>
struct MatrixCopy {
  const Real* from;
  Real* to;
  std::int64_t rows, columns;
  std::int64_t from_step, to_step;  ///< reals
  int width;                        ///< 1 or 2
  bool stream;                      ///< past the cache, where `to` is aligned for it
};

/// One stage of a self-sorting transform by decimation in frequency: butterflies of `radix` points, `count` apart, in
/// sub-transforms of `length` = radix * count points.
struct LaneStage {
  int radix;
  std::int64_t length, count;
  std::int64_t twiddles;  ///< where its factors begin in LanePlan::twiddles
};

/// The tables of a complex transform of n points, n without prime factors over 13.
template <class Real>
struct LanePlan {
  std::int64_t n;
  int stages;
  std::int64_t butterflies;  ///< of all stages; 1 of a single point
  std::int64_t blocks;       ///< butterflies of the last stage
  const LaneStage* stage;
  const Real* twiddles;          ///< per stage [count][radix - 1] pairs cos, -sin
  const std::int64_t* order;     ///< mode of the first result of each butterfly of the last stage
  const std::int64_t* block_of;  ///< which butterfly of the last stage begins with a mode
};

/// How a stage of a large prime is done: by the defining sums, as a cyclic convolution of p - 1 points (Rader 1968), or
/// as one of m >= 2p - 1 points with a chirp (Bluestein 1970).
enum class LanePrimeMethod { direct, rader, chirp };

template <class Real>
struct LaneDft;

/// A stage of prime radix over 13: transforms of `prime` points, `count` apart, in sub-transforms of prime * count
/// points, and their twiddle factors.
template <class Real>
struct LanePrimeStage {
  LanePrimeMethod method;
  std::int64_t prime, count;
  const Real* twiddles;       ///< [count][prime] pairs cos, -sin
  const Real* factors;        ///< direct: [(p-1)/2][(p-1)/2] pairs cos, sin; chirp: p pairs cos, -sin of pi j^2 / p
  const std::int64_t* order;  ///< rader: [p-1] points g^q, then [p-1] modes g^-q, of a generator g modulo p
  const LaneDft<Real>* convolution;  ///< rader: of p - 1 points, chirp: of m; else null
  const Real* spectrum;              ///< the DFT of what to convolve with, divided by the length, pairs re, im
};

/// A complex transform of any length: stages of large primes first, then transforms of smooth.n points each.
template <class Real>
struct LaneDft {
  std::int64_t n;
  LanePlan<Real> smooth;
  int primes;
  const LanePrimeStage<Real>* prime;
  const std::int64_t* order;  ///< mode of the first result of each of the n / smooth.n smooth transforms
};

/// Which of L neighbouring points, or modes, of a line lies in a lane while the line is transformed by itself with real
/// and imaginary parts in vectors of their own.
constexpr int line_point_in_lane(int lane, int lanes) { return lane % 2 * (lanes / 2) + lane / 2; }

/// How contiguous lines fill vectors: with L neighbouring numbers of a line, real and imaginary parts in vectors of
/// their own; with L / 2, as they lie in memory; or with L / 2 of each of two lines, one in the even and one in the odd
/// lanes.
enum class LaneLineForm { split, interleaved, split_two_lines };

/// The tables of a complex transform of contiguous lines of radix * rest.n points: `radix` is a power of two up to 8,
/// rest.n at least the number of neighbouring numbers of a line in a vector.
template <class Real>
struct LaneLinePlan {
  LaneLineForm form;
  int radix;             ///< of the first stage
  LanePlan<Real> rest;   ///< of each of the lines that the first stage leaves
  const Real* twiddles;  ///< of the first stage, aligned: per vector of numbers [radix - 1] vectors cos, then -sin
};

/// Contiguous lines of complex numbers; from and to may be the same, but not overlap otherwise.
template <class Real>
struct LaneLines {
  Real* const* from;
  Real* const* to;
  int count;
  Real scale;           ///< applied to what is stored
  bool stream = false;  ///< past the cache; `to` are aligned then, and the modes stored together fill cache lines
  std::ptrdiff_t prefetch_distance = 0;  ///< reals to the line that will be wanted next, to be fetched by then; 0: none
  bool backward = false;                 ///< complex transforms: the unscaled inverse
};

/// The same of real lines of twice as many points.
template <class Real>
struct LaneRealLinePlan {
  LaneLinePlan<Real> complex;
  /// Aligned: for modes 1, .. n/2 of n, L at a time (the last L overlap those before), vectors cos, then -sin of
  /// pi k / n; halved forward. Interleaved: for modes 0, .. n/2, L/2 at a time, vectors as rotate_pair() takes them.
  const Real* split;
};

/// `work` is a block: it holds L lines.
template <class Real>
using LaneLineTransform = void (*)(const LaneLinePlan<Real>& plan, const LaneLines<Real>& lines, Real* work);

constexpr std::int64_t every_point = INT64_MAX;

/// Of some elements of a line the memory that will be wanted soon, to be prefetched: `lines` cache lines from
/// `distance` reals behind each of the elements first .. end on.
struct PrefetchRange {
  std::int64_t first = 0, end = 0;
  std::ptrdiff_t distance = 0;
  int lines = 0;
};

/// Where a transform finds its points or leaves its modes, when not in a lane block: neighbouring lines of complex or
/// real numbers, so that each element of all L lines is one stretch of memory.
template <class Real>
struct PointAddresses {
  Real* const* at = nullptr;  ///< address of each element of some line; null: a block
  std::ptrdiff_t shift = 0;   ///< reals from there to the first of the L lines
  /// Reals to the element that will be wanted next, to be fetched by then; 0: none.
  std::ptrdiff_t prefetch_distance = 0;
  /// Elements from here on are zeros, whatever is there, or may be left out. Large prime factors make use of all
  /// elements.
  std::int64_t count = every_point;
};

template <class Real>
struct LanePoints {
  PointAddresses<Real> from = {}, to = {};
  Real scale = 1;               ///< applied to what is stored to `to`
  bool stream = false;          ///< past the cache; every element in `to` is a whole vector
  bool backward = false;        ///< complex transforms: the unscaled inverse
  PrefetchRange prefetch = {};  ///< of elements of `from`, with all butterflies, instead of from.prefetch_distance
  std::int64_t batches = 1;     ///< L lines each, one behind the other; more than one only where both are points
};

/// Two blocks of work space besides `in` and `out`.
template <class Real>
struct LaneScratch {
  Real *a, *b;
};

/// What `in` of a complex transform from points to points holds at least: several batches are worked on together.
constexpr std::int64_t least_block_bytes = 32768;

/// `in` and `out` are aligned lane blocks that do not overlap; both are work space. The scratch holds what
/// LaneDftTables says. Returns `out`, which holds the result unless points.to does.
template <class Real>
using LanePointTransform = Real* (*)(const LaneDft<Real>& plan, const LanePoints<Real>& points, Real* in, Real* out,
                                     LaneScratch<Real> scratch);

/// Real lines to modes 0 .. n, or back: mode n of each line is `last`, the others are contiguous. Forward does not
/// stream. `work` is a block.
template <class Real>
using LaneRealLineTransform = void (*)(const LaneRealLinePlan<Real>& plan, const LaneLines<Real>& lines,
                                       Real* const* last, Real* work);

/// What the modes of L lines are multiplied by: one real or complex factor a lane and mode.
template <class Real>
struct LineFactors {
  const Real* data = nullptr;
  const std::int64_t* offsets = nullptr;  ///< which factor each mode has; null: that of its number
  std::int64_t step = 0;                  ///< reals from one factor to the next
  int width = 1;                          ///< reals a factor
  bool interleaved = false;               ///< complex factors lie as pairs; else L real parts, then L imaginary parts
  PrefetchRange prefetch = {};            ///< of modes, the factors that will be wanted soon
};

/// Forward transform, factors, backward transform (unscaled) of points.from, or of the block, to points.to, or to the
/// block. Modes are multiplied where they come about, and never sorted. No prime factors over 13, no radix of 16.
template <class Real>
using LaneConvolution = void (*)(const LanePlan<Real>& plan, const LanePoints<Real>& points,
                                 const LineFactors<Real>& factors, Real* block);

/// The real transforms that are built on a complex one.
enum class LaneRealKind { forward, backward, dct1, dct2, dct3, dct4, dst1, dst2, dst3, dst4 };

/// A real transform of n points: forward gives modes 0..n/2, backward takes them (unscaled); the others are FFTW's.
/// The complex transform has half the points of an even n, all of an odd one. Type I goes by its number N of intervals
/// (n - 1 for dct1, n + 1 for dst1) instead: an even N is split into type I of N/2 intervals and type II of N/2 points,
/// an odd N takes a complex transform of N points.
template <class Real>
struct LaneRealPlan {
  LaneRealKind kind;
  std::int64_t n;
  int width;  ///< reals per point: 2 transforms real and imaginary parts each; forward and backward have 1
  LaneDft<Real> complex;
  const Real* split;  ///< even n: pairs cos, -sin of 2 pi k / n, 0 <= k <= n/4; halved, but for backward and type III
  const Real* roots;  ///< pairs cos, sin; see LaneRealTables
  const std::int64_t* order;          ///< type IV of odd n: see LaneRealTables
  const LaneRealPlan *type1, *type2;  ///< the two halves of a type I, else null
  std::int64_t count;  ///< forward and backward: points from here on are zeros, whatever is there, or not wanted
};

/// `in` and `out` as above; each part of the scratch holds 2 complex.n reals a lane, then what the complex transform
/// needs.
template <class Real>
using LaneRealTransform = Real* (*)(const LaneRealPlan<Real>& plan, Real* in, Real* out, LaneScratch<Real> scratch);

/// The same from and to neighbouring lines in memory, as LanePointTransform: kinds forward and backward, of an even
/// number of points without prime factors over 13. Points are of one real each.
template <class Real>
using LaneRealPointTransform = Real* (*)(const LaneRealPlan<Real>& plan, const LanePoints<Real>& points, Real* in,
                                         Real* out);

/// numbers[i] *= scale * a[i] * b[i], or by the conjugate of that: `count` complex numbers as they lie in memory.
template <class Real>
struct RootProduct {
  Real* numbers = nullptr;
  const Real *a = nullptr, *b = nullptr;
  std::int64_t count = 0;
  Real scale = 1;
  bool conjugate = false;
};

/// to[i] = own[i] + m + roots[i] (own[i] - m), m the conjugate of mirrored[count - 1 - i]; with conjugate roots if so.
/// Complex numbers as they lie in memory; `to` may be `own`.
template <class Real>
struct MirroredNumbers {
  const Real *own, *mirrored, *roots;
  Real* to;
  std::int64_t count;
  bool conjugate;
};

/// An end of compact lines, whose wall holds the value (b(s) u + c(s) v - sum of moved[i] f[i]) / a(s) for the shift s:
/// u and f are those of the cells from the wall on, v is what is given there. a, a - b and c are first + second * s.
template <class Real>
struct LaneWall {
  Real pivot[2], excess[2], given[2];
  Real moved[3];
  Real inner[3];  ///< of the first cells: f at the wall, extrapolated, times its weight in the first row
};

/// What makes lines compact, of order 4: f and shift u count in each row j with
///   before[j] f[j-1] + middle[j] f[j] + after[j] f[j+1]
/// in place of widths[j] f[j]. Beyond the ends of lines that are not cyclic lie the values at the walls.
template <class Real>
struct LaneCompact {
  const Real *before, *middle, *after;
  LaneWall<Real> walls[2];
};

/// Finite volumes along lines of cells: flows through the faces between them are differences of values times couplings.
/// couplings[j] is that of cell j and the one before it. Beyond the ends values are 0, with the couplings 0 and
/// `cells`; in cyclic lines the other end is there, whose coupling is the last one, and couplings[0] is the same.
template <class Real>
struct LaneDifferences {
  std::int64_t cells;
  const Real* couplings;  ///< one more than cells; positive between cells, not negative beyond the ends
  const Real* widths;     ///< of cells; of compact lines the sums of before, middle and after
  bool cyclic;
  const LaneCompact<Real>* compact = nullptr;
  const Real* given[2] = {};  ///< at the walls of compact lines, a number of `width` reals a lane; null: 0
};

/// From f to the solution u of
///   couplings[j+1] (u[j+1] - u[j]) - couplings[j] (u[j] - u[j-1]) - widths[j] shift u[j] = widths[j] f[j],
/// or of its compact form, in a block of `width` reals per element. `shift` has one number a lane, not negative. Where
/// it is 0 and nothing holds u at the ends, the last u is 0, and the last equation holds if the right sides of all rows
/// add up to 0. Each part of the scratch holds `cells` reals a lane.
template <class Real>
using LaneDifferenceSolve = void (*)(const LaneDifferences<Real>& lines, const Real* shift, int width, Real* block,
                                     LaneScratch<Real> scratch);

/// Chebyshev lines: coefficients 0 .. N of polynomials on the points cos(pi j / N), which lie from 1 down to -1. The
/// conditions at these ends are value[end] u + slope[end] du/dn = given[end], n pointing outwards, weights not
/// negative.
template <class Real>
struct LaneChebyshev {
  std::int64_t intervals;     ///< N >= 2
  const Real *lower, *upper;  ///< 1/(4k(k-1)) and 1/(4k(k+1)) for k = 2 .. N, at their index k
  Real value[2], slope[2];
  const Real* given[2] = {};  ///< a number of `width` reals a lane; null: 0
};

/// From the dct1 of f to that of u, where u'' - shift u = f, by the tau method, in a block of `width` reals per
/// element; u is 2 N times as large as it would be behind the inverse transform. Where a constant is free - both values
/// are 0, and so is the shift - a constant is taken from f that makes the slopes at the ends possible, and u has mean
/// 0. Each part of the scratch holds N + 1 elements.
template <class Real>
using LaneChebyshevSolve = void (*)(const LaneChebyshev<Real>& lines, const Real* shift, int width, Real* block,
                                    LaneScratch<Real> scratch);

template <class Real>
struct DenseKernels;

template <class Real>
struct LaneKernels {
  const char* isa;
  int lanes;  ///< L
  void (*load)(const LineCopy<Real>& copy, Real* block);
  void (*store)(const LineCopy<Real>& copy, const Real* block, Real scale);
  /// Makes streamed stores visible to others; to be called by the thread that stored.
  void (*fence)();
  void (*transpose)(const MatrixCopy<Real>& copy);
  /// `count` reals that are neighbours on either side, past the cache. `prefetch_distance`: reals to what will be
  /// wanted next.
  void (*stream)(const Real* from, Real* to, std::int64_t count, std::ptrdiff_t prefetch_distance);
  /// block[j] *= factor[j] for n elements of `width` reals a lane; one real factor a lane and element.
  void (*multiply)(Real* block, const Real* factor, std::int64_t n, int width);
  /// The same for blocks of complex numbers and factors.
  void (*multiply_complex)(Real* block, const Real* factor, std::int64_t n);
  void (*multiply_by_roots)(const RootProduct<Real>& product);
  void (*combine_mirrored)(const MirroredNumbers<Real>& numbers);
  /// Adds 0 times each of `count` >= L reals to the L reals of `sum`: they become NaN where one is not finite.
  void (*mark_non_finite)(const Real* from, std::int64_t count, Real* sum);
  LaneDifferenceSolve<Real> solve_differences;
  LaneChebyshevSolve<Real> solve_chebyshev;
  const DenseKernels<Real>* dense;  ///< products with dense matrices (dense_kernels.hpp)
  /// Line transforms, null where the instruction set has none.
  LanePointTransform<Real> c2c = nullptr;
  LaneLineTransform<Real> lines = nullptr;
  LaneRealLineTransform<Real> real_lines_forward = nullptr, real_lines_backward = nullptr;
  LaneConvolution<Real> convolve = nullptr;
  LaneRealTransform<Real> real = nullptr;
  LaneRealPointTransform<Real> real_points = nullptr;

  bool transforms_lines() const { return c2c != nullptr; }
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
