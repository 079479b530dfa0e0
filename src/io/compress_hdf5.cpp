// HDF5 can write compressed datasets collectively, but if that fails on one rank, the others wait for ever or the
// process crashes at its end. So each rank lets HDF5 pack chunks in an HDF5 file in memory and takes the packed bytes
// from there. Rank 0 adds them to the file on disk chunk by chunk, without unpacking.
#include "io/compress_hdf5.hpp"

#include <algorithm>
#include <array>
#include <exception>
#include <optional>

#include "io/element.hpp"
#include "io/output.hpp"
#include "weft/layout.hpp"
#include "weft/redistribution.hpp"

namespace weft::io {
namespace {

constexpr index_t largest_chunk = index_t{1} << 20;
// Bytes for a chunk in HDF5's index, an upper bound.
constexpr index_t index_bytes = 128;

using ChunkOffset = std::array<hsize_t, max_dims>;

ChunkOffset chunk_offset(const Extents& index) {
  ChunkOffset offset{};
  std::copy(index.begin(), index.end(), offset.begin());
  return offset;
}

index_t rounded_up(index_t count, index_t parts) { return (count + parts - 1) / parts; }

/// The header of a packed chunk. It is sent in one message, and the bytes follow in the next.
struct ChunkHeader {
  ChunkOffset offset{};  ///< of its first element in the whole array
  std::uint64_t filter_mask = 0, bytes = 0;
};

/// The chunks of a box of whole chunks, packed in memory.
class PackedBox {
 public:
  PackedBox(const PlannedDataset& dataset, const Box& box, const void* data, const std::string& path)
      : path_(path), lower_(box.lower()) {
    if (box.empty()) return;
    chunk_ = chunk_extents(dataset);
    grid_ = chunk_grid(box.extents(), chunk_);
    count_ = grid_.product();
    pack(dataset, box.extents(), data);
    for (index_t i = 0; i < count_; ++i) {
      bytes_ += size_of(i);
      largest_ = std::max(largest_, size_of(i));
    }
  }

  index_t count() const { return count_; }
  /// Of all chunks, and of the largest one.
  index_t bytes() const { return bytes_; }
  index_t largest() const { return largest_; }

  ChunkHeader read(index_t i, std::vector<char>& bytes) const {
    const Extents index = first_of(i);
    bytes.resize(static_cast<std::size_t>(size_of(i)));
    std::uint32_t mask = 0;
    done(H5Dread_chunk(dataset_, H5P_DEFAULT, chunk_offset(index).data(), &mask, bytes.data()), path_);
    Extents first = lower_;
    for (int axis = 0; axis < first.dims(); ++axis) first[axis] += index[axis];
    return {chunk_offset(first), mask, bytes.size()};
  }

 private:
  void pack(const PlannedDataset& dataset, const Extents& extents, const void* data) {
    const Handle access = checked_handle(H5Pcreate(H5P_FILE_ACCESS), H5Pclose, path_);
    // The file in memory grows by 16 MiB at a time and is never written to a disk.
    done(H5Pset_fapl_core(access, std::size_t{1} << 24, false), path_);
    file_ = checked_handle(H5Fcreate((path_ + ".chunks").c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, access), H5Fclose, path_);
    // Unlimited, because a chunk may extend beyond the end of the array.
    const std::vector<hsize_t> sizes(extents.begin(), extents.end()), limits(sizes.size(), H5S_UNLIMITED);
    const Handle space = checked_handle(H5Screate_simple(extents.dims(), sizes.data(), limits.data()), H5Sclose, path_);
    const Handle properties = checked_handle(H5Pcreate(H5P_DATASET_CREATE), H5Pclose, path_);
    set_chunks(properties, chunk_, dataset.compression, path_);
    // The part of such a chunk beyond the array is zero, not arbitrary memory.
    done(H5Pset_fill_time(properties, H5D_FILL_TIME_ALLOC), path_);
    const Handle cache = checked_handle(H5Pcreate(H5P_DATASET_ACCESS), H5Pclose, path_);
    done(H5Pset_chunk_cache(cache, 0, 0, 0), path_);
    const Handle type = hdf5_type(dataset.element);
    dataset_ = checked_handle(H5Dcreate2(file_, "part", type, space, H5P_DEFAULT, properties, cache), H5Dclose, path_);
    done(H5Dwrite(dataset_, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, data), path_);
  }

