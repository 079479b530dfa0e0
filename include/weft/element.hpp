// The types of the numbers in files and checkpoints, and of single values besides fields.
#pragma once

#include <complex>
#include <cstdint>
#include <map>
#include <string>
#include <variant>

namespace weft {

/// The element type of an array. Complex numbers are pairs (real part, imaginary part) in memory and in .npy files, and
/// compounds {r, i} in HDF5, as h5py reads and writes them.
enum class Element { float32, float64, complex64, complex128 };

/// Bytes of one element.
constexpr int bytes_of(Element element) {
  return element == Element::float32 ? 4 : element == Element::complex128 ? 16 : 8;
}
constexpr bool is_complex(Element element) { return element == Element::complex64 || element == Element::complex128; }
/// NumPy's name of the type: "float32", ...
std::string to_string(Element element);
/// The inverse of to_string. Throws an Error(Fault::argument) that names `argument` and lists what is allowed.
Element parse_element(const std::string& argument, const std::string& text);

/// The Element of a C++ type: float, double, std::complex<float> or std::complex<double>.
template <class T>
struct ElementOf;
template <>
struct ElementOf<float> {
  static constexpr Element value = Element::float32;
};
template <>
struct ElementOf<double> {
  static constexpr Element value = Element::float64;
};
template <>
struct ElementOf<std::complex<float>> {
  static constexpr Element value = Element::complex64;
};
template <>
struct ElementOf<std::complex<double>> {
  static constexpr Element value = Element::complex128;
};
template <class T>
inline constexpr Element element_of = ElementOf<T>::value;

/// A single number or text besides the fields of a file, and several of them by name. Doubles keep all their bits.
using Value = std::variant<std::int64_t, double, std::string>;
using Values = std::map<std::string, Value>;

}  // namespace weft
