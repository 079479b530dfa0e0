// Sends FFTW's wisdom, which is a text, between ranks.
#include "fftw_mpi/wisdom.hpp"

#include <cstdlib>
#include <string>

#include "weft/comm.hpp"

namespace weft::fftw_mpi {

namespace {

std::string known(ExportWisdom* out) {
  char* text = out();
  std::string result = text == nullptr ? "" : text;
  std::free(text);
  return result;
}

}  // namespace

void gather_wisdom(MPI_Comm comm, ExportWisdom* out, ImportWisdom* in) {
  const Comm ours(comm);
  for (int rank = 1; rank < ours.size(); rank++) {
    const std::string text = ours.broadcast(ours.rank() == rank ? known(out) : "", rank);
    if (ours.rank() == 0) in(text.c_str());
  }
}

void broadcast_wisdom(MPI_Comm comm, ExportWisdom* out, ImportWisdom* in) {
  const Comm ours(comm);
  const std::string text = ours.broadcast(ours.rank() == 0 ? known(out) : "", 0);
  if (ours.rank() != 0) in(text.c_str());
}

}  // namespace weft::fftw_mpi
