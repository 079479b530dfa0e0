// MPI held by RAII: communicators cached as an MPI attribute of the user's communicator, and collective errors.
#include "weft/comm.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <chrono>
#include <cstdint>
#include <map>
#include <new>
#include <string_view>
#include <thread>
#include <utility>

#if defined(__linux__)
#include <sched.h>
#endif

namespace weft {
namespace {

// Handles of one MPI library mean nothing to another, and programs in C and Fortran link with any of them.
#if defined(WEFT_RUNTIME_MPI)
void require_own_mpi() {}  // the library is not linked with an MPI
#else
void require_own_mpi() {
#if defined(OPEN_MPI)
  constexpr const char *own = "Open MPI", *other = "MPICH";
#else
  constexpr const char *own = "MPICH", *other = "Open MPI";
#endif
  char text[MPI_MAX_LIBRARY_VERSION_STRING] = {};
  int length = 0;
  MPI_Get_library_version(text, &length);
  // Nothing is allocated here: every operation begins here, and a rank without memory must reach the point where all
  // ranks learn of it.
  const std::string_view library(text);
  if (library.find(other) == library.npos || library.find(own) != library.npos) return;
  throw Error(Fault::argument, std::string("Weft was built for ") + own + ", and this program runs with " + other +
                                   "; build both with the compiler wrappers of one MPI library");
}
#endif

void check_usable(MPI_Comm user) {
  require_own_mpi();
  int initialised = 0, finalised = 0, inter = 0;
  MPI_Initialized(&initialised);
  MPI_Finalized(&finalised);
  require(initialised != 0, "MPI is not initialised; call MPI_Init_thread, or make a weft::Session, before");
  require(finalised == 0, "MPI is already finalised; make plans before MPI_Finalize");
  require(user != MPI_COMM_NULL, "the communicator is MPI_COMM_NULL; give one that this process is in");
  MPI_Comm_test_inter(user, &inter);
  require(inter == 0, "the communicator is an inter-communicator; give an intra-communicator (MPI_Intercomm_merge)");
}

// The user's error handler may be MPI_ERRORS_RETURN (mpi4py sets it), so this call reports its own failure.
MPI_Comm duplicate(MPI_Comm user) {
  MPI_Comm copy = MPI_COMM_NULL;
  const int code = MPI_Comm_dup(user, &copy);
  if (code != MPI_SUCCESS) {
    char text[MPI_MAX_ERROR_STRING] = {};
    int length = 0;
    MPI_Error_string(code, text, &length);
    throw Error(Fault::resource, std::string("the communicator cannot be duplicated: ") + text +
                                     "; free communicators that are no longer needed");
  }
  MPI_Comm_set_errhandler(copy, MPI_ERRORS_ARE_FATAL);
  return copy;
}

// The cores that this process may run on, one bit each, after cpusets and binding by the launcher; all bits if they are
// unknown.
constexpr std::size_t most_cores = 1024;
using CoreSet = std::array<std::uint64_t, most_cores / 64>;
CoreSet cores_of_process() {
  CoreSet cores{};
#if defined(__linux__)
  static_assert(CPU_SETSIZE == most_cores);
  cpu_set_t mine;
  CPU_ZERO(&mine);
  if (sched_getaffinity(0, sizeof(mine), &mine) == 0) {
    for (std::size_t core = 0; core < most_cores; core++)
      if (CPU_ISSET(core, &mine)) cores[core / 64] |= std::uint64_t{1} << core % 64;
    return cores;
  }
#endif
  cores.fill(~std::uint64_t{0});
  return cores;
}

// The cores that the processes of a node may run on together.
int cores_of_all(MPI_Comm node) {
  const CoreSet mine = cores_of_process();
  CoreSet all{};
  MPI_Allreduce(mine.data(), all.data(), static_cast<int>(all.size()), MPI_UINT64_T, MPI_BOR, node);
  int cores = 0;
  for (const std::uint64_t bits : all) cores += std::popcount(bits);
  const auto there_are = static_cast<int>(std::thread::hardware_concurrency());  // 0 if unknown
  return there_are > 0 ? std::min(cores, there_are) : cores;
}

struct Failure {
  bool happened = false;
  Fault fault = Fault::internal;
  std::string text;
};

// Every exception is caught: if one escaped on a single rank, the others would wait for ever.
Failure attempt(const std::function<void()>& work) {
  try {
    work();
  } catch (const Error& error) {
    return {true, error.fault(), error.what()};
  } catch (const std::bad_alloc&) {
    return {true, Fault::resource, "out of memory; use more nodes or a smaller problem"};
  } catch (const std::exception& error) {
    return {true, Fault::internal, error.what()};
  } catch (...) {
    return {true, Fault::internal, "an exception that is not a std::exception was thrown"};
  }
  return {};
}

}  // namespace

/// An internal communicator. It is freed when its last handle and the cache that holds it are gone.
struct Comm::State {
  State(MPI_Comm own, int node_cores, bool shares_cores) : handle(own), cores(node_cores), crowded(shares_cores) {
    MPI_Comm_rank(handle, &rank);
    MPI_Comm_size(handle, &size);
  }
  ~State() {
    int finalised = 0;
    MPI_Finalized(&finalised);
    if (finalised == 0) MPI_Comm_free(&handle);
  }
  State(const State&) = delete;
  State& operator=(const State&) = delete;

