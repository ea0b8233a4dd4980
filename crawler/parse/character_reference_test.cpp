#include "crawler/parse/character_reference.hpp"

#include <gtest/gtest.h>

namespace heddle::crawler {
namespace {

std::string html(std::string_view value) { return resolve_references(value, Syntax::html); }
std::string xml(std::string_view value) { return resolve_references(value, Syntax::xml); }

// HTML standard, section 13.2.5.73: the longest name counts.
TEST(CharacterReference, NamesAreResolved) {
  EXPECT_EQ("?a=1&b=2", html("?a=1&amp;b=2"));
  EXPECT_EQ("<>\"'", html("&lt;&gt;&quot;&apos;"));
  EXPECT_EQ("\u2209", html("&notin;"));
  EXPECT_EQ("\u223E\u0333", html("&acE;"));
  EXPECT_EQ("\u2233", html("&CounterClockwiseContourIntegral;"));
  EXPECT_EQ("Á &nosuch; &;& &", html("&Aacute; &nosuch; &;& &"));
}

// The same section: "for historical reasons", names without semicolon stay before `=`, letters and digits.
TEST(CharacterReference, OldNamesWithoutSemicolonStayWhereAUrlMayMeanThem) {
  EXPECT_EQ("?x&copy=2", html("?x&copy=2"));
  EXPECT_EQ("?x&copy2", html("?x&copy2"));
  EXPECT_EQ("?x&notit;", html("?x&notit;"));
  EXPECT_EQ("?x&region=1", html("?x&region=1"));
  EXPECT_EQ("?x©", html("?x&copy"));
  EXPECT_EQ("?x©&y", html("?x&copy&y"));
  EXPECT_EQ("?x&/", html("?x&amp/"));
  EXPECT_EQ("?x&hellip", html("?x&hellip"));
  EXPECT_EQ("\u00AC-", html("&not-"));
}

// Sections 13.2.5.75 to 13.2.5.80.
TEST(CharacterReference, NumbersAreResolvedWithOrWithoutSemicolon) {
  EXPECT_EQ("/a/b", html("&#47;a&#x2F;b"));
  EXPECT_EQ("/a/=", html("&#47a&#X2f="));
  EXPECT_EQ("&#;&#x;&#xg&#", html("&#;&#x;&#xg&#"));
  EXPECT_EQ("\uFFFD\uFFFD\uFFFD\uFFFD", html("&#0;&#xD800;&#x110000;&#99999999999999999999;"));
  EXPECT_EQ("€\xC2\x81Ÿ", html("&#128;&#x81;&#x9f;"));
}

TEST(CharacterReference, XmlNeedsSemicolonsAndTakesNumbersAsTheyAre) {
  EXPECT_EQ("&a&amp b&#47 é\xC2\x80", xml("&amp;a&amp b&#47 &eacute;&#128;"));
  EXPECT_EQ("&#X41;A", xml("&#X41;&#x41;"));
}

}  // namespace
}  // namespace heddle::crawler
