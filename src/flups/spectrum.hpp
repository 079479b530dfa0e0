// The modes of fields, for programs that solve in parts: transforms, and the factors of modes.
#pragma once

#include <array>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "base/buffer.hpp"
#include "flups/problem.hpp"
#include "plan/run/bordered_pipeline.hpp"
#include "poisson/field_space.hpp"

namespace weft::flups {

/// Per direction: the wavenumber of mode i is (i + offset) factor; the modes after `symmetry` have negative
/// wavenumbers; 0 if there are none.
struct SpectralInfo {
  std::array<double, 3> factor{}, offset{}, symmetry{};
};

/// The distributions of points and modes of a problem. Pure arithmetic.
struct Layouts {
  Layout points, modes;
  bool is_complex;  ///< the modes
};
Layouts layouts_of(const Problem& problem, const PlanOptions& options);

/// Plans and factors are made when they are first needed. Modes of all components are stored by wavenumber,
/// [component][axis] in C order, as in the solvers of vector fields.
class Spectrum {
 public:
  Spectrum(const Comm& comm, const Problem& problem, const Kernel& kernel, FLUPS_DiffType derivative,
           const PlanOptions& options);

  /// Not collective.
  SpectralInfo info() const;
  /// In `data`, whose points are those of `fields`. Collective.
  void transform(double* data, int sign, const Topology& fields);
  /// Collective.
  void multiply(double* data, FLUPS_SolverType type);

 private:
  /// The kernel at this rank's modes: the offset of a mode's factor is the sum of the offsets of its indices.
  struct Factors {
    Buffer<double> values;
    std::vector<std::vector<index_t>> places;
  };
  /// a(w) of each mode, by axis.
  using Derivatives = std::vector<std::vector<double>>;

  BorderedPipeline<double>& pipeline(const FieldSpace& space, const Topology& fields);
  void check_alike() const;
  const Factors& factors();
  const Derivatives& derivatives();
  void multiply_components(double* data);
  void multiply_curl(double* data);

  Comm comm_;
  Problem problem_;
  Kernel kernel_;
  FLUPS_DiffType derivative_;
  PlanOptions options_;
  std::vector<DomainAxis> even_axes_;  ///< with the modes that all components share
  Schedule modes_;                     ///< of one component
  int slab_;
  std::map<std::string, std::unique_ptr<BorderedPipeline<double>>> pipelines_;
  std::unique_ptr<Factors> factors_;
  std::unique_ptr<Derivatives> derivatives_;
  AlignedVector<double> staged_;
};

}  // namespace weft::flups
