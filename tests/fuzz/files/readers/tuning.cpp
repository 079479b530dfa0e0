// Fuzzer of tuning files: what is read and written again reads as the same.
#include "plan/tune/tuning_file.hpp"
#include "reader.hpp"

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  weft::TuningFile file;
  const std::string text = weft::fuzz::text_of(data, size);
  if (!weft::fuzz::reads([&] { file = weft::parse_tuning(text, "fuzzed.toml"); })) return 0;
  const std::string written = weft::to_toml(file);
  weft::TuningFile again;
  // FFTW writes no apostrophes, and all its texts are printable; only such wisdom can be written.
  const std::string wisdom = file.wisdom_double + file.wisdom_float;
  for (const char c : wisdom)
    if (c == '\'' || (c < ' ' && c != '\n') || c > '~') return 0;
  weft::fuzz::check(weft::fuzz::reads([&] { again = weft::parse_tuning(written, "written.toml"); }),
                    "a file that was read and written cannot be read");
  weft::fuzz::check(again.plans.size() == file.plans.size() && weft::to_toml(again) == written,
                    "a file that was read and written says something else");
  return 0;
}
