#include "crawler/frontier/young_rows.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>

namespace heddle::crawler {
namespace {

using testing::ElementsAre;

YoungRows::Young row_of(std::uint64_t number, std::uint32_t depth, HostId host) {
  YoungRows::Young row;
  row.key = {number * 3, number / 7};  // several with one place in the table
  row.host = host;
  row.depth = depth;
  row.via = static_cast<std::int64_t>(number / 2);
  return row;
}

std::vector<std::int64_t> queued(YoungRows& rows, std::uint32_t depth, HostId host, std::int64_t after = 0) {
  std::vector<std::int64_t> found;
  rows.queued(depth, host, after, 3, found);
  return found;
}

TEST(YoungRows, GiveTheQueuedOnesOfADepthAndHostInTheirOrder) {
  YoungRows rows(100);
  for (std::uint64_t number = 0; number < 10; ++number) rows.add(row_of(number, 1, number % 2 == 0 ? 4 : 9), "url");
  EXPECT_THAT(queued(rows, 1, 4), ElementsAre(101, 103, 105));
  EXPECT_THAT(queued(rows, 1, 4, 103), ElementsAre(105, 107, 109));
  rows.set_done(101, 0);
  rows.set_moved(105);
  EXPECT_THAT(queued(rows, 1, 4), ElementsAre(103, 107, 109));
  EXPECT_THAT(queued(rows, 2, 4), ElementsAre());
  EXPECT_EQ(rows.host_after(1, 0), 4);
  EXPECT_EQ(rows.host_after(1, 4), 9);
  EXPECT_EQ(rows.host_after(1, 9), 0);
  EXPECT_EQ(rows.host_after(0, 9), 0);
  EXPECT_EQ(rows.row(105), nullptr);
  EXPECT_EQ(rows.row(100), nullptr);
  EXPECT_EQ(rows.row(111), nullptr);
  EXPECT_EQ(rows.find(row_of(4, 1, 4).key), 105);  // moved, and still found by its key
  EXPECT_EQ(rows.find(row_of(10, 1, 4).key), 0);
  rows.clear();
  EXPECT_EQ(rows.first(), 111);
  EXPECT_EQ(rows.find(row_of(4, 1, 4).key), 0);
  EXPECT_EQ(rows.host_after(1, 0), 0);
}

// Some steps, and what encode() gave between them.
std::vector<std::string> random_history(YoungRows& rows, unsigned seed) {
  std::mt19937_64 random(seed);
  std::vector<std::string> pieces;
  for (std::uint64_t step = 0; step < 300; ++step) {
    const auto some = rows.first() + static_cast<std::int64_t>(random() % (rows.end() - rows.first() + 1));
    switch (random() % 5) {
      case 0:
        if (rows.row(some) != nullptr) rows.set_done(some, static_cast<JobFlags>(random() % 64));
        break;
      case 1:
        if (rows.row(some) != nullptr) rows.set_moved(some);
        break;
      case 2:
        pieces.push_back(rows.encode());
        break;
      default:
        rows.add(row_of(step, static_cast<std::uint32_t>(random() % 3), 1 + static_cast<HostId>(random() % 3)),
                 "https://a.example/" + std::to_string(step));
    }
  }
  pieces.push_back(rows.encode());
  return pieces;
}

TEST(YoungRows, AreReadAgainFromWhatWasWritten) {
  for (unsigned seed = 0; seed < 50; ++seed) {
    YoungRows rows(7);
    YoungRows again(30);  // of the table, for some were moved there
    for (const std::string& piece : random_history(rows, seed)) ASSERT_TRUE(again.decode(piece));
    ASSERT_EQ(again.first(), rows.first());
    ASSERT_EQ(again.end(), rows.end());
    for (std::int64_t id = rows.first(); id < rows.end(); ++id) {
      const auto values = [id](const YoungRows& of) {
        const YoungRows::Young& row = of.any(id);
        return std::tuple(row.state, row.flags, row.host, row.depth, row.via, of.url(row), of.find(row.key));
      };
      ASSERT_EQ(values(again), values(rows));
    }
    for (std::uint32_t depth = 0; depth < 3; ++depth)
      for (HostId host = 1; host <= 3; ++host) ASSERT_EQ(queued(again, depth, host), queued(rows, depth, host));
    ASSERT_EQ(again.encode(), YoungRows(rows.first() - 1).encode());  // nothing more
  }
}

TEST(YoungRows, BytesThatAreNoneDoNoHarm) {
  std::mt19937_64 random(1);
  unsigned refused = 0;
  for (unsigned seed = 0; seed < 500; ++seed) {
    YoungRows rows(7);
    std::string bytes = random_history(rows, seed % 5).back();
    for (auto change = 1 + random() % 4; change > 0; --change)
      bytes[random() % bytes.size()] = static_cast<char>(random());
    if (random() % 4 == 0) bytes.resize(random() % bytes.size());
    YoungRows again(30);
    refused += again.decode(bytes) ? 0 : 1;
  }
  EXPECT_GT(refused, 10U);
}

}  // namespace
}  // namespace heddle::crawler
