// The table without MPI, for a single rank. A message to itself is copied when both sides have been started, and
// collectives are copies. Handles of communicators are numbers; handles of datatypes and requests point to their
// objects.
#include <bit>
#include <chrono>
#include <cstring>
#include <map>
#include <mutex>
#include <string>
#include <vector>

#include "runtime_mpi/serial_moves.hpp"

namespace weft::runtime_mpi {
namespace {

constexpr std::uint64_t world_bits = 1, self_bits = 2;

// --- communicators and the process -------------------------------------------------------------------------------

struct Attributes {
  std::mutex mutex;
  std::vector<Forget> forgets;  // by keyval
  std::map<std::uint64_t, std::map<int, void*>> of_comms;
  std::uint64_t last_comm = std::uint64_t{1} << 32;  // the user of the table assigns smaller numbers
};
Attributes& attributes() {
  static Attributes all;
  return all;
}

int new_comm(Comm* result) {
  Attributes& all = attributes();
  const std::scoped_lock lock(all.mutex);
  *result = Comm{++all.last_comm};
  return success;
}
int free_comm(Comm* comm) {
  std::map<int, void*> values;
  Attributes& all = attributes();
  {
    const std::scoped_lock lock(all.mutex);
    values.swap(all.of_comms[comm->bits]);
    all.of_comms.erase(comm->bits);
  }
  for (const auto& [keyval, value] : values)
    all.forgets[static_cast<std::size_t>(keyval)](*comm, keyval, value, nullptr);
  *comm = {};
  return success;
}
int create_keyval(Ignored, Forget forget, int* keyval, void*) {
  Attributes& all = attributes();
  const std::scoped_lock lock(all.mutex);
  all.forgets.push_back(forget);
  *keyval = static_cast<int>(all.forgets.size()) - 1;
  return success;
}
int set_attribute(Comm comm, int keyval, void* value) {
  Attributes& all = attributes();
  const std::scoped_lock lock(all.mutex);
  all.of_comms[comm.bits][keyval] = value;
  return success;
}
int get_attribute(Comm comm, int keyval, void* value, int* found) {
  Attributes& all = attributes();
  const std::scoped_lock lock(all.mutex);
  const auto known = all.of_comms.find(comm.bits);
  const bool has = known != all.of_comms.end() && known->second.count(keyval) != 0;
  if (has) *static_cast<void**>(value) = known->second.at(keyval);
  *found = has ? 1 : 0;
  return success;
}

int give_text(const std::string& text, char* to, int* length) {
  std::memcpy(to, text.c_str(), text.size() + 1);
  *length = static_cast<int>(text.size());
  return success;
}
int give(int value, int* to) {
  *to = value;
  return success;
}

Table filled() {
  Table t;
  t.comm_bytes = sizeof(Comm);
  t.comm_world = Comm{world_bits};
  t.comm_self = Comm{self_bits};
  t.op_sum = Op{1};
  t.op_min = Op{2};
  t.op_max = Op{3};
  t.op_bor = Op{4};
  t.fatal = Errhandler{1};
  t.undefined = no_requests;
  t.no_keyval = -1;
  t.funneled = 1;
  t.multiple = 3;
  t.Wtime = [] { return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count(); };
  t.Init_thread = [](int*, char***, int, int* provided) { return give(serial().multiple, provided); };
  t.Finalize = [] { return success; };
  t.Initialized = [](int* flag) { return give(1, flag); };
  t.Finalized = [](int* flag) { return give(0, flag); };
  t.Query_thread = [](int* provided) { return give(serial().multiple, provided); };
  t.Get_library_version = [](char* text, int* length) { return give_text("none (one rank)", text, length); };
  t.Get_processor_name = [](char* text, int* length) { return give_text("localhost", text, length); };
  t.Error_string = [](int, char* text, int* length) { return give_text("an error without MPI", text, length); };
  t.Get_address = [](const void* location, Aint* address) {
    *address = std::bit_cast<Aint>(location);
    return success;
  };
  t.Comm_rank = [](Comm, int* rank) { return give(0, rank); };
  t.Comm_size = [](Comm, int* size) { return give(1, size); };
  t.Comm_test_inter = [](Comm, int* flag) { return give(0, flag); };
  t.Comm_dup = [](Comm, Comm* result) { return new_comm(result); };
  t.Comm_split = [](Comm, int, int, Comm* result) { return new_comm(result); };
  t.Comm_split_type = [](Comm, int, int, Info, Comm* result) { return new_comm(result); };
  t.Comm_free = free_comm;
  t.Comm_set_errhandler = [](Comm, Errhandler) { return success; };
  t.Comm_create_keyval = create_keyval;
  t.Comm_set_attr = set_attribute;
  t.Comm_get_attr = get_attribute;
  add_moves(t);
  return t;
}

}  // namespace

const Table& serial() {
  static const Table table = filled();
  return table;
}

}  // namespace weft::runtime_mpi
