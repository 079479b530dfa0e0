// The part of the table of one rank that moves data.
#pragma once

#include "runtime_mpi/mpi_table.hpp"

namespace weft::runtime_mpi {

constexpr int no_requests = -1;  // MPI_UNDEFINED

void add_moves(Table& table);

}  // namespace weft::runtime_mpi