  // MPI calls this when the user's communicator is freed.
  static int forget(MPI_Comm, int, void* cached, void*) {
    delete static_cast<std::shared_ptr<State>*>(cached);
    return MPI_SUCCESS;
  }
  static int keyval() {
    static const int key = [] {
      int keyval = MPI_KEYVAL_INVALID;
      MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, forget, &keyval, nullptr);
      return keyval;
    }();
    return key;
  }

  struct Child {
    std::shared_ptr<State> state;
    int color, key;
  };

  // Not MPI_IN_PLACE: the simulator that tests run under (SMPI 3.32) reads a copy of it that it has freed.
  template <class T>
  T reduce(T value, MPI_Datatype type, MPI_Op op) const {
    if (size == 1) return value;  // asked with each transform in place: small ones notice a call of MPI
    T result{};
    MPI_Request request = MPI_REQUEST_NULL;
    MPI_Iallreduce(&value, &result, 1, type, op, handle, &request);
    wait(request);
    return result;
  }
  void broadcast(void* data, int count, MPI_Datatype type, int root) const {
    MPI_Request request = MPI_REQUEST_NULL;
    MPI_Ibcast(data, count, type, root, handle, &request);
    wait(request);
  }
  // Broadcasts the length of the text of rank `root`, then its characters.
  std::size_t length_of(const std::string& text, int root) const {
    std::uint64_t length = text.size();
    broadcast(&length, 1, MPI_UINT64_T, root);
    return length;
  }
  void fill(std::string& text, int root, index_t largest_message) const {
    const auto length = static_cast<index_t>(text.size());
    for (index_t done = 0; done < length; done += largest_message) {
      const auto count = static_cast<int>(std::min(largest_message, length - done));
      broadcast(text.data() + done, count, MPI_CHAR, root);
    }
  }
  void wait(MPI_Request& request) const;
  void wait_until(const std::function<bool()>& done) const;

  MPI_Comm handle;
  int cores;     ///< cores that the ranks of this node may run on
  bool crowded;  ///< the node has more ranks than cores
  int rank = 0, size = 0;
  std::map<std::string, Child> children;
  std::shared_ptr<State> node;
};

// MPI libraries wait by polling, which is right while every rank has a core of its own. If ranks share cores, a polling
// rank keeps the rank that it waits for from running, and a barrier takes a time slice of the scheduler per rank. All
// waiting of the library therefore goes through here, and every collective is non-blocking.
void Comm::State::wait(MPI_Request& request) const {
  if (!crowded) {
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    return;
  }
  wait_until([&] {
    int done = 0;
    MPI_Test(&request, &done, MPI_STATUS_IGNORE);
    return done != 0;
  });
}

// First the rank yields its core: most messages arrive soon, and a nap would last longer, with idle cores for most of
// it (small arrays on 3 and 7 ranks of 2 cores took 5 times as long). In a long wait other ranks compute, and the
// waiting rank sleeps to leave them the whole core.
void Comm::State::wait_until(const std::function<bool()>& done) const {
  constexpr int impatient = 20, tired = 200;
  constexpr auto nap = std::chrono::microseconds(20);
  for (int misses = 0; !done(); misses++) {
    if (!crowded || misses < impatient) continue;
    if (misses < tired) {
      std::this_thread::yield();
    } else {
      std::this_thread::sleep_for(nap);
    }
  }
}

Comm::Comm(MPI_Comm user) {
  check_usable(user);
  void* cached = nullptr;
  int found = 0;
  MPI_Comm_get_attr(user, State::keyval(), static_cast<void*>(&cached), &found);
  if (found != 0) {
    state_ = *static_cast<std::shared_ptr<State>*>(cached);
    return;
  }
  state_ = std::make_shared<State>(duplicate(user), 1, false);
  State& near = *node().state_;
  state_->cores = near.cores = cores_of_all(near.handle);
  state_->crowded = near.crowded = near.size > near.cores;
  auto holder = std::make_unique<std::shared_ptr<State>>(state_);
  if (MPI_Comm_set_attr(user, State::keyval(), holder.get()) == MPI_SUCCESS) static_cast<void>(holder.release());
}

