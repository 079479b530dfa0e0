// The lane kernels as each compiled instruction-set variant offers them: loads, stores and transforms of lane blocks.
// Plain data and function pointers only, so that no code compiled for one processor leaks into another variant.
#pragma once

#include <cstddef>
#include <cstdint>

#include "weft/kind.hpp"

namespace weft {

/// A run of points of L lines in memory, copied to or from elements first .. first + count - 1 of a lane block.
template <class Real>
struct LineCopy {
  Real* const* lines;  ///< for each of the L lanes the address of the run's first point (unused lanes: any valid one)
  std::int64_t first = 0;  ///< first element of the block
  std::int64_t count;
  std::int64_t step;      ///< reals from one point of a line to the next
  int width = 1;          ///< reals per point: 1 or 2
  int used;               ///< lanes that hold a line; stores leave the memory of the others unchanged
  bool adjacent = false;  ///< all lanes are used; line l+1 begins `width` reals after line l
  bool stream = false;    ///< use streaming stores: the data exceed the cache and are not read again soon
  std::ptrdiff_t prefetch_distance = 0;  ///< reals to the data needed next, which are prefetched; 0: no prefetch
};

/// A transposition of a matrix with contiguous rows, elements of `width` reals: element to[j * to_step + i * width]
/// becomes element from[i * from_step + j * width].
template <class Real>
struct MatrixCopy {
  const Real* from;
  Real* to;
  std::int64_t rows, columns;
  std::int64_t from_step, to_step;  ///< reals
  int width;                        ///< 1 or 2
  bool stream;                      ///< use streaming stores where the alignment of `to` allows it
};

/// One stage of a self-sorting transform by decimation in frequency: butterflies of `radix` points, `count` apart, in
/// sub-transforms of `length` = radix * count points.
struct LaneStage {
  int radix;
  std::int64_t length, count;
  std::int64_t twiddles;  ///< index of its first factor in LanePlan::twiddles
};

/// The tables of a complex transform of n points, n without prime factors over 13.
template <class Real>
struct LanePlan {
  std::int64_t n;
  int stages;
  std::int64_t butterflies;  ///< in all stages
  const LaneStage* stage;
  const Real* twiddles;          ///< per stage [count][radix - 1] pairs cos, -sin
  const std::int64_t* order;     ///< mode of the first result of each butterfly of the last stage
  const std::int64_t* block_of;  ///< the butterfly of the last stage whose first result is this mode
};

/// Method for a stage of a large prime p: the defining sums, a cyclic convolution of p - 1 points (Rader 1968), or a
/// convolution of m >= 2p - 1 points with a chirp (Bluestein 1970).
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
  const std::int64_t* order;  ///< rader: p - 1 points g^q, then p - 1 modes g^-q, for a generator g modulo p
  const LaneDft<Real>* convolution;  ///< rader: of p - 1 points; chirp: of m points; else null
  const Real* spectrum;              ///< the DFT of the convolution's kernel, divided by its length, as pairs re, im
};

/// A complex transform of any length: first the stages of large primes, then transforms of smooth.n points each.
template <class Real>
struct LaneDft {
  std::int64_t n;
  LanePlan<Real> smooth;
  int primes;
  const LanePrimeStage<Real>* prime;
  const std::int64_t* order;  ///< mode of the first result of each of the n / smooth.n smooth transforms
};

/// The index, among L adjacent points or modes of a line, of the one in `lane` when lines are transformed with the
/// parts split (LaneLineForm::split).
constexpr int line_point_in_lane(int lane, int lanes) { return lane % 2 * (lanes / 2) + lane / 2; }

/// How contiguous lines fill vectors: L adjacent numbers of a line, with real and imaginary parts in separate vectors;
/// L / 2 numbers, interleaved as in memory; L / 2 numbers of each of two lines, in the even and in the odd lanes; or,
/// across, one number of each of L lines, which stay in the registers.
enum class LaneLineForm { split, interleaved, split_two_lines, across };

/// The tables of a complex transform of contiguous lines of radix * rest.n points. `radix` is a power of two up to 8;
/// rest.n is at least the count of adjacent numbers of a line in a vector. Across: a single even radix, or 4 twice.
template <class Real>
struct LaneLinePlan {
  LaneLineForm form;
  int radix;            ///< of the first stage
  LanePlan<Real> rest;  ///< of each line that the first stage leaves
  /// Of the first stage, aligned: per vector of numbers [radix - 1] vectors cos, then -sin. Across: as in LanePlan.
  const Real* twiddles;
};

