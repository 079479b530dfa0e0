// Selects the table of the MPI in use.
#include <dlfcn.h>

#include <cstring>
#include <stdexcept>
#include <string>

#include "runtime_mpi/mpi_table.hpp"

namespace weft::runtime_mpi {

namespace {

const Table*& chosen() {
  static const Table* table = &serial();
  return table;
}

}  // namespace

const Table& table() { return *chosen(); }

void use(const Table& other) { chosen() = &other; }

Comm comm_at(const void* address) {
  Comm comm;
  std::memcpy(&comm.bits, address, static_cast<std::size_t>(table().comm_bytes));
  return comm;
}

void use_library(const char* path) {
  void* library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  void* function = library == nullptr ? nullptr : dlsym(library, "weft_mpi_table");
  if (function == nullptr) throw std::runtime_error(std::string("no table of MPI: ") + dlerror());
  use(*reinterpret_cast<const Table* (*)()>(function)());
}

}  // namespace weft::runtime_mpi
