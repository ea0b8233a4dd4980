// Which bytes of a node are told apart: arrays bound walks, walks and joins fold, too much of either collapses.
#include "elyze/points_to/layout.hpp"

#include <gtest/gtest.h>

namespace heddle::elyze {
namespace {

// Provenance `n` are the first n bytes of the node, kNoProvenance all of it.
Range reach(ProvenanceId id) { return id == kNoProvenance ? kEverything : Range{0, id}; }
// Provenance `n` are the bytes from 16 on.
Range reach_behind(ProvenanceId id) { return {16, id}; }

TEST(Layout, tells_all_offsets_apart_where_nothing_moves) {
  Layout layout;
  layout.add_array(0, 64);
  EXPECT_FALSE(layout.refold(0, reach));
  EXPECT_EQ(layout.key(8), 8);
  EXPECT_EQ(layout.key(-8), -8);
  EXPECT_FALSE(layout.folded(8));
}

TEST(Layout, a_walk_folds_what_it_was_made_from_and_nothing_else) {
  Layout layout;
  EXPECT_TRUE(layout.add_walk(16, 16, 48));
  EXPECT_TRUE(layout.refold(0, reach_behind));
  EXPECT_EQ(layout.key(32), 16);  // the next element
  EXPECT_EQ(layout.key(40), 24);  // a field of it
  EXPECT_EQ(layout.key(48), 48);  // behind the array
  EXPECT_EQ(layout.key(8), 8);    // before it
  EXPECT_FALSE(layout.refold(0, reach_behind)) << "nothing has changed since";
}

TEST(Layout, a_walk_of_nobody_knows_what_folds_the_node_in_both_directions) {
  Layout layout;
  layout.add_walk(24, 8, kNoProvenance);
  layout.refold(std::nullopt, reach);
  EXPECT_EQ(layout.key(80), 0);
  EXPECT_EQ(layout.key(-80), 0);
}

TEST(Layout, a_walk_from_outside_of_what_it_was_made_from_folds_all) {
  Layout layout;
  layout.add_walk(24, 8, 16);
  layout.refold(std::nullopt, reach);
  EXPECT_EQ(layout.key(80), 0);
}

TEST(Layout, strides_smaller_than_a_pointer_tell_no_offsets_apart) {
  Layout layout;
  layout.add_walk(0, 4, 64);
  layout.refold(std::nullopt, reach);
  EXPECT_EQ(layout.key(36), 0);
}

TEST(Layout, walks_of_two_strides_leave_what_both_have_in_common) {
  Layout layout;
  layout.add_walk(0, 24, 240);
  EXPECT_TRUE(layout.add_walk(0, 16, 240));
  EXPECT_FALSE(layout.add_walk(0, -8, 240)) << "8 is what 24 and 16 have in common";
  EXPECT_EQ(layout.walk_at(0), 240U);
  EXPECT_EQ(layout.walk_at(8), std::nullopt);
  layout.refold(std::nullopt, reach);
  EXPECT_EQ(layout.key(40), 0);
}

TEST(Layout, a_join_folds_by_the_distance_of_its_offsets) {
  Layout layout;
  EXPECT_TRUE(layout.add_join(24, 0, kNoProvenance));
  EXPECT_FALSE(layout.add_join(0, 24, kNoProvenance));
  layout.refold(std::nullopt, reach);
  EXPECT_EQ(layout.key(32), 8);
  EXPECT_EQ(layout.key(-16), 8);
}

TEST(Layout, what_lies_before_the_objects_is_in_an_array_at_their_start) {
  Layout at_start;
  at_start.add_walk(0, 16, 32);
  at_start.refold(0, reach);
  EXPECT_EQ(at_start.key(-8), 8);  // the field of the element before the first
  Layout inside;
  inside.add_walk(16, 16, 48);
  inside.refold(0, reach_behind);
  EXPECT_EQ(inside.key(8), 8);
}

TEST(Layout, numbers_keep_edges_of_their_own) {
  Layout layout;
  layout.add_walk(0, 16, 32);
  layout.refold(std::nullopt, reach);
  EXPECT_EQ(layout.key(kNumbers + 24), kNumbers + 8);
  EXPECT_TRUE(is_number(kNumbers - 64));
  EXPECT_EQ(plain_offset(kNumbers - 64), -64);
}

TEST(Layout, an_access_covers_the_arrays_and_folds_that_it_meets) {
  Layout layout;
  layout.add_array(8, 16);
  EXPECT_EQ(layout.extent(12, 1), (Range{8, 24}));
  EXPECT_EQ(layout.extent(0, 4), (Range{0, 4}));
  EXPECT_EQ(layout.extent(4, 8), (Range{4, 24}));
}

TEST(Layout, an_array_of_no_known_size_goes_on_to_the_end) {
  Layout layout;
  layout.add_array(16, 0);
  EXPECT_EQ(layout.extent(800, 1), (Range{16, kFar}));
  EXPECT_EQ(layout.extent(8, 1), (Range{8, 9}));
}

TEST(Layout, a_collapsed_node_is_one_place) {
  Layout layout;
  layout.add_array(0, 16);
  EXPECT_TRUE(layout.collapse());
  EXPECT_FALSE(layout.collapse());
  layout.refold(0, reach);
  EXPECT_EQ(layout.key(1000), layout.key(-1000));
  EXPECT_EQ(layout.extent(8, 1), kEverything);
}

TEST(Layout, says_when_there_are_too_many_arrays) {
  Layout layout;
  for (std::int64_t i = 0; i < 100; ++i) layout.add_array(i * 16, 8);
  EXPECT_FALSE(layout.many_arrays());
  for (std::int64_t i = 100; i < 200; ++i) layout.add_array(i * 16, 8);
  EXPECT_TRUE(layout.many_arrays());
}

TEST(Layout, takes_over_what_is_known_of_another_node_at_a_distance) {
  Layout other;
  other.add_walk(0, 16, 1);
  other.add_join(0, 8, 2);
  Layout layout;
  layout.add_join(100, 108, 3);
  int met = 0;
  layout.find_meeting(other, 100, [&](ProvenanceId here, ProvenanceId there) {
    EXPECT_EQ(here, 3U);
    EXPECT_EQ(there, 2U);
    ++met;
  });
  EXPECT_EQ(met, 1);
  layout.absorb(other, 100);
  layout.rename([](ProvenanceId id) { return id + 1; });
  EXPECT_EQ(layout.walk_at(100), 2U);
  EXPECT_EQ(layout.join_of(108, 100), 4U);
  EXPECT_TRUE(layout.refold(0, [](ProvenanceId) { return Range{100, 132}; }));
  EXPECT_EQ(layout.key(124), 100);
  EXPECT_EQ(layout.key(24), 24);
}

}  // namespace
}  // namespace heddle::elyze
