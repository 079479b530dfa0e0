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

/// This rank's block of a distributed array of 1 to 6 axes (those of a batch are axes like others), contiguous and
/// C-ordered, and the name of the whole in a checkpoint. The blocks of all ranks tile the array.
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

/// The place for a block that is read: as SavedField, in any layout. Blocks may overlap, and leave parts of the array
/// to nobody.
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

/// What is in a checkpoint.
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
/// The file appears whole or not at all, as with write_hdf5. It holds checksums of everything: for each field at most
/// 64 of its elements (docs/files.md says how they are made), and HDF5's own of its metadata. Throws the same Error on
/// every rank, before anything is written, for blocks that do not tile their array, for names that are empty, "." or
/// given twice, or have a slash or begin with "weft_", and where the ranks' arguments differ.
void save_checkpoint(const Comm& comm, const std::string& path, const std::vector<SavedField>& fields,
                     const Values& values = {}, int compression = 0);

/// What a checkpoint has, without its elements. Collective; throws the same Error(Fault::file) on every rank for a file
/// that is missing, damaged or no checkpoint.
CheckpointContents checkpoint_contents(const Comm& comm, const std::string& path);

/// Reads fields of a checkpoint: each rank its own blocks. Yields the rest of what it has. Collective. Throws the same
/// Error(Fault::file) on every rank for what checkpoint_contents refuses, when a field is not there or of other extents
/// or elements (nothing is converted), and when its elements are not those that were saved; data are then undefined.
/// Fields whose blocks do not tile the array are read twice, once to check the whole.
CheckpointContents load_checkpoint(const Comm& comm, const std::string& path, const std::vector<LoadedField>& fields);

/// Reads all of a checkpoint and throws as load_checkpoint does unless it is what was saved. Collective.
CheckpointContents verify_checkpoint(const Comm& comm, const std::string& path);

/// A checkpoint that was found in a folder.
struct FoundCheckpoint {
  index_t step = 0;
  std::string path;
  CheckpointContents contents;
  /// Why later ones were not taken, one text each.
  std::vector<std::string> skipped;
};

/// The checkpoints of one run: a folder with files checkpoint-000123.h5, of which the last ones are kept. One run
/// writes there at a time; any number may read. All members are collective.
class CheckpointFolder {
 public:
  /// keep: how many checkpoints there are at most after save(), the new one included (1 or more). The folder need not
  /// exist; save() makes it. Throws Error where arguments are not allowed or differ between ranks.
  CheckpointFolder(const Comm& comm, const std::string& folder, int keep = 2, int compression = 0);

  /// Writes the checkpoint of a step (0 or more; also the value "step") and yields its path. Then, and only then, those
  /// before the last `keep` are removed, but for write-protected ones, which do not count; later steps, which a run has
  /// that was taken up again from an earlier one, stay until they are written again. What a run that was killed has
  /// left unfinished (.part) is removed first.
  std::string save(index_t step, const std::vector<SavedField>& fields, const Values& values = {}) const;
  /// The steps that there are, ascending.
  std::vector<index_t> steps() const;
  std::string path(index_t step) const;

  /// The last checkpoint whose contents can be read; its elements have not been looked at.
  std::optional<FoundCheckpoint> newest() const;
  /// The last one that is whole: its elements are read and compared with their checksums.
  std::optional<FoundCheckpoint> latest() const;
  /// Reads fields from the last one that is whole, as load_checkpoint.
  std::optional<FoundCheckpoint> restore(const std::vector<LoadedField>& fields) const;
  // All three skip what is damaged, with its reason, and take the one before. One that is marked as open for writing by
  // another program is not skipped but an error, which says how to clear the mark. Nothing: there is no checkpoint at
  // all. Where there are some and none is whole they throw Error(Fault::file), and so does restore for one that is
  // whole and has other fields.

 private:
  Comm comm_;
  std::string folder_;
  int keep_, compression_;
};

}  // namespace weft
