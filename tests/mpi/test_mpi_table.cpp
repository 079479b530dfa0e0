// The table through which a wheel calls MPI, filled for the MPI of this build: handles, arrays of handles, callbacks.
#include <gtest/gtest.h>

#include <array>
#include <cstddef>
#include <vector>

#include "runtime_mpi/mpi_table.hpp"

extern "C" const weft::runtime_mpi::Table* weft_mpi_table();

namespace weft::runtime_mpi {
namespace {

const Table& mpi() { return *weft_mpi_table(); }
int rank() {
  int result = -1;
  mpi().Comm_rank(mpi().comm_world, &result);
  return result;
}
int ranks() {
  int result = -1;
  mpi().Comm_size(mpi().comm_world, &result);
  return result;
}
void wait(Request& request) {
  EXPECT_EQ(mpi().Wait(&request, {}), 0);
  EXPECT_EQ(request, mpi().request_null);
}

TEST(MpiTable, ReducesAndBroadcasts) {
  Request request = mpi().request_null;
  int value = rank() + 1, sum = 0, largest = 0;
  mpi().Iallreduce(&value, &sum, 1, mpi().type_int, mpi().op_sum, mpi().comm_world, &request);
  wait(request);
  EXPECT_EQ(sum, ranks() * (ranks() + 1) / 2);
  mpi().Allreduce(&value, &largest, 1, mpi().type_int, mpi().op_max, mpi().comm_world);
  EXPECT_EQ(largest, ranks());
  double text = rank() == 0 ? 2.5 : 0;
  mpi().Ibcast(&text, 1, mpi().type_double, 0, mpi().comm_world, &request);
  wait(request);
  EXPECT_EQ(text, 2.5);
}

// Each rank sends a column to each: row r of the result is this rank's column of rank r.
TEST(MpiTable, ExchangesColumnsByTypes) {
  const int n = ranks();
  const auto count = static_cast<std::size_t>(n);
  Datatype column, row;
  mpi().Type_create_hvector(n, 1, n * static_cast<Aint>(sizeof(double)), mpi().type_double, &column);
  mpi().Type_contiguous(n, mpi().type_double, &row);
  mpi().Type_commit(&column);
  mpi().Type_commit(&row);
  std::vector<double> in, out(count * count, -1.0);
  for (int i = 0; i < n * n; i++) in.push_back(1000 * rank() + i);
  const std::vector<int> ones(count, 1);
  std::vector<int> columns, rows;
  for (int i = 0; i < n; i++) {
    columns.push_back(i * static_cast<int>(sizeof(double)));
    rows.push_back(i * n * static_cast<int>(sizeof(double)));
  }
  Request request = mpi().request_null;
  {
    const std::vector<Datatype> sent(count, column), received(count, row);
    mpi().Ialltoallw(in.data(), ones.data(), columns.data(), sent.data(), out.data(), ones.data(), rows.data(),
                     received.data(), mpi().comm_world, &request);
  }  // the table keeps its own copies of types
  for (int done = 0; done == 0;) mpi().Test(&request, &done, {});
  EXPECT_EQ(request, mpi().request_null);
  for (int r = 0; r < n; r++)
    for (int i = 0; i < n; i++)
      EXPECT_EQ(out[static_cast<std::size_t>(r * n + i)], 1000 * r + i * n + rank()) << r << " " << i;
  mpi().Type_free(&column);
  mpi().Type_free(&row);
  EXPECT_EQ(row, mpi().type_null);
}

TEST(MpiTable, PersistentMessagesGoRoundTheRing) {
  const int to = (rank() + 1) % ranks(), from = (rank() + ranks() - 1) % ranks();
  int sent = 0, received = -1;
  std::array<Request, 2> requests{};
  mpi().Send_init(&sent, 1, mpi().type_int, to, 3, mpi().comm_world, &requests[0]);
  mpi().Recv_init(&received, 1, mpi().type_int, from, 3, mpi().comm_world, &requests[1]);
  for (int turn = 0; turn < 3; turn++) {
    sent = 10 * rank() + turn;
    for (Request& request : requests) mpi().Start(&request);
    for (int open = 2; open > 0;) {
      std::array<int, 2> indices{};
      int completed = 0;
      mpi().Testsome(2, requests.data(), &completed, indices.data(), {});
      open -= completed;
    }
    EXPECT_EQ(received, 10 * from + turn);
  }
  for (Request& request : requests) mpi().Request_free(&request);
  std::array<Request, 2> single{};
  mpi().Isend(&sent, 1, mpi().type_int, to, 4, mpi().comm_world, &single[0]);
  mpi().Irecv(&received, 1, mpi().type_int, from, 4, mpi().comm_world, &single[1]);
  for (int done = 0; done == 0;) mpi().Testall(2, single.data(), &done, {});
  EXPECT_EQ(single[1], mpi().request_null);
  EXPECT_EQ(received, 10 * from + 2);
}

TEST(MpiTable, AttributesAreForgottenWithTheirCommunicator) {
  static Comm freed;
  static void* forgotten = nullptr;
  const Forget forget = [](Comm comm, int, void* value, void*) {
    freed = comm;
    forgotten = value;
    return 0;
  };
  Comm copy;
  mpi().Comm_dup(mpi().comm_world, &copy);
  int keyval = mpi().no_keyval, value = 0, found = 0;
  void* known = nullptr;
  mpi().Comm_create_keyval({}, forget, &keyval, nullptr);
  mpi().Comm_set_attr(copy, keyval, &value);
  mpi().Comm_get_attr(copy, keyval, static_cast<void*>(&known), &found);
  EXPECT_EQ(found, 1);
  EXPECT_EQ(known, &value);
  const Comm before = copy;
  mpi().Comm_free(&copy);
  EXPECT_EQ(copy, mpi().comm_null);
  EXPECT_EQ(freed, before);
  EXPECT_EQ(forgotten, &value);
}

TEST(MpiTable, StructuresOfTypesHaveTheirExtent) {
  const std::array<int, 2> lengths{1, 2};
  const std::array<Aint, 2> offsets{0, 16};
  const std::array<Datatype, 2> types{mpi().type_int, mpi().type_double};
  Datatype made;
  mpi().Type_create_struct(2, lengths.data(), offsets.data(), types.data(), &made);
  int bytes = 0;
  Aint lower = -1, extent = 0;
  mpi().Type_size(made, &bytes);
  mpi().Type_get_extent(made, &lower, &extent);
  EXPECT_EQ(bytes, 20);
  EXPECT_EQ(lower, 0);
  EXPECT_EQ(extent, 32);
  mpi().Type_free(&made);
}

}  // namespace
}  // namespace weft::runtime_mpi
