// Fuzzer of machine files: what is read and written again reads as the same, and its network carries messages.
#include "model/machine_model.hpp"

#include <cmath>

#include "reader.hpp"

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  weft::MachineModel machine;
  const std::string text = weft::fuzz::text_of(data, size);
  if (!weft::fuzz::reads([&] { machine = weft::parse_machine(text, "fuzzed.toml"); })) return 0;
  const std::string written = weft::to_toml(machine);
  weft::MachineModel again;
  weft::fuzz::check(weft::fuzz::reads([&] { again = weft::parse_machine(written, "written.toml"); }),
                    "a file that was read and written cannot be read");
  weft::fuzz::check(weft::to_toml(again) == written, "a file that was read and written says something else");
  const weft::LineExchange exchange{.ranks = 4096, .peers = 64, .stride = 8, .node_ranks = 4, .block = 1e6};
  weft::fuzz::reads([&] {
    const weft::LinkLoad load = weft::most_loaded_link(exchange, machine.network);
    weft::fuzz::check(load.bytes >= 0 && load.links > 0, "a link has no load");
  });
  for (const double n : {1.0, 64.0, 1e6}) {
    weft::fuzz::check(machine.line_t_c(true, n) >= 0 && machine.line_t_c(false, n) >= 0, "a flop takes no time");
    weft::fuzz::check(machine.copy_seconds(n, 3) >= 0 && machine.plane_seconds(n, 3) >= 0, "a copy takes no time");
  }
  return 0;
}
