// Memory that this process has allocated, by whatever way: malloc and its relatives are replaced in the program that
// links this (glibc).
#pragma once

#include <cstddef>

namespace weft::testing {

/// Bytes that are allocated now.
std::ptrdiff_t allocated_bytes();
/// Lets the allocation after so many others fail, once; a negative number lets all succeed. Returns whether the one
/// that was to fail by the last call has not come yet.
bool fail_allocation_after(std::ptrdiff_t others);
/// The most that was allocated at any time since the last call.
std::ptrdiff_t largest_allocated_bytes();

}  // namespace weft::testing
