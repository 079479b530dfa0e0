// MPI held by RAII: a session, a communicator with its cached children, and collective agreement on errors.
#pragma once

#include <mpi.h>

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "weft/error.hpp"
#include "weft/types.hpp"

namespace weft {

/// A private duplicate of a user's communicator. The duplicate and every sub-communicator made from it are cached on
/// the user's communicator (an MPI attribute), so that thousands of plans cost one duplicate. Copies are cheap handles.
class Comm {
 public:
  /// Collective over `user` the first time that it is seen. Throws Error if MPI is not initialised or already
  /// finalised, or if `user` is MPI_COMM_NULL or an inter-communicator. MPI errors on the duplicate are fatal, whatever
  /// error handler the user's communicator has.
  explicit Comm(MPI_Comm user);

  MPI_Comm handle() const;
  int rank() const;
  int size() const;

  /// The ranks that share `color` (0 or more), ordered by `key`. Collective; the same `name` gives the cached
  /// communicator again, so a name must always stand for the same split. Throws Error where it does not.
  Comm split(const std::string& name, int color, int key) const;
  /// The ranks on this rank's node (MPI_COMM_TYPE_SHARED). Collective the first time.
  Comm node() const;
  /// The cores that ranks of this node may run on: those of the user's communicator, each where it is allowed to run
  /// (cpuset, binding).
  int cores() const;

  index_t sum(index_t value) const;
  index_t max(index_t value) const;
  double max(double value) const;
  double sum(double value) const;
  void barrier() const;
  /// Completes a request. Where ranks share cores it gives its own away between looks instead of polling, and sleeps
  /// when it takes longer.
  void wait(MPI_Request& request) const;
  /// Calls `done`, which looks at requests, again and again until it returns true; waits between as wait() does.
  void wait_until(const std::function<bool()>& done) const;
  std::vector<index_t> all_gather(index_t value) const;
  /// The text of rank `root` on every rank, sent in messages of at most `largest_message` bytes (MPI counts have 31
  /// bits, texts have not).
  std::string broadcast(const std::string& text, int root, index_t largest_message = index_t{1} << 30) const;

  /// Runs `work` on every rank. Where it throws on any of them, every rank throws the Error of the lowest such rank.
  /// The work itself must not communicate, but among ranks that all get through or all throw. Costs one reduction of
  /// one int when nothing throws. Exceptions other than Error become an Error too: std::bad_alloc with Fault::resource,
  /// all others with Fault::internal.
  void together(const std::function<void()>& work) const;
  /// Throws on every rank alike when `value` (the argument `name`, as text) is not the same on all ranks.
  void require_same(const std::string& name, const std::string& value) const;

 private:
  struct State;
  explicit Comm(std::shared_ptr<State> state) : state_(std::move(state)) {}
  std::shared_ptr<State> state_;
};

/// Initialises MPI when nobody has, and finalises it at the end if so. Threads: MPI_THREAD_FUNNELED.
/// Throws Error if MPI was finalised before, or cannot give that thread level.
class Session {
 public:
  Session(int& argc, char**& argv);
  ~Session();
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;
  MPI_Comm world() const { return MPI_COMM_WORLD; }
  bool root() const;

 private:
  bool owner_ = false;
};

}  // namespace weft
