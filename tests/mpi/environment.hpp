// What a test runs in: environment variables that are set or removed for its length, and the engines that there are.
#pragma once

#include <cstdlib>
#include <optional>
#include <string>

#include "transform/chosen_kernels.hpp"
#include "weft/options.hpp"

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

/// Lanes, or FFTW where the vectors in use have no line transforms (SSE2).
inline EngineChoice lanes_here() {
  return lane_kernels<double>().transforms_lines() ? EngineChoice::lanes : EngineChoice::fftw;
}

}  // namespace weft::testing
