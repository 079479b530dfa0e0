// Plan: forward and backward transforms of a distributed array with any mix of kinds per axis.
#pragma once

#include <complex>
#include <memory>
#include <string>
#include <type_traits>
#include <vector>

#include "weft/comm.hpp"
#include "weft/field.hpp"
#include "weft/kind.hpp"
#include "weft/layout.hpp"
#include "weft/options.hpp"

namespace weft {

/// A rank's parts of the global arrays if they differ from those of the plan: any boxes that tile the array. A box
/// without axes (on every rank) leaves the distribution of that array to the plan.
struct PlanBoxes {
  Box physical, spectral;
};

/// A transform of a global array of `shape` (C order: the last axis is contiguous, as by default in numpy) that is
/// distributed over the ranks of a communicator.
///
/// Kinds: one name for all axes ("r2c" alone means r2c on the last axis and c2c on the others, as in numpy's rfftn) or
/// one per axis. For real data the real-to-real kinds act first, then at most one r2c, then c2c on the complex data;
/// within these groups the last axis comes first. For complex data (a c2c, no r2c) real-to-real kinds act on the real
/// and the imaginary part. `none` does not transform an axis.
///
/// Scaling: forward is unscaled and backward divides (Norm::backward), so that backward(forward(u)) == u.
/// Input arrays are preserved. Results never alias memory of the plan.
///
/// A single axis of 32768 points or more, c2c or r2c with all its modes, is transformed by all ranks as a matrix, or,
/// if its length has a large prime factor, as a convolution of such lines (Bailey 1990; Bluestein 1970). Shorter lines,
/// other kinds, truncated lines and in-place lines lie on one rank.
///
/// A plan with PlanOptions::in_place works on in_place_field() alone. Points and modes share one memory of about the
/// size of one real array. If all ranks share a node, nothing is copied between them, and the points of a rank overlap
/// modes of other ranks: store new points only after all ranks have used the modes of the last forward (MPI_Barrier, if
/// there is no backward or apply in between), and new modes likewise.
template <class Real>
class Plan {
 public:
  using Complex = std::complex<Real>;
  /// The factors of a rank's modes, one real or complex factor each.
  struct Symbol {
    const Real* data = nullptr;
    Extents strides;          ///< factors from one local mode to the next, per axis; 0 repeats a factor along an axis
    bool is_complex = false;  ///< factors are pairs of Real, which needs complex modes
  };

  /// Collective over `comm`. Throws the same Error on every rank, before any work, if an argument is not allowed or
  /// differs between ranks.
  Plan(MPI_Comm comm, const Extents& shape, const std::vector<Kind>& kinds, const PlanOptions& options = {});
  Plan(MPI_Comm comm, const Extents& shape, Kind kind, const PlanOptions& options = {});
  /// A plan for arrays in a given distribution, with boxes that differ between ranks. If they are those of the plan on
  /// every rank nothing is moved, otherwise the data are redistributed at the start or the end. Boxes do not include
  /// ghost layers; strides step over them.
  Plan(MPI_Comm comm, const Extents& shape, const std::vector<Kind>& kinds, const PlanBoxes& boxes,
       const PlanOptions& options = {});
  ~Plan();
  Plan(Plan&&) noexcept;
  Plan& operator=(Plan&&) noexcept;

  /// The distribution of the arrays over the ranks that transform, from which users' boxes may differ.
  const Layout& physical_layout() const;
  const Layout& spectral_layout() const;
  /// The part of the global array that this rank owns, which may be empty.
  Box physical_box() const;
  Box spectral_box() const;
  /// Whether elements are complex. Arrays are contiguous in C order and have the extents of the box.
  bool physical_complex() const;
  bool spectral_complex() const;

