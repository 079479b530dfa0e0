// The limit on messages and its environment variable.
#include "exchange/message_limit.hpp"

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <cstring>
#include <string>

#include "weft/error.hpp"

namespace weft {

index_t message_limit(index_t asked) {
  const char* text = std::getenv("WEFT_MESSAGE_LIMIT");
  if (text == nullptr) return asked;
  index_t limit = 0;
  const char* end = text + std::strlen(text);
  const auto [stop, error] = std::from_chars(text, end, limit);
  require(error == std::errc() && stop == end && limit >= 1 && limit < (index_t{1} << 31),
          "WEFT_MESSAGE_LIMIT: '" + std::string(text) + "' is not allowed; give a whole number from 1 to 2147483647");
  return std::min(asked, limit);
}

}  // namespace weft
