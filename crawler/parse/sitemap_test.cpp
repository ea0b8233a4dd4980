#include "crawler/parse/sitemap.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace heddle::crawler {
namespace {

using namespace std::string_view_literals;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

std::vector<std::string> texts(const std::vector<Url>& urls) {
  std::vector<std::string> result;
  for (const Url& url : urls) result.push_back(url.text());
  return result;
}

std::vector<std::string> pages(std::string_view body) { return texts(read_sitemap(body).pages); }

// sitemaps.org protocol 0.9, "XML tag definitions".
TEST(Sitemap, PagesAreThoseOfTheUrlEntries) {
  EXPECT_THAT(pages("<?xml version='1.0' encoding='UTF-8'?>\n<!-- <url><loc>http://h/0</loc></url> -->"
                    "<urlset xmlns='http://www.sitemaps.org/schemas/sitemap/0.9' xmlns:image='x'>\n"
                    "<url><loc>\n http://h/1?a=1&amp;b=2#f </loc><lastmod>2005</lastmod>"
                    "<image:image><image:loc>http://h/i</image:loc></image:image></url>"
                    "<url><loc><![CDATA[http://h/2?a&b]]></loc></url><url><loc>http://h/<!-- x -->3</loc></url>"
                    "<url/><loc>http://h/4</loc><url x='>'><loc>http://h/5</loc></url></urlset>"),
              ElementsAre("http://h/1?a=1&b=2", "http://h/2?a&b", "http://h/3", "http://h/5"));
}

TEST(Sitemap, AnIndexNamesSitemaps) {
  const Sitemap sitemap = read_sitemap(
      "<sitemapindex><sitemap><loc>http://h/a.xml</loc></sitemap><sitemap><loc>http://h/b.xml.gz</loc></sitemap></"
      "sitemapindex>");
  EXPECT_THAT(texts(sitemap.sitemaps), ElementsAre("http://h/a.xml", "http://h/b.xml.gz"));
  EXPECT_THAT(sitemap.pages, IsEmpty());
}

TEST(Sitemap, NamesMayHaveTheRootsPrefix) {
  EXPECT_THAT(pages("<s:urlset xmlns:s='x'><s:url><s:loc>http://h/1</s:loc><loc>http://h/2</loc></s:url></s:urlset>"),
              ElementsAre("http://h/1"));
}

TEST(Sitemap, PlainTextHasOneUrlPerLine) {
  EXPECT_THAT(pages("\xEF\xBB\xBFhttp://h/1\r\n\r\n  http://h/2 \rhttp://h/ä"),
              ElementsAre("http://h/1", "http://h/2", "http://h/%C3%A4"));
}

TEST(Sitemap, WhatIsNoAbsoluteWebUrlIsLeftOut) {
  EXPECT_THAT(pages("/1\nmailto:a@b\nhttp://[\nftp://h/\nhttp://h/"), ElementsAre("http://h/"));
}

TEST(Sitemap, BrokenXmlGivesWhatStandsBefore) {
  EXPECT_THAT(pages("<urlset><url><loc>http://h/1</loc></url><url><loc>http://h/2"), ElementsAre("http://h/1"));
  EXPECT_THAT(pages("<urlset><url><loc>http://h/1</loc></url><url x=\""), ElementsAre("http://h/1"));
  EXPECT_THAT(pages("<urlset><url><loc>http://h/1</url></loc><url><loc>http://h/2</loc></url>"),
              ElementsAre("http://h/2"));
  EXPECT_THAT(pages("<"), IsEmpty());
  EXPECT_THAT(pages(""), IsEmpty());
  EXPECT_THAT(pages("<html><a href='http://h/'>http://h/</a></html>"), IsEmpty());
}

TEST(Sitemap, DeclaredEncodingsAreRead) {
  EXPECT_THAT(
      pages("<?xml version='1.0' encoding='windows-1251'?><urlset><url><loc>http://h/\xE9</loc></url></urlset>"),
      ElementsAre("http://h/%D0%B9"));
  std::string wide = "\xFE\xFF";
  for (const char c : "<urlset><url><loc>http://h/\xE9</loc></url></urlset>"sv) wide += {'\0', c};
  EXPECT_THAT(pages(wide), ElementsAre("http://h/%C3%A9"));
}

TEST(Sitemap, FiftyThousandUrlsAreRead) {
  std::string lines;
  std::string xml = "<urlset>";
  for (std::size_t i = 0; i <= Sitemap::kMostUrls; ++i) {
    lines += "http://h/" + std::to_string(i) + "\n";
    xml += "<url><loc>http://h/" + std::to_string(i) + "</loc></url>";
  }
  EXPECT_EQ(Sitemap::kMostUrls, read_sitemap(lines).pages.size());
  EXPECT_EQ(Sitemap::kMostUrls, read_sitemap(xml).pages.size());
}

}  // namespace
}  // namespace heddle::crawler
