// Texts that are read where memory runs short: whole or not at all.
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <new>
#include <string>

#include "base/toml_text.hpp"
#include "memory/allocations.hpp"
#include "weft/error.hpp"

namespace weft {
namespace {

enum class Outcome { whole, cut, refused };

Outcome outcome_of_reading(const std::string& path, const std::string& text, std::ptrdiff_t others) {
  try {
    testing::fail_allocation_after(others);
    const std::string found = toml_text::file_text("tuning", path, "make it again");
    return found == text ? Outcome::whole : Outcome::cut;
  } catch (const std::bad_alloc&) {
    return Outcome::refused;
  } catch (const Error&) {
    return Outcome::refused;
  }
}

TEST(TextMemory, AFileIsReadWholeOrNotAtAll) {
  const std::string path = std::filesystem::temp_directory_path() / ("weft-text-" + std::to_string(getpid()));
  const std::string text(100000, 'x');
  std::ofstream(path) << text;
  int refused = 0;
  for (std::ptrdiff_t others = 0;; others++) {
    const Outcome outcome = outcome_of_reading(path, text, others);
    const bool all_succeeded = testing::fail_allocation_after(-1);
    EXPECT_NE(outcome, Outcome::cut) << "allocation " << others << " failed";
    if (all_succeeded) break;
    refused += outcome == Outcome::refused ? 1 : 0;
  }
  std::filesystem::remove(path);
  EXPECT_GE(refused, 2) << "the text grows several times";
}

}  // namespace
}  // namespace weft
