// Real transforms on lane blocks: real DFTs of any length, and the cosine and sine transforms as a reordering, a real
// or complex DFT, and a rotation of its modes. Sine transforms are cosine transforms of the line with alternating
// signs, or read backwards. Included by lane_kernels.cpp only, inside the namespace of one instruction set.
#pragma once

#include "lane_stages.hpp"

// The even points are the real parts and the odd points the imaginary parts of a complex line of n points; its modes
// k and n-k give the modes k and n-k of the real line.
template <class Real>
void r2c_even(const LanePlan<Real>& plan, Real* in, Real* out) {
  c2c<true>(plan, LanePoints<Real>{}, in, out);
  auto* z = reinterpret_cast<Lane<Real>*>(out);
  const int64_t n = plan.n;
  const Real half = Real(0.5);
  const Lane<Real> first = z[0];
  z[0] = {first.re + first.im, Vector<Real>{}};
  z[n] = {first.re - first.im, Vector<Real>{}};
  for (int64_t k = 1; k <= n / 2; k++) {
    const Lane<Real> a = z[k], b = z[n - k];
    const Real w[2] = {half * plan.split[2 * k], half * plan.split[2 * k + 1]};
    const Lane<Real> even = {half * (a.re + b.re), half * (a.im - b.im)};
    const Lane<Real> turned = twiddle<true>(Lane<Real>{a.im + b.im, b.re - a.re}, w);
    z[k] = {even.re + turned.re, even.im + turned.im};
    z[n - k] = {even.re - turned.re, turned.im - even.im};
  }
}

template <class Real>
void c2r_even(const LanePlan<Real>& plan, Real* in, Real* out) {
  auto* z = reinterpret_cast<Lane<Real>*>(in);
  const int64_t n = plan.n;
  const Vector<Real> first = z[0].re, last = z[n].re;
  z[0] = {first + last, first - last};
  for (int64_t k = 1; k <= n / 2; k++) {
    const Lane<Real> a = z[k], b = z[n - k];
    const Lane<Real> even = {a.re + b.re, a.im - b.im};
    const Lane<Real> turned = twiddle<false>(Lane<Real>{a.re - b.re, a.im + b.im}, plan.split + 2 * k);
    z[k] = {even.re - turned.im, even.im + turned.re};
    z[n - k] = {even.re + turned.im, turned.re - even.im};
  }
  c2c<false>(plan, LanePoints<Real>{}, in, out);
}

// Forward real DFT of n points in `a` (destroyed; room for 2n reals) to n/2+1 modes in `b` (all n modes where n is
// odd).
template <class Real>
void real_forward(const LanePlan<Real>& plan, int64_t n, Real* a, Real* b) {
  if (n % 2 == 0) return r2c_even(plan, a, b);
  Vector<Real>* line = rows_of(a);
  for (int64_t j = n - 1; j >= 0; j--) {
    line[2 * j] = line[j];
    line[2 * j + 1] = Vector<Real>{};
  }
  c2c<true>(plan, LanePoints<Real>{}, a, b);
}

// Backward, unscaled: modes 0..n/2 in `a` (destroyed; room for 2n reals) to n points in `b` (likewise).
template <class Real>
void real_backward(const LanePlan<Real>& plan, int64_t n, Real* a, Real* b) {
  if (n % 2 == 0) return c2r_even(plan, a, b);
  Vector<Real>*modes = rows_of(a), *line = rows_of(b);
  modes[1] = Vector<Real>{};
  for (int64_t k = 1; k <= n / 2; k++) {
    modes[2 * (n - k)] = modes[2 * k];
    modes[2 * (n - k) + 1] = -modes[2 * k + 1];
  }
  c2c<false>(plan, LanePoints<Real>{}, a, b);
  for (int64_t j = 1; j < n; j++) line[j] = line[2 * j];
}

// One part (real or imaginary) of a line; sine transforms see it backwards, with alternating signs, or both.
template <bool Backwards, bool Alternating, class Row>
struct Part {
  Row* row;
  int64_t n, width;

