// The 1-D transforms of an axis, and their effect on lengths, element types and wavenumbers.
#pragma once

#include <string>
#include <vector>

#include "weft/types.hpp"

namespace weft {

/// The transform of one axis of n points (definitions and scaling: FFTW's, and scipy's types I-IV):
///  none       the axis is only a batch axis
///  c2c        complex DFT, X_k = sum x_j exp(-2 pi i j k / n)
///  r2c        DFT of real data; the n/2+1 modes 0..n/2 are kept
///  dct1..4    REDFT00, REDFT10, REDFT01, REDFT11
///  dst1..4    RODFT00, RODFT10, RODFT01, RODFT11
enum class Kind { none, c2c, r2c, dct1, dct2, dct3, dct4, dst1, dst2, dst3, dst4 };

/// forward: points to modes; backward: modes to points.
enum class Direction { forward, backward };

/// The name of a kind: "r2c", "dct2", ...
std::string to_string(Kind kind);
/// The inverse of to_string. Throws an Error that names `argument` and lists the kinds.
Kind parse_kind(const std::string& text, const std::string& argument = "kinds");

/// All kinds in the order of the enumeration.
std::vector<Kind> all_kinds();

inline bool is_real_to_real(Kind kind) { return kind >= Kind::dct1; }
inline bool is_fourier(Kind kind) { return kind == Kind::c2c || kind == Kind::r2c; }
/// The kind of the unscaled inverse (dct2 <-> dct3, dst2 <-> dst3, the others are their own inverse).
Kind inverse(Kind kind);
/// Number of modes of a transform of n points.
index_t output_length(Kind kind, index_t n);
/// Smallest n for which the kind is defined (2 for dct1, else 1).
index_t smallest_length(Kind kind);
/// The factor of kind followed by inverse(kind): n, 2(n-1), 2n or 2(n+1).
double round_trip_factor(Kind kind, index_t n);
/// The coordinate of a point of an axis of n, on the length 2 pi (c2c, r2c, none) or pi (cosine and sine kinds).
double coordinate(Kind kind, index_t n, index_t point);
/// Mode number of the stored mode m of an axis of n points (0 for none), in units of 2 pi / L for c2c and r2c (signed,
/// numpy's fftfreq order) and of pi / L for the real-to-real kinds (half-integers for types III and IV).
double mode_number(Kind kind, index_t n, index_t mode);
/// The number of the first mode, rounded down: 1 for dst1 and dst2, which have no mode 0, else 0.
inline index_t lowest_mode(Kind kind) { return static_cast<index_t>(mode_number(kind, 1, 0)); }
/// The weight of a stored mode in a sum over the whole spectrum: 2 for the doubled modes of r2c, else 1.
double mode_weight(Kind kind, index_t n, index_t mode);

/// A stored point of a node-centred axis outside the transform, and the value that backward writes there.
struct EndPoint {
  index_t point;  ///< index of the stored point
  bool periodic;  ///< a copy of point 0 if true, else zero
  friend bool operator==(const EndPoint&, const EndPoint&) = default;
};

/// The transform of one axis: stored points -> transform of `length` points -> stored modes. Padding is implied: the
/// points first_point .. first_point+count lie at pad .. pad+count of the transform, and all others are zero.
struct AxisTransform {
  Kind kind = Kind::none;
  index_t points = 0;          ///< stored points of the user's axis
  index_t length = 0;          ///< points of the 1-D transform
  index_t first_point = 0;     ///< first stored point that is transformed
  index_t count = 0;           ///< stored points that are transformed
  index_t pad = 0;             ///< zeros in front of them in the transform
  index_t modes = 0;           ///< stored modes
  std::vector<EndPoint> ends;  ///< stored points outside the transform
  index_t kept = 0;            ///< the stored modes are those of a transform of so many points; 0: of `length`
  index_t first_mode = 0;      ///< where the first mode of the transform is stored; stored modes without one are zero

  /// Number of points of the transform that has exactly the stored modes.
  index_t kept_points() const { return kept == 0 ? length : kept; }
  bool is_truncated() const { return kept_points() < length; }
  /// Number of modes that the transform computes, stored from first_mode on.
  index_t made_modes() const { return output_length(kind, kept_points()); }
};

/// The transform of all n points of an axis. Throws Error if n is too small for the kind. The message names `axis`.
AxisTransform whole_axis(Kind kind, index_t n, int axis);
/// The transform with the modes of a transform of `kept` <= n points, 0 for all modes (see PlanOptions::modes). Throws
/// Error if `kept` is not allowed.
AxisTransform truncated_axis(Kind kind, index_t n, index_t kept, int axis);
/// Whether the last mode of a transform of n points stands for itself and its mirror image (n/2 and -n/2 of the Fourier
/// kinds with an even n, the last one of dct1 and dst2). Among the modes of a longer transform these are two.
bool has_folded_mode(Kind kind, index_t n);

}  // namespace weft
