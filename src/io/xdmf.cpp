// XDMF 3: the small XML file that tells ParaView how to read the fields of an HDF5 file.
#include <algorithm>
#include <charconv>
#include <cmath>
#include <functional>

#include "base/plain_text.hpp"
#include "base/utf8.hpp"
#include "io/agree.hpp"
#include "io/output.hpp"
#include "io/paths.hpp"
#include "io/xdmf.hpp"

namespace weft {
namespace {

std::string escaped(const std::string& text) {
  std::string result;
  for (const char c : text) {
    switch (c) {
      case '&':
        result += "&amp;";
        break;
      case '<':
        result += "&lt;";
        break;
      case '>':
        result += "&gt;";
        break;
      case '"':
        result += "&quot;";
        break;
      default:
        result += c;
    }
  }
  return result;
}

// Three values, slowest axis of the view dataset first: z, y, x.
template <class Part>
std::string reversed(int dims, const std::string& missing, const Part& value) {
  std::string text;
  for (int axis = 2; axis >= 0; --axis) text += (axis < dims ? value(axis) : missing) + (axis > 0 ? " " : "");
  return text;
}

}  // namespace

namespace io {

const std::string
    xdmf_begin =
        "<?xml version=\"1.0\" ?>\n<!DOCTYPE Xdmf SYSTEM \"Xdmf.dtd\" []>\n<Xdmf Version=\"3.0\">\n <Domain>\n",
    xdmf_end = " </Domain>\n</Xdmf>\n";

std::string shortest(double value) {
  char text[32];
  const auto end = std::to_chars(text, text + sizeof text, value).ptr;
  return {text, end};
}

namespace {

// The topology and the geometry of a mesh, with its points as the view datasets have them.
struct MeshText {
  std::string topology, points, geometry;
};

std::string item_text(std::size_t numbers, const std::string& values) {
  return "    <DataItem Dimensions=\"" + std::to_string(numbers) +
         "\" NumberType=\"Float\" Precision=\"8\" Format=\"XML\">" + values + "</DataItem>\n";
}

MeshText text_of(const UniformMesh& mesh) {
  const int dims = mesh.points.dims();
  const auto at = [](const std::vector<double>& values) {
    return [&values](int axis) { return shortest(values[static_cast<std::size_t>(axis)]); };
  };
  return {"3DCoRectMesh", reversed(dims, "1", [&](int axis) { return std::to_string(mesh.points[axis]); }),
          "   <Geometry GeometryType=\"ORIGIN_DXDYDZ\">\n" + item_text(3, reversed(dims, "0", at(mesh.first))) +
              item_text(3, reversed(dims, "1", at(mesh.spacing)))};
}

MeshText text_of(const RectilinearMesh& mesh) {
  const auto dims = static_cast<int>(mesh.coordinates.size());
  MeshText text{
      "3DRectMesh",
      reversed(dims, "1",
               [&](int axis) { return std::to_string(mesh.coordinates[static_cast<std::size_t>(axis)].size()); }),
      "   <Geometry GeometryType=\"VXVYVZ\">\n"};
  for (std::size_t axis = 0; axis < 3; axis++) {
    const std::vector<double> along = axis < mesh.coordinates.size() ? mesh.coordinates[axis] : std::vector<double>{0};
    std::string values;
    for (const double x : along) values += (values.empty() ? "" : " ") + shortest(x);
    text.geometry += item_text(along.size(), values);
  }
  return text;
}

std::string grid_text(const std::string& name, const std::string& time, const std::string& hdf5_path,
                      const MeshText& mesh, const std::vector<std::string>& fields) {
  // Named relative to the XDMF file, so that the two can be moved together.
  const std::string hdf5 = hdf5_path.substr(hdf5_path.find_last_of('/') + 1);
  check_file_name(hdf5_path);
  std::string text = "  <Grid Name=\"" + escaped(name) + "\" GridType=\"Uniform\">\n";
  if (!time.empty()) text += "   <Time Value=\"" + time + "\"/>\n";
  text +=
      "   <!-- Numbers in the order z y x, the slowest axis of the view datasets first. -->\n   <Topology "
      "TopologyType=\"" +
      mesh.topology + "\" Dimensions=\"" + mesh.points + "\"/>\n" + mesh.geometry + "   </Geometry>\n";
  for (const std::string& field : fields) {
    text += "   <Attribute Name=\"" + escaped(field) + "\" AttributeType=\"Scalar\" Center=\"Node\">\n" +
            "    <DataItem Dimensions=\"" + mesh.points + "\" NumberType=\"Float\" Precision=\"4\" Format=\"HDF\">" +
            escaped(hdf5) + ":/view/" + escaped(field) + "</DataItem>\n   </Attribute>\n";
  }
  return text + "  </Grid>\n";
}

}  // namespace

std::string xdmf_grid(const std::string& name, const std::string& time, const std::string& hdf5_path,
                      const UniformMesh& mesh, const std::vector<std::string>& fields) {
  return grid_text(name, time, hdf5_path, text_of(mesh), fields);
}

std::string xdmf_grid(const std::string& name, const std::string& hdf5_path, const RectilinearMesh& mesh,
                      const std::vector<std::string>& fields) {
  return grid_text(name, "", hdf5_path, text_of(mesh), fields);
}

void check_file_name(const std::string& hdf5_path) {
  const std::string name = hdf5_path.substr(hdf5_path.find_last_of('/') + 1);
  if (!is_utf8(name))
    refuse_file("the file name " + quoted(printable(name)) +
                " is not UTF-8, and XDMF, which has to name it, is XML; give the file another name");
}

void check_mesh(const UniformMesh& mesh) {
  const int dims = mesh.points.dims();
  require(dims >= 1 && dims <= 3, "mesh.points has " + std::to_string(dims) + " axes; XDMF needs 1 to 3");
  const auto axes = static_cast<std::size_t>(dims);
  require(mesh.first.size() == axes && mesh.spacing.size() == axes,
          "mesh.first and mesh.spacing have " + std::to_string(mesh.first.size()) + " and " +
              std::to_string(mesh.spacing.size()) + " numbers; give " + std::to_string(dims) + ", one per axis");
  for (std::size_t axis = 0; axis < axes; ++axis) {
    require(
        std::isfinite(mesh.first[axis]) && std::isfinite(mesh.spacing[axis]) && mesh.spacing[axis] > 0,
        "mesh.first and mesh.spacing must be finite, and the spacing positive; look at axis " + std::to_string(axis));
  }
}

void check_mesh(const RectilinearMesh& mesh) {
  const std::size_t dims = mesh.coordinates.size();
  require(dims >= 1 && dims <= 3, "mesh.coordinates has " + std::to_string(dims) + " axes; XDMF needs 1 to 3");
  for (std::size_t axis = 0; axis < dims; ++axis) {
    const std::vector<double>& along = mesh.coordinates[axis];
    const bool finite = std::all_of(along.begin(), along.end(), [](double x) { return std::isfinite(x); });
    require(!along.empty() && finite &&
                std::adjacent_find(along.begin(), along.end(), std::greater_equal<>()) == along.end(),
            "mesh.coordinates must be finite and ascend; look at axis " + std::to_string(axis));
  }
}

}  // namespace io

namespace {

// Collective; `grid` gives the text of rank 0.
template <class Grid>
void write_grid(const Comm& comm, const std::string& path, const std::string& hdf5_path,
                const std::vector<std::string>& fields, const Grid& grid) {
  io::require_same(comm, "the output file names", [&] { return io::quoted(path); });
  std::string text;
  comm.together([&] {
    require_plain("path", path);
    require_plain("the HDF5 path", hdf5_path);
    for (const std::string& field : fields) require_plain("the field name", field);
    if (comm.rank() == 0) text = io::xdmf_begin + grid() + io::xdmf_end;
  });
  io::write_text_whole(comm, path, text);
}

}  // namespace

void write_xdmf(const Comm& comm, const std::string& path, const std::string& hdf5_path, const UniformMesh& mesh,
                const std::vector<std::string>& fields) {
  write_grid(comm, path, hdf5_path, fields, [&] {
    io::check_mesh(mesh);
    return io::xdmf_grid("weft", "", hdf5_path, mesh, fields);
  });
}

void write_xdmf(const Comm& comm, const std::string& path, const std::string& hdf5_path, const RectilinearMesh& mesh,
                const std::vector<std::string>& fields) {
  write_grid(comm, path, hdf5_path, fields, [&] {
    io::check_mesh(mesh);
    return io::xdmf_grid("weft", hdf5_path, mesh, fields);
  });
}

}  // namespace weft
