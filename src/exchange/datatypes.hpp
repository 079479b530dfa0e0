// MPI datatypes by RAII: reals, and boxes of arrays with any strides.
#pragma once

#include <mpi.h>

#include <utility>

#include "weft/types.hpp"

namespace weft {

template <class Real>
MPI_Datatype mpi_real();
template <>
inline MPI_Datatype mpi_real<double>() {
  return MPI_DOUBLE;
}
template <>
inline MPI_Datatype mpi_real<float>() {
  return MPI_FLOAT;
}

/// A committed datatype that frees itself.
class Datatype {
 public:
  Datatype() = default;
  /// Takes a type that is not committed yet.
  explicit Datatype(MPI_Datatype type) : type_(type) { MPI_Type_commit(&type_); }
  Datatype(Datatype&& other) noexcept : type_(std::exchange(other.type_, MPI_DATATYPE_NULL)) {}
  Datatype& operator=(Datatype&& other) noexcept {
    std::swap(type_, other.type_);
    return *this;
  }
  ~Datatype();
  MPI_Datatype get() const { return type_; }

 private:
  MPI_Datatype type_ = MPI_DATATYPE_NULL;
};

/// The elements of an array of `extents`, `strides` reals apart, each of `width` reals; elements along the last axis
/// are adjacent. The type is made of parts of at most `limit` elements (at least one), since MPI counts have 31 bits.
template <class Real>
Datatype array_type(const Extents& extents, const Extents& strides, int width, index_t limit);

/// The elements of a block of `extents`, `strides` bytes apart, each of `element_bytes`. Parts have at most `limit`
/// bytes, or one element.
Datatype block_type(const Extents& extents, const Extents& strides, index_t element_bytes, index_t limit);

}  // namespace weft
