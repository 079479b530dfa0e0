// Checksums of distributed arrays that do not depend on how they are distributed.
#pragma once

#include "io/layout_hdf5.hpp"
#include "weft/comm.hpp"

namespace weft::io {

/// Zero sums for an array: at most 64, each for the same number of indices of the first axis (the last may have fewer).
Sums no_sums(const Extents& extents);

/// Adds the contiguous elements of a box to sums. The summand of an element depends only on its bits and its place in
/// the array, so the sums of boxes that tile the array add up to the sums of the array.
///
/// The array counts as words of the size of its reals, numbered in C order (a complex number is two). Word number i
/// with the bits w adds m(w + (i + 1) g) modulo 2^64, where g = 0x9e3779b97f4a7c15 and m is the finaliser of splitmix64
/// (Steele, Lea and Flood 2014, "Fast splittable pseudorandom number generators"). Since m is one to one, a change of
/// one word always changes the sum; a change of several words leaves it equal once in 2^64 times.
void add_to_sums(Sums& sums, Element element, const Extents& extents, const Box& box, const void* data);

/// The sums of all ranks, on every rank. Collective.
void add_over_ranks(const Comm& comm, Sums& sums);

/// "indices 32 to 63 of axis 0": the first part of an array in which the sums differ. The sums must not be equal.
std::string first_difference(const Sums& a, const Sums& b, const Extents& extents);

}  // namespace weft::io
