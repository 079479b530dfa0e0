// One rank creates the file with its metadata, and all ranks write their blocks into it.
#include "io/hdf5_output.hpp"

#include "exchange/coverage.hpp"
#include "io/blocks.hpp"
#include "io/compress_hdf5.hpp"
#include "io/output.hpp"

namespace weft::io {
namespace {

void write_plain(BlockFile& file, index_t offset, const PlannedDataset& planned, const Source& source) {
  const index_t size = bytes_of(planned.element);
  if (source.data != nullptr) {
    file.write(offset, planned.extents, source.mine, source.data, size);
    return;
  }
  std::vector<char> buffer;
  for (const Box& piece : pieces(source.mine)) {
    buffer.resize(static_cast<std::size_t>(piece.size() * size));
    source.make(piece, buffer.data());
    file.write(offset, planned.extents, piece, buffer.data(), size);
  }
}

void write_packed(const Comm& comm, const std::string& part, const PlannedDataset& planned, const Source& source) {
  std::vector<char> buffer;
  if (source.make) {
    comm.together([&] {
      buffer.resize(static_cast<std::size_t>(source.mine.size() * bytes_of(planned.element)));
      if (!source.mine.empty()) source.make(source.mine, buffer.data());
    });
  }
  write_compressed(comm, part, planned, source.mine, source.make ? buffer.data() : source.data);
}

// The offsets of rank 0's skeleton, on every rank.
std::vector<index_t> shared_skeleton(const Comm& comm, const std::string& part, const PlannedFile& file) {
  std::vector<index_t> offsets;
  comm.together([&] {
    offsets.resize(file.datasets.size());
    if (comm.rank() == 0) offsets = make_skeleton(part, file);
  });
  MPI_Request request = MPI_REQUEST_NULL;
  MPI_Ibcast(offsets.data(), static_cast<int>(offsets.size()), MPI_INT64_T, 0, comm.handle(), &request);
  comm.wait(request);
  return offsets;
}

}  // namespace

void check_tiling(const Comm& comm, const Extents& extents, const Box& mine) {
  const index_t held = comm.sum(mine.size());
  comm.together([&] {
    require(held == extents.product() && held > 0, "the blocks of all ranks hold " + std::to_string(held) +
                                                       " points and the array has " + to_string(extents) +
                                                       "; give blocks that tile an array of at least one point");
  });
  const std::vector<Box> boxes = gather_boxes(comm, mine);
  comm.together([&] {
    const int other = overlapping(mine, boxes, comm.rank());
    if (other < 0) return;
    throw Error(Fault::argument, "the blocks of ranks " + std::to_string(comm.rank()) + " and " +
                                     std::to_string(other) + ", " + to_string(mine) + " and " +
                                     to_string(boxes[static_cast<std::size_t>(other)]) +
                                     ", overlap; give blocks that tile the array of " + to_string(extents));
  });
}

void check_compression(int level) {
  require(level >= 0 && level <= 9,
          "compression: " + std::to_string(level) + " is not allowed; give 0 (none) or 1 (fast) to 9 (small)");
}

void check_attribute(const std::string& name, const Value& value) {
  const auto has_nul = [](const std::string& text) { return text.find('\0') != std::string::npos; };
  const auto* text = std::get_if<std::string>(&value);
  require(!name.empty() && !has_nul(name) && (text == nullptr || !has_nul(*text)),
          "the attribute " + quoted(name.c_str()) +
              " has no name, or its name or text a character of code 0; give it a name and text without");
}

void write_hdf5_file(const Comm& comm, const std::string& path, const PlannedFile& file,
                     const std::vector<Source>& sources) {
  index_t bytes = skeleton_bytes(file);
  for (const PlannedDataset& planned : file.datasets) bytes += planned.compression > 0 ? 0 : element_bytes(planned);
  write_whole(comm, path, bytes, [&](const std::string& part) {
    const std::vector<index_t> offsets = shared_skeleton(comm, part, file);
    for (std::size_t i = 0; i < sources.size(); ++i) {
      if (offsets[i] < 0) write_packed(comm, part, file.datasets[i], sources[i]);
    }
    comm.together([&] {
      BlockFile blocks(part);
      for (std::size_t i = 0; i < sources.size(); ++i) {
        if (offsets[i] >= 0) write_plain(blocks, offsets[i], file.datasets[i], sources[i]);
      }
      blocks.flush();
    });
  });
}

}  // namespace weft::io