MPI_Comm Comm::handle() const { return state_->handle; }
int Comm::rank() const { return state_->rank; }
int Comm::size() const { return state_->size; }
int Comm::cores() const { return state_->cores; }

Comm Comm::split(const std::string& name, int color, int key) const {
  const auto known = state_->children.find(name);
  if (known == state_->children.end()) {
    if (color < 0) {
      throw Error(Fault::internal, "split \"" + name + "\": color = " + std::to_string(color) + "; give 0 or more");
    }
    MPI_Comm part = MPI_COMM_NULL;
    MPI_Comm_split(handle(), color, key, &part);
    const auto state = std::make_shared<State>(part, state_->cores, state_->crowded);
    state_->children[name] = {state, color, key};
    return Comm(state);
  }
  const State::Child& child = known->second;
  if (child.color != color || child.key != key) {
    throw Error(Fault::internal, "split \"" + name + "\" was made with color " + std::to_string(child.color) +
                                     ", key " + std::to_string(child.key) + " and is requested with color " +
                                     std::to_string(color) + ", key " + std::to_string(key) +
                                     "; give each split its own name");
  }
  return Comm(child.state);
}

Comm Comm::node() const {
  if (!state_->node) {
    MPI_Comm part = MPI_COMM_NULL;
    MPI_Comm_split_type(handle(), MPI_COMM_TYPE_SHARED, rank(), MPI_INFO_NULL, &part);
    state_->node = std::make_shared<State>(part, state_->cores, state_->crowded);
  }
  return Comm(state_->node);
}

index_t Comm::sum(index_t value) const { return state_->reduce(value, MPI_INT64_T, MPI_SUM); }
index_t Comm::max(index_t value) const { return state_->reduce(value, MPI_INT64_T, MPI_MAX); }
double Comm::max(double value) const { return state_->reduce(value, MPI_DOUBLE, MPI_MAX); }
double Comm::sum(double value) const { return state_->reduce(value, MPI_DOUBLE, MPI_SUM); }
void Comm::wait(MPI_Request& request) const { state_->wait(request); }
void Comm::wait_until(const std::function<bool()>& done) const { state_->wait_until(done); }

void Comm::barrier() const {
  MPI_Request request = MPI_REQUEST_NULL;
  MPI_Ibarrier(handle(), &request);
  wait(request);
}

std::vector<index_t> Comm::all_gather(index_t value) const {
  std::vector<index_t> values;
  together([&] { values.resize(static_cast<std::size_t>(size())); });
  MPI_Request request = MPI_REQUEST_NULL;
  MPI_Iallgather(&value, 1, MPI_INT64_T, values.data(), 1, MPI_INT64_T, handle(), &request);
  wait(request);
  return values;
}

std::string Comm::broadcast(const std::string& text, int root, index_t largest_message) const {
  const std::size_t length = state_->length_of(text, root);
  std::string result;
  together([&] {
    result = text;
    result.resize(length);
  });
  state_->fill(result, root, largest_message);
  return result;
}

void Comm::run_together(const std::function<void()>& work) const {
  const Failure mine = attempt(work);
  const int first = state_->reduce(mine.happened ? rank() : size(), MPI_INT, MPI_MIN);
  if (first == size()) return;
  int fault = static_cast<int>(mine.fault);
  state_->broadcast(&fault, 1, MPI_INT, first);
  std::string text = mine.text;
  text.resize(state_->length_of(text, first));
  state_->fill(text, first, index_t{1} << 30);
  throw Error(static_cast<Fault>(fault), text);
}

void Comm::require_same(const std::string& name, const std::string& value) const {
  const std::string reference = broadcast(value, 0);
  const int other = state_->reduce(value == reference ? size() : rank(), MPI_INT, MPI_MIN);
  if (other == size()) return;
  throw Error(Fault::argument, name + " differ between ranks: rank 0 has " + reference + ", rank " +
                                   std::to_string(other) + " has " + broadcast(value, other) +
                                   "; give every rank the same value");
}

Session::Session(int& argc, char**& argv) {
  int initialised = 0, finalised = 0;
  MPI_Initialized(&initialised);
  MPI_Finalized(&finalised);
  require(finalised == 0,
          "MPI is already finalised and cannot be started again; keep one weft::Session for the program");
  if (initialised != 0) return;
  int provided = MPI_THREAD_SINGLE;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
  owner_ = true;
  if (provided < MPI_THREAD_FUNNELED) {
    MPI_Finalize();
    throw Error(Fault::resource, "this MPI library does not give MPI_THREAD_FUNNELED; use one built with threads");
  }
}

Session::~Session() {
  int finalised = 0;
  MPI_Finalized(&finalised);
  if (owner_ && finalised == 0) MPI_Finalize();
}

bool Session::root() const {
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  return rank == 0;
}

}  // namespace weft
