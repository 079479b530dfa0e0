// The closed forms of Ayala and Wang, Parallel Computing 39 (2013), with their numbers of equations.
#include "model/closed_forms.hpp"

#include <cmath>

namespace weft {

namespace {

double cube(double n) { return n * n * n; }

// An exchange with p ranks in turn copies every block except for the rank's own twice, and copies all data once more to
// reorder them.
ClosedForm cyclic_exchange(double words, double p, const ElementaryTimes& times) {
  const double sent = 2 * (p - 1) / p * words;
  return {0, (sent + words) * times.t_a, sent * times.t_w, 2 * (p - 1) * times.t_s};
}

ClosedForm operator+(const ClosedForm& a, const ClosedForm& b) {
  return {a.computation + b.computation, a.copying + b.copying, a.transmission + b.transmission, a.latency + b.latency};
}

ClosedForm transforms(double n, double ranks, const ElementaryTimes& times) {
  return {serial_seconds(n, times) / ranks, 0, 0, 0};
}

}  // namespace

double serial_seconds(double n, const ElementaryTimes& times) { return 2.5 * cube(n) * std::log2(cube(n)) * times.t_c; }

ClosedForm slab_form(double n, double ranks, const ElementaryTimes& times) {
  return transforms(n, ranks, times) + cyclic_exchange(cube(n) / ranks, ranks, times);
}

ClosedForm pencil_form(double n, double rows, double columns, const ElementaryTimes& in_rows,
                       const ElementaryTimes& in_columns) {
  const double ranks = rows * columns, words = cube(n) / ranks;
  return transforms(n, ranks, in_rows) + cyclic_exchange(words, rows, in_rows) +
         cyclic_exchange(words, columns, in_columns);
}

ClosedForm pencil_form_at_scale(double n, double rows, double columns, const ElementaryTimes& times) {
  const double words = cube(n) / (rows * columns);
  return transforms(n, rows * columns, times) +
         ClosedForm{0, 6 * words * times.t_a, 4 * words * times.t_w, 2 * (rows + columns - 2) * times.t_s};
}

ClosedForm multistage_form(double n, double ranks, const ElementaryTimes& times) {
  const double words = cube(n) / ranks, stages = std::log2(ranks);
  return transforms(n, ranks, times) +
         ClosedForm{0, (stages + 2) * words * times.t_a, stages * words * times.t_w, 2 * stages * times.t_s};
}

ClosedForm brick_form(double n, double x, double y, double z, const ElementaryTimes& times) {
  const double ranks = x * y * z, words = cube(n) / ranks;
  return transforms(n, ranks, times) +
         ClosedForm{0, 12 * words * times.t_a, 8 * words * times.t_w, 2 * (2 * x + y * (x + z) - 4) * times.t_s};
}

ClosedForm overlapped_form(double n, double rows, double columns, double parts, const ElementaryTimes& times) {
  ClosedForm form = pencil_form_at_scale(n, rows, columns, times);
  // log2 N for the first axis; for the other two axes only the remaining work of the last part.
  form.computation *= (1 + 2 / parts) / 3;
  form.latency *= parts;
  return form;
}

Shares shares_without_latency(double n, const ElementaryTimes& times) {
  const double computation = 2.5 * std::log2(cube(n)) * times.t_c, copying = 6 * times.t_a,
               communication = 4 * times.t_w;
  const double total = computation + copying + communication;
  return {computation / total, copying / total, communication / total};
}

double latency_share(double n, double ranks, const ElementaryTimes& times) {
  const double side = std::sqrt(ranks);
  const ClosedForm form = pencil_form_at_scale(n, side, side, times);
  return form.latency / form.seconds();
}

double most_ranks_without_latency(double n, const ElementaryTimes& times) {
  const double wanted = times.t_w / times.t_s * cube(n) / 99;
  // s^2 (s - 1) = wanted for the side s, by Newton's method from above, where the left side is convex.
  double side = std::cbrt(wanted) + 1;
  for (int i = 0; i < 50; i++) side -= (side * side * (side - 1) - wanted) / (side * (3 * side - 2));
  return side * side;
}

double fastest_ranks(double n, const ElementaryTimes& times) {
  const double words = 1.25 * std::log2(cube(n)) * times.t_c + 3 * times.t_a + 2 * times.t_w;
  return std::pow(words * cube(n) / times.t_s, 2.0 / 3);
}

double best_parts(double n, double ranks, const ElementaryTimes& times) {
  return 2 * std::pow(most_ranks_with_overlap(n, times) / ranks, 0.75);
}

double most_ranks_with_overlap(double n, const ElementaryTimes& times) {
  return std::pow(5.0 / 16 * cube(n) * std::log2(n) * times.t_c / times.t_s, 2.0 / 3);
}

}  // namespace weft
