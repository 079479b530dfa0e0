// weft._core.exact_sums and rounded_sums: sums of doubles without rounding, which Python adds over the ranks.
#include <optional>

#include "base/exact_sum.hpp"
#include "common.hpp"

namespace weft::python {

namespace {

using Values = nb::ndarray<const double, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Bins = nb::ndarray<const std::int64_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Words = nb::ndarray<nb::numpy, std::int64_t, nb::ndim<2>, nb::c_contig>;

constexpr std::size_t width = ExactSum::words + 3;

std::vector<ExactSum> sums_of(const Values& values, const Bins& bins, std::size_t count) {
  std::vector<ExactSum> sums(count);
  const auto size = static_cast<index_t>(values.size());
  const double* value = values.data();
  if (bins.size() == 0) {
    if (count == 1) sums.front() = exact_part(0, size, [value](index_t i) { return value[i]; });
    return sums;
  }
  for (index_t i = 0; i < size; i++) sums[static_cast<std::size_t>(bins.data()[i])].add(value[i]);
  return sums;
}

/// The sums [sum][word] of the values in each bin, 0 to count - 1. Without bins all values are in the first.
Words exact_sums(const Values& values, const Bins& bins, std::size_t count) {
  auto* words = new std::vector<std::int64_t>;
  const nb::capsule owner(words, [](void* p) noexcept { delete static_cast<std::vector<std::int64_t>*>(p); });
  {
    const nb::gil_scoped_release release;
    words->reserve(count * width);
    for (ExactSum& sum : sums_of(values, bins, count))
      words->insert(words->end(), sum.carried().begin(), sum.carried().end());
  }
  return {words->data(), {count, width}, owner};
}

/// The doubles nearest to such sums.
nb::object rounded_sums(const nb::ndarray<const std::int64_t, nb::ndim<2>, nb::c_contig, nb::device::cpu>& words) {
  std::vector<double> rounded;
  for (std::size_t i = 0; i < words.shape(0); i++) {
    ExactSum::Words sum;
    std::copy_n(words.data() + i * width, width, sum.begin());
    rounded.push_back(ExactSum(sum).rounded());
  }
  return float_array(rounded);
}

}  // namespace

void bind_sums(nb::module_& module) {
  module.def("exact_sums", &exact_sums, nb::arg("values"), nb::arg("bins"), nb::arg("count"));
  module.def("rounded_sums", &rounded_sums, nb::arg("words"));
}

}  // namespace weft::python
