// Tuning: a search for the fastest plan of one transform on this machine, and files that store the outcome.
#pragma once

#include <mpi.h>

#include <functional>
#include <string>
#include <vector>

#include "weft/kind.hpp"
#include "weft/options.hpp"
#include "weft/types.hpp"

namespace weft {

/// The strategies of a search.
struct TuneFilter {
  std::vector<Strategy> include;  ///< empty: all
  std::vector<Strategy> exclude;
};

/// One candidate of a search and its outcome.
struct Trial {
  std::vector<int> grid;
  Strategy strategy = Strategy::automatic;
  int chunks = 1;
  int send_batch = 0;
  bool fuse = true;
  double estimate = 0;  ///< predicted seconds of forward and backward
  double seconds = 0;   ///< time of forward and backward on the slowest rank, the best of all runs; 0: did not run
  int runs = 0;
  std::string note;  ///< why the candidate was omitted or its runs were stopped early; else empty
};

/// Options of a search.
struct TuneSearch {
  TuneFilter filter;
  double budget = 0;  ///< seconds; at least three candidates run in any case. 0: 2 (measure) or 60 (patient)
  /// Called on every rank after each candidate, with its number (from 1) and the number of candidates. It must not
  /// throw.
  std::function<void(const Trial&, std::size_t number, std::size_t count)> progress;
};

/// The outcome of a search.
struct Tuning {
  PlanOptions options;  ///< with grid, strategy, chunks, send_batch and fuse fixed
  std::vector<Trial> trials;
  double seconds = 0;  ///< time of forward and backward with these options if it was measured
  std::string source;  ///< the file with the outcome, or the machine of the estimate; empty: the search
};

/// Tries process grids x strategies x chunks x fusion on arrays of the real size and returns the fastest candidate,
/// with Effort::estimate the one that is predicted to be the fastest. Strategies that throttle their sends (persistent,
/// datatype) are also tried with one message at a time if a rank sends to several ranks. Members that `options` fix are
/// not varied: a grid, a strategy other than automatic, chunks of 2 and more, a send_batch other than 0, fuse = false.
/// All ranks get the same result. Collective; throws the same Error on every rank.
template <class Real>
Tuning tune(MPI_Comm comm, const Extents& shape, const std::vector<Kind>& kinds, const PlanOptions& options = {},
            const TuneSearch& search = {});

/// The line "tuned: persistent, chunks 1, 1 message at a time, grid 4, 12.300 ms; tried 5 of 12", without the messages
/// if they start together. For a choice by estimate the line is "estimated: persistent, chunks 4, 71.300 ms; then ..."
/// with the next candidates and the machine. The text is empty if there was no choice.
std::string summary(const Tuning& tuning);

/// Adds the outcome of a search to a tuning file (TOML), where it replaces an earlier outcome for the same transform,
/// and the wisdom of FFTW. The file appears complete or not at all. Collective; throws Error (Fault::file) on every
/// rank if the file cannot be written, is damaged, or is that of another machine or MPI library.
template <class Real>
void save_tuning(MPI_Comm comm, const std::string& path, const Extents& shape, const std::vector<Kind>& kinds,
                 const Tuning& tuning);

/// Throws the Error of save_tuning if a file cannot take the outcome of a search; to be called before it. Collective.
void check_tuning_file(MPI_Comm comm, const std::string& path);

extern template Tuning tune<double>(MPI_Comm, const Extents&, const std::vector<Kind>&, const PlanOptions&,
                                    const TuneSearch&);
extern template Tuning tune<float>(MPI_Comm, const Extents&, const std::vector<Kind>&, const PlanOptions&,
                                   const TuneSearch&);
extern template void save_tuning<double>(MPI_Comm, const std::string&, const Extents&, const std::vector<Kind>&,
                                         const Tuning&);
extern template void save_tuning<float>(MPI_Comm, const std::string&, const Extents&, const std::vector<Kind>&,
                                        const Tuning&);

}  // namespace weft
