// The points-to graph by itself: what becomes one, what stays apart, what a calling context copies, what is reached.
#include "elyze/points_to/graph.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace heddle::elyze {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::Not;
using testing::UnorderedElementsAre;

bool same(const Graph& graph, Cell a, Cell b) { return graph.find(a).at_same_place(graph.find(b)); }

// Cells without what their pointers were made from.
std::vector<Cell> places(const std::vector<Cell>& cells) {
  std::vector<Cell> found;
  for (const Cell cell : cells) found.emplace_back(cell.node, cell.offset);
  return found;
}
Cell place(Cell cell) { return {cell.node, cell.offset}; }

TEST(Unification, makes_the_two_bytes_one_and_shifts_the_others) {
  Graph graph;
  const Cell a = graph.make();
  const Cell b = graph.make();
  const Cell c = graph.make();
  graph.unify(a.plus(8), b);
  graph.unify(b.plus(8), c.plus(100));
  EXPECT_TRUE(same(graph, a.plus(8), b));
  EXPECT_TRUE(same(graph, a.plus(12), b.plus(4)));
  EXPECT_TRUE(same(graph, a.plus(16), c.plus(100)));
  EXPECT_FALSE(same(graph, a, b));
}

TEST(Unification, takes_negative_offsets_as_container_of_makes_them) {
  Graph graph;
  const Cell member = graph.make();
  const Cell owner = graph.make();
  const Cell back = graph.edge(owner);  // a pointer in the first field of the owner
  graph.unify(member.plus(-16), owner);
  EXPECT_TRUE(same(graph, graph.edge(member.plus(-16)), back));
  EXPECT_FALSE(graph.edge_if_any(member).valid());
}

TEST(Unification, goes_on_through_what_both_point_to) {
  Graph graph;
  const Cell a = graph.make();
  const Cell b = graph.make();
  const Cell first = graph.edge(a.plus(8));
  const Cell second = graph.edge(b.plus(8));
  const Cell elsewhere = graph.edge(b.plus(16));
  const Cell behind_first = graph.edge(first);
  const Cell behind_second = graph.edge(second);
  graph.unify(a, b);
  EXPECT_TRUE(same(graph, first, second));
  EXPECT_TRUE(same(graph, behind_first, behind_second));
  EXPECT_FALSE(same(graph, first, elsewhere));
}

TEST(Unification, keeps_where_objects_begin) {
  Graph graph;
  const Cell a = graph.make_object({ObjectKind::kHeap, nullptr, "a", nullptr, 32}, kVariable);
  const Cell b = graph.make_object({ObjectKind::kHeap, nullptr, "b", nullptr, 8}, kConstant);
  graph.unify(a.plus(24), b);
  const Graph::Node& node = graph.node(a);
  ASSERT_EQ(node.objects.size(), 2U);
  const std::int64_t start = graph.find(a).offset;
  for (const Graph::Placed& placed : node.objects)
    EXPECT_EQ(placed.base - start, graph.object(placed.object).name == "a" ? 0 : 24);
  EXPECT_EQ(node.flags & (kVariable | kConstant), kVariable | kConstant);
}

TEST(Unification, of_two_offsets_of_one_node_folds_it) {
  Graph graph;
  const Cell a = graph.make();
  const Cell first = graph.edge(a);
  const Cell next = graph.edge(a.plus(24));
  const Cell other = graph.edge(a.plus(8));
  graph.unify(a, a.plus(24));
  graph.close({});
  EXPECT_TRUE(same(graph, first, next));
  EXPECT_FALSE(same(graph, first, other));
  EXPECT_TRUE(graph.walked_at(a.plus(48)));
}

TEST(Edges, of_stores_alone_keep_their_targets_apart_until_one_is_loaded) {
  Graph graph;
  const Cell place = graph.make();
  const Cell x = graph.make();
  const Cell y = graph.make();
  EXPECT_TRUE(graph.add_target(place, x));
  EXPECT_TRUE(graph.add_target(place, y));
  EXPECT_FALSE(graph.add_target(place, x));
  EXPECT_FALSE(same(graph, x, y));
  EXPECT_FALSE(graph.edge_if_any(place).valid());
  EXPECT_TRUE(same(graph, graph.edge(place), y));
  EXPECT_TRUE(same(graph, x, y));
}

TEST(Edges, of_a_number_and_a_pointer_at_one_place_are_one) {
  Graph graph;
  const Cell a = graph.make();
  const Cell pointer = graph.edge(a);
  const Cell number = graph.edge(a, true);
  EXPECT_TRUE(same(graph, pointer, number));
  graph.add_walk(a.plus(64), 16);
  graph.close({});
  const Cell b = graph.make();
  graph.add_walk(b, 16);
  graph.close({});
  EXPECT_FALSE(same(graph, graph.edge(b), graph.edge(b, true))) << "folded: a length and a pointer of an element";
}

