#include "crawler/parse/url.hpp"

#include <gtest/gtest.h>

#include <array>
#include <random>
#include <stdexcept>
#include <string>
#include <tuple>

#include "crawler/parse/page_testing.hpp"

namespace heddle::crawler {
namespace {

std::string normal(std::string_view text, std::string_view base = "") {
  std::optional<Url> start;
  if (!base.empty()) start = url_of(base);
  const auto url = Url::parse(text, start ? &*start : nullptr);
  return url ? url->text() : "failure";
}

TEST(Url, SpellingsOfOnePageHaveOneNormalForm) {
  const std::string page = "http://example.org/b";
  EXPECT_EQ(page, normal("HTTP://Example.ORG:80/a/../b#top"));
  EXPECT_EQ(page, normal("  http:\\\\example.org\\b \n"));
  EXPECT_EQ(page, normal("http://example.org/a/%2e%2E/b"));
  EXPECT_EQ(page, normal("http://ex\tample.org/\nb#"));
  EXPECT_EQ("http://example.org/", normal("http://example.org"));
  EXPECT_EQ("http://xn--mnchen-3ya.de/", normal("http://München.de"));
  EXPECT_EQ("http://192.0.2.1/", normal("http://0xC0.0.513"));
}

TEST(Url, QueryIsNeitherSortedNorShortened) {
  EXPECT_EQ("https://h/?b=2&a=1&a=1&", normal("https://h?b=2&a=1&a=1&#x"));
  EXPECT_EQ("https://h/?", normal("https://h/?"));
  EXPECT_EQ("https://h/?q=%C3%A4%20%22", normal("https://h/?q=ä \""));
}

TEST(Url, RelativeReferencesFollowTheBase) {
  const std::string base = "https://h:8443/a/b/c?q#f";
  EXPECT_EQ("https://h:8443/a/b/d", normal("d", base));
  EXPECT_EQ("https://h:8443/d", normal("/d", base));
  EXPECT_EQ("https://x/d", normal("//x/d", base));
  EXPECT_EQ("https://h:8443/a/b/c?r", normal("?r", base));
  EXPECT_EQ("https://h:8443/a/b/c?q", normal("", base));
  EXPECT_EQ("https://h:8443/a/b/c?q", normal("#other", base));
  EXPECT_EQ("https://h:8443/", normal("../../../..", base));
  EXPECT_EQ("mailto:a@b", normal("mailto:a@b", base));
  EXPECT_EQ("failure", normal("d", "mailto:a@b"));
}

// A blank in front, which the standard drops, keeps an address from the short way.
TEST(Url, PlainAddressesAreResolvedAsAllOthers) {
  constexpr std::array kPieces{"a",   "b.html", "/",  "..", "../", ".", "./", "?", "x=1", "&",  "=", ",",  ";", "~",
                               "%2e", "%",      "\\", ":",  "@",   "'", "#",  "ä", " ",   "\t", "|", "//", "é", "^"};
  constexpr std::array kBases{
      "https://h:8443/a/b/c?q/r",        "http://u:p@h/", "http://[::1]/x/", "http://1.2.3.4/a//b",
      "http://xn--mnchen-3ya.de/x/y/z/", "mailto:a@b"};
  std::mt19937 random(1);
  for (int round = 0; round < 100'000; ++round) {
    std::string text;
    // The first few pieces are those of plain addresses.
    for (std::size_t left = random() % 7; left > 0; --left)
      text += kPieces[random() % (round % 2 == 0 ? 14 : kPieces.size())];
    const Url base = url_of(kBases[random() % kBases.size()]);
    const auto one = Url::parse(text, &base);
    const auto other = Url::parse(std::string(" ").append(text), &base);
    ASSERT_EQ(one.has_value(), other.has_value()) << text << " on " << base.text();
    if (!one) continue;
    ASSERT_EQ(one->text(), other->text()) << text << " on " << base.text();
    ASSERT_EQ(one->origin(), other->origin()) << text << " on " << base.text();
    ASSERT_EQ(one->path_and_query(), other->path_and_query()) << text << " on " << base.text();
    ASSERT_EQ(one->host_kind(), other->host_kind()) << text << " on " << base.text();
  }
}

TEST(Url, WhatTheStandardCallsFailureIsNone) {
  for (const char* text :
       {"", "d", "http://", "http://[", "http://a b/", "http://h:99999/", "https://1.2.3.4.5/", "//h"})
    EXPECT_EQ("failure", normal(text)) << text;
}

TEST(Url, PartsAreThoseOfTheNormalForm) {
  const Url url = url_of("HTTPS://user:pass@Host.example:8443/p/q?x=1#f");
  EXPECT_EQ("https://user:pass@host.example:8443/p/q?x=1", url.text());
  EXPECT_EQ("https", url.scheme());
  EXPECT_EQ("host.example", url.host());
  EXPECT_EQ(8443, url.port());
  EXPECT_EQ("/p/q?x=1", url.path_and_query());
  EXPECT_EQ("https://host.example:8443", url.origin());
}

TEST(Url, ANormalFormIsTakenApartAsItWasParsed) {
  for (const std::string_view text :
       {"http://example.org/b", "https://h:8443/a/b?q=1:2//3", "http://127.0.0.1:8080/", "http://0x7f.1/",
        "https://[::1]:9/x", "http://host1/", "http://a.b1.:80/", "http://127.0.0.1./", "http://user:pass@h/",
        "http://user@h:81/p@q:r/s", "https://under_score.example/", "http://h:443/", "https://h:80/?",
        "http://xn--mnchen-3ya.de/", "http://h//x//y", "http://a-b.c-9/", "http://9.example/", "http://h/://x/"}) {
    const Url parsed = url_of(text);
    const auto values = [](const Url& url) {
      return std::tuple(url.text(), url.scheme(), url.host(), url.port(), url.path_and_query(), url.before_path(),
                        url.host_kind(), url.origin());
    };
    EXPECT_EQ(values(Url::of_normal_form(parsed.text())), values(parsed)) << text;
  }
  EXPECT_THROW(Url::of_normal_form("nothing"), std::invalid_argument);
  EXPECT_THROW(Url::of_normal_form("http:///"), std::invalid_argument);
}

TEST(Url, OriginAlwaysNamesThePort) {
  EXPECT_EQ("https://h:443", url_of("https://h/").origin());
  EXPECT_EQ(url_of("http://h:80/a").origin(), url_of("http://u@H/b?c").origin());
  EXPECT_NE(url_of("http://h/").origin(), url_of("https://h/").origin());
  EXPECT_NE(url_of("http://h/").origin(), url_of("http://h:8080/").origin());
}

TEST(Url, OtherSchemesHaveNoHost) {
  const Url url = url_of("mailto:a@b?subject=x#y");
  EXPECT_FALSE(url.is_web());
  EXPECT_EQ("mailto:a@b?subject=x", url.text());
  EXPECT_EQ(Url::Host::none, url.host_kind());
  EXPECT_EQ("", url.host());
  EXPECT_EQ("a@b?subject=x", url.path_and_query());
}

TEST(Url, KindsOfHostsAreTold) {
  EXPECT_EQ(Url::Host::name, url_of("http://h/").host_kind());
  EXPECT_EQ(Url::Host::ipv4, url_of("http://0x7f.1/").host_kind());
  EXPECT_EQ(Url::Host::ipv6, url_of("http://[2001:db8::1]:81/").host_kind());
  EXPECT_EQ("[2001:db8::1]", url_of("http://[2001:DB8:0::1]:81/").host());
  EXPECT_EQ("[::ffff:7f00:1]", url_of("http://[::ffff:127.0.0.1]/").host());
  EXPECT_TRUE(url_of("http://localhost:81/").host_is_localhost());
  EXPECT_TRUE(url_of("http://LOCALHOST./").host_is_localhost());
  EXPECT_FALSE(url_of("http://localhost.example/").host_is_localhost());
}

TEST(Url, BytesThatAreNoUtf8BecomeTheReplacementCharacter) {
  EXPECT_EQ("http://h/%EF%BF%BD", normal("http://h/\xff"));
  EXPECT_EQ("http://h/?%EF%BF%BDa", normal("http://h/?\xc3"
                                           "a"));
}

}  // namespace
}  // namespace heddle::crawler
