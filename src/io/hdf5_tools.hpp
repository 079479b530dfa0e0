// HDF5 held by RAII: handles, its error stack silenced, and the reason of the last failure as text.
#pragma once

#include <hdf5.h>
#include <mpi.h>

#include <string>
#include <utility>

#include "weft/types.hpp"

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
  /// False when HDF5 could not close it (a file: its last bytes were not written).
  bool close() { return id_ < 0 || close_(std::exchange(id_, -1)) >= 0; }

 private:
  hid_t id_ = -1;
  Close close_ = nullptr;
};

/// Ranks read together where HDF5 is built for MPI, else each by itself, which gives the same.
inline bool reads_together() {
#ifdef H5_HAVE_PARALLEL
  return true;
#else
  return false;
#endif
}
inline void read_together([[maybe_unused]] hid_t access, [[maybe_unused]] hid_t transfer,
                          [[maybe_unused]] MPI_Comm comm) {
#ifdef H5_HAVE_PARALLEL
  H5Pset_fapl_mpio(access, comm, MPI_INFO_NULL);
  H5Pset_dxpl_mpio(transfer, H5FD_MPIO_COLLECTIVE);
#endif
}

/// The innermost message of HDF5's error stack. To be asked for directly after the call that failed.
std::string hdf5_reason();

/// Shape of a dataset of a file, checked to be readable as real numbers. Throws Error(Fault::file).
Extents inspect_hdf5(const std::string& path, const std::string& dataset);

}  // namespace weft::io
