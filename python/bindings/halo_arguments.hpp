// What bindings of halos and of meshes for particles take from Python alike.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "common.hpp"

namespace weft::python {

using Ends = std::vector<std::pair<std::string, std::string>>;

std::vector<Boundary> boundaries_from(const Ends& ends);
std::vector<Centring> centrings_from(const std::vector<std::string>& texts);
/// Members by name, as plan_options() of Python makes them.
HaloOptions halo_options_from(const nb::dict& given);

}  // namespace weft::python