  /// New fields of zeros with coordinates, or with wavenumbers and weights. T is Real or Complex. Throws
  /// Error if the points, or the modes, of this plan have another type.
  template <class T = Real>
  Field<T> physical() const {
    return {checked<T>(physical_box(), physical_complex()), points()};
  }
  template <class T = Complex>
  Field<T> spectral() const {
    return {checked<T>(spectral_box(), spectral_complex()), modes()};
  }
  /// New fields of zeros with padded rows and planes, which begin on cache lines unless rows are short. Large
  /// transforms of lengths like n/2+1 are faster by a fifth with them. Arrays of at most 1 MB have no padding: with it
  /// transforms in a cache are slower.
  template <class T = Complex>
  PaddedField<T> padded_spectral() const {
    const Extents extents = checked<T>(spectral_box(), spectral_complex()).extents(),
                  strides = padded(extents, is_complex<T>);
    auto values = std::make_shared<AlignedVector<T>>(static_cast<std::size_t>(span(extents, strides)));
    T* data = values->data();
    return {{spectral_box(), modes(), data, strides}, std::move(values)};
  }
  /// A new field of zeros with points and modes in one memory, for a plan in place. Collective.
  template <class In = Real, class Out = Complex>
  InPlaceField<In, Out, Real> in_place_field() {
    const Box physical = checked<In>(physical_box(), physical_complex());
    const Box spectral = checked<Out>(spectral_box(), spectral_complex());
    const auto memory = make_memory();
    const Arrays arrays = arrays_in(*memory);
    return {{physical, points(), reinterpret_cast<In*>(arrays.physical), arrays.physical_strides},
            {spectral, modes(), reinterpret_cast<Out*>(arrays.spectral), arrays.spectral_strides},
            memory};
  }
  /// New local arrays of zeros as plain vectors of Real (two per complex element).
  std::vector<Real> physical_field() const;
  std::vector<Real> spectral_field() const;

  /// Collective: every rank calls the same overload, with strides or without. `in` and `out` are local arrays as
  /// described by the boxes. Complex arrays are passed as pairs of Real.
  /// Either the arrays do not overlap, and `in` is preserved, or they begin at the same address, and the result
  /// overwrites the input. The latter is always possible if the plan exchanges data. If it does not (all in one pass,
  /// as explain() shows), both arrays need the same strides in reals along all axes but the last, such as those of rows
  /// of 2 (n/2 + 1) reals and n/2 + 1 complex numbers, and an r2c on the last axis. A plan of one or two axes on one
  /// rank takes any strides.
  void forward(const Real* in, Real* out);
  void backward(const Real* in, Real* out);
  /// Transforms arrays with padding. `strides` are elements from one index to the next, per axis; the stride of the
  /// last axis is 1. Throws Error on every rank if the arrays overlap in a way that is not allowed.
  void forward(const Real* in, const Extents& in_strides, Real* out, const Extents& out_strides);
  void backward(const Real* in, const Extents& in_strides, Real* out, const Extents& out_strides);
  /// Transforms whole vectors, whose sizes are checked on every rank before any work.
  void forward(const std::vector<Real>& in, std::vector<Real>& out);
  void backward(const std::vector<Real>& in, std::vector<Real>& out);
  /// Transforms fields.
  template <class In, class Out>
  void forward(const Field<In>& in, Field<Out>& out) {
    check_sizes(Direction::forward, reals_in(in), reals_in(out));
    forward(reinterpret_cast<const Real*>(in.data()), reinterpret_cast<Real*>(out.data()));
  }
  template <class In, class Out>
  void backward(const Field<In>& in, Field<Out>& out) {
    check_sizes(Direction::backward, reals_in(in), reals_in(out));
    backward(reinterpret_cast<const Real*>(in.data()), reinterpret_cast<Real*>(out.data()));
  }

  /// Transforms views of arrays with padding.
  template <class In, class Out>
  void forward(const FieldView<In>& in, const FieldView<Out>& out) {
    check_views(Direction::forward, in.box(), is_complex<In>, out.box(), is_complex<Out>);
    forward(reinterpret_cast<const Real*>(in.data()), in.strides(), reinterpret_cast<Real*>(out.data()), out.strides());
  }
  template <class In, class Out>
  void backward(const FieldView<In>& in, const FieldView<Out>& out) {
    check_views(Direction::backward, in.box(), is_complex<In>, out.box(), is_complex<Out>);
    backward(reinterpret_cast<const Real*>(in.data()), in.strides(), reinterpret_cast<Real*>(out.data()),
             out.strides());
  }
  /// Transforms fields of in_place_field(). Throws Error for a field of a plan of another shape or distribution.
  template <class In, class Out>
  void forward(const InPlaceField<In, Out, Real>& field) {
    transform(Direction::forward, *field.memory);
  }
  template <class In, class Out>
  void backward(const InPlaceField<In, Out, Real>& field) {
    transform(Direction::backward, *field.memory);
  }

