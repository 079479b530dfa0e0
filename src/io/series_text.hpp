// The list of the steps of a time series, as the text of an XDMF file.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "weft/io.hpp"

namespace weft::io {

/// One step of a series, with its lines of the file.
struct SeriesStep {
  double time = 0;
  std::string grid;
};

/// The file of a series with these grids.
std::string series_text(const std::vector<std::string>& grids);

/// The grid of the step of this number.
std::string series_grid(std::size_t number, double time, const std::string& hdf5_path, const UniformMesh& mesh,
                        const std::vector<std::string>& fields);

/// The steps in a text that series_text() and series_grid() have written for this mesh, at increasing times; nothing if
/// any byte differs.
std::optional<std::vector<SeriesStep>> read_series(const std::string& text, const UniformMesh& mesh);

}  // namespace weft::io
