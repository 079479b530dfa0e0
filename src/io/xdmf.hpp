// Pieces of XDMF files.
#pragma once

#include <string>
#include <vector>

#include "weft/io.hpp"

namespace weft::io {

/// The text of a file before and after its grids.
extern const std::string xdmf_begin, xdmf_end;

/// The shortest text that reads back as the same number, with a point in every locale.
std::string shortest(double value);

/// The description of the fields of an HDF5 file on a mesh, with a time if there is one.
std::string xdmf_grid(const std::string& name, const std::string& time, const std::string& hdf5_path,
                      const UniformMesh& mesh, const std::vector<std::string>& fields);

/// The description of the fields of an HDF5 file on a rectilinear mesh, without a time.
std::string xdmf_grid(const std::string& name, const std::string& hdf5_path, const RectilinearMesh& mesh,
                      const std::vector<std::string>& fields);

/// Throws Error(Fault::file) for a file whose name cannot stand in XML.
void check_file_name(const std::string& hdf5_path);

/// Throws Error(Fault::argument) for a mesh that XDMF cannot describe.
void check_mesh(const UniformMesh& mesh);
void check_mesh(const RectilinearMesh& mesh);

}  // namespace weft::io