/// Contiguous lines of complex numbers. from[l] and to[l] may be equal, but not overlap otherwise.
template <class Real>
struct LaneLines {
  Real* const* from;
  Real* const* to;
  int count;
  Real scale;           ///< factor of the results
  bool stream = false;  ///< use streaming stores; `to` are aligned, and modes stored together fill cache lines
  std::ptrdiff_t prefetch_distance = 0;  ///< reals to the line needed next, which is prefetched; 0: none
  bool backward = false;                 ///< the unscaled inverse
};

/// The tables of a transform of contiguous real lines of twice as many points.
template <class Real>
struct LaneRealLinePlan {
  LaneLinePlan<Real> complex;
  /// Aligned: for modes 0 .. n/2, L/2 at a time, the vectors of rotate_pair(). Across: the pairs of LaneRealPlan.
  const Real* split;
};

constexpr std::int64_t every_point = INT64_MAX;

/// Memory to be prefetched with some elements of a line: `lines` cache lines at `distance` reals after each of the
/// elements first .. end - 1.
struct PrefetchRange {
  std::int64_t first = 0, end = 0;
  std::ptrdiff_t distance = 0;
  int lines = 0;
};

/// Points or modes of a transform in memory instead of in a lane block: adjacent lines of complex or real numbers, so
/// that each element of all L lines is contiguous.
template <class Real>
struct PointAddresses {
  Real* const* at = nullptr;  ///< address of each element of some line; null: a lane block
  std::ptrdiff_t shift = 0;   ///< reals from there to the first of the L lines
  /// Distance in reals to the element needed next, which is prefetched; 0: none.
  std::ptrdiff_t prefetch_distance = 0;
  /// Elements from here on are taken as zeros, or need not be stored. Large prime factors ignore this.
  std::int64_t count = every_point;
  std::ptrdiff_t batch_step = 0;  ///< reals from one batch to the next
};

template <class Real>
struct LanePoints {
  PointAddresses<Real> from = {}, to = {};
  Real scale = 1;               ///< applied when storing to `to`
  bool stream = false;          ///< use streaming stores; every element in `to` is a whole vector
  bool backward = false;        ///< complex transforms: the unscaled inverse
  PrefetchRange prefetch = {};  ///< with elements of `from`, over all butterflies; replaces from.prefetch_distance
  std::int64_t batches = 1;     ///< of L lines each; more than one only if both ends are points in memory
};

/// Two work blocks besides `in` and `out`.
template <class Real>
struct LaneScratch {
  Real *a, *b;
};

/// Least size of `in` for a complex transform from points to points: several batches are transformed together.
constexpr std::int64_t least_block_bytes = 32768;

/// Factors of the modes of L lines: one real or complex factor per lane and mode.
template <class Real>
struct LineFactors {
  const Real* data = nullptr;
  const std::int64_t* offsets = nullptr;  ///< index of the factor of each mode; null: the mode itself
  std::int64_t step = 0;                  ///< reals from one factor to the next
  int width = 1;                          ///< reals per factor
  bool interleaved = false;               ///< complex factors are pairs; else L real parts, then L imaginary parts
  PrefetchRange prefetch = {};            ///< factors to be prefetched, by mode
  const Real* added = nullptr;            ///< to the products, of real factors: a lane block of all modes, or null
};

/// A real transform of n points, built on a complex one: of r2c the forward transform, or the unscaled backward one; of
/// the others FFTW's. The complex transform has n/2 points for even n, n for odd n. Type I depends on its number of
/// intervals N instead (n - 1 for dct1, n + 1 for dst1): even N is split into type I of N/2 intervals and type II of
/// N/2 points; odd N takes a complex transform of N points.
template <class Real>
struct LaneRealPlan {
  Kind kind;
  bool backward;  ///< r2c from modes to points
  std::int64_t n;
  int width;  ///< reals per point; 2 transforms real and imaginary parts each (1 for r2c)
  LaneDft<Real> complex;
  const Real* split;  ///< even n: pairs cos, -sin of 2 pi k / n, 0 <= k <= n/4, times a factor (LaneRecipe)
  const Real* roots;  ///< pairs cos, sin (LaneRecipe)
  /// Type IV of odd n: point order[t], times the first root of pair t, is point t of the real DFT; the real and the
  /// imaginary part of its mode m, times the roots of pair n + m, add up to mode order[n + m].
  const std::int64_t* order;
  const LaneRealPlan *type1, *type2;  ///< the two halves of a type I, else null
  std::int64_t count;                 ///< r2c: points from here on are taken as zeros, or not stored
  Real* const* block;                 ///< addresses as far apart as the points of a block
};

