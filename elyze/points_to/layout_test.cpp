// Which bytes of a node are told apart: arrays bound walks, walks and joins fold, too much of either collapses.
#include "elyze/points_to/layout.hpp"

#include <gtest/gtest.h>

namespace heddle::elyze {
namespace {

TEST(Layout, tells_all_offsets_apart_where_nothing_moves) {
  Layout layout;
  layout.add_array(0, 64);
  EXPECT_FALSE(layout.refold(0));
  EXPECT_EQ(layout.key(8), 8);
  EXPECT_EQ(layout.key(-8), -8);
  EXPECT_FALSE(layout.folded(8));
}

TEST(Layout, a_walk_folds_the_array_it_starts_in_and_nothing_else) {
  Layout layout;
  layout.add_array(16, 32);
  EXPECT_TRUE(layout.add_walk(16, 16));
  EXPECT_TRUE(layout.refold(0));
  EXPECT_EQ(layout.key(32), 16);  // the next element
  EXPECT_EQ(layout.key(40), 24);  // a field of it
  EXPECT_EQ(layout.key(48), 48);  // behind the array
  EXPECT_EQ(layout.key(8), 8);    // before it
  EXPECT_FALSE(layout.refold(0)) << "nothing has changed since";
}

TEST(Layout, a_walk_outside_of_arrays_folds_the_node_in_both_directions) {
  Layout layout;
  layout.add_walk(24, 8);
  layout.refold(std::nullopt);
  EXPECT_EQ(layout.key(80), 0);
  EXPECT_EQ(layout.key(-80), 0);
}

TEST(Layout, strides_smaller_than_a_pointer_tell_no_offsets_apart) {
  Layout layout;
  layout.add_array(0, 64);
  layout.add_walk(0, 4);
  layout.refold(std::nullopt);
  EXPECT_EQ(layout.key(36), 0);
}

TEST(Layout, walks_of_two_strides_leave_what_both_have_in_common) {
  Layout layout;
  layout.add_array(0, 240);
  layout.add_walk(0, 24);
  EXPECT_TRUE(layout.add_walk(0, 16));
  EXPECT_FALSE(layout.add_walk(0, -8)) << "8 is what 24 and 16 have in common";
  layout.refold(std::nullopt);
  EXPECT_EQ(layout.key(40), 0);
}

TEST(Layout, a_join_folds_by_the_distance_of_its_offsets) {
  Layout layout;
  EXPECT_TRUE(layout.add_join(24, 0));
  EXPECT_FALSE(layout.add_join(0, 24));
  layout.refold(std::nullopt);
  EXPECT_EQ(layout.key(32), 8);
  EXPECT_EQ(layout.key(-16), 8);
}

TEST(Layout, what_lies_before_the_objects_is_in_an_array_at_their_start) {
  Layout at_start;
  at_start.add_array(0, 32);
  at_start.add_walk(0, 16);
  at_start.refold(0);
  EXPECT_EQ(at_start.key(-8), 8);  // the field of the element before the first
  Layout inside;
  inside.add_array(16, 32);
  inside.add_walk(16, 16);
  inside.refold(0);
  EXPECT_EQ(inside.key(8), 8);
}

TEST(Layout, numbers_keep_edges_of_their_own) {
  Layout layout;
  layout.add_array(0, 32);
  layout.add_walk(0, 16);
  layout.refold(std::nullopt);
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
  EXPECT_EQ(layout.extent_to_end(12), (Range{8, 24}));
  EXPECT_EQ(layout.extent_to_end(32), (Range{32, kFar}));
  EXPECT_TRUE(layout.bounded(8));
  EXPECT_FALSE(layout.bounded(24));
}

TEST(Layout, an_array_of_no_known_size_goes_on_to_the_end) {
  Layout layout;
  layout.add_array(16, 0);
  layout.add_walk(16, 8);
  layout.refold(0);
  EXPECT_EQ(layout.key(800), 16);
  EXPECT_EQ(layout.key(8), 8);
}

TEST(Layout, a_collapsed_node_is_one_place) {
  Layout layout;
  layout.add_array(0, 16);
  EXPECT_TRUE(layout.collapse());
  EXPECT_FALSE(layout.collapse());
  layout.refold(0);
  EXPECT_FALSE(layout.add_array(32, 8));
  EXPECT_EQ(layout.key(1000), layout.key(-1000));
  EXPECT_EQ(layout.extent(8, 1), kEverything);
}

TEST(Layout, too_many_arrays_collapse_it) {
  Layout layout;
  for (std::int64_t i = 0; i < 200; ++i) layout.add_array(i * 16, 8);
  EXPECT_EQ(layout.extent(8, 1), kEverything);
}

TEST(Layout, takes_over_what_is_known_of_another_node_at_a_distance) {
  Layout other;
  other.add_array(0, 32);
  other.add_walk(0, 16);
  Layout layout;
  layout.absorb(other, 100);
  EXPECT_TRUE(layout.refold(0));
  EXPECT_EQ(layout.key(124), 108);
  EXPECT_EQ(layout.key(24), 24);
}

}  // namespace
}  // namespace heddle::elyze
