// Keeps the printed warnings for the life of the process. Any thread may warn.
#include "base/warn_once.hpp"

#include <iostream>
#include <mutex>
#include <set>

namespace weft {

void warn_once(const std::string& text) {
  static std::mutex mutex;
  static std::set<std::string> told;
  const std::scoped_lock lock(mutex);
  if (told.insert(text).second) std::cerr << "weft: warning: " + text + "\n" << std::flush;
}

}  // namespace weft
