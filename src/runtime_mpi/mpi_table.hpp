// MPI as a table of functions and constants that is filled at run time, for a library that serves any MPI. Wheels of
// the Python package are built in this way: `shim.cpp` fills a table for each family of MPI libraries, `serial.cpp` one
// without MPI. Includes no mpi.h, neither that of an MPI nor include/mpi.h of this folder.
#pragma once

#include <cstdint>

namespace weft::runtime_mpi {

/// A handle of the MPI in use, with its bits in the lowest bytes: MPICH's handles are ints, Open MPI's are pointers.
template <class Tag>
struct Handle {
  std::uint64_t bits = 0;
  friend bool operator==(const Handle&, const Handle&) = default;
};
using Comm = Handle<struct CommTag>;
using Datatype = Handle<struct DatatypeTag>;
using Op = Handle<struct OpTag>;
using Request = Handle<struct RequestTag>;
using Info = Handle<struct InfoTag>;
using Errhandler = Handle<struct ErrhandlerTag>;
using Aint = std::intptr_t;

/// Stands for MPI_STATUS_IGNORE, MPI_STATUSES_IGNORE and MPI_COMM_NULL_COPY_FN: Weft uses no other values there.
struct Ignored {};
using Forget = int (*)(Comm comm, int keyval, void* value, void* extra);

/// The functions: CALL(name, arguments) for each, as in the standard. Those of the second list have arrays of handles,
/// or a function among their arguments, or end a request.
#define WEFT_MPI_PLAIN_CALLS(CALL)                                                                                 \
  CALL(Init_thread, (int* argc, char*** argv, int required, int* provided))                                        \
  CALL(Finalize, ())                                                                                               \
  CALL(Initialized, (int* flag))                                                                                   \
  CALL(Finalized, (int* flag))                                                                                     \
  CALL(Query_thread, (int* provided))                                                                              \
  CALL(Get_library_version, (char* text, int* length))                                                             \
  CALL(Get_processor_name, (char* text, int* length))                                                              \
  CALL(Error_string, (int code, char* text, int* length))                                                          \
  CALL(Get_address, (const void* location, Aint* address))                                                         \
  CALL(Comm_rank, (Comm comm, int* rank))                                                                          \
  CALL(Comm_size, (Comm comm, int* size))                                                                          \
  CALL(Comm_test_inter, (Comm comm, int* flag))                                                                    \
  CALL(Comm_dup, (Comm comm, Comm * result))                                                                       \
  CALL(Comm_split, (Comm comm, int color, int key, Comm* result))                                                  \
  CALL(Comm_split_type, (Comm comm, int type, int key, Info info, Comm* result))                                   \
  CALL(Comm_free, (Comm * comm))                                                                                   \
  CALL(Comm_set_errhandler, (Comm comm, Errhandler handler))                                                       \
  CALL(Comm_set_attr, (Comm comm, int keyval, void* value))                                                        \
  CALL(Comm_get_attr, (Comm comm, int keyval, void* value, int* found))                                            \
  CALL(Type_commit, (Datatype * type))                                                                             \
  CALL(Type_free, (Datatype * type))                                                                               \
  CALL(Type_size, (Datatype type, int* size))                                                                      \
  CALL(Type_get_extent, (Datatype type, Aint * lower, Aint * extent))                                              \
  CALL(Type_contiguous, (int count, Datatype inner, Datatype* result))                                             \
  CALL(Type_create_hvector, (int count, int length, Aint stride, Datatype inner, Datatype* result))                \
  CALL(Type_create_hindexed_block, (int count, int length, const Aint* offsets, Datatype inner, Datatype* result)) \
  CALL(Isend, (const void* data, int count, Datatype type, int peer, int tag, Comm comm, Request* request))        \
  CALL(Irecv, (void* data, int count, Datatype type, int peer, int tag, Comm comm, Request* request))              \
  CALL(Send_init, (const void* data, int count, Datatype type, int peer, int tag, Comm comm, Request* request))    \
  CALL(Recv_init, (void* data, int count, Datatype type, int peer, int tag, Comm comm, Request* request))          \
  CALL(Start, (Request * request))                                                                                 \
  CALL(Request_free, (Request * request))                                                                          \
  CALL(Sendrecv, (const void* sent, int send_count, Datatype send_type, int to, int send_tag, void* received,      \
                  int receive_count, Datatype receive_type, int from, int receive_tag, Comm comm, Ignored status)) \
  CALL(Allreduce, (const void* in, void* out, int count, Datatype type, Op op, Comm comm))                         \
  CALL(Ibarrier, (Comm comm, Request * request))                                                                   \
  CALL(Ibcast, (void* data, int count, Datatype type, int root, Comm comm, Request* request))                      \
  CALL(Iallreduce, (const void* in, void* out, int count, Datatype type, Op op, Comm comm, Request* request))      \
  CALL(Iallgather, (const void* in, int send_count, Datatype send_type, void* out, int receive_count,              \
                    Datatype receive_type, Comm comm, Request* request))                                           \
  CALL(Ialltoallv,                                                                                                 \
       (const void* in, const int* send_counts, const int* send_offsets, Datatype send_type, void* out,            \
        const int* receive_counts, const int* receive_offsets, Datatype receive_type, Comm comm, Request* request))
#define WEFT_MPI_OTHER_CALLS(CALL)                                                                                   \
  CALL(Comm_create_keyval, (Ignored copy, Forget forget, int* keyval, void* extra))                                  \
  CALL(Type_create_struct,                                                                                           \
       (int count, const int* lengths, const Aint* offsets, const Datatype* types, Datatype* result))                \
  CALL(Wait, (Request * request, Ignored status))                                                                    \
  CALL(Test, (Request * request, int* done, Ignored status))                                                         \
  CALL(Testall, (int count, Request* requests, int* done, Ignored statuses))                                         \
  CALL(Testsome, (int count, Request* requests, int* completed, int* indices, Ignored statuses))                     \
  CALL(Ialltoallw, (const void* in, const int* send_counts, const int* send_offsets, const Datatype* send_types,     \
                    void* out, const int* receive_counts, const int* receive_offsets, const Datatype* receive_types, \
                    Comm comm, Request* request))
#define WEFT_MPI_CALLS(CALL) WEFT_MPI_PLAIN_CALLS(CALL) WEFT_MPI_OTHER_CALLS(CALL)

/// The constants: HANDLE(type, name in the table, name of MPI) and NUMBER(name in the table, name of MPI).
#define WEFT_MPI_CONSTANTS(HANDLE, NUMBER)        \
  HANDLE(Comm, comm_null, MPI_COMM_NULL)          \
  HANDLE(Comm, comm_self, MPI_COMM_SELF)          \
  HANDLE(Comm, comm_world, MPI_COMM_WORLD)        \
  HANDLE(Request, request_null, MPI_REQUEST_NULL) \
  HANDLE(Datatype, type_null, MPI_DATATYPE_NULL)  \
  HANDLE(Datatype, type_char, MPI_CHAR)           \
  HANDLE(Datatype, type_byte, MPI_BYTE)           \
  HANDLE(Datatype, type_int, MPI_INT)             \
  HANDLE(Datatype, type_int64, MPI_INT64_T)       \
  HANDLE(Datatype, type_uint64, MPI_UINT64_T)     \
  HANDLE(Datatype, type_float, MPI_FLOAT)         \
  HANDLE(Datatype, type_double, MPI_DOUBLE)       \
  HANDLE(Op, op_sum, MPI_SUM)                     \
  HANDLE(Op, op_min, MPI_MIN)                     \
  HANDLE(Op, op_max, MPI_MAX)                     \
  HANDLE(Op, op_bor, MPI_BOR)                     \
  HANDLE(Info, info_null, MPI_INFO_NULL)          \
  HANDLE(Errhandler, fatal, MPI_ERRORS_ARE_FATAL) \
  NUMBER(undefined, MPI_UNDEFINED)                \
  NUMBER(no_keyval, MPI_KEYVAL_INVALID)           \
  NUMBER(shared, MPI_COMM_TYPE_SHARED)            \
  NUMBER(single, MPI_THREAD_SINGLE)               \
  NUMBER(funneled, MPI_THREAD_FUNNELED)           \
  NUMBER(multiple, MPI_THREAD_MULTIPLE)

struct Table {
  int comm_bytes = 0;  ///< size of a communicator's handle in memory
  void* bottom = nullptr;
  double (*Wtime)() = nullptr;
#define WEFT_HANDLE(type, name, of_mpi) type name;
#define WEFT_NUMBER(name, of_mpi) int name = 0;
#define WEFT_CALL(name, arguments) int(*name) arguments = nullptr;  // NOLINT(bugprone-macro-parentheses)
  WEFT_MPI_CONSTANTS(WEFT_HANDLE, WEFT_NUMBER)
  WEFT_MPI_CALLS(WEFT_CALL)
#undef WEFT_HANDLE
#undef WEFT_NUMBER
#undef WEFT_CALL
};

/// One rank, without any MPI.
const Table& serial();

/// The table in use: that of one rank until use() has set another.
const Table& table();
/// Call it before any other function of the library. The table has to live as long as the process.
void use(const Table& other);

/// The communicator whose handle lies at an address, with the size of handles of the MPI in use.
Comm comm_at(const void* address);

/// Takes the table of a library that shim.cpp was compiled into. Throws std::runtime_error if it cannot be loaded.
void use_library(const char* path);

}  // namespace weft::runtime_mpi
