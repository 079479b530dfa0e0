// Strategies alltoallv and alltoallw: one non-blocking collective for each chunk.
//
// MPI_Ialltoallv counts in ints from a common address, which is the lowest one of the messages. Where a count or an
// offset is too large for that on any rank, or the types are the user's, MPI_Ialltoallw takes over. Each message then
// has a datatype that contains its address and its number of elements, both with 64 bits.
#include <algorithm>
#include <array>
#include <string>
#include <utility>

#include "exchange/mover.hpp"

namespace weft {

namespace {

// A committed datatype of `count` elements, any number, at an address relative to MPI_BOTTOM.
class AddressedType {
 public:
  explicit AddressedType(const Message& message) {
    constexpr index_t chunk = index_t{1} << 30;  // the extent of `full` and both counts are ints
    MPI_Datatype full = MPI_DATATYPE_NULL, chunks = MPI_DATATYPE_NULL, rest = MPI_DATATYPE_NULL;
    MPI_Aint lower = 0, extent = 0, address = 0;
    MPI_Type_get_extent(message.type, &lower, &extent);
    MPI_Get_address(message.address, &address);
    MPI_Type_contiguous(static_cast<int>(chunk), message.type, &full);
    MPI_Type_contiguous(static_cast<int>(message.count / chunk), full, &chunks);
    MPI_Type_contiguous(static_cast<int>(message.count % chunk), message.type, &rest);
    const std::array<int, 2> lengths{1, 1};
    const std::array<MPI_Aint, 2> addresses{address, address + message.count / chunk * chunk * extent};
    const std::array<MPI_Datatype, 2> parts{chunks, rest};
    const int first = message.count < chunk ? 1 : 0;  // the part of whole chunks is omitted if it is empty
    MPI_Type_create_struct(2 - first, &lengths[0] + first, &addresses[0] + first, &parts[0] + first, &type_);
    MPI_Type_commit(&type_);
    for (MPI_Datatype* part : {&full, &chunks, &rest}) MPI_Type_free(part);
  }
  AddressedType(AddressedType&& other) noexcept : type_(std::exchange(other.type_, MPI_DATATYPE_NULL)) {}
  AddressedType& operator=(AddressedType&&) = delete;
  ~AddressedType() {
    int finalised = 0;
    MPI_Finalized(&finalised);
    if (type_ != MPI_DATATYPE_NULL && finalised == 0) MPI_Type_free(&type_);
  }
  MPI_Datatype get() const { return type_; }