  // Within the box, in C order of the chunks.
  Extents first_of(index_t i) const {
    Extents index(grid_.dims());
    for (int axis = grid_.dims() - 1; axis >= 0; --axis) {
      index[axis] = i % grid_[axis] * chunk_[axis];
      i /= grid_[axis];
    }
    return index;
  }

  index_t size_of(index_t i) const {
    hsize_t bytes = 0;
    done(H5Dget_chunk_storage_size(dataset_, chunk_offset(first_of(i)).data(), &bytes), path_);
    return static_cast<index_t>(bytes);
  }

  std::string path_;
  Extents lower_, chunk_, grid_;
  index_t count_ = 0, bytes_ = 0, largest_ = 0;
  Handle file_, dataset_;
};

/// Keeps the first error until all messages are complete, so that no rank waits for ever.
class FirstFailure {
 public:
  template <class Work>
  void attempt(const Work& work) {
    if (failure_) return;
    try {
      work();
    } catch (...) {
      failure_ = std::current_exception();
    }
  }
  void rethrow() const {
    if (failure_) std::rethrow_exception(failure_);
  }

 private:
  std::exception_ptr failure_;
};

void send(const Comm& comm, const void* data, std::size_t bytes) {
  MPI_Request request = MPI_REQUEST_NULL;
  MPI_Isend(data, static_cast<int>(bytes), MPI_BYTE, 0, 0, comm.handle(), &request);
  comm.wait(request);
}

void receive(const Comm& comm, void* data, std::size_t bytes, int rank) {
  MPI_Request request = MPI_REQUEST_NULL;
  MPI_Irecv(data, static_cast<int>(bytes), MPI_BYTE, rank, 0, comm.handle(), &request);
  comm.wait(request);
}

void send_chunks(const Comm& comm, const PackedBox& packed, FirstFailure& failure) {
  std::vector<char> bytes;
  for (index_t i = 0; i < packed.count(); ++i) {
    ChunkHeader header;
    failure.attempt([&] { header = packed.read(i, bytes); });
    send(comm, &header, sizeof header);
    send(comm, bytes.data(), header.bytes);
  }
}

/// The dataset in the file, on rank 0.
class ChunkFile {
 public:
  ChunkFile(const std::string& path, const std::string& dataset) : path_(path) {
    const Handle access = checked_handle(H5Pcreate(H5P_FILE_ACCESS), H5Pclose, path);
    done(H5Pset_file_locking(access, false, true), path);
    file_ = checked_handle(H5Fopen(path.c_str(), H5F_ACC_RDWR, access), H5Fclose, path);
    dataset_ = checked_handle(H5Dopen2(file_, dataset.c_str(), H5P_DEFAULT), H5Dclose, path);
  }
  void add(const ChunkHeader& header, const std::vector<char>& bytes) const {
    const auto mask = static_cast<std::uint32_t>(header.filter_mask);
    done(H5Dwrite_chunk(dataset_, H5P_DEFAULT, mask, header.offset.data(), header.bytes, bytes.data()), path_);
  }
  void close() {
    if (!dataset_.close() || !file_.close()) refuse_hdf5_output(path_);
  }

