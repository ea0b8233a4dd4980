// From when on others can see what a function allocates, and which accesses to it count.
#include "elyze/effects/publication.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "elyze/effects/gather.hpp"
#include "elyze/tests/analysed.hpp"

namespace heddle::elyze {
namespace {

const char* const kProgram = R"(
  @head = global ptr null
  declare ptr @malloc(i64)
  declare i32 @event_add(ptr, ptr)

  define void @publishes() {
    %block = call ptr @malloc(i64 16)
    store i32 1, ptr %block
    store ptr %block, ptr @head
    store i32 2, ptr %block
    ret void
  }
  define void @links() {
    %outer = call ptr @malloc(i64 16)
    %inner = call ptr @malloc(i64 16)
    store ptr %inner, ptr %outer
    store i32 1, ptr %inner
    store ptr %outer, ptr @head
    store i32 2, ptr %inner
    ret void
  }
  define void @keeps_to_itself() {
    %block = call ptr @malloc(i64 16)
    store i32 1, ptr %block
    ret void
  }
  define void @again_and_again() {
  entry:
    br label %loop
  loop:
    %block = call ptr @malloc(i64 16)
    store i32 1, ptr %block
    store ptr %block, ptr @head
    br label %loop
  }
  define void @may_fail(ptr %event) {
    %failed = call i32 @event_add(ptr %event, ptr null)
    %good = icmp eq i32 %failed, 0
    br i1 %good, label %added, label %not_added
  added:
    store i32 1, ptr %event
    ret void
  not_added:
    store i32 2, ptr %event
    ret void
  }
)";

bool lead(const llvm::Instruction& from, const llvm::Instruction& to, const llvm::Instruction* avoiding,
          bool after_success = false) {
  return Paths(*from.getFunction()).lead(from, to, avoiding, after_success);
}

class PublicationTest : public testing::Test {
 protected:
  // Does an access by this instruction count for others?
  bool counts(const std::string& function, int store) {
    const llvm::Instruction* at = &program_.store(function, store);
    const auto by = [&](const Access& access) { return access.witness->at == at; };
    const Summary& summary = program_.summary(function);
    return std::any_of(summary.open.begin(), summary.open.end(), by) ||
           std::any_of(summary.settled.begin(), summary.settled.end(), by);
  }

  Analysed program_{kProgram};
};

TEST_F(PublicationTest, accesses_before_it_count_for_nobody) {
  EXPECT_FALSE(counts("publishes", 0));
  EXPECT_TRUE(counts("publishes", 1));  // of the variable
  EXPECT_TRUE(counts("publishes", 2));
}

TEST_F(PublicationTest, a_block_goes_by_the_one_place_it_is_stored_in_afterwards) {
  const auto& settled = program_.summary("publishes").settled;
  const auto write = std::find_if(settled.begin(), settled.end(), [&](const Access& access) {
    return access.witness->at == &program_.store("publishes", 2);
  });
  ASSERT_NE(write, settled.end());
  EXPECT_EQ(write->root, kGlobalRoot);
  const auto& stores = program_.summary("publishes").settled_stores;
  ASSERT_EQ(stores.size(), 1U);
  EXPECT_EQ(stores.front().source.base, kUniqueRoot);
}

TEST_F(PublicationTest, what_is_linked_into_a_block_is_published_with_it) {
  EXPECT_FALSE(counts("links", 1));
  EXPECT_TRUE(counts("links", 3));
}

TEST_F(PublicationTest, a_block_that_nobody_learns_of_has_no_effects) {
  EXPECT_FALSE(counts("keeps_to_itself", 0));
  EXPECT_TRUE(program_.summary("keeps_to_itself").open_stores.empty());
}

TEST_F(PublicationTest, a_new_block_in_each_round_of_a_loop_is_not_the_published_one) {
  EXPECT_FALSE(counts("again_and_again", 0));
  const llvm::Instruction& made = program_.value("again_and_again", "block");
  const llvm::Instruction& write = program_.store("again_and_again", 0);
  const llvm::Instruction& publish = program_.store("again_and_again", 1);
  EXPECT_TRUE(lead(publish, write, nullptr));
  EXPECT_FALSE(lead(publish, write, &made));
  EXPECT_TRUE(lead(write, publish, &made));
}

TEST_F(PublicationTest, a_library_call_that_fails_has_published_nothing) {
  const llvm::Instruction& call = program_.value("may_fail", "failed");
  EXPECT_TRUE(lead(call, program_.store("may_fail", 1), nullptr));
  EXPECT_FALSE(lead(call, program_.store("may_fail", 1), nullptr, true));
  EXPECT_TRUE(lead(call, program_.store("may_fail", 0), nullptr, true));
  for (const Access& access : program_.summary("may_fail").open)
    EXPECT_EQ(access.late, access.witness->at == &program_.store("may_fail", 0)) << "an access behind the branch";
}

}  // namespace
}  // namespace heddle::elyze