  WEFT_INLINE Row& at(int64_t j) const { return row[(Backwards ? n - 1 - j : j) * width]; }
  WEFT_INLINE Row get(int64_t j) const { return Alternating && j % 2 != 0 ? -at(j) : at(j); }
  WEFT_INLINE void set(int64_t j, Row value) const { at(j) = Alternating && j % 2 != 0 ? -value : value; }
};

// X_k = 2 sum x_j cos(pi (j+1/2) k / n): the DFT of the even points followed by the odd ones backwards (Makhoul 1980).
template <class Real, class In, class Out>
void cosine2(const LaneRealPlan<Real>& plan, In x, Out y, Real* a, Real* b) {
  const int64_t n = plan.n;
  Vector<Real>* line = rows_of(a);
  for (int64_t j = 0; 2 * j < n; j++) line[j] = x.get(2 * j);
  for (int64_t j = 0; 2 * j + 1 < n; j++) line[n - 1 - j] = x.get(2 * j + 1);
  real_forward(plan.complex, n, a, b);
  const auto* mode = reinterpret_cast<const Lane<Real>*>(b);
  y.set(0, Real(2) * mode[0].re);
  for (int64_t k = 1; 2 * k <= n; k++) {
    const Real c = 2 * plan.roots[2 * k], s = 2 * plan.roots[2 * k + 1];
    y.set(k, c * mode[k].re + s * mode[k].im);
    if (2 * k < n) y.set(n - k, s * mode[k].re - c * mode[k].im);
  }
}

// X_k = x_0 + 2 sum x_j cos(pi j (k+1/2) / n): the inverse steps of cosine2 in reverse order.
template <class Real, class In, class Out>
void cosine3(const LaneRealPlan<Real>& plan, In x, Out y, Real* a, Real* b) {
  const int64_t n = plan.n;
  auto* mode = reinterpret_cast<Lane<Real>*>(a);
  mode[0] = {x.get(0), Vector<Real>{}};
  for (int64_t k = 1; 2 * k <= n; k++) {
    const Real c = plan.roots[2 * k], s = plan.roots[2 * k + 1];
    const Vector<Real> low = x.get(k), high = x.get(n - k);
    mode[k] = {c * low + s * high, s * low - c * high};
  }
  real_backward(plan.complex, n, a, b);
  const Vector<Real>* line = rows_of(b);
  for (int64_t j = 0; 2 * j < n; j++) y.set(2 * j, line[j]);
  for (int64_t j = 0; 2 * j + 1 < n; j++) y.set(2 * j + 1, line[n - 1 - j]);
}

// X_k = 2 sum x_j cos(pi (j+1/2) (k+1/2) / n), n even: even points and odd ones backwards as one complex line.
template <class Real, class In, class Out>
void cosine4(const LaneRealPlan<Real>& plan, In x, Out y, Real* a, Real* b) {
  const int64_t n = plan.n, half = n / 2;
  auto *line = reinterpret_cast<Lane<Real>*>(a), *mode = reinterpret_cast<Lane<Real>*>(b);
  for (int64_t j = 0; j < half; j++) {
    const Real c = plan.roots[2 * j], s = plan.roots[2 * j + 1];
    const Vector<Real> re = x.get(2 * j), im = x.get(n - 1 - 2 * j);
    line[j] = {c * re + s * im, c * im - s * re};
  }
  c2c<true>(plan.complex, LanePoints<Real>{}, a, b);
  for (int64_t k = 0; k < half; k++) {
    const Real c = 2 * plan.roots[n + 2 * k], s = 2 * plan.roots[n + 2 * k + 1];
    y.set(2 * k, c * mode[k].re + s * mode[k].im);
    y.set(n - 1 - 2 * k, s * mode[k].re - c * mode[k].im);
  }
}