  /// Computes backward(symbol * forward(in)), the convolution with a kernel, without storing the spectrum, which saves
  /// writing and reading the array once. Collective. `out` may be `in`.
  void apply(const Real* in, Real* out, const Symbol& symbol);
  template <class T, class S>
  void apply(const Field<T>& in, Field<T>& out, const Field<S>& symbol) {
    check_apply(reals_in(in), reals_in(out), symbol.size());
    apply(reinterpret_cast<const Real*>(in.data()), reinterpret_cast<Real*>(out.data()), factors(symbol));
  }
  template <class In, class Out, class S>
  void apply(const InPlaceField<In, Out, Real>& field, const Field<S>& symbol) {
    check_factors(symbol.size());
    apply(field, factors(symbol));
  }
  template <class In, class Out>
  void apply(const InPlaceField<In, Out, Real>& field, const Symbol& symbol) {
    convolve(*field.memory, symbol);
  }

  /// The cyclic convolution of two fields, out_i = sum over j of a_j b_(i-j), and their cross-correlation, out_i = sum
  /// over j of conj(a_j) b_(j+i), indices modulo the points of each transformed axis. Neither depends on the norm.
  /// The plan keeps memory for one spectrum. Collective. `out` may be `a` or `b`. Every axis is c2c, r2c or none; along
  /// axes of kind none each index is a separate problem. With PlanOptions::modes only the modes kept enter.
  void convolve(const Real* a, const Real* b, Real* out);
  void correlate(const Real* a, const Real* b, Real* out);
  template <class T>
  void convolve(const Field<T>& a, const Field<T>& b, Field<T>& out) {
    check_three(Direction::forward, reals_in(a), reals_in(b), reals_in(out));
    convolve(reinterpret_cast<const Real*>(a.data()), reinterpret_cast<const Real*>(b.data()),
             reinterpret_cast<Real*>(out.data()));
  }
  template <class T>
  void correlate(const Field<T>& a, const Field<T>& b, Field<T>& out) {
    check_three(Direction::forward, reals_in(a), reals_in(b), reals_in(out));
    correlate(reinterpret_cast<const Real*>(a.data()), reinterpret_cast<const Real*>(b.data()),
              reinterpret_cast<Real*>(out.data()));
  }

  /// The linear convolution, out_i = sum over j of a_j b_(i+o-j), and cross-correlation, out_i = sum over j of
  /// conj(a_j) b_(j+i-o), with fields that are 0 outside their points. Of the 2n - 1 sums along an axis of n points,
  /// `out` has the n from the origin o on, o = 0 to n - 1: the causal ones for o = 0, the middle ones (scipy's "same")
  /// for o = (n - 1) / 2, or n / 2 for a correlation. Axes of kind none have origin 0. Fields are padded inside the
  /// passes, to max(o + n, 2n - 1 - o) points or a few more, and no spectrum is stored: see workspace_bytes(). Not
  /// possible for fields of 6 axes; PlanOptions::modes has no effect. In all else like the cyclic ones. The first call
  /// makes plans, which are kept for calls with the same origin.
  void convolve(const Real* a, const Real* b, Real* out, const Extents& origin);
  void correlate(const Real* a, const Real* b, Real* out, const Extents& origin);
  template <class T>
  void convolve(const Field<T>& a, const Field<T>& b, Field<T>& out, const Extents& origin) {
    check_three(Direction::forward, reals_in(a), reals_in(b), reals_in(out));
    convolve(reinterpret_cast<const Real*>(a.data()), reinterpret_cast<const Real*>(b.data()),
             reinterpret_cast<Real*>(out.data()), origin);
  }
  template <class T>
  void correlate(const Field<T>& a, const Field<T>& b, Field<T>& out, const Extents& origin) {
    check_three(Direction::forward, reals_in(a), reals_in(b), reals_in(out));
    correlate(reinterpret_cast<const Real*>(a.data()), reinterpret_cast<const Real*>(b.data()),
              reinterpret_cast<Real*>(out.data()), origin);
  }

