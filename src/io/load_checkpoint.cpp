// Reads checkpoints: rank 0 reads the metadata, all ranks read elements and compare them with the stored checksums.
#include <algorithm>

#include "io/agree.hpp"
#include "io/checkpoint_arguments.hpp"
#include "io/checkpoint_file.hpp"
#include "io/checksum.hpp"
#include "io/read_hdf5.hpp"
#include "weft/layout.hpp"

namespace weft {
namespace io {
namespace {

std::size_t place_of(const CheckpointFacts& facts, const LoadedField& wanted, const std::string& path) {
  const auto& fields = facts.contents.fields;
  const auto found = std::find_if(fields.begin(), fields.end(), [&](const auto& f) { return f.name == wanted.name; });
  if (found == fields.end()) {
    std::string names;
    for (const auto& field : fields) names += (names.empty() ? "it has " : ", ") + quoted(field.name);
    refuse_file("the checkpoint " + quoted(path) + " has no field " + quoted(wanted.name) + "; " +
                (names.empty() ? "it has none" : names));
  }
  check_shape(path, wanted.name, found->extents, wanted.extents);
  if (found->element != wanted.element) {
    refuse_file("dataset " + quoted(wanted.name) + " of " + quoted(path) + " is " + to_string(found->element) +
                ", expected is " + to_string(wanted.element) +
                "; give an array of that type, checkpoints are not converted");
  }
  return static_cast<std::size_t>(found - fields.begin());
}

void check_sums(const std::string& path, const CheckpointContents::Field& field, const Sums& stored,
                const Sums& found) {
  if (stored == found) return;
  refuse_file("the checkpoint " + quoted(path) + " is damaged: " + first_difference(stored, found, field.extents) +
              " of " + quoted(field.name) + " are not what was saved; take another one");
}

// Every rank reads an equal share, a piece at a time.
void verify_field(const Comm& comm, const SharedFile& file, const std::string& path,
                  const CheckpointContents::Field& field, const Sums& stored) {
  const Extents& extents = field.extents;
  const auto longest = static_cast<int>(std::max_element(extents.begin(), extents.end()) - extents.begin());
  Box share;
  Sums found;
  comm.together([&] {
    share = Layout(extents, ProcessGrid({comm.size()}), {longest}).box(comm.rank());
    found = no_sums(extents);
  });
  file.read_pieces({field.name, extents, field.element}, share, [&](const Box& piece, const void* data) {
    add_to_sums(found, field.element, field.extents, piece, data);
  });
  add_over_ranks(comm, found);
  comm.together([&] { check_sums(path, field, stored, found); });
}

bool tiles(const Comm& comm, const LoadedField& field) {
  if (comm.sum(field.mine.size()) != field.extents.product()) return false;
  const std::vector<Box> boxes = gather_boxes(comm, field.mine);
  const bool overlaps = make_on_all_ranks(comm, [&] { return overlapping(field.mine, boxes, comm.rank()) >= 0; });
  return comm.max(overlaps ? index_t{1} : index_t{0}) == 0;
}

void load_field(const Comm& comm, const SharedFile& file, const std::string& path, const LoadedField& field,
                const CheckpointContents::Field& known, const Sums& stored) {
  const bool tiled = tiles(comm, field);
  if (!tiled) verify_field(comm, file, path, known, stored);
  file.read({field.name, field.extents, field.element}, field.mine, field.data);
  if (!tiled) return;
  Sums found;
  comm.together([&] {
    found = no_sums(field.extents);
    add_to_sums(found, field.element, field.extents, field.mine, field.data);
  });
  add_over_ranks(comm, found);
  comm.together([&] { check_sums(path, known, stored, found); });
}

}  // namespace

CheckpointFacts shared_facts(const Comm& comm, const std::string& path) {
  std::string bytes;
  comm.together([&] {
    if (comm.rank() == 0) {
      bytes = packed(inspect_checkpoint(path));
    } else {
      // Not all nodes share this disk.
      readable_size(path);
    }
  });
  bytes = comm.broadcast(bytes, 0);
  return make_on_all_ranks(comm, [&] { return unpacked(bytes); });
}

void check_wanted(const CheckpointFacts& facts, const std::vector<LoadedField>& fields, const std::string& path) {
  for (const LoadedField& field : fields) place_of(facts, field, path);
}

void load_fields(const Comm& comm, const CheckpointFacts& facts, const std::vector<LoadedField>& fields,
                 const std::string& path) {
  if (fields.empty()) return;
  const SharedFile file(comm, path);
  for (const LoadedField& field : fields) {
    const std::size_t place = make_on_all_ranks(comm, [&] { return place_of(facts, field, path); });
    load_field(comm, file, path, field, facts.contents.fields[place], facts.sums[place]);
  }
}

void verify_fields(const Comm& comm, const CheckpointFacts& facts, const std::string& path) {
  if (facts.sums.empty()) return;
  const SharedFile file(comm, path);
  for (std::size_t i = 0; i < facts.sums.size(); ++i)
    verify_field(comm, file, path, facts.contents.fields[i], facts.sums[i]);
}

}  // namespace io

CheckpointContents checkpoint_contents(const Comm& comm, const std::string& path) {
  io::require_same(comm, "the checkpoint", [&] { return io::quoted(path); });
  return std::move(io::shared_facts(comm, path).contents);
}

CheckpointContents load_checkpoint(const Comm& comm, const std::string& path, const std::vector<LoadedField>& fields) {
  io::require_same(comm, "the checkpoint and fields", [&] { return io::quoted(path) + io::text_of(fields); });
  comm.together([&] { io::check_checkpoint_fields(fields); });
  io::CheckpointFacts facts = io::shared_facts(comm, path);
  comm.together([&] { io::check_wanted(facts, fields, path); });
  io::load_fields(comm, facts, fields, path);
  return std::move(facts.contents);
}

CheckpointContents verify_checkpoint(const Comm& comm, const std::string& path) {
  io::require_same(comm, "the checkpoint", [&] { return io::quoted(path); });
  io::CheckpointFacts facts = io::shared_facts(comm, path);
  io::verify_fields(comm, facts, path);
  return std::move(facts.contents);
}

}  // namespace weft
