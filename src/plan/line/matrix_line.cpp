// A long complex line as a matrix of rows x columns points over all ranks (the "six-step" algorithm; Bailey, FFTs in
// external or hierarchical memory, 1990): the columns, the roots of unity, the rows.
//   point j = j1 columns + j2,  mode k = k1 + rows k2,
//   X_k = sum over j2 of w_columns^(j2 k2) [ w_n^(j2 k1) sum over j1 of w_rows^(j1 k1) x_j ],  w_m = exp(-2 pi i / m)
// The bits of a line depend on its length alone.
#include <algorithm>
#include <vector>

#include "base/threads.hpp"
#include "plan/line/line_transform.hpp"
#include "plan/planned.hpp"
#include "transform/chosen_kernels.hpp"
#include "transform/engine/roots.hpp"
#include "weft/workspace.hpp"

namespace weft {

namespace {

// The sizes of a tile of the transposed matrix: rows that fill some cache lines, and columns whose roots come from one
// table.
constexpr index_t tile_rows = 16, tile_columns = 16;

// The roots of unity exp(-2 pi i j2 k1 / n) as products of a root of the tile's first column and one of the distance
// from it. Both tables are contiguous in k1.
template <class Real>
class TileRoots {
 public:
  TileRoots() = default;
  // For the columns of a range. Not collective.
  TileRoots(const LineShape& shape, const Range& columns)
      : pitch_(padded_pitch<Real>(2 * shape.rows)),
        first_tile_(columns.lo / tile_columns),
        fine_(tile_columns * pitch_) {
    const index_t n = shape.rows * shape.columns;
    const index_t tiles = columns.size() == 0 ? 0 : (columns.hi - 1) / tile_columns + 1 - first_tile_;
    coarse_ = Buffer<Real>(tiles * pitch_);
    const auto put = [&](index_t column, Real* to) {
      std::vector<Real> numbers;
      for (index_t k1 = 0; k1 < shape.rows; k1++) push_root(numbers, column * k1 % n, n);
      std::copy(numbers.begin(), numbers.end(), to);
    };
    for (index_t i = 0; i < tile_columns; i++) put(i, fine_.data() + i * pitch_);
    for (index_t t = 0; t < tiles; t++) put((first_tile_ + t) * tile_columns, coarse_.data() + t * pitch_);
  }
  const Real* coarse(index_t column) const { return coarse_.data() + (column / tile_columns - first_tile_) * pitch_; }
  const Real* fine(index_t column) const { return fine_.data() + column % tile_columns * pitch_; }
  index_t bytes() const { return fine_.bytes() + coarse_.bytes(); }

 private:
  index_t pitch_ = 0, first_tile_ = 0;
  Buffer<Real> fine_, coarse_;
};

// A matrix of complex numbers, padded so that rows begin in different sets of a cache.
template <class Real>
struct PaddedMatrix {
  PaddedMatrix() = default;
  PaddedMatrix(index_t rows, index_t columns)
      : strides(padded_strides<Real>({rows, columns}, 2)), memory(reals_spanned({rows, columns}, strides)) {}
  Real* at(index_t row, index_t column) const { return memory.data() + row * strides[0] + 2 * column; }
  LocalArray<Real> array() const { return {memory.data(), strides}; }

  Extents strides{0, 0};
  Buffer<Real> memory;
};

template <class Real>
class MatrixLine final : public LineTransform<Real> {
 public:
  MatrixLine(const Comm& comm, const LongLine& line, const PlanOptions& given)
      : MatrixLine(comm, line, options_of(line, given), LineShape(line.n),
                   Partition(LineShape(line.n).rows, line.ranks, line.scheme).range(comm.rank()),
                   Partition(LineShape(line.n).columns, line.ranks, line.scheme).range(comm.rank())) {}

  using LineTransform<Real>::transform;
  void transform(Direction direction, const Real* in, Real* out, Real scale) override {
    const LocalArray<Real> standing = standing_.array(), lying = lying_.array();
    if (direction == Direction::forward) {
      columns_.transform(direction, columns_.user_array(in, Space::physical), standing, 1);
      turn(Side::columns, scale);
      rows_.transform(direction, lying, modes_in(out), 1);
    } else {
      rows_.transform(direction, modes_in(in), lying, 1);
      turn(Side::rows, scale);
      columns_.transform(direction, standing, columns_.user_array(out, Space::physical), 1);
    }
  }

  int threads() const override { return threads_; }
  std::string strategy() const override { return columns_.moves(); }
  index_t workspace_bytes() const override {
    return columns_.workspace_bytes() + rows_.workspace_bytes() + standing_.memory.bytes() + lying_.memory.bytes() +
           roots_.bytes();
  }
  index_t bytes_sent() const override { return columns_.bytes_sent() + rows_.bytes_sent(); }
  std::string explain() const override {
    return "the line of " + std::to_string(shape_.rows * shape_.columns) + " points is a matrix of " +
           std::to_string(shape_.rows) + " x " + std::to_string(shape_.columns) + "\nits columns:\n" +
           columns_.explain() + "times roots of unity, then its rows:\n" + rows_.explain();
  }

 private:
  enum class Side { columns, rows };

