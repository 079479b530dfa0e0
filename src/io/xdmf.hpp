// Pieces of XDMF files.
#pragma once

#include <string>
#include <vector>

#include "weft/io.hpp"

namespace weft::io {

/// What stands before and behind the grids of a file.
extern const std::string xdmf_begin, xdmf_end;

/// The shortest text that reads back as the same number, with a point in every locale.
std::string shortest(double value);

/// The description of the fields of an HDF5 file on a mesh, at a time (nothing: at none).
std::string xdmf_grid(const std::string& name, const std::string& time, const std::string& hdf5_path,
                      const UniformMesh& mesh, const std::vector<std::string>& fields);

/// The same on a rectilinear mesh, at no time.
std::string xdmf_grid(const std::string& name, const std::string& hdf5_path, const RectilinearMesh& mesh,
                      const std::vector<std::string>& fields);

/// Throws Error(Fault::file) for a file whose name cannot stand in XML.
void check_file_name(const std::string& hdf5_path);

/// Throws Error(Fault::argument) for a mesh that XDMF cannot say.
void check_mesh(const UniformMesh& mesh);
void check_mesh(const RectilinearMesh& mesh);

}  // namespace weft::io
