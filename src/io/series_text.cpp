// A text that was read is written again and compared, because a damaged line would remain in the file for ever.
#include "io/series_text.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <utility>

#include "base/utf8.hpp"
#include "io/xdmf.hpp"

namespace weft::io {
namespace {

const std::string collection = "  <Grid Name=\"weft\" GridType=\"Collection\" CollectionType=\"Temporal\">\n",
                  grid_end = "  </Grid>\n";

std::string begin_text() { return xdmf_begin + collection; }
std::string end_text() { return grid_end + xdmf_end; }

// The text between two marks from `at` on; `at` moves past it. Nothing if a mark is missing.
std::optional<std::string> between(const std::string& text, std::size_t& at, const std::string& begin,
                                   const std::string& end) {
  const std::size_t mark = text.find(begin, at);
  if (mark == std::string::npos) return {};
  const std::size_t first = mark + begin.size(), last = text.find(end, first);
  if (last == std::string::npos) return {};
  at = last;
  return text.substr(first, last - first);
}

// Replaces the escapes of XML by the characters.
std::string unescaped(std::string text) {
  for (const auto& [name, letter] : {std::pair{"&lt;", "<"}, {"&gt;", ">"}, {"&quot;", "\""}, {"&amp;", "&"}}) {
    const std::string escape = name;
    for (std::size_t at = text.find(escape); at != std::string::npos; at = text.find(escape, at + 1))
      text.replace(at, escape.size(), letter);
  }
  return text;
}

std::optional<double> number_in(const std::string& text) {
  double value = 0;
  const auto parsed = std::from_chars(text.data(), text.data() + text.size(), value);
  if (parsed.ec != std::errc() || !std::isfinite(value)) return {};
  return value;
}

// Whether XML allows the text.
bool is_plain_text(const std::string& text) {
  const auto is_control = [](char c) { return static_cast<unsigned char>(c) < ' ' && c != '\n'; };
  return is_utf8(text) && std::none_of(text.begin(), text.end(), is_control);
}

// The step of a grid, if it is one of this number.
std::optional<SeriesStep> step_of(const std::string& grid, std::size_t number, const UniformMesh& mesh) {
  if (!is_plain_text(grid)) return {};
  std::size_t at = 0;
  const auto time_text = between(grid, at, "<Time Value=\"", "\"");
  const auto time = time_text ? number_in(*time_text) : std::nullopt;
  if (!time) return {};
  std::vector<std::string> fields;
  std::string file;
  while (const auto name = between(grid, at, "<Attribute Name=\"", "\"")) {
    fields.push_back(unescaped(*name));
    const auto place = between(grid, at, "Format=\"HDF\">", ":/view/");
    if (!place) return {};
    file = unescaped(*place);
  }
  if (series_grid(number, *time, file, mesh, fields) != grid) return {};
  return SeriesStep{*time, grid};
}

}  // namespace

std::string series_text(const std::vector<std::string>& grids) {
  std::string text = begin_text();
  for (const std::string& grid : grids) text += grid;
  return text + end_text();
}

std::string series_grid(std::size_t number, double time, const std::string& hdf5_path, const UniformMesh& mesh,
                        const std::vector<std::string>& fields) {
  return xdmf_grid("step " + std::to_string(number), shortest(time), hdf5_path, mesh, fields);
}

std::optional<std::vector<SeriesStep>> read_series(const std::string& text, const UniformMesh& mesh) {
  const std::string begin = begin_text(), end = end_text();
  if (text.size() < begin.size() + end.size() || !text.starts_with(begin) || !text.ends_with(end)) return {};
  std::vector<SeriesStep> steps;
  const std::size_t last = text.size() - end.size();
  for (std::size_t at = begin.size(); at < last;) {
    const std::size_t after = text.find(grid_end, at) + grid_end.size();
    if (after > last) return {};
    auto step = step_of(text.substr(at, after - at), steps.size(), mesh);
    if (!step || (!steps.empty() && step->time <= steps.back().time)) return {};
    steps.push_back(std::move(*step));
    at = after;
  }
  return steps;
}

}  // namespace weft::io
