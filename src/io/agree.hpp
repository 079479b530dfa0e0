// If memory is short on a single rank, the others must not wait for it: allocations run where all ranks learn of a
// failure.
#pragma once

#include <string>

#include "weft/comm.hpp"

namespace weft::io {

/// The result of `make` on this rank. Collective; if it throws on any rank, every rank throws the same Error.
template <class Make>
auto make_on_all_ranks(const Comm& comm, const Make& make) {
  decltype(make()) result{};
  comm.together([&] { result = make(); });
  return result;
}

/// Comm::require_same of the text that `text` composes.
template <class Text>
void require_same(const Comm& comm, const char* name, const Text& text) {
  comm.require_same(name, make_on_all_ranks(comm, text));
}

}  // namespace weft::io
