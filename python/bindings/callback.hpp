// Python functions that the library calls to report progress.
#pragma once

#include <mpi.h>
#include <nanobind/nanobind.h>

#include <exception>
#include <utility>

namespace weft::python {

/// Calls such functions. Ranks do not wait for each other meanwhile, so an exception is printed and then ignored. On a
/// single rank, an exception that ends programs (KeyboardInterrupt, SystemExit) ends the work at once. On several ranks
/// the work continues, and finish() raises the exception afterwards.
class Teller {
 public:
  Teller(const char* name, MPI_Comm comm) : name_(name) {
    int size = 0;
    MPI_Comm_size(comm, &size);
    alone_ = size == 1;
  }

  template <class Call>
  void tell(const Call& call) {
    const nanobind::gil_scoped_acquire gil;
    try {
      call();
      // Python records signals, and handles them when it is asked.
      if (alone_ && PyErr_CheckSignals() != 0) throw nanobind::python_error();
    } catch (nanobind::python_error& error) {
      if (error.matches(PyExc_Exception)) {
        error.discard_as_unraisable(name_);
        return;
      }
      if (alone_) throw;
      if (end_ == nullptr) end_ = std::current_exception();
    }
  }

  void finish() {
    if (end_ != nullptr) std::rethrow_exception(std::exchange(end_, nullptr));
  }

 private:
  const char* name_;
  bool alone_ = true;
  std::exception_ptr end_;
};

}  // namespace weft::python
