// A slow network for tests: preloaded (LD_PRELOAD), this library makes the messages of any MPI program take the time
// that they would take on a link of a given latency and bandwidth, while the processor is free for other work.
//
//   WEFT_DELAY_LATENCY_US   microseconds per message (default 0)
//   WEFT_DELAY_GB_PER_S     bandwidth of a rank's link, each way (default: unlimited)
//
// A message takes latency + bytes / bandwidth. What a rank sends goes over its link one after the other, and so does
// what it receives; the two ways are independent. A collective exchange is one message to and from every peer that
// has data. A request looks incomplete until the time of its messages has passed and MPI itself has completed it.
// Messages of a rank to itself take no time. Everything but the calls below passes untouched. While a blocking call
// waits it sleeps and looks again, so that MPI advances and others may use the core.
//
// The calls are those of MPI's profiling interface (MPI 3.1, section 14.2), so it works with every MPI library. MPI
// may use one handle for many requests that it completes at once, so a handle has a list of arrival times. Calls are
// expected from one thread at a time.
#include <mpi.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <deque>
#include <map>
#include <thread>
#include <vector>

namespace {

using Clock = std::chrono::steady_clock;
using Seconds = std::chrono::duration<double>;

constexpr auto nap = std::chrono::microseconds(20);

double from_environment(const char* name) {
  const char* text = std::getenv(name);
  return text == nullptr ? 0 : std::strtod(text, nullptr);
}

/// One way of a rank's link: busy until the last message has passed.
class Lane {
 public:
  Clock::time_point pass(double bytes, int messages) {
    static const double latency = 1e-6 * from_environment("WEFT_DELAY_LATENCY_US");
    static const double bandwidth = 1e9 * from_environment("WEFT_DELAY_GB_PER_S");
    const Seconds time(messages * latency + (bandwidth > 0 ? bytes / bandwidth : 0));
    free_ = std::max(free_, Clock::now()) + std::chrono::duration_cast<Clock::duration>(time);
    return free_;
  }

 private:
  Clock::time_point free_;
};

Lane out_lane, in_lane;

/// A message that a persistent request stands for.
struct Prepared {
  double bytes;
  bool sends;
};

std::map<MPI_Request, Prepared> persistent;
std::map<MPI_Request, std::deque<Clock::time_point>> arrivals;

bool is_self(int peer, MPI_Comm comm) {
  int rank = MPI_PROC_NULL;
  PMPI_Comm_rank(comm, &rank);
  return peer == rank || peer == MPI_PROC_NULL;
}

double bytes_of(int count, MPI_Datatype type) {
  MPI_Count size = 0;
  PMPI_Type_size_x(type, &size);
  return static_cast<double>(size) * count;
}

void start(MPI_Request request, Clock::time_point arrival) {
  if (request != MPI_REQUEST_NULL) arrivals[request].push_back(arrival);
}

void start_persistent(MPI_Request request) {
  const auto found = persistent.find(request);
  if (found == persistent.end()) return;
  start(request, (found->second.sends ? out_lane : in_lane).pass(found->second.bytes, 1));
}

/// Whether the messages of the handle's request number `which` have passed.
bool has_arrived(MPI_Request request, std::size_t which = 0) {
  const auto found = arrivals.find(request);
  return found == arrivals.end() || which >= found->second.size() || found->second[which] <= Clock::now();
}

void forget(MPI_Request request) {
  const auto found = arrivals.find(request);
  if (found == arrivals.end()) return;
  found->second.pop_front();
  if (found->second.empty()) arrivals.erase(found);
}

// A look at a request that MPI may not complete yet: it lets MPI advance.
void advance(MPI_Request request) {
  int done = 0;
  PMPI_Request_get_status(request, &done, MPI_STATUS_IGNORE);
}

/// The requests of a call, with those that are still on their way hidden behind MPI_REQUEST_NULL.
class Visible {
 public:
  Visible(int count, MPI_Request* requests)
      : requests_(requests), before_(requests, requests + count), shown_(before_) {
    std::map<MPI_Request, std::size_t> seen;
    for (MPI_Request& request : shown_) {
      if (has_arrived(request, seen[request]++)) continue;
      if (hidden_ == 0) advance(request);
      request = MPI_REQUEST_NULL;
      hidden_++;
    }
  }
  MPI_Request* shown() { return shown_.data(); }
  bool all() const { return hidden_ == 0; }

