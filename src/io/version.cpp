// The version of the loaded HDF5.
#include "io/hdf5_tools.hpp"
#include "weft/io.hpp"

namespace weft {

std::string hdf5_version() {
  unsigned major = 0, minor = 0, release = 0;
  H5get_libversion(&major, &minor, &release);
#ifdef H5_HAVE_PARALLEL
  const std::string kind = "parallel";
#else
  const std::string kind = "serial";
#endif
  return std::to_string(major) + "." + std::to_string(minor) + "." + std::to_string(release) + ", " + kind;
}

}  // namespace weft
