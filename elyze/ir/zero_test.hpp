// Branches that ask whether a variable of the program is zero: "only the first time", "only while it is not set".
#pragma once

#include <cstdint>
#include <optional>

namespace llvm {
class BranchInst;
class GlobalVariable;
}  // namespace llvm

namespace heddle::elyze {

struct ZeroTest {
  const llvm::GlobalVariable* variable = nullptr;
  std::int64_t offset = 0;  // of the tested bytes in the variable
  bool holds = false;       // the condition's value if these bytes are zero
};
// Nothing if the condition is not computed from a global variable, or has no known value where that variable is zero.
std::optional<ZeroTest> zero_test(const llvm::BranchInst& branch);

}  // namespace heddle::elyze
