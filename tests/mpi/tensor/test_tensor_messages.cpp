// How many messages a tensor transform sends, counted where MPI is called, against the numbers of the algorithms.
#include "message_counter.hpp"
#include "tensor_fixture.hpp"

namespace weft::tensor_test {
namespace {

struct Counted {
  std::vector<TensorTraffic> traffic;
  index_t messages, to_oneself, collectives;  // on all ranks
  index_t sent;                               // what the transforms say themselves
};

Counted count(const Extents& shape, const TensorOptions& options, bool backward = false) {
  const Comm world(MPI_COMM_WORLD);
  TensorDft<double> transform(MPI_COMM_WORLD, shape, Kind::c2c, options);
  std::vector<double> points = transform.physical_field(), modes = transform.spectral_field();
  const Calls before = calls();
  if (backward)
    transform.backward(modes.data(), points.data());
  else
    transform.forward(points.data(), modes.data());
  const Calls after = calls();
  return {transform.traffic(), world.sum(after.messages - before.messages),
          world.sum(after.to_oneself - before.to_oneself), world.sum(after.collectives - before.collectives),
          world.sum(transform.messages_sent())};
}

index_t total(const std::vector<TensorTraffic>& traffic) {
  index_t messages = 0;
  for (const TensorTraffic& entry : traffic) messages += entry.alignments + entry.shifts;
  return messages;
}

// Side of the cubic mesh of all ranks, or 0.
int cube_side() {
  int side = 1;
  while (side * side * side < ranks()) side++;
  return side * side * side == ranks() ? side : 0;
}

bool messages_are_split() { return std::getenv("WEFT_MESSAGE_LIMIT") != nullptr; }

// 2 p^2 (p - 1) messages align a product, each of its p - 1 shifts takes 2 p^3: p events in all.
TEST(TensorMessages, AreThoseOfThePaper) {
  const int p = cube_side();
  if (p == 0 || messages_are_split()) GTEST_SKIP() << "a cubic mesh and whole messages are needed";
  for (const bool backward : {false, true}) {
    const Counted counted =
        count({12, 12, 12}, with(TensorAlgorithm::cannon, MatrixBlocks::circulate, Folding::off), backward);
    for (int i = 0; i < 3; i++) {
      const TensorTraffic& product = counted.traffic[static_cast<std::size_t>(i)];
      EXPECT_EQ(product.axis, backward ? i : 2 - i);
      EXPECT_EQ(product.alignments, 2 * p * p * (p - 1));
      EXPECT_EQ(product.shifts, (p - 1) * 2 * p * p * p);
      EXPECT_EQ(product.events, p > 1 ? p : 0);
    }
    EXPECT_EQ(counted.messages, 3 * (2 * p * p * (p - 1) + (p - 1) * 2 * p * p * p));
  }
}

// Matrix blocks of a rank's own: nothing is aligned, and a shift is one message a rank.
TEST(TensorMessages, HalfWithOwnMatrixBlocks) {
  const int p = cube_side();
  if (p == 0 || messages_are_split()) GTEST_SKIP() << "a cubic mesh and whole messages are needed";
  const Counted counted = count({12, 12, 12}, with(TensorAlgorithm::cannon, MatrixBlocks::own, Folding::off));
  for (int i = 0; i < 3; i++) EXPECT_EQ(counted.traffic[static_cast<std::size_t>(i)].alignments, 0);
  EXPECT_EQ(counted.messages, 3 * (p - 1) * p * p * p);
}

// Whatever the mesh: what a transform says it sent is what MPI was given, and no rank talks to all or to itself.
TEST(TensorMessages, AreCountedAndPointToPoint) {
  for (const std::vector<int>& mesh : meshes(ranks()))
    for (TensorOptions options : all_ways()) {
      options.mesh = mesh;
      SCOPED_TRACE(text({7, 12, 10}, Kind::c2c, options));
      const Counted counted = count({7, 12, 10}, options);
      EXPECT_EQ(counted.messages, total(counted.traffic));
      EXPECT_EQ(counted.messages, counted.sent);
      EXPECT_EQ(counted.to_oneself, 0);
      EXPECT_EQ(counted.collectives, 0);
    }
}

// In a ring of r ranks everything but a rank's own block passes it once: (r - 1) blocks of the array.
TEST(TensorMessages, BytesOfAShift) {
  TensorOptions options = with(TensorAlgorithm::cannon, MatrixBlocks::own, Folding::off);
  options.mesh = {1, 1, ranks()};
  const Counted counted = count({4, 6, 12}, options);
  EXPECT_EQ(counted.traffic[0].bytes, (ranks() - 1) * 4 * 6 * 12 * static_cast<index_t>(sizeof(std::complex<double>)));
}

TEST(TensorMessages, EventsCanBeTimedAlone) {
  const std::vector<int> mesh{1, 1, ranks()};
  EXPECT_GT(tensor_event_seconds<double>(MPI_COMM_WORLD, mesh, 8, 2, 2), 0);
  EXPECT_GT(tensor_event_seconds<float>(MPI_COMM_WORLD, mesh, 8, 0, 2), 0);
}

}  // namespace
}  // namespace weft::tensor_test
