// What is noted about a program before its passes run.
#include "elyze/ir/load.hpp"

#include <gtest/gtest.h>
#include <llvm/AsmParser/Parser.h>
#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Module.h>
#include <llvm/Support/SourceMgr.h>

#include <string>

namespace heddle::elyze {
namespace {

bool names_access_times(const std::string& addresses) {
  const std::string text = R"(
    %struct.timespec = type { i64, i64 }
    %struct.stat = type { i64, i64, i64, i32, i32, i32, i32, i64, i64, i64, i64, %struct.timespec }
    @found = global [64 x %struct.stat] zeroinitializer
    @numbers = global [64 x i64] zeroinitializer
    @t = global [4 x ptr] zeroinitializer
    define void @f() {
      store <4 x ptr> )" + addresses +
                           R"(, ptr @t
      ret void
    }
  )";
  llvm::LLVMContext context;
  llvm::SMDiagnostic problem;
  const auto module = llvm::parseAssemblyString(text, problem, context);
  EXPECT_TRUE(module != nullptr) << problem.getMessage().str();
  if (module == nullptr) return false;
  Preparation().run(*module);
  return module->getNamedMetadata(kNamesAccessTimes) != nullptr;
}

// A loop over addresses becomes a vector of them with -O3.
TEST(Preparation, finds_the_time_of_access_among_a_vector_of_addresses) {
  EXPECT_FALSE(names_access_times(R"(getelementptr inbounds ([64 x i64], ptr @numbers, <4 x i64> zeroinitializer,
    <4 x i64> <i64 3, i64 2, i64 1, i64 0>))"));
  EXPECT_FALSE(names_access_times(R"(getelementptr inbounds ([64 x %struct.stat], ptr @found, <4 x i64> zeroinitializer,
    <4 x i64> <i64 3, i64 2, i64 1, i64 0>, i32 7))"));
  EXPECT_TRUE(names_access_times(R"(getelementptr inbounds ([64 x %struct.stat], ptr @found, <4 x i64> zeroinitializer,
    <4 x i64> <i64 3, i64 2, i64 1, i64 0>, i32 11))"));
}

}  // namespace
}  // namespace heddle::elyze
