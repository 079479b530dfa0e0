// Lines of explain() within the width of a page.
#include "base/wrap.hpp"

#include <gtest/gtest.h>

#include <string>

#include "../error_text.hpp"

namespace weft {
namespace {

std::string words(int count) {
  std::string text;
  for (int i = 0; i < count; i++) text += (i == 0 ? "" : " ") + std::to_string(1000 + i);
  return text;
}

TEST(Wrap, LinesThatFitStayAsTheyAre) {
  for (const std::string& text : {std::string(), std::string("\n"), std::string("one\n\n  two"), words(20) + "\n"})
    EXPECT_EQ(wrapped(text), text);
  EXPECT_EQ(words(20).size() + 1, page_width);
}

TEST(Wrap, LongLinesGoOnFourColumnsFurtherOrBelowTheTextOfTheirLabel) {
  EXPECT_EQ(wrapped(words(21)), words(20) + "\n    1020");
  EXPECT_EQ(wrapped("  " + words(20)), "  " + words(19) + "\n      1019");
  EXPECT_EQ(wrapped("  pass      " + words(18)), "  pass      " + words(17) + "\n            1017");
  EXPECT_EQ(wrapped(words(21) + "\nshort\n"), words(20) + "\n    1020\nshort\n");
}

TEST(Wrap, BreaksAfterCommasAndSemicolonsButNotInsideOfIntervals) {
  EXPECT_EQ(wrapped(words(16) + "; " + words(8)), words(16) + ";\n    " + words(8));
  EXPECT_EQ(wrapped(words(15) + ", from [10, 20) to " + words(6)), words(15) + ",\n    from [10, 20) to " + words(6));
  EXPECT_EQ(wrapped(words(4) + "; " + words(20)), words(4) + "; " + words(16) + "\n    1016 1017 1018 1019");
}

TEST(Wrap, NoWordIsBroken) {
  const std::string path(120, 'x');
  EXPECT_EQ(wrapped(path), path);
  EXPECT_EQ(wrapped("as " + path + " says"), "as\n    " + path + "\n    says");
  EXPECT_EQ(wrapped("  note      " + path), "  note      " + path);
}

TEST(Wrap, AgainChangesNothing) {
  const std::string once = wrapped("  symbol    " + words(90) + "; " + words(70));
  EXPECT_EQ(wrapped(once), once);
  EXPECT_LE(testing::widest_line(once), page_width);
  EXPECT_EQ(testing::unwrapped(once), " symbol " + words(90) + "; " + words(70));
}

}  // namespace
}  // namespace weft
