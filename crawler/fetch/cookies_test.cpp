#include "crawler/fetch/cookies.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace heddle::crawler {
namespace {

using namespace std::chrono_literals;
using std::chrono::sys_days;
using std::chrono::sys_seconds;
using std::chrono::year_month_day;

constexpr sys_seconds kNow =
    sys_days(year_month_day{std::chrono::year(2026), std::chrono::month(6), std::chrono::day(1)});

Request request_of(std::string target, std::string host = "a.example", std::string scheme = "http") {
  Request request;
  request.scheme = std::move(scheme);
  request.host = std::move(host);
  request.target = std::move(target);
  return request;
}

void set(CookieJar& jar, const Request& request, const std::vector<std::string>& lines, sys_seconds now = kNow) {
  Headers headers;
  for (const std::string& line : lines) {
    headers.add_to_name("set-cookie");
    headers.end_of_name();
    headers.add_to_value(line);
    headers.end_of_value();
  }
  jar.keep(request, headers, now);
}

// What a page is sent after another one was answered with these lines.
std::string sent(const std::vector<std::string>& lines, const std::string& from = "/x/y",
                 const std::string& to = "/x/z", sys_seconds later = kNow) {
  CookieJar jar;
  set(jar, request_of(from), lines);
  return jar.value_for(request_of(to), later);
}

sys_seconds date(int year, unsigned month, unsigned day, std::chrono::seconds time) {
  return sys_days(year_month_day{std::chrono::year(year), std::chrono::month(month), std::chrono::day(day)}) + time;
}

TEST(CookieDate, HasItsPartsInAnyOrder) {
  const sys_seconds expected = date(2027, 11, 6, 8h + 49min + 37s);
  for (const char* text :
       {"Sat, 06 Nov 2027 08:49:37 GMT", "Saturday, 06-Nov-27 08:49:37 GMT", "Sat Nov  6 08:49:37 2027",
        "2027 november 6 8:49:37", "08:49:37z 6 nov 2027", "6 Nov 2027;08:49:37 PST"})
    EXPECT_EQ(parse_cookie_date(text), expected) << text;
  EXPECT_EQ(parse_cookie_date("1 Jan 70 0:0:0"), date(1970, 1, 1, 0s));
  EXPECT_EQ(parse_cookie_date("1 Jan 69 0:0:0"), date(2069, 1, 1, 0s));
  EXPECT_EQ(parse_cookie_date("29 Feb 2028 23:59:59"), date(2028, 2, 29, 23h + 59min + 59s));
}

TEST(CookieDate, IsNoneWhereAPartIsMissingOrWrong) {
  for (const char* text : {"", "tomorrow", "6 Nov 08:49:37", "Nov 2027 08:49:37", "6 2027 08:49:37", "6 Nov 2027",
                           "31 Feb 2027 08:49:37", "6 Nov 2027 24:00:00", "6 Nov 2027 08:60:00", "6 Nov 2027 08:49",
                           "6 Nov 1600 08:49:37", "6 Nov 20271 08:49:37", "32 Nov 2027 08:49:37"})
    EXPECT_EQ(parse_cookie_date(text), std::nullopt) << text;
}

TEST(CookieJar, GivesBackWhatWasSet) {
  EXPECT_EQ(sent({"a=1"}), "a=1");
  EXPECT_EQ(sent({"a=1", "b=2; HttpOnly; SameSite=Lax; Unknown"}), "a=1; b=2");
  EXPECT_EQ(sent({"a=1", "b=2", "a=3"}), "a=3; b=2");
  EXPECT_EQ(sent({" a = 1 2 ; Path=/"}), "a=1 2");
  EXPECT_EQ(sent({"a=\"b=c\""}), "a=\"b=c\"");
  EXPECT_EQ(sent({"a="}), "a=");
  EXPECT_EQ(sent({"A=1", "a=2"}), "A=1; a=2");
}

TEST(CookieJar, RefusesWhatIsNone) {
  for (const char* line : {"", ";", "=", "=1", "a", "a; Path=/", "a=\x01", "a=1; Path=/\x7f"})
    EXPECT_EQ(sent({line}), "");
  const std::string fits(CookieJar::kMostBytesEach - 1, 'v');
  EXPECT_EQ(sent({"a=" + fits}), "a=" + fits);
  EXPECT_EQ(sent({"a=" + fits + "v"}), "");
}

TEST(CookieJar, SendsACookieToItsPathAndBelow) {
  EXPECT_EQ(sent({"a=1"}, "/x/y?z=/1/2", "/x/other?q"), "a=1");
  EXPECT_EQ(sent({"a=1"}, "/x/y", "/x"), "a=1");
  EXPECT_EQ(sent({"a=1"}, "/x/y", "/xx"), "");
  EXPECT_EQ(sent({"a=1"}, "/x/y", "/"), "");
  EXPECT_EQ(sent({"a=1"}, "/x", "/y"), "a=1");
  EXPECT_EQ(sent({"a=1; Path=/x/"}, "/", "/x"), "");
  EXPECT_EQ(sent({"a=1; Path=/x/"}, "/", "/x/y"), "a=1");
  EXPECT_EQ(sent({"a=1; path=y"}, "/x/y", "/x/z"), "a=1");
  EXPECT_EQ(sent({"a=1; Path=/x", "a=2; Path=/", "b=3; Path=/x/z"}), "b=3; a=1; a=2");
}

TEST(CookieJar, ForgetsWhatIsOver) {
  EXPECT_EQ(sent({"a=1; Max-Age=10"}, "/", "/", kNow + 9s), "a=1");
  EXPECT_EQ(sent({"a=1; Max-Age=10"}, "/", "/", kNow + 10s), "");
  EXPECT_EQ(sent({"a=1", "b=2", "a=; Max-Age=0"}), "b=2");
  EXPECT_EQ(sent({"a=1", "a=; max-age=-1"}), "");
  EXPECT_EQ(sent({"a=1", "a=; Expires=Thu, 01 Jan 1970 00:00:00 GMT"}), "");
  EXPECT_EQ(sent({"a=1; Expires=Mon, 01 Jun 2026 00:00:05 GMT"}, "/", "/", kNow + 4s), "a=1");
  EXPECT_EQ(sent({"a=1; Expires=Mon, 01 Jun 2026 00:00:05 GMT"}, "/", "/", kNow + 5s), "");
  EXPECT_EQ(sent({"a=1; Max-Age=10; Expires=Thu, 01 Jan 1970 00:00:00 GMT"}), "a=1");  // Max-Age counts
  EXPECT_EQ(sent({"a=1; Max-Age=soon"}), "a=1");
  EXPECT_EQ(sent({"a=1; Max-Age=99999999999999999999"}, "/", "/", kNow + 24h), "a=1");
}

TEST(CookieJar, IsForTheHostAloneThatSetIt) {
  CookieJar jar;
  set(jar, request_of("/", "b.a.example"), {"a=1; Domain=a.example", "b=2; Domain=.b.a.example", "c=3"});
  EXPECT_EQ(jar.value_for(request_of("/", "b.a.example"), kNow), "a=1; b=2; c=3");
  for (const char* other : {"a.example", "c.b.a.example", "xb.a.example", "example"})
    EXPECT_EQ(jar.value_for(request_of("/", other), kNow), "") << other;
}

TEST(CookieJar, TellsNamesThatEndInADigitFromNumbers) {
  CookieJar jar;
  set(jar, request_of("/", "www.web1"), {"a=1; Domain=web1", "b=2; Domain=eb1"});
  EXPECT_EQ(jar.value_for(request_of("/", "www.web1"), kNow), "a=1");
}

TEST(CookieJar, RefusesCookiesOfOtherDomains) {
  EXPECT_EQ(sent({"a=1; Domain=b.example", "b=1; Domain=x.a.example", "c=1; Domain=.example.", "d=1; Domain=xample"}),
            "");
  CookieJar jar;
  set(jar, request_of("/", "127.0.0.1"), {"a=1; Domain=0.0.1", "b=2; Domain=127.0.0.1"});
  EXPECT_EQ(jar.value_for(request_of("/", "127.0.0.1"), kNow), "b=2");
}

TEST(CookieJar, KeepsSecureOnesToHttps) {
  CookieJar jar;
  set(jar, request_of("/", "a.example", "https"), {"a=1; Secure", "b=2", "__Secure-c=3", "__Secure-d=4; secure"});
  EXPECT_EQ(jar.value_for(request_of("/", "a.example", "https"), kNow), "a=1; b=2; __Secure-d=4");
  EXPECT_EQ(jar.value_for(request_of("/"), kNow), "b=2");
  set(jar, request_of("/"), {"a=5", "b=6", "e=7; Secure"});
  EXPECT_EQ(jar.value_for(request_of("/", "a.example", "https"), kNow), "a=1; b=6; __Secure-d=4");
  set(jar, request_of("/x/y", "a.example", "https"),
      {"__Host-f=1; Secure", "__Host-g=1; Secure; Path=/; Domain=a.example", "__host-h=8; Secure; Path=/"});
  EXPECT_EQ(jar.value_for(request_of("/x/y", "a.example", "https"), kNow), "a=1; b=6; __Secure-d=4; __host-h=8");
}

TEST(CookieJar, HasBounds) {
  CookieJar jar;
  const std::size_t most = CookieJar::kMostPerHost;
  for (std::size_t i = 0; i < most + 5; ++i) set(jar, request_of("/"), {"n" + std::to_string(i) + "=1"});
  const std::string value = jar.value_for(request_of("/"), kNow);
  EXPECT_EQ(std::ranges::count(value, '='), static_cast<std::ptrdiff_t>(most));
  EXPECT_EQ(value.substr(0, 5), "n5=1;");

  const std::string large = "a=" + std::string(CookieJar::kMostBytesEach - 1, 'v');
  const std::size_t hosts = 2 * CookieJar::kMostBytes / CookieJar::kMostBytesEach;
  for (std::size_t i = 0; i < hosts; ++i) {
    set(jar, request_of("/", "h" + std::to_string(i)), {large});
    EXPECT_NE(jar.value_for(request_of("/", "h0"), kNow), "") << i;  // asked often
  }
  EXPECT_EQ(jar.value_for(request_of("/", "h1"), kNow), "");
  EXPECT_NE(jar.value_for(request_of("/", "h" + std::to_string(hosts - 1)), kNow), "");
}

}  // namespace
}  // namespace heddle::crawler
