// MPI's functions as the library calls them: counted, then passed on.
#include "message_counter.hpp"

#include <mpi.h>

namespace weft::tensor_test {

namespace {

Calls total;

void count_message(int peer, MPI_Comm comm) {
  int rank = 0;
  PMPI_Comm_rank(comm, &rank);
  (peer == rank ? total.to_oneself : total.messages)++;
}

}  // namespace

Calls calls() { return total; }

}  // namespace weft::tensor_test

using weft::tensor_test::count_message;
using weft::tensor_test::total;

extern "C" {

int MPI_Isend(const void* data, int count, MPI_Datatype type, int peer, int tag, MPI_Comm comm, MPI_Request* request) {
  count_message(peer, comm);
  return PMPI_Isend(data, count, type, peer, tag, comm, request);
}
int MPI_Send(const void* data, int count, MPI_Datatype type, int peer, int tag, MPI_Comm comm) {
  count_message(peer, comm);
  return PMPI_Send(data, count, type, peer, tag, comm);
}
int MPI_Sendrecv(const void* data, int count, MPI_Datatype type, int peer, int tag, void* to, int to_count,
                 MPI_Datatype to_type, int from, int from_tag, MPI_Comm comm, MPI_Status* status) {
  count_message(peer, comm);
  return PMPI_Sendrecv(data, count, type, peer, tag, to, to_count, to_type, from, from_tag, comm, status);
}
int MPI_Iallreduce(const void* in, void* out, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm,
                   MPI_Request* request) {
  total.collectives++;
  return PMPI_Iallreduce(in, out, count, type, op, comm, request);
}
int MPI_Ibcast(void* data, int count, MPI_Datatype type, int root, MPI_Comm comm, MPI_Request* request) {
  total.collectives++;
  return PMPI_Ibcast(data, count, type, root, comm, request);
}
int MPI_Ibarrier(MPI_Comm comm, MPI_Request* request) {
  total.collectives++;
  return PMPI_Ibarrier(comm, request);
}
int MPI_Iallgather(const void* in, int in_count, MPI_Datatype in_type, void* out, int out_count, MPI_Datatype out_type,
                   MPI_Comm comm, MPI_Request* request) {
  total.collectives++;
  return PMPI_Iallgather(in, in_count, in_type, out, out_count, out_type, comm, request);
}
int MPI_Ialltoallv(const void* in, const int* in_counts, const int* in_places, MPI_Datatype in_type, void* out,
                   const int* out_counts, const int* out_places, MPI_Datatype out_type, MPI_Comm comm,
                   MPI_Request* request) {
  total.collectives++;
  return PMPI_Ialltoallv(in, in_counts, in_places, in_type, out, out_counts, out_places, out_type, comm, request);
}
}
