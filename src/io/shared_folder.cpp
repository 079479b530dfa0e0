// Rank 0 creates a file with a new name, and one rank of every node looks for it.
#include "io/shared_folder.hpp"

#include <mpi.h>
#include <stdlib.h>  // mkstemp
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <filesystem>
#include <thread>

#include "io/paths.hpp"

namespace weft::io {
namespace {

std::string node_name() {
  std::array<char, MPI_MAX_PROCESSOR_NAME + 1> text{};
  int length = 0;
  MPI_Get_processor_name(text.data(), &length);
  return text.data();
}

std::string absolute(const std::string& folder) {
  std::error_code unknown;
  const std::filesystem::path path = std::filesystem::absolute(folder, unknown);
  return unknown ? folder : path.lexically_normal().string();
}

// A temporary file. Its name is empty if it cannot be created.
class Token {
 public:
  Token() = default;
  explicit Token(const std::string& folder) : path_(folder + "/.weft-XXXXXX") {
    const int file = ::mkstemp(path_.data());
    if (file < 0)
      path_.clear();
    else
      ::close(file);
  }
  ~Token() {
    if (!path_.empty()) ::unlink(path_.c_str());
  }
  Token(Token&& other) noexcept { path_.swap(other.path_); }
  Token& operator=(Token&& other) noexcept {
    path_.swap(other.path_);
    return *this;
  }
  std::string name() const { return path_.substr(path_.find_last_of('/') + 1); }

 private:
  std::string path_;
};

// Network file systems may show a file some time after it has been made.
bool appears(const std::string& path) {
  using std::chrono::milliseconds;
  constexpr int looks = 11;
  struct stat status {};
  for (int look = 0; look < looks; look++) {
    if (::stat(path.c_str(), &status) == 0) return true;
    std::this_thread::sleep_for(milliseconds(1 << look));
  }
  return false;
}

}  // namespace

void require_shared_folder(const Comm& comm, const std::string& folder) {
  const Comm node = comm.node();
  if (comm.max(index_t{node.size() < comm.size()}) == 0) return;
  Token token;
  std::string name, first;
  comm.together([&] {
    if (comm.rank() != 0) return;
    token = Token(folder);
    name = token.name();
    first = node_name();
  });
  name = comm.broadcast(name, 0);
  first = comm.broadcast(first, 0);
  if (name.empty()) return;
  comm.together([&] {
    if (node.rank() != 0 || appears(folder + "/" + name)) return;
    refuse_file("the folder " + quoted(absolute(folder)) + " is not shared: rank " + std::to_string(comm.rank()) +
                " on host " + quoted(node_name()) + " does not see the file that rank 0 has made there on host " +
                io::quoted(first) + "; give a folder that all hosts see (a network file system)");
  });
}

}  // namespace weft::io
