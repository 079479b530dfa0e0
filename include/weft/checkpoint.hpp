// Checkpoints: several fields and values in one file, read back bit for bit on any number of ranks in any layout.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "weft/box.hpp"
#include "weft/comm.hpp"
#include "weft/element.hpp"

namespace weft {

/// This rank's block of a distributed array of 1 to 6 axes (batch axes included), contiguous and C-ordered, and the
/// name of the array in a checkpoint. The blocks of all ranks tile the array.
struct SavedField {
  /// T is float, double or a std::complex of them.
  template <class T>
  SavedField(std::string field, const Extents& global, const Box& box, const T* elements)
      : SavedField(std::move(field), global, box, element_of<T>, elements) {}
  SavedField(std::string field, const Extents& global, const Box& box, Element type, const void* elements)
      : name(std::move(field)), extents(global), mine(box), element(type), data(elements) {}

  std::string name;
  Extents extents;
  Box mine;
  Element element;
  const void* data;
};

/// The memory for a block to read, as SavedField, in any layout. Blocks may overlap and need not cover the array.
struct LoadedField {
  template <class T>
  LoadedField(std::string field, const Extents& global, const Box& box, T* elements)
      : LoadedField(std::move(field), global, box, element_of<T>, elements) {}
  LoadedField(std::string field, const Extents& global, const Box& box, Element type, void* elements)
      : name(std::move(field)), extents(global), mine(box), element(type), data(elements) {}

  std::string name;
  Extents extents;
  Box mine;
  Element element;
  void* data;
};

/// The contents of a checkpoint.
struct CheckpointContents {
  struct Field {
    std::string name;
    Extents extents;
    Element element;
  };
  Values values;
  std::vector<Field> fields;
};

/// Writes a checkpoint, an HDF5 file (.h5 or .hdf5): a dataset for each field, in C order, an attribute of the file for
/// each value. Collective; values are the same on all ranks. `compression` as in FileNotes.
///
/// The file appears complete or not at all, as with write_hdf5. It holds checksums of all data: at most 64 for the
/// elements of each field (docs/files.md defines them), and HDF5's own checksums of the metadata. Throws the same Error
/// on every rank, before anything is written, for blocks that do not tile their array, for names that are empty, "." or
/// given twice, or have a slash or begin with "weft_", and if the ranks' arguments differ.
void save_checkpoint(const Comm& comm, const std::string& path, const std::vector<SavedField>& fields,
                     const Values& values = {}, int compression = 0);

/// The contents of a checkpoint without elements. Collective; throws the same Error(Fault::file) on every rank for a
/// file that is missing, damaged or not a checkpoint.
CheckpointContents checkpoint_contents(const Comm& comm, const std::string& path);

/// Reads fields of a checkpoint, each rank its own blocks, and returns the other contents. Collective. Throws the same
/// Error(Fault::file) on every rank for files that checkpoint_contents refuses, if a field is missing or has other
/// extents or elements (nothing is converted), and if its elements are not those that were saved; data are then
/// undefined. Fields whose blocks do not tile the array are read twice, once to check the whole array.
CheckpointContents load_checkpoint(const Comm& comm, const std::string& path, const std::vector<LoadedField>& fields);

/// Reads all of a checkpoint and throws as load_checkpoint does if it is not as it was saved. Collective.
CheckpointContents verify_checkpoint(const Comm& comm, const std::string& path);

/// A checkpoint that was found in a folder.
struct FoundCheckpoint {
  index_t step = 0;
  std::string path;
  CheckpointContents contents;
  /// Why later checkpoints were not used, one text per checkpoint.
  std::vector<std::string> skipped;
};

/// The checkpoints of one run: a folder with files checkpoint-000123.h5, of which the last ones are kept. One run at a
/// time may write there; any number may read. All members are collective.
class CheckpointFolder {
 public:
  /// keep: the largest number of checkpoints after save(), including the new one (1 or more). save() makes the folder
  /// if it does not exist. Throws Error if arguments are not allowed or differ between ranks.
  CheckpointFolder(const Comm& comm, const std::string& folder, int keep = 2, int compression = 0);

  /// Writes the checkpoint of a step (0 or more), with the value "step", and returns its path. Only then checkpoints
  /// before the last `keep` are removed, except for write-protected ones, which do not count. Later steps, which exist
  /// if the run was resumed from an earlier step, are kept until they are written again. Unfinished files (.part) of a
  /// killed run are removed first.
  std::string save(index_t step, const std::vector<SavedField>& fields, const Values& values = {}) const;
  /// The steps of the checkpoints in the folder, ascending.
  std::vector<index_t> steps() const;
  std::string path(index_t step) const;

  /// The last checkpoint whose contents can be read. Its elements are not checked.
  std::optional<FoundCheckpoint> newest() const;
  /// The last undamaged checkpoint: its elements are read and compared with their checksums.
  std::optional<FoundCheckpoint> latest() const;
  /// Reads fields from the last undamaged checkpoint, as load_checkpoint.
  std::optional<FoundCheckpoint> restore(const std::vector<LoadedField>& fields) const;
  // All three skip damaged checkpoints, with the reason, and take the one before. A checkpoint that is marked as open
  // for writing by another program is not skipped but an error, which says how to clear the mark. The result is empty
  // if there is no checkpoint. If all checkpoints are damaged they throw Error(Fault::file), and so does restore for an
  // undamaged checkpoint that has other fields.

 private:
  Comm comm_;
  std::string folder_;
  int keep_, compression_;
};

}  // namespace weft
