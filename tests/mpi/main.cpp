// The main of every MPI test: rank 0 prints as GoogleTest does, the others print their failures only, and the exit
// status is that of the worst rank on all of them.
#include <gtest/gtest.h>
#include <mpi.h>

#include <iostream>
#include <sstream>
#include <string>

namespace {

class FailuresOfRank : public ::testing::EmptyTestEventListener {
 public:
  explicit FailuresOfRank(int rank) : rank_(rank) {}

 private:
  void OnTestStart(const ::testing::TestInfo& test) override {
    test_ = std::string(test.test_suite_name()) + "." + test.name();
  }

  // GoogleTest holds its lock here, so the name of the test cannot be asked for. One write per failure, so that the
  // lines of different ranks do not mix.
  void OnTestPartResult(const ::testing::TestPartResult& result) override {
    if (!result.failed()) return;
    std::ostringstream text;
    text << "[rank " << rank_ << "] " << test_ << " " << (result.file_name() ? result.file_name() : "unknown file")
         << ":" << result.line_number() << ": Failure\n"
         << result.message() << "\n";
    std::cout << text.str() << std::flush;
  }

  std::string test_ = "outside a test";
  int rank_;
};

}  // namespace

int main(int argc, char** argv) {
  int provided = MPI_THREAD_SINGLE, rank = 0;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  ::testing::InitGoogleTest(&argc, argv);
  if (rank != 0) {
    auto& listeners = ::testing::UnitTest::GetInstance()->listeners();
    delete listeners.Release(listeners.default_result_printer());
    delete listeners.Release(listeners.default_xml_generator());  // all ranks would write the same file
    listeners.Append(new FailuresOfRank(rank));
  }
  int failed = RUN_ALL_TESTS();
  const int failed_here = failed;
  MPI_Allreduce(MPI_IN_PLACE, &failed, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
  if (rank == 0 && failed != failed_here) std::cout << "[  FAILED  ] on another rank than 0, see above\n";
  MPI_Finalize();
  return failed;
}
