#include "elyze/points_to/numbers_read.hpp"

#include <llvm/IR/GlobalValue.h>
#include <llvm/IR/InstrTypes.h>

#include <algorithm>
#include <array>

#include "elyze/ir/symbols.hpp"

namespace heddle::elyze {
namespace {

// The name of the called symbol, and that of the function which the symbol is an alias of.
std::array<std::string, 2> called_names(const llvm::CallBase& call) {
  const llvm::Value* named = call.getCalledOperand()->stripPointerCasts();
  const llvm::Value* meant = named->stripPointerCastsAndAliases();
  return {llvm::isa<llvm::GlobalValue>(named) ? unnumbered(named->getName()) : "",
          llvm::isa<llvm::GlobalValue>(meant) ? unnumbered(meant->getName()) : ""};
}

}  // namespace

void NumbersRead::note(const llvm::CallBase& call, const llvm::Value& number) {
  for (const std::string& name : called_names(call)) {
    for (const llvm::Use& argument : call.args()) {
      if (argument.get() == &number) arguments_.emplace(name, argument.getOperandNo());
    }
  }
}

bool NumbersRead::may_read(const llvm::CallBase& call, unsigned index) const {
  const auto names = called_names(call);
  return std::any_of(names.begin(), names.end(),
                     [&](const std::string& name) { return arguments_.count({name, index}) != 0; });
}

}  // namespace heddle::elyze
