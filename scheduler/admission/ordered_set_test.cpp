#include "scheduler/admission/ordered_set.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <memory>
#include <random>
#include <set>
#include <vector>

namespace heddle::scheduler {
namespace {

struct Element {
  std::uint64_t key = 0;
  OrderedNode<Element> node;
  static inline std::uint64_t comparisons = 0;
};

bool before(const Element& a, const Element& b) {
  ++Element::comparisons;
  return a.key < b.key;
}

std::uint64_t heap_weight(const Element& x) {
  return (x.key + 1) * 0x9e3779b97f4a7c15U ^ ((x.key * 0xbf58476dU) << 17);
}

using Elements = OrderedSet<Element, &Element::node>;

std::vector<Element> numbered(std::size_t count) {
  std::vector<Element> elements(count);
  for (std::size_t i = 0; i < count; ++i) elements[i].key = i;
  return elements;
}

TEST(AdmissionOrderedSet, AgreesWithASortedSetUnderRandomInsertionsAndRemovals) {
  std::mt19937_64 random(1);
  for (int round = 0; round < 50; ++round) {
    std::vector<Element> elements = numbered(64);
    Elements ours;
    std::set<std::uint64_t> reference;
    for (int step = 0; step < 400; ++step) {
      Element& x = elements[random() % elements.size()];
      if (reference.erase(x.key) != 0) {
        ours.erase(x);
      } else {
        reference.insert(x.key);
        ours.insert(x);
      }
      ASSERT_EQ(ours.empty(), reference.empty());
      if (!reference.empty()) {
        ASSERT_EQ(ours.first()->key, *reference.begin());
      }
      const Element& probe = elements[random() % elements.size()];
      const auto at_or_after = reference.lower_bound(probe.key);
      const Element* found = ours.last_before(probe);
      if (at_or_after == reference.begin()) {
        ASSERT_EQ(found, nullptr);
      } else {
        ASSERT_NE(found, nullptr);
        ASSERT_EQ(found->key, *std::prev(at_or_after));
      }
    }
  }
}

TEST(AdmissionOrderedSet, IsEmptyAgainAfterRemovalInAnyOrder) {
  std::vector<Element> elements = numbered(100);
  Elements set;
  for (Element& x : elements) set.insert(x);
  for (std::size_t i = 0; i < elements.size(); ++i) set.erase(elements[i * 37 % elements.size()]);
  EXPECT_TRUE(set.empty());
  EXPECT_EQ(set.first(), nullptr);
}

TEST(AdmissionOrderedSet, QueueUseComparesAConstantNumberOfTimesPerElement) {
  std::vector<Element> elements = numbered(10'000);
  Elements set;
  Element::comparisons = 0;
  for (Element& x : elements) set.insert(x);
  for (Element& x : elements) {
    EXPECT_EQ(set.last_before(x), nullptr);
    set.erase(x);
  }
  EXPECT_LE(Element::comparisons, 3 * elements.size());
}

TEST(AdmissionOrderedSet, SearchInTheMiddleTakesLogarithmicallyManyComparisons) {
  std::vector<Element> elements = numbered(1 << 16);
  Elements set;
  for (Element& x : elements) set.insert(x);
  Element::comparisons = 0;
  constexpr std::size_t kSearches = 1000;
  for (std::size_t i = 0; i < kSearches; ++i) set.last_before(elements[1 + i * 65]);
  EXPECT_LE(Element::comparisons, kSearches * 60);  // expected depth of a treap: about 2 ln n = 22
}

}  // namespace
}  // namespace heddle::scheduler
