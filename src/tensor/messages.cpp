// MPI_Isend and MPI_Irecv.
#include "tensor/messages.hpp"

#include <algorithm>
#include <utility>

#include "exchange/datatypes.hpp"
#include "exchange/message_limit.hpp"

namespace weft {

Messages::Messages(const Comm& comm) : comm_(comm), limit_(message_limit((index_t{1} << 31) - 1)) {}

template <class Real, class Start>
void Messages::in_pieces(index_t reals, Start start) {
  for (index_t first = 0; first < reals; first += limit_) {
    requests_.push_back(MPI_REQUEST_NULL);
    start(first, static_cast<int>(std::min(limit_, reals - first)), &requests_.back());
  }
}

template <class Real>
void Messages::send(const Real* data, index_t reals, int peer, int tag) {
  in_pieces<Real>(reals, [&](index_t first, int count, MPI_Request* request) {
    MPI_Isend(data + first, count, mpi_real<Real>(), peer, tag, comm_.handle(), request);
    count_ += {1, count * static_cast<index_t>(sizeof(Real))};
  });
}

template <class Real>
void Messages::receive(Real* data, index_t reals, int peer, int tag) {
  in_pieces<Real>(reals, [&](index_t first, int count, MPI_Request* request) {
    MPI_Irecv(data + first, count, mpi_real<Real>(), peer, tag, comm_.handle(), request);
  });
}

bool Messages::advance() {
  int done = 1;
  if (!requests_.empty()) MPI_Testall(static_cast<int>(requests_.size()), requests_.data(), &done, MPI_STATUSES_IGNORE);
  return done != 0;
}

void Messages::wait() {
  comm_.wait_until([this] { return advance(); });
  requests_.clear();
}

MessageCount Messages::take_count() { return std::exchange(count_, {}); }

template void Messages::send(const float*, index_t, int, int);
template void Messages::send(const double*, index_t, int, int);
template void Messages::receive(float*, index_t, int, int);
template void Messages::receive(double*, index_t, int, int);

}  // namespace weft
