// Breaks long lines and indents the rest of them.
#include "base/wrap.hpp"

#include <algorithm>

namespace weft {

namespace {

// The column of the first word, or of the text after a label.
std::size_t text_column(const std::string& line) {
  const std::size_t begin = std::min(line.find_first_not_of(' '), line.size());
  const std::size_t label_end = line.find(' ', begin);
  const bool has_label = begin > 0 && label_end < line.size() && line[label_end + 1] == ' ';
  return has_label ? std::min(line.find_first_not_of(' ', label_end), page_width / 2) : begin;
}

// True where a break would tear an interval such as "[0, 4)".
bool is_in_interval(const std::string& line, std::size_t place) {
  const std::size_t open = line.rfind('[', place);
  return open != std::string::npos && line.find(')', open) > place;
}

// The last space in the page, or the last one after a comma or semicolon if it is in the right third. Nothing before
// `column` is torn. npos where no space is left.
std::size_t break_of(const std::string& line, std::size_t column) {
  const std::size_t last = line.rfind(' ', page_width);
  if (last == std::string::npos || last < column) return line.find(' ', std::max(page_width, column));
  for (std::size_t place = last; place > 2 * page_width / 3; place = line.rfind(' ', place - 1)) {
    const char before = line[place - 1];
    if (before == ';' || (before == ',' && !is_in_interval(line, place))) return place;
  }
  return last;
}

std::string wrapped_line(std::string line) {
  std::size_t column = text_column(line);
  const std::size_t first = line.find_first_not_of(' ');
  const std::string indent(column > first ? column : column + 4, ' ');
  std::string text;
  while (line.size() > page_width) {
    const std::size_t place = break_of(line, column);
    if (place == std::string::npos) break;
    text.append(line, 0, place) += '\n';
    line.replace(0, place + 1, indent);
    column = indent.size();
  }
  return text + line;
}

}  // namespace

std::string wrapped(const std::string& text) {
  std::string result;
  std::size_t begin = 0;
  for (std::size_t end = text.find('\n'); end != std::string::npos; begin = end + 1, end = text.find('\n', begin))
    result += wrapped_line(text.substr(begin, end - begin)) + "\n";
  return result + wrapped_line(text.substr(begin));
}

}  // namespace weft