/// numbers[i] *= scale * a[i] * b[i], or its conjugate: `count` complex numbers, interleaved as in memory.
template <class Real>
struct RootProduct {
  Real* numbers = nullptr;
  const Real *a = nullptr, *b = nullptr;
  std::int64_t count = 0;
  Real scale = 1;
  bool conjugate = false;
};

/// to[i] = own[i] + m + roots[i] (own[i] - m), where m is the conjugate of mirrored[count - 1 - i]; `conjugate` takes
/// the conjugate roots. Complex numbers are interleaved; `to` may equal `own`.
template <class Real>
struct MirroredNumbers {
  const Real *own, *mirrored, *roots;
  Real* to;
  std::int64_t count;
  bool conjugate;
};

/// A wall at an end of compact lines. Its value for shift s is (b(s) u + c(s) v - sum of moved[i] f[i]) / a(s): u and f
/// belong to the cells from the wall on, v is the given value. a, a - b and c are first + second * s.
template <class Real>
struct LaneWall {
  Real pivot[2], excess[2], given[2];
  Real moved[3];
  Real inner[3];  ///< of the first cells: f extrapolated to the wall, times its weight in the first row
};

/// Data of compact lines of order 4: in row j, f and shift u enter as
///   before[j] f[j-1] + middle[j] f[j] + after[j] f[j+1]
/// instead of widths[j] f[j]. Beyond the ends of lines that are not cyclic are the values at the walls.
template <class Real>
struct LaneCompact {
  const Real *before, *middle, *after;
  LaneWall<Real> walls[2];
};

/// Finite volumes along lines of cells: the flow through a face is the difference of two values times a coupling.
/// couplings[j] belongs to cells j - 1 and j. Beyond the ends values are 0, with couplings 0 and `cells`. Cyclic lines
/// continue at the other end; the coupling is the last one, and couplings[0] equals it.
template <class Real>
struct LaneDifferences {
  std::int64_t cells;
  const Real* couplings;  ///< cells + 1 entries; positive between cells, not negative beyond the ends
  const Real* widths;     ///< of cells; in compact lines the sums of before, middle and after
  bool cyclic;
  const LaneCompact<Real>* compact = nullptr;
  const Real* given[2] = {};  ///< values at the walls of compact lines, `width` reals per lane; null: 0
};

/// How a block of lines lies to an axis: its lines are along the axis, its lanes are (lines across it), or neither.
/// any: whatever the lanes are, all tables of the axis have a number for each of them.
enum class LinesAt { along, across, beside, any, none };

/// The waves of the values at the ends of an axis. They add given / (sines + scales squares) to each mode, and nothing
/// if the divisor is 0. `sines` and `scales` have the numbers of the axis' own modes: those of all modes of the lines
/// (along), else of the first line and, across, of its neighbours. `squares` and `given` have those of the other axes'
/// modes: of all lanes (along), of all modes of the lines (across), or of all lanes for each mode of the lines in turn.
template <class Real>
struct LaneWaveAxis {
  LinesAt lines = LinesAt::none;
  const Real* squares = nullptr;
  const Real* sines = nullptr;
  const Real* scales = nullptr;
  std::int64_t step = 0;  ///< beside: reals from one mode of the lines to the next in squares and given
  /// [real or imaginary part][parity]: even and odd modes along the axis, counted from the first one in the lines or
  /// lanes, have numbers of their own. Both are one table if neither lie along the axis.
  const Real* given[2][2] = {};
};

/// The waves of up to three axes in the modes of lines. The divisors of all axes are 0 in the same mode, if any.
template <class Real>
struct LaneWaves {
  std::int64_t modes;  ///< of a line
  int count = 0;       ///< of axes: 1 to 3
  LaneWaveAxis<Real> axes[3] = {};
};

/// Chebyshev lines: coefficients 0 .. N of polynomials on the points cos(pi j / N), from 1 down to -1. The conditions
/// at these ends are value[end] u + slope[end] du/dn = given[end] with n pointing outwards; value and slope are not
/// negative.
template <class Real>
struct LaneChebyshev {
  std::int64_t intervals;     ///< N >= 2
  const Real *lower, *upper;  ///< 1/(4k(k-1)) and 1/(4k(k+1)) for k = 2 .. N, at their index k
  Real value[2], slope[2];
  const Real* given[2] = {};  ///< one number of `width` reals per lane; null: 0
};

template <class Real>
struct DenseKernels;

