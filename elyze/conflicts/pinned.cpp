#include "elyze/explain/one_thread.hpp"

#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Operator.h>

#include <algorithm>
#include <map>
#include <set>

#include "elyze/ir/names.hpp"

namespace heddle::elyze {
namespace {

const llvm::GlobalVariable* thread_local_of(const llvm::Value& operand) {
  const auto* variable = llvm::dyn_cast<llvm::GlobalVariable>(operand.stripInBoundsConstantOffsets());
  return variable != nullptr && variable->isThreadLocal() && !variable->isConstant() ? variable : nullptr;
}

// The names of the thread-local variables that the instruction uses and of the functions it calls whose result depends
// on the thread.
std::set<std::string> names_in(const Analysis& analysis, const llvm::Instruction& instruction) {
  std::set<std::string> names;
  for (const llvm::Use& operand : instruction.operands()) {
    if (const llvm::GlobalVariable* variable = thread_local_of(*operand.get()))
      names.insert(source_name(*variable).name);
  }
  const auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction);
  if (call == nullptr) return names;
  for (const CallSite& site : analysis.calls.at(*call)) {
    for (const llvm::Function* callee : site.externals) {
      const Spec* spec = analysis.points_to.specs.find(*callee);
      if (spec != nullptr && spec->thread) names.insert(source_name(*callee));
    }
  }
  return names;
}

}  // namespace

std::vector<OneThread> one_thread(const Analysis& analysis, const World& world, const Reached& reached) {
  std::map<std::string, OneThread> found;
  std::map<std::string, std::set<std::size_t>> handlers;
  for (const llvm::Function& function : analysis.points_to.module) {
    if (!reached.in_handlers(function)) continue;
    for (const llvm::Instruction& instruction : llvm::instructions(function)) {
      for (const std::string& name : names_in(analysis, instruction)) {
        const std::vector<std::size_t> reaching = reached.handlers_of(function);
        std::set<std::size_t>& all = handlers[name];
        for (const std::size_t handler : reaching)
          if (handler < world.dispatched) all.insert(handler);
        OneThread& place = found[name];
        if (place.at == nullptr) place.at = &instruction;
        ++place.count;
      }
    }
  }
  std::vector<OneThread> list;
  for (auto& [name, place] : found) {
    if (handlers[name].empty()) continue;  // reached only in threads that the program starts, each with its own value
    place.name = name;
    place.handlers.assign(handlers[name].begin(), handlers[name].end());
    list.push_back(std::move(place));
  }
  return list;
}

}  // namespace heddle::elyze