// X_k = x_0 + (-1)^k x_{n-1} + 2 sum x_j cos(pi j k / (n-1)): the DFT of the line continued as an even one.
template <class Real, class In, class Out>
void cosine1(const LaneRealPlan<Real>& plan, In x, Out y, Real* a, Real* b) {
  const int64_t n = plan.n, period = 2 * (n - 1);
  Vector<Real>* line = rows_of(a);
  for (int64_t j = 0; j < n; j++) line[j] = x.get(j);
  for (int64_t j = 1; j < n - 1; j++) line[period - j] = x.get(j);
  real_forward(plan.complex, period, a, b);
  const auto* mode = reinterpret_cast<const Lane<Real>*>(b);
  for (int64_t k = 0; k < n; k++) y.set(k, mode[k].re);
}

// X_k = 2 sum x_j sin(pi (j+1) (k+1) / (n+1)): the DFT of the line continued as an odd one.
template <class Real, class In, class Out>
void sine1(const LaneRealPlan<Real>& plan, In x, Out y, Real* a, Real* b) {
  const int64_t n = plan.n, period = 2 * (n + 1);
  Vector<Real>* line = rows_of(a);
  line[0] = line[n + 1] = Vector<Real>{};
  for (int64_t j = 0; j < n; j++) {
    line[j + 1] = x.get(j);
    line[period - 1 - j] = -x.get(j);
  }
  real_forward(plan.complex, period, a, b);
  const auto* mode = reinterpret_cast<const Lane<Real>*>(b);
  for (int64_t k = 0; k < n; k++) y.set(k, -mode[k + 1].im);
}

template <class Real>
void cosine_or_sine(const LaneRealPlan<Real>& plan, const Vector<Real>* in, Vector<Real>* out, Real* a, Real* b) {
  using Row = Vector<Real>;
  const int64_t n = plan.n, width = plan.width;
  const Part<false, false, const Row> x{in, n, width};
  const Part<true, false, const Row> x_backwards{in, n, width};
  const Part<false, true, const Row> x_alternating{in, n, width};
  const Part<false, false, Row> y{out, n, width};
  const Part<true, false, Row> y_backwards{out, n, width};
  const Part<false, true, Row> y_alternating{out, n, width};
  switch (plan.kind) {
    case LaneRealKind::dct1:
      return cosine1(plan, x, y, a, b);
    case LaneRealKind::dct2:
      return cosine2(plan, x, y, a, b);
    case LaneRealKind::dct3:
      return cosine3(plan, x, y, a, b);
    case LaneRealKind::dct4:
      return cosine4(plan, x, y, a, b);
    case LaneRealKind::dst1:
      return sine1(plan, x, y, a, b);
    case LaneRealKind::dst2:
      return cosine2(plan, x_alternating, y_backwards, a, b);
    case LaneRealKind::dst3:
      return cosine3(plan, x_backwards, y_alternating, a, b);
    case LaneRealKind::dst4:
      return cosine4(plan, x_backwards, y_alternating, a, b);
    default:
      return;
  }
}

template <class Real>
void real_transform(const LaneRealPlan<Real>& plan, Real* in, Real* out, Real* a, Real* b) {
  if (plan.kind == LaneRealKind::forward && plan.n % 2 == 0) return r2c_even(plan.complex, in, out);
  if (plan.kind == LaneRealKind::backward && plan.n % 2 == 0) return c2r_even(plan.complex, in, out);
  if (plan.kind == LaneRealKind::forward || plan.kind == LaneRealKind::backward) {
    const bool forward = plan.kind == LaneRealKind::forward;
    const int64_t modes = 2 * (plan.n / 2 + 1), reads = forward ? plan.n : modes, writes = forward ? modes : plan.n;
    for (int64_t j = 0; j < reads; j++) rows_of(a)[j] = rows_of(in)[j];
    forward ? real_forward(plan.complex, plan.n, a, b) : real_backward(plan.complex, plan.n, a, b);
    for (int64_t j = 0; j < writes; j++) rows_of(out)[j] = rows_of(b)[j];
    return;
  }
  for (int part = 0; part < plan.width; part++) cosine_or_sine(plan, rows_of(in) + part, rows_of(out) + part, a, b);
}
