// A folder for the files of a test.
#pragma once

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <string>

#include "weft/comm.hpp"

namespace weft::testing {

/// A new folder, in which all ranks are until it goes.
class Folder {
 public:
  explicit Folder(const Comm& comm) : comm_(comm), before_(std::filesystem::current_path()) {
    std::string name = std::filesystem::temp_directory_path() / "weft_flups_XXXXXX";
    EXPECT_TRUE(comm.rank() != 0 || mkdtemp(name.data()) != nullptr);
    name_ = comm.broadcast(name, 0);
    std::filesystem::current_path(name_);
  }
  ~Folder() {
    std::filesystem::current_path(before_);
    comm_.barrier();
    if (comm_.rank() == 0) std::filesystem::remove_all(name_);
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;

 private:
  Comm comm_;
  std::filesystem::path before_, name_;
};

}  // namespace weft::testing
