// Fuzzer of names in options: a name that is taken is written as it was, and all others are refused.
#include <string>

#include "model/network.hpp"
#include "reader.hpp"
#include "weft/boundary.hpp"
#include "weft/element.hpp"
#include "weft/kind.hpp"
#include "weft/options.hpp"

namespace {

template <class Parse>
void goes_round(const std::string& text, const Parse& parse) {
  std::string name;
  if (weft::fuzz::reads([&] { name = to_string(parse(text)); }))
    weft::fuzz::check(name == text, "a name is written otherwise than it was read");
}

}  // namespace

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text = weft::fuzz::text_of(data, size);
  goes_round(text, [](const std::string& name) { return weft::parse_strategy(name); });
  goes_round(text, [](const std::string& name) { return weft::parse_kind(name); });
  goes_round(text, weft::parse_norm);
  goes_round(text, weft::parse_effort);
  goes_round(text, weft::parse_engine);
  goes_round(text, weft::parse_scheme);
  goes_round(text, weft::parse_wire);
  goes_round(text, weft::parse_output);
  goes_round(text, weft::parse_topology);
  return 0;
}
