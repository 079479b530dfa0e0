// Fields in files: reading blocks of HDF5 and .npy files, writing files collectively, and XDMF for ParaView.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "weft/box.hpp"
#include "weft/comm.hpp"
#include "weft/element.hpp"

namespace weft {

/// The shape of an array in a file: HDF5 (.h5, .hdf5) or NumPy (.npy, where `dataset` must be empty). Collective.
/// Throws the same Error(Fault::file) on every rank if the file is missing, damaged, truncated or of another kind, if
/// it has no such dataset (the text lists its datasets), and if the elements are not real numbers.
Extents file_extents(const Comm& comm, const std::string& path, const std::string& dataset);

/// The shape of an array in a file, and whether its elements are complex.
struct FileArray {
  Extents extents;
  bool complex = false;
};
/// The shape of an array of real or complex elements, as file_extents for real ones.
FileArray file_array(const Comm& comm, const std::string& path, const std::string& dataset);

/// Reads this rank's block `mine` (may be empty) of an array of exactly the extents `expected` into a contiguous
/// C-ordered array of mine.size() elements. T is float, double or a std::complex of them. Real elements may be floating
/// point or integers of any size and byte order in HDF5, and f4, f8, i4 or i8 in .npy (C order); complex ones compounds
/// {r, i} of floating-point numbers in HDF5, and c8 or c16 in .npy. They are converted to T. Real numbers are not read
/// as complex ones, nor complex numbers as real ones. Parts of an HDF5 dataset that were never written have its fill
/// value. Collective; every rank opens the file and reads its own block. Throws the same Error on every rank as
/// file_extents, for another shape, and if a byte of the block does not lie within the file (the text names the chunk);
/// `data` is then undefined. Sizes in a damaged or hostile file are compared with its length before anything is
/// allocated. Virtual datasets, missing filters, arrays without elements and files that another program has open for
/// writing are refused, and the text names them.
template <class T>
void read_block(const Comm& comm, const std::string& path, const std::string& dataset, const Extents& expected,
                const Box& mine, T* data);

/// This rank's block of a field, contiguous and C-ordered, and the name of the field in the file.
template <class T>
struct NamedBlock {
  std::string name;
  const T* data = nullptr;
};

/// The contents of a file besides its fields.
struct FileNotes {
  /// Empty, or one array per axis with the position of every point of that axis (the values of rank 0 are written).
  /// They become the datasets x, y, z (x0, x1, ... when there are more than 3 axes).
  std::vector<std::vector<double>> coordinates;
  /// Attributes of the file: texts and numbers.
  std::vector<std::pair<std::string, Value>> attributes;
  /// Adds view/NAME: the field in single precision, last axis first, for write_xdmf. Needs real fields of at most 3
  /// axes.
  bool view = true;
  /// 0: elements are stored unchanged, and every rank writes its own. 1 (fast) to 9 (small): elements are stored in
  /// chunks of at most 1 MiB, compressed by HDF5's shuffle and deflate filters, which every HDF5 reads. Each rank
  /// compresses its share of the chunks, and rank 0 writes them. Meanwhile a rank holds two more local arrays, of one
  /// field at a time.
  int compression = 0;
};

/// Writes fields that share the global extents and this rank's Box into one HDF5 file, as datasets NAME with the index
/// order of the arrays ([x][y][z], last axis fastest). The boxes of all ranks must tile the array. T as in read_block.
/// Collective.
///
/// The file appears complete or not at all: it is written to PATH.part, flushed to the disk and renamed. If that fails
/// (folder missing or not writable, disk full), the .part is removed, an existing file does not change, and every rank
/// throws the same Error(Fault::file). The new file has the mode of the one that it replaces. A write-protected file
/// (by mode, even for the superuser) is not replaced.
template <class T>
void write_hdf5(const Comm& comm, const std::string& path, const Extents& extents, const Box& mine,
                const std::vector<NamedBlock<T>>& fields, const FileNotes& notes = {});

/// Writes one field as a .npy file (format version 1.0, C order; f4, f8, c8 or c16). Otherwise as write_hdf5.
template <class T>
void write_npy(const Comm& comm, const std::string& path, const Extents& extents, const Box& mine, const T* data);

/// A uniform mesh of 1 to 3 axes: points per axis, position of the first point and distance between points.
struct UniformMesh {
  Extents points;
  std::vector<double> first, spacing;
};

/// A mesh of 1 to 3 axes with the positions of its points along each of them, in ascending order.
struct RectilinearMesh {
  std::vector<std::vector<double>> coordinates;
};

/// Writes the XDMF 3 description of the fields of an HDF5 file (written with FileNotes::view, in the same folder) as
/// point data of a 3DCoRectMesh, or 3DRectMesh. Collective; rank 0 writes it, complete or not at all as with
/// write_hdf5.
///
/// XDMF has no axis names: ParaView takes the fastest axis of a dataset as its X. A field [x][y][z] would come out
/// mirrored, with its z along X, so the file refers to the view/NAME copies, which are stored [z][y][x], and states
/// extents, origin and spacing in that order. ParaView's X, Y, Z are then axes 0, 1, 2 of the array. Missing axes of
/// 1-D and 2-D fields have one point.
void write_xdmf(const Comm& comm, const std::string& path, const std::string& hdf5_path, const UniformMesh& mesh,
                const std::vector<std::string>& fields);
void write_xdmf(const Comm& comm, const std::string& path, const std::string& hdf5_path, const RectilinearMesh& mesh,
                const std::vector<std::string>& fields);

/// Version of the HDF5 library that is loaded.
std::string hdf5_version();

}  // namespace weft
