// Options that the bindings of halos and of meshes for particles share.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "common.hpp"

namespace weft::python {

using Ends = std::vector<std::pair<std::string, std::string>>;

std::vector<Boundary> boundaries_from(const Ends& ends);
std::vector<Centring> centrings_from(const std::vector<std::string>& texts);
/// HaloOptions from their members by name, as Python's plan_options() makes them.
HaloOptions halo_options_from(const nb::dict& given);

}  // namespace weft::python
