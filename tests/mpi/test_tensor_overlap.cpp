// Products of a tensor transform on the slow network of tests (delay/message_delay.cpp): shifts are under way while
// updates compute. What is asserted of times cannot be reached without overlap, and is asked for until it is met.
#include <gtest/gtest.h>
#include <mpi.h>

#include <algorithm>
#include <cstdlib>

#include "weft/tensor.hpp"

namespace weft {
namespace {

class TensorOverlap : public ::testing::TestWithParam<MatrixBlocks> {
 protected:
  void SetUp() override {
    const char* bandwidth = std::getenv("WEFT_DELAY_GB_PER_S");
    MPI_Comm_size(MPI_COMM_WORLD, &ranks_);
    if (bandwidth == nullptr || ranks_ == 1) GTEST_SKIP() << "runs with the slow network only";
    seconds_per_byte_ = 1e-9 / std::strtod(bandwidth, nullptr);
  }

  /// The product along the last axis, in the last forward transform.
  static TensorTraffic last_axis(const TensorDft<double>& transform) {
    const auto products = transform.traffic();
    return *std::find_if(products.begin(), products.end(), [](const TensorTraffic& one) { return one.axis == 2; });
  }

  int ranks_ = 0;
  double seconds_per_byte_ = 0;
};

TEST_P(TensorOverlap, ShiftsPassWhileUpdatesCompute) {
  constexpr index_t block = 96;
  TensorOptions options;
  options.mesh = {1, 1, ranks_};
  options.matrix = GetParam();
  options.folding = Folding::off;
  options.threads = 1;  // many would be done before the messages are
  TensorDft<double> transform(MPI_COMM_WORLD, {block, block, block * ranks_}, Kind::c2c, options);
  std::vector<double> u = transform.physical_field(), modes = transform.spectral_field();
  // One block of complex numbers in each shift.
  const double shifts = (ranks_ - 1) * 16.0 * block * block * block * seconds_per_byte_;
  bool hidden = false;
  for (int attempt = 0; attempt < 50 && !hidden; attempt++) {
    transform.forward(u, modes);
    const TensorTraffic product = last_axis(transform);
    ASSERT_EQ(product.shifts, ranks_ * (ranks_ - 1));
    ASSERT_EQ(product.bytes, ranks_ * (ranks_ - 1) * 16 * block * block * block);
    // No rank is done before its messages are.
    EXPECT_GE(product.computing + product.waiting, shifts);
    // A rank that computed first and sent then would wait for all of it. How long others keep this one from its work
    // is bounded by nothing, so a slow attempt says nothing.
    hidden = product.waiting < 0.75 * shifts;
  }
  EXPECT_TRUE(hidden);
}

INSTANTIATE_TEST_SUITE_P(Matrices, TensorOverlap, ::testing::Values(MatrixBlocks::circulate, MatrixBlocks::own),
                         [](const auto& info) { return to_string(info.param); });

}  // namespace
}  // namespace weft
