// FFTW's own functions behind those that this library has the same names for.
#pragma once

namespace weft::fftw_mpi {

/// The next definition of a function after ours, in the order in which libraries are loaded; null if there is none.
void* next_symbol(const char* name);
template <class Function>
Function* next(const char* name) {
  return reinterpret_cast<Function*>(next_symbol(name));
}

/// Ends the program with a message if it runs another MPI than this library was built for: what a communicator is then
/// differs.
void check_mpi();
/// Throws Error if the program's fftw_execute is not ours, which would take our plans for FFTW's.
void check_linked();

}  // namespace weft::fftw_mpi
