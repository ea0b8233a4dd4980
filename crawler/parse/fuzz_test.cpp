// Any bytes are a page, a style sheet, a robots.txt and a sitemap. What must hold of each: it ends in time, gives only
// what it may, gives each target once, and says the same of the same bytes again. The sanitizers watch the rest.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "base/clock.hpp"
#include "crawler/parse/charset.hpp"
#include "crawler/parse/encoding_table.hpp"
#include "crawler/parse/generated_pages.hpp"
#include "crawler/parse/page_testing.hpp"
#include "crawler/parse/robots.hpp"
#include "crawler/parse/sitemap.hpp"
#include "crawler/parse/srcset.hpp"
#include "crawler/parse/style_sheet.hpp"

namespace heddle::crawler {
namespace {

// HEDDLE_FUZZ_ROUNDS: how many times as many inputs as usual.
std::size_t rounds(std::size_t usual) {
  const char* times = std::getenv("HEDDLE_FUZZ_ROUNDS");  // NOLINT(concurrency-mt-unsafe): the test has one thread
  return usual * (times ? std::strtoul(times, nullptr, 10) : 1);
}

void expect_sound(const std::vector<Link>& links, std::string_view body) {
  std::set<std::string> targets;
  for (const Link& link : links) {
    ASSERT_TRUE(targets.insert(link.target.text()).second) << body;
    ASSERT_TRUE(link.follow || link.resource || link.nofollow) << body;
    ASSERT_TRUE(link.target.is_web()) << body;
    ASSERT_EQ(std::string::npos, link.target.text().find('#')) << body;
    // A normal form is its own normal form.
    ASSERT_EQ(link.target.text(), url_of(link.target.text()).text()) << body;
    ASSERT_TRUE(link.target.path_and_query().starts_with('/')) << body;
  }
}

TEST(Fuzz, AnyBytesAreAPage) {
  std::vector<std::string_view> pieces = html_pieces();
  for (const std::string_view piece :
       {"<base href=%>",
        "<base href='//h/%'>",
        "<meta charset=utf-16>",
        "<meta charset=gbk>",
        "<meta charset=iso-2022-jp>",
        "\x1B$B",
        "\xFF\xFE",
        "\xEF\xBB\xBF",
        "<meta http-equiv=refresh content='0;url=%'>",
        "<meta name=robots content=nofollow>",
        "<link rel=next href=%>",
        "<img srcset='% 2x, %'>",
        "<p style='background:url(%)'>",
        "url(%)",
        "@import '%';",
        "<a rel=nofollow href=%>",
        "<?xml version='1.0' encoding='utf-8'?>",
        "<a href='//%'>",
        "<a href='http:%'>",
        "<a href='mailto:%'>",
        "<h:a href='%'>",
        "<x xmlns:h='http://www.w3.org/1999/xhtml'>",
        "<svg xmlns='http://www.w3.org/2000/svg' xmlns:x='http://www.w3.org/1999/xlink'>",
        "<a x:href='%'/>",
        "&#x110000;",
        "&#0",
        "\xE9"}) {
    pieces.push_back(piece);
  }
  PageGenerator generator(3, pieces);
  const std::string_view types[] = {"text/html",
                                    "text/html; charset=utf-8",
                                    "application/xhtml+xml",
                                    "text/html; charset=shift_jis",
                                    "text/html; charset=utf-16le",
                                    ""};
  for (std::size_t i = 0; i < rounds(12'000); ++i) {
    const std::string body = generator.mutated(generator.page(30));
    const std::string_view type = types[generator.below(std::size(types))];
    const Page all = page_of(body, type, true);
    expect_sound(all.links, body);
    const Page page = page_of(body, type);
    expect_sound(page.links, body);
    // What is followed does not depend on whether resources are asked for.
    std::vector<std::string> followed;
    for (const Link& link : all.links) {
      if (link.follow) followed.push_back(link.target.text());
    }
    std::vector<std::string> alone;
    for (const Link& link : page.links) {
      ASSERT_FALSE(link.resource);
      if (link.follow) alone.push_back(link.target.text());
    }
    ASSERT_THAT(alone, ::testing::UnorderedElementsAreArray(followed)) << body;
    ASSERT_EQ(all.nofollow, page.nofollow) << body;
  }
}

TEST(Fuzz, AnyBytesAreAStyleSheetAndAListOfImages) {
  PageGenerator generator(4, {"url(",     ")", "'", "\"",  "\\",    "\n", "@import ", "@namespace ", "/*",
                              "*/",       "%", " ", "u",   "\\75",  ";",  "{",        "}",           "@charset \"",
                              "utf-8\";", "(", ",", " 2x", " 100w", "#",  "\xFF",     "url('%')",    "\\\r\n"});
  for (std::size_t i = 0; i < rounds(6'000); ++i) {
    const std::string body = generator.mutated(generator.page(20));
    expect_sound(read_style_sheet(body, url_of("https://host/x"), "text/css"), body);
    read_srcset(body, [&](std::string_view url) {
      ASSERT_FALSE(url.empty() || url.starts_with(',') || url.ends_with(',')) << body;
    });
  }
}

// An obvious matcher, which takes exponential time, for the patterns of RFC 9309.
bool matches_slowly(std::string_view pattern, std::string_view path) {
  if (pattern.empty()) return true;
  if (pattern == "$") return path.empty();
  if (pattern[0] == '*')
    return matches_slowly(pattern.substr(1), path) || (!path.empty() && matches_slowly(pattern, path.substr(1)));
  return !path.empty() && path[0] == pattern[0] && matches_slowly(pattern.substr(1), path.substr(1));
}

TEST(Fuzz, RobotsMatchAsAnObviousMatcherDoes) {
  PageGenerator patterns(5, {"a", "b", "*", "/"});
  PageGenerator paths(6, {"a", "b", "/"});
  std::size_t matched = 0;
  for (std::size_t i = 0; i < rounds(10'000); ++i) {
    const std::string pattern = "/" + patterns.page(8) + (patterns.below(3) == 0 ? "$" : "");
    const std::string path = "/" + paths.page(8);
    const bool allowed = Robots::parse("user-agent: *\ndisallow: " + pattern).allows(path);
    ASSERT_EQ(matches_slowly(pattern, path), !allowed) << pattern << " " << path;
    matched += !allowed;
  }
  EXPECT_GT(matched, rounds(1'000));
}

TEST(Fuzz, AnyBytesAreARobotsTxtAndASitemap) {
  PageGenerator generator(7, {"user-agent: *\n",
                              "User-agent: heddle",
                              "\n",
                              "\r",
                              "disallow: ",
                              "allow:",
                              "sitemap: http://h/%\n",
                              "/",
                              "*",
                              "$",
                              "%2",
                              "%41",
                              "#",
                              ":",
                              "\xEF\xBB\xBF",
                              "<urlset>",
                              "<url>",
                              "<loc>",
                              "</loc>",
                              "</url>",
                              "<sitemap>",
                              "</sitemap>",
                              "http://h/%",
                              "<![CDATA[",
                              "]]>",
                              "<!--",
                              "-->",
                              "&amp;",
                              "<",
                              ">",
                              "<?xml encoding='utf-16'?>"});
  for (std::size_t i = 0; i < rounds(6'000); ++i) {
    const std::string body = generator.mutated(generator.page(20));
    const Robots robots = Robots::parse(body);
    ASSERT_TRUE(robots.allows("/robots.txt"));
    robots.allows(body);
    const Sitemap sitemap = read_sitemap(body);
    for (const Url& url : sitemap.pages) ASSERT_TRUE(url.is_web());
    for (const Url& url : sitemap.sitemaps) ASSERT_TRUE(url.is_web());
  }
}

TEST(Fuzz, AnyBytesDecodeToUtf8) {
  PageGenerator generator(8, {"\x1B$B", "\x1B(B", "\x1B(J", "\x8F\xB0\xA1", "\x81\x30\x81\x30", "a", "<",
                              "\xE3\x81\x82", "\xFE", "\xD8\x00"});
  for (std::size_t i = 0; i < rounds(6'000); ++i) {
    const std::string bytes = generator.mutated(generator.mutated(generator.page(12)));
    const EncodingEntry& entry = kEncodings[generator.below(std::size(kEncodings))];
    const std::string text = decode(bytes, encoding_of(entry.labels.substr(0, entry.labels.find(' '))));
    ASSERT_EQ(text, decode(text, Encoding::utf_8())) << entry.name;
  }
}

// One piece over and over, for as many bytes as a large page has: what makes a scan start over again and again takes
// hours of processor time here, and what does not, a tenth of a second, or some with a sanitizer.
TEST(Fuzz, HostilePagesTakeLinearTime) {
  constexpr base::Nanoseconds kMost_ns = 20'000'000'000;  // of processor time
  for (const std::string_view piece : {"<",
                                       "<!--",
                                       "<!",
                                       "</",
                                       "<a ",
                                       "<a href='",
                                       "<a href=x>",
                                       "<script><!--<script>",
                                       "<style>",
                                       "<svg>",
                                       "<svg><style>",
                                       "<svg><desc><b>",
                                       "<template>",
                                       "</svg></b>",
                                       "<svg></div>",
                                       "<math><mi>",
                                       "<![CDATA[",
                                       "<a x=1 x=2",
                                       "&",
                                       "&#",
                                       "<p style='url('>",
                                       "<p style=url('>",
                                       "<img srcset='x (,'>",
                                       "<svg><style><![CDATA[url(",
                                       "<title><",
                                       "<meta http-equiv=refresh content=0;x>",
                                       "<base href=x>",
                                       "<a href=a%>"}) {
    std::string body;
    for (std::size_t i = 0; body.size() < 1'000'000; ++i) {
      for (const char c : piece) {
        if (c == '%') {
          body += std::to_string(i);
        } else {
          body += c;
        }
      }
    }
    if (piece == "<a href=a%>") body.insert(0, "<base href='/" + std::string(1'000'000, 'x') + "'>");
    for (const std::string_view type : {"text/html", "application/xhtml+xml"}) {
      const base::Nanoseconds start = base::thread_cpu_ns();
      page_of(body, type, true);
      EXPECT_LT(base::thread_cpu_ns() - start, kMost_ns) << piece;
    }
    const base::Nanoseconds start = base::thread_cpu_ns();
    read_sitemap("<urlset><url><loc>" + body);
    find_style_urls(body, [](std::string_view) {});
    EXPECT_LT(base::thread_cpu_ns() - start, kMost_ns) << piece;
  }
}

}  // namespace
}  // namespace heddle::crawler
