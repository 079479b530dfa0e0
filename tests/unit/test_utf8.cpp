// What is UTF-8 by RFC 3629, and how names that are not are told.
#include <gtest/gtest.h>

#include <string>

#include "base/utf8.hpp"

namespace weft {
namespace {

TEST(Utf8, CharactersOfEveryLength) {
  for (const char* text : {"", "caf\xc3\xa9", "\xe2\x82\xac", "\xf0\x9f\x98\x80", "\xed\x9f\xbf", "\xee\x80\x80"})
    EXPECT_TRUE(is_utf8(text)) << text;
  EXPECT_EQ(utf8_character("\xf4\x8f\xbf\xbf"), 4U);  // U+10FFFF, the last one
  EXPECT_EQ(utf8_character("a\xc3\xa9"), 1U);
}

TEST(Utf8, WhatIsNone) {
  const char* wrong[] = {"\xe9",                   // Latin-1
                         "\xc3",                   // cut off
                         "\xa9",                   // begins in the middle
                         "\xc0\xaf",               // overlong
                         "\xe0\x9f\xbf",           // overlong
                         "\xed\xa0\x80",           // half of a surrogate pair
                         "\xf4\x90\x80\x80",       // above the last one
                         "\xf8\x88\x80\x80\x80"};  // five bytes
  for (const char* text : wrong) EXPECT_EQ(utf8_character(text), 0U) << text;
}

TEST(Utf8, OtherBytesArePrintedByNumber) {
  EXPECT_EQ(printable("caf\xe9.toml"), "caf\\xe9.toml");
  EXPECT_EQ(printable("caf\xc3\xa9.toml"), "caf\xc3\xa9.toml");
  EXPECT_EQ(printable("\xff\xc3"), "\\xff\\xc3");
  EXPECT_TRUE(is_utf8(printable("a\xe9\xc3\xa9")));
}

}  // namespace
}  // namespace weft
