// Tensor transforms against FFTW: all algorithms, sizes that divide and that do not, any mesh, both precisions.
#include "../../error_text.hpp"
#include "../environment.hpp"
#include "tensor_fixture.hpp"
#include "transform/chosen_kernels.hpp"

namespace weft::tensor_test {
namespace {

class TensorSizes : public ::testing::TestWithParam<int> {};

TEST_P(TensorSizes, EveryWayIsFFTW) {
  const index_t n = GetParam();
  for (const TensorOptions& options : all_ways())
    for (const Kind kind : {Kind::c2c, Kind::r2c}) expect_transform<double>({n, n, n}, kind, options);
}

TEST_P(TensorSizes, SinglePrecision) {
  const index_t n = GetParam();
  for (const Folding folding : {Folding::on, Folding::off})
    for (const Kind kind : {Kind::c2c, Kind::r2c})
      expect_transform<float>({n, n, n}, kind, with(TensorAlgorithm::cannon, MatrixBlocks::circulate, folding));
}

// All others of these tests run own kernels, which is what is taken where folding is on or off.
TEST(Tensor, ByTheBlas) {
  const testing::Environment set("WEFT_TENSOR_KERNEL", "blas");
  for (const TensorOptions& options : all_ways())
    for (const Kind kind : {Kind::c2c, Kind::r2c}) {
      expect_transform<double>({7, 12, 10}, kind, options);
      expect_transform<float>({12, 9, 8}, kind, options);
    }
}

INSTANTIATE_TEST_SUITE_P(Cubes, TensorSizes, ::testing::Values(12, 24, 30, 31, 48));

TEST(Tensor, AnyMesh) {
  for (const std::vector<int>& mesh : meshes(ranks()))
    for (TensorOptions options : all_ways()) {
      options.mesh = mesh;
      expect_transform<double>({7, 12, 10}, Kind::c2c, options);
      expect_transform<float>({7, 12, 10}, Kind::r2c, options);
    }
}

// Some ranks have no points, or no pairs.
TEST(Tensor, FewerPointsThanRanks) {
  for (const Extents& shape : {Extents{1, 1, 1}, Extents{2, 3, 2}, Extents{1, 5, 4}})
    for (TensorOptions options : all_ways())
      for (const Kind kind : {Kind::c2c, Kind::r2c}) expect_transform<double>(shape, kind, options);
}

TEST(Tensor, RanksBeyondTheMesh) {
  for (int used = 1; used < ranks() && used <= 4; used++) {
    TensorOptions options = with(TensorAlgorithm::cannon, MatrixBlocks::circulate, Folding::on);
    options.mesh = {1, 1, used};
    expect_transform<double>({4, 6, 9}, Kind::c2c, options);
    const TensorDft<double> transform(MPI_COMM_WORLD, {4, 6, 9}, Kind::c2c, options);
    const bool beyond = Comm(MPI_COMM_WORLD).rank() >= used;
    EXPECT_EQ(transform.physical_box().empty(), beyond);
    EXPECT_EQ(transform.workspace_bytes() == 0, beyond);
    EXPECT_EQ(testing::mentions(transform.explain(), "beyond the mesh"), beyond);
  }
}

TEST(Tensor, Threads) {
  for (const bool communication_thread : {false, true})
    for (const Folding folding : {Folding::on, Folding::off, Folding::automatic}) {
      TensorOptions options = with(TensorAlgorithm::cannon, MatrixBlocks::circulate, folding);
      options.threads = 3;
      options.communication_thread = communication_thread;
      expect_transform<double>({9, 8, 7}, Kind::c2c, options);
    }
}

// Threads share slices, and a slice is computed in one way whoever has it.
TEST(Tensor, ThreadsGiveTheSameBits) {
  const Extents shape{6, 10, 8};
  std::vector<double> first;
  for (const int threads : {1, 2, 4}) {
    TensorOptions options = with(TensorAlgorithm::transpose, MatrixBlocks::own, Folding::on);
    options.threads = threads;
    TensorDft<double> transform(MPI_COMM_WORLD, shape, Kind::c2c, options);
    const std::vector<double> points =
        plan_test::part(reference(shape, Kind::c2c).points, shape, transform.physical_box(), 2);
    std::vector<double> modes = transform.spectral_field();
    transform.forward(points, modes);
    if (first.empty()) first = modes;
    EXPECT_EQ(modes, first) << threads << " threads";
  }
}

TEST(Tensor, InPlace) {
  const Extents shape{8, 6, 10};
  const Reference& all = reference(shape, Kind::c2c);
  for (const TensorOptions& options : all_ways()) {
    TensorDft<double> transform(MPI_COMM_WORLD, shape, Kind::c2c, options);
    std::vector<double> field = plan_test::part(all.points, shape, transform.physical_box(), 2);
    transform.forward(field.data(), field.data());
    EXPECT_LE(distance(field, plan_test::part(all.modes, shape, transform.spectral_box(), 2)),
              bound<double>(shape) * all.norm);
  }
}

// The scale is part of the last matrix. Every norm must undo itself, and forward must be scaled as its name says.
TEST(Tensor, Norms) {
  const Extents shape{6, 5, 8};
  const Reference& all = reference(shape, Kind::c2c);
  const auto points = static_cast<double>(shape.product());
  for (const auto& [norm, factor] : {std::pair{Norm::backward, 1.0}, std::pair{Norm::ortho, 1 / std::sqrt(points)},
                                     std::pair{Norm::forward, 1 / points}}) {
    TensorOptions options;
    options.threads = 1;
    options.norm = norm;
    TensorDft<double> transform(MPI_COMM_WORLD, shape, Kind::c2c, options);
    const std::vector<double> given = plan_test::part(all.points, shape, transform.physical_box(), 2);
    std::vector<double> modes = transform.spectral_field(), back = transform.physical_field();
    transform.forward(given, modes);
    const auto wanted = plan_test::times(plan_test::part(all.modes, shape, transform.spectral_box(), 2), factor);
    EXPECT_LE(distance(modes, wanted), 2 * bound<double>(shape) * factor * all.norm) << to_string(norm);
    transform.backward(modes, back);
    EXPECT_LE(distance(back, given), 2 * bound<double>(shape) * all.norm / std::sqrt(points)) << to_string(norm);
  }
}

// One long axis, so that the exact transform of every line is affordable: the sums of a dense matrix err by more than
// an FFT's, but not by much.
TEST(Tensor, ErrsLessThanTenTimesFFTW) {
  const index_t n = 256;
  const Extents shape{1, 1, n};
  const Reference& fftw = reference(shape, Kind::c2c);
  std::vector<double> tensor_error, fftw_error;
  for (const Folding folding : {Folding::on, Folding::off}) {
    TensorDft<double> transform(MPI_COMM_SELF, shape, Kind::c2c,
                                with(TensorAlgorithm::cannon, MatrixBlocks::own, folding));
    std::vector<double> modes = transform.spectral_field();
    transform.forward(fftw.points, modes);
    long double mine = 0, theirs = 0;
    for (index_t k = 0; k < n; k++) {
      std::complex<long double> exact = 0;
      for (index_t j = 0; j < n; j++) {
        const long double angle =
            -2 * 3.141592653589793238462643383279502884L * static_cast<long double>(j * k % n) / n;
        exact += std::complex<long double>(fftw.points[static_cast<std::size_t>(2 * j)],
                                           fftw.points[static_cast<std::size_t>(2 * j + 1)]) *
                 std::complex<long double>(std::cos(angle), std::sin(angle));
      }
      const auto error = [&](const std::vector<double>& values) {
        return std::norm(std::complex<long double>(values[static_cast<std::size_t>(2 * k)],
                                                   values[static_cast<std::size_t>(2 * k + 1)]) -
                         exact);
      };
      mine += error(modes);
      theirs += error(fftw.modes);
    }
    EXPECT_LT(std::sqrt(mine), 10 * std::sqrt(theirs)) << to_string(folding);
    EXPECT_GT(theirs, 0);
  }
}

TEST(Tensor, ChoosesTheMostCubicMesh) {
  const TensorDft<double> transform(MPI_COMM_WORLD, {8, 8, 8});
  const auto mesh = transform.mesh();
  EXPECT_EQ(mesh[0] * mesh[1] * mesh[2], ranks());
  for (const std::vector<int>& other : meshes(ranks()))
    EXPECT_LE(mesh[0] + mesh[1] + mesh[2], other[0] + other[1] + other[2]);
  EXPECT_GE(mesh[0], mesh[1]);
  EXPECT_GE(mesh[1], mesh[2]);
}

TEST(Tensor, SaysWhatItDid) {
  TensorOptions options = with(TensorAlgorithm::transpose, MatrixBlocks::circulate, Folding::on);
  TensorDft<double> transform(MPI_COMM_WORLD, {8, 8, 8}, Kind::r2c, options);
  std::vector<double> points = transform.physical_field(), modes = transform.spectral_field();
  transform.forward(points, modes);
  const std::string said = transform.explain(), own = std::string("folded, own ") + lane_kernels<double>().isa;
  EXPECT_TRUE(testing::mentions(said, own)) << own << " in:\n" << said;
  for (const char* part : {"8 x 8 x 8 (r2c)", "transpose", "Algorithm 3", "Algorithm 6", "Algorithm 7", "folded",
                           "Gflop", "last run", "MB of workspace"})
    EXPECT_TRUE(testing::mentions(said, part)) << part << " in:\n" << said;
  EXPECT_LE(testing::widest_line(said), 100U) << said;
}

// A real transform does a quarter of the operations of a complex one along the last axis and half of them along the
// others, but for the mode N/2 more; folding leaves a quarter of all.
TEST(Tensor, Operations) {
  const index_t n = 24;
  const auto flops = [n](Kind kind, Folding folding) {
    const TensorDft<double> transform(MPI_COMM_SELF, {n, n, n}, kind,
                                      with(TensorAlgorithm::cannon, MatrixBlocks::own, folding));
    return transform.flops();
  };
  const double line = 8.0 * n * n * n * n, half = n / 2 + 1.0;
  EXPECT_EQ(flops(Kind::c2c, Folding::off), 3 * line);
  EXPECT_EQ(flops(Kind::r2c, Folding::off), line / 2 * half / n + 2 * line * half / n);
  EXPECT_EQ(flops(Kind::c2c, Folding::on), 3 * 4.0 * n * n * (half * half + (n - half) * (n - half)));
}

}  // namespace
}  // namespace weft::tensor_test
