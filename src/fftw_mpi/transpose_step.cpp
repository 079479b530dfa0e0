// Transposes of FFTW's MPI interface by a redistribution.
#include <algorithm>

#include "fftw_mpi/step.hpp"
#include "weft/error.hpp"
#include "weft/memory.hpp"
#include "weft/redistribution.hpp"

namespace weft::fftw_mpi {

namespace {

Box rows_of(const Transpose& what, int rank) {
  Box box(Extents{what.n0, what.n1});
  box[0] = block_of(what.n0, what.block0, rank);
  return box;
}

Box columns_of(const Transpose& what, int rank) {
  Box box(Extents{what.n0, what.n1});
  box[1] = block_of(what.n1, what.block1, rank);
  return box;
}

template <class Real>
class TransposeStep : public Step<Real> {
 public:
  TransposeStep(MPI_Comm comm, const Transpose& what, const Planning& planning)
      : TransposeStep(comm, what, Comm(comm).rank(), planning) {}

  void run(const Real* in, Real* out) override {
    if (in == out) {
      std::copy_n(in, copy_.size(), copy_.data());
      in = copy_.data();
    }
    move_.forward(in, in_strides_, out, out_strides_);
  }
  void allocate() override { copy_.resize(reals_); }
  std::string strategy() const override { return move_.strategy(); }

 private:
  TransposeStep(MPI_Comm comm, const Transpose& what, int rank, const Planning& planning)
      : move_(comm, rows_of(what, rank), columns_of(what, rank), static_cast<std::size_t>(what.howmany) * sizeof(Real),
              moves_of(planning)),
        reals_(planning.in_place() ? static_cast<std::size_t>(move_.from().size() * what.howmany) : 0) {
    const index_t rows = move_.from()[0].size(), columns = move_.to()[1].size();
    in_strides_ = what.in_swapped ? Extents{1, rows} : Extents{what.n1, 1};
    out_strides_ = what.out_swapped ? Extents{columns, 1} : Extents{1, what.n0};
  }

  Redistribution move_;
  Extents in_strides_, out_strides_;
  std::size_t reals_;
  AlignedVector<Real> copy_;  // of the input of a transpose in place
};

}  // namespace

std::string to_string(const Transpose& transpose) {
  return weft::to_string(Extents{transpose.n0, transpose.n1}) + " transpose, tuples of " +
         std::to_string(transpose.howmany) + ", from rows in blocks of " + std::to_string(transpose.block0) +
         " to columns in blocks of " + std::to_string(transpose.block1);
}

void check(const Transpose& transpose, int ranks) {
  require(transpose.n0 >= 1 && transpose.n1 >= 1,
          "n0, n1 = " + std::to_string(transpose.n0) + ", " + std::to_string(transpose.n1) + "; give 1 or more each");
  require(transpose.howmany >= 1, "howmany = " + std::to_string(transpose.howmany) + "; give 1 or more");
  check_block("block0", transpose.block0, transpose.n0, ranks);
  check_block("block1", transpose.block1, transpose.n1, ranks);
}

template <class Real>
std::unique_ptr<Step<Real>> transpose_step(MPI_Comm comm, const Transpose& what, const Planning& planning) {
  return std::make_unique<TransposeStep<Real>>(comm, what, planning);
}

template std::unique_ptr<Step<float>> transpose_step(MPI_Comm, const Transpose&, const Planning&);
template std::unique_ptr<Step<double>> transpose_step(MPI_Comm, const Transpose&, const Planning&);

}  // namespace weft::fftw_mpi
