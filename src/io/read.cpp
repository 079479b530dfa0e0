// Reads blocks from files. Rank 0 inspects the file, so that every rank refuses it alike, and all ranks read.
#include "base/plain_text.hpp"
#include "io/agree.hpp"
#include "io/blocks.hpp"
#include "io/hdf5_tools.hpp"
#include "io/npy.hpp"
#include "io/paths.hpp"
#include "io/read_hdf5.hpp"
#include "weft/io.hpp"

namespace weft {
namespace {

std::string name_of(const std::string& path, const std::string& dataset) {
  return (dataset.empty() ? "" : "dataset " + io::quoted(dataset) + " of ") + io::quoted(path);
}

FileArray inspect_any(const std::string& path, const std::string& dataset) {
  const io::Format format = io::format_of(path);
  require_plain("dataset", dataset);
  io::readable_size(path);
  if (format == io::Format::hdf5) return io::inspect_hdf5(path, dataset);
  if (!dataset.empty()) {
    io::refuse_file("the dataset " + io::quoted(dataset) + " of " + io::quoted(path) +
                    " was requested, and a .npy file holds one array without a name; omit the dataset");
  }
  const io::NpyHeader header = io::inspect_npy(path);
  return {header.extents, header.kind == 'c'};
}

FileArray inspect(const std::string& path, const std::string& dataset) {
  FileArray array = inspect_any(path, dataset);
  if (array.extents.product() > 0) return array;
  io::refuse_file(name_of(path, dataset) + " has no elements, its shape is " + to_string(array.extents) +
                  "; give an array of at least one point");
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
  io::require_same(comm, "the file and dataset", [&] { return io::quoted(path) + " " + io::quoted(dataset); });
  FileArray array;
  comm.together([&] {
    if (comm.rank() == 0) array = inspect(path, dataset);
  });
  return broadcast(comm, array);
}

Extents file_extents(const Comm& comm, const std::string& path, const std::string& dataset) {
  const FileArray array = file_array(comm, path, dataset);
  comm.together([&] { io::check_kind(name_of(path, dataset), array.complex, false); });
  return array.extents;
}

template <class T>
void read_block(const Comm& comm, const std::string& path, const std::string& dataset, const Extents& expected,
                const Box& mine, T* data) {
  io::require_same(comm, "the file, dataset and expected extents",
                   [&] { return io::quoted(path) + " " + io::quoted(dataset) + " " + to_string(expected); });
  io::Format format{};
  comm.together([&] {
    format = io::format_of(path);
    io::check_block(expected, mine);
    if (comm.rank() == 0) {
      const FileArray array = inspect(path, dataset);
      io::check_shape(path, dataset, array.extents, expected);
      io::check_kind(name_of(path, dataset), array.complex, is_complex(element_of<T>));
    } else {
      // Not all nodes share this disk.
      io::readable_size(path);
    }
  });
  if (format == io::Format::hdf5) {
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