  /// The modes of the product of two fields from their modes, without aliasing: both are transformed to a finer grid
  /// (the 3/2 rule) and multiplied there, and the product is transformed back and truncated to the modes of the plan.
  /// a, b and out are modes as forward gives them, for any norm; `out` may be `a` or `b`. The finer grid has more than
  /// three times the largest wavenumber of an axis, so that the mode n/2 is right, too. Only parts of it exist at a
  /// time; the plan keeps the exchange buffers of both fields. Collective. Every axis is c2c, r2c, dct1, dct2 or none,
  /// whose products are waves of the same kind.
  void product(const Real* a, const Real* b, Real* out);
  template <class T>
  void product(const Field<T>& a, const Field<T>& b, Field<T>& out) {
    check_three(Direction::backward, reals_in(a), reals_in(b), reals_in(out));
    product(reinterpret_cast<const Real*>(a.data()), reinterpret_cast<const Real*>(b.data()),
            reinterpret_cast<Real*>(out.data()));
  }

  /// Mode numbers of this rank's modes along an axis: integers (c2c and r2c: in units of 2 pi / L, signed; cosine and
  /// sine kinds: pi / L, half-integers for types III and IV). Physical wavenumbers are these times the unit.
  std::vector<double> wavenumbers(int axis) const;
  /// The weight of each of this rank's modes along an axis in a sum over the whole spectrum (2 for the doubled modes of
  /// r2c, else 1).
  std::vector<double> weights(int axis) const;
  /// Coordinates of this rank's points along an axis of length 2 pi (c2c, r2c, none) or pi (cosine and sine kinds).
  std::vector<double> coordinates(int axis) const;

  /// A text with every step: its lines, bytes, flops and the time of the last run. Not collective.
  std::string explain() const;
  /// The exchange strategy in use: "shared", "alltoallv", "none", or several joined by +.
  std::string strategy() const;
  int threads() const;
  /// The ranks per process axis, first to last.
  std::vector<int> grid() const;
  /// The number of parts of each exchange.
  int chunks() const;
  /// Bytes that this rank's plan holds beyond the caller's arrays.
  index_t workspace_bytes() const;
  /// Bytes that this rank sends in one direction.
  index_t bytes_sent() const;

 private:
  template <class T>
  static constexpr bool is_complex = std::is_same_v<T, Complex>;
  template <class T>
  static std::size_t reals_in(const Field<T>& field) {
    static_assert(is_complex<T> || std::is_same_v<T, Real>,
                  "fields of a plan hold its real type or std::complex of it");
    return field.size() * (is_complex<T> ? 2 : 1);
  }
  template <class T>
  static Box checked(Box box, bool is_complex_side) {
    require(is_complex<T> == is_complex_side, std::string("T: this side of the plan is ") +
                                                  (is_complex_side ? "complex" : "real") + "; ask for a field of that");
    return box;
  }
  template <class S>
  Symbol factors(const Field<S>& symbol) const {
    static_assert(is_complex<S> || std::is_same_v<S, Real>, "a symbol holds the real type or std::complex of it");
    return {reinterpret_cast<const Real*>(symbol.data()), c_strides(spectral_box().extents()), is_complex<S>};
  }
  // Strides in elements of an array with padding, and its size in elements.
  static Extents padded(const Extents& extents, bool is_complex_array);
  static index_t span(const Extents& extents, const Extents& strides);
  void check_views(Direction direction, const Box& in, bool in_complex, const Box& out, bool out_complex) const;
  std::shared_ptr<const AxisPlaces> points() const;
  std::shared_ptr<const AxisPlaces> modes() const;

  // The addresses of points and modes, with strides in elements.
  struct Arrays {
    Real *physical, *spectral;
    Extents physical_strides, spectral_strides;
  };
  Arrays arrays_in(const InPlaceMemory<Real>& memory) const;
  std::shared_ptr<const InPlaceMemory<Real>> make_memory() const;
  void transform(Direction direction, const InPlaceMemory<Real>& memory);
  void convolve(const InPlaceMemory<Real>& memory, const Symbol& symbol);
  void check_memory(const InPlaceMemory<Real>& memory) const;
  void check_apply(std::size_t in, std::size_t out, std::size_t symbol) const;
  void check_factors(std::size_t symbol) const;
  void check_three(Direction side, std::size_t a, std::size_t b, std::size_t out) const;
  void check_size(const char* name, std::size_t given, Direction side) const;
  void check_sizes(Direction direction, std::size_t in, std::size_t out) const;

  struct State;
  std::unique_ptr<State> state_;
};

extern template class Plan<float>;
extern template class Plan<double>;

}  // namespace weft
