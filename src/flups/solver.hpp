// A solver of FLUPS's interface: its arguments, and the solvers of Weft that do its work.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "flups/problem.hpp"
#include "flups/spectrum.hpp"
#include "flups/transfer.hpp"

namespace weft::flups {

class Solver {
 public:
  /// Throws Error. Not collective.
  Solver(const Topology& user, Conditions bc, const double h[3], const double length[3], FLUPS_DiffType derivative,
         const FLUPS_CenterType centre[3]);

  MPI_Comm comm() const { return user_.comm(); }
  void set_kernel(FLUPS_GreenType type);
  void set_alpha(double alpha);
  /// Collective, like all that follows unless it says otherwise. Throws the same Error on every rank.
  void setup();
  /// `field` may be `rhs`.
  void solve(double* field, const double* rhs, FLUPS_SolverType type);

  /// Not collective. The topologies belong to the solver.
  Topology* points() { return &set_up().points; }
  Topology* modes() { return &set_up().modes; }
  SpectralInfo spectral_info() { return set_up().spectrum.info(); }
  std::size_t buffer_doubles();
  double* buffer();
  void skip_first_move();
  void copy(const Topology& topology, double* data, int sign);

  void transform(double* data, int sign);
  void multiply(double* data, FLUPS_SolverType type);

  /// The explanation, in lines.
  std::string explain();
  /// The number of solves, and the seconds of the fastest.
  std::string times() const;

 private:
  /// A solver of one component, of several with the same conditions, or of a vector field, and the transfer to its
  /// arrays.
  template <class Of>
  struct Part {
    Of solver;
    std::vector<int> components{};         ///< of the program's field, which a vector field has
    std::unique_ptr<Transfer> transfer{};  ///< made when it is first needed
  };
  using Scalar = Part<Poisson<double>>;
  using Vector = Part<VectorPoisson<double>>;
  /// The objects that setup() makes.
  struct Setup {
    Comm comm;
    PlanOptions options;  ///< of all solvers: one distribution
    Topology points, modes;
    Spectrum spectrum;
    std::map<std::string, std::unique_ptr<Scalar>> scalars{};  ///< by conditions
    std::vector<std::unique_ptr<Vector>> vectors{};            ///< whose sum is the field; made together
    AlignedVector<double> buffer{};
  };

  Setup& set_up();
  void require_open(const char* argument) const;
  const Topology& fields() { return skips_ ? set_up().points : user_; }
  PlanOptions options_for(const Comm& comm) const;
  Scalar& scalar(int component);
  const std::vector<std::unique_ptr<Vector>>& vectors();
  template <class Of>
  Transfer& transfer_of(Part<Of>& part, std::vector<int> components);
  void solve_components(double* field, const double* rhs);
  void solve_curl(double* field, const double* rhs);
  void solve_curl(Vector& part, double* field, const double* rhs);

  Topology user_;
  Problem problem_;
  FLUPS_DiffType derivative_;
  Kernel kernel_ = "chat2";
  bool skips_ = false;
  std::unique_ptr<Setup> setup_;
  long solves_ = 0;
  double fastest_ = 0;
};

}  // namespace weft::flups
