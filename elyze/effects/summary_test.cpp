// What callers learn from a summary: cells and roots of the callee in their own terms, precisely and in pools.
#include "elyze/effects/summary.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "elyze/tests/analysed.hpp"

namespace heddle::elyze {
namespace {

const char* const kProgram = R"(
  @counter = global i32 0
  declare ptr @malloc(i64)
  declare ptr @event_new(ptr, i32, i16, ptr, ptr)

  define void @set(ptr %owner, ptr %value) {
    %field = getelementptr i8, ptr %owner, i64 8
    store ptr %value, ptr %field
    ret void
  }
  define void @count() {
    store i32 1, ptr @counter
    ret void
  }
  define void @gives_a_block(ptr %session) {
    %block = call ptr @malloc(i64 16)
    call void @set(ptr %session, ptr %block)
    call void @count()
    ret void
  }
  define void @gives_it_twice(ptr %session, ptr %other) {
    %block = call ptr @malloc(i64 16)
    call void @set(ptr %session, ptr %block)
    call void @set(ptr %other, ptr %block)
    ret void
  }
  define void @sets_behind(ptr %session, ptr %value) {
    %peer = load ptr, ptr %session
    call void @set(ptr %peer, ptr %value)
    ret void
  }
  define void @sets_its_own(ptr %value) {
    %local = alloca [16 x i8]
    call void @set(ptr %local, ptr %value)
    ret void
  }
  define void @sets_two(ptr %a, ptr %b, ptr %x, ptr %y) {
    call void @set(ptr %a, ptr %x)
    call void @set(ptr %b, ptr %y)
    ret void
  }

  define void @on_tick(i32 %fd, i16 %what, ptr %arg) {
    ret void
  }
  define void @registers(ptr %base, ptr %callback, ptr %arg) {
    %event = call ptr @event_new(ptr %base, i32 -1, i16 16, ptr %callback, ptr %arg)
    ret void
  }
  define void @starts(ptr %base, ptr %session) {
    %inside = getelementptr i8, ptr %session, i64 24
    call void @registers(ptr %base, ptr @on_tick, ptr %inside)
    ret void
  }
)";

const Access* write_of(const std::vector<Access>& accesses) {
  const auto found =
      std::find_if(accesses.begin(), accesses.end(), [](const Access& access) { return access.mode == Mode::kWrite; });
  return found == accesses.end() ? nullptr : &*found;
}

TEST(Summaries, name_a_callees_write_by_what_the_caller_passed) {
  Analysed program(kProgram);
  const Access* write = write_of(program.summary("gives_a_block").open);
  ASSERT_NE(write, nullptr);
  EXPECT_EQ(write->root, program.analysis().roots.param(0));
  EXPECT_EQ(write->size, 8);
  EXPECT_EQ(innermost(*write->witness).at, &program.store("set", 0));
  const Access* behind = write_of(program.summary("sets_behind").open);
  ASSERT_NE(behind, nullptr);
  EXPECT_EQ(program.root(behind->root).kind, Root::Kind::kLoad);
  EXPECT_EQ(program.root(behind->root).parent, program.analysis().roots.param(0));
}

TEST(Summaries, leave_what_is_the_same_for_all_callers_where_it_arises) {
  Analysed program(kProgram);
  EXPECT_EQ(program.summary("count").settled.size(), 1U);
  EXPECT_TRUE(program.summary("count").open.empty());
  EXPECT_TRUE(program.summary("gives_a_block").settled.empty());
  EXPECT_EQ(program.summary("gives_a_block").calls.size(), 2U);
}

TEST(Summaries, drop_what_is_done_to_memory_of_the_callers_own) {
  Analysed program(kProgram);
  EXPECT_EQ(write_of(program.summary("sets_its_own").open), nullptr);
}

TEST(Summaries, know_a_block_that_is_stored_in_one_place_only) {
  Analysed program(kProgram);
  const auto& once = program.summary("gives_a_block").open_stores;
  ASSERT_EQ(once.size(), 1U);
  EXPECT_EQ(once.front().source.base, kUniqueRoot);
  EXPECT_EQ(once.front().target, (Derivation{program.analysis().roots.param(0), 8, true}));
  for (const Store& store : program.summary("gives_it_twice").open_stores) EXPECT_NE(store.source.base, kUniqueRoot);
}

TEST(Summaries, keep_the_memory_of_two_calls_apart) {
  Analysed program(kProgram);
  const Graph& graph = program.analysis().points_to.graph;
  const std::vector<Cell> formals = program.analysis().points_to.cells(program.function("sets_two")).formals;
  EXPECT_NE(graph.find_node(formals[0].node), graph.find_node(formals[1].node));
  EXPECT_NE(graph.find_node(formals[2].node), graph.find_node(formals[3].node));
}

TEST(Summaries, carry_registrations_to_who_names_the_handler) {
  Analysed program(kProgram);
  const auto& registrations = program.summary("starts").registrations;
  ASSERT_EQ(registrations.size(), 1U);
  const Registration& registration = registrations.front();
  EXPECT_EQ(registration.named, &program.function("on_tick"));
  const auto session = static_cast<std::size_t>(registration.callback->session);
  EXPECT_EQ(registration.sources[session], (Derivation{program.analysis().roots.param(1), 24, true}));
  EXPECT_EQ(registration.flags, 16);
  EXPECT_EQ(registration.descriptor, -1);
}

TEST(Pools, leave_effects_with_the_member_and_note_what_is_passed) {
  Analysed program(kProgram, Limits{0, 4000, 10});
  const Summary& caller = program.summary("sets_two");
  EXPECT_TRUE(caller.pooled);
  EXPECT_EQ(write_of(caller.open), nullptr);
  ASSERT_NE(write_of(program.summary("set").open), nullptr);
  ASSERT_EQ(caller.pooled_calls.size(), 2U);
  for (unsigned i = 0; i < 2; ++i) {
    EXPECT_EQ(caller.pooled_calls[i].callee, &program.function("set"));
    EXPECT_EQ(caller.pooled_calls[i].actuals[0].late.base, program.analysis().roots.param(i));
  }
  const Graph& graph = program.analysis().points_to.graph;
  const std::vector<Cell> formals = program.analysis().points_to.cells(program.function("sets_two")).formals;
  EXPECT_EQ(graph.find_node(formals[0].node), graph.find_node(formals[1].node))
      << "one part of the graph for all calls";
}

TEST(Accesses, that_differ_in_anything_are_not_the_same) {
  const Access access{{1, 8}, 4, Extent::kExact, Mode::kRead, kOtherRoot};
  const auto differs = [&](auto change) {
    Access other = access;
    change(other);
    return !same_access(access, other) && hash_access(access) != hash_access(other);
  };
  EXPECT_TRUE(same_access(access, access));
  EXPECT_TRUE(differs([](Access& other) { other.cell.offset = 16; }));
  EXPECT_TRUE(differs([](Access& other) { other.mode = Mode::kWrite; }));
  EXPECT_TRUE(differs([](Access& other) { other.root = kGlobalRoot; }));
  EXPECT_TRUE(differs([](Access& other) { other.late = true; }));
  EXPECT_TRUE(differs([](Access& other) { other.child = true; }));
  EXPECT_TRUE(differs([](Access& other) { other.behind = true; }));
  EXPECT_TRUE(differs([](Access& other) { other.closes = true; }));
  EXPECT_TRUE(differs([](Access& other) { other.address = Access::Address::kGivenUp; }));
}

}  // namespace
}  // namespace heddle::elyze
