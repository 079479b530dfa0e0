// Functions of Python that the library calls while it works, to tell how far it is.
#pragma once

#include <mpi.h>
#include <nanobind/nanobind.h>

#include <exception>
#include <utility>

namespace weft::python {

/// Calls such functions. The ranks do not wait for each other while one of them tells: an error is printed there and
/// forgotten. What ends a program (KeyboardInterrupt, SystemExit) ends the work at once where one rank does it; several
/// go on together, and finish() raises it behind.
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
      // Python notes signals, and handles them when it is asked.
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
