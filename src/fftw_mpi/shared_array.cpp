// Moves arrays of fftw_malloc to files of shared memory, which the other ranks of the node map.
#include "fftw_mpi/shared_array.hpp"

#include <sys/mman.h>

#include <algorithm>
#include <map>
#include <mutex>
#include <random>
#include <string>

#include "base/shared_file.hpp"
#include "weft/error.hpp"

namespace weft::fftw_mpi {

namespace {

index_t new_id() {
  std::random_device random;
  const auto high = static_cast<index_t>(random() & 0x3fff'ffffU), low = static_cast<index_t>(random());
  return (high << 32 | low) + 1;
}

// Files that this process has mapped, by their id, as long as a plan uses them.
struct Mapped {
  std::mutex lock;
  std::map<index_t, std::weak_ptr<const PagesFile>> by_id;
};
Mapped& mapped() {
  static Mapped& result = *new Mapped;
  return result;
}

File known_file(index_t id) {
  const std::lock_guard<std::mutex> guard(mapped().lock);
  const auto found = mapped().by_id.find(id);
  return found == mapped().by_id.end() ? nullptr : found->second.lock();
}

// Maps a file by its name; null if the system refuses.
File map_file(const std::string& name, index_t id, index_t bytes) {
  const SharedFile file(name, 0);
  if (!file.ok()) return nullptr;
  void* begin = mmap(nullptr, static_cast<std::size_t>(bytes), PROT_READ | PROT_WRITE, MAP_SHARED, file.get(), 0);
  if (begin == MAP_FAILED) return nullptr;
  auto result = std::make_shared<const PagesFile>(id, static_cast<char*>(begin), bytes);
  const std::lock_guard<std::mutex> guard(mapped().lock);
  std::erase_if(mapped().by_id, [](const auto& entry) { return entry.second.expired(); });
  mapped().by_id[id] = result;
  return result;
}

// Creates a file for an allocation of this process; without a name if the system refuses.
void create(NamedFile& file, const Allocation& own) {
  try {
    file.create(own.bytes);
  } catch (const Error&) {
    return;
  }
}

std::vector<bool> are_there(const std::vector<File>& files) {
  std::vector<bool> result(files.size());
  for (std::size_t r = 0; r < files.size(); r++) result[r] = files[r] != nullptr;
  return result;
}

// What holds on every rank, of a list of the same length on all of them. Collective.
std::vector<bool> on_all(const Comm& comm, std::vector<bool> mine) {
  constexpr std::size_t at_once = 62;  // bits of an integer
  for (std::size_t first = 0; first < mine.size(); first += at_once) {
    const std::size_t count = std::min(mine.size() - first, at_once);
    index_t bits = 0;
    for (std::size_t i = 0; i < count; i++) bits |= index_t{mine[first + i]} << i;
    for (const index_t other : comm.all_gather(bits)) bits &= other;
    for (std::size_t i = 0; i < count; i++) mine[first + i] = (bits >> i & 1) != 0;
  }
  return mine;
}

}  // namespace

// What all ranks know of each other's parts.
struct SharedArray::Facts {
  std::vector<index_t> bytes;    // of the allocation; 0: none
  std::vector<index_t> offsets;  // of the part in the allocation
  std::vector<index_t> ids;      // of the file of the allocation; 0: none
};

SharedArray::Facts SharedArray::gather(const Comm& comm, const Allocation& own) const {
  return {comm.all_gather(own.bytes), comm.all_gather(own.begin == nullptr ? 0 : mine_ - own.begin),
          comm.all_gather(own.file == nullptr ? 0 : own.file->id)};
}

SharedArray::SharedArray(const Comm& comm, const void* mine, index_t bytes)
    // Plans store to it; the callers' arrays are const only where they are loaded from.
    : mine_(static_cast<char*>(const_cast<void*>(mine))),  // NOLINT(cppcoreguidelines-pro-type-const-cast)
      bytes_(bytes),
      rank_(comm.rank()),
      parts_(static_cast<std::size_t>(comm.size())) {
  const Allocation own = bytes > 0 ? allocation_of(mine, bytes).value_or(Allocation()) : Allocation();
  const Facts facts = gather(comm, own);
  const std::vector<index_t> needed = comm.all_gather(bytes);
  for (std::size_t r = 0; r < parts_.size(); r++) parts_[r].shared = needed[r] == 0;
  take_known(comm, facts, own);
  share_others(comm, facts, own);
}

// Takes the files that every rank has mapped for another plan.
void SharedArray::take_known(const Comm& comm, const Facts& facts, const Allocation& own) {
  std::vector<File> files(parts_.size());
  for (std::size_t r = 0; r < files.size(); r++)
    if (facts.ids[r] != 0) files[r] = static_cast<int>(r) == rank_ ? own.file : known_file(facts.ids[r]);
  take(facts, files, on_all(comm, are_there(files)));
}

// Makes files for the other allocations, unless a plan of other ranks uses the file that one has.
void SharedArray::share_others(const Comm& comm, const Facts& facts, const Allocation& own) {
  NamedFile file;
  const bool used = own.file != nullptr && own.file.use_count() > 2;  // by more than `own` and the allocation itself
  if (own.bytes > 0 && !is_shared(rank_) && !used) create(file, own);
  const bool reserved = !file.name().empty() && reserve_memory(file.get(), 0, own.bytes) == 0;
  const std::vector<index_t> ids = comm.all_gather(reserved ? new_id() : 0);
  std::vector<File> files(parts_.size());
  for (std::size_t r = 0; r < files.size(); r++) {
    if (ids[r] == 0) continue;
    const std::string name = comm.broadcast(file.name(), static_cast<int>(r));
    files[r] = static_cast<int>(r) == rank_ ? std::make_shared<const PagesFile>(ids[r], nullptr, own.bytes)
                                            : map_file(name, ids[r], facts.bytes[r]);
  }
  const std::vector<bool> seen = on_all(comm, are_there(files));
  const auto me = static_cast<std::size_t>(rank_);
  const bool moved = seen[me] && move_to_file(own, file.get(), files[me]);
  const std::vector<index_t> all_moved = comm.all_gather(index_t{moved});
  take(facts, files, {all_moved.begin(), all_moved.end()});
}

// Takes the files of these ranks.
void SharedArray::take(const Facts& facts, const std::vector<File>& files, const std::vector<bool>& which) {
  for (std::size_t r = 0; r < files.size(); r++) {
    if (!which[r]) continue;
    char* address = static_cast<int>(r) == rank_ ? mine_ : files[r]->begin + facts.offsets[r];
    parts_[r] = {true, address, files[r]};
  }
}

int SharedArray::shared_parts() const {
  return static_cast<int>(std::count_if(parts_.begin(), parts_.end(), [](const Part& part) { return part.shared; }));
}

bool SharedArray::is_mine(const void* array) const {
  if (bytes_ == 0) return true;
  const Part& part = parts_[static_cast<std::size_t>(rank_)];
  if (!part.shared || array != mine_) return false;
  const auto now = allocation_of(mine_, bytes_);
  return now.has_value() && now->file == part.file;
}

}  // namespace weft::fftw_mpi