  /// The entry is complete.
  void complete(int index) {
    const auto i = static_cast<std::size_t>(index);
    forget(before_[i]);
    requests_[index] = shown_[i];
  }
  void complete_all() {
    for (std::size_t i = 0; i < before_.size(); i++) complete(static_cast<int>(i));
  }

 private:
  MPI_Request* requests_;
  std::vector<MPI_Request> before_, shown_;
  int hidden_ = 0;
};

/// Looks again and again, with naps between, until `look` says that it is done; returns MPI's code.
template <class Look>
int until(const Look& look) {
  for (int done = 0;;) {
    const int code = look(done);
    if (code != MPI_SUCCESS || done != 0) return code;
    std::this_thread::sleep_for(nap);
  }
}

/// What one rank exchanges in a collective call, in one direction.
struct Load {
  double bytes = 0;
  int messages = 0;

  void add(double more) {
    bytes += more;
    messages += more > 0 ? 1 : 0;
  }
};

/// type_of(peer) is the datatype of what goes to or comes from a peer.
template <class TypeOf>
Load load_of(const int* counts, const TypeOf& type_of, MPI_Comm comm) {
  int ranks = 0;
  PMPI_Comm_size(comm, &ranks);
  Load load;
  for (int peer = 0; peer < ranks; peer++)
    if (!is_self(peer, comm)) load.add(bytes_of(counts[peer], type_of(peer)));
  return load;
}

void start_exchange(MPI_Request request, const Load& sent, const Load& received) {
  start(request, std::max(out_lane.pass(sent.bytes, sent.messages), in_lane.pass(received.bytes, received.messages)));
}

void prepare(MPI_Request request, int count, MPI_Datatype type, int peer, MPI_Comm comm, bool sends) {
  if (!is_self(peer, comm)) persistent[request] = {bytes_of(count, type), sends};
}

}  // namespace

