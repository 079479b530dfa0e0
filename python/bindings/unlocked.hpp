// How the bindings call the library: other Python threads run meanwhile, and what shares memory waits for its turn.
#pragma once

#include <nanobind/nanobind.h>

#include <memory>
#include <mutex>
#include <utility>

namespace weft {
class Workspace;
}

namespace weft::python {

namespace nb = nanobind;

/// Calls that hold the same lock come one after the other. A kernel written in Python may use the object that calls it,
/// so a thread may take its lock again.
using CallLock = std::shared_ptr<std::recursive_mutex>;

/// The lock of an object: a new one, or that of all objects with this workspace. One for all where MPI was started for
/// calls of one thread at a time. With the GIL.
CallLock call_lock(const std::shared_ptr<Workspace>& workspace = nullptr);
/// The lock of all calls that use files: HDF5 is not for several threads.
CallLock file_lock();

/// work() without the GIL, and its result. Nobody waits for a lock while he holds the GIL: who has the lock may need
/// the GIL to go on.
template <class Work>
auto without_gil(const CallLock& lock, const Work& work) {
  const nb::gil_scoped_release release;
  const std::scoped_lock held(*lock);
  return work();
}

/// A Python object for the library's functions, which copy and drop it without the GIL. Made with it.
class HeldObject {
 public:
  explicit HeldObject(nb::object object) : object_(new nb::object(std::move(object)), &drop) {}
  /// With the GIL.
  const nb::object& operator*() const { return *object_; }

 private:
  // What outlives the interpreter stays.
  static void drop(nb::object* object) {
    if (Py_IsInitialized() == 0) return;
    const nb::gil_scoped_acquire gil;
    delete object;
  }

  std::shared_ptr<nb::object> object_;
};

}  // namespace weft::python
