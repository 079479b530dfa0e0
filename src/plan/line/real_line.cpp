// A real line over a complex one. An even number n of points is n/2 complex numbers z_j = x_2j + i x_2j+1, whose modes
// Z_k and Z_(n/2-k) make modes k and n/2-k of the real line; an odd number is a complex line without imaginary parts.
// In both cases a mode needs its mirrored mode, which another rank has.
#include <algorithm>
#include <complex>

#include "plan/line/line_transform.hpp"
#include "plan/run/border.hpp"
#include "transform/chosen_kernels.hpp"
#include "transform/engine/roots.hpp"
#include "weft/redistribution.hpp"

namespace weft {

namespace {

// Sends the numbers `sum` - k to the rank that has the numbers k of a range. A single rank has them already.
template <class Real>
class Mirror {
 public:
  using Complex = std::complex<Real>;
  Mirror(const Comm& comm, const Range& owned, index_t sum, const Range& wanted, const PlanOptions& options)
      : first_(sum - wanted.hi + 1 - owned.lo) {
    if (comm.size() == 1) return;
    const auto box = [](const Range& range) {
      Box result(1);
      if (range.size() > 0) result[0] = range;
      return result;
    };
    moves_ = std::make_unique<Redistribution>(comm, box(owned), box({sum - wanted.hi + 1, sum - wanted.lo + 1}),
                                              sizeof(Complex), redistribution_options(options));
    comm.together([&] { numbers_ = Buffer<Real>(2 * (wanted.size() + 1)); });
  }
  // The numbers of the range, the last one first, with room for one more after them.
  template <class Number>
  Number* fetch(Number* from) {
    if (moves_ == nullptr) return from + 2 * first_;
    moves_->forward(from, numbers_.data());
    return numbers_.data();
  }
  index_t bytes() const { return numbers_.bytes() + (moves_ == nullptr ? 0 : moves_->workspace_bytes()); }
  index_t bytes_sent() const { return moves_ == nullptr ? 0 : moves_->bytes_sent(); }

 private:
  index_t first_;
  std::unique_ptr<Redistribution> moves_;
  Buffer<Real> numbers_;
};

// Numbers of `range` from `least` to `most`.
Range within(const Range& range, index_t least, index_t most) { return intersect(range, {least, most + 1}); }

// The common parts of lines with even and with odd numbers of points.
template <class Real>
class RealLine : public LineTransform<Real> {
 public:
  using Complex = std::complex<Real>;
  int threads() const override { return complex_->threads(); }
  std::string strategy() const override { return complex_->strategy(); }
  index_t workspace_bytes() const override { return complex_->workspace_bytes() + work_.bytes(); }
  index_t bytes_sent() const override { return complex_->bytes_sent(); }
  std::string explain() const override {
    return "a real line of " + std::to_string(n_) + " points over a complex one\n" + complex_->explain();
  }

 protected:
  RealLine(const Comm& comm, const LongLine& line, const PlanOptions& options)
      : LineTransform<Real>(comm, line), n_(line.n), complex_(make_line<Real>(comm, line.complex_line(), options)) {
    comm.together([&] {
      work_ =
          Buffer<Real>(2 * std::max({complex_->physical_box().size(), complex_modes().size(), this->modes().size()}));
    });
  }
  Range complex_modes() const { return complex_->spectral_box()[0]; }
  Complex* work() const { return reinterpret_cast<Complex*>(work_.data()); }

  index_t n_;
  std::unique_ptr<LineTransform<Real>> complex_;
  Buffer<Real> work_;  // complex points, or modes
};

// With w = exp(-2 pi i / n) and u_k = -i w^k
//   X_k = (Z_k + conj Z_(n/2-k)) / 2 + u_k (Z_k - conj Z_(n/2-k)) / 2,  Z_(n/2) = Z_0,
//   Z_k = X_k + conj X_(n/2-k) + conj(u_k) (X_k - conj X_(n/2-k)),      X_0 and X_(n/2) real, unscaled.
template <class Real>
class EvenLine final : public RealLine<Real> {
 public:
  using typename RealLine<Real>::Complex;
  EvenLine(const Comm& comm, const LongLine& line, const PlanOptions& options)
      : RealLine<Real>(comm, line, options),
        mirrored_(within(this->modes(), 1, line.n / 2)),
        complex_mirrors_(comm, this->complex_modes(), line.n / 2, mirrored_, options),
        mirrors_(comm, this->modes(), line.n / 2, this->complex_modes(), options) {
    comm.together([&] {
      const Range modes = this->modes();
      roots_ = Buffer<Real>(2 * modes.size());
      for (index_t k = modes.lo; k < modes.hi; k++) {
        Real* root = roots_.data() + 2 * (k - modes.lo);
        const Extended w = root_of_unity(k, line.n);
        root[0] = k == line.n / 2 ? Real(0) : static_cast<Real>(w.imag());
        root[1] = static_cast<Real>(-w.real());
      }
    });
  }
  index_t workspace_bytes() const override {
    return RealLine<Real>::workspace_bytes() + roots_.bytes() + complex_mirrors_.bytes() + mirrors_.bytes();
  }
  index_t bytes_sent() const override { return RealLine<Real>::bytes_sent() + complex_mirrors_.bytes_sent(); }

