#include "testing/load/response.hpp"

#include <gtest/gtest.h>

#include <set>
#include <string>

namespace heddle::testing::load {
namespace {

TEST(ParseHead, ReadsStatusLengthAndKeepAlive) {
  const std::string text = "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: 5\r\n\r\nhello";
  ResponseHead head;
  ASSERT_EQ(parse_head(text, head), HeadState::kComplete);
  EXPECT_EQ(head.status, 200);
  EXPECT_EQ(head.body_bytes, 5u);
  EXPECT_EQ(text.substr(head.head_bytes), "hello");
  EXPECT_TRUE(head.keep_alive);
}

TEST(ParseHead, WaitsForTheEmptyLine) {
  const std::string text = "HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\nConnection: close\r\n\r\n";
  ResponseHead head;
  for (std::size_t size = 0; size < text.size(); ++size) {
    EXPECT_EQ(parse_head(std::string_view(text).substr(0, size), head), HeadState::kIncomplete) << size;
  }
  ASSERT_EQ(parse_head(text, head), HeadState::kComplete);
  EXPECT_FALSE(head.keep_alive);
}

TEST(ParseHead, RefusesWhatAClientCouldMisunderstand) {
  ResponseHead head;
  for (const std::string text : {
           "ICY 200 OK\r\nContent-Length: 0\r\n\r\n",
           "HTTP/1.1 2000 OK\r\nContent-Length: 0\r\n\r\n",
           "HTTP/1.1 abc\r\nContent-Length: 0\r\n\r\n",
           "HTTP/1.1 200 OK\r\n\r\n",
           "HTTP/1.1 200 OK\r\nContent-Length: 5\r\nContent-Length: 5\r\n\r\n",
           "HTTP/1.1 200 OK\r\nContent-Length: -5\r\n\r\n",
           "HTTP/1.1 200 OK\r\nContent-Length: 5x\r\n\r\n",
           "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n",
           "HTTP/1.1 200 OK\r\nno colon\r\nContent-Length: 0\r\n\r\n",
       }) {
    EXPECT_EQ(parse_head(text, head), HeadState::kBad) << text;
  }
  EXPECT_EQ(parse_head(std::string(70'000, 'x'), head), HeadState::kBad);
}

TEST(HashBody, EveryChangedByteAndEveryLengthChangesTheHash) {
  const std::string body(100, 'a');
  std::set<std::uint64_t> seen{hash_body(body)};
  for (std::size_t at = 0; at < body.size(); ++at) {
    std::string changed = body;
    changed[at] = 'b';
    EXPECT_TRUE(seen.insert(hash_body(changed)).second) << at;
    EXPECT_TRUE(seen.insert(hash_body(body.substr(0, at))).second) << at;
  }
}

TEST(HashBody, TrailingZeroBytesCount) { EXPECT_NE(hash_body(std::string(3, '\0')), hash_body(std::string(4, '\0'))); }

}  // namespace
}  // namespace heddle::testing::load
