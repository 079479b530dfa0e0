// The names of mpi.h that Weft uses, for a library that serves any MPI: calls and constants go through the table of the
// MPI that runs (mpi_table.hpp). It takes the place of an MPI's own header where WEFT_MPI=runtime.
#pragma once

#include "../mpi_table.hpp"

#define WEFT_RUNTIME_MPI 1

using MPI_Comm = weft::runtime_mpi::Comm;
using MPI_Datatype = weft::runtime_mpi::Datatype;
using MPI_Op = weft::runtime_mpi::Op;
using MPI_Request = weft::runtime_mpi::Request;
using MPI_Aint = weft::runtime_mpi::Aint;

// As large as those of any MPI.
#define MPI_MAX_LIBRARY_VERSION_STRING 8192
#define MPI_MAX_ERROR_STRING 1024
#define MPI_MAX_PROCESSOR_NAME 1024

#define MPI_SUCCESS 0
#define MPI_BOTTOM (weft::runtime_mpi::table().bottom)
#define MPI_STATUS_IGNORE \
  weft::runtime_mpi::Ignored {}
#define MPI_STATUSES_IGNORE MPI_STATUS_IGNORE
#define MPI_COMM_NULL_COPY_FN MPI_STATUS_IGNORE

#define MPI_COMM_NULL (weft::runtime_mpi::table().comm_null)
#define MPI_COMM_SELF (weft::runtime_mpi::table().comm_self)
#define MPI_COMM_WORLD (weft::runtime_mpi::table().comm_world)
#define MPI_REQUEST_NULL (weft::runtime_mpi::table().request_null)
#define MPI_DATATYPE_NULL (weft::runtime_mpi::table().type_null)
#define MPI_CHAR (weft::runtime_mpi::table().type_char)
#define MPI_BYTE (weft::runtime_mpi::table().type_byte)
#define MPI_INT (weft::runtime_mpi::table().type_int)
#define MPI_INT64_T (weft::runtime_mpi::table().type_int64)
#define MPI_UINT64_T (weft::runtime_mpi::table().type_uint64)
#define MPI_FLOAT (weft::runtime_mpi::table().type_float)
#define MPI_DOUBLE (weft::runtime_mpi::table().type_double)
#define MPI_SUM (weft::runtime_mpi::table().op_sum)
#define MPI_MIN (weft::runtime_mpi::table().op_min)
#define MPI_MAX (weft::runtime_mpi::table().op_max)
#define MPI_BOR (weft::runtime_mpi::table().op_bor)
#define MPI_INFO_NULL (weft::runtime_mpi::table().info_null)
#define MPI_ERRORS_ARE_FATAL (weft::runtime_mpi::table().fatal)
#define MPI_UNDEFINED (weft::runtime_mpi::table().undefined)
#define MPI_KEYVAL_INVALID (weft::runtime_mpi::table().no_keyval)
#define MPI_COMM_TYPE_SHARED (weft::runtime_mpi::table().shared)
#define MPI_THREAD_SINGLE (weft::runtime_mpi::table().single)
#define MPI_THREAD_FUNNELED (weft::runtime_mpi::table().funneled)
#define MPI_THREAD_MULTIPLE (weft::runtime_mpi::table().multiple)

inline double MPI_Wtime() { return weft::runtime_mpi::table().Wtime(); }
#define WEFT_CALL(name, signature)                        \
  template <class... Arguments>                           \
  inline int MPI_##name(Arguments... arguments) {         \
    return weft::runtime_mpi::table().name(arguments...); \
  }
WEFT_MPI_CALLS(WEFT_CALL)
#undef WEFT_CALL
