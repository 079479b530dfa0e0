// The program that runs under the simulator: exchanges of the library with real data, among as many ranks as smpirun
// says. Rank 0 prints one JSON object; the exit status says whether all data were right.
#include <mpi.h>

#include <cstdio>
#include <string>
#include <vector>

#include "modelled_time.hpp"
#include "simulated_exchange.hpp"
#include "simulated_redistribution.hpp"
#include "weft/error.hpp"

namespace weft::simulation {

namespace {

// What moved, and the model's times where it has them.
struct Report {
  int process_axis = -1, peers = 0;
  Outcome outcome;
  ModelledTime model;
};

std::string to_string(const Report& report) {
  char text[512];
  std::snprintf(text, sizeof(text),
                R"({"process_axis": %d, "peers": %d, "elements": %lld, "wrong": %lld, "forward": %.9g, )"
                R"("backward": %.9g, "modelled": %.9g, "modelled_exchange": %.9g, "link_bytes": %.9g, "link": "%s"})",
                report.process_axis, report.peers, static_cast<long long>(report.outcome.count.seen),
                static_cast<long long>(report.outcome.count.wrong), report.outcome.forward, report.outcome.backward,
                report.model.total, report.model.exchange, report.model.link.bytes_per_link(),
                report.model.link.where.c_str());
  return text;
}

// Collective.
std::vector<Report> run_exchanges(const Comm& comm, const Case& job) {
  const NetworkShape shape = simulated_shape();
  const int node_ranks = comm.node().size();
  std::vector<Report> reports;
  for (const ExchangePlan& plan : job.exchanges()) {
    SimulatedExchange exchange(comm, job, plan);
    if (exchange.possible())
      reports.push_back({plan.process_axis, plan.near.grid()[plan.process_axis], exchange.run(),
                         modelled_time(job, plan, shape, node_ranks)});
  }
  return reports;
}

// Whether something was moved, and everything rightly. Collective.
bool run(const Case& job) {
  const Comm comm(MPI_COMM_WORLD);
  const std::vector<Report> reports = job.redistribution
                                          ? std::vector<Report>{{-1, comm.size(), run_redistribution(comm, job), {}}}
                                          : run_exchanges(comm, job);
  const index_t expected = job.extents.product() * 2 * job.rounds;
  bool right = !reports.empty();
  std::string text;
  for (const Report& report : reports) {
    right = right && report.outcome.count.wrong == 0 && report.outcome.count.seen == expected;
    text += (text.empty() ? "" : ", ") + to_string(report);
  }
  if (comm.rank() == 0) std::printf("{\"right\": %s, \"exchanges\": [%s]}\n", right ? "true" : "false", text.c_str());
  return right;
}

}  // namespace

}  // namespace weft::simulation

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  bool right = false;
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  try {
    right = weft::simulation::run(weft::simulation::parse_case(std::vector<std::string>(argv + 1, argv + argc)));
  } catch (const weft::Error& error) {
    if (rank == 0) std::fprintf(stderr, "weft_simulate: %s\n", error.what());
  }
  MPI_Finalize();
  return right ? 0 : 1;
}
