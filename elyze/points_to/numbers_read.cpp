#include "elyze/points_to/numbers_read.hpp"

#include <llvm/IR/GlobalValue.h>
#include <llvm/IR/InstrTypes.h>

#include <algorithm>
#include <array>

namespace heddle::elyze {
namespace {

// The function's name without the number that linking appends where two modules have local functions of one name.
std::string linked_name(const llvm::Value& function) {
  llvm::StringRef name = function.getName();
  const auto dot = name.rfind('.');
  const bool numbered = dot != llvm::StringRef::npos && name.find_first_not_of("0123456789", dot + 1) == name.npos;
  return (numbered ? name.substr(0, dot) : name).str();
}

// The name of the called symbol, and that of the function which the symbol is an alias of.
std::array<std::string, 2> called_names(const llvm::CallBase& call) {
  const llvm::Value* named = call.getCalledOperand()->stripPointerCasts();
  const llvm::Value* meant = named->stripPointerCastsAndAliases();
  return {llvm::isa<llvm::GlobalValue>(named) ? linked_name(*named) : "",
          llvm::isa<llvm::GlobalValue>(meant) ? linked_name(*meant) : ""};
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
