#include "crawler/parse/robots.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>

namespace heddle::crawler {
namespace {

using namespace std::string_view_literals;
using ::testing::ElementsAre;

// Does a file with these rules for heddle allow the path?
bool allows(std::string_view rules, std::string_view path) {
  return Robots::parse("user-agent: heddle\n" + std::string(rules)).allows(path);
}

// RFC 9309, section 2.2.1.
TEST(Robots, TheGroupsOfHeddleCountMerged) {
  const Robots robots = Robots::parse(
      "User-Agent: *\nDisallow: /\n\nuser-agent: HEDDLE/1.0\ndisallow: /a\n\nUser-agent: other\nDisallow: /b\n"
      "User-agent: other2\nUser-agent: heddle\nDisallow: /c\n");
  EXPECT_FALSE(robots.allows("/a"));
  EXPECT_TRUE(robots.allows("/b"));
  EXPECT_FALSE(robots.allows("/c"));
  EXPECT_TRUE(robots.allows("/d"));
}

TEST(Robots, WithoutAGroupOfItsOwnThoseOfEveryoneCount) {
  const Robots robots = Robots::parse(
      "User-agent: heddlebot\nDisallow: /a\nUser-agent: *\nDisallow: /b\nUser-agent: x\nUser-agent: *\nDisallow: /c");
  EXPECT_TRUE(robots.allows("/a"));
  EXPECT_FALSE(robots.allows("/b"));
  EXPECT_FALSE(robots.allows("/c"));
}

TEST(Robots, AGroupWithoutRulesAllowsEverything) {
  EXPECT_TRUE(Robots::parse("User-agent: *\nDisallow: /\nUser-agent: heddle\nDisallow:\n").allows("/a"));
  EXPECT_TRUE(Robots::parse("User-agent: *\nDisallow: /\nUser-agent: heddle\n").allows("/a"));
  EXPECT_TRUE(Robots::parse("").allows("/a"));
  EXPECT_TRUE(Robots().allows("/a"));
  EXPECT_TRUE(Robots::parse("Disallow: /\nUser-agent: heddle").allows("/a"));
}

// Section 2.2.4: other records do not interfere.
TEST(Robots, OtherLinesPartNoGroups) {
  EXPECT_FALSE(Robots::parse("User-agent: heddle\nCrawl-delay: 5\nSitemap: x\nUser-agent: y\nnonsense\nDisallow: /")
                   .allows("/a"));
  EXPECT_TRUE(Robots::parse("User-agent: heddle\nAllow: /b\nUser-agent: y\nDisallow: /").allows("/a"));
}

// Section 2.2.2.
TEST(Robots, TheLongestMatchDecidesAndAllowOfEqualOnes) {
  EXPECT_TRUE(allows("Disallow: /a\nAllow: /a/b\n", "/a/b/c"));
  EXPECT_FALSE(allows("Disallow: /a\nAllow: /a/b\n", "/a/c"));
  EXPECT_FALSE(allows("Allow: /a\nDisallow: /a/b\n", "/a/b"));
  EXPECT_TRUE(allows("Disallow: /a\nAllow: /a\n", "/a"));
  EXPECT_TRUE(allows("Allow: /p\nDisallow: /\n", "/page"));
  EXPECT_TRUE(allows("Allow: /$\nDisallow: /\n", "/"));
  EXPECT_FALSE(allows("Allow: /$\nDisallow: /\n", "/page.htm"));
  EXPECT_TRUE(allows("Allow: /page\nDisallow: /*.ph\n", "/page.php5"));
  EXPECT_FALSE(allows("Allow: /page\nDisallow: /*.htm\n", "/page.htm"));
}

TEST(Robots, PathsAreCaseSensitiveAndIncludeTheQuery) {
  EXPECT_TRUE(allows("Disallow: /A", "/a"));
  EXPECT_FALSE(allows("Disallow: /a?x", "/a?x=1"));
  EXPECT_TRUE(allows("Disallow: /a?x", "/a?y&x"));
  EXPECT_TRUE(allows("Disallow: /", "/robots.txt"));
  EXPECT_FALSE(allows("Disallow: /", "/robots.txt/x"));
}

// Section 2.2.3.
TEST(Robots, StarsAndDollarsAreSpecial) {
  EXPECT_FALSE(allows("Disallow: /*/c", "/a/b/c"));
  EXPECT_FALSE(allows("Disallow: *.pdf$", "/a.pdf"));
  EXPECT_TRUE(allows("Disallow: *.pdf$", "/a.pdf?x"));
  EXPECT_FALSE(allows("Disallow: /*.pdf$", "/a.pdf.pdf"));
  EXPECT_FALSE(allows("Disallow: /**a*$", "/xay"));
  EXPECT_TRUE(allows("Disallow: /a$", "/ab"));
  EXPECT_FALSE(allows("Disallow: /a$b", "/a$bc"));
  EXPECT_TRUE(allows("Disallow: /*aa*aa$", "/aaa"));
  EXPECT_FALSE(allows("Disallow: /*aa*aa$", "/aaaa"));
  EXPECT_TRUE(allows("Disallow: a", "/a"));
  EXPECT_FALSE(allows("Disallow: *", "/a"));
  EXPECT_FALSE(allows("Disallow: /%2A", "/*x"));
  EXPECT_TRUE(allows("Disallow: /%2A", "/ax"));
  EXPECT_FALSE(allows("Disallow: /a%24", "/a$b"));
}

// Section 2.2.2, the table of percent-encodings.
TEST(Robots, EncodedAndPlainOctetsAreTheSame) {
  EXPECT_FALSE(allows("Disallow: /foo/bar?baz=https://foo.bar", "/foo/bar?baz=https%3A%2F%2Ffoo.bar"));
  EXPECT_FALSE(allows("Disallow: /foo/bar?baz=https%3A%2F%2Ffoo.bar", "/foo/bar?baz=https://foo.bar"));
  EXPECT_FALSE(allows("Disallow: /foo/bar/ツ", "/foo/bar/%E3%83%84"));
  EXPECT_FALSE(allows("Disallow: /foo/bar/%e3%83%84", "/foo/bar/%E3%83%84"));
  EXPECT_FALSE(allows("Disallow: /foo/bar/%62%61%7A", "/foo/bar/baz"));
  EXPECT_FALSE(allows("Disallow: /foo/bar/baz", "/foo/bar/%62%61%7A"));
  EXPECT_FALSE(allows("Disallow: /*://", "/?u=http://x"));
  EXPECT_FALSE(allows("Disallow: /a%b", "/a%b"));
}

TEST(Robots, EncodedSeparatorsOfThePathAreOthers) {
  EXPECT_FALSE(allows("Disallow: /*%2Fb", "/a?to=%2Fb"));
  EXPECT_TRUE(allows("Disallow: /*/b", "/a?to=%2Fb"));
  EXPECT_FALSE(allows("Disallow: /*/b", "/a?to=/b"));
  EXPECT_TRUE(allows("Disallow: /a%2Fb", "/a/b"));
  EXPECT_TRUE(allows("Disallow: /a/b", "/a%2Fb"));
  EXPECT_FALSE(allows("Disallow: /a%2fb", "/a%2Fb"));
  EXPECT_TRUE(allows("Disallow: /a?b", "/a%3Fb"));
  EXPECT_TRUE(allows("Disallow: /a%62", "/a%2562"));
}

TEST(Robots, LinesEndInAnyWayAndHaveCommentsAndSpaces) {
  EXPECT_FALSE(
      Robots::parse("\xEF\xBB\xBFUser-agent: heddle\rDisallow: /a\r\n\r\nDisallow:\t/b # x\n # y\nDISALLOW :/c")
          .allows("/a"));
  const Robots robots = Robots::parse("#\xFF\nUser-agent : heddle # z\r\r\n Disallow : /b#\n\0x\nDisallow: /c"sv);
  EXPECT_FALSE(robots.allows("/b"));
  EXPECT_FALSE(robots.allows("/c"));
}

TEST(Robots, SitemapsAreNamedAnywhere) {
  const Robots robots =
      Robots::parse("Sitemap: https://h/a.xml\nUser-agent: x\nSITEMAP:/b.xml # c\nsitemap:\nDisallow: /\n");
  EXPECT_THAT(robots.sitemaps(), ElementsAre("https://h/a.xml", "/b.xml"));
}

// Section 2.5. A line that the limit cuts is not read: half of it may forbid what the whole allows.
TEST(Robots, FiveHundredKibibytesAreRead) {
  const std::string head = "User-agent: heddle\n";
  const std::string rule = "Disallow: /last";
  const std::string filler(Robots::kMostBytes - head.size() - rule.size() - 2, '#');
  EXPECT_FALSE(Robots::parse(head + filler + "\n" + rule + "\nDisallow: /more\n").allows("/last"));
  EXPECT_TRUE(Robots::parse(head + filler + "\n" + rule + "\nDisallow: /more\n").allows("/more"));
  EXPECT_TRUE(Robots::parse(head + filler + "####\n" + rule + "-but-not-this\n").allows("/last"));
}

// A pattern of a thousand stars that nearly matches takes a backtracking matcher for ever.
TEST(Robots, HostilePatternsTakeLinearTime) {
  std::string stars = "/";
  for (int i = 0; i < 10'000; ++i) stars += "*a";
  std::string runs;
  for (int i = 0; i < 200; ++i) runs += "Disallow: /*" + std::string(1000, 'a') + "b" + std::string(1000, 'a') + "\n";
  const Robots robots = Robots::parse("User-agent: heddle\nDisallow: " + stars + "*b$\n" + runs);
  const std::string path = "/" + std::string(8000, 'a');
  const auto start = std::chrono::steady_clock::now();
  for (int i = 0; i < 10; ++i) EXPECT_TRUE(robots.allows(path));
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(1));
}

}  // namespace
}  // namespace heddle::crawler
