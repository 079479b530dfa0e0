// Time series for ParaView: an XDMF file that grows with every step, and an HDF5 file for each step.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "weft/io.hpp"

namespace weft {

struct TimeSeriesOptions {
  int compression = 0;  ///< compression of the HDF5 files, as in FileNotes
  /// Continues the series in the file: steps before this time are kept, and later ones are dropped, since a resumed run
  /// writes them again; their HDF5 files stay until then. A file that does not exist has no steps. Without a value a
  /// new series starts.
  std::optional<double> resume{};
};

/// A time series of fields on a uniform mesh. PATH.xdmf is a temporal collection with one grid per step. The fields of
/// step n are in PATH-00000n.h5, written as by write_hdf5, with coordinates and the attribute "time". All members are
/// collective.
///
/// A step is in the series when append() returns: first its HDF5 file appears, complete, then the XDMF file is replaced
/// by one that includes the step. Whenever a run ends, the XDMF file refers to complete files only.
class TimeSeries {
 public:
  /// Throws the same Error on every rank for a path that does not end in .xdmf, a mesh that XDMF cannot describe, and
  /// arguments that differ between ranks, and Error(Fault::file) if a series to resume was not written by this class.
  /// Steps that are not kept are removed from the file when the constructor returns.
  TimeSeries(const Comm& comm, const std::string& path, const UniformMesh& mesh, const TimeSeriesOptions& options = {});

  /// Adds the fields of a time, which has to be later than all before. `mine` is this rank's block; the blocks of all
  /// ranks tile the mesh. Real is float or double. Throws as write_hdf5; the series then does not change.
  template <class Real>
  void append(double time, const Box& mine, const std::vector<NamedBlock<Real>>& fields);

  /// The times of all steps of the series.
  std::vector<double> times() const;
  const std::string& path() const { return path_; }
  const UniformMesh& mesh() const { return mesh_; }

 private:
  struct Step {
    double time;
    std::string grid;  ///< its part of the XDMF file; for resumed steps on rank 0 only
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
