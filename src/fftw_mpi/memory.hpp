// Memory that programs have from fftw_malloc: pages of their own, which can become memory that a node shares.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>

#include "weft/types.hpp"

namespace weft::fftw_mpi {

/// Smaller arrays remain with FFTW's fftw_malloc.
constexpr std::size_t least_own_bytes = std::size_t{1} << 16;

/// A file of shared memory with the pages of an array of one process, and where another process has mapped it.
struct PagesFile {
  index_t id = 0;         ///< the same in all processes
  char* begin = nullptr;  ///< null in the process whose array it is
  index_t bytes = 0;

  PagesFile(index_t id, char* begin, index_t bytes) : id(id), begin(begin), bytes(bytes) {}
  ~PagesFile();
  PagesFile(const PagesFile&) = delete;
  PagesFile& operator=(const PagesFile&) = delete;
};

using File = std::shared_ptr<const PagesFile>;

/// An array of this process in whole pages. It keeps its file as long as it is not freed.
struct Allocation {
  char* begin = nullptr;
  index_t bytes = 0;
  File file;  ///< null: no other process can see it
};

/// Whether arrays are shared with other ranks at all: the user may forbid it by WEFT_FFTW_PRIVATE=1.
bool may_share();

/// Zeroed memory of so many bytes, or null if FFTW should allocate it: less than least_own_bytes, no memory, or arrays
/// that are not shared. Like release() it may be called by any thread, before MPI is initialised, and without MPI.
void* allocate(std::size_t bytes) noexcept;
/// Frees memory of allocate(); false for any other memory. Other processes keep what they have mapped.
bool release(void* memory) noexcept;

/// The allocation with all of these bytes, if there is one.
std::optional<Allocation> allocation_of(const void* begin, index_t bytes);
/// Moves an allocation to a file of shared memory of its size, with its contents, at the same addresses. Nothing may
/// use its memory meanwhile. False if the system refuses; the memory is then as it was.
bool move_to_file(const Allocation& allocation, int file, const File& pages);

}  // namespace weft::fftw_mpi
