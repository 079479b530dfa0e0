// Element types as HDF5 knows them.
#pragma once

#include <optional>

#include "io/hdf5_tools.hpp"
#include "weft/element.hpp"

namespace weft::io {

/// The HDF5 type of an element in memory and in files.
Handle hdf5_type(Element element);

/// Whether a type of a file is a compound of two floating-point numbers r and i, in that order.
bool is_complex_type(hid_t type);

/// The Element that matches a type of a file, in any byte order; nothing if it is none of the four.
std::optional<Element> element_of_type(hid_t type);

}  // namespace weft::io
