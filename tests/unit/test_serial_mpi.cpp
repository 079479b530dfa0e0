// The table of one rank that stands for MPI in a wheel: datatypes, messages to oneself, collectives, attributes.
#include <gtest/gtest.h>

#include <array>
#include <cstddef>
#include <numeric>
#include <vector>

#include "runtime_mpi/mpi_table.hpp"

namespace weft::runtime_mpi {
namespace {

const Table& mpi = serial();

std::vector<double> counted(std::size_t n) {
  std::vector<double> result(n);
  std::iota(result.begin(), result.end(), 1.0);
  return result;
}

/// The 2 x 3 doubles from row 1 and column 2 on of an array with 8 columns.
Datatype block_type() {
  Datatype row, rows, block;
  mpi.Type_contiguous(3, mpi.type_double, &row);
  mpi.Type_create_hvector(2, 1, 8 * sizeof(double), row, &rows);
  const Aint offset = 10 * sizeof(double);
  mpi.Type_create_hindexed_block(1, 1, &offset, rows, &block);
  mpi.Type_commit(&block);
  mpi.Type_free(&row);
  mpi.Type_free(&rows);
  return block;
}
const std::vector<double> block_of_counted{11, 12, 13, 19, 20, 21};

TEST(SerialMpi, IsOneRank) {
  int rank = -1, size = -1, inter = -1, running = -1, over = -1;
  mpi.Comm_rank(mpi.comm_world, &rank);
  mpi.Comm_size(mpi.comm_self, &size);
  mpi.Comm_test_inter(mpi.comm_world, &inter);
  mpi.Initialized(&running);
  mpi.Finalized(&over);
  EXPECT_EQ((std::array{rank, size, inter, running, over}), (std::array{0, 1, 0, 1, 0}));
  EXPECT_NE(mpi.comm_world, mpi.comm_null);
  EXPECT_NE(mpi.comm_world, mpi.comm_self);
}

TEST(SerialMpi, EveryEntryIsThere) {
#define WEFT_CALL(name, arguments) EXPECT_NE(mpi.name, nullptr) << #name;
  WEFT_MPI_CALLS(WEFT_CALL)
#undef WEFT_CALL
}

TEST(SerialMpi, TypesHaveTheirSizesAndExtents) {
  Datatype block = block_type();
  int bytes = 0;
  Aint lower = 0, extent = 0;
  mpi.Type_size(block, &bytes);
  mpi.Type_get_extent(block, &lower, &extent);
  EXPECT_EQ(bytes, 48);
  EXPECT_EQ(lower, 80);
  EXPECT_EQ(extent, 88);  // from the first byte of the first row to the last byte of the second
  mpi.Type_free(&block);
  EXPECT_EQ(block, mpi.type_null);
  const std::array<int, 2> lengths{1, 2};
  const std::array<Aint, 2> offsets{0, 16};
  const std::array<Datatype, 2> types{mpi.type_int, mpi.type_double};
  mpi.Type_create_struct(2, lengths.data(), offsets.data(), types.data(), &block);
  mpi.Type_size(block, &bytes);
  mpi.Type_get_extent(block, &lower, &extent);
  EXPECT_EQ(bytes, 20);
  EXPECT_EQ(extent, 32);
  mpi.Type_free(&block);
}

TEST(SerialMpi, MessagesToOneselfArriveWhicheverSideIsFirst) {
  const std::vector<double> sent = counted(32);
  Datatype block = block_type();
  for (const bool send_first : {true, false}) {
    std::vector<double> received(6, 0.0), other(6, 0.0);
    std::array<Request, 3> requests{};
    const auto send = [&](std::size_t i) { mpi.Isend(sent.data(), 1, block, 0, 5, mpi.comm_world, &requests[i]); };
    const auto receive = [&](std::vector<double>& to, int tag, std::size_t i) {
      mpi.Irecv(to.data(), 6, mpi.type_double, 0, tag, mpi.comm_world, &requests[i]);
    };
    receive(other, 4, 2);  // of another tag, so nothing comes
    int done = -1;
    if (send_first) send(0);
    if (!send_first) receive(received, 5, 1);
    mpi.Testall(2, requests.data(), &done, {});
    EXPECT_EQ(done, 0) << "the other side is missing";
    if (send_first) receive(received, 5, 1);
    if (!send_first) send(0);
    mpi.Testall(2, requests.data(), &done, {});
    EXPECT_EQ(done, 1);
    EXPECT_EQ(received, block_of_counted);
    EXPECT_EQ(requests[0], mpi.request_null);
    EXPECT_EQ(requests[1], mpi.request_null);
    mpi.Test(&requests[2], &done, {});
    EXPECT_EQ(done, 0);
    mpi.Isend(block_of_counted.data(), 6, mpi.type_double, 0, 4, mpi.comm_world, &requests[0]);
    EXPECT_EQ(mpi.Wait(&requests[2], {}), 0);
    EXPECT_EQ(mpi.Wait(&requests[0], {}), 0);
    EXPECT_EQ(other, block_of_counted);
  }
  mpi.Type_free(&block);
}

TEST(SerialMpi, PersistentMessagesStartAgain) {
  std::vector<double> sent = counted(3), received(3, 0.0);
  std::array<Request, 2> requests{};
  mpi.Send_init(sent.data(), 3, mpi.type_double, 0, 1, mpi.comm_self, &requests[0]);
  mpi.Recv_init(received.data(), 3, mpi.type_double, 0, 1, mpi.comm_self, &requests[1]);
  std::array<int, 2> indices{};
  int completed = 0;
  mpi.Testsome(2, requests.data(), &completed, indices.data(), {});
  EXPECT_EQ(completed, mpi.undefined) << "none has been started";
  for (int turn = 0; turn < 3; turn++) {
    sent[1] = 100 + turn;
    mpi.Start(&requests[0]);
    mpi.Testsome(2, requests.data(), &completed, indices.data(), {});
    EXPECT_EQ(completed, 0);
    mpi.Start(&requests[1]);
    mpi.Testsome(2, requests.data(), &completed, indices.data(), {});
    EXPECT_EQ(completed, 2);
    EXPECT_EQ(received, sent);
    mpi.Testsome(2, requests.data(), &completed, indices.data(), {});
    EXPECT_EQ(completed, mpi.undefined) << "those that have arrived count once";
  }
  for (Request& request : requests) mpi.Request_free(&request);
  EXPECT_EQ(requests[0], mpi.request_null);
}

TEST(SerialMpi, CollectivesAreCopies) {
  const std::vector<double> in = counted(32);
  std::vector<double> out(4, 0.0);
  Request request;
  mpi.Iallreduce(in.data(), out.data(), 4, mpi.type_double, mpi.op_sum, mpi.comm_world, &request);
  EXPECT_EQ(request, mpi.request_null);
  EXPECT_EQ(out, counted(4));
  const int two = 2, three = 3;
  mpi.Ialltoallv(in.data(), &two, &three, mpi.type_double, out.data(), &two, &two, mpi.type_double, mpi.comm_world,
                 &request);
  EXPECT_EQ(out, (std::vector<double>{1, 2, 4, 5}));
  Datatype block = block_type();
  const int one = 1, six = 6, none = 0;
  std::vector<double> packed(6, 0.0), back(32, 0.0);
  mpi.Ialltoallw(in.data(), &one, &none, &block, packed.data(), &six, &none, &mpi.type_double, mpi.comm_world,
                 &request);
  EXPECT_EQ(packed, block_of_counted);
  mpi.Ialltoallw(packed.data(), &six, &none, &mpi.type_double, back.data(), &one, &none, &block, mpi.comm_world,
                 &request);
  for (std::size_t i = 0; i < back.size(); i++) {
    const bool inside = i / 8 >= 1 && i / 8 <= 2 && i % 8 >= 2 && i % 8 <= 4;
    EXPECT_EQ(back[i], inside ? in[i] : 0.0) << i;
  }
  mpi.Type_free(&block);
}

TEST(SerialMpi, CommunicatorsForgetTheirAttributesWhenTheyAreFreed) {
  static int forgotten = 0;
  int keyval = mpi.no_keyval, other = mpi.no_keyval;
  const Forget forget = [](Comm, int, void* value, void*) {
    forgotten += *static_cast<int*>(value);
    return 0;
  };
  mpi.Comm_create_keyval({}, forget, &keyval, nullptr);
  mpi.Comm_create_keyval({}, forget, &other, nullptr);
  EXPECT_NE(keyval, other);
  Comm a, b;
  mpi.Comm_dup(mpi.comm_world, &a);
  mpi.Comm_split(mpi.comm_world, 0, 0, &b);
  EXPECT_NE(a, b);
  int value = 7;
  mpi.Comm_set_attr(a, keyval, &value);
  void* found = nullptr;
  int there = -1;
  mpi.Comm_get_attr(a, keyval, static_cast<void*>(&found), &there);
  EXPECT_EQ(there, 1);
  EXPECT_EQ(found, &value);
  mpi.Comm_get_attr(b, keyval, static_cast<void*>(&found), &there);
  EXPECT_EQ(there, 0);
  mpi.Comm_free(&b);
  EXPECT_EQ(forgotten, 0);
  mpi.Comm_free(&a);
  EXPECT_EQ(forgotten, 7);
  EXPECT_EQ(a, mpi.comm_null);
}

}  // namespace
}  // namespace weft::runtime_mpi
