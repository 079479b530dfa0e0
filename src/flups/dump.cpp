// Fields in files and on stdout, and the file that says how a program was started.
#include "flups/dump.hpp"

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <sstream>
#include <vector>

#include "io/output.hpp"
#include "weft/error.hpp"
#include "weft/io.hpp"

namespace weft::flups {

namespace {

constexpr const char* folder = "data";

// Calls visit(place of a row in memory, in doubles; indices) for the rows of a component of this rank.
template <class Visit>
void for_each_row(const Topology& topology, int component, const Visit& visit) {
  const std::vector<int> order = topology.slowest_first();
  const Box box = topology.box(order);
  const Extents strides = topology.strides(order);
  const index_t start = component * topology.component_doubles();
  for (index_t i = 0; i < box[0].size(); i++)
    for (index_t j = 0; j < box[1].size(); j++)
      visit(start + (i * strides[0] + j * strides[1]) * topology.width(), i, j);
}

// One part (real or imaginary) of all components, with the components last.
std::vector<double> components_last(const Topology& topology, const double* data, int part) {
  const int components = topology.shape().components, width = topology.width();
  const Extents extents = topology.box(topology.slowest_first()).extents();
  std::vector<double> packed(static_cast<std::size_t>(extents.product() * components));
  for (int c = 0; c < components; c++)
    for_each_row(topology, c, [&](index_t row, index_t i, index_t j) {
      for (index_t k = 0; k < extents[2]; k++)
        packed[static_cast<std::size_t>(((i * extents[1] + j) * extents[2] + k) * components + c)] =
            data[row + k * width + part];
    });
  return packed;
}

std::string xdmf_of(const Topology& topology, const std::string& name, const std::vector<std::string>& datasets) {
  std::vector<int> points;
  for (const int direction : topology.slowest_first())
    points.push_back(topology.shape().points[static_cast<std::size_t>(direction)]);
  std::ostringstream text;
  text << "<?xml version=\"1.0\"?>\n<Xdmf Version=\"3.0\">\n <Domain>\n  <Grid Name=\"" << name << "\">\n"
       << "   <Topology TopologyType=\"3DCoRectMesh\" Dimensions=\"";
  for (const int count : points) text << count + 1 << " ";  // corners of cells
  text << "\"/>\n   <Geometry GeometryType=\"ORIGIN_DXDYDZ\">\n"
       << "    <DataItem Dimensions=\"3\" Format=\"XML\">0 0 0</DataItem>\n"
       << "    <DataItem Dimensions=\"3\" Format=\"XML\">1 1 1</DataItem>\n   </Geometry>\n";
  const int components = topology.shape().components;
  for (const std::string& dataset : datasets) {
    text << "   <Attribute Name=\"" << dataset << "\" AttributeType=\"" << (components == 1 ? "Scalar" : "Vector")
         << "\" Center=\"Cell\">\n    <DataItem NumberType=\"Float\" Precision=\"8\" Format=\"HDF\" Dimensions=\"";
    for (const int count : points) text << count << " ";
    text << components << "\">" << name << ".h5:/" << dataset << "</DataItem>\n   </Attribute>\n";
  }
  text << "  </Grid>\n </Domain>\n</Xdmf>\n";
  return text.str();
}

}  // namespace

void dump_field(const Topology& topology, const std::string& name, const double* data) {
  const Comm comm(topology.comm());
  comm.together([&] {
    std::error_code failed;
    std::filesystem::create_directories(folder, failed);
    if (failed)
      throw Error(Fault::file, std::string(folder) + ": the folder cannot be made: " + failed.message() +
                                   "; run where folders may be made");
  });
  const std::vector<std::string> datasets = topology.shape().is_complex
                                                ? std::vector<std::string>{"data_real", "data_imag"}
                                                : std::vector<std::string>{"data"};
  const std::vector<int> order = topology.slowest_first();
  Extents extents;
  for (const int direction : order) extents.push_back(topology.shape().points[static_cast<std::size_t>(direction)]);
  extents.push_back(topology.shape().components);
  const Box points = topology.box(order);
  Box mine(4);
  for (int axis = 0; axis < 3; axis++) mine[axis] = points[axis];
  mine[3] = {0, topology.shape().components};
  std::vector<std::vector<double>> parts;
  std::vector<NamedBlock<double>> blocks;
  comm.together([&] {
    for (int part = 0; part < topology.width(); part++) parts.push_back(components_last(topology, data, part));
    for (std::size_t part = 0; part < parts.size(); part++) blocks.push_back({datasets[part], parts[part].data()});
  });
  const std::string path = std::string(folder) + "/" + name;
  FileNotes notes;
  notes.view = false;
  write_hdf5(comm, path + ".h5", extents, mine, blocks, notes);
  io::write_text_whole(comm, path + ".xmf", xdmf_of(topology, name, datasets));
}

void print_field(const Topology& topology, const double* data) {
  const index_t doubles = topology.range(topology.shape().axis).size() * topology.width();
  std::ostringstream text;
  for (int c = 0; c < topology.shape().components; c++)
    for_each_row(topology, c, [&](index_t row, index_t i, index_t j) {
      text << "component " << c << " [" << i << "][" << j << "]";
      for (index_t k = 0; k < doubles; k++) text << " " << data[row + k];
      text << "\n";
    });
  std::cout << text.str() << std::flush;
}

void write_info(int argc, char** argv) {
  int rank = 0, ranks = 1;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  if (rank != 0) return;
  std::string text = "FLUPS's interface by Weft " WEFT_VERSION "\nranks: " + std::to_string(ranks) + "\narguments:\n";
  for (int i = 1; i < argc; i++) text += std::string(argv[i]) + "\n";
  std::string name = argc > 0 ? argv[0] : "";
  std::erase_if(name, [](char letter) { return letter == '.' || letter == '/'; });
  name += ".flups.info";
  std::ofstream file(name);
  file << text;
  file.close();
  if (!file) throw Error(Fault::file, name + ": it cannot be written; free the disk, or run where files may be made");
}

}  // namespace weft::flups
