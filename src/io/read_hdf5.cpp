// Each rank opens the file and reads its own block, just as ranks write. MPI-IO would move the same bytes, but it takes
// the text before a colon in a path for the name of a file system, returns zeros beyond the end of a file, and lets
// ranks wait for a rank on which it fails.
#include "io/read_hdf5.hpp"

#include <algorithm>
#include <vector>

#include "io/blocks.hpp"
#include "io/element.hpp"
#include "io/stored_hdf5.hpp"

namespace weft::io {

SharedFile::SharedFile(const Comm& comm, const std::string& path) : comm_(comm), path_(path) {
  comm_.together([&] {
    bytes_ = readable_size(path);
    // Rank 0 has taken a lock when it inspected the file; a lock for every rank would take long on some file systems.
    file_ = open_hdf5(path, Locking::none);
  });
}

// If another program truncates a file while it is read, the missing bytes are returned as zeros.
void SharedFile::check_length() const {
  if (readable_size(path_) >= bytes_) return;
  refuse_file(quoted(path_) + " became shorter while it was read; write or copy it again");
}

void SharedFile::read(const StoredArray& array, const Box& mine, void* data) const {
  comm_.together([&] {
    const StoredDataset dataset(file_, array.name, path_);
    if (!mine.empty()) dataset.read(array.extents, mine, array.element, data);
    check_length();
  });
}

void SharedFile::read_pieces(const StoredArray& array, const Box& mine,
                             const std::function<void(const Box& piece, const void* data)>& use) const {
  comm_.together([&] {
    const StoredDataset dataset(file_, array.name, path_);
    std::vector<char> buffer(static_cast<std::size_t>(std::min(mine.size(), piece_elements) * bytes_of(array.element)));
    for (const Box& piece : pieces(mine)) {
      dataset.read(array.extents, piece, array.element, buffer.data());
      use(piece, buffer.data());
    }
    check_length();
  });
}

}  // namespace weft::io
