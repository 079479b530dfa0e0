// Redistribution by intersection of boxes and point-to-point messages.
#include "exchange/redistribute.hpp"

#include <algorithm>
#include <vector>

namespace weft {

namespace {

constexpr index_t message_bytes = index_t{1} << 30;

// Copies `part` between the array of `whole` and a contiguous buffer.
template <class Real, class Copy>
void for_each_row(const Box& whole, const Box& part, Real* array, const Copy& copy) {
  const Extents extents = part.extents(), strides = c_strides(whole.extents());
  const int last = part.dims() - 1;
  const index_t row = extents[last];
  for (index_t i = 0; i < extents.product() / row; i++) {
    Real* address = array + (part[last].lo - whole[last].lo);
    index_t rest = i;
    for (int axis = last - 1; axis >= 0; axis--) {
      address += (part[axis].lo - whole[axis].lo + rest % extents[axis]) * strides[axis];
      rest /= extents[axis];
    }
    copy(address, i * row, row);
  }
}

std::vector<Box> boxes_of_all(const Comm& comm, const Box& box) {
  std::vector<Box> boxes(static_cast<std::size_t>(comm.size()), Box(box.dims()));
  for (int axis = 0; axis < box.dims(); axis++) {
    const std::vector<index_t> lo = comm.all_gather(box[axis].lo), hi = comm.all_gather(box[axis].hi);
    for (std::size_t r = 0; r < boxes.size(); r++) boxes[r][axis] = {lo[r], hi[r]};
  }
  return boxes;
}

// One message a peer, cut into pieces that MPI's int counts can hold.
class Messages {
 public:
  explicit Messages(const Comm& comm) : comm_(comm) {}
  void send(const void* data, index_t bytes, int peer) {
    for_pieces(bytes, [&](index_t offset, int count) {
      MPI_Isend(static_cast<const char*>(data) + offset, count, MPI_BYTE, peer, 0, comm_.handle(), next());
    });
  }
  void receive(void* data, index_t bytes, int peer) {
    for_pieces(bytes, [&](index_t offset, int count) {
      MPI_Irecv(static_cast<char*>(data) + offset, count, MPI_BYTE, peer, 0, comm_.handle(), next());
    });
  }
  void finish() {
    for (MPI_Request& request : requests_) comm_.wait(request);
  }

 private:
  template <class Body>
  void for_pieces(index_t bytes, const Body& body) {
    for (index_t offset = 0; offset < bytes; offset += message_bytes)
      body(offset, static_cast<int>(std::min(message_bytes, bytes - offset)));
  }
  MPI_Request* next() {
    requests_.push_back(MPI_REQUEST_NULL);
    return &requests_.back();
  }
  Comm comm_;
  std::vector<MPI_Request> requests_;
};

template <class Real>
struct Parcel {
  int peer;
  Box part;
  std::vector<Real> values;
};

template <class Real>
std::vector<Parcel<Real>> parcels(const Box& box, const std::vector<Box>& others) {
  std::vector<Parcel<Real>> result;
  for (std::size_t peer = 0; peer < others.size(); peer++) {
    const Box part = intersect(box, others[peer]);
    if (!part.empty())
      result.push_back({static_cast<int>(peer), part, std::vector<Real>(static_cast<std::size_t>(part.size()))});
  }
  return result;
}

}  // namespace

template <class Real>
void redistribute(const Comm& comm, const Box& mine, const Real* data, const Box& wanted, Real* result) {
  std::vector<Parcel<Real>> outgoing = parcels<Real>(mine, boxes_of_all(comm, wanted));
  std::vector<Parcel<Real>> incoming = parcels<Real>(wanted, boxes_of_all(comm, mine));
  Messages messages(comm);
  const auto bytes = [](const Parcel<Real>& p) { return static_cast<index_t>(p.values.size() * sizeof(Real)); };
  for (Parcel<Real>& parcel : incoming) messages.receive(parcel.values.data(), bytes(parcel), parcel.peer);
  for (Parcel<Real>& parcel : outgoing) {
    Real* to = parcel.values.data();
    for_each_row(mine, parcel.part, data,
                 [&](const Real* row, index_t offset, index_t count) { std::copy_n(row, count, to + offset); });
    messages.send(to, bytes(parcel), parcel.peer);
  }
  messages.finish();
  for (const Parcel<Real>& parcel : incoming) {
    const Real* from = parcel.values.data();
    for_each_row(wanted, parcel.part, result,
                 [&](Real* row, index_t offset, index_t count) { std::copy_n(from + offset, count, row); });
  }
}

template void redistribute<double>(const Comm&, const Box&, const double*, const Box&, double*);
template void redistribute<float>(const Comm&, const Box&, const float*, const Box&, float*);

}  // namespace weft
