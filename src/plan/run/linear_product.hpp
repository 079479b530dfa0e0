// Convolutions and cross-correlations that do not wrap around: fields are padded with zeros inside the passes.
#pragma once

#include <array>
#include <memory>
#include <vector>

#include "plan/run/border.hpp"
#include "plan/run/pipeline.hpp"
#include "weft/plan.hpp"

namespace weft {

/// Products of two spectra; a correlation takes the conjugate of the first.
enum class Product { convolution, correlation };

/// The fields of a plan: their shape and kinds, and this rank's points.
struct ProductFields {
  Extents shape;
  std::vector<Kind> kinds;
  int width;  ///< reals per point
  Box points;
  ProcessGrid grid;  ///< of the plan; used if all ranks transform
};

/// out_i = sum over j of a_j b_(i+o-j), or of conj(a_j) b_(j+i-o), with origin o and zeros outside the fields. Both
/// fields are transformed together. The passes along the last axis, or the last two, multiply them and transform the
/// product backward, so that no spectrum is stored, and only the padding of the first axis.
template <class Real>
class LinearProduct {
 public:
  /// Collective. Throws Error for an origin outside the fields, and for kinds whose modes have no convolution.
  LinearProduct(const Comm& comm, const ProductFields& fields, Product product, const Extents& origin,
                const PlanOptions& options);

  const Extents& origin() const { return origin_; }
  /// `out` may be `a` or `b`. Collective.
  void run(const Real* a, const Real* b, Real* out);
  index_t workspace_bytes() const;

 private:
  Extents origin_;
  Product product_;
  Real scale_ = 1;
  std::unique_ptr<Pipeline<Real>> forward_, backward_;  // of both fields, and of the result
  std::array<std::unique_ptr<Border<Real>>, 2> borders_;
};

/// Throws Error unless every axis has a kind whose modes have convolutions.
void check_product_kinds(const std::vector<Kind>& kinds);
/// The length of an axis for linear sums of n points from `origin` on, onto which no other sums are wrapped: a number
/// with fast transforms.
index_t linear_length(index_t n, index_t origin);

}  // namespace weft
