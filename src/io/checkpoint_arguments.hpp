// Arguments of checkpoints: checked on every rank, and compared between them as text.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "exchange/coverage.hpp"
#include "io/blocks.hpp"
#include "io/paths.hpp"
#include "weft/checkpoint.hpp"

namespace weft::io {

/// Names of the user must not begin with this prefix.
inline const std::string reserved_prefix = "weft_";

/// Throws Error(Fault::argument) unless a field or a value can have this name; `what` is "field" or "value".
void check_name(const std::string& name, const std::string& what);

/// Throws Error(Fault::argument) if saved or loaded fields of this rank are not allowed.
template <class Field>
void check_checkpoint_fields(const std::vector<Field>& fields) {
  std::set<std::string> names;
  for (const Field& field : fields) {
    check_name(field.name, "field");
    require(names.insert(field.name).second,
            "the field name " + quoted(field.name) + " is given twice; give each field its own name");
    check_box(field.name, field.mine);
    check_block(field.extents, field.mine);
    require(field.mine.empty() || field.data != nullptr, "field " + quoted(field.name) + " has no data");
  }
}

template <class Field>
std::string text_of(const std::vector<Field>& fields) {
  std::string text;
  for (const Field& field : fields)
    text += " " + quoted(field.name) + " of " + to_string(field.extents) + " " + to_string(field.element);
  return text.empty() ? " no fields" : text;
}

/// The values as a text that preserves all bits of the numbers.
std::string text_of(const Values& values);

}  // namespace weft::io
