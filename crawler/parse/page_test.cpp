// What of a page is a link, and to where.
#include "crawler/parse/page.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "crawler/parse/page_testing.hpp"

namespace heddle::crawler {
namespace {

using namespace std::string_view_literals;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

TEST(Page, FollowedElementsAreThoseOfTheContract) {
  EXPECT_THAT(links_of("<a href=a><area href=b><iframe src=c></iframe><frame src=d><link rel=next href=e>"
                       "<link rel='x PREV' href=f><link rel=alternate href=g><link rel=canonical href=h>"
                       "<meta http-equiv=Refresh content='5; url=i'>"),
              ElementsAre("follow https://host/dir/a", "follow https://host/dir/b", "follow https://host/dir/c",
                          "follow https://host/dir/d", "follow https://host/dir/e", "follow https://host/dir/f",
                          "follow https://host/dir/g", "follow https://host/dir/h", "follow https://host/dir/i"));
  EXPECT_THAT(links_of("<a src=a><iframe href=b></iframe><link rel=stylesheet href=c><link href=d><img src=e>"
                       "<form action=f><script src=g></script><q cite=h><button formaction=i><link rel=nextx href=j>"),
              IsEmpty());
}

TEST(Page, ResourcesAreReadWhenAskedFor) {
  EXPECT_THAT(
      resources_of("<img src=a srcset='b 2x, c'><script src=d></script><source src=e srcset=f><video src=g poster=h>"
                   "<audio src=i><track src=j><embed src=k><object data=l><input type=Image src=m><input src=x>"
                   "<link rel=icon href=n><image src=o><object src=y><img poster=z>"),
      ElementsAre("resource https://host/dir/a", "resource https://host/dir/b", "resource https://host/dir/c",
                  "resource https://host/dir/d", "resource https://host/dir/e", "resource https://host/dir/f",
                  "resource https://host/dir/g", "resource https://host/dir/h", "resource https://host/dir/i",
                  "resource https://host/dir/j", "resource https://host/dir/k", "resource https://host/dir/l",
                  "resource https://host/dir/m", "resource https://host/dir/n", "resource https://host/dir/o"));
}

TEST(Page, ResourcesOfStylesAreReadWhenAskedFor) {
  EXPECT_THAT(resources_of("<style>@import 'a'; b { background: url(b) }</style>"
                           "<p style='background:url(&quot;c&quot;)'>"
                           "<svg><style>x { fill: url(d) }<![CDATA[ y { fill: url(e) } ]]></style></svg>"
                           "<template><p style='background:url(x)'></template>"),
              ElementsAre("resource https://host/dir/a", "resource https://host/dir/b", "resource https://host/dir/c",
                          "resource https://host/dir/d", "resource https://host/dir/e"));
  EXPECT_THAT(resources_of("<style>url(a&amp;b)</style>"), ElementsAre("resource https://host/dir/a&amp;b"));
}

TEST(Page, ALinkOfSeveralRelsIsFollowedAndAResource) {
  EXPECT_THAT(
      resources_of("<link rel='alternate stylesheet' href=a><link rel=next href=b><link rel=stylesheet href=c>"),
      ElementsAre("follow resource https://host/dir/a", "follow https://host/dir/b", "resource https://host/dir/c"));
}

TEST(Page, EachTargetIsGivenOnce) {
  EXPECT_THAT(links_of("<a href=a#1><a href='a#2'><a href='./a'><a href='/dir/a'><a href='HTTPS://HOST:443/dir/b/../a'>"
                       "<a href=b>"),
              ElementsAre("follow https://host/dir/a", "follow https://host/dir/b"));
  EXPECT_THAT(links_of("<a href='a?x=1&amp;y'><a href='a?x=1&y'><a href='a&#35;f'>"),
              ElementsAre("follow https://host/dir/a?x=1&y", "follow https://host/dir/a"));
}

TEST(Page, NofollowIsKeptApart) {
  EXPECT_THAT(links_of("<a rel='x NoFollow' href=a><a href=b rel=nofollow><a href=b><area rel=nofollow href=c>"
                       "<link rel='next nofollow' href=d><a rel=nofollower href=e>"),
              ElementsAre("nofollow https://host/dir/a", "follow nofollow https://host/dir/b",
                          "nofollow https://host/dir/c", "nofollow https://host/dir/d", "follow https://host/dir/e"));
}

TEST(Page, MetaRobotsSpeaksForThePage) {
  EXPECT_TRUE(page_of("<meta name=ROBOTS content='noindex, NoFollow'>").nofollow);
  EXPECT_TRUE(page_of("<meta content=none name=heddle>").nofollow);
  EXPECT_TRUE(page_of("<meta name=robots content=all><body><meta name=robots content='nofollow'>").nofollow);
  EXPECT_FALSE(page_of("<meta name=robots content='noindex, follow'>").nofollow);
  EXPECT_FALSE(page_of("<meta name=otherbot content=nofollow>").nofollow);
  EXPECT_FALSE(page_of("<template><meta name=robots content=nofollow></template>").nofollow);
  EXPECT_FALSE(page_of("<!-- <meta name=robots content=nofollow> -->").nofollow);
}

// HTML standard, section 4.2.3.
TEST(Page, TheFirstBaseWithAnAddressCounts) {
  const auto target = [](std::string_view before, std::string_view after = "") {
    const auto links = links_of(std::string(before) + "<a href=x>" + std::string(after));
    return links.size() == 1 ? links[0].substr(std::string_view("follow ").size()) : "not one";
  };
  EXPECT_EQ("https://host/b/x", target("<base target=_top><base href='/b/'><base href='/c/'>"));
  EXPECT_EQ("https://host/b/x", target("", "<base href='/b/'>"));
  EXPECT_EQ("https://host/b/x", target("<base href='&#x2F;b&#47;'>"));
  EXPECT_EQ("https://host/dir/x", target("<base href='data:text/html,x'>"));
  EXPECT_EQ("https://host/dir/x", target("<base href='javascript:x'>"));
  EXPECT_EQ("https://host/dir/x", target("<base href='http://['><base href='/c/'>"));
  EXPECT_EQ("https://host/dir/x", target("<template><base href='/b/'></template><svg><base href='/c/'></svg>"));
  EXPECT_THAT(links_of("<base href='//other/d/?q'><a href=''><a href='#f'>"), ElementsAre("follow https://other/d/?q"));
}

TEST(Page, AnEmptyAddressIsThePageForLinksOnly) {
  EXPECT_THAT(links_of("<iframe src=''></iframe><frame src><link rel=next href=''>"), IsEmpty());
  EXPECT_THAT(links_of("<a href=''>"), ElementsAre("follow https://host/dir/page"));
}

TEST(Page, OtherSchemesAreCountedAndLeftOut) {
  const Page page = page_of(
      "<a href='mailto:a@b'><a href='mailto:a@b#x'><a href='javascript:x()'><a href='ftp://h/'>"
      "<a href='http://['><a href=x>");
  EXPECT_THAT(lines_of(page.links), ElementsAre("follow https://host/dir/x"));
  EXPECT_EQ(3u, page.other_schemes);
}

TEST(Page, TargetsThatNoServerReadsAreLeftOut) {
  const std::string most(Page::kMostUrlBytes - std::string_view("https://host/").size(), 'x');
  EXPECT_EQ(most, seen("<a href='/" + most + "'><a href='/y" + most + "'>"));
  EXPECT_EQ("0", seen("<base href='/y" + most + "/'><a href=0>"));
  EXPECT_EQ(0u, page_of("<a href='data:," + most + most + "'>").other_schemes);
}

TEST(Page, ALongBaseMultipliesNoMemory) {
  std::string body = "<base href='/" + std::string(8000, 'x') + "/'>";
  for (int i = 0; i < 20'000; ++i) body += "<a href=" + std::to_string(i) + ">";
  std::size_t bytes = 0;
  for (const Link& link : page_of(body).links) bytes += link.target.text().size();
  EXPECT_GT(bytes, Page::kMostBytes);
  EXPECT_LE(bytes, Page::kMostBytes + Page::kMostUrlBytes);
}

// Section 4.2.4.7: the first valid one counts.
TEST(Page, OnlyTheFirstValidRefreshCounts) {
  EXPECT_THAT(links_of("<meta http-equiv=refresh content='x'><meta http-equiv=refresh content='0;http://['>"
                       "<meta http-equiv=refresh content='0;a'><meta http-equiv=refresh content='0;b'>"),
              ElementsAre("follow https://host/dir/a"));
  EXPECT_THAT(links_of("<meta http-equiv=refresh content='5'><meta http-equiv=refresh content='0;b'>"), IsEmpty());
}

// Section 13.2.3.2, then section 13.2.3.4, "changing the encoding while parsing".
TEST(Page, CharsetsAreFoundInTheirOrder) {
  const auto path = [](std::string_view before, std::string_view type = "text/html", std::string_view after = "") {
    return seen(std::string(before) + "<a href='/\xE9'>" + std::string(after), type);
  };
  EXPECT_EQ("%C3%A9", path(""));
  EXPECT_EQ("%D0%B9", path("", "text/html; charset=windows-1251"));
  EXPECT_EQ("%EF%BF%BD", path("\xEF\xBB\xBF", "text/html; charset=windows-1251"));
  EXPECT_EQ("%D0%B9", path("<meta charset=utf-8>", "text/html; charset=windows-1251"));
  EXPECT_EQ("%D0%B9", path("<meta charset=windows-1251>", "text/html; charset=nosuch"));
  EXPECT_EQ("%D0%B9", path("<meta http-equiv=content-type content='text/html; charset=windows-1251'>"));
  EXPECT_EQ("%D0%B9", path("", "text/html", "<meta charset=windows-1251>"));
  EXPECT_EQ("%D0%B9", path("", "text/html", std::string(5000, ' ') + "<meta charset=windows-1251>"));
  EXPECT_EQ("%D0%B9", path("<meta charset=nosuch><meta charset=cp1251><meta charset=utf-8>"));
  EXPECT_EQ("%EF%BF%BD", path("<meta charset=utf-16>"));
  EXPECT_EQ("%C3%A9", path("<!-- <meta charset=utf-8> -->"));
}

TEST(Page, AMetaOfTheDocumentOutweighsOneThatOnlyThePrescanSees) {
  constexpr std::string_view kScript = "<script>'<meta charset=utf-8>'</script>";
  EXPECT_EQ("%D0%B9", seen(std::string(kScript) + "<meta charset=windows-1251><a href='/\xE9'>", "text/html"));
  EXPECT_EQ("%EF%BF%BD", seen(std::string(kScript) + "<a href='/\xE9'>", "text/html"));
}

TEST(Page, TheQueryIsInUtf8WhateverTheCharset) {
  EXPECT_THAT(links_of("<a href='?q=\xE9'>", "text/html; charset=iso-8859-1"),
              ElementsAre("follow https://host/dir/page?q=%C3%A9"));
  EXPECT_THAT(links_of("<a href='?q=\x93\xFA\x83\x5C'>", "text/html; charset=shift_jis"),
              ElementsAre("follow https://host/dir/page?q=%E6%97%A5%E3%82%BD"));
}

TEST(Page, Utf16PagesAreRead) {
  std::string wide = "\xFF\xFE";
  for (const char c : "<meta charset=windows-1251><a href='/\xE9'>"sv) wide += {c, '\0'};
  EXPECT_EQ("%C3%A9", seen(wide, "text/html; charset=utf-8"));
  EXPECT_EQ("%C3%A9", seen(std::string_view(wide).substr(2), "text/html; charset=utf-16le"));
}

TEST(Page, EscapesOfIso2022JpHideNoTags) {
  constexpr std::string_view kLinks = "\x1B$B<a href=0>\x1B(B<a href=1>";
  EXPECT_EQ("1", seen(kLinks, "text/html; charset=iso-2022-jp"));
  EXPECT_EQ("1", seen("<meta charset=iso-2022-jp>" + std::string(kLinks), "text/html"));
  EXPECT_EQ("1", seen(std::string(2000, ' ') + "<meta charset=iso-2022-jp>" + std::string(kLinks), "text/html"));
  EXPECT_EQ("", seen("<a href=0>", "text/html; charset=hz-gb-2312"));
}

// XML 1.0, section 4.3.3.
TEST(Page, XhtmlIsInTheEncodingOfItsDeclarationElseInUtf8) {
  constexpr std::string_view kXhtml = "application/xhtml+xml";
  EXPECT_EQ("%C3%A9", seen("<a href='/é'/>", kXhtml));
  EXPECT_EQ("%C3%A9", seen("<a href='/\xE9'/>", kXhtml));
  EXPECT_EQ("%D0%B9",
            seen("<?xml version='1.0' encoding='windows-1251'?><meta charset='utf-8'/><a href='/\xE9'/>", kXhtml));
  EXPECT_EQ("%D0%B9", seen("<meta charset='windows-1251'/><a href='/\xE9'/>", kXhtml));
}

}  // namespace
}  // namespace heddle::crawler
