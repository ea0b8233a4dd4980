#include "crawler/fetch/response_reader.hpp"

#include <gtest/gtest.h>

#include <cstdio>
#include <string>

#include "crawler/fetch/testing/encoders.hpp"

namespace heddle::crawler {
namespace {

struct Read {
  Answer answer;
  bool reusable = false;
};

struct Options {
  std::size_t step = 1 << 20;
  bool has_body = true;
  FetchLimits limits = {};
  bool keep_raw = false;
};

// An answer that comes in pieces of `step` bytes, from a peer that closes then.
Read read_answer(std::string_view bytes, const Options& options = {}) {
  Read read;
  ResponseReader reader(options.limits, options.has_body, options.keep_raw, read.answer);
  bool over = false;
  for (std::size_t at = 0; at < bytes.size() && !over; at += options.step)
    over = reader.feed(bytes.substr(at, options.step));
  if (!over) reader.end();
  read.reusable = reader.reusable();
  return read;
}

TEST(ResponseReader, ReadsAnAnswerInPiecesOfAnySize) {
  const std::string bytes =
      "HTTP/1.1 200 Fine\r\nContent-Type: Text/HTML ; charset=utf-8\r\nX-Two: a \r\nx-two:b\r\nContent-Length: "
      "5\r\n\r\nhello";
  for (std::size_t step = 1; step <= bytes.size(); ++step) {
    const Read read = read_answer(bytes, {.step = step});
    EXPECT_EQ(read.answer.error, FetchError::kNone) << read.answer.detail;
    EXPECT_EQ(read.answer.status, 200);
    EXPECT_EQ(read.answer.body, "hello");
    EXPECT_EQ(read.answer.content_type, "Text/HTML ; charset=utf-8");
    EXPECT_EQ(read.answer.media_type, "text/html");
    EXPECT_EQ(read.answer.headers.joined("x-two"), "a, b");
    EXPECT_EQ(read.answer.raw_head + "hello", bytes);
    EXPECT_EQ(read.answer.wire_bytes, bytes.size());
    EXPECT_TRUE(read.reusable);
    EXPECT_FALSE(read.answer.broke_off);
  }
}

TEST(ResponseReader, ReadsChunksAndIgnoresTrailersAndExtensions) {
  const std::string body = "5;a=b;c=\"d\"\r\nhello\r\n00006\r\n world\r\n0\r\nContent-Type: evil/trailer\r\n\r\n";
  const std::string bytes = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n" + body;
  for (std::size_t step = 1; step <= bytes.size(); ++step) {
    const Read read = read_answer(bytes, {.step = step, .keep_raw = true});
    EXPECT_EQ(read.answer.error, FetchError::kNone) << read.answer.detail;
    EXPECT_EQ(read.answer.body, "hello world");
    EXPECT_EQ(read.answer.payload(), "hello world");
    EXPECT_EQ(read.answer.content_type, "");
    EXPECT_EQ(read.answer.headers.size(), 1U);
    EXPECT_TRUE(read.reusable);
  }
}

TEST(ResponseReader, WithoutALengthTheCloseIsTheEnd) {
  for (const char* version : {"HTTP/1.0", "HTTP/1.1"}) {
    const Read read = read_answer(std::string(version) + " 200 OK\r\n\r\nall of it");
    EXPECT_EQ(read.answer.error, FetchError::kNone);
    EXPECT_EQ(read.answer.body, "all of it");
    EXPECT_FALSE(read.reusable);
  }
}

TEST(ResponseReader, KeepAliveIsAsTheVersionAndConnectionSay) {
  EXPECT_FALSE(read_answer("HTTP/1.0 200 OK\r\nContent-Length: 1\r\n\r\na").reusable);
  EXPECT_TRUE(read_answer("HTTP/1.0 200 OK\r\nConnection: keep-alive\r\nContent-Length: 1\r\n\r\na").reusable);
  EXPECT_FALSE(read_answer("HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 1\r\n\r\na").reusable);
}

TEST(ResponseReader, SomeAnswersHaveNoBodyWhateverTheirHeadersSay) {
  for (const char* head :
       {"HTTP/1.1 204 No Content\r\nContent-Length: 7\r\n\r\n",
        "HTTP/1.1 304 Not Modified\r\nTransfer-Encoding: chunked\r\n\r\n",
        "HTTP/1.1 304 Not Modified\r\nContent-Encoding: gzip\r\nContent-Length: 900000000\r\n\r\n"}) {
    const Read read = read_answer(head);
    EXPECT_EQ(read.answer.error, FetchError::kNone) << head << read.answer.detail;
    EXPECT_EQ(read.answer.body, "");
    EXPECT_TRUE(read.reusable) << head;
  }
  const Read head = read_answer("HTTP/1.1 200 OK\r\nContent-Encoding: compress\r\nContent-Length: 900000000\r\n\r\n",
                                {.has_body = false});
  EXPECT_EQ(head.answer.error, FetchError::kNone);
  EXPECT_TRUE(head.reusable);
}

TEST(ResponseReader, InterimAnswersAreForgotten) {
  const std::string bytes =
      "HTTP/1.1 100 Continue\r\nContent-Length: 3\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n"
      "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok";
  for (std::size_t step = 1; step <= bytes.size(); ++step) {
    const Read read = read_answer(bytes, {.step = step});
    EXPECT_EQ(read.answer.status, 200);
    EXPECT_EQ(read.answer.error, FetchError::kNone) << read.answer.detail;
    EXPECT_EQ(read.answer.body, "ok");
    EXPECT_EQ(read.answer.headers.size(), 1U);
    EXPECT_EQ(read.answer.raw_head, "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n");
    EXPECT_TRUE(read.reusable);
  }
}

TEST(ResponseReader, InterimAnswersWithoutEndAreAnError) {
  std::string bytes;
  while (bytes.size() < 200'000) bytes += "HTTP/1.1 102 Processing\r\n\r\n";
  for (const std::size_t step : {std::size_t{1000}, bytes.size()}) {
    const Read read = read_answer(bytes, {.step = step});
    EXPECT_EQ(read.answer.error, FetchError::kProtocol);
    EXPECT_EQ(read.answer.status, 0);
    EXPECT_LE(read.answer.wire_bytes, 70'000U);
  }
}

TEST(ResponseReader, HeadersWithoutEndAreAnError) {
  const Read large = read_answer("HTTP/1.1 200 OK\r\nX: " + std::string(1'000'000, 'x'), {.step = 4096});
  EXPECT_EQ(large.answer.error, FetchError::kProtocol);
  EXPECT_EQ(large.answer.status, 200);
  EXPECT_TRUE(large.answer.broke_off);
  EXPECT_LE(large.answer.raw_head.size(), 65'536U);
  std::string many = "HTTP/1.1 200 OK\r\n";
  for (int i = 0; i < 300; ++i) many += "A: b\r\n";
  EXPECT_EQ(read_answer(many + "\r\n").answer.error, FetchError::kProtocol);
  EXPECT_EQ(read_answer(std::string(1'000'000, '\n')).answer.error, FetchError::kProtocol);
}

TEST(ResponseReader, TrailersAndChunksThatFrameNothingAreAnError) {
  const std::string head = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n";
  EXPECT_EQ(read_answer(head + "0\r\nX: " + std::string(200'000, 'x')).answer.error, FetchError::kProtocol);
  EXPECT_EQ(read_answer(head + "1;" + std::string(1'000'000, 'x'), {.step = 4096}).answer.error, FetchError::kProtocol);
}

TEST(ResponseReader, AnAnswerThatIsCutOffKeepsItsStatus) {
  const Read length = read_answer("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhello");
  EXPECT_EQ(length.answer.error, FetchError::kReset);
  EXPECT_EQ(length.answer.status, 200);
  EXPECT_EQ(length.answer.body, "hello");
  EXPECT_TRUE(length.answer.broke_off);
  const Read chunk = read_answer("HTTP/1.1 404 Not Found\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhel");
  EXPECT_EQ(chunk.answer.error, FetchError::kReset);
  EXPECT_EQ(chunk.answer.status, 404);
  EXPECT_EQ(chunk.answer.body, "hel");
  const Read last = read_answer("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n");
  EXPECT_EQ(last.answer.error, FetchError::kReset);
  const Read head = read_answer("HTTP/1.1 200 OK\r\nContent-");
  EXPECT_EQ(head.answer.error, FetchError::kReset);
  const Read nothing = read_answer("");
  EXPECT_EQ(nothing.answer.error, FetchError::kReset);
  EXPECT_EQ(nothing.answer.status, 0);
  EXPECT_FALSE(nothing.answer.broke_off);
}

TEST(ResponseReader, WhatIsNotHttpIsAnError) {
  for (const char* bytes : {"<html>", "SSH-2.0-OpenSSH\r\n", "HTTP/1.1 abc\r\n\r\n", "HTTP/9.9 200 OK\r\n\r\n",
                            "HTTP/1.1 200 OK\r\nbad header\r\n\r\n", "HTTP/1.1 200 OK\r\nContent-Length: x\r\n\r\n",
                            "HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\n",
                            "HTTP/1.1 200 OK\r\nContent-Length: 99999999999999999999\r\n\r\n",
                            "HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab",
                            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
                            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nabc",
                            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n\r\n", "HTTP/1.1 20 OK\r\n\r\n",
                            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nfffffffffffffffff\r\n",
                            "HTTP/1.1 101 Switching\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n"}) {
    const Read read = read_answer(bytes);
    EXPECT_EQ(read.answer.error, FetchError::kProtocol) << bytes;
    EXPECT_FALSE(read.reusable);
  }
}

TEST(ResponseReader, BytesBehindTheEndAreNotOfTheBodyAndSpoilTheConnection) {
  for (const std::size_t step : {1, 1000}) {
    const Read read = read_answer("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nabcd", {.step = step});
    EXPECT_EQ(read.answer.body, "ab");
    EXPECT_EQ(read.answer.error, FetchError::kNone);
    EXPECT_EQ(read.reusable, step == 1);  // nobody has looked for more
  }
  EXPECT_FALSE(read_answer("HTTP/1.1 204 Fine\r\n\r\nx").reusable);
}

TEST(ResponseReader, ABodyOverTheLimitIsCutThere) {
  const Options options{.limits = {.body = 4}};
  const Read promised = read_answer("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n", options);
  EXPECT_EQ(promised.answer.error, FetchError::kTooLarge);
  EXPECT_TRUE(promised.answer.broke_off);
  const Read chunked =
      read_answer("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n", options);
  EXPECT_EQ(chunked.answer.error, FetchError::kTooLarge);
  EXPECT_EQ(chunked.answer.body, "hell");
  const Read open = read_answer("HTTP/1.1 200 OK\r\n\r\nhello", options);
  EXPECT_EQ(open.answer.error, FetchError::kTooLarge);
  const Read fits = read_answer("HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nhell", options);
  EXPECT_EQ(fits.answer.error, FetchError::kNone);
}

TEST(ResponseReader, AnEncodedBodyThatStandsForNothingHasAnEnd) {
  std::string nothing;
  while (nothing.size() < 200'000) nothing += testing::gzip("");
  const Read read = read_answer("HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n\r\n" + nothing,
                                {.step = 1000, .limits = {.body = 10'000}});
  EXPECT_EQ(read.answer.error, FetchError::kTooLarge);
  EXPECT_LT(read.answer.wire_bytes, 80'000U);
}

TEST(ResponseReader, AnEncodedBodyIsDecodedOrTheErrorSaysSo) {
  const std::string body = testing::gzip("a page");
  const std::string head = "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: ";
  const Read read = read_answer(head + std::to_string(body.size()) + "\r\n\r\n" + body, {.keep_raw = true});
  EXPECT_EQ(read.answer.body, "a page");
  EXPECT_EQ(read.answer.payload(), body);
  EXPECT_TRUE(read.reusable);
  EXPECT_EQ(read_answer(head + "4\r\n\r\npage").answer.error, FetchError::kDecode);
  const Read cut = read_answer(head + "20\r\n\r\n" + body.substr(0, 20));
  EXPECT_EQ(cut.answer.error, FetchError::kDecode);
  EXPECT_EQ(cut.answer.status, 200);
  EXPECT_TRUE(cut.answer.broke_off);
  EXPECT_EQ(read_answer("HTTP/1.1 200 OK\r\nContent-Encoding: rot13\r\n\r\nx").answer.error, FetchError::kDecode);
}

TEST(ResponseReader, ReadsWhatServersSendAgainstTheRules) {
  const std::string head = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n";
  for (const std::string& bytes : {
           head + "\r\n0002  \r\nok\r\n00000000000000000000\r\n\r\n",
           head + "\r\n2\nok\n0\n\n",
           head + "Content-Length: 5\r\n\r\n2\r\nok\r\n0\r\n\r\n",
           std::string("HTTP/1.1 200 OK\r\nTransfer-Encoding: identity\r\nContent-Length: 2\r\n\r\nok"),
           std::string("HTTP/1.1 200\r\nA : b\r\nX: \x01\xe4\r\nContent-Length: 2\r\n\r\nok"),
           std::string("HTTP/1.1 200 OK\r\nX: folded\r\n value\r\nContent-Length: 2\r\n\r\nok"),
       })
    for (std::size_t step = 1; step <= bytes.size(); ++step) {
      const Read read = read_answer(bytes, {.step = step});
      EXPECT_EQ(read.answer.error, FetchError::kNone) << bytes << read.answer.detail;
      EXPECT_EQ(read.answer.body, "ok");
    }
}

TEST(ResponseReader, LengthAndChunksTogetherSpoilTheConnection) {
  EXPECT_FALSE(
      read_answer("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nContent-Length: 5\r\n\r\n0\r\n\r\n").reusable);
}

TEST(ResponseReader, UndoesTransferCodings) {
  const Read chunked =
      read_answer("HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip, chunked\r\nContent-Encoding: br\r\n\r\n" + [] {
        const std::string body = testing::gzip(testing::brotli("a page"));
        char size[16];
        std::snprintf(size, sizeof size, "%zx\r\n", body.size());
        return size + body + "\r\n0\r\n\r\n";
      }());
  EXPECT_EQ(chunked.answer.error, FetchError::kNone) << chunked.answer.detail;
  EXPECT_EQ(chunked.answer.body, "a page");
  const Read closed = read_answer("HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip\r\n\r\n" + testing::gzip("a page"));
  EXPECT_EQ(closed.answer.body, "a page");
  EXPECT_FALSE(closed.reusable);
}

TEST(ResponseReader, LinesMayEndWithoutCarriageReturn) {
  const Read read = read_answer("HTTP/1.1 200 OK\nContent-Length: 2\n\nok");
  EXPECT_EQ(read.answer.error, FetchError::kNone) << read.answer.detail;
  EXPECT_EQ(read.answer.body, "ok");
}

}  // namespace
}  // namespace heddle::crawler
