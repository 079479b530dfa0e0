// What the two halves of the preloaded library share: which call fails, and where it was made.
#pragma once

#include <atomic>
#include <cstddef>

#define WEFT_INJECT_EXPORT extern "C" __attribute__((visibility("default")))

namespace weft::inject {

/// Which of the calls that are counted fail: those from `first` on, `many` of them, on any thread.
class Trigger {
 public:
  void arm(long first, long many);
  /// Counts a call; whether it is one that fails.
  bool fails();
  /// How many have failed since arm(). Nothing fails any more.
  int disarm();
  long seen() const { return seen_; }
  bool armed() const { return armed_; }

 private:
  std::atomic<bool> armed_ = false;
  long first_ = 0, many_ = 0, seen_ = 0;
  int hits_ = 0;
};

/// Keeps the names of the functions that the caller was called from, for weft_inject_where().
void note_place();
/// Forgets them, and puts `text` in front of those to come.
void forget_place(const char* text);

}  // namespace weft::inject
