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

/// No name of the user's begins like this.
inline const std::string reserved_prefix = "weft_";

/// Throws Error(Fault::argument) unless a field or a value can have this name; `what` is "field" or "value".
void check_name(const std::string& name, const std::string& what);

/// Throws Error(Fault::argument) for what is wrong with saved or loaded fields on this rank.
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

/// With all bits of the numbers.
std::string text_of(const Values& values);

}  // namespace weft::io
