// The validation cases A, B and C of Balty, Chatelain and Gillis (FLUPS, 2023) with the kernels of distance and with
// truncated: errors to twelve decimal places, on any number of ranks.
#include <gtest/gtest.h>

#include "mpi/exact_solutions.hpp"
#include "mpi/poisson_support.hpp"

namespace weft {
namespace {

using namespace testing;

struct PaperRow {
  const char* kernel;
  char name;
  Centring centring;
  index_t cells;
  double largest;  ///< E_inf over all stored points
  double mean;     ///< E_2 = sqrt(sum e^2 h^3) over all stored points
};

/// The numbers of an independent serial solver in double precision. Zero stands for rounding: the solution of case A is
/// an eigenfunction, on which chat2, hej0 and truncated are exact, and on which hej errs by 1 - zeta. The errors
/// of truncated depend on its half periods while bumps are not resolved, here 45 and (80, 64, 80) at N = 32.
constexpr PaperRow rows[]{
    {"chat2", 'A', Centring::node, 32, 0, 0},
    {"chat2", 'A', Centring::node, 64, 0, 0},
    {"chat2", 'A', Centring::node, 128, 0, 0},
    {"chat2", 'A', Centring::cell, 32, 0, 0},
    {"chat2", 'A', Centring::cell, 64, 0, 0},
    {"chat2", 'A', Centring::cell, 128, 0, 0},
    {"chat2", 'B', Centring::node, 32, 7.536316625728e-03, 4.640037888038e-04},
    {"chat2", 'B', Centring::node, 64, 1.937338281130e-03, 1.187796827220e-04},
    {"chat2", 'B', Centring::node, 128, 4.876704957268e-04, 2.986904123724e-05},
    {"chat2", 'B', Centring::cell, 32, 7.220358555518e-03, 4.640037890413e-04},
    {"chat2", 'B', Centring::cell, 64, 1.916654665432e-03, 1.187796827220e-04},
    {"chat2", 'B', Centring::cell, 128, 4.863628468172e-04, 2.986904123724e-05},
    {"chat2", 'C', Centring::node, 32, 7.400124305821e-03, 4.642839535738e-04},
    {"chat2", 'C', Centring::node, 64, 1.935123491700e-03, 1.188110101656e-04},
    {"chat2", 'C', Centring::node, 128, 4.871122060495e-04, 2.987285380986e-05},
    {"chat2", 'C', Centring::cell, 32, 7.421190076766e-03, 4.640037732890e-04},
    {"chat2", 'C', Centring::cell, 64, 1.925456957518e-03, 1.187796805433e-04},
    {"chat2", 'C', Centring::cell, 128, 4.871993830394e-04, 2.986904077931e-05},
    {"hej2", 'A', Centring::node, 32, 7.467696399733e-01, 2.763682254615e-01},
    {"hej2", 'A', Centring::node, 64, 2.906199948685e-01, 1.051548163850e-01},
    {"hej2", 'A', Centring::cell, 32, 6.888865984988e-01, 2.640229382047e-01},
    {"hej2", 'A', Centring::cell, 64, 2.849285094917e-01, 1.027496845600e-01},
    {"hej4", 'A', Centring::node, 32, 3.989689609666e-01, 1.476524189715e-01},
    {"hej4", 'A', Centring::node, 64, 4.704449366043e-02, 1.702207411787e-02},
    {"hej4", 'A', Centring::cell, 32, 3.680443817142e-01, 1.410568288912e-01},
    {"hej4", 'A', Centring::cell, 64, 4.612317698417e-02, 1.663274024239e-02},
    {"hej6", 'A', Centring::node, 32, 1.601245500817e-01, 5.925969052583e-02},
    {"hej6", 'A', Centring::node, 64, 5.226973882875e-03, 1.891272068707e-03},
    {"hej6", 'A', Centring::cell, 32, 1.477130975034e-01, 5.661257759861e-02},
    {"hej6", 'A', Centring::cell, 64, 5.124609124962e-03, 1.848014338833e-03},
    {"hej8", 'A', Centring::node, 32, 5.077714498390e-02, 1.879185856257e-02},
    {"hej8", 'A', Centring::node, 64, 4.407646741681e-04, 1.594815539173e-04},
    {"hej8", 'A', Centring::cell, 32, 4.684134546591e-02, 1.795243177370e-02},
    {"hej8", 'A', Centring::cell, 64, 4.321327639694e-04, 1.558338450056e-04},
    {"hej10", 'A', Centring::node, 32, 1.323119103844e-02, 4.896665038721e-03},
    {"hej10", 'A', Centring::node, 64, 2.991178204215e-05, 1.082295782770e-05},
    {"hej10", 'A', Centring::cell, 32, 1.220562500222e-02, 4.677932453227e-03},
    {"hej10", 'A', Centring::cell, 64, 2.932599141159e-05, 1.057541195950e-05},
    {"hej0", 'A', Centring::node, 32, 0, 0},
    {"hej0", 'A', Centring::node, 64, 0, 0},
    {"hej0", 'A', Centring::cell, 32, 0, 0},
    {"hej0", 'A', Centring::cell, 64, 0, 0},
    {"hej2", 'B', Centring::node, 32, 3.436999189742e-01, 2.213405737265e-02},
    {"hej2", 'B', Centring::node, 64, 1.077740956147e-01, 6.683903540656e-03},
    {"hej2", 'B', Centring::cell, 32, 3.301075527807e-01, 2.213405736436e-02},
    {"hej2", 'B', Centring::cell, 64, 1.066411041943e-01, 6.683903540656e-03},
    {"hej4", 'B', Centring::node, 32, 9.598811809279e-02, 5.612919484281e-03},
    {"hej4", 'B', Centring::node, 64, 8.791400516829e-03, 5.099579703039e-04},
    {"hej4", 'B', Centring::cell, 32, 9.135896990668e-02, 5.612919251869e-03},
    {"hej4", 'B', Centring::cell, 64, 8.679550799164e-03, 5.099579703039e-04},
    {"hej6", 'B', Centring::node, 32, 2.320067531128e-02, 1.368223006077e-03},
    {"hej6", 'B', Centring::node, 64, 5.881596874341e-04, 3.781077087543e-05},
    {"hej6", 'B', Centring::cell, 32, 2.194920130034e-02, 1.368220040893e-03},
    {"hej6", 'B', Centring::cell, 64, 5.800217852716e-04, 3.781077087410e-05},
    {"hej8", 'B', Centring::node, 32, 4.859683170374e-03, 3.290676242091e-04},
    {"hej8", 'B', Centring::node, 64, 3.235093850451e-05, 3.065147034156e-06},
    {"hej8", 'B', Centring::cell, 32, 4.587666251222e-03, 3.290642690411e-04},
    {"hej8", 'B', Centring::cell, 64, 3.190015644539e-05, 3.065146972016e-06},
    {"hej10", 'B', Centring::node, 32, 8.616949130500e-04, 8.329131078908e-05},
    {"hej10", 'B', Centring::node, 64, 3.020793967752e-06, 3.593107709304e-07},
    {"hej10", 'B', Centring::cell, 32, 8.152503057834e-04, 8.328958959725e-05},
    {"hej10", 'B', Centring::cell, 64, 3.174198292878e-06, 3.593102041338e-07},
    {"hej0", 'B', Centring::node, 32, 2.524183948640e-08, 3.881992650840e-09},
    {"hej0", 'B', Centring::cell, 32, 2.808120705126e-08, 3.841776601511e-09},
    {"hej2", 'C', Centring::node, 32, 3.378443212264e-01, 2.216051509284e-02},
    {"hej2", 'C', Centring::node, 64, 1.076527819304e-01, 6.686251948530e-03},
    {"hej2", 'C', Centring::cell, 32, 3.387511211165e-01, 2.213397962331e-02},
    {"hej2", 'C', Centring::cell, 64, 1.071232888768e-01, 6.683902787199e-03},
    {"hej4", 'C', Centring::node, 32, 9.399061603496e-02, 5.614249715116e-03},
    {"hej4", 'C', Centring::node, 64, 8.779417362971e-03, 5.101324405227e-04},
    {"hej4", 'C', Centring::cell, 32, 9.429902077119e-02, 5.612618151650e-03},
    {"hej4", 'C', Centring::cell, 64, 8.727131283673e-03, 5.099537639271e-04},
    {"hej6", 'C', Centring::node, 32, 2.265987189851e-02, 1.372253992602e-03},
    {"hej6", 'C', Centring::node, 64, 5.872874697931e-04, 3.798186682084e-05},
    {"hej6", 'C', Centring::cell, 32, 2.274303800378e-02, 1.368338618857e-03},
    {"hej6", 'C', Centring::cell, 64, 5.834824061729e-04, 3.781024871045e-05},
    {"hej8", 'C', Centring::node, 32, 4.741994534202e-03, 3.326495356898e-04},
    {"hej8", 'C', Centring::node, 64, 3.871182650236e-05, 3.118153333126e-06},
    {"hej8", 'C', Centring::cell, 32, 4.760002300366e-03, 3.290199982538e-04},
    {"hej8", 'C', Centring::cell, 64, 3.679855857253e-05, 3.065144138423e-06},
    {"hej10", 'C', Centring::node, 32, 9.236551104395e-04, 8.552253666925e-05},
    {"hej10", 'C', Centring::node, 64, 6.263975649888e-06, 3.702704236975e-07},
    {"hej10", 'C', Centring::cell, 32, 8.446445453054e-04, 8.329109335969e-05},
    {"hej10", 'C', Centring::cell, 64, 5.889094175886e-06, 3.593407026046e-07},
    {"hej0", 'C', Centring::node, 32, 3.817465105199e-08, 3.816464493914e-09},
    {"hej0", 'C', Centring::cell, 32, 2.891997274990e-08, 3.926485690523e-09},
    {"truncated", 'A', Centring::node, 32, 0, 0},
    {"truncated", 'A', Centring::cell, 32, 0, 0},
    {"truncated", 'B', Centring::node, 32, 2.431149541552e-08, 4.564682324042e-09},
    {"truncated", 'B', Centring::node, 64, 1.006333905096e-12, 1.626544560580e-13},
    {"truncated", 'B', Centring::cell, 32, 3.251835275767e-08, 4.596650581837e-09},
    {"truncated", 'C', Centring::node, 32, 3.757516753300e-08, 4.226058161866e-09},
    {"truncated", 'C', Centring::cell, 32, 2.537810665434e-08, 3.704759693529e-09},
    {"truncated", 'C', Centring::cell, 64, 1.513011937959e-12, 1.520662320627e-13},
};

class PoissonPaper : public ::testing::TestWithParam<PaperRow> {};

TEST_P(PoissonPaper, GivesTheErrorsOfTheTable) {
  const PaperRow& row = GetParam();
  const Comm comm(MPI_COMM_WORLD);
  const bool large = row.cells > 64 || (row.cells == 64 && std::string(row.kernel) != "chat2");
  if (large && comm.size() != 2) GTEST_SKIP() << "large, or one of many: on 2 ranks only";
  const exact::ExactCase expected = exact::paper_case(row.name, 1);
  PoissonProblem problem;
  problem.cells = Extents(3, row.cells);
  problem.length = {1, 1, 1};
  problem.boundary = exact::paper_boundaries(row.name);
  problem.centring = {row.centring};
  problem.kernel = row.kernel;
  const ErrorNorms error = solution_error(comm, problem, expected.rhs, expected.solution);
  // Rounding of transforms moves errors of solutions below 1 by a few hundred units of 1e-16; the table has 13 digits.
  const double tolerance = row.largest <= 0 ? 1e-13 : 1e-12;
  EXPECT_NEAR(error.largest, row.largest, tolerance);
  EXPECT_NEAR(error.mean, row.mean, tolerance);
}

std::string row_name(const ::testing::TestParamInfo<PaperRow>& info) {
  return std::string(info.param.kernel) + "_" + info.param.name + "_" + to_string(info.param.centring) +
         std::to_string(info.param.cells);
}

INSTANTIATE_TEST_SUITE_P(Cases, PoissonPaper, ::testing::ValuesIn(rows), row_name);

}  // namespace
}  // namespace weft