 private:
  MPI_Datatype type_ = MPI_DATATYPE_NULL;
};

// The lowest address of the messages.
char* base_of(const std::vector<Message>& messages) {
  char* base = nullptr;
  for (const Message& message : messages)
    if (message.count > 0 && (base == nullptr || message.address < base)) base = static_cast<char*>(message.address);
  return base;
}

// The basic type of all messages, or MPI_DATATYPE_NULL if they have no common one.
MPI_Datatype basic_type(const std::vector<Message>& messages) {
  MPI_Datatype type = MPI_DATATYPE_NULL;
  for (const Message& message : messages) {
    if (message.count == 0) continue;
    if (type == MPI_DATATYPE_NULL) type = message.type;
    const bool basic = type == MPI_DOUBLE || type == MPI_FLOAT || type == MPI_BYTE;
    if (message.type != type || !basic) return MPI_DATATYPE_NULL;
  }
  return type == MPI_DATATYPE_NULL ? MPI_DOUBLE : type;  // without messages any type will do
}

// Elements from the base to a message, or -1 if the distance is not a whole number of elements.
index_t offset_of(const Message& message, const char* base, index_t element_bytes) {
  if (message.count == 0) return 0;
  const index_t bytes = static_cast<const char*>(message.address) - base;
  return bytes % element_bytes == 0 ? bytes / element_bytes : -1;
}

index_t bytes_of(MPI_Datatype type) {
  int bytes = 0;
  MPI_Type_size(type, &bytes);
  return bytes;
}

// Whether MPI_Ialltoallv can move these messages without a count or an offset above the limit.
bool fit_ints(const std::vector<Message>& messages, index_t limit) {
  const MPI_Datatype type = basic_type(messages);
  if (type == MPI_DATATYPE_NULL) return false;
  const char* base = base_of(messages);
  return std::all_of(messages.begin(), messages.end(), [&](const Message& message) {
    const index_t offset = offset_of(message, base, bytes_of(type));
    return message.count <= limit && offset >= 0 && offset <= limit;
  });
}

// The arguments of the collectives for one side of a chunk. Offsets are in elements (MPI_Ialltoallv) or 0
// (MPI_Ialltoallw).
struct CollectiveArguments {
  void* base = MPI_BOTTOM;
  std::vector<int> counts, offsets;
  std::vector<MPI_Datatype> types;
  std::vector<AddressedType> owned_types;
};

CollectiveArguments counted_arguments(const std::vector<Message>& messages) {
  CollectiveArguments arguments;
  char* base = base_of(messages);
  arguments.base = base;
  arguments.types = {basic_type(messages)};
  for (const Message& message : messages) {
    arguments.counts.push_back(static_cast<int>(message.count));
    arguments.offsets.push_back(static_cast<int>(offset_of(message, base, bytes_of(arguments.types.front()))));
  }
  return arguments;
}

CollectiveArguments typed_arguments(const std::vector<Message>& messages) {
  CollectiveArguments arguments;
  arguments.offsets.assign(messages.size(), 0);
  for (const Message& message : messages) {
    arguments.counts.push_back(message.count > 0 ? 1 : 0);
    if (message.count > 0) arguments.owned_types.emplace_back(message);
    arguments.types.push_back(message.count > 0 ? arguments.owned_types.back().get() : MPI_DOUBLE);
  }
  return arguments;
}

class CollectiveMover final : public Mover {
 public:
  CollectiveMover(const Comm& comm, const std::vector<ChunkMessages>& chunks, const MoverOptions& options)
      : comm_(comm), asked_(options.strategy), requests_(chunks.size(), MPI_REQUEST_NULL) {
    counted_ = asked_ == Strategy::alltoallv && fit_on_all_ranks(chunks, options.message_limit);
    const auto arguments = counted_ ? counted_arguments : typed_arguments;
    for (const ChunkMessages& messages : chunks) chunks_.push_back({arguments(messages.near), arguments(messages.far)});
  }

  void start(Direction direction, std::size_t chunk) override {
    const bool forward = direction == Direction::forward;
    const CollectiveArguments& from = forward ? chunks_[chunk].near : chunks_[chunk].far;
    const CollectiveArguments& to = forward ? chunks_[chunk].far : chunks_[chunk].near;
    if (counted_) {
      MPI_Ialltoallv(from.base, from.counts.data(), from.offsets.data(), from.types.front(), to.base, to.counts.data(),
                     to.offsets.data(), to.types.front(), comm_.handle(), &requests_[chunk]);
    } else {
      MPI_Ialltoallw(from.base, from.counts.data(), from.offsets.data(), from.types.data(), to.base, to.counts.data(),
                     to.offsets.data(), to.types.data(), comm_.handle(), &requests_[chunk]);
    }
  }

  void progress() override {
    for (MPI_Request& request : requests_) {
      int done = 0;
      if (request != MPI_REQUEST_NULL) MPI_Test(&request, &done, MPI_STATUS_IGNORE);
    }
  }

  void finish(Direction, std::size_t chunk) override { comm_.wait(requests_[chunk]); }

  std::string detail() const override {
    return asked_ == Strategy::alltoallv && !counted_ ? "64-bit counts" : std::string();
  }

 private:
  struct Chunk {
    CollectiveArguments near, far;
  };

  // Ranks that called different collectives would wait for ever.
  bool fit_on_all_ranks(const std::vector<ChunkMessages>& chunks, index_t limit) const {
    const bool mine = std::all_of(chunks.begin(), chunks.end(), [&](const ChunkMessages& messages) {
      return fit_ints(messages.near, limit) && fit_ints(messages.far, limit);
    });
    return comm_.max(index_t{mine ? 0 : 1}) == 0;
  }

  Comm comm_;
  Strategy asked_;
  bool counted_;
  std::vector<Chunk> chunks_;
  std::vector<MPI_Request> requests_;  // by chunk
};

}  // namespace

std::unique_ptr<Mover> make_collective_mover(const Comm& comm, const std::vector<ChunkMessages>& chunks,
                                             const MoverOptions& options) {
  return std::make_unique<CollectiveMover>(comm, chunks, options);
}

}  // namespace weft
