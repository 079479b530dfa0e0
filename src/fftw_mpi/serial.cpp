// Looks for FFTW's own functions among the libraries of the program.
#include "fftw_mpi/serial.hpp"

#include <dlfcn.h>
#include <mpi.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

#include "weft/error.hpp"

namespace weft::fftw_mpi {

void* next_symbol(const char* name) { return dlsym(RTLD_NEXT, name); }

void check_mpi() {
#ifdef OPEN_MPI
  constexpr bool built_for_open_mpi = true;
#else
  constexpr bool built_for_open_mpi = false;
#endif
  char version[MPI_MAX_LIBRARY_VERSION_STRING] = "";
  int length = 0;
  MPI_Get_library_version(version, &length);
  if ((std::strstr(version, "Open MPI") != nullptr) == built_for_open_mpi) return;
  std::fprintf(stderr,
               "weft: fftw_mpi_init: weft_fftw3_mpi was built for %s, but the program runs %.40s; build it with %s\n",
               built_for_open_mpi ? "Open MPI" : "MPICH", version, "the MPI of the program");
  std::exit(1);
}

void check_linked() {
  Dl_info theirs{}, ours{};
  void* execute = dlsym(RTLD_DEFAULT, "fftw_execute");
  const bool found = dladdr(execute, &theirs) != 0 && dladdr(reinterpret_cast<void*>(&check_linked), &ours) != 0;
  require(!found || theirs.dli_fbase == ours.dli_fbase,
          std::string("fftw_execute is that of ") + theirs.dli_fname +
              ", which does not know these plans; link weft_fftw3_mpi before fftw3, or load it before (LD_PRELOAD)");
}

}  // namespace weft::fftw_mpi
