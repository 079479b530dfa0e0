// The table of one family of MPI libraries. It is compiled with the family's mpi.h into a library that binds to MPI's
// functions when it is loaded: to those of the MPI that mpi4py has loaded before. Handles are widened to 64 bits and
// narrowed again.
#include WEFT_MPI_HEADER

#include <bit>
#include <cstddef>
#include <cstring>
#include <map>
#include <memory>
#include <mutex>
#include <type_traits>
#include <utility>
#include <vector>

#include "runtime_mpi/mpi_table.hpp"

namespace weft::runtime_mpi {
namespace {

static_assert(std::is_same_v<Aint, MPI_Aint>);
static_assert(std::endian::native == std::endian::little, "the lowest bytes of a handle come first");

template <class Ours, class Theirs>
Ours widened(Theirs handle) {
  Ours result;
  std::memcpy(&result.bits, &handle, sizeof handle);
  return result;
}
template <class Theirs, class Ours>
Theirs narrowed(Ours handle) {
  Theirs result;
  std::memcpy(&result, &handle.bits, sizeof result);
  return result;
}

template <class>
struct TheirsOf;
#define WEFT_PAIR(ours, theirs) \
  template <>                   \
  struct TheirsOf<ours> {       \
    using Type = theirs;        \
  };
WEFT_PAIR(Comm, MPI_Comm)
WEFT_PAIR(Datatype, MPI_Datatype)
WEFT_PAIR(Op, MPI_Op)
WEFT_PAIR(Request, MPI_Request)
WEFT_PAIR(Info, MPI_Info)
WEFT_PAIR(Errhandler, MPI_Errhandler)
#undef WEFT_PAIR

// An argument in the form of MPI. A handle that MPI changes is widened again after the call.
template <class T>
struct Passed {
  T value;
  operator T() const { return value; }
};
template <class Tag>
struct Passed<Handle<Tag>> {
  using Theirs = typename TheirsOf<Handle<Tag>>::Type;
  Handle<Tag> value;
  operator Theirs() const { return narrowed<Theirs>(value); }
};
template <class Tag>
struct Passed<Handle<Tag>*> {
  using Theirs = typename TheirsOf<Handle<Tag>>::Type;
  explicit Passed(Handle<Tag>* given) : ours(given), theirs(narrowed<Theirs>(*given)) {}
  ~Passed() { *ours = widened<Handle<Tag>>(theirs); }
  Passed(const Passed&) = delete;
  Passed& operator=(const Passed&) = delete;
  operator Theirs*() { return &theirs; }
  Handle<Tag>* ours;
  Theirs theirs;
};
template <>
struct Passed<Ignored> {
  Ignored value;
  operator MPI_Status*() const { return MPI_STATUS_IGNORE; }
};

// An array of handles in the form of MPI.
template <class Tag>
auto narrowed_array(const Handle<Tag>* handles, int count) {
  std::vector<typename TheirsOf<Handle<Tag>>::Type> result;
  result.reserve(static_cast<std::size_t>(count));
  for (int i = 0; i < count; i++) result.push_back(narrowed<typename TheirsOf<Handle<Tag>>::Type>(handles[i]));
  return result;
}

// MPI_Ialltoallw reads its types until it is complete, so the narrowed types are kept as long as its request.
using Types = std::vector<MPI_Datatype>;
struct KeptTypes {
  std::mutex mutex;
  std::map<std::uint64_t, std::unique_ptr<std::pair<Types, Types>>> of_requests;

