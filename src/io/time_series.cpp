// Time series. The XDMF file is the list of the steps; a resumed run reads it back.
#include "weft/time_series.hpp"

#include <cmath>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "base/plain_text.hpp"
#include "io/agree.hpp"
#include "io/hdf5_output.hpp"
#include "io/output.hpp"
#include "io/series_text.hpp"
#include "io/shared_folder.hpp"
#include "io/xdmf.hpp"

namespace weft {
namespace {

const std::string list_suffix = ".xdmf";

std::string text_of(const std::string& path, const UniformMesh& mesh, const TimeSeriesOptions& options) {
  std::string text = io::quoted(path) + ", " + to_string(mesh.points) + " points";
  for (const auto* list : {&mesh.first, &mesh.spacing})
    for (const double value : *list) text += " " + io::shortest(value);
  text += ", compression " + std::to_string(options.compression);
  return text + (options.resume ? ", resume " + io::shortest(*options.resume) : "");
}

void check_path(const std::string& path) {
  require_plain("path", path);
  if (path.size() <= list_suffix.size() || !path.ends_with(list_suffix))
    io::refuse_file("the time series " + io::quoted(path) + " has no name that ends in .xdmf; give it one");
  io::check_file_name(path);
}

std::string content_of(const std::string& path) {
  io::readable_size(path);
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

std::vector<std::vector<double>> coordinates_of(const UniformMesh& mesh) {
  std::vector<std::vector<double>> coordinates;
  for (int axis = 0; axis < mesh.points.dims(); ++axis) {
    const auto a = static_cast<std::size_t>(axis);
    std::vector<double>& values = coordinates.emplace_back();
    for (index_t i = 0; i < mesh.points[axis]; ++i)
      values.push_back(mesh.first[a] + static_cast<double>(i) * mesh.spacing[a]);
  }
  return coordinates;
}

}  // namespace

TimeSeries::TimeSeries(const Comm& comm, const std::string& path, const UniformMesh& mesh,
                       const TimeSeriesOptions& options)
    : comm_(comm), compression_(options.compression) {
  io::require_same(comm, "the time series", [&] { return text_of(path, mesh, options); });
  comm.together([&] {
    check_path(path);
    io::check_mesh(mesh);
    io::check_compression(options.compression);
    require(!options.resume || std::isfinite(*options.resume), "resume: give a finite time");
    path_ = path;
    mesh_ = mesh;
    if (comm.rank() == 0) io::check_replaceable(path);
  });
  io::require_shared_folder(comm, io::folder_of(path));
  if (options.resume) take_up(*options.resume);
  if (!steps_.empty()) {
    describe(steps_);
    return;
  }
  comm.together([&] {
    std::error_code failed;
    if (comm.rank() == 0) std::filesystem::remove(path, failed);
    if (failed) io::refuse_file("the old file " + io::quoted(path) + " cannot be removed: " + failed.message());
  });
}

void TimeSeries::take_up(double before) {
  std::string bytes;
  comm_.together([&] {
    if (comm_.rank() != 0) return;
    std::error_code unknown;
    const bool there = std::filesystem::exists(path_, unknown);
    if (unknown) io::refuse_file("the time series " + io::quoted(path_) + " cannot be read: " + unknown.message());
    if (!there) return;
    const auto found = io::read_series(content_of(path_), mesh_);
    if (!found) {
      io::refuse_file("the time series " + io::quoted(path_) +
                      " is damaged or was not written by weft for this mesh; resume another one, or begin anew");
    }
    for (const io::SeriesStep& step : *found)
      if (step.time < before) steps_.push_back({step.time, step.grid});
    bytes.resize(steps_.size() * sizeof(double));
    for (std::size_t i = 0; i < steps_.size(); ++i)
      std::memcpy(bytes.data() + i * sizeof(double), &steps_[i].time, sizeof(double));
  });
  bytes = comm_.broadcast(bytes, 0);
  comm_.together([&] {
    steps_.resize(bytes.size() / sizeof(double));
    for (std::size_t i = 0; i < steps_.size(); ++i)
      std::memcpy(&steps_[i].time, bytes.data() + i * sizeof(double), sizeof(double));
  });
}

void TimeSeries::describe(const std::vector<Step>& steps) const {
  const std::string text = io::make_on_all_ranks(comm_, [&] {
    std::vector<std::string> grids;
    grids.reserve(steps.size());
    for (const Step& step : steps) grids.push_back(step.grid);
    return io::series_text(grids);
  });
  io::write_text_whole(comm_, path_, text);
}

std::string TimeSeries::hdf5_path(std::size_t step) const {
  const std::string number = std::to_string(step);
  const std::string zeros(number.size() < 6 ? 6 - number.size() : 0, '0');
  return path_.substr(0, path_.size() - list_suffix.size()) + "-" + zeros + number + ".h5";
}

template <class Real>
void TimeSeries::append(double time, const Box& mine, const std::vector<NamedBlock<Real>>& fields) {
  io::require_same(comm_, "the time", [&] { return io::shortest(time); });
  std::string data;
  FileNotes notes;
  std::vector<Step> steps;
  comm_.together([&] {
    require(std::isfinite(time) && (steps_.empty() || time > steps_.back().time),
            "the time " + io::shortest(time) + " is not finite or not after " +
                (steps_.empty() ? "the past" : io::shortest(steps_.back().time)) + "; give times that grow");
    data = hdf5_path(steps_.size());
    notes.coordinates = coordinates_of(mesh_);
    notes.attributes = {{"time", time}};
    notes.compression = compression_;
    std::vector<std::string> names;
    names.reserve(fields.size());
    for (const auto& field : fields) names.push_back(field.name);
    steps = steps_;
    steps.push_back({time, io::series_grid(steps.size(), time, data, mesh_, names)});
  });
  write_hdf5(comm_, data, mesh_.points, mine, fields, notes);
  describe(steps);
  steps_ = std::move(steps);
}

std::vector<double> TimeSeries::times() const {
  std::vector<double> times;
  times.reserve(steps_.size());
  for (const Step& step : steps_) times.push_back(step.time);
  return times;
}

template void TimeSeries::append<float>(double, const Box&, const std::vector<NamedBlock<float>>&);
template void TimeSeries::append<double>(double, const Box&, const std::vector<NamedBlock<double>>&);

}  // namespace weft
