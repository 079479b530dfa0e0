// The part of the table of one rank that moves data.
#pragma once

#include "runtime_mpi/mpi_table.hpp"

namespace weft::runtime_mpi {

// What its functions return.
constexpr int success = 0, failure = 1;
constexpr int no_requests = -1;  // MPI_UNDEFINED

void add_moves(Table& table);

}  // namespace weft::runtime_mpi
