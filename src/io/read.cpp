// Blocks read from files: looked at by rank 0 so that every rank refuses alike, read by all.
#include "io/blocks.hpp"
#include "io/hdf5_tools.hpp"
#include "io/npy.hpp"
#include "io/paths.hpp"
#include "io/read_hdf5.hpp"
#include "weft/io.hpp"

namespace weft {
namespace {

FileArray inspect(const std::string& path, const std::string& dataset) {
  const io::Format format = io::format_of(path);
  io::readable_size(path);
  if (format == io::Format::hdf5) return io::inspect_hdf5(path, dataset);
  if (!dataset.empty()) {
    io::refuse_file("the dataset " + io::quoted(dataset) + " of " + io::quoted(path) +
                    " was asked for, and a .npy file holds one array without a name; leave the dataset out");
  }
  const io::NpyHeader header = io::inspect_npy(path);
  return {header.extents, header.kind == 'c'};
}

std::string name_of(const std::string& path, const std::string& dataset) {
  return (dataset.empty() ? "" : "dataset " + io::quoted(dataset) + " of ") + io::quoted(path);
}

FileArray broadcast(const Comm& comm, const FileArray& array) {
  index_t facts[2 + max_dims] = {array.complex ? 1 : 0, array.extents.dims()};
  std::copy(array.extents.begin(), array.extents.end(), facts + 2);
  MPI_Request request = MPI_REQUEST_NULL;
  MPI_Ibcast(facts, 2 + max_dims, MPI_INT64_T, 0, comm.handle(), &request);
  comm.wait(request);
  FileArray result{Extents(static_cast<int>(facts[1])), facts[0] != 0};
  std::copy_n(facts + 2, result.extents.dims(), result.extents.begin());
  return result;
}

}  // namespace

FileArray file_array(const Comm& comm, const std::string& path, const std::string& dataset) {
  comm.require_same("the file and dataset", io::quoted(path) + " " + io::quoted(dataset));
  FileArray array;
  comm.together([&] {
    if (comm.rank() == 0) array = inspect(path, dataset);
  });
  return broadcast(comm, array);
}

Extents file_extents(const Comm& comm, const std::string& path, const std::string& dataset) {
  const FileArray array = file_array(comm, path, dataset);
  io::check_kind(name_of(path, dataset), array.complex, false);
  return array.extents;
}

template <class T>
void read_block(const Comm& comm, const std::string& path, const std::string& dataset, const Extents& expected,
                const Box& mine, T* data) {
  comm.require_same("the file, dataset and expected extents",
                    io::quoted(path) + " " + io::quoted(dataset) + " " + to_string(expected));
  comm.together([&] {
    io::check_block(expected, mine);
    if (comm.rank() == 0) {
      const FileArray array = inspect(path, dataset);
      io::check_shape(path, dataset, array.extents, expected);
      io::check_kind(name_of(path, dataset), array.complex, is_complex(element_of<T>));
    } else {
      // A disk that not all nodes share would leave the others waiting in a collective call.
      io::readable_size(path);
    }
  });
  if (io::format_of(path) == io::Format::hdf5) {
    io::SharedFile(comm, path).read({dataset, expected, element_of<T>}, mine, data);
  } else {
    comm.together([&] { io::read_npy(path, expected, mine, data); });
  }
}

template void read_block(const Comm&, const std::string&, const std::string&, const Extents&, const Box&, float*);
template void read_block(const Comm&, const std::string&, const std::string&, const Extents&, const Box&, double*);
template void read_block(const Comm&, const std::string&, const std::string&, const Extents&, const Box&,
                         std::complex<float>*);
template void read_block(const Comm&, const std::string&, const std::string&, const Extents&, const Box&,
                         std::complex<double>*);

}  // namespace weft
