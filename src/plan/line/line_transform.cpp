// Chooses the transform of a long line, and computes convolutions of lines.
#include "plan/line/line_transform.hpp"

namespace weft {

// Stores the spectrum: a line has no pass that could multiply modes before they are stored.
template <class Real>
void LineTransform<Real>::convolve(const Real* in, Real* out, const LineSymbol<Real>& symbol, Real scale) {
  if (!convolves_) comm_.together([&] { spectrum_ = Buffer<Real>(2 * modes().size()); });
  convolves_ = true;
  transform(Direction::forward, in, spectrum_.data(), scale);
  for (index_t i = 0; i < modes().size(); i++) {
    const Real* factor = symbol.data + symbol.offsets.front()[static_cast<std::size_t>(i)];
    Real* mode = spectrum_.data() + 2 * i;
    const Real re = mode[0], im = mode[1], by = symbol.width == 2 ? factor[1] : Real(0);
    mode[0] = re * factor[0] - im * by;
    mode[1] = re * by + im * factor[0];
  }
  transform(Direction::backward, spectrum_.data(), out, Real(1));
}

template <class Real>
std::unique_ptr<LineTransform<Real>> make_line(const Comm& comm, const LongLine& line, const PlanOptions& options) {
  if (line.kind == Kind::r2c) return make_real_line<Real>(comm, line, options);
  return LineShape(line.n).is_balanced() ? make_matrix_line<Real>(comm, line, options)
                                         : make_chirp_line<Real>(comm, line, options);
}

template class LineTransform<double>;
template class LineTransform<float>;
template std::unique_ptr<LineTransform<double>> make_line(const Comm&, const LongLine&, const PlanOptions&);
template std::unique_ptr<LineTransform<float>> make_line(const Comm&, const LongLine&, const PlanOptions&);

}  // namespace weft
