// The tables in memory that stand before the store.
#include <gtest/gtest.h>

#include <cstdint>
#include <string>

#include "crawler/frontier/bloom_filter.hpp"
#include "crawler/frontier/lately_seen.hpp"
#include "crawler/frontier/levels.hpp"

namespace heddle::crawler {
namespace {

UrlKey key_of(std::uint64_t number) {
  static const UrlKeys keys(UrlKeys::new_secret());
  return keys.of("https://a.example/" + std::to_string(number));
}

TEST(UrlKeys, DependOnEveryByteAndOnTheSecret) {
  const UrlKeys keys(UrlKeys::new_secret());
  const UrlKeys others(UrlKeys::new_secret());
  EXPECT_EQ(keys.of("https://a.example/"), keys.of("https://a.example/"));
  EXPECT_FALSE(keys.of("https://a.example/") == keys.of("https://a.example/a"));
  EXPECT_FALSE(keys.of("") == keys.of(std::string_view("\0", 1)));
  EXPECT_FALSE(keys.of("https://a.example/") == others.of("https://a.example/"));
}

TEST(BloomFilter, NeverForgetsAKeyAndRarelyKnowsANewOne) {
  BloomFilter filter(2'000'000);
  std::uint64_t wrong = 0;
  for (std::uint64_t number = 0; number < 2'000'000; ++number) wrong += filter.add(key_of(number));
  for (std::uint64_t number = 0; number < 2'000'000; number += 7) ASSERT_TRUE(filter.add(key_of(number)));
  // While it fills; one that is full takes one in 1,000 for known.
  EXPECT_LT(wrong, 1000u);
  wrong = 0;
  for (std::uint64_t number = 2'000'000; number < 2'020'000; ++number) wrong += filter.add(key_of(number));
  EXPECT_LT(wrong, 60u);
  EXPECT_EQ(filter.bytes(), BloomFilter::kLeastBytes);
}

TEST(LatelySeen, FindsWhatItWasGivenLastOrNothing) {
  constexpr std::uint64_t kMany = 2'000'000;  // twice as many as it has places for
  LatelySeen seen;
  for (std::uint64_t number = 1; number <= kMany; ++number) {
    ASSERT_EQ(seen.find(key_of(number)).id, 0);
    seen.set({key_of(number), static_cast<std::int64_t>(number), 3, 0, Want::kPage});
    ASSERT_EQ(seen.find(key_of(number)).id, static_cast<std::int64_t>(number));
  }
  std::uint64_t there = 0;
  for (std::uint64_t number = 1; number <= kMany; ++number) {
    const std::int64_t id = seen.find(key_of(number)).id;
    if (id == 0) continue;
    ++there;
    ASSERT_EQ(id, static_cast<std::int64_t>(number));
  }
  EXPECT_GT(there, 800'000u);
}

TEST(LatelySeen, KeepsAllOfAnEntryOrNoneOfIt) {
  LatelySeen seen;
  std::uint64_t number = 0;
  for (const std::int64_t id : {1LL, (1LL << 36) - 1, 1LL << 36})
    for (const std::uint32_t depth : {0U, (1U << 19) - 1, 1U << 19, 1U << 30, (1U << 30) + 7, 1U << 31, 0xFFFFFFFFU})
      for (const std::uint32_t hops : {0U, 63U, 64U})
        for (const Want want : {Want::kPage, Want::kShown, Want::kCheck}) {
          const UrlKey key = key_of(++number);
          seen.set({key, id, depth, hops, want});
          const LatelySeen::Entry found = seen.find(key);
          const bool small = id < 1LL << 36 && (depth & ~(1U << 30)) < 1U << 19 && hops < 64;
          ASSERT_EQ(found.id, small ? id : 0);
          if (!small) continue;
          ASSERT_EQ(found.depth, depth);
          ASSERT_EQ(found.hops, hops);
          ASSERT_EQ(found.want, want);
        }
}

TEST(LatelySeen, AnEntryCoversWhatBringsNothingNew) {
  const LatelySeen::Entry entry{{}, 1, 3, 1, Want::kShown};
  EXPECT_TRUE(entry.covers({{}, {}, 3, 1, kResource}));
  EXPECT_TRUE(entry.covers({{}, {}, 4, 0, kCheckOnly}));
  EXPECT_FALSE(entry.covers({{}, {}, 3, 0, kResource}));
  EXPECT_FALSE(entry.covers({{}, {}, 2, 5, kResource}));
  EXPECT_FALSE(entry.covers({{}, {}, 9, 9, 0}));
  EXPECT_FALSE(entry.covers({{}, {}, 9, 9, kGiven | kResource}));
  EXPECT_FALSE(LatelySeen::Entry{}.covers({{}, {}, 9, 9, kCheckOnly}));
}

TEST(Levels, TheLowestIsTheLeastThatHasSomethingToDo) {
  Levels levels;
  EXPECT_EQ(levels.lowest(true), 0u);
  levels.add(5, &Levels::Count::queued, 2);
  levels.add(7, &Levels::Count::waiting, 1);
  EXPECT_EQ(levels.lowest(true), 5u);
  EXPECT_EQ(levels.lowest(false), 7u);
  levels.add(4, &Levels::Count::leased, 1);
  EXPECT_EQ(levels.lowest(false), 4u);
  levels.add(4, &Levels::Count::leased, -1);
  EXPECT_EQ(levels.lowest(true), 5u);
  EXPECT_EQ(levels.total().queued, 2u);
  EXPECT_EQ(levels.of(5).queued, 2u);
  EXPECT_TRUE(levels.of(6).empty());
}

}  // namespace
}  // namespace heddle::crawler