TEST(Edges, that_are_too_many_collapse_the_node) {
  Graph graph;
  const Cell a = graph.make();
  const Cell b = graph.make();
  for (int i = 0; i < 600; ++i) graph.edge(a.plus(8 * i));
  graph.unify(a, b);
  graph.close({});
  EXPECT_EQ(graph.extent(a, 8), kEverything);
  EXPECT_TRUE(same(graph, graph.edge(a), graph.edge(a.plus(8 * 599))));
}

TEST(Copies, move_the_pointers_within_their_bytes) {
  Graph graph;
  const Cell from = graph.make();
  const Cell to = graph.make();
  const Cell inside = graph.make();
  const Cell behind = graph.make();
  graph.add_target(from.plus(8), inside);
  graph.add_target(from.plus(16), behind);
  graph.close({{to.plus(32), from, 16}});
  EXPECT_TRUE(same(graph, graph.edge(to.plus(40)), inside));
  EXPECT_FALSE(graph.edge_if_any(to.plus(48)).valid());
}

TEST(Copies, are_carried_out_again_when_a_pointer_is_stored_later) {
  Graph graph;
  const Cell first = graph.make();
  const Cell second = graph.make();
  const Cell third = graph.make();
  const Cell value = graph.make();
  const std::vector<Graph::Copy> copies = {{third, second, kFar}, {second, first, kFar}};
  graph.close(copies);
  graph.add_target(first.plus(8), value);
  graph.close(copies);
  EXPECT_TRUE(same(graph, graph.edge(third.plus(8)), value));
}

TEST(Copies, follow_as_many_pointers_as_they_say) {
  Graph graph;
  const Cell list = graph.make();
  const Cell element = graph.edge(list.plus(8));
  const Cell value = graph.make();
  graph.add_target(element, value);
  const Cell to = graph.make();
  graph.close({{to, list, 8, 0, 1}});
  EXPECT_TRUE(same(graph, graph.edge(to), value));
}

TEST(Clones, give_each_context_memory_of_its_own) {
  Graph graph;
  const Cell formal = graph.make();
  const Cell made = graph.make_object({ObjectKind::kHeap, nullptr, "block", nullptr, 8});
  graph.add_target(formal.plus(8), made);
  const Cell inside = graph.add_array(formal.plus(16), 8);
  Graph::CloneMap one;
  Graph::CloneMap other;
  const Cell a = graph.clone(formal.plus(4), one);
  const Cell b = graph.clone(formal.plus(4), other);
  EXPECT_FALSE(same(graph, a, b));
  EXPECT_EQ(a.offset, graph.find(formal.plus(4)).offset);
  EXPECT_FALSE(same(graph, graph.edge(a.plus(4)), graph.edge(b.plus(4))));
  EXPECT_EQ(graph.node(graph.edge(a.plus(4))).objects.size(), 1U);
  const Cell array = graph.cloned(inside, one);
  EXPECT_TRUE(same(graph, array, a.plus(12)));
  EXPECT_TRUE(graph.bounded(array));
  EXPECT_FALSE(graph.bounded(a.plus(12)));
  EXPECT_TRUE(same(graph, graph.cloned(made, one), graph.edge(a.plus(4))));
  EXPECT_FALSE(graph.cloned(graph.make(), one).valid());
}

TEST(Clones, leave_shared_memory_what_it_is) {
  Graph graph;
  const Cell formal = graph.make();
  const Cell global = graph.make(kShared);
  graph.add_target(formal, global.plus(8));
  Graph::CloneMap map;
  EXPECT_TRUE(same(graph, graph.edge(graph.clone(formal, map)), global.plus(8)));
}

TEST(Reachability, follows_numbers_or_not) {
  Graph graph;
  const Cell a = graph.make();
  const Cell pointed = graph.edge(a);
  const Cell behind = graph.edge(pointed.plus(8));
  const Cell file = graph.edge(a.plus(16), true);
  EXPECT_THAT(graph.reachable(a), UnorderedElementsAre(a.node, pointed.node, behind.node, file.node));
  EXPECT_THAT(places(graph.pointed_to(a)), ElementsAre(place(a), place(pointed), place(behind)));
  EXPECT_THAT(places(graph.pointed_to(a, true)), ElementsAre(place(a), place(pointed)));
}

TEST(Reachability, does_not_lead_out_of_an_array_inside_a_structure) {
  Graph graph;
  const Cell a = graph.make();
  const Cell array = graph.add_array(a.plus(16), 16);
  const Cell outside = place(graph.edge(a));
  const Cell inside = place(graph.edge(a.plus(24)));
  EXPECT_THAT(places(graph.pointed_to(array)), Contains(inside));
  EXPECT_THAT(places(graph.pointed_to(array)), Not(Contains(outside)));
  EXPECT_THAT(places(graph.pointed_to(a.plus(16))), Contains(outside)) << "a structure may begin there, too";
}