  void keep(Request request, std::unique_ptr<std::pair<Types, Types>> types) {
    const std::scoped_lock lock(mutex);
    of_requests[request.bits] = std::move(types);
  }
  // Updates a request after a call.
  void update(Request before, Request now) {
    if (before == now) return;
    const std::scoped_lock lock(mutex);
    of_requests.erase(before.bits);
  }
};
KeptTypes& kept_types() {
  static KeptTypes types;
  return types;
}

int tested_all(int count, Request* requests, int* done, Ignored) {
  std::vector<MPI_Request> narrow = narrowed_array(requests, count);
  const int code = MPI_Testall(count, narrow.data(), done, MPI_STATUSES_IGNORE);
  for (int i = 0; i < count; i++) {
    const Request now = widened<Request>(narrow[static_cast<std::size_t>(i)]);
    kept_types().update(requests[i], now);
    requests[i] = now;
  }
  return code;
}

int tested_some(int count, Request* requests, int* completed, int* indices, Ignored) {
  std::vector<MPI_Request> narrow = narrowed_array(requests, count);
  const int code = MPI_Testsome(count, narrow.data(), completed, indices, MPI_STATUSES_IGNORE);
  for (int i = 0; i < count; i++) {
    const Request now = widened<Request>(narrow[static_cast<std::size_t>(i)]);
    kept_types().update(requests[i], now);
    requests[i] = now;
  }
  return code;
}

int tested(Request* request, int* done, Ignored) {
  const Request before = *request;
  const int code = MPI_Test(Passed<Request*>(request), done, MPI_STATUS_IGNORE);
  kept_types().update(before, *request);
  return code;
}

int waited(Request* request, Ignored) {
  const Request before = *request;
  const int code = MPI_Wait(Passed<Request*>(request), MPI_STATUS_IGNORE);
  kept_types().update(before, *request);
  return code;
}

int alltoallw(const void* in, const int* send_counts, const int* send_offsets, const Datatype* send_types, void* out,
              const int* receive_counts, const int* receive_offsets, const Datatype* receive_types, Comm comm,
              Request* request) {
  const auto their_comm = narrowed<MPI_Comm>(comm);
  int size = 0;
  MPI_Comm_size(their_comm, &size);
  auto types =
      std::make_unique<std::pair<Types, Types>>(narrowed_array(send_types, size), narrowed_array(receive_types, size));
  const int code = MPI_Ialltoallw(in, send_counts, send_offsets, types->first.data(), out, receive_counts,
                                  receive_offsets, types->second.data(), their_comm, Passed<Request*>(request));
  kept_types().keep(*request, std::move(types));
  return code;
}

int struct_type(int count, const int* lengths, const Aint* offsets, const Datatype* types, Datatype* result) {
  const std::vector<MPI_Aint> their_offsets(offsets, offsets + count);
  return MPI_Type_create_struct(count, lengths, their_offsets.data(), narrowed_array(types, count).data(),
                                Passed<Datatype*>(result));
}

int forgotten(MPI_Comm comm, int keyval, void* value, void* forget) {
  return reinterpret_cast<Forget>(forget)(widened<Comm>(comm), keyval, value, nullptr);
}

int keyval_created(Ignored, Forget forget, int* keyval, void*) {
  return MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, forgotten, keyval, reinterpret_cast<void*>(forget));
}

// A function of MPI with the arguments of a table's entry.
template <class Signature>
struct Forwarded;
template <class... Arguments>
struct Forwarded<int (*)(Arguments...)> {
  template <auto& Function>
  static int call(Arguments... arguments) {
    return Function(Passed<Arguments>{arguments}...);
  }
};

Table filled() {
  Table result;
  result.comm_bytes = sizeof(MPI_Comm);
  result.bottom = MPI_BOTTOM;
  result.Wtime = MPI_Wtime;
#define WEFT_HANDLE(type, name, of_mpi) result.name = widened<type>(static_cast<TheirsOf<type>::Type>(of_mpi));
#define WEFT_NUMBER(name, of_mpi) result.name = of_mpi;
  WEFT_MPI_CONSTANTS(WEFT_HANDLE, WEFT_NUMBER)
#define WEFT_FORWARD(name, arguments) result.name = Forwarded<decltype(result.name)>::call<MPI_##name>;
  WEFT_MPI_PLAIN_CALLS(WEFT_FORWARD)
  result.Test = tested;
  result.Testall = tested_all;
  result.Testsome = tested_some;
  result.Wait = waited;
  result.Ialltoallw = alltoallw;
  result.Type_create_struct = struct_type;
  result.Comm_create_keyval = keyval_created;
  return result;
}

}  // namespace
}  // namespace weft::runtime_mpi

extern "C" __attribute__((visibility("default"))) const weft::runtime_mpi::Table* weft_mpi_table() {
  static const weft::runtime_mpi::Table table = weft::runtime_mpi::filled();
  return &table;
}
