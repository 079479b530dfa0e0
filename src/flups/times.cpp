// Adds up the times of a process, and compares those of all ranks.
#include "flups/times.hpp"

#include <mpi.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <utility>
#include <vector>

#include "base/number.hpp"
#include "exchange/exchange_seconds.hpp"
#include "weft/comm.hpp"
#include "weft/error.hpp"

namespace weft::flups {

namespace {

constexpr const char* folder = "prof";

struct Row {
  const char* name;  ///< FLUPS's
  int level;         ///< 2: a part of what stands before
};
constexpr std::array<Row, step_count> rows_of_steps{
    {{"init", 1}, {"setup", 1}, {"solve", 1}, {"copy rhs", 2}, {"SwitchTopo", 2}, {"fftw", 2}, {"domagic", 2}}};

double mean_of(const std::vector<double>& values) {
  double sum = 0;
  for (const double value : values) sum += value;
  return sum / static_cast<double>(values.size());
}

double deviation_of(const std::vector<double>& values) {
  const double mean = mean_of(values);
  double squares = 0;
  for (const double value : values) squares += (value - mean) * (value - mean);
  return values.size() == 1 ? 0 : std::sqrt(squares / static_cast<double>(values.size() - 1));
}

std::string padded(std::string text, std::size_t width) {
  text.resize(std::max(width, text.size()), ' ');
  return text;
}

}  // namespace

/// Of all ranks.
struct Times::Statistics {
  double mean = 0, least = 0, most = 0, deviation = 0;     ///< seconds
  double mean_calls = 0, least_calls = 0, most_calls = 0;  ///< of a rank
  double percent = 0;                                      ///< of all seconds
  double of_a_call() const { return mean_calls == 0 ? 0 : mean / mean_calls; }
};

void Times::start(std::string name) {
  *this = {};
  name_ = std::move(name);
}

void Times::add(Step step, double seconds, double exchanging) {
  const auto one_call = [this](Step which, double taken) {
    entry(which).calls++;
    entry(which).seconds += taken;
  };
  all_ += seconds;
  const bool transforms = step == Step::solve || step == Step::transform;
  if (step != Step::transform) one_call(step, seconds);
  if (!transforms) return;
  one_call(Step::exchange, exchanging);
  one_call(Step::transform, seconds - exchanging);
}

std::array<Times::Statistics, step_count> Times::statistics() const {
  int ranks = 1;
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  constexpr std::size_t width = 2 * step_count + 1;  // seconds and calls of each step, all seconds
  std::array<double, width> mine{};
  for (std::size_t i = 0; i < step_count; i++) {
    mine[2 * i] = entries_[i].seconds;
    mine[2 * i + 1] = entries_[i].calls;
  }
  mine.back() = all_;
  std::vector<double> of_ranks(width * static_cast<std::size_t>(ranks));
  MPI_Allgather(mine.data(), width, MPI_DOUBLE, of_ranks.data(), width, MPI_DOUBLE, MPI_COMM_WORLD);
  const auto column = [&](std::size_t of) {
    std::vector<double> values;
    for (std::size_t place = of; place < of_ranks.size(); place += width) values.push_back(of_ranks[place]);
    return values;
  };
  const double all = mean_of(column(width - 1));
  std::array<Statistics, step_count> result;
  for (std::size_t i = 0; i < step_count; i++) {
    const std::vector<double> seconds = column(2 * i), calls = column(2 * i + 1);
    const auto [least, most] = std::minmax_element(seconds.begin(), seconds.end());
    const auto [least_calls, most_calls] = std::minmax_element(calls.begin(), calls.end());
    Statistics& of = result[i];
    of = {mean_of(seconds), *least, *most, deviation_of(seconds), mean_of(calls), *least_calls, *most_calls};
    of.percent = all == 0 ? 0 : 100 * of.mean / all;
  }
  return result;
}

std::string Times::table() const {
  const auto all = statistics();
  int ranks = 1;
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  std::string text = "weft: times of " + name_ + ", " + std::to_string(ranks) + (ranks == 1 ? " rank" : " ranks") +
                     ", seconds of a rank\n" + padded("", 16) +
                     "   calls        mean         min         max       %\n";
  for (std::size_t i = 0; i < step_count; i++) {
    const Statistics& of = all[i];
    if (of.most_calls == 0) continue;
    text += padded((rows_of_steps[i].level == 2 ? "  " : "") + std::string(rows_of_steps[i].name), 16) +
            number("%8.0f", of.most_calls) + number(" %11.6f", of.mean) + number(" %11.6f", of.least) +
            number(" %11.6f", of.most) + number(" %7.2f\n", of.percent);
  }
  return text;
}

std::string Times::rows() const {
  const auto all = statistics();
  std::string text;
  for (std::size_t i = 0; i < step_count; i++) {
    const Statistics& of = all[i];
    text += rows_of_steps[i].name + (";" + std::to_string(rows_of_steps[i].level));
    for (const double value : {of.mean, of.percent, of.of_a_call()}) text += number(";%.8f", value);
    text += number(";%.0f", of.mean_calls);
    for (const double value : {of.least, of.most, of.deviation}) text += number(";%.8f", value);
    text += number(";%.0f", of.least_calls) + number(";%.0f\n", of.most_calls);
  }
  return text;
}

Times& times() {
  static Times those_of_the_process;
  return those_of_the_process;
}

void report_times() {
  const std::string table = times().table(), rows = times().rows();
  const Comm comm(MPI_COMM_WORLD);
  comm.together([&] {
    if (comm.rank() != 0) return;
    std::printf("%s", table.c_str());
    std::fflush(stdout);
    if (!std::filesystem::is_directory(folder)) return;
    const std::string path = std::string(folder) + "/" + times().name() + "_time.csv";
    std::ofstream file(path);
    file << rows;
    file.close();
    if (!file) throw Error(Fault::file, path + ": it cannot be written; free the disk, or name the profiler otherwise");
  });
}

Timed::Timed(Step step) : step_(step), start_(MPI_Wtime()), exchanging_(exchange_seconds()) {}
Timed::~Timed() { times().add(step_, MPI_Wtime() - start_, exchange_seconds() - exchanging_); }

}  // namespace weft::flups
