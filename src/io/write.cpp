// Writes fields to HDF5 and .npy: checks the arguments on every rank, plans the file and writes it.
#include <set>

#include "base/plain_text.hpp"
#include "io/agree.hpp"
#include "io/blocks.hpp"
#include "io/hdf5_output.hpp"
#include "io/npy.hpp"
#include "io/output.hpp"
#include "io/shared_folder.hpp"
#include "io/view.hpp"

namespace weft {
namespace {

using io::PlannedDataset;

template <class T>
void check_fields(const Extents& extents, const Box& mine, const std::vector<NamedBlock<T>>& fields) {
  require(!fields.empty(), "there are no fields to write; give at least one");
  const std::vector<std::string> taken = io::coordinate_names(extents.dims());
  std::set<std::string> names(taken.begin(), taken.end());
  names.insert("view");
  for (const NamedBlock<T>& field : fields) {
    require_plain("the field name", field.name);
    const bool plain = !field.name.empty() && field.name != "." && field.name.find('/') == std::string::npos;
    require(plain && names.insert(field.name).second,
            "the field name " + io::quoted(field.name) +
                " is empty, has a slash, is given twice or is a coordinate's; give each field its own name");
    require(mine.empty() || field.data != nullptr, "field " + io::quoted(field.name) + " has no data");
  }
}

void check_notes(const Extents& extents, Element element, const FileNotes& notes) {
  require(!notes.view || extents.dims() <= 3, "notes.view is for arrays of at most 3 axes, and this one has " +
                                                  std::to_string(extents.dims()) + "; set it to false");
  require(!notes.view || !is_complex(element), "notes.view is for real fields, and these are complex; set it to false");
  io::check_compression(notes.compression);
  for (const auto& [name, value] : notes.attributes) io::check_attribute(name, value);
  const auto axes = static_cast<int>(notes.coordinates.size());
  bool fits = axes == 0 || axes == extents.dims();
  for (int axis = 0; fits && axis < axes; ++axis) {
    fits = static_cast<index_t>(notes.coordinates[static_cast<std::size_t>(axis)].size()) == extents[axis];
  }
  require(fits, "notes.coordinates do not fit an array of " + to_string(extents) +
                    "; give one array per axis, with one value per point of it");
}

template <class T>
std::vector<PlannedDataset> plan_datasets(const Extents& extents, const std::vector<NamedBlock<T>>& fields,
                                          const FileNotes& notes) {
  std::vector<PlannedDataset> plan;
  plan.reserve(2 * fields.size());
  for (const auto& field : fields) plan.push_back({field.name, extents, element_of<T>, notes.compression, {}});
  if (!notes.view) return plan;
  const Extents reversed = io::view_extents(extents);
  for (const auto& field : fields)
    plan.push_back({"view/" + field.name, reversed, Element::float32, notes.compression, {}});
  return plan;
}

template <class T>
std::vector<io::Source> sources_of(const Box& mine, const std::vector<NamedBlock<T>>& fields, bool view) {
  std::vector<io::Source> sources;
  sources.reserve(2 * fields.size());
  for (const auto& field : fields) sources.push_back({mine, field.data, {}});
  if constexpr (!is_complex(element_of<T>)) {
    for (const auto& field : fields) {
      if (view) sources.push_back(io::view_source(mine, field.data));
    }
  }
  return sources;
}

// The arguments on which ranks must agree, as text.
template <class T>
std::string call_of(const std::string& path, const Extents& extents, const std::vector<NamedBlock<T>>& fields,
                    const FileNotes& notes) {
  std::string text = io::quoted(path) + " " + to_string(extents) + " " + to_string(element_of<T>);
  for (const NamedBlock<T>& field : fields) text += " " + io::quoted(field.name);
  return text + (notes.view ? " with view" : " without view") + ", compression " + std::to_string(notes.compression);
}

}  // namespace

template <class T>
void write_hdf5(const Comm& comm, const std::string& path, const Extents& extents, const Box& mine,
                const std::vector<NamedBlock<T>>& fields, const FileNotes& notes) {
  io::require_same(comm, "the file, extents, elements and fields",
                   [&] { return call_of(path, extents, fields, notes); });
  io::PlannedFile file;
  std::vector<io::Source> sources;
  comm.together([&] {
    io::require_format(path, io::Format::hdf5);
    io::check_block(extents, mine);
    check_fields(extents, mine, fields);
    check_notes(extents, element_of<T>, notes);
    file = {plan_datasets(extents, fields, notes), notes.coordinates, notes.attributes};
    sources = sources_of(mine, fields, notes.view);
  });
  io::require_shared_folder(comm, io::folder_of(path));
  io::check_tiling(comm, extents, mine);
  io::write_hdf5_file(comm, path, file, sources);
}

template <class T>
void write_npy(const Comm& comm, const std::string& path, const Extents& extents, const Box& mine, const T* data) {
  io::require_same(comm, "the file, extents and elements",
                   [&] { return io::quoted(path) + " " + to_string(extents) + " " + to_string(element_of<T>); });
  std::string header;
  comm.together([&] {
    io::require_format(path, io::Format::npy);
    io::check_block(extents, mine);
    require(mine.empty() || data != nullptr, "the field has no data");
    header = io::npy_header(extents, element_of<T>);
  });
  io::require_shared_folder(comm, io::folder_of(path));
  io::check_tiling(comm, extents, mine);
  const auto offset = static_cast<index_t>(header.size());
  const index_t bytes = offset + extents.product() * static_cast<index_t>(sizeof(T));
  io::write_whole(comm, path, bytes, [&](const std::string& part) {
    comm.together([&] {
      if (comm.rank() != 0) return;
      io::write_text(part, header);
      io::reserve(part, bytes);
    });
    comm.together([&] {
      io::BlockFile file(part);
      file.write(offset, extents, mine, data, static_cast<index_t>(sizeof(T)));
      file.flush();
    });
  });
}

template void write_hdf5(const Comm&, const std::string&, const Extents&, const Box&,
                         const std::vector<NamedBlock<float>>&, const FileNotes&);
template void write_npy(const Comm&, const std::string&, const Extents&, const Box&, const float*);
template void write_hdf5(const Comm&, const std::string&, const Extents&, const Box&,
                         const std::vector<NamedBlock<double>>&, const FileNotes&);
template void write_npy(const Comm&, const std::string&, const Extents&, const Box&, const double*);
template void write_hdf5(const Comm&, const std::string&, const Extents&, const Box&,
                         const std::vector<NamedBlock<std::complex<float>>>&, const FileNotes&);
template void write_npy(const Comm&, const std::string&, const Extents&, const Box&, const std::complex<float>*);
template void write_hdf5(const Comm&, const std::string&, const Extents&, const Box&,
                         const std::vector<NamedBlock<std::complex<double>>>&, const FileNotes&);
template void write_npy(const Comm&, const std::string&, const Extents&, const Box&, const std::complex<double>*);

}  // namespace weft
