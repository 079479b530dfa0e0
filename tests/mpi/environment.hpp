// Sets or removes an environment variable for the length of a test.
#pragma once

#include <cstdlib>
#include <optional>
#include <string>

namespace weft::testing {

class Environment {
 public:
  /// A null value removes the variable.
  Environment(std::string name, const char* value) : name_(std::move(name)) {
    const char* before = std::getenv(name_.c_str());
    if (before != nullptr) before_ = before;
    set(value);
  }
  ~Environment() { set(before_ ? before_->c_str() : nullptr); }
  Environment(const Environment&) = delete;
  Environment& operator=(const Environment&) = delete;

 private:
  void set(const char* value) const { value == nullptr ? unsetenv(name_.c_str()) : setenv(name_.c_str(), value, 1); }

  std::string name_;
  std::optional<std::string> before_;
};

}  // namespace weft::testing
