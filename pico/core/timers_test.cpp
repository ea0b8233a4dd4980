#include "pico/core/timers.hpp"

#include <gtest/gtest.h>

#include <map>
#include <random>
#include <vector>

namespace heddle::pico {
namespace {

TEST(PicoTimers, GiveEachOwnerWhenItIsDueAndInThatOrder) {
  std::mt19937 random(1);
  Timers<int> timers;
  std::vector<int> owners(500);
  std::vector<Timer<int>> own(owners.size());
  std::multimap<base::Nanoseconds, std::size_t> expected;  // a reference that is too slow, and right
  std::vector<bool> in(owners.size());
  base::Nanoseconds now = 0;
  for (int step = 0; step < 20'000; ++step) {
    const std::size_t i = random() % owners.size();
    if (!in[i]) {
      own[i].owner = &owners[i];
      const base::Nanoseconds due = now + random() % 100;
      timers.add(own[i], due);
      expected.emplace(due, i);
      in[i] = true;
    } else if (random() % 2 == 0) {
      timers.remove(own[i]);
      for (auto it = expected.begin(); it != expected.end(); ++it)
        if (it->second == i) {
          expected.erase(it);
          break;
        }
      in[i] = false;
    }
    now += random() % 3;
    while (int* const owner = timers.take_due(now)) {
      const auto index = static_cast<std::size_t>(owner - owners.data());
      const base::Nanoseconds least = expected.begin()->first;
      ASSERT_LE(least, now);
      bool found = false;
      for (auto it = expected.begin(); it != expected.end() && it->first == least; ++it)
        if (it->second == index) {
          expected.erase(it);
          found = true;
          break;
        }
      ASSERT_TRUE(found) << "not the one that is due first";
      in[index] = false;
    }
    ASSERT_EQ(timers.size(), expected.size());
    ASSERT_EQ(timers.next(), expected.empty() ? Timers<int>::kNever : expected.begin()->first);
    ASSERT_TRUE(expected.empty() || expected.begin()->first > now);
  }
}

}  // namespace
}  // namespace heddle::pico
