// The machine and the libraries that a tuning or machine file was made with.
#pragma once

#include <string>

#include "weft/types.hpp"

namespace weft {

/// The machine and the libraries of this process.
struct Machine {
  std::string processor;     ///< model name, as the operating system gives it
  index_t cores = 0;         ///< of the node
  std::string instructions;  ///< the lane kernels in use: "avx512", "avx2", "baseline", "neon"
  std::string mpi;           ///< name and version of the MPI library, its first line
  std::string fftw, weft;    ///< versions
};

Machine this_machine();

/// Why a tuning for `theirs` cannot be used on `ours`, such as "it is for 64 cores, here are 2"; empty if it can.
std::string difference(const Machine& theirs, const Machine& ours);

}  // namespace weft
