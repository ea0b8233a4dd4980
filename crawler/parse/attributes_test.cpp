// Texts in attributes and style sheets that hold addresses: meta content, srcset, CSS.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "crawler/parse/meta.hpp"
#include "crawler/parse/page_testing.hpp"
#include "crawler/parse/srcset.hpp"
#include "crawler/parse/style_sheet.hpp"

namespace heddle::crawler {
namespace {

using namespace std::string_view_literals;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

std::string refresh(std::string_view content) { return std::string(refresh_url(content).value_or("invalid")); }

// HTML standard, section 4.2.4.7, "shared declarative refresh steps".
TEST(Meta, RefreshIsReadByTheStandardsSteps) {
  for (const char* content :
       {"0;url=x", " 5 ; URL = x", "5,x", "5 x", "0.5;url='x'y", "5;url=\"x", ".;x", "5 url=x", "007;uRl=x"}) {
    EXPECT_EQ("x", refresh(content)) << content;
  }
  EXPECT_EQ("", refresh("5"));
  EXPECT_EQ("", refresh("5;"));
  EXPECT_EQ("", refresh("5;url="));
  EXPECT_EQ("urx", refresh("5;urx"));
  EXPECT_EQ("url x", refresh("5;url x"));
  EXPECT_EQ("uri=x", refresh("5;uri=x"));
  EXPECT_EQ("x ", refresh("5;url=x "));
  EXPECT_EQ("; x", refresh("5;; x"));
  for (const char* content : {"", "x", ";x", "-1;x", "5x", "+5;x", "url=x", "5/;x"})
    EXPECT_EQ("invalid", refresh(content)) << content;
}

std::string encoding_in(std::string_view content) {
  const auto encoding = encoding_in_meta(content);
  return encoding ? std::string(encoding->name()) : "none";
}

// Section 2.6.5.
TEST(Meta, CharsetsInContentAreFound) {
  EXPECT_EQ("UTF-8", encoding_in("text/html; charset=utf-8"));
  EXPECT_EQ("UTF-8", encoding_in("charset = 'utf-8' x"));
  EXPECT_EQ("UTF-8", encoding_in("xcharset charset=utf-8;y"));
  EXPECT_EQ("UTF-8", encoding_in("charsetcharset=utf-8"));
  EXPECT_EQ("none", encoding_in("charset='utf-8"));
  EXPECT_EQ("none", encoding_in("charset=utf-8'"));
  EXPECT_EQ("none", encoding_in("charset=nosuch charset=utf-8"));
  EXPECT_EQ("none", encoding_in("charset="));
}

std::string prescanned(std::string_view body) {
  const auto encoding = prescan(body);
  return encoding ? std::string(encoding->name()) : "none";
}

// Section 13.2.3.2, "prescan a byte stream to determine its encoding".
TEST(Meta, ThePrescanFollowsTheStandard) {
  EXPECT_EQ("KOI8-R", prescanned("<META/charset=koi8-r>"));
  EXPECT_EQ("KOI8-R", prescanned("<p x='<meta charset=utf-8>'><meta charset=koi8-r>"));
  EXPECT_EQ("UTF-8", prescanned("<p>'<meta charset=utf-8>'<meta charset=koi8-r>"));
  EXPECT_EQ("KOI8-R", prescanned("<!--><meta charset=koi8-r>"));
  EXPECT_EQ("KOI8-R", prescanned("<!-- > <meta charset=utf-8> --><meta charset=koi8-r>"));
  EXPECT_EQ("KOI8-R", prescanned("<? <meta charset=utf-8><meta charset=koi8-r>"));
  EXPECT_EQ("KOI8-R", prescanned("<meta content='charset=utf-8'><meta charset=koi8-r>"));
  EXPECT_EQ("KOI8-R", prescanned("<meta content='charset=koi8-r' http-equiv=content-type>"));
  EXPECT_EQ("KOI8-R", prescanned("<meta charset=utf-8 charset=x><meta>").replace(0, 5, "KOI8-R"));
  EXPECT_EQ("UTF-8", prescanned("<meta charset=utf-16be>"));
  EXPECT_EQ("windows-1252", prescanned("<meta charset=x-user-defined>"));
  EXPECT_EQ("none", prescanned("<meta charset=nosuch>"));
  EXPECT_EQ("none", prescanned("<meta charset=utf-8"));
  EXPECT_EQ("none", prescanned("<meta charset=utf-8 x='"));
  EXPECT_EQ("none", prescanned("<metacharset=utf-8>"));
  std::string late(1010, ' ');  // not a sum: GCC 12 takes the move of a temporary for a copy beyond its end
  late += "<meta charset=utf-8>";
  EXPECT_EQ("none", prescanned(late));
  EXPECT_EQ("KOI8-R", prescanned("<?xml version='1.0' encoding = \"koi8-r\"?>"));
  EXPECT_EQ("UTF-8", prescanned("<?xml encoding='utf-16'?>"));
  EXPECT_EQ("none", prescanned("<?xml encoding=koi8-r?>"));
  EXPECT_EQ("UTF-16LE", prescanned("<\0?\0x\0m\0"sv));
  EXPECT_EQ("UTF-16BE", prescanned("\0<\0?\0x\0m"sv));
}

std::vector<std::string> candidates(std::string_view value) {
  std::vector<std::string> urls;
  read_srcset(value, [&](std::string_view url) { urls.emplace_back(url); });
  return urls;
}

// Section 4.8.4.2.2, "parse a srcset attribute".
TEST(Srcset, CandidatesAreSplitAsTheStandardSplitsThem) {
  EXPECT_THAT(candidates("a 1x, b 2x"), ElementsAre("a", "b"));
  EXPECT_THAT(candidates(" ,, a,, b ,c"), ElementsAre("a", "b", "c"));
  EXPECT_THAT(candidates("a,b 1x,c 2x"), ElementsAre("a,b", "c"));
  EXPECT_THAT(candidates("data:,a 1x, b 100w 50h"), ElementsAre("data:,a", "b"));
  EXPECT_THAT(candidates("a (x, y), b 1.5e0x, c .5x"), ElementsAre("b", "c"));
  EXPECT_THAT(candidates(""), IsEmpty());
  EXPECT_THAT(candidates(" , "), IsEmpty());
}

TEST(Srcset, CandidatesOfInvalidDescriptorsAreNone) {
  for (const char* value : {"a 1", "a 0w", "a 1w 1w", "a 1w 1x", "a 1x 1x", "a -1x", "a 1.x", "a x", "a +1w", "a 1h",
                            "a 1x 1h", "a 1w x", "a (", "a 1ex"}) {
    EXPECT_THAT(candidates(value), IsEmpty()) << value;
  }
  EXPECT_THAT(candidates("a -0x, b 1h 1w, c 00x"), ElementsAre("a", "b", "c"));
}

std::vector<std::string> style_urls(std::string_view css) {
  std::vector<std::string> urls;
  find_style_urls(css, [&](std::string_view url) { urls.emplace_back(url); });
  return urls;
}

// CSS Syntax Level 3, section 4.3.
TEST(StyleSheet, UrlsAndImportsAreFound) {
  EXPECT_THAT(style_urls("@import 'a';@IMPORT \"b\" screen;@import/**/url(c);@import url( 'd' )"),
              ElementsAre("a", "b", "c", "d"));
  EXPECT_THAT(style_urls("p{background:URL(a)url('b')url(\tc\n)}"), ElementsAre("a", "b", "c"));
  EXPECT_THAT(style_urls("u\\72l(a) \\75 rl('b')"), ElementsAre("a", "b"));
  EXPECT_THAT(style_urls("url(a\\)b) url('a\\'b') url('a\\\nb') url('\\61\\62 c')"),
              ElementsAre("a)b", "a'b", "ab", "abc"));
  EXPECT_THAT(style_urls("url(a"), ElementsAre("a"));
  EXPECT_THAT(style_urls("url('a"), ElementsAre("a"));
}

TEST(StyleSheet, WhatOnlyLooksLikeAUrlIsNone) {
  EXPECT_THAT(
      style_urls("/* url(a) */ 'url(b)' \"@import 'c'\" myurl(d) url-x(e) #url(f) @url(g) url (h) -url(i) 1url(j)"),
      IsEmpty());
  EXPECT_THAT(style_urls("url(a b) url(a'b) url(a(b) url() url('') url(#x) url('#y') url( ) url('a\nb')"), IsEmpty());
  EXPECT_THAT(style_urls("@namespace url(a); @namespace x 'b'; @import x 'c'; content: 'd'"), IsEmpty());
  EXPECT_THAT(style_urls("@namespace url(a); p { fill: url(b) }"), ElementsAre("b"));
  EXPECT_THAT(style_urls("url(a b\\) url(c) url(d)"), ElementsAre("d"));
}

std::vector<std::string> sheet(std::string_view body, std::string_view type) {
  return lines_of(read_style_sheet(body, url_of("https://host/css/x.css"), type));
}

TEST(StyleSheet, AddressesStartFromTheSheet) {
  EXPECT_THAT(sheet("@import 'a'; p{fill:url(../b#c);src:url(/b)}", "text/css"),
              ElementsAre("resource https://host/css/a", "resource https://host/b"));
}

// Section 3.2.
TEST(StyleSheet, CharsetsAreFoundInTheirOrder) {
  const std::string kCyrillic = "resource https://host/css/%D0%B9";
  EXPECT_THAT(sheet("url(\xE9)", "text/css; charset=windows-1251"), ElementsAre(kCyrillic));
  EXPECT_THAT(sheet("@charset \"windows-1251\";url(\xE9)", "text/css"), ElementsAre(kCyrillic));
  EXPECT_THAT(sheet("@charset \"utf-8\";url(\xE9)", "text/css; charset=windows-1251"), ElementsAre(kCyrillic));
  EXPECT_THAT(sheet("@charset 'windows-1251';url(й)", "text/css"), ElementsAre(kCyrillic));
  EXPECT_THAT(sheet("@charset \"utf-16\";url(й)", "text/css"), ElementsAre(kCyrillic));
  EXPECT_THAT(sheet("\xEF\xBB\xBFurl(й)", "text/css; charset=windows-1251"), ElementsAre(kCyrillic));
}

}  // namespace
}  // namespace heddle::crawler
