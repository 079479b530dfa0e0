// The closed form of the DFT by tensor-matrix products: counts by hand, and the block sizes of the paper.
#include <gtest/gtest.h>

#include "model/tensor_form.hpp"

namespace weft {
namespace {

TEST(TensorForm, CountsOfAStage) {
  const TensorStage stage = tensor_stage(12, 3, {1, 10, 1000});
  EXPECT_EQ(stage.update, 8 * 4 * 4 * 4 * 4);
  EXPECT_EQ(stage.event, (2 * 64 + 2 * 16) * 10 + 2 * 1000);
  EXPECT_EQ(stage.events, 2);
  EXPECT_EQ(stage.seconds(), stage.alignment + stage.update + 2 * stage.event);
  const TensorStage alone = tensor_stage(12, 1, {1, 10, 1000});
  EXPECT_EQ(alone.seconds(), 8 * 12.0 * 12 * 12 * 12);
}

TEST(TensorForm, EventsHideBehindUpdatesFromABlockSizeOn) {
  const TensorRates rates{1, 100, 0};
  const double b = hiding_block(rates);
  const auto stage = [&](double block) { return tensor_stage(2 * block, 2, rates); };
  EXPECT_NEAR(stage(b).event / stage(b).update, 1, 1e-12);
  EXPECT_GT(stage(b * 0.9).event, stage(b * 0.9).update);
  EXPECT_LT(stage(b * 1.1).event, stage(b * 1.1).update);
  // JUWELS: 3373 GF/s a node (S3DFT, section 5.1) and 12.5 GB/s. They find b > 600 with one rank a node.
  const double juwels = hiding_block({1 / 3373e9, 8 / 12.5e9, 0});
  EXPECT_GT(juwels, 500);
  EXPECT_LT(juwels, 600);
}

}  // namespace
}  // namespace weft
