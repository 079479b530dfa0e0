// Files that are being written, and how a process ends that is told to stop (Ctrl-C) while C++ computes or writes.
#pragma once

#include <string>

namespace weft {

/// A file that has to go if the process ends before it is whole, as end_on_interrupt() does it. An empty path is none.
class Unfinished {
 public:
  explicit Unfinished(const std::string& path);
  ~Unfinished();
  Unfinished(const Unfinished&) = delete;
  Unfinished& operator=(const Unfinished&) = delete;

 private:
  int place_;
};

/// The exit status of a process that SIGINT has ended, as shells give it.
constexpr int interrupted_status = 130;

/// From now on, SIGINT leaves the process `seconds` to end by itself: what handled the signal before is called, and may
/// clear up. A process that is still there then, since it computes or waits, removes its unfinished files and ends with
/// interrupted_status. Where SIGINT is ignored it stays so.
void end_on_interrupt(double seconds);

}  // namespace weft
