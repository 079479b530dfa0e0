// Writes checkpoints: plain HDF5 files with checksums.
#include <bit>

#include "base/plain_text.hpp"
#include "io/agree.hpp"
#include "io/checkpoint_arguments.hpp"
#include "io/checkpoint_file.hpp"
#include "io/checksum.hpp"
#include "io/hdf5_output.hpp"
#include "io/output.hpp"
#include "io/shared_folder.hpp"

namespace weft {
namespace io {

void check_name(const std::string& name, const std::string& what) {
  require_plain("the " + what + " name", name);
  const bool plain =
      !name.empty() && name != "." && name.find('/') == std::string::npos && name.rfind(reserved_prefix, 0) != 0;
  require(plain, "the " + what + " name " + quoted(name) + " is empty, is \".\", has a slash or begins with " +
                     reserved_prefix + "; give another one");
}

std::string text_of(const Values& values) {
  std::string text;
  for (const auto& [name, value] : values) {
    text += ", " + quoted(name) + " = ";
    if (const auto* real = std::get_if<double>(&value)) {
      text += std::to_string(*real) + " (bits " + std::to_string(std::bit_cast<std::uint64_t>(*real)) + ")";
    } else {
      const auto* integer = std::get_if<std::int64_t>(&value);
      text += integer != nullptr ? std::to_string(*integer) : quoted(std::get<std::string>(value));
    }
  }
  return text;
}

}  // namespace io

namespace {

// All contents of the file except for the sums, and the sources of the elements.
void plan_checkpoint(const std::vector<SavedField>& fields, const Values& values, int compression,
                     io::PlannedFile& file, std::vector<io::Source>& sources) {
  file.checked = true;
  file.attributes.assign(values.begin(), values.end());
  file.attributes.emplace_back(io::checkpoint_attribute, io::checkpoint_version);
  for (const SavedField& field : fields) {
    io::Sums sums = io::no_sums(field.extents);
    io::add_to_sums(sums, field.element, field.extents, field.mine, field.data);
    file.datasets.push_back({field.name, field.extents, field.element, compression, std::move(sums)});
    sources.push_back({field.mine, field.data, {}});
  }
}

}  // namespace

void save_checkpoint(const Comm& comm, const std::string& path, const std::vector<SavedField>& fields,
                     const Values& values, int compression) {
  io::require_same(comm, "the checkpoint, fields and values", [&] {
    return io::quoted(path) + io::text_of(fields) + io::text_of(values) + ", compression " +
           std::to_string(compression);
  });
  comm.together([&] {
    io::require_format(path, io::Format::hdf5);
    io::check_compression(compression);
    io::check_checkpoint_fields(fields);
    for (const auto& [name, value] : values) {
      io::check_name(name, "value");
      io::check_attribute(name, value);
    }
  });
  io::require_shared_folder(comm, io::folder_of(path));
  for (const SavedField& field : fields) io::check_tiling(comm, field.extents, field.mine);
  io::PlannedFile file;
  std::vector<io::Source> sources;
  comm.together([&] { plan_checkpoint(fields, values, compression, file, sources); });
  for (io::PlannedDataset& dataset : file.datasets) io::add_over_ranks(comm, dataset.sums);
  io::write_hdf5_file(comm, path, file, sources);
}

}  // namespace weft
