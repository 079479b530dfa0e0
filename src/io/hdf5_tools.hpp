// HDF5 held by RAII: handles, its error stack silenced, and the reason of the last failure as text.
#pragma once

#include <hdf5.h>

#include <string>
#include <utility>

#include "io/paths.hpp"
#include "weft/io.hpp"

namespace weft::io {

/// Stops HDF5 from printing its error stack as long as this lives; the user's handler comes back at the end.
class QuietHdf5 {
 public:
  QuietHdf5() {
    H5Eget_auto2(H5E_DEFAULT, &handler_, &data_);
    H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
  }
  ~QuietHdf5() { H5Eset_auto2(H5E_DEFAULT, handler_, data_); }
  QuietHdf5(const QuietHdf5&) = delete;
  QuietHdf5& operator=(const QuietHdf5&) = delete;

 private:
  H5E_auto2_t handler_ = nullptr;
  void* data_ = nullptr;
};

/// An HDF5 identifier together with the function that closes it. Negative: the call that made it failed.
class Handle {
 public:
  using Close = herr_t (*)(hid_t);
  Handle() = default;
  Handle(hid_t id, Close close) : id_(id), close_(close) {}
  Handle(Handle&& other) noexcept : id_(std::exchange(other.id_, -1)), close_(other.close_) {}
  Handle& operator=(Handle&& other) noexcept {
    std::swap(id_, other.id_);
    std::swap(close_, other.close_);
    return *this;
  }
  ~Handle() { close(); }

  operator hid_t() const { return id_; }
  bool valid() const { return id_ >= 0; }
  /// Returns false if HDF5 could not close it. The last bytes of a file are then not written.
  bool close() { return id_ < 0 || close_(std::exchange(id_, -1)) >= 0; }

 private:
  hid_t id_ = -1;
  Close close_ = nullptr;
};

/// The innermost message of HDF5's error stack. Call it directly after the failed call.
std::string hdf5_reason();

/// Throws Error(Fault::file): the output cannot be written, for HDF5's last reason.
[[noreturn]] void refuse_hdf5_output(const std::string& path);

/// Checks the identifier that a call for an output file has returned; a failure throws like refuse_hdf5_output.
inline Handle checked_handle(hid_t id, Handle::Close close, const std::string& path) {
  if (id < 0) refuse_hdf5_output(path);
  return {id, close};
}

/// Throws the Error of a failed output if an HDF5 call that returns only a status has failed.
inline void done(herr_t status, const std::string& path) {
  if (status < 0) refuse_hdf5_output(path);
}

/// Whether HDF5 takes a lock against writers, and whether it finds such a lock.
enum class Locking { shared, none };

/// The error of open_hdf5 for a file that another program is writing, or that is marked as open for writing.
class OpenForWriting : public Error {
 public:
  explicit OpenForWriting(const std::string& text) : Error(Fault::file, text) {}
};

/// Opens a file for reading on one rank. Throws Error(Fault::file).
Handle open_hdf5(const std::string& path, Locking locking);

/// Throws OpenForWriting if open_hdf5 does, and ignores all other faults.
void refuse_open_for_writing(const std::string& path);

/// Sizes per axis as a file has them, checked to be an array of 1 to 6 axes that fits in memory. `what` is for
/// messages. Throws Error(Fault::file).
Extents extents_of_dataset(hid_t dataset, const std::string& what);

/// The shape and type of a dataset, checked to be readable as real or complex numbers. Throws Error(Fault::file).
FileArray inspect_hdf5(const std::string& path, const std::string& dataset);

}  // namespace weft::io
