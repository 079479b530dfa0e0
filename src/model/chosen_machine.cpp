// Finds the machine file of the environment.
#include "model/chosen_machine.hpp"

#include <cstdlib>
#include <filesystem>
#include <thread>

#include "base/warn_once.hpp"

namespace weft {

namespace {

std::string path_here() {
  if (const char* named = std::getenv("WEFT_MACHINE"); named != nullptr) return named;
  const std::string standard = standard_machine_path();
  std::error_code ignored;
  return !standard.empty() && std::filesystem::exists(standard, ignored) ? standard : std::string();
}

// The message to the other ranks: nothing, or the file as rank 0 has parsed it.
std::string text_here() {
  const std::string path = path_here();
  if (path.empty()) return {};
  const MachineModel model = read_machine(path);
  const std::string text = model.machine ? difference(*model.machine, this_machine()) : std::string();
  if (text.empty()) return to_toml(model);
  warn_once("the machine file \"" + path + "\" is ignored: " + text);
  return {};
}

}  // namespace

std::string standard_machine_path() {
  const char* home = std::getenv("HOME");
  return home == nullptr || *home == '\0' ? std::string() : std::string(home) + "/.config/weft/machine.toml";
}

MachineModel chosen_machine(const Comm& comm) {
  std::string text;
  comm.together([&] {
    if (comm.rank() == 0) text = text_here();
  });
  text = comm.broadcast(text, 0);
  if (!text.empty()) return parse_machine(text, "of rank 0");
  MachineModel standard;
  standard.node_cores = static_cast<int>(comm.max(index_t{std::thread::hardware_concurrency()}));
  return standard;
}

}  // namespace weft
