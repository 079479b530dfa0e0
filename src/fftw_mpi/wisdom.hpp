// FFTW's wisdom among ranks. Our plans have none; it is for plans that the program makes with FFTW itself.
#pragma once

#include <mpi.h>

namespace weft::fftw_mpi {

using ExportWisdom = char*();
using ImportWisdom = int(const char*);

/// Rank 0 learns what all ranks know, and all ranks what rank 0 knows. Collective.
void gather_wisdom(MPI_Comm comm, ExportWisdom* out, ImportWisdom* in);
void broadcast_wisdom(MPI_Comm comm, ExportWisdom* out, ImportWisdom* in);

}  // namespace weft::fftw_mpi