  MatrixLine(const Comm& comm, const LongLine& line, const PlanOptions& options, const LineShape& shape,
             const Range& rows, const Range& columns)
      : LineTransform<Real>(comm, line),
        shape_(shape),
        order_(line.order),
        mine_(columns),
        threads_(default_threads(comm, options.threads)),
        columns_(part(comm, shape, {box(shape, 0, rows), box(shape, 1, columns)}, options)),
        rows_(part(
            comm, shape.transposed(),
            {box(shape.transposed(), 0, columns),
             line.order == LineOrder::natural ? box(shape.transposed(), 0, columns) : box(shape.transposed(), 1, rows)},
            options)) {
    comm.together([&] {
      roots_ = TileRoots<Real>(shape, mine_);
      standing_ = {shape.rows, mine_.size()};
      lying_ = {mine_.size(), shape.rows};
    });
  }

  // The two parts run one after the other, in the same memory.
  static PlanOptions options_of(const LongLine& line, const PlanOptions& given) {
    PlanOptions options = given;
    options.grid = {line.ranks};
    options.ranks = 0;
    options.output = Output::transposed;
    if (options.workspace == nullptr) options.workspace = std::make_shared<Workspace>();
    return options;
  }
  static Box box(const LineShape& shape, int axis, const Range& range) {
    Box box({shape.rows, shape.columns});
    box[axis] = range;
    return box;
  }
  // The transforms along axis 0 of a matrix.
  static BorderedPipeline<Real> part(const Comm& comm, const LineShape& shape, const PlanBoxes& boxes,
                                     const PlanOptions& options) {
    const ScheduleInput input =
        schedule_input({shape.rows, shape.columns}, {Kind::c2c, Kind::none}, sizeof(Real), options);
    std::string tuning_summary;
    return planned<Real>(comm, input, boxes, options, tuning_summary);
  }

  // Scrambled modes lie row by row of the matrix, in contiguous lines.
  LocalArray<Real> modes_in(const Real* data) const {
    LocalArray<Real> modes = rows_.user_array(data, Space::spectral);
    if (order_ == LineOrder::scrambled) modes.strides = {2, 2 * shape_.columns};
    return modes;
  }

  // Transposes this rank's columns and multiplies them by roots of unity: from columns to rows, or back with the
  // conjugate roots.
  void turn(Side from, Real scale) {
    const index_t tiles = (mine_.size() + tile_columns - 1) / tile_columns;
    on_threads(threads_, [&](int thread) {
      for (index_t t = tiles * thread / threads_; t < tiles * (thread + 1) / threads_; t++)
        turn_columns(from, {t * tile_columns, std::min((t + 1) * tile_columns, mine_.size())}, scale);
    });
  }
  void turn_columns(Side from, const Range& columns, Real scale) {
    for (index_t top = 0; top < shape_.rows; top += tile_rows) {
      const Range rows{top, std::min(top + tile_rows, shape_.rows)};
      if (from == Side::columns) {
        transpose(standing_, rows, columns, lying_);
        multiply(columns, rows, scale, from);
      } else {
        multiply(columns, rows, scale, from);
        transpose(lying_, columns, rows, standing_);
      }
    }
  }

  void transpose(const PaddedMatrix<Real>& from, const Range& rows, const Range& columns,
                 const PaddedMatrix<Real>& to) const {
    kernels_.transpose({.from = from.at(rows.lo, columns.lo),
                        .to = to.at(columns.lo, rows.lo),
                        .rows = rows.size(),
                        .columns = columns.size(),
                        .from_step = from.strides[0],
                        .to_step = to.strides[0],
                        .width = 2,
                        .stream = false});
  }
  // Multiplies the transposed columns by their roots.
  void multiply(const Range& columns, const Range& rows, Real scale, Side from) const {
    for (index_t column = columns.lo; column < columns.hi; column++)
      kernels_.multiply_by_roots({.numbers = lying_.at(column, rows.lo),
                                  .a = roots_.coarse(mine_.lo + column) + 2 * rows.lo,
                                  .b = roots_.fine(mine_.lo + column) + 2 * rows.lo,
                                  .count = rows.size(),
                                  .scale = scale,
                                  .conjugate = from == Side::rows});
  }

  LineShape shape_;
  LineOrder order_;
  Range mine_;  // this rank's columns between the two transforms
  int threads_;
  BorderedPipeline<Real> columns_, rows_;
  TileRoots<Real> roots_;
  const LaneKernels<Real>& kernels_ = lane_kernels<Real>();
  PaddedMatrix<Real> standing_, lying_;  // rows x this rank's columns, and its transpose
};

}  // namespace

template <class Real>
std::unique_ptr<LineTransform<Real>> make_matrix_line(const Comm& comm, const LongLine& line,
                                                      const PlanOptions& options) {
  return std::make_unique<MatrixLine<Real>>(comm, line, options);
}

template std::unique_ptr<LineTransform<double>> make_matrix_line(const Comm&, const LongLine&, const PlanOptions&);
template std::unique_ptr<LineTransform<float>> make_matrix_line(const Comm&, const LongLine&, const PlanOptions&);

}  // namespace weft
