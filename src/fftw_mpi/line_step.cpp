// One long complex transform over all ranks, as a matrix of rows x columns points (the "six-step" algorithm; Bailey,
// FFTs in external or hierarchical memory, 1990): the columns, the roots of unity, the rows.
//   point j = j1 columns + j2,  mode k = k1 + rows k2,
//   X_k = sum over j2 of w_columns^(j2 k2) [ w_n^(j2 k1) sum over j1 of w_rows^(j1 k1) x_j ],  w_m = exp(-2 pi i / m)
#include <algorithm>
#include <cmath>
#include <complex>
#include <vector>

#include "base/threads.hpp"
#include "fftw_mpi/step.hpp"
#include "transform/engine/roots.hpp"
#include "weft/memory.hpp"
#include "weft/plan.hpp"

namespace weft::fftw_mpi {

namespace {

constexpr index_t tile = 16;  // points of a side of the squares that are transposed: 4 or 8 cache lines

// exp(-2 pi i p / n) as the product of one of some coarse and one of some fine roots.
template <class Real>
class Roots {
 public:
  using Complex = std::complex<Real>;
  explicit Roots(index_t n) : n_(n) {
    while (step_ * step_ < n) step_ *= 2;
    std::vector<Real> numbers;
    for (index_t p = 0; p < step_; p++) push_root(numbers, std::min(p, n), n);
    for (index_t p = 0; p < n; p += step_) push_root(numbers, p, n);
    table_.resize(numbers.size() / 2);
    for (std::size_t i = 0; i < table_.size(); i++) table_[i] = {numbers[2 * i], numbers[2 * i + 1]};
  }
  // The power j k of the root, 0 <= j k < n.
  Complex operator()(index_t j, index_t k) const {
    const index_t power = j * k;
    return product(table_[static_cast<std::size_t>(step_ + power / step_)],
                   table_[static_cast<std::size_t>(power % step_)]);
  }
  // Without the operator's search for NaN.
  static Complex product(Complex a, Complex b) {
    return {a.real() * b.real() - a.imag() * b.imag(), a.real() * b.imag() + a.imag() * b.real()};
  }

 private:
  index_t n_, step_ = 1;
  std::vector<Complex> table_;
};

template <class Real>
class LineStep : public Step<Real> {
 public:
  using Complex = std::complex<Real>;
  LineStep(MPI_Comm comm, index_t n, int sign, Order modes, const Planning& planning)
      : LineStep(comm, line_shape(n), sign, modes, planning, Comm(comm).size(), Comm(comm).rank()) {}

  void run(const Real* in, Real* out) override {
    if (forward_) {
      columns_.forward(in, standing_.data());
      turn(Side::columns);
      rows_.forward(lying_.data(), out);
    } else {
      rows_.backward(in, lying_.data());
      turn(Side::rows);
      columns_.backward(standing_.data(), out);
    }
  }
  void allocate() override {
    standing_.resize(static_cast<std::size_t>(2 * shape_.rows * mine_.size()));
    lying_.resize(standing_.size());
  }
  std::string strategy() const override { return "rows and columns of a matrix"; }

 private:
  enum class Side { columns, rows };

  LineStep(MPI_Comm comm, const LineShape& shape, int sign, Order modes, const Planning& planning, int ranks, int rank)
      : shape_(shape),
        mine_(block_of(shape.columns, default_block(shape.columns, ranks), rank)),
        forward_(sign == FFTW_FORWARD),
        threads_(planning.threads),
        columns_(comm, {shape.rows, shape.columns}, {Kind::c2c, Kind::none},
                 {cut({shape.rows, shape.columns}, 0, ranks, rank), cut({shape.rows, shape.columns}, 1, ranks, rank)},
                 options_of(planning, forward_, ranks)),
        rows_(comm, {shape.columns, shape.rows}, {Kind::c2c, Kind::none},
              {cut({shape.columns, shape.rows}, 0, ranks, rank),
               cut({shape.columns, shape.rows}, modes == Order::natural ? 0 : 1, ranks, rank)},
              options_of(planning, forward_, ranks)),
        roots_(shape.rows * shape.columns) {}

  static Box cut(const Extents& extents, int axis, int ranks, int rank) {
    Box box(extents);
    box[axis] = block_of(extents[axis], default_block(extents[axis], ranks), rank);
    return box;
  }
  static PlanOptions options_of(const Planning& planning, bool forward, int ranks) {
    PlanOptions options;
    options.grid = {ranks};
    options.scheme = Scheme::block;
    options.norm = forward ? Norm::backward : Norm::forward;
    options.effort = planning.effort;
    options.threads = planning.threads;
    return options;
  }

  // Transposes this rank's columns and multiplies them by roots of unity: from the side of the columns to that of the
  // rows, or back with the conjugate roots.
  void turn(Side from) {
    const index_t tiles = (mine_.size() + tile - 1) / tile;
    on_threads(threads_, [&](int thread) {
      for (index_t t = tiles * thread / threads_; t < tiles * (thread + 1) / threads_; t++) turn_tiles(from, t * tile);
    });
  }
  void turn_tiles(Side from, index_t first) {
    const index_t last = std::min(first + tile, mine_.size()), rows = shape_.rows, columns = mine_.size();
    auto* standing = reinterpret_cast<Complex*>(standing_.data());
    auto* lying = reinterpret_cast<Complex*>(lying_.data());
    for (index_t top = 0; top < rows; top += tile) {
      const index_t count = std::min(tile, rows - top);
      for (index_t column = first; column < last; column++) {
        Complex roots[tile];
        for (index_t i = 0; i < count; i++) roots[i] = roots_(mine_.lo + column, top + i);
        Complex *upright = standing + top * columns + column, *flat = lying + column * rows + top;
        if (from == Side::columns) {
          for (index_t i = 0; i < count; i++) flat[i] = Roots<Real>::product(upright[i * columns], roots[i]);
        } else {
          for (index_t i = 0; i < count; i++) upright[i * columns] = Roots<Real>::product(flat[i], std::conj(roots[i]));
        }
      }
    }
  }

  LineShape shape_;
  Range mine_;  // this rank's columns between the two transforms
  bool forward_;
  int threads_;
  Plan<Real> columns_, rows_;
  Roots<Real> roots_;
  AlignedVector<Real> standing_, lying_;  // rows x columns, and its transpose
};

}  // namespace

LineShape line_shape(index_t n) {
  for (auto rows = static_cast<index_t>(std::sqrt(static_cast<double>(n))); rows > 1; rows--)
    if (n % rows == 0) return {rows, n / rows};
  return {1, n};
}

template <class Real>
std::unique_ptr<Step<Real>> line_step(MPI_Comm comm, index_t n, int sign, Order modes, const Planning& planning) {
  return std::make_unique<LineStep<Real>>(comm, n, sign, modes, planning);
}

template std::unique_ptr<Step<float>> line_step(MPI_Comm, index_t, int, Order, const Planning&);
template std::unique_ptr<Step<double>> line_step(MPI_Comm, index_t, int, Order, const Planning&);

}  // namespace weft::fftw_mpi
