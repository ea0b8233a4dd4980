#include "crawler/fetch/decoders.hpp"

#include <gtest/gtest.h>

#include <memory>
#include <random>
#include <string>
#include <vector>

#include "crawler/fetch/testing/encoders.hpp"

namespace heddle::crawler {
namespace {

struct Decoded {
  std::string text;
  FetchError error = FetchError::kNone;
};

// The body in pieces of `step` bytes.
Decoded decode(const std::string& coding, std::string_view body, std::size_t step = 1 << 20,
               std::size_t limit = 1 << 24) {
  Decoded decoded;
  const auto sink = decoder_for(coding, std::make_unique<StringSink>(decoded.text, limit), limit);
  if (sink == nullptr) return {"", FetchError::kDecode};
  for (std::size_t at = 0; at < body.size(); at += step) {
    decoded.error = sink->take(body.substr(at, step));
    if (decoded.error != FetchError::kNone) return decoded;
  }
  decoded.error = sink->finish();
  return decoded;
}

std::string text_of(std::size_t size) {
  std::mt19937 random(size);
  std::string text;
  while (text.size() < size) text += "<p>" + std::to_string(random() % 1000) + "</p>\n";
  text.resize(size);
  return text;
}

struct Coding {
  const char* name;
  std::string (*encode)(std::string_view);
};
const std::vector<Coding> kCodings = {
    {"gzip", testing::gzip},           {"X-GZip", testing::gzip}, {"deflate", testing::deflate_zlib},
    {"deflate", testing::deflate_raw}, {"br", testing::brotli},   {"zstd", testing::zstd}};

TEST(Decoders, GiveBackWhatWasEncodedInPiecesOfAnySize) {
  for (const Coding& coding : kCodings)
    for (const std::size_t size : {0, 1, 2, 17, 1000, 300'000}) {
      const std::string text = text_of(size);
      const std::string body = coding.encode(text);
      for (const std::size_t step : {std::size_t{1}, std::size_t{2}, std::size_t{7}, std::size_t{1} << 20}) {
        const Decoded decoded = decode(coding.name, body, step);
        EXPECT_EQ(decoded.error, FetchError::kNone) << coding.name << ' ' << size << ' ' << step;
        EXPECT_TRUE(decoded.text == text) << coding.name << ' ' << size << ' ' << step;
      }
    }
}

TEST(Decoders, UndoTheLastOfSeveralCodingsFirst) {
  const std::string text = text_of(50'000);
  const Decoded decoded = decode("gzip, identity,,br ,\tzstd", testing::zstd(testing::brotli(testing::gzip(text))), 11);
  EXPECT_EQ(decoded.error, FetchError::kNone);
  EXPECT_TRUE(decoded.text == text);
}

TEST(Decoders, AnEmptyBodyIsEmptyWhateverItsCoding) {
  for (const Coding& coding : kCodings) EXPECT_EQ(decode(coding.name, "").error, FetchError::kNone) << coding.name;
}

TEST(Decoders, ABodyThatEndsEarlyIsBroken) {
  for (const Coding& coding : kCodings) {
    const std::string body = coding.encode(text_of(5000));
    for (std::size_t size = 1; size < body.size(); size += 1 + size / 8)
      EXPECT_EQ(decode(coding.name, std::string_view(body).substr(0, size)).error, FetchError::kDecode)
          << coding.name << ' ' << size;
    EXPECT_EQ(decode(coding.name, std::string_view(body).substr(0, body.size() - 1)).error, FetchError::kDecode);
  }
}

TEST(Decoders, ABodyThatWasNotEncodedIsBroken) {
  for (const Coding& coding : kCodings)
    EXPECT_EQ(decode(coding.name, "<html><body>this is a page</body></html>").error, FetchError::kDecode)
        << coding.name;
}

TEST(Decoders, UnknownCodingsAndMoreThanFourAreRefused) {
  EXPECT_EQ(decoder_for("compress", nullptr, 1), nullptr);
  EXPECT_EQ(decoder_for("gzip, gzip, gzip, gzip, gzip", nullptr, 1), nullptr);
  EXPECT_NE(decoder_for("gzip, gzip, gzip, gzip", nullptr, 1), nullptr);
}

TEST(Decoders, WhatStandsForMoreThanTheLimitIsCutThere) {
  const std::string zeros(std::size_t{8} << 20, '\0');
  for (const Coding& coding : kCodings) {
    const Decoded decoded = decode(coding.name, coding.encode(zeros), 4096, 100'000);
    EXPECT_EQ(decoded.error, FetchError::kTooLarge) << coding.name;
    EXPECT_EQ(decoded.text.size(), 100'000U) << coding.name;
  }
}

TEST(Decoders, ABombInTheMiddleOfSeveralCodingsIsFoundThere) {
  // 8 MB of frames that stand for nothing, in a few KB.
  const std::string empty_frame = testing::zstd("");
  std::string empty_frames;
  while (empty_frames.size() < (std::size_t{8} << 20)) empty_frames += empty_frame;
  const Decoded decoded = decode("zstd, gzip", testing::gzip(empty_frames), 4096, 100'000);
  EXPECT_EQ(decoded.error, FetchError::kTooLarge);
  EXPECT_EQ(decoded.text, "");
}

TEST(Decoders, MembersOfGzipAndFramesOfZstdFollowEachOther) {
  std::string members;
  std::string frames;
  std::string text;
  for (int i = 0; i < 5000; ++i) {
    members += testing::gzip("a" + std::to_string(i));
    frames += testing::zstd("a" + std::to_string(i));
    text += "a" + std::to_string(i);
  }
  for (const std::size_t step : {1, 3, 100'000'000}) {
    EXPECT_TRUE(decode("gzip", members, step).text == text);
    EXPECT_TRUE(decode("zstd", frames, step).text == text);
  }
}

TEST(Decoders, WhatFollowsTheLastMemberOfGzipIsIgnored) {
  const Decoded decoded = decode("gzip", testing::gzip("page") + std::string(100, '\0'), 3);
  EXPECT_EQ(decoded.error, FetchError::kNone);
  EXPECT_EQ(decoded.text, "page");
  EXPECT_EQ(decode("gzip", testing::gzip("page") + "\x1f").error, FetchError::kNone);
  EXPECT_EQ(decode("gzip", testing::gzip("page") + "\x1f\x8b broken").error, FetchError::kDecode);
}

TEST(Decoders, AnyChangeOfABodyGivesAnEndWithinTheLimit) {
  std::mt19937 random(20'261'129);
  constexpr std::size_t kLimit = 20'000;
  std::size_t broken = 0;
  for (int i = 0; i < 24'000; ++i) {
    const Coding& coding = kCodings[static_cast<std::size_t>(i) % kCodings.size()];
    static std::vector<std::string> bodies;
    if (bodies.empty())
      for (const Coding& one : kCodings) bodies.push_back(one.encode(text_of(3000)));
    std::string body = bodies[static_cast<std::size_t>(i) % kCodings.size()];
    for (unsigned changes = 1 + random() % 4; changes > 0; --changes) {
      const std::size_t at = random() % body.size();
      switch (random() % 3) {
        case 0:
          body[at] = static_cast<char>(random());
          break;
        case 1:
          body.insert(at, 1 + random() % 20, static_cast<char>(random()));
          break;
        default:
          body.erase(at, 1 + random() % 20);
      }
      if (body.empty()) body = "x";
    }
    const Decoded decoded = decode(coding.name, body, 1 + random() % 700, kLimit);
    ASSERT_LE(decoded.text.size(), kLimit);
    if (decoded.error != FetchError::kNone) ++broken;
  }
  EXPECT_GT(broken, 20'000U);
}

}  // namespace
}  // namespace heddle::crawler
