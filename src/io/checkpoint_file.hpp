// What one rank learns of a checkpoint from its metadata, and what all do with it.
#pragma once

#include <string>
#include <vector>

#include "io/layout_hdf5.hpp"
#include "weft/checkpoint.hpp"

namespace weft::io {

/// The contents of a checkpoint and the checksums of its fields, in their order.
struct CheckpointFacts {
  CheckpointContents contents;
  std::vector<Sums> sums;
};

/// Name and value of the attribute that tells a checkpoint from other files.
inline const std::string checkpoint_attribute = "weft_checkpoint";
inline constexpr std::int64_t checkpoint_version = 1;

/// Reads everything but the elements. One rank; throws Error(Fault::file).
CheckpointFacts inspect_checkpoint(const std::string& path);

/// To bytes and back, without loss.
std::string packed(const CheckpointFacts& facts);
CheckpointFacts unpacked(const std::string& bytes);

/// What inspect_checkpoint finds on rank 0, on every rank. Collective; throws the same Error everywhere.
CheckpointFacts shared_facts(const Comm& comm, const std::string& path);

/// Throws Error(Fault::file) unless a checkpoint has the fields. The same on all ranks, since the facts are.
void check_wanted(const CheckpointFacts& facts, const std::vector<LoadedField>& fields, const std::string& path);

/// Reads fields that a checkpoint has and compares them with their checksums. Collective; throws the same
/// Error(Fault::file) everywhere.
void load_fields(const Comm& comm, const CheckpointFacts& facts, const std::vector<LoadedField>& fields,
                 const std::string& path);

/// Reads everything and compares it with its checksums. As load_fields.
void verify_fields(const Comm& comm, const CheckpointFacts& facts, const std::string& path);

}  // namespace weft::io
