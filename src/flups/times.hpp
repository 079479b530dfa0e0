// Times of the calls of a program, which flups_profiler_disp prints: profilers of programs are no objects of this
// library.
#pragma once

#include <array>
#include <string>

namespace weft::flups {

/// What is timed: functions of the interface, and the exchanges in solves and transforms.
enum class Step { init, setup, solve, copy, exchange, transform, product };
constexpr std::size_t step_count = 7;

/// Calls and seconds of this process since the last start(). `all` are the seconds of all calls.
class Times {
 public:
  void start(std::string name);
  /// A call that took `seconds`, of which exchanges took `exchanging`.
  void add(Step step, double seconds, double exchanging);
  /// A table, the same on every rank of MPI_COMM_WORLD. Collective over them.
  std::string table() const;
  /// The rows of FLUPS's file: name; level; mean seconds; their part of all, in percent; seconds of a call; calls;
  /// least and most seconds; their standard deviation; least and most calls. Collective over MPI_COMM_WORLD.
  std::string rows() const;
  const std::string& name() const { return name_; }

 private:
  struct Entry {
    double calls = 0, seconds = 0;
  };
  struct Statistics;
  Entry& entry(Step step) { return entries_[static_cast<std::size_t>(step)]; }
  std::array<Statistics, step_count> statistics() const;

  std::string name_ = "default";
  std::array<Entry, step_count> entries_{};
  double all_ = 0;
};

/// Those of this process.
Times& times();

/// Rank 0 of MPI_COMM_WORLD prints the table, and writes the rows to prof/NAME_time.csv if there is a folder prof.
/// Collective. Throws the same Error on every rank.
void report_times();

/// Times a call until the end of the scope.
class Timed {
 public:
  explicit Timed(Step step);
  ~Timed();
  Timed(const Timed&) = delete;
  Timed& operator=(const Timed&) = delete;

 private:
  Step step_;
  double start_, exchanging_;
};

}  // namespace weft::flups