 private:
  std::string path_;
  Handle file_, dataset_;
};

void collect_chunks(const Comm& comm, const std::string& path, const std::string& dataset, const PackedBox& own,
                    const std::vector<index_t>& counts, std::vector<char>& bytes, FirstFailure& failure) {
  std::optional<ChunkFile> file;
  ChunkHeader header;
  failure.attempt([&] { file.emplace(path, dataset); });
  for (index_t i = 0; i < own.count(); ++i) {
    failure.attempt([&] {
      header = own.read(i, bytes);
      file->add(header, bytes);
    });
  }
  for (int rank = 1; rank < comm.size(); ++rank) {
    for (index_t i = 0; i < counts[static_cast<std::size_t>(rank)]; ++i) {
      receive(comm, &header, sizeof header, rank);
      bytes.resize(header.bytes);
      receive(comm, bytes.data(), header.bytes, rank);
      if (header.bytes > 0) failure.attempt([&] { file->add(header, bytes); });
    }
  }
  failure.attempt([&] { file->close(); });
}

/// This rank's share of the chunks, packed. Collective.
PackedBox packed_share(const Comm& comm, const std::string& path, const PlannedDataset& dataset, const Box& mine,
                       const void* data) {
  const auto size = static_cast<std::size_t>(bytes_of(dataset.element));
  Box share;
  std::vector<char> elements;
  comm.together([&] {
    share = chunk_share(dataset, comm.size(), comm.rank());
    elements.resize(static_cast<std::size_t>(share.size()) * size);
  });
  Redistribution(comm, mine, share, size).forward(data, elements.data());
  std::optional<PackedBox> packed;
  comm.together([&] { packed.emplace(dataset, share, elements.data(), path); });
  return std::move(*packed);
}

}  // namespace

Extents chunk_extents(const PlannedDataset& dataset) {
  const Extents& extents = dataset.extents;
  Extents chunk(extents.dims(), 1);
  index_t remaining = largest_chunk / bytes_of(dataset.element);
  for (int axis = extents.dims() - 1; axis >= 0; --axis) {
    // The chunks have about equal sizes.
    chunk[axis] = rounded_up(extents[axis], rounded_up(extents[axis], remaining));
    remaining = std::max<index_t>(1, remaining / chunk[axis]);
  }
  return chunk;
}

Extents chunk_grid(const Extents& extents, const Extents& chunk) {
  Extents grid(extents.dims());
  for (int axis = 0; axis < grid.dims(); ++axis) grid[axis] = rounded_up(extents[axis], chunk[axis]);
  return grid;
}

void set_chunks(hid_t properties, const Extents& chunk, int compression, const std::string& path) {
  const std::vector<hsize_t> sizes(chunk.begin(), chunk.end());
  done(H5Pset_chunk(properties, chunk.dims(), sizes.data()), path);
  // The shuffle filter stores bytes of equal weight next to each other: exponents compress well, mantissas hardly ever.
  done(H5Pset_shuffle(properties), path);
  done(H5Pset_deflate(properties, static_cast<unsigned>(compression)), path);
}

Box chunk_share(const PlannedDataset& dataset, int ranks, int rank) {
  const Extents chunk = chunk_extents(dataset), grid = chunk_grid(dataset.extents, chunk);
  const auto axis = static_cast<int>(std::max_element(grid.begin(), grid.end()) - grid.begin());
  Box share = Layout(grid, ProcessGrid({ranks}), {axis}).box(rank);
  for (int i = 0; i < share.dims(); ++i) {
    share[i].lo = std::min(share[i].lo * chunk[i], dataset.extents[i]);
    share[i].hi = std::min(share[i].hi * chunk[i], dataset.extents[i]);
  }
  return share;
}

void write_compressed(const Comm& comm, const std::string& path, const PlannedDataset& dataset, const Box& mine,
                      const void* data) {
  const QuietHdf5 quiet;
  const PackedBox packed = packed_share(comm, path, dataset, mine, data);
  const std::vector<index_t> counts = comm.all_gather(packed.count());
  const index_t all = comm.sum(packed.bytes() + packed.count() * index_bytes), largest = comm.max(packed.largest());
  std::vector<char> bytes;
  comm.together([&] {
    if (comm.rank() != 0) return;
    bytes.reserve(static_cast<std::size_t>(largest));
    // HDF5 1.10 does not survive a full disk. It returns the unused space when it closes the file.
    reserve(path, static_cast<index_t>(readable_size(path)) + all);
  });
  FirstFailure failure;
  if (comm.rank() == 0) {
    collect_chunks(comm, path, dataset.name, packed, counts, bytes, failure);
  } else {
    send_chunks(comm, packed, failure);
  }
  comm.together([&] { failure.rethrow(); });
}

}  // namespace weft::io
