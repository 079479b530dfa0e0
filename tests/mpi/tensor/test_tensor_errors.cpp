// What tensor transforms refuse: the same text on every rank, and it names the argument.
#include "../environment.hpp"
#include "tensor_fixture.hpp"

namespace weft::tensor_test {
namespace {

void expect_refused(const Extents& shape, Kind kind, const TensorOptions& options,
                    const std::vector<std::string>& parts) {
  plan_test::expect_refused([&] { TensorDft<double>(MPI_COMM_WORLD, shape, kind, options); }, parts);
  plan_test::expect_refused([&] { TensorDft<float>(MPI_COMM_WORLD, shape, kind, options); }, parts);
}

TEST(TensorErrors, Shapes) {
  expect_refused({8, 8}, Kind::c2c, {}, {"shape", "2 axes", "weft::Plan"});
  expect_refused({8, 0, 8}, Kind::c2c, {}, {"shape", "axis 1", "0 points"});
  expect_refused({8, 8, index_t{1} << 31}, Kind::c2c, {}, {"shape", "axis 2", "2147483648"});
  expect_refused({1 << 29, 1 << 29, 1 << 29}, Kind::c2c, {}, {"shape", "536870912", "64 bits"});
}

TEST(TensorErrors, Kinds) { expect_refused({8, 8, 8}, Kind::dct2, {}, {"kind", "dct2", "'c2c'", "'r2c'"}); }

TEST(TensorErrors, Meshes) {
  TensorOptions options;
  options.mesh = {1, 1};
  expect_refused({8, 8, 8}, Kind::c2c, options, {"mesh", "1 x 1", "2 entries", "3 axes"});
  options.mesh = {1, 0, 1};
  expect_refused({8, 8, 8}, Kind::c2c, options, {"mesh", "1 x 0 x 1", "below 1"});
  options.mesh = {ranks() + 1, 1, 1};
  expect_refused({8, 8, 8}, Kind::c2c, options, {"mesh", "there are " + std::to_string(ranks()), "smaller mesh"});
  options.mesh = {1 << 30, 1 << 30, 1 << 30};
  expect_refused({8, 8, 8}, Kind::c2c, options, {"mesh", "at least 2147483648"});
}

TEST(TensorErrors, Threads) {
  TensorOptions options;
  options.threads = -1;
  expect_refused({8, 8, 8}, Kind::c2c, options, {"threads", "-1"});
  options.threads = 1;
  options.communication_thread = true;
  expect_refused({8, 8, 8}, Kind::c2c, options, {"communication_thread", "at least 2 threads"});
}

TEST(TensorErrors, DifferencesBetweenRanks) {
  if (ranks() == 1) GTEST_SKIP() << "one rank cannot differ from itself";
  const bool last = Comm(MPI_COMM_WORLD).rank() == ranks() - 1;
  expect_refused({8, 8, last ? 9 : 8}, Kind::c2c, {}, {"shape", "differ between ranks"});
  expect_refused({8, 8, 8}, last ? Kind::r2c : Kind::c2c, {}, {"kind", "differ between ranks"});
  TensorOptions options;
  if (last) options.algorithm = TensorAlgorithm::transpose;
  expect_refused({8, 8, 8}, Kind::c2c, options, {"options", "differ between ranks", "cannon", "transpose"});
}

TEST(TensorErrors, Kernels) {
  {
    const testing::Environment set("WEFT_TENSOR_KERNEL", "quick");
    expect_refused({8, 8, 8}, Kind::c2c, {}, {"WEFT_TENSOR_KERNEL", "'quick'", "auto, blas, own"});
  }
  if (ranks() == 1) return;
  const bool last = Comm(MPI_COMM_WORLD).rank() == ranks() - 1;
  const testing::Environment set("WEFT_TENSOR_KERNEL", last ? "own" : "blas");
  expect_refused({8, 8, 8}, Kind::c2c, {}, {"WEFT_TENSOR_KERNEL", "differ between ranks", "own", "blas"});
}

TEST(TensorErrors, SizesOfArrays) {
  TensorDft<double> transform(MPI_COMM_WORLD, {8, 8, 8});
  std::vector<double> points = transform.physical_field(), modes = transform.spectral_field(), wrong = modes;
  wrong.push_back(0);
  plan_test::expect_refused([&] { transform.forward(points, wrong); },
                            {"out: the local array has", "the transform needs"});
  plan_test::expect_refused([&] { transform.backward(wrong, points); },
                            {"in: the local array has", "the transform needs"});
}

TEST(TensorErrors, Names) {
  EXPECT_EQ(parse_tensor_algorithm(to_string(TensorAlgorithm::transpose)), TensorAlgorithm::transpose);
  EXPECT_EQ(parse_matrix_blocks(to_string(MatrixBlocks::own)), MatrixBlocks::own);
  EXPECT_EQ(parse_folding(to_string(Folding::automatic)), Folding::automatic);
  const std::string text = testing::error_text([] { parse_folding("yes"); });
  EXPECT_TRUE(testing::mentions(text, "folding", "'yes'", "auto", "on", "off")) << text;
}

TEST(TensorErrors, Timings) {
  plan_test::expect_refused([] { tensor_event_seconds<double>(MPI_COMM_WORLD, {1, 1, 1}, 0, 2); }, {"block", "0"});
  plan_test::expect_refused([] { tensor_event_seconds<double>(MPI_COMM_WORLD, {1, 1, 1}, 8, 3); }, {"axis", "3"});
  plan_test::expect_refused([] { tensor_update_rate<double>(8, 0, true); }, {"threads", "0"});
}

}  // namespace
}  // namespace weft::tensor_test
