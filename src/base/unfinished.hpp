// Files that are being written, and the end of a process that is stopped (Ctrl-C) while C++ computes or writes.
#pragma once

#include <string>

namespace weft {

/// A file that is removed if end_on_interrupt() ends the process before the file is complete. An empty path means no
/// file.
class Unfinished {
 public:
  explicit Unfinished(const std::string& path);
  ~Unfinished();
  Unfinished(const Unfinished&) = delete;
  Unfinished& operator=(const Unfinished&) = delete;

 private:
  int place_;
};

/// The exit status that shells give for a process that SIGINT has ended.
constexpr int interrupted_status = 130;

/// From now on, SIGINT leaves the process `seconds` to end by itself: the previous handler is called and may clean up.
/// A process that still computes or waits after that time removes its unfinished files and ends with
/// interrupted_status. If SIGINT is ignored, it remains ignored.
void end_on_interrupt(double seconds);

}  // namespace weft
