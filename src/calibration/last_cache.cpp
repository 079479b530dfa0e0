// Reads the sizes of caches from Linux's files.
#include "calibration/last_cache.hpp"

#include <fstream>
#include <set>
#include <string>
#include <thread>

namespace weft {

index_t last_cache_bytes() {
  std::set<std::string> counted;
  index_t bytes = 0;
  for (unsigned core = 0; core < std::thread::hardware_concurrency(); core++) {
    const std::string folder = "/sys/devices/system/cpu/cpu" + std::to_string(core) + "/cache/index3/";
    std::ifstream size(folder + "size"), sharers(folder + "shared_cpu_list");
    index_t kilobytes = 0;
    std::string cores;
    if (size >> kilobytes && sharers >> cores && counted.insert(cores).second) bytes += kilobytes << 10;
  }
  return bytes;
}

}  // namespace weft
