// The metadata of a checkpoint, which one rank reads, and the collective operations on it.
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

/// Name and value of the attribute that distinguishes a checkpoint from other files.
inline const std::string checkpoint_attribute = "weft_checkpoint";
inline constexpr std::int64_t checkpoint_version = 1;

/// Reads everything except for the elements. One rank; throws Error(Fault::file).
CheckpointFacts inspect_checkpoint(const std::string& path);

/// Conversion to bytes and back, without loss.
std::string packed(const CheckpointFacts& facts);
CheckpointFacts unpacked(const std::string& bytes);

/// The result of inspect_checkpoint on rank 0, broadcast to all ranks. Collective; throws the same Error everywhere.
CheckpointFacts shared_facts(const Comm& comm, const std::string& path);

/// Throws Error(Fault::file) unless a checkpoint has the fields; all ranks throw alike, since they have equal facts.
void check_wanted(const CheckpointFacts& facts, const std::vector<LoadedField>& fields, const std::string& path);

/// Reads fields that a checkpoint has and compares them with their checksums. Collective; throws the same
/// Error(Fault::file) everywhere.
void load_fields(const Comm& comm, const CheckpointFacts& facts, const std::vector<LoadedField>& fields,
                 const std::string& path);

/// Reads all fields and compares them with their checksums. Collective; throws the same Error(Fault::file) everywhere.
void verify_fields(const Comm& comm, const CheckpointFacts& facts, const std::string& path);

}  // namespace weft::io
