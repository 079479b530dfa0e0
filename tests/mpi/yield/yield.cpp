// Preloaded by tests: ranks that wait for a message give their core to others. MPICH over UCX polls without ever doing
// so, and on fewer cores than ranks a message waits until the scheduler has had enough of those that only look for one.
#include <dlfcn.h>
#include <sched.h>

#include <cstdlib>

namespace {

using Progress = unsigned (*)(void*);

// As often as this nothing may be there before the core is given away: messages between ranks that both run take less.
constexpr int patience = 64;

// UCX may be known to the MPI library alone (Python loads it that way), so the next one in the order of all is not
// asked for.
Progress progress_of_ucx() {
  void* const library = dlopen("libucp.so.0", RTLD_LAZY);
  if (library == nullptr) std::abort();  // the caller is linked with it
  return reinterpret_cast<Progress>(dlsym(library, "ucp_worker_progress"));
}

// Neither a guard nor a destructor: nothing here needs the run-time library of C++.
Progress of_ucx = nullptr;
thread_local int idle = 0;

}  // namespace

/// UCX's function of this name, which every MPI call that waits calls again and again.
extern "C" __attribute__((visibility("default"))) unsigned ucp_worker_progress(void* worker) {
  if (of_ucx == nullptr) of_ucx = progress_of_ucx();
  const unsigned events = of_ucx(worker);
  idle = events == 0 ? idle + 1 : 0;
  if (idle > patience) sched_yield();
  return events;
}
