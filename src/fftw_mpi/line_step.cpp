// Long complex lines of FFTW's MPI interface, which all ranks transform together.
#include "fftw_mpi/step.hpp"
#include "plan/line/line_transform.hpp"

namespace weft::fftw_mpi {

namespace {

template <class Real>
class LineStep : public Step<Real> {
 public:
  LineStep(MPI_Comm comm, const LongLine& line, Direction direction, const PlanOptions& options)
      : direction_(direction), line_(make_line<Real>(Comm(comm), line, options)) {}

  void run(const Real* in, Real* out) override { line_->transform(direction_, in, out, 1); }
  void allocate() override {}  // the line has its own buffers
  std::string strategy() const override { return "rows and columns of a matrix"; }

 private:
  Direction direction_;
  std::unique_ptr<LineTransform<Real>> line_;
};

}  // namespace

LongLine long_line(index_t n, LineOrder modes, int ranks) {
  return {.kind = Kind::c2c, .n = n, .order = modes, .scheme = Scheme::block, .ranks = ranks};
}

template <class Real>
std::unique_ptr<Step<Real>> line_step(MPI_Comm comm, const LongLine& line, int sign, const Planning& planning) {
  PlanOptions options;
  options.scheme = line.scheme;
  options.effort = planning.effort;
  options.threads = planning.threads;
  return std::make_unique<LineStep<Real>>(comm, line, sign == FFTW_FORWARD ? Direction::forward : Direction::backward,
                                          options);
}

template std::unique_ptr<Step<float>> line_step(MPI_Comm, const LongLine&, int, const Planning&);
template std::unique_ptr<Step<double>> line_step(MPI_Comm, const LongLine&, int, const Planning&);

}  // namespace weft::fftw_mpi
