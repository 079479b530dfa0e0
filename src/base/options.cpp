// Names of the run-time choices, except for strategies (exchange/strategy.cpp).
#include "weft/options.hpp"

#include "base/names.hpp"

namespace weft {

namespace {

const Names<Norm>& norm_names() {
  static const Names<Norm> names{{Norm::backward, "backward"}, {Norm::forward, "forward"}, {Norm::ortho, "ortho"}};
  return names;
}
const Names<Effort>& effort_names() {
  static const Names<Effort> names{
      {Effort::estimate, "estimate"}, {Effort::measure, "measure"}, {Effort::patient, "patient"}};
  return names;
}
const Names<EngineChoice>& engine_names() {
  static const Names<EngineChoice> names{
      {EngineChoice::automatic, "auto"}, {EngineChoice::lanes, "lanes"}, {EngineChoice::fftw, "fftw"}};
  return names;
}

const Names<Wire>& wire_names() {
  static const Names<Wire> names{{Wire::same, "same"}, {Wire::single, "single"}};
  return names;
}
const Names<Scheme>& scheme_names() {
  static const Names<Scheme> names{
      {Scheme::even, "even"}, {Scheme::first, "first"}, {Scheme::grouped, "grouped"}, {Scheme::block, "block"}};
  return names;
}
const Names<Output>& output_names() {
  static const Names<Output> names{
      {Output::transposed, "transposed"}, {Output::natural, "natural"}, {Output::scrambled, "scrambled"}};
  return names;
}

}  // namespace

std::string to_string(Norm norm) { return name_of(norm_names(), norm); }
std::string to_string(Effort effort) { return name_of(effort_names(), effort); }
std::string to_string(EngineChoice engine) { return name_of(engine_names(), engine); }
std::string to_string(Scheme scheme) { return name_of(scheme_names(), scheme); }
std::string to_string(Wire wire) { return name_of(wire_names(), wire); }
std::string to_string(Output output) { return name_of(output_names(), output); }
Norm parse_norm(const std::string& text) { return parse(norm_names(), "norm", text); }
Effort parse_effort(const std::string& text) { return parse(effort_names(), "effort", text); }
EngineChoice parse_engine(const std::string& text) { return parse(engine_names(), "engine", text); }
Scheme parse_scheme(const std::string& text) { return parse(scheme_names(), "scheme", text); }
Wire parse_wire(const std::string& text) { return parse(wire_names(), "wire", text); }
Output parse_output(const std::string& text) { return parse(output_names(), "output", text); }

}  // namespace weft