extern "C" {

int MPI_Isend(const void* data, int count, MPI_Datatype type, int peer, int tag, MPI_Comm comm, MPI_Request* request) {
  const int code = PMPI_Isend(data, count, type, peer, tag, comm, request);
  if (code == MPI_SUCCESS && !is_self(peer, comm)) start(*request, out_lane.pass(bytes_of(count, type), 1));
  return code;
}

int MPI_Irecv(void* data, int count, MPI_Datatype type, int peer, int tag, MPI_Comm comm, MPI_Request* request) {
  const int code = PMPI_Irecv(data, count, type, peer, tag, comm, request);
  if (code == MPI_SUCCESS && !is_self(peer, comm)) start(*request, in_lane.pass(bytes_of(count, type), 1));
  return code;
}

int MPI_Send_init(const void* data, int count, MPI_Datatype type, int peer, int tag, MPI_Comm comm,
                  MPI_Request* request) {
  const int code = PMPI_Send_init(data, count, type, peer, tag, comm, request);
  if (code == MPI_SUCCESS) prepare(*request, count, type, peer, comm, true);
  return code;
}

int MPI_Recv_init(void* data, int count, MPI_Datatype type, int peer, int tag, MPI_Comm comm, MPI_Request* request) {
  const int code = PMPI_Recv_init(data, count, type, peer, tag, comm, request);
  if (code == MPI_SUCCESS) prepare(*request, count, type, peer, comm, false);
  return code;
}

int MPI_Start(MPI_Request* request) {
  const int code = PMPI_Start(request);
  if (code == MPI_SUCCESS) start_persistent(*request);
  return code;
}

int MPI_Startall(int count, MPI_Request* requests) {
  const int code = PMPI_Startall(count, requests);
  if (code == MPI_SUCCESS) std::for_each(requests, requests + count, start_persistent);
  return code;
}

int MPI_Request_free(MPI_Request* request) {
  persistent.erase(*request);
  arrivals.erase(*request);
  return PMPI_Request_free(request);
}

int MPI_Ialltoallv(const void* from, const int* send_counts, const int* send_offsets, MPI_Datatype send_type, void* to,
                   const int* receive_counts, const int* receive_offsets, MPI_Datatype receive_type, MPI_Comm comm,
                   MPI_Request* request) {
  const int code = PMPI_Ialltoallv(from, send_counts, send_offsets, send_type, to, receive_counts, receive_offsets,
                                   receive_type, comm, request);
  if (code != MPI_SUCCESS) return code;
  const Load received = load_of(
      receive_counts, [=](int) { return receive_type; }, comm);
  const bool in_place = from == MPI_IN_PLACE;
  start_exchange(*request,
                 in_place ? received
                          : load_of(
                                send_counts, [=](int) { return send_type; }, comm),
                 received);
  return code;
}

int MPI_Ialltoallw(const void* from, const int* send_counts, const int* send_offsets, const MPI_Datatype* send_types,
                   void* to, const int* receive_counts, const int* receive_offsets, const MPI_Datatype* receive_types,
                   MPI_Comm comm, MPI_Request* request) {
  const int code = PMPI_Ialltoallw(from, send_counts, send_offsets, send_types, to, receive_counts, receive_offsets,
                                   receive_types, comm, request);
  if (code != MPI_SUCCESS) return code;
  const Load received = load_of(
      receive_counts, [=](int peer) { return receive_types[peer]; }, comm);
  const bool in_place = from == MPI_IN_PLACE;
  start_exchange(*request,
                 in_place ? received
                          : load_of(
                                send_counts, [=](int p) { return send_types[p]; }, comm),
                 received);
  return code;
}

int MPI_Test(MPI_Request* request, int* done, MPI_Status* status) {
  *done = 0;
  if (!has_arrived(*request)) {
    advance(*request);
    return MPI_SUCCESS;
  }
  const MPI_Request before = *request;
  const int code = PMPI_Test(request, done, status);
  if (*done != 0) forget(before);
  return code;
}

int MPI_Wait(MPI_Request* request, MPI_Status* status) {
  return until([&](int& done) { return MPI_Test(request, &done, status); });
}

int MPI_Testall(int count, MPI_Request* requests, int* done, MPI_Status* statuses) {
  *done = 0;
  Visible visible(count, requests);
  if (!visible.all()) return MPI_SUCCESS;
  const int code = PMPI_Testall(count, visible.shown(), done, statuses);
  if (*done != 0) visible.complete_all();
  return code;
}

int MPI_Waitall(int count, MPI_Request* requests, MPI_Status* statuses) {
  return until([&](int& done) { return MPI_Testall(count, requests, &done, statuses); });
}

int MPI_Testany(int count, MPI_Request* requests, int* index, int* done, MPI_Status* status) {
  Visible visible(count, requests);
  const int code = PMPI_Testany(count, visible.shown(), index, done, status);
  if (*done != 0 && *index == MPI_UNDEFINED && !visible.all()) *done = 0;  // there are others, on their way
  if (*done != 0 && *index != MPI_UNDEFINED) visible.complete(*index);
  return code;
}

int MPI_Waitany(int count, MPI_Request* requests, int* index, MPI_Status* status) {
  return until([&](int& done) { return MPI_Testany(count, requests, index, &done, status); });
}

int MPI_Testsome(int count, MPI_Request* requests, int* completed, int* indices, MPI_Status* statuses) {
  Visible visible(count, requests);
  const int code = PMPI_Testsome(count, visible.shown(), completed, indices, statuses);
  if (*completed == MPI_UNDEFINED && !visible.all()) *completed = 0;
  if (*completed != MPI_UNDEFINED)
    std::for_each(indices, indices + *completed, [&](int index) { visible.complete(index); });
  return code;
}

int MPI_Waitsome(int count, MPI_Request* requests, int* completed, int* indices, MPI_Status* statuses) {
  return until([&](int& done) {
    const int code = MPI_Testsome(count, requests, completed, indices, statuses);
    done = *completed != 0;
    return code;
  });
}

}  // extern "C"
