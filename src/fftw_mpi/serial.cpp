// Looks for FFTW's own functions among the libraries of the program.
#include "fftw_mpi/serial.hpp"

#include <dlfcn.h>
#include <mpi.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <string>

#include "weft/error.hpp"

namespace weft::fftw_mpi {

namespace {

#ifdef __APPLE__
constexpr const char* suffix = "_mpi.3.dylib";
#else
constexpr const char* suffix = "_mpi.so.3";
#endif

// "fftw" or "fftwf", with which the name of a function begins.
std::string precision_of(const char* name) { return std::string(name).substr(0, std::strcspn(name, "_")); }

// FFTW's MPI library of a precision, or null. One that was built for another MPI would take communicators of this one
// for its own. Names that begin with PMPI are those of the library itself, also where a tool counts calls.
void* loaded(const std::string& precision) {
  const std::string name = "libfftw3" + precision.substr(std::strlen("fftw")) + suffix;
  void* library = dlopen(name.c_str(), RTLD_LAZY | RTLD_LOCAL);
  if (library == nullptr) return nullptr;
  if (dlsym(library, "PMPI_Comm_rank") == reinterpret_cast<void*>(&PMPI_Comm_rank)) return library;
  dlclose(library);
  return nullptr;
}

// A function of FFTW's MPI library: of the one that the program is linked with, or of one that is loaded now.
void* find_mpi_symbol(const std::string& name) {
  if (void* linked = next_symbol(name.c_str())) return linked;
  static std::map<std::string, void*> libraries;
  const std::string precision = precision_of(name.c_str());
  auto found = libraries.find(precision);
  if (found == libraries.end()) found = libraries.emplace(precision, loaded(precision)).first;
  return found->second == nullptr ? nullptr : dlsym(found->second, name.c_str());
}

// Whether FFTW's MPI transforms of a precision are initialised. For one thread at a time, like FFTW's planner.
std::map<std::string, bool>& begun() {
  static std::map<std::string, bool> result;
  return result;
}

}  // namespace

void* next_symbol(const char* name) { return dlsym(RTLD_NEXT, name); }

void* next_mpi_symbol(const char* name) {
  const std::string precision = precision_of(name);
  void* function = find_mpi_symbol(name);
  if (function == nullptr || begun()[precision]) return function;
  auto* begin = reinterpret_cast<void (*)()>(find_mpi_symbol(precision + "_mpi_init"));
  if (begin == nullptr) return nullptr;
  begin();
  begun()[precision] = true;
  return function;
}

bool clean_up_mpi(const char* name) {
  bool& is_begun = begun()[precision_of(name)];
  if (!is_begun) return false;
  reinterpret_cast<void (*)()>(find_mpi_symbol(name))();
  is_begun = false;
  return true;
}

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
