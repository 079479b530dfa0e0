// The fingerprint of the machine and the versions of the libraries in use.
#include "model/fingerprint.hpp"

#include <mpi.h>

#include <array>
#include <fstream>
#include <thread>
#include <utility>

#include "transform/chosen_kernels.hpp"
#include "transform/engine/engines.hpp"

namespace weft {

namespace {

// The first line, with single spaces.
std::string first_line(const std::string& text) {
  std::string line;
  for (const char letter : text.substr(0, text.find('\n'))) {
    const bool space = letter == ' ' || letter == '\t' || letter == '\r';
    if (!space) line += letter;
    if (space && !line.empty() && line.back() != ' ') line += ' ';
  }
  while (!line.empty() && line.back() == ' ') line.pop_back();
  return line;
}

std::string processor_model() {
  std::ifstream file("/proc/cpuinfo");
  file.exceptions(std::ios::badbit);  // a stream that lacks memory must not look like the end of the file
  for (std::string line; std::getline(file, line);)
    if (line.starts_with("model name")) return first_line(line.substr(line.find(':') + 1));
  return "unknown";
}

std::string mpi_library() {
  std::array<char, MPI_MAX_LIBRARY_VERSION_STRING + 1> text{};
  int length = 0;
  MPI_Get_library_version(text.data(), &length);
  return first_line(text.data());
}

}  // namespace

Machine this_machine() {
  return {processor_model(),
          static_cast<index_t>(std::thread::hardware_concurrency()),
          lane_kernels<double>().isa,
          mpi_library(),
          fftw_version(),
          WEFT_VERSION};
}

std::string difference(const Machine& theirs, const Machine& ours) {
  const std::array<std::pair<std::string, std::string>, 4> pairs{
      {{theirs.processor, ours.processor},
       {std::to_string(theirs.cores) + " cores", std::to_string(ours.cores) + " cores"},
       {theirs.instructions, ours.instructions},
       {theirs.mpi, ours.mpi}}};
  for (const auto& [there, here] : pairs)
    if (there != here) return std::string("it was made with ").append(there).append(", here is ").append(here);
  return {};
}

}  // namespace weft
