// RAII for MPI: a session, a communicator with its cached children, and collective agreement on errors.
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
  /// Collective over `user` when it is first used. Throws Error if MPI is not initialised or already
  /// finalised, or if `user` is MPI_COMM_NULL or an inter-communicator. MPI errors on the duplicate are fatal, whatever
  /// error handler the user's communicator has.
  explicit Comm(MPI_Comm user);

  MPI_Comm handle() const;
  int rank() const;
  int size() const;

  /// The ranks that share `color` (0 or more), ordered by `key`. Collective. The same `name` returns the cached
  /// communicator, so a name must always stand for the same split. Throws Error if it does not.
  Comm split(const std::string& name, int color, int key) const;
  /// The ranks on this rank's node (MPI_COMM_TYPE_SHARED). The first call is collective.
  Comm node() const;
  /// The number of cores on which the ranks of the user's communicator on this node may run (cpuset, binding).
  int cores() const;

  index_t sum(index_t value) const;
  index_t max(index_t value) const;
  double max(double value) const;
  double sum(double value) const;
  void barrier() const;
  /// Completes a request. If ranks share cores, it yields its core between tests instead of polling, and sleeps if the
  /// request takes longer.
  void wait(MPI_Request& request) const;
  /// Calls `done`, which tests requests, until it returns true. Waits between the calls as wait() does.
  void wait_until(const std::function<bool()>& done) const;
  std::vector<index_t> all_gather(index_t value) const;
  /// The text of rank `root` on every rank, sent in messages of at most `largest_message` bytes (MPI counts have 31
  /// bits, texts have not).
  std::string broadcast(const std::string& text, int root, index_t largest_message = index_t{1} << 30) const;

  /// Runs `work` on every rank. If it throws on any of them, every rank throws the Error of the lowest such rank. The
  /// work must not communicate, except among ranks that all succeed or all throw. The cost is one reduction of one int
  /// if nothing throws. Other exceptions become an Error as well: std::bad_alloc with Fault::resource, all others with
  /// Fault::internal.
  template <class Work>
  void together(const Work& work) const {
    run_together(std::cref(work));  // a reference, so that nothing is allocated
  }
  /// Throws the same Error on every rank if `value` (the argument `name` as text) is not the same on all ranks.
  void require_same(const std::string& name, const std::string& value) const;

 private:
  struct State;
  void run_together(const std::function<void()>& work) const;
  explicit Comm(std::shared_ptr<State> state) : state_(std::move(state)) {}
  std::shared_ptr<State> state_;
};

/// Initialises MPI with MPI_THREAD_FUNNELED unless it is initialised, and finalises it at the end if it did so.
/// Throws Error if MPI was finalised before or does not provide that thread level.
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
