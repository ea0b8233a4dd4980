// How pointers are derived: parameters, loads, fresh blocks, moves by known and unknown distances, through calls.
#include "elyze/effects/derivations.hpp"

#include <gtest/gtest.h>

#include "elyze/tests/analysed.hpp"

namespace heddle::elyze {
namespace {

const char* const kProgram = R"(
  @global = global ptr null
  declare ptr @malloc(i64)
  declare ptr @nobody_knows(ptr)

  define ptr @moves(ptr %s, i1 %c, i64 %i) {
    %field = getelementptr i8, ptr %s, i64 8
    %loaded = load ptr, ptr %field
    %inside = getelementptr i8, ptr %loaded, i64 4
    %back = getelementptr i8, ptr %s, i64 -16
    %element = getelementptr i8, ptr %s, i64 %i
    %either = select i1 %c, ptr %field, ptr %s
    %two = select i1 %c, ptr %s, ptr %loaded
    %of_global = load ptr, ptr @global
    %unknown = call ptr @nobody_knows(ptr %s)
    ret ptr %inside
  }
  define ptr @make() {
    %block = call ptr @malloc(i64 16)
    ret ptr %block
  }
  define ptr @through_a_local(ptr %s) {
    %local = alloca ptr
    store ptr %s, ptr %local
    %again = load ptr, ptr %local
    ret ptr %again
  }
  define ptr @one_of_two_in_a_local(ptr %s, ptr %t) {
    %local = alloca ptr
    store ptr %s, ptr %local
    store ptr %t, ptr %local
    %again = load ptr, ptr %local
    ret ptr %again
  }
  define void @calls(ptr %s) {
    %a = call ptr @make()
    %b = call ptr @make()
    %moved = call ptr @moves(ptr %s, i1 true, i64 3)
    %same = call ptr @through_a_local(ptr %s)
    ret void
  }
  define void @rounds() {
  entry:
    br label %loop
  loop:
    %last = phi ptr [ null, %entry ], [ %block, %loop ]
    %block = call ptr @malloc(i64 16)
    br label %loop
  }
)";

class DerivationsTest : public testing::Test {
 protected:
  Derivation of(const std::string& function, const std::string& value) {
    Derivations derivations(program_.analysis(), program_.function(function));
    derivations.run();
    return derivations.of(&program_.value(function, value));
  }
  RootId param(unsigned index) { return program_.analysis().roots.param(index); }

  Analysed program_{kProgram};
};

TEST_F(DerivationsTest, moves_by_constants_keep_the_distance) {
  EXPECT_EQ(of("moves", "field"), (Derivation{param(0), 8, true}));
  EXPECT_EQ(of("moves", "back"), (Derivation{param(0), -16, true}));
}

TEST_F(DerivationsTest, other_moves_keep_only_the_base) {
  EXPECT_EQ(of("moves", "element"), (Derivation{param(0), 0, false}));
  EXPECT_EQ(of("moves", "either"), (Derivation{param(0), 0, false}));
}

TEST_F(DerivationsTest, a_load_is_named_by_where_it_is_from) {
  const Derivation loaded = of("moves", "loaded");
  EXPECT_EQ(program_.root(loaded.base).kind, Root::Kind::kLoad);
  EXPECT_EQ(program_.root(loaded.base).parent, param(0));
  EXPECT_EQ(program_.root(loaded.base).offset, 8);
  EXPECT_EQ(of("moves", "inside"), (Derivation{loaded.base, 4, true}));
  EXPECT_EQ(of("moves", "of_global"), kFromGlobal);
}

TEST_F(DerivationsTest, two_bases_and_unknown_code_give_anything) {
  EXPECT_EQ(of("moves", "two"), kAnywhere);
  EXPECT_EQ(of("moves", "unknown"), kAnywhere);
}

TEST_F(DerivationsTest, each_call_of_an_allocation_wrapper_gives_another_block) {
  const Root a = program_.root(of("calls", "a").base);
  const Root b = program_.root(of("calls", "b").base);
  EXPECT_EQ(a.kind, Root::Kind::kFresh);
  EXPECT_EQ(a.site, &program_.value("calls", "a"));
  EXPECT_EQ(b.site, &program_.value("calls", "b"));
}

TEST_F(DerivationsTest, a_result_is_what_the_callee_made_of_the_arguments) {
  EXPECT_EQ(of("calls", "moved"), of("moves", "inside"));
  EXPECT_EQ(of("calls", "same"), (Derivation{param(0), 0, true}));
}

TEST_F(DerivationsTest, a_local_variable_gives_what_was_stored_there) {
  EXPECT_EQ(program_.summary("through_a_local").returned, (Derivation{param(0), 0, true}));
  EXPECT_EQ(program_.summary("one_of_two_in_a_local").returned, kAnywhere);
}

TEST_F(DerivationsTest, a_block_of_the_last_round_is_not_the_one_just_made) {
  EXPECT_EQ(program_.root(of("rounds", "block").base).kind, Root::Kind::kFresh);
  EXPECT_EQ(of("rounds", "last"), kAnywhere);
}

TEST(Roots, loads_end_where_nothing_more_is_told_apart) {
  Roots roots;
  Derivation at{roots.param(0), 0, true};
  for (int i = 0; i < 4; ++i) {
    at.base = roots.load(at);
    EXPECT_EQ(roots.origin(at.base), roots.param(0));
    EXPECT_FALSE(roots.resolved(at.base));
  }
  EXPECT_EQ(roots.load(at), kOtherRoot);
  EXPECT_EQ(roots.load({roots.param(0), 0, false}), kOtherRoot);
  EXPECT_EQ(roots.load(kFromGlobal), kGlobalRoot);
  EXPECT_TRUE(roots.resolved(kGlobalRoot));
}

TEST(Roots, join_by_their_order) {
  Roots roots;
  const Derivation a{roots.param(0), 8, true};
  const Derivation b{roots.param(1), 8, true};
  EXPECT_EQ(Roots::join(a, {}), a);
  EXPECT_EQ(Roots::join({}, a), a);
  EXPECT_EQ(Roots::join(a, a), a);
  EXPECT_EQ(Roots::join(a, shifted(a, 8)), (Derivation{a.base, 0, false}));
  EXPECT_EQ(Roots::join(a, b), kAnywhere);
}

}  // namespace
}  // namespace heddle::elyze
