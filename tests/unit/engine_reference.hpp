// References for transforms of any length: FFTW in long double, which carries 11 bits more than the results that are
// judged by it. Lines are flat lists of reals, complex numbers as real and imaginary part in turn: the order of the
// rows of a lane block.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <memory>
#include <string>
#include <type_traits>
#include <vector>

#include "transform/engine/fftw_api.hpp"

namespace weft::engine_test {

using Flat = std::vector<long double>;

/// One transform of one line. Real-to-real kinds go forward only: backward is another of them.
struct Task {
  Kind kind;
  Direction direction;
  index_t n;

  bool forward() const { return direction == Direction::forward; }
  bool is_real() const { return kind != Kind::c2c; }
  index_t physical() const { return kind == Kind::c2c ? 2 * n : n; }
  index_t spectral() const { return is_fourier(kind) ? 2 * output_length(kind, n) : n; }
  index_t given() const { return forward() ? physical() : spectral(); }
  index_t wanted() const { return forward() ? spectral() : physical(); }
  std::string name() const {
    return to_string(kind) + (forward() ? " forward of " : " backward of ") + std::to_string(n) + " points";
  }
};

/// Every kind and direction of a length.
inline std::vector<Task> tasks_of(index_t n) {
  std::vector<Task> tasks;
  for (const Kind kind : {Kind::c2c, Kind::r2c})
    for (const Direction direction : {Direction::forward, Direction::backward}) tasks.push_back({kind, direction, n});
  for (const Kind kind :
       {Kind::dct1, Kind::dct2, Kind::dct3, Kind::dct4, Kind::dst1, Kind::dst2, Kind::dst3, Kind::dst4})
    if (n >= smallest_length(kind)) tasks.push_back({kind, Direction::forward, n});
  return tasks;
}

/// Random numbers that float holds exactly, so that one reference serves both precisions. Half a spectrum is that of a
/// real line: its modes 0 and n/2 are real.
inline Flat random_line(const Task& task, unsigned seed) {
  std::uint32_t state = seed * 2654435761U + 12345U;
  Flat line;
  for (index_t i = 0; i < task.given(); ++i) {
    state = state * 1664525U + 1013904223U;
    line.push_back(static_cast<long double>(static_cast<int>(state >> 20) - 2048) / 2048);
  }
  if (task.kind == Kind::r2c && !task.forward()) {
    line[1] = 0;
    if (task.n % 2 == 0) line.back() = 0;
  }
  return line;
}

inline fftwl_plan reference_plan(const Task& task, long double* in, long double* out) {
  const int n = static_cast<int>(task.n);
  auto *complex_in = reinterpret_cast<fftwl_complex*>(in), *complex_out = reinterpret_cast<fftwl_complex*>(out);
  if (task.kind == Kind::c2c)
    return fftwl_plan_dft_1d(n, complex_in, complex_out, task.forward() ? FFTW_FORWARD : FFTW_BACKWARD, FFTW_ESTIMATE);
  if (task.kind != Kind::r2c) return fftwl_plan_r2r_1d(n, in, out, fftw_kind(task.kind), FFTW_ESTIMATE);
  return task.forward() ? fftwl_plan_dft_r2c_1d(n, in, complex_out, FFTW_ESTIMATE)
                        : fftwl_plan_dft_c2r_1d(n, complex_in, out, FFTW_ESTIMATE);
}

/// The transform of a line.
inline Flat reference(const Task& task, const Flat& line) {
  Flat in(line.size()), out(static_cast<std::size_t>(task.wanted()));
  const std::unique_ptr<std::remove_pointer_t<fftwl_plan>, decltype(&fftwl_destroy_plan)> plan(
      reference_plan(task, in.data(), out.data()), &fftwl_destroy_plan);
  std::copy(line.begin(), line.end(), in.begin());  // planning may write to it
  fftwl_execute(plan.get());
  return out;
}

/// 2-norm.
inline long double norm(const Flat& line) {
  long double sum = 0;
  for (const long double value : line) sum += value * value;
  return std::sqrt(sum);
}

}  // namespace weft::engine_test
