// FFTW's wisdom among ranks, for plans that the program makes with FFTW itself. Plans of Weft have none.
#pragma once

#include <mpi.h>

namespace weft::fftw_mpi {

using ExportWisdom = char*();
using ImportWisdom = int(const char*);

/// Gathers the wisdom of all ranks on rank 0, or broadcasts that of rank 0 to all ranks. Collective.
void gather_wisdom(MPI_Comm comm, ExportWisdom* out, ImportWisdom* in);
void broadcast_wisdom(MPI_Comm comm, ExportWisdom* out, ImportWisdom* in);

}  // namespace weft::fftw_mpi
