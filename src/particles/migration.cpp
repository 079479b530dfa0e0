// Migration: orders particles by their new ranks, and counts the particles for each rank.
#include <algorithm>
#include <cstring>
#include <limits>
#include <numeric>

#include "base/buffer.hpp"
#include "exchange/datatypes.hpp"
#include "weft/particle_mesh.hpp"

namespace weft {

struct Migration::State {
  explicit State(const Comm& ranks) : comm(ranks) {}
  Buffer<char> room(std::size_t bytes) const;

  Comm comm;
  std::vector<index_t> order;  // particles of this rank, those for rank 0 first
  std::vector<int> sent, sent_before, received, received_before;
  index_t arriving = 0;
};

namespace {

std::vector<int> sums_before(const std::vector<int>& counts) {
  std::vector<int> sums(counts.size(), 0);
  std::partial_sum(counts.begin(), counts.end() - 1, sums.begin() + 1);
  return sums;
}

void require_countable(const char* name, index_t count) {
  require(count <= std::numeric_limits<int>::max(), std::string(name) + ": " + std::to_string(count) +
                                                        " particles on one rank cannot be counted by MPI; use more "
                                                        "ranks");
}

}  // namespace

Migration::Migration(const Comm& comm, const std::vector<int>& owners) : state_(std::make_unique<State>(comm)) {
  State& my = *state_;
  const auto ranks = static_cast<std::size_t>(comm.size());
  std::vector<int> ones, places;  // a number for each rank
  comm.together([&] {
    ones.assign(ranks, 1);
    places = sums_before(ones);
    require_countable("positions", static_cast<index_t>(owners.size()));
    my.sent.assign(ranks, 0);
    my.received.assign(ranks, 0);
    for (const int owner : owners) my.sent[static_cast<std::size_t>(owner)]++;
    my.sent_before = sums_before(my.sent);
    my.order.resize(owners.size());
    std::vector<int> next = my.sent_before;
    for (std::size_t i = 0; i < owners.size(); i++)
      my.order[static_cast<std::size_t>(next[static_cast<std::size_t>(owners[i])]++)] = static_cast<index_t>(i);
  });
  MPI_Request request = MPI_REQUEST_NULL;
  MPI_Ialltoallv(my.sent.data(), ones.data(), places.data(), MPI_INT, my.received.data(), ones.data(), places.data(),
                 MPI_INT, comm.handle(), &request);
  comm.wait(request);
  my.arriving = std::accumulate(my.received.begin(), my.received.end(), index_t{0});
  comm.together([&] {
    require_countable("positions", my.arriving);
    my.received_before = sums_before(my.received);
  });
}
Migration::~Migration() = default;
Migration::Migration(Migration&&) noexcept = default;
Migration& Migration::operator=(Migration&&) noexcept = default;

index_t Migration::count() const { return state_->arriving; }

namespace {

// The data type of one element.
Datatype particle_type(std::size_t bytes) {
  MPI_Datatype particle = MPI_DATATYPE_NULL;
  MPI_Type_contiguous(static_cast<int>(bytes), MPI_BYTE, &particle);
  return Datatype(particle);
}

}  // namespace

// The particles of this rank in the order in which they are sent.
Buffer<char> Migration::State::room(std::size_t bytes) const {
  Buffer<char> packed;
  comm.together([&] {
    require(bytes >= 1 && bytes <= (std::size_t{1} << 30),
            "bytes: " + std::to_string(bytes) + " is not allowed; give 1 to 2^30 bytes per particle");
    packed = Buffer<char>(static_cast<index_t>(order.size() * bytes));
  });
  return packed;
}

void Migration::forward(const void* in, void* out, std::size_t bytes) const {
  const State& my = *state_;
  const Buffer<char> packed = my.room(bytes);
  for (std::size_t i = 0; i < my.order.size(); i++)
    std::memcpy(packed.data() + i * bytes, static_cast<const char*>(in) + static_cast<std::size_t>(my.order[i]) * bytes,
                bytes);
  const Datatype type = particle_type(bytes);
  MPI_Request request = MPI_REQUEST_NULL;
  MPI_Ialltoallv(packed.data(), my.sent.data(), my.sent_before.data(), type.get(), out, my.received.data(),
                 my.received_before.data(), type.get(), my.comm.handle(), &request);
  my.comm.wait(request);
}

void Migration::backward(const void* in, void* out, std::size_t bytes) const {
  const State& my = *state_;
  const Buffer<char> packed = my.room(bytes);
  const Datatype type = particle_type(bytes);
  MPI_Request request = MPI_REQUEST_NULL;
  MPI_Ialltoallv(in, my.received.data(), my.received_before.data(), type.get(), packed.data(), my.sent.data(),
                 my.sent_before.data(), type.get(), my.comm.handle(), &request);
  my.comm.wait(request);
  for (std::size_t i = 0; i < my.order.size(); i++)
    std::memcpy(static_cast<char*>(out) + static_cast<std::size_t>(my.order[i]) * bytes, packed.data() + i * bytes,
                bytes);
}

}  // namespace weft
