// Files and output of FLUPS programs beside solving.
#pragma once

#include <string>

#include "flups/topology.hpp"

namespace weft::flups {

/// A field as data/NAME.h5 and data/NAME.xmf, in the folder in which the program runs. Collective; throws the same
/// Error on every rank.
void dump_field(const Topology& topology, const std::string& name, const double* data);

/// This rank's points on stdout, a row along the fastest direction in each line.
void print_field(const Topology& topology, const double* data);

/// Version, ranks and arguments of a program as NAME.flups.info, by rank 0 of MPI_COMM_WORLD.
void write_info(int argc, char** argv);

}  // namespace weft::flups