template <class Real>
struct LaneKernels {
  const char* isa;
  int lanes;  ///< L
  void (*load)(const LineCopy<Real>& copy, Real* block);
  void (*store)(const LineCopy<Real>& copy, const Real* block, Real scale);
  /// Makes streamed stores visible to other threads; called by the thread that stored.
  void (*fence)();
  void (*transpose)(const MatrixCopy<Real>& copy);
  /// Copies `count` contiguous reals with streaming stores. `prefetch_distance`: distance in reals to the data needed
  /// next.
  void (*stream)(const Real* from, Real* to, std::int64_t count, std::ptrdiff_t prefetch_distance);
  /// Multiplies the modes of a block of `width` reals per element by their factors; complex ones need two.
  void (*multiply)(const LineFactors<Real>& factors, std::int64_t modes, int width, Real* block);
  void (*multiply_by_roots)(const RootProduct<Real>& product);
  void (*combine_mirrored)(const MirroredNumbers<Real>& numbers);
  /// Adds 0 times each of `reals` >= L reals of lines to the L reals of `sum`, which become NaN if one is not finite.
  void (*mark_non_finite)(Real* const* lines, int count, std::int64_t reals, Real* sum);
  /// Solves for u, given f,
  ///   couplings[j+1] (u[j+1] - u[j]) - couplings[j] (u[j] - u[j-1]) - widths[j] shift u[j] = widths[j] f[j],
  /// or its compact form, in a block of `width` reals per element. `shift` has one number per lane, not negative. If it
  /// is 0 and nothing fixes u at the ends, the last u is 0, and the last equation holds if the right-hand sides of all
  /// rows add up to 0. Each part of the scratch holds `cells` reals per lane.
  void (*solve_differences)(const LaneDifferences<Real>& lines, const Real* shift, int width, Real* block,
                            LaneScratch<Real> scratch);
  /// Multiplies the modes of a block with `width` reals per element by their factors, unless null, and adds waves.
  void (*add_waves)(const LaneWaves<Real>& waves, const LineFactors<Real>* factors, int width, Real* block);
  /// Computes the dct1 of u from that of f, where u'' - shift u = f, by the tau method, in a block of `width` reals
  /// per element; u is scaled by 2 N. If a constant is free (both values and the shift are 0), a constant is subtracted
  /// from f so that the slopes at the ends are possible, and u has mean 0. Each part of the scratch holds N + 1
  /// elements.
  void (*solve_chebyshev)(const LaneChebyshev<Real>& lines, const Real* shift, int width, Real* block,
                          LaneScratch<Real> scratch);
  const DenseKernels<Real>* dense;  ///< products with dense matrices (dense_kernels.hpp)

  // Line transforms; null if the instruction set has none.
  /// `in` and `out` are aligned lane blocks that do not overlap; both are work space. LaneDftTables gives the size of
  /// the scratch. Returns `out`, which holds the result unless points.to does.
  Real* (*c2c)(const LaneDft<Real>& plan, const LanePoints<Real>& points, Real* in, Real* out,
               LaneScratch<Real> scratch) = nullptr;
  /// As c2c; each part of the scratch holds 2 complex.n reals per lane, then the scratch of the complex transform. Only
  /// r2c takes points in memory, of one real each, and only for an even number of points without prime factors over 13.
  Real* (*real)(const LaneRealPlan<Real>& plan, const LanePoints<Real>& points, Real* in, Real* out,
                LaneScratch<Real> scratch) = nullptr;
  /// `work` is a lane block.
  void (*lines)(const LaneLinePlan<Real>& plan, const LaneLines<Real>& lines, Real* work) = nullptr;
  /// Real lines to modes 0 .. n, or back, with the tables of that direction. Modes 0 .. n - 1 are contiguous, mode n of
  /// each line is at `last`. Forward does not stream.
  void (*real_lines)(const LaneRealLinePlan<Real>& plan, const LaneLines<Real>& lines, Real* const* last,
                     Real* work) = nullptr;
  /// Forward transform, product with factors, unscaled backward transform, from points.from or the block to points.to
  /// or the block. Modes are multiplied in the order of computation, never sorted. No primes over 13, no radix 16.
  void (*convolve)(const LanePlan<Real>& plan, const LanePoints<Real>& points, const LineFactors<Real>& factors,
                   Real* block) = nullptr;

  bool transforms_lines() const { return c2c != nullptr; }
};

// Files compiled for an instruction set see its own tables. All others get them from chosen_kernels.hpp.
#ifdef WEFT_ISA
namespace WEFT_ISA {
extern const LaneKernels<double> kernels_double;
extern const LaneKernels<float> kernels_float;
}  // namespace WEFT_ISA
#endif

}  // namespace weft
