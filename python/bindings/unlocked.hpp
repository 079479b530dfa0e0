// Calls of the library from Python: other Python threads run meanwhile, and objects that share memory take turns.
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

/// Calls that hold one lock run one after the other. A kernel written in Python may use the object that calls it, so a
/// thread may take its lock again.
using CallLock = std::shared_ptr<std::recursive_mutex>;

/// The lock of an object: a new one, or that of all objects with this workspace. All objects share one if MPI was
/// started for calls of one thread at a time. Call it with the GIL.
CallLock call_lock(const std::shared_ptr<Workspace>& workspace = nullptr);
/// The lock of all calls that use files, since HDF5 is not thread safe.
CallLock file_lock();

/// Calls work() without the GIL and returns its result. A thread must not wait for a lock while it holds the GIL: the
/// owner of the lock may need the GIL to continue.
template <class Work>
auto without_gil(const CallLock& lock, const Work& work) {
  const nb::gil_scoped_release release;
  const std::scoped_lock held(*lock);
  return work();
}

/// A Python object for functions that the library copies and drops without the GIL. It is made with the GIL.
class HeldObject {
 public:
  explicit HeldObject(nb::object object) : object_(new nb::object(std::move(object)), &drop) {}
  /// Call it with the GIL.
  const nb::object& operator*() const { return *object_; }

 private:
  // An object that outlives the interpreter is not freed.
  static void drop(nb::object* object) {
    if (Py_IsInitialized() == 0) return;
    const nb::gil_scoped_acquire gil;
    delete object;
  }

  std::shared_ptr<nb::object> object_;
};

}  // namespace weft::python
