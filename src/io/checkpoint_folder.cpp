// The folder of a run's checkpoints: lists them, removes old ones, and finds the last complete one.
#include <algorithm>
#include <charconv>
#include <cstring>
#include <filesystem>
#include <functional>

#include "base/plain_text.hpp"
#include "io/agree.hpp"
#include "io/checkpoint_arguments.hpp"
#include "io/checkpoint_file.hpp"
#include "io/hdf5_output.hpp"
#include "io/hdf5_tools.hpp"
#include "io/output.hpp"
#include "io/shared_folder.hpp"

namespace weft {
namespace {

namespace files = std::filesystem;

const std::string prefix = "checkpoint-", suffix = ".h5", unfinished = suffix + io::part_suffix;
constexpr std::size_t digits = 6;

std::string name_of(index_t step) {
  const std::string number = std::to_string(step);
  return prefix + std::string(digits - std::min(digits, number.size()), '0') + number + suffix;
}

bool ends_with(const std::string& name, const std::string& end) {
  return name.size() > prefix.size() + end.size() && name.rfind(prefix, 0) == 0 &&
         name.compare(name.size() - end.size(), end.size(), end) == 0;
}

// The step of a file name; -1 for any other name.
index_t step_of(const std::string& name) {
  if (!ends_with(name, suffix)) return -1;
  index_t step = -1;
  std::from_chars(name.data() + prefix.size(), name.data() + name.size(), step);
  return step >= 0 && name_of(step) == name ? step : -1;
}

[[noreturn]] void refuse_folder(const std::string& folder, const std::string& reason) {
  io::refuse_file("the checkpoint folder " + io::quoted(folder) + ": " + reason + "; give a folder that can be used");
}

// Calls visit(entry) for every entry of a folder. A folder that does not exist has no entries.
void for_each_entry(const std::string& folder, const std::function<void(const files::path&)>& visit) {
  std::error_code failed;
  files::directory_iterator entry(folder, failed);
  if (failed == std::errc::no_such_file_or_directory) return;
  for (; !failed && entry != files::directory_iterator(); entry.increment(failed)) visit(entry->path());
  if (failed) refuse_folder(folder, failed.message());
}

void remove_file(const files::path& file) {
  std::error_code failed;
  files::remove(file, failed);
  if (failed) io::refuse_file("the old file " + io::quoted(file.string()) + " cannot be removed: " + failed.message());
}

std::vector<index_t> steps_in(const std::string& folder) {
  std::vector<index_t> steps;
  for_each_entry(folder, [&](const files::path& file) {
    const index_t step = step_of(file.filename().string());
    if (step >= 0) steps.push_back(step);
  });
  std::sort(steps.begin(), steps.end());
  return steps;
}

// The folder, or the nearest one above it that exists.
std::string existing_part(const std::string& folder) {
  std::error_code ignored;
  files::path part = files::path(folder);
  if (!part.has_filename()) part = part.parent_path();
  while (part.has_relative_path() && !files::is_directory(part, ignored)) part = part.parent_path();
  return part.empty() ? "." : part.string();
}

// A killed run leaves its unfinished file.
void make_ready(const std::string& folder) {
  std::error_code failed;
  if (files::create_directories(folder, failed)) io::flush_folder(io::folder_of(folder));
  if (failed) refuse_folder(folder, "it cannot be made: " + failed.message());
  std::vector<files::path> remains;
  for_each_entry(folder, [&](const files::path& file) {
    if (ends_with(file.filename().string(), unfinished)) remains.push_back(file);
  });
  for (const files::path& file : remains) remove_file(file);
}

void remove_old(const std::string& folder, index_t step, int keep) {
  std::vector<index_t> steps = steps_in(folder);
  steps.erase(std::upper_bound(steps.begin(), steps.end(), step), steps.end());
  // A write-protected checkpoint stays, even if there are more than the given number.
  std::erase_if(steps, [&](index_t old) { return io::is_protected(files::path(folder) / name_of(old)); });
  for (std::size_t i = 0; i + static_cast<std::size_t>(keep) < steps.size(); ++i)
    remove_file(files::path(folder) / name_of(steps[i]));
}

std::string all_of(const std::vector<std::string>& texts) {
  std::string all;
  for (const std::string& text : texts) all += (all.empty() ? "" : " | ") + text;
  return all;
}

using Use = std::function<void(const io::CheckpointFacts& facts, const std::string& path)>;

// The last checkpoint that `take` accepts. An Error(Fault::file) of `take` leads on to the one before; an error of
// `check` ends the search.
std::optional<FoundCheckpoint> last_of(const Comm& comm, const CheckpointFolder& folder, const Use& check,
                                       const Use& take) {
  const std::vector<index_t> steps = folder.steps();
  std::vector<std::string> skipped;
  for (auto step = steps.rbegin(); step != steps.rend(); ++step) {
    std::string path = io::make_on_all_ranks(comm, [&] { return folder.path(*step); });
    std::optional<io::CheckpointFacts> facts;
    // Errors are the same on every rank, so all ranks take the same path through this loop.
    const auto whole = [&](const auto& work) {
      std::optional<Error> failed;
      try {
        work();
      } catch (const Error& error) {
        if (error.fault() != Fault::file) throw;
        failed = error;
      }
      if (failed) comm.together([&] { skipped.emplace_back(failed->what()); });
      return !failed;
    };
    // A file that is only marked as open for writing may be the best one, so the user decides whether to go back
    // further.
    comm.together([&] {
      if (comm.rank() == 0) io::refuse_open_for_writing(path);
    });
    if (!whole([&] { facts = io::shared_facts(comm, path); })) continue;
    check(*facts, path);
    if (whole([&] { take(*facts, path); }))
      return FoundCheckpoint{*step, std::move(path), std::move(facts->contents), std::move(skipped)};
  }
  comm.together([&] {
    if (steps.empty()) return;
    io::refuse_file("no checkpoint of the folder is whole: " + all_of(skipped) +
                    "; give another folder, or remove them to begin anew");
  });
  return std::nullopt;
}

const auto nothing = [](const io::CheckpointFacts&, const std::string&) {};

}  // namespace

CheckpointFolder::CheckpointFolder(const Comm& comm, const std::string& folder, int keep, int compression)
    : comm_(comm), keep_(keep), compression_(compression) {
  io::require_same(comm, "the checkpoint folder, keep and compression", [&] {
    return io::quoted(folder) + ", " + std::to_string(keep) + ", " + std::to_string(compression);
  });
  comm.together([&] {
    require_plain("folder", folder);
    require(!folder.empty(), "the checkpoint folder has no name; give one, \".\" for the current folder");
    require(keep >= 1,
            "keep: " + std::to_string(keep) + " is not allowed; give the number of checkpoints to keep, 1 or more");
    io::check_compression(compression);
    folder_ = folder;
  });
}

std::string CheckpointFolder::path(index_t step) const {
  return folder_ + (folder_.back() == '/' ? "" : "/") + name_of(step);
}

std::string CheckpointFolder::save(index_t step, const std::vector<SavedField>& fields, const Values& values) const {
  Values all;
  std::string file;
  comm_.together([&] {
    all = values;
    file = path(step);
    require(step >= 0, "step: " + std::to_string(step) + " is not allowed; give 0 or more");
    const auto [place, is_new] = all.emplace("step", step);
    require(is_new || place->second == Value(step),
            "the value \"step\" is not the step " + std::to_string(step) + "; omit it, since it is added");
  });
  io::require_same(comm_, "the checkpoint", [&] { return io::quoted(file); });
  // Checks the existing folder before it is created or cleared.
  std::string there;
  comm_.together([&] {
    if (comm_.rank() == 0) there = existing_part(folder_);
  });
  io::require_shared_folder(comm_, comm_.broadcast(there, 0));
  comm_.together([&] {
    if (comm_.rank() == 0) make_ready(folder_);
  });
  save_checkpoint(comm_, file, fields, all, compression_);
  comm_.together([&] {
    if (comm_.rank() == 0) remove_old(folder_, step, keep_);
  });
  return file;
}

std::vector<index_t> CheckpointFolder::steps() const {
  std::vector<index_t> steps;
  std::string bytes;
  comm_.together([&] {
    if (comm_.rank() != 0) return;
    steps = steps_in(folder_);
    bytes.assign(reinterpret_cast<const char*>(steps.data()), steps.size() * sizeof(index_t));
  });
  bytes = comm_.broadcast(bytes, 0);
  comm_.together([&] {
    steps.resize(bytes.size() / sizeof(index_t));
    std::copy_n(bytes.data(), bytes.size(), reinterpret_cast<char*>(steps.data()));
  });
  return steps;
}

std::optional<FoundCheckpoint> CheckpointFolder::newest() const { return last_of(comm_, *this, nothing, nothing); }

std::optional<FoundCheckpoint> CheckpointFolder::latest() const {
  return last_of(comm_, *this, nothing, [&](const io::CheckpointFacts& facts, const std::string& path) {
    io::verify_fields(comm_, facts, path);
  });
}

std::optional<FoundCheckpoint> CheckpointFolder::restore(const std::vector<LoadedField>& fields) const {
  io::require_same(comm_, "the fields", [&] { return io::text_of(fields); });
  comm_.together([&] { io::check_checkpoint_fields(fields); });
  const auto check = [&](const io::CheckpointFacts& facts, const std::string& path) {
    comm_.together([&] { io::check_wanted(facts, fields, path); });
  };
  return last_of(comm_, *this, check, [&](const io::CheckpointFacts& facts, const std::string& path) {
    io::load_fields(comm_, facts, fields, path);
  });
}

}  // namespace weft
