// Memory that is short on one rank alone must not leave the others waiting: what needs some is made where all ranks
// learn of a failure.
#pragma once

#include <string>

#include "weft/comm.hpp"

namespace weft::io {

/// What `make` yields on this rank. Collective; throws the same Error on every rank where it throws on any.
template <class Make>
auto make_on_all_ranks(const Comm& comm, const Make& make) {
  decltype(make()) result{};
  comm.together([&] { result = make(); });
  return result;
}

/// Comm::require_same of a text that is yet to be put together.
template <class Text>
void require_same(const Comm& comm, const char* name, const Text& text) {
  comm.require_same(name, make_on_all_ranks(comm, text));
}

}  // namespace weft::io