  using LineTransform<Real>::transform;
  void transform(Direction direction, const Real* in, Real* out, Real scale) override {
    direction == Direction::forward ? forward(in, out, scale) : backward(in, out, scale);
  }

 private:
  void forward(const Real* in, Real* out, Real scale) {
    this->complex_->transform(Direction::forward, in, this->work_.data(), scale / 2);
    Real* fetched = complex_mirrors_.fetch(this->work_.data());
    Complex *work = this->work(), *mirrored = reinterpret_cast<Complex*>(fetched);
    const Range modes = this->modes();
    if (modes.contains(this->n_ / 2)) work[this->n_ / 2 - modes.lo] = mirrored[0];
    if (modes.contains(0)) mirrored[mirrored_.size()] = work[0];
    combine(this->work_.data(), fetched, out, modes.size(), Direction::forward);
  }

  void backward(const Real* in, Real* out, Real scale) {
    const Real* fetched = mirrors_.fetch(in);
    const Range modes = this->complex_modes();
    combine(in, fetched, this->work_.data(), modes.size(), Direction::backward);
    if (modes.contains(0)) {
      const Real first = in[0], last = fetched[2 * (modes.size() - 1)];
      this->work()[0] = {first + last, first - last};
    }
    this->complex_->transform(Direction::backward, this->work_.data(), out, scale);
  }

  void combine(const Real* own, const Real* mirrored, Real* to, index_t count, Direction direction) const {
    lane_kernels<Real>().combine_mirrored({.own = own,
                                           .mirrored = mirrored,
                                           .roots = roots_.data(),
                                           .to = to,
                                           .count = count,
                                           .conjugate = direction == Direction::backward});
  }

  Range mirrored_;                          // modes with a mirrored complex mode
  Mirror<Real> complex_mirrors_, mirrors_;  // forward, backward
  Buffer<Real> roots_;                      // u_k of this rank's modes
};

template <class Real>
class OddLine final : public RealLine<Real> {
 public:
  using typename RealLine<Real>::Complex;
  OddLine(const Comm& comm, const LongLine& line, const PlanOptions& options)
      : RealLine<Real>(comm, line, options),
        mirrors_(comm, this->modes(), line.n, within(this->complex_modes(), line.n / 2 + 1, line.n - 1), options) {}
  index_t workspace_bytes() const override { return RealLine<Real>::workspace_bytes() + mirrors_.bytes(); }

  using LineTransform<Real>::transform;
  void transform(Direction direction, const Real* in, Real* out, Real scale) override {
    Complex* work = this->work();
    if (direction == Direction::forward) {
      std::copy_n(in, this->points().size(), work);
      this->complex_->transform(direction, this->work_.data(), this->work_.data(), scale);
      std::copy_n(work, this->modes().size(), reinterpret_cast<Complex*>(out));
      return;
    }
    const auto* mirrored = reinterpret_cast<const Complex*>(mirrors_.fetch(in));
    const Range all = this->complex_modes();
    std::copy_n(reinterpret_cast<const Complex*>(in), this->modes().size(), work);
    for (index_t k = all.lo + this->modes().size(); k < all.hi; k++)
      work[k - all.lo] = std::conj(mirrored[all.hi - 1 - k]);
    if (all.contains(0)) work[0] = work[0].real();
    this->complex_->transform(direction, this->work_.data(), this->work_.data(), scale);
    std::transform(work, work + this->points().size(), out, [](Complex point) { return point.real(); });
  }

 private:
  Mirror<Real> mirrors_;  // mirrored modes for the complex modes that r2c does not store, backward
};

}  // namespace

template <class Real>
std::unique_ptr<LineTransform<Real>> make_real_line(const Comm& comm, const LongLine& line,
                                                    const PlanOptions& options) {
  if (line.n % 2 == 0) return std::make_unique<EvenLine<Real>>(comm, line, options);
  return std::make_unique<OddLine<Real>>(comm, line, options);
}

template std::unique_ptr<LineTransform<double>> make_real_line(const Comm&, const LongLine&, const PlanOptions&);
template std::unique_ptr<LineTransform<float>> make_real_line(const Comm&, const LongLine&, const PlanOptions&);

}  // namespace weft
