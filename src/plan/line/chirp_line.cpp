// A complex line whose length n has a large prime factor, over all ranks: a convolution with a chirp, by transforms of
// a longer line (Bluestein 1970).
//   j k = (j^2 + k^2 - (k - j)^2) / 2,  so X_k = c_k sum over j of (x_j c_j) conj(c_(k-j)),  c_j = exp(-pi i j^2 / n)
#include <algorithm>
#include <complex>

#include "base/threads.hpp"
#include "plan/line/line_transform.hpp"
#include "transform/engine/roots.hpp"

namespace weft {

namespace {

// c_j; j^2 modulo 2 n is computed in 128 bits.
template <class Real>
std::complex<Real> chirp(index_t j, index_t n) {
  __extension__ using Wide = unsigned __int128;
  const auto wide = static_cast<Wide>(j);
  const auto power = static_cast<index_t>(wide * wide % static_cast<Wide>(2 * n));
  const Extended root = root_of_unity(power, 2 * n);
  return {static_cast<Real>(root.real()), static_cast<Real>(root.imag())};
}

LongLine longer_line(const LongLine& line) {
  LongLine result = line;
  result.n = line.chirp_length();
  result.order = LineOrder::scrambled;
  return result;
}

template <class Real>
class ChirpLine final : public LineTransform<Real> {
 public:
  using Complex = std::complex<Real>;
  ChirpLine(const Comm& comm, const LongLine& line, const PlanOptions& options)
      : LineTransform<Real>(comm, line), longer_(make_matrix_line<Real>(comm, longer_line(line), options)) {
    const index_t size = longer_->physical_box().size(), modes = longer_->spectral_box().size();
    const Range mine = this->points();
    comm.together([&] {
      work_ = Buffer<Real>(2 * std::max(size, modes));
      modes_ = Buffer<Real>(2 * modes);
      factors_ = Buffer<Real>(2 * mine.size());
      for (index_t i = 0; i < mine.size(); i++) factors()[i] = chirp<Real>(mine.lo + i, line.n);
    });
    make_spectrum(line);
  }

  using LineTransform<Real>::transform;
  // Backward is forward between conjugates.
  void transform(Direction direction, const Real* in, Real* out, Real scale) override {
    const bool conjugate = direction == Direction::backward;
    const index_t count = this->points().size();
    const auto* from = reinterpret_cast<const Complex*>(in);
    auto *to = reinterpret_cast<Complex*>(out), *work = reinterpret_cast<Complex*>(work_.data());
    for (index_t i = 0; i < count; i++) work[i] = product(conjugate ? std::conj(from[i]) : from[i], factors()[i]);
    std::fill(work + count, work + longer_->physical_box().size(), Complex(0));
    convolve_with_chirp();
    for (index_t i = 0; i < count; i++) {
      const Complex mode = scale * product(work[i], factors()[i]);
      to[i] = conjugate ? std::conj(mode) : mode;
    }
  }

  int threads() const override { return longer_->threads(); }
  std::string strategy() const override { return longer_->strategy(); }
  index_t workspace_bytes() const override {
    return longer_->workspace_bytes() + work_.bytes() + modes_.bytes() + factors_.bytes() + spectrum_.bytes();
  }
  index_t bytes_sent() const override { return 2 * longer_->bytes_sent(); }
  std::string explain() const override {
    return "a large prime factor: the line is convolved with a chirp, forward and backward through a longer one\n" +
           longer_->explain();
  }

 private:
  static Complex product(Complex a, Complex b) {
    return {a.real() * b.real() - a.imag() * b.imag(), a.real() * b.imag() + a.imag() * b.real()};
  }
  Complex* factors() const { return reinterpret_cast<Complex*>(factors_.data()); }

  // The transform of conj(c), which wraps around, divided by the length.
  void make_spectrum(const LongLine& line) {
    const Range mine = longer_->physical_box()[0];
    const index_t all = line.chirp_length();
    auto* work = reinterpret_cast<Complex*>(work_.data());
    for (index_t i = 0; i < mine.size(); i++) {
      const index_t j = std::min(mine.lo + i, all - mine.lo - i);
      work[i] = j < line.n ? std::conj(chirp<Real>(j, line.n)) : Complex(0);
    }
    Buffer<Real> spectrum(modes_.size());
    longer_->transform(Direction::forward, work_.data(), spectrum.data(), Real(1) / static_cast<Real>(all));
    spectrum_ = std::move(spectrum);
  }

  void convolve_with_chirp() {
    longer_->transform(Direction::forward, work_.data(), modes_.data(), 1);
    auto* modes = reinterpret_cast<Complex*>(modes_.data());
    const auto* by = reinterpret_cast<const Complex*>(spectrum_.data());
    for (index_t i = 0; i < longer_->spectral_box().size(); i++) modes[i] = product(modes[i], by[i]);
    longer_->transform(Direction::backward, modes_.data(), work_.data(), 1);
  }

  std::unique_ptr<LineTransform<Real>> longer_;
  Buffer<Real> work_, modes_, factors_, spectrum_;
};

}  // namespace

template <class Real>
std::unique_ptr<LineTransform<Real>> make_chirp_line(const Comm& comm, const LongLine& line,
                                                     const PlanOptions& options) {
  return std::make_unique<ChirpLine<Real>>(comm, line, options);
}

template std::unique_ptr<LineTransform<double>> make_chirp_line(const Comm&, const LongLine&, const PlanOptions&);
template std::unique_ptr<LineTransform<float>> make_chirp_line(const Comm&, const LongLine&, const PlanOptions&);

}  // namespace weft
