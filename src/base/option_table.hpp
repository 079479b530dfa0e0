// The names of all options of a plan. The interfaces of the library read options by these lists, and ranks compare
// them. PlanOptions and weft_plan_options (weft.h) have members of these names; weft.plan.Plan and the Fortran module
// have arguments of these names.
#pragma once

#include "weft/options.hpp"

/// Calls visit(name) for the options whose values are names.
#define WEFT_NAMED_OPTIONS(visit) \
  visit(strategy) visit(between_nodes) visit(norm) visit(effort) visit(engine) visit(wire) visit(output) visit(scheme)

/// Calls visit(name) for the options that are numbers and flags.
#define WEFT_NUMBER_OPTIONS(visit)                                                                           \
  visit(chunks) visit(threads) visit(in_place) visit(fuse) visit(ranks) visit(send_batch) visit(max_pending) \
      visit(node_ranks) visit(message_limit) visit(shared_memory_limit)

/// Calls visit(name) for the options that are lists of numbers.
#define WEFT_LIST_OPTIONS(visit) visit(grid) visit(batch_axes) visit(modes)

namespace weft {

/// The value of the option `name` that a text stands for. Throws Error that names the option and lists its values.
inline void parse_option(const char* name, const std::string& text, Strategy& value) {
  value = parse_strategy(text, name);
}
inline void parse_option(const char*, const std::string& text, Norm& value) { value = parse_norm(text); }
inline void parse_option(const char*, const std::string& text, Effort& value) { value = parse_effort(text); }
inline void parse_option(const char*, const std::string& text, EngineChoice& value) { value = parse_engine(text); }
inline void parse_option(const char*, const std::string& text, Wire& value) { value = parse_wire(text); }
inline void parse_option(const char*, const std::string& text, Output& value) { value = parse_output(text); }
inline void parse_option(const char*, const std::string& text, Scheme& value) { value = parse_scheme(text); }

}  // namespace weft
