// Which functions of the program the compiler may add calls of, and which attributes are known.
#include "elyze/ir/generated_calls.hpp"

#include <gtest/gtest.h>

#include <set>
#include <string>

#include "elyze/tests/analysed.hpp"

namespace heddle::elyze {
namespace {

TEST(GeneratedCalls, are_of_functions_with_reserved_names_or_those_that_an_attribute_names) {
  const Analysed analysed(R"(
    target triple = "x86_64-pc-linux-gnu"
    define fp128 @floorf128(fp128 %x) { ret fp128 %x }
    define double @floor(double %x) { ret double %x }
    define void @sincos(double %x, ptr %s, ptr %c) { ret void }
    define void @_mine() { ret void }
    @floorf64 = alias void (), ptr @_mine
    @other = alias void (), ptr @_mine
    define void @in_assembly() { ret void }
    module asm "call in_assembly"
    define void @__mine() { ret void }
    define void @_Mine() { ret void }
    define void @_Z4minev() { ret void }
    define void @_ZGVbN2v_mine() { ret void }
    define void @log(i32 %level, ptr %text) { ret void }
    define void @counted() { ret void }
    define void @trapped() { ret void }
    define void @flagged() { ret void }
    define void @all() "frame-pointer"="all" { ret void }
    define internal void @__helper() { ret void }
    define internal void @__stack_chk_fail() { ret void }
    define internal double @ceil(double %x) { ret double %x }
    define void @f() "instrument-function-entry-inlined"="counted" {
      call void @llvm.trap() "trap-func-name"="trapped"
      unreachable
    }
    declare void @llvm.trap()
    !llvm.module.flags = !{!0}
    !0 = !{i32 1, !"what a later compiler calls", !"flagged"}
  )");
  const llvm::Module& module = *analysed.function("f").getParent();
  const GeneratedCalls generated(module);
  const std::set<std::string> called{"floorf128", "floor",         "sincos",           "__mine",
                                     "_Mine",     "_ZGVbN2v_mine", "in_assembly",      "counted",
                                     "trapped",   "flagged",       "__stack_chk_fail", "ceil"};
  for (const llvm::Function& function : module) {
    if (function.isDeclaration()) continue;
    const std::string name = function.getName().str();
    EXPECT_EQ(generated.may_call(function, function, false), called.contains(name)) << name;
  }
  const llvm::Function& mine = analysed.function("_mine");
  EXPECT_TRUE(generated.may_call(mine, mine, true));
  EXPECT_TRUE(generated.may_call(*module.getNamedAlias("floorf64"), mine, false));
  EXPECT_FALSE(generated.may_call(*module.getNamedAlias("other"), mine, false));
}

TEST(GeneratedCalls, attributes_on_the_list_are_there_once_and_have_a_reason) {
  std::set<std::string> seen;
  for (const KnownAttribute& one : known_attributes()) {
    EXPECT_TRUE(seen.insert(one.name.str()).second) << one.name.str() << " is listed twice";
    EXPECT_FALSE(one.reason.empty()) << one.name.str();
  }
}

TEST(GeneratedCalls, code_with_an_attribute_that_is_not_on_the_list_may_do_anything) {
  const Analysed analysed(R"(
    define void @plain() "frame-pointer"="all" "no-builtin-memset" { ret void }
    define void @later() "what-a-later-compiler-does" { ret void }
    define void @elsewhere() "counting-function"="nowhere" { ret void }
    define void @profiled() "counting-function"="mcount" { ret void }
    define void @trapping() {
      call void @llvm.trap() "trap-func-name"="nowhere"
      unreachable
    }
    declare void @llvm.trap()
  )");
  const auto unknown = [&](const std::string& name) {
    const auto& found = analysed.summary(name).unknown;
    return found.empty() ? "" : found.front().name;
  };
  EXPECT_EQ(unknown("plain"), "");
  EXPECT_EQ(unknown("profiled"), "");
  EXPECT_EQ(unknown("later"), "attribute what-a-later-compiler-does");
  EXPECT_EQ(unknown("elsewhere"), "attribute counting-function=nowhere");
  EXPECT_EQ(unknown("trapping"), "attribute trap-func-name=nowhere");
}

}  // namespace
}  // namespace heddle::elyze
