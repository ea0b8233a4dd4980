#include "crawler/fetch/http_date.hpp"

#include <gtest/gtest.h>

namespace heddle::crawler {
namespace {

using std::chrono::seconds;
using std::chrono::sys_seconds;

constexpr sys_seconds kToday(seconds(1'764'000'000));  // 24 November 2025
constexpr sys_seconds kExample(seconds(784'111'777));  // of RFC 9110

TEST(HttpDate, ThreeFormsAreRead) {
  EXPECT_EQ(parse_http_date("Sun, 06 Nov 1994 08:49:37 GMT", kToday), kExample);
  EXPECT_EQ(parse_http_date("Sunday, 06-Nov-94 08:49:37 GMT", kToday), kExample);
  EXPECT_EQ(parse_http_date("Sun Nov  6 08:49:37 1994", kToday), kExample);
}

TEST(HttpDate, YearsOfTwoDigitsAreNearToNow) {
  EXPECT_EQ(parse_http_date("Thursday, 01-Jan-26 00:00:00 GMT", kToday), sys_seconds(seconds(1'767'225'600)));
  EXPECT_EQ(parse_http_date("Thursday, 01-Jan-76 00:00:00 GMT", kToday), sys_seconds(seconds(189'302'400)));
}

TEST(HttpDate, OtherTextsAreNone) {
  for (const char* text : {"", "soon", "Sun, 06 Nov 1994", "Sun, 31 Feb 1994 08:49:37 GMT", "06 Nov 1994 24:00:00",
                           "06 Nov 1994 08:49:3x GMT", "06 06 Nov 1994 08:49:37 GMT", "Sun, 06 Nov 99999 08:49:37 GMT"})
    EXPECT_FALSE(parse_http_date(text, kToday)) << text;
}

TEST(RetryAfter, IsSecondsOrADate) {
  EXPECT_EQ(parse_retry_after("120", kToday), seconds(120));
  EXPECT_EQ(parse_retry_after("0", kToday), seconds(0));
  EXPECT_EQ(parse_retry_after("Sun, 06 Nov 1994 08:49:37 GMT", kToday), seconds(0));
  EXPECT_EQ(parse_retry_after("Sun, 06 Nov 1994 08:49:37 GMT", kExample - seconds(7)), seconds(7));
  EXPECT_EQ(parse_retry_after("99999999999999999999", kToday), seconds(999'999'999));
  for (const char* text : {"", "-1", "1.5", "later", "1 2"}) EXPECT_FALSE(parse_retry_after(text, kToday)) << text;
}

}  // namespace
}  // namespace heddle::crawler