TEST(Provenance, bounds_a_walk_by_the_array_that_its_pointer_was_made_from) {
  Graph graph;
  const Cell object = graph.make_object({ObjectKind::kHeap, nullptr, "object", nullptr, 40});
  const Cell array = graph.add_array(object.plus(8), 16);
  const Cell hits = graph.edge(object.plus(32));
  graph.add_walk(array, 8);
  graph.close({});
  EXPECT_TRUE(graph.walked_at(object.plus(16)));
  EXPECT_FALSE(graph.walked_at(object.plus(32)));
  EXPECT_TRUE(same(graph, graph.edge(object.plus(32)), hits));
  EXPECT_EQ(graph.extent_to_end(array.plus(8)), (Range{8, 24}));
}

TEST(Provenance, of_a_structure_is_all_of_it_where_it_begins_with_an_array) {
  Graph graph;
  const Cell object = graph.make_object({ObjectKind::kHeap, nullptr, "object", nullptr, 40});
  graph.add_walk(graph.add_array(object, 16), 1);
  graph.close({});
  EXPECT_FALSE(graph.walked_at(object.plus(32)));
  EXPECT_EQ(graph.extent_to_end(object), (Range{-kFar, 40}));
  graph.add_walk(object, 1);
  graph.close({});
  EXPECT_TRUE(graph.walked_at(object.plus(32)));
  EXPECT_FALSE(graph.walked_at(object.plus(40)));
}

TEST(Provenance, is_the_callers_in_each_context) {
  Graph graph;
  const Cell formal = graph.make();
  graph.add_walk(formal, 1);
  graph.close({});
  const Cell object = graph.make_object({ObjectKind::kHeap, nullptr, "object", nullptr, 40});
  Graph::CloneMap first;
  graph.unify(graph.clone(formal, first), graph.add_array(object.plus(8), 16));
  graph.close({});
  EXPECT_TRUE(graph.walked_at(object.plus(16)));
  EXPECT_FALSE(graph.walked_at(object.plus(24)));
  Graph::CloneMap second;
  graph.unify(graph.clone(formal, second), object.plus(8));
  graph.close({});
  EXPECT_TRUE(graph.walked_at(object.plus(24)));
}

TEST(Provenance, grows_with_what_is_stored_in_one_place) {
  Graph graph;
  const Cell holder = graph.make();
  const Cell object = graph.make_object({ObjectKind::kHeap, nullptr, "object", nullptr, 40});
  graph.add_target(holder, graph.add_array(object, 16));
  const Cell loaded = graph.edge(holder);
  graph.add_walk(loaded, 1);
  graph.close({});
  EXPECT_FALSE(graph.walked_at(object.plus(32)));
  graph.add_target(holder, object);
  graph.close({});
  EXPECT_TRUE(graph.walked_at(object.plus(32)));
}

TEST(Provenance, moves_with_its_node) {
  Graph graph;
  const Cell part = graph.make_object({ObjectKind::kHeap, nullptr, "part", nullptr, 16});
  const Cell array = graph.add_array(part, 16);
  const Cell whole = graph.make_object({ObjectKind::kHeap, nullptr, "whole", nullptr, 100});
  for (int i = 0; i < 4; ++i) graph.edge(whole.plus(8 * i));  // the heavier of the two
  graph.unify(part, whole.plus(64));
  EXPECT_EQ(graph.reach(array).low - graph.find(whole).offset, 64);
  EXPECT_EQ(graph.reach(array).high - graph.find(whole).offset, 80);
  graph.add_walk(array.plus(100), 1);
  graph.close({});
  EXPECT_TRUE(graph.walked_at(whole)) << "it stands outside of what it was made from";
}

TEST(Flags, spread_over_edges_that_are_there_and_that_come_later) {
  Graph graph;
  const Cell global = graph.make(kShared);
  const Cell unknown = graph.make(kUnknownMemory);
  const Cell a = graph.make();
  const Cell b = graph.make();
  graph.add_target(global, a);
  graph.add_target(a, b);
  graph.share_reachable();
  EXPECT_TRUE(graph.node(b).flags & kShared);
  const Cell later = graph.make();
  graph.add_target(b, later);
  graph.share_reachable();
  EXPECT_TRUE(graph.node(later).flags & kShared);
  EXPECT_FALSE(graph.node(later).flags & kUnknownMemory);
  graph.add_target(unknown, global);
  graph.spread_unknown();
  EXPECT_TRUE(graph.node(later).flags & kUnknownMemory);
}

}  // namespace
}  // namespace heddle::elyze
