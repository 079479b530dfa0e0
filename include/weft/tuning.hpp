// Tuning: the fastest way to do one transform, searched on the machine itself, and files that remember it.
#pragma once

#include <mpi.h>

#include <functional>
#include <string>
#include <vector>

#include "weft/kind.hpp"
#include "weft/options.hpp"
#include "weft/types.hpp"

namespace weft {

/// Which strategies a search may take.
struct TuneFilter {
  std::vector<Strategy> include;  ///< empty: all
  std::vector<Strategy> exclude;
};

/// One candidate of a search and what came of it.
struct Trial {
  std::vector<int> grid;
  Strategy strategy = Strategy::automatic;
  int chunks = 1;
  int send_batch = 0;
  bool fuse = true;
  double estimate = 0;  ///< predicted seconds of forward and backward
  double seconds = 0;   ///< of forward and backward on the slowest rank, the best of all runs; 0: did not run
  int runs = 0;
  std::string note;  ///< why it was left out, or is not the choice without having run to the end; else empty
};

/// How to search.
struct TuneSearch {
  TuneFilter filter;
  double budget = 0;  ///< seconds; at least three candidates run whatever it is. 0: 2 (measure) or 60 (patient)
  /// Called after each candidate, with its number (from 1) and how many there are. On every rank; it may not throw.
  std::function<void(const Trial&, std::size_t number, std::size_t count)> progress;
};

/// The outcome of a search.
struct Tuning {
  PlanOptions options;  ///< with grid, strategy, chunks, send_batch and fuse fixed
  std::vector<Trial> trials;
  double seconds = 0;  ///< of forward and backward with these options, where it was measured
  std::string source;  ///< the file that knew it, or the machine that it is estimated for; empty: the search
};

/// Tries process grids x strategies x chunks x fusion on arrays of the real size, strategies that throttle their sends
/// (persistent, datatype) also with one message at a time where a rank sends to several, and returns the fastest; with
/// Effort::estimate the one that is predicted to be. What `options` fix stays: a grid, a strategy other than automatic,
/// chunks of 2 and more, a send_batch other than 0, fuse = false. All ranks get the same answer. Collective; throws the
/// same Error on every rank.
template <class Real>
Tuning tune(MPI_Comm comm, const Extents& shape, const std::vector<Kind>& kinds, const PlanOptions& options = {},
            const TuneSearch& search = {});

/// "tuned: persistent, chunks 1, 1 message at a time, grid 4, 12.300 ms; tried 5 of 12" and a new line, without the
/// messages where they start together; or, of a choice by estimate, "estimated: persistent, chunks 4, 71.300 ms; then
/// ..." with what comes next and the machine; empty where nothing was open.
std::string summary(const Tuning& tuning);

/// Adds the outcome of a search to a tuning file (TOML), in place of what the file says about the same transform, and
/// what FFTW has learnt. The file appears whole or not at all. Collective; throws Error (Fault::file) on every rank
/// when the file cannot be written, is damaged, or is that of another machine or MPI library.
template <class Real>
void save_tuning(MPI_Comm comm, const std::string& path, const Extents& shape, const std::vector<Kind>& kinds,
                 const Tuning& tuning);

/// Throws the Error of save_tuning where a file cannot take the outcome of a search, before one is made. Collective.
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
