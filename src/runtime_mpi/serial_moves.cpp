// Datatypes, messages and collectives of one rank: a message to itself is copied when both sides have been started, and
// collectives are copies. Handles point to their objects.
#include <algorithm>
#include <bit>
#include <cstring>
#include <list>
#include <memory>
#include <mutex>
#include <vector>

#include "runtime_mpi/serial_moves.hpp"

namespace weft::runtime_mpi {
namespace {

template <class Ours, class T>
Ours handle_of(T* pointer) {
  return Ours{std::bit_cast<std::uint64_t>(pointer)};
}
template <class T, class Ours>
T* pointee(Ours handle) {
  return std::bit_cast<T*>(handle.bits);
}

// --- datatypes ---------------------------------------------------------------------------------------------------

// The bytes of a datatype, in order, and the distance from one element to the next.
struct Bytes {
  Aint offset, count;
};
struct Type {
  std::vector<Bytes> parts;
  Aint lower = 0, extent = 0;
};

// Types of equal size have different handles.
template <class T>
Datatype type_for() {
  static Type type{{{0, sizeof(T)}}, 0, sizeof(T)};
  return handle_of<Datatype>(&type);
}

// Adds `length` elements of an inner type from an offset on.
void append(Type& result, const Type& inner, Aint offset, int length) {
  for (int i = 0; i < length; i++)
    for (const Bytes& part : inner.parts) result.parts.push_back({offset + i * inner.extent + part.offset, part.count});
}
int finished(std::unique_ptr<Type> made, Datatype* result) {
  Aint lower = 0, upper = 0;
  for (std::size_t i = 0; i < made->parts.size(); i++) {
    const Bytes& part = made->parts[i];
    lower = i == 0 ? part.offset : std::min(lower, part.offset);
    upper = i == 0 ? part.offset + part.count : std::max(upper, part.offset + part.count);
  }
  made->lower = lower;
  made->extent = upper - lower;
  *result = handle_of<Datatype>(made.release());
  return success;
}
int vector_type(int count, int length, Aint stride, Datatype inner, Datatype* result) {
  auto made = std::make_unique<Type>();
  for (int i = 0; i < count; i++) append(*made, *pointee<Type>(inner), i * stride, length);
  return finished(std::move(made), result);
}
int contiguous_type(int count, Datatype inner, Datatype* result) { return vector_type(1, count, 0, inner, result); }
int indexed_type(int count, int length, const Aint* offsets, Datatype inner, Datatype* result) {
  auto made = std::make_unique<Type>();
  for (int i = 0; i < count; i++) append(*made, *pointee<Type>(inner), offsets[i], length);
  return finished(std::move(made), result);
}
int struct_type(int count, const int* lengths, const Aint* offsets, const Datatype* types, Datatype* result) {
  auto made = std::make_unique<Type>();
  for (int i = 0; i < count; i++) append(*made, *pointee<Type>(types[i]), offsets[i], lengths[i]);
  return finished(std::move(made), result);
}
int free_type(Datatype* type) {
  delete pointee<Type>(*type);
  *type = {};
  return success;
}
int type_size(Datatype type, int* size) {
  Aint sum = 0;
  for (const Bytes& part : pointee<Type>(type)->parts) sum += part.count;
  *size = static_cast<int>(sum);
  return success;
}
int type_extent(Datatype type, Aint* lower, Aint* extent) {
  *lower = pointee<Type>(type)->lower;
  *extent = pointee<Type>(type)->extent;
  return success;
}

// --- messages ----------------------------------------------------------------------------------------------------

// Elements of a datatype in memory.
struct Elements {
  char* data;
  int count;
  Datatype type;
};

std::vector<Bytes> bytes_of(const Elements& elements) {
  Type all;
  append(all, *pointee<Type>(elements.type), 0, elements.count);
  return all.parts;
}
// Copies the number of bytes that both sides have.
void copy(const Elements& from, const Elements& to) {
  const std::vector<Bytes> sources = bytes_of(from), targets = bytes_of(to);
  auto target = targets.begin();
  Aint filled = 0;
  for (const Bytes& source : sources) {
    for (Aint done = 0; done < source.count && target != targets.end();) {
      const Aint count = std::min(source.count - done, target->count - filled);
      std::memmove(to.data + target->offset + filled, from.data + source.offset + done,
                   static_cast<std::size_t>(count));
      done += count;
      filled += count;
      if (filled == target->count) {
        ++target;
        filled = 0;
      }
    }
  }
}

struct Message {
  Elements elements;
  bool sends, persistent;
  int tag;
  std::uint64_t comm;
  enum { idle, under_way, arrived } state = idle;
};

// Messages whose other side has not been started yet, in the order of their starts.
struct Waiting {
  std::mutex mutex;
  std::list<Message*> messages;
};
Waiting& waiting() {
  static Waiting messages;
  return messages;
}

void start(Message* message) {
  Waiting& all = waiting();
  const std::scoped_lock lock(all.mutex);
  message->state = Message::under_way;
  const auto other = std::find_if(all.messages.begin(), all.messages.end(), [&](const Message* candidate) {
    return candidate->sends != message->sends && candidate->tag == message->tag && candidate->comm == message->comm;
  });
  if (other == all.messages.end()) {
    all.messages.push_back(message);
    return;
  }
  const Message &from = message->sends ? *message : **other, &to = message->sends ? **other : *message;
  copy(from.elements, to.elements);
  (*other)->state = message->state = Message::arrived;
  all.messages.erase(other);
}

template <bool Sends, bool Persistent>
int message(const void* data, int count, Datatype type, int, int tag, Comm comm, Request* request) {
  auto made = std::make_unique<Message>(
      Message{{static_cast<char*>(const_cast<void*>(data)), count, type}, Sends, Persistent, tag, comm.bits});
  if (!Persistent) start(made.get());
  *request = handle_of<Request>(made.release());
  return success;
}
int receive(void* data, int count, Datatype type, int peer, int tag, Comm comm, Request* request) {
  return message<false, false>(data, count, type, peer, tag, comm, request);
}
int receive_init(void* data, int count, Datatype type, int peer, int tag, Comm comm, Request* request) {
  return message<false, true>(data, count, type, peer, tag, comm, request);
}
int started(Request* request) {
  start(pointee<Message>(*request));
  return success;
}
int free_request(Request* request) {
  delete pointee<Message>(*request);
  *request = {};
  return success;
}

bool is_under_way(Request request) {
  return request.bits != 0 && pointee<Message>(request)->state == Message::under_way;
}
// Completes a message: its request becomes null, or idle if it is persistent.
void finish(Request* request) {
  if (request->bits == 0) return;
  Message& message = *pointee<Message>(*request);
  if (message.persistent) message.state = Message::idle;
  if (!message.persistent) free_request(request);
}
int test_all(int count, Request* requests, int* done, Ignored) {
  *done = std::none_of(requests, requests + count, is_under_way) ? 1 : 0;
  for (int i = 0; *done != 0 && i < count; i++) finish(requests + i);
  return success;
}
int test(Request* request, int* done, Ignored status) { return test_all(1, request, done, status); }
// A message is complete at once or never, because no other rank sends.
int wait(Request* request, Ignored status) {
  int done = 0;
  test_all(1, request, &done, status);
  return done != 0 ? success : failure;
}
// Null and idle requests do not count.
int test_some(int count, Request* requests, int* completed, int* indices, Ignored) {
  bool any = false;
  *completed = 0;
  for (int i = 0; i < count; i++) {
    if (requests[i].bits == 0 || pointee<Message>(requests[i])->state == Message::idle) continue;
    any = true;
    if (is_under_way(requests[i])) continue;
    indices[(*completed)++] = i;
    finish(requests + i);
  }
  if (!any) *completed = no_requests;
  return success;
}
int send_receive(const void* sent, int send_count, Datatype send_type, int, int, void* received, int receive_count,
                 Datatype receive_type, int, int, Comm, Ignored) {
  copy({static_cast<char*>(const_cast<void*>(sent)), send_count, send_type},
       {static_cast<char*>(received), receive_count, receive_type});
  return success;
}

// --- collectives -------------------------------------------------------------------------------------------------

int over_at_once(Request* request) {
  *request = {};
  return success;
}
int all_reduce(const void* in, void* out, int count, Datatype type, Op, Comm) {
  return send_receive(in, count, type, 0, 0, out, count, type, 0, 0, {}, {});
}
int all_reduce_later(const void* in, void* out, int count, Datatype type, Op op, Comm comm, Request* request) {
  all_reduce(in, out, count, type, op, comm);
  return over_at_once(request);
}
int broadcast(void*, int, Datatype, int, Comm, Request* request) { return over_at_once(request); }
int barrier(Comm, Request* request) { return over_at_once(request); }
int all_gather(const void* in, int send_count, Datatype send_type, void* out, int receive_count, Datatype receive_type,
               Comm, Request* request) {
  send_receive(in, send_count, send_type, 0, 0, out, receive_count, receive_type, 0, 0, {}, {});
  return over_at_once(request);
}
int exchange(const void* in, const int* send_counts, const int* send_offsets, Datatype send_type, void* out,
             const int* receive_counts, const int* receive_offsets, Datatype receive_type, Comm, Request* request) {
  const char* from = static_cast<const char*>(in) + *send_offsets * pointee<Type>(send_type)->extent;
  char* to = static_cast<char*>(out) + *receive_offsets * pointee<Type>(receive_type)->extent;
  send_receive(from, *send_counts, send_type, 0, 0, to, *receive_counts, receive_type, 0, 0, {}, {});
  return over_at_once(request);
}
int exchange_types(const void* in, const int* send_counts, const int* send_offsets, const Datatype* send_types,
                   void* out, const int* receive_counts, const int* receive_offsets, const Datatype* receive_types,
                   Comm, Request* request) {
  send_receive(static_cast<const char*>(in) + *send_offsets, *send_counts, *send_types, 0, 0,
               static_cast<char*>(out) + *receive_offsets, *receive_counts, *receive_types, 0, 0, {}, {});
  return over_at_once(request);
}

}  // namespace

void add_moves(Table& t) {
  t.type_char = type_for<char>();
  t.type_byte = type_for<unsigned char>();
  t.type_int = type_for<int>();
  t.type_int64 = type_for<std::int64_t>();
  t.type_uint64 = type_for<std::uint64_t>();
  t.type_float = type_for<float>();
  t.type_double = type_for<double>();
  t.Type_commit = [](Datatype*) { return success; };
  t.Type_free = free_type;
  t.Type_size = type_size;
  t.Type_get_extent = type_extent;
  t.Type_contiguous = contiguous_type;
  t.Type_create_hvector = vector_type;
  t.Type_create_hindexed_block = indexed_type;
  t.Type_create_struct = struct_type;
  t.Isend = message<true, false>;
  t.Irecv = receive;
  t.Send_init = message<true, true>;
  t.Recv_init = receive_init;
  t.Start = started;
  t.Request_free = free_request;
  t.Sendrecv = send_receive;
  t.Wait = wait;
  t.Test = test;
  t.Testall = test_all;
  t.Testsome = test_some;
  t.Allreduce = all_reduce;
  t.Ibarrier = barrier;
  t.Ibcast = broadcast;
  t.Iallreduce = all_reduce_later;
  t.Iallgather = all_gather;
  t.Ialltoallv = exchange;
  t.Ialltoallw = exchange_types;
}

}  // namespace weft::runtime_mpi
