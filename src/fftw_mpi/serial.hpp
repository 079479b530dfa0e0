// FFTW's own functions, which functions of this library with the same names hide.
#pragma once

namespace weft::fftw_mpi {

/// The next definition of a function after that of this library, in load order; null if there is none.
void* next_symbol(const char* name);
template <class Function>
Function* next(const char* name) {
  return reinterpret_cast<Function*>(next_symbol(name));
}

/// A function of FFTW's MPI library, which is loaded and initialised if it is not yet. Null if there is none
/// for the MPI of the program. Its plans are FFTW's.
void* next_mpi_symbol(const char* name);
template <class Function>
Function* next_mpi(const char* name) {
  return reinterpret_cast<Function*>(next_mpi_symbol(name));
}
/// Cleans up by FFTW's fftw_mpi_cleanup, or fftwf_mpi_cleanup, as named, and says whether that was used.
bool clean_up_mpi(const char* name);

/// Ends the program with a message if it runs another MPI than this library was built for: their communicators differ.
void check_mpi();
/// Throws Error if the program's fftw_execute is not that of this library: it would take plans of Weft for FFTW's.
void check_linked();

}  // namespace weft::fftw_mpi
