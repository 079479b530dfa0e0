// Element types: their names, and the HDF5 types that stand for them.
#include "io/element.hpp"

#include <string>

#include "base/names.hpp"

namespace weft {
namespace {

const Names<Element>& element_names() {
  static const Names<Element> names = {{Element::float32, "float32"},
                                       {Element::float64, "float64"},
                                       {Element::complex64, "complex64"},
                                       {Element::complex128, "complex128"}};
  return names;
}

}  // namespace

std::string to_string(Element element) { return name_of(element_names(), element); }

Element parse_element(const std::string& argument, const std::string& text) {
  return parse(element_names(), argument, text);
}

namespace io {
namespace {

bool member_is(hid_t type, unsigned place, const std::string& wanted) {
  char* name = H5Tget_member_name(type, place);
  const bool same = name != nullptr && wanted == name;
  H5free_memory(name);
  return same && H5Tget_member_class(type, place) == H5T_FLOAT;
}

}  // namespace

Handle hdf5_type(Element element) {
  const std::size_t bytes = static_cast<std::size_t>(bytes_of(element)) / (is_complex(element) ? 2 : 1);
  const hid_t real = bytes == 8 ? H5T_NATIVE_DOUBLE : H5T_NATIVE_FLOAT;
  if (!is_complex(element)) return {H5Tcopy(real), H5Tclose};
  Handle type(H5Tcreate(H5T_COMPOUND, 2 * bytes), H5Tclose);
  H5Tinsert(type, "r", 0, real);
  H5Tinsert(type, "i", bytes, real);
  return type;
}

bool is_complex_type(hid_t type) {
  return H5Tget_class(type) == H5T_COMPOUND && H5Tget_nmembers(type) == 2 && member_is(type, 0, "r") &&
         member_is(type, 1, "i");
}

std::optional<Element> element_of_type(hid_t type) {
  const std::size_t bytes = H5Tget_size(type);
  if (H5Tget_class(type) == H5T_FLOAT) {
    if (bytes == 4) return Element::float32;
    if (bytes == 8) return Element::float64;
  } else if (is_complex_type(type)) {
    if (bytes == 8) return Element::complex64;
    if (bytes == 16) return Element::complex128;
  }
  return std::nullopt;
}

}  // namespace io
}  // namespace weft
