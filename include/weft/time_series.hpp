// Time series for ParaView: one XDMF file that grows, and an HDF5 file for each of its steps.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "weft/io.hpp"

namespace weft {

struct TimeSeriesOptions {
  int compression = 0;  ///< of the HDF5 files, as FileNotes
  /// Goes on with the series that the file has: its steps before this time stay, later ones are dropped (a run that was
  /// taken up again makes them anew). A file that does not exist has none. Without it the series begins anew.
  std::optional<double> resume{};
};

/// Fields on a uniform mesh, as they change in time. PATH.xdmf is a temporal collection of one grid a step; the fields
/// of step n are in PATH-00000n.h5, as write_hdf5 puts them there, with coordinates and the attribute "time". All
/// members are collective.
///
/// A step is in the series when append() returns: first its HDF5 file appears whole, then the XDMF file is replaced by
/// one that has the step, too. Whenever a run ends, the XDMF file speaks of whole files alone.
class TimeSeries {
 public:
  /// Throws Error on every rank alike for a path that does not end in .xdmf, a mesh that XDMF cannot say, arguments
  /// that differ between ranks, and Error(Fault::file) where a series to resume was not written by this class. What the
  /// file said before of steps that do not stay is gone when the constructor returns.
  TimeSeries(const Comm& comm, const std::string& path, const UniformMesh& mesh, const TimeSeriesOptions& options = {});

  /// Adds the fields of a time, which is later than all before. `mine` is this rank's block; the blocks of all ranks
  /// tile the mesh. Real is float or double. Throws as write_hdf5; the series is then as it was.
  template <class Real>
  void append(double time, const Box& mine, const std::vector<NamedBlock<Real>>& fields);

  /// The times of all steps.
  std::vector<double> times() const;
  const std::string& path() const { return path_; }
  const UniformMesh& mesh() const { return mesh_; }

 private:
  struct Step {
    double time;
    std::string grid;  ///< its part of the XDMF file; of steps that were resumed on rank 0 alone
  };
  void take_up(double before);
  void describe(const std::vector<Step>& steps) const;
  std::string hdf5_path(std::size_t step) const;

  Comm comm_;
  std::string path_;
  UniformMesh mesh_;
  int compression_;
  std::vector<Step> steps_;
};

}  // namespace weft
