// Finite volumes: the sum of the fluxes into every cell through its faces, from cells and one layer around them.
#include <algorithm>
#include <vector>

#include "base/threads.hpp"
#include "variable/operator.hpp"
#include "weft/halo.hpp"

namespace weft {

namespace {

HaloProblem one_layer(std::vector<Boundary> boundary, Element element) {
  HaloProblem problem;
  problem.width = {1};
  problem.boundary = {std::move(boundary)};
  problem.element = element;
  return problem;
}

// The boundaries of a, which is even at every end where u is even or odd.
std::vector<Boundary> even_beyond(std::vector<Boundary> boundary) {
  for (Boundary& pair : boundary)
    for (End* end : {&pair.left, &pair.right})
      if (*end == End::odd) *end = End::even;
  return boundary;
}

HaloOptions halo_options(const OperatorInput& input) {
  HaloOptions options;
  options.threads = input.threads;
  options.node_ranks = input.options.node_ranks;
  options.message_limit = input.options.message_limit;
  options.shared_memory_limit = input.options.shared_memory_limit;
  return options;
}

template <class Real>
Real mean_on_face(Faces faces, Real one, Real other) {
  return faces == Faces::harmonic ? 2 * one * other / (one + other) : (one + other) / 2;
}

// Adds the fluxes through the faces across an axis to the cells of one row.
template <class Real>
void add_fluxes(Real* __restrict result, const Real* u, const Real* below, const Real* above,
                const Real* __restrict lower, const Real* __restrict upper, index_t count) {
  for (index_t i = 0; i < count; i++) result[i] += upper[i] * (above[i] - u[i]) - lower[i] * (u[i] - below[i]);
}

template <class Real>
class FluxOperator final : public VariableOperator<Real> {
 public:
  explicit FluxOperator(const OperatorInput& input)
      : faces_(input.problem.faces),
        threads_(input.threads),
        halo_(input.comm, input.layout, one_layer(input.problem.boundary, element_of<Real>), halo_options(input)),
        a_halo_(input.comm, input.layout, one_layer(even_beyond(input.problem.boundary), element_of<Real>),
                halo_options(input)),
        layers_(halo_),
        extents_(halo_.owned().extents()) {
    for (int axis = 0; axis < extents_.dims(); axis++) {
      const double h =
          input.problem.length[static_cast<std::size_t>(axis)] / static_cast<double>(input.problem.cells[axis]);
      per_square_.push_back(static_cast<Real>(1 / (h * h)));
      Extents faces = extents_;
      faces[axis]++;
      face_strides_.push_back(c_strides(faces));
      face_values_.emplace_back(static_cast<std::size_t>(extents_.product() == 0 ? 0 : faces.product()));
    }
  }

  void take(const Real* a, const Real* c) override {
    reaction_ = c;
    fill(a);
    a_halo_.exchange(layers_.data());
    const HaloView<Real> cells = layers_.view();
    for (int axis = 0; axis < extents_.dims() && extents_.product() > 0; axis++) {
      const auto which = static_cast<std::size_t>(axis);
      Extents faces = extents_;
      faces[axis]++;
      Real* to = face_values_[which].data();
      for_rows(faces, [&](const Extents& row, index_t count) {
        const Real* after = cells.data() + offset(row, cells.strides());
        const Real* before = after - cells.strides()[axis];
        Real* out = to + offset(row, face_strides_[which]);
        for (index_t i = 0; i < count; i++) out[i] = mean_on_face(faces_, before[i], after[i]) * per_square_[which];
      });
    }
  }

  void apply(const Real* u, Real* result) override {
    fill(u);
    halo_.exchange(layers_.data());
    const HaloView<Real> cells = layers_.view();
    const Extents strides = c_strides(extents_);
    for_rows(extents_, [&](const Extents& row, index_t count) {
      const index_t here = offset(row, strides);
      const Real* middle = cells.data() + offset(row, cells.strides());
      Real* out = result + here;
      for (index_t i = 0; i < count; i++) out[i] = reaction_ == nullptr ? Real(0) : -reaction_[here + i] * middle[i];
      for (int axis = 0; axis < row.dims(); axis++) {
        const auto which = static_cast<std::size_t>(axis);
        const index_t step = cells.strides()[axis];
        const Real* lower = face_values_[which].data() + offset(row, face_strides_[which]);
        add_fluxes(out, middle, middle - step, middle + step, lower, lower + face_strides_[which][axis], count);
      }
    });
  }

  void filter(Real*) override {}  // differences of all waves of the grid are nonzero

  index_t workspace_bytes() const override {
    index_t reals = static_cast<index_t>(layers_.size());
    for (const auto& axis : face_values_) reals += static_cast<index_t>(axis.size());
    return halo_.workspace_bytes() + a_halo_.workspace_bytes() + reals * static_cast<index_t>(sizeof(Real));
  }
  index_t bytes_sent() const override { return halo_.bytes_sent(); }
  std::string explain() const override { return "  layers    " + halo_.explain() + "\n"; }

 private:
  static index_t offset(const Extents& index, const Extents& strides) {
    index_t sum = 0;
    for (int axis = 0; axis < index.dims(); axis++) sum += index[axis] * strides[axis];
    return sum;
  }

  // Calls work(first index, count) for the rows along the last axis of an array, shared among the threads.
  template <class Work>
  void for_rows(const Extents& extents, const Work& work) const {
    const int last = extents.dims() - 1;
    const index_t count = extents[last], rows = count == 0 ? 0 : extents.product() / count;
    on_threads(threads_, [&](int thread) {
      for (index_t row = rows * thread / threads_; row < rows * (thread + 1) / threads_; row++) {
        Extents index(extents.dims());
        index_t rest = row;
        for (int axis = last - 1; axis >= 0; rest /= extents[axis--]) index[axis] = rest % extents[axis];
        work(index, count);
      }
    });
  }

  void fill(const Real* values) {
    const HaloView<Real> cells = layers_.view();
    const Extents strides = c_strides(extents_);
    for_rows(extents_, [&](const Extents& row, index_t count) {
      std::copy_n(values + offset(row, strides), count, cells.data() + offset(row, cells.strides()));
    });
  }

  Faces faces_;
  int threads_;
  Halo halo_, a_halo_;
  HaloArray<Real> layers_;
  Extents extents_;               // of this rank's cells
  std::vector<Real> per_square_;  // 1 / h^2 per axis
  std::vector<Extents> face_strides_;
  std::vector<AlignedVector<Real>> face_values_;  // a of the faces across each axis over h^2, one more than cells
  const Real* reaction_ = nullptr;
};

}  // namespace

template <class Real>
std::unique_ptr<VariableOperator<Real>> make_flux_operator(const OperatorInput& input) {
  return std::make_unique<FluxOperator<Real>>(input);
}

template std::unique_ptr<VariableOperator<double>> make_flux_operator(const OperatorInput&);
template std::unique_ptr<VariableOperator<float>> make_flux_operator(const OperatorInput&);

}  // namespace weft
