#include "elyze/footprint/repeats.hpp"

#include <llvm/IR/CFG.h>
#include <llvm/IR/Instructions.h>

#include <algorithm>

namespace heddle::elyze {

Repeats::Repeats(const Analysis& analysis, const Places& places) : analysis_(analysis) {
  for (const llvm::Instruction* place : places) places_[place->getFunction()].push_back(place);
  for (const auto& component : analysis.calls.components) {  // callees before callers
    for (const llvm::Function* function : component) {
      if (const unsigned found = count(*function); found != 0) most_[function] = found;
    }
    if (component.size() == 1) {
      const llvm::Function* only = component.front();
      // A call of itself counted as none above.
      if (most_.contains(only)) most_[only] = std::max(most_[only], count(*only));
      continue;
    }
    const auto reaches = [&](const llvm::Function* function) { return most_.contains(function); };
    if (std::none_of(component.begin(), component.end(), reaches)) continue;
    for (const llvm::Function* function : component) most_[function] = kSeveral;
  }
}

unsigned Repeats::most(const llvm::Function& function) const {
  const auto known = most_.find(&function);
  return known == most_.end() ? 0 : known->second;
}

unsigned Repeats::calls(const llvm::CallBase& call) const {
  unsigned found = 0;
  for (const CallSite& site : analysis_.calls.at(call)) {
    for (const llvm::Function* body : site.bodies) {
      const unsigned here = most(*body);
      found = std::max(found, here != 0 && site.callback != nullptr ? kSeveral : here);
    }
  }
  return found;
}

unsigned Repeats::count(const llvm::Function& function) const {
  std::unordered_map<const llvm::BasicBlock*, unsigned> weights;
  if (const auto own = places_.find(&function); own != places_.end()) {
    for (const llvm::Instruction* place : own->second) ++weights[place->getParent()];
  }
  for (const auto& [call, callee] : analysis_.summaries.at(&function).calls) {
    if (most_.contains(callee)) weights[call->getParent()];
  }
  unsigned found = 0;
  for (auto& [block, weight] : weights) {
    for (const llvm::Instruction& instruction : *block) {
      if (const auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction)) weight += calls(*call);
    }
    found = std::max(found, weight);
  }
  if (found == 0) return 0;
  if (found >= kSeveral || function.callsFunctionThatReturnsTwice()) return kSeveral;
  // Does a path lead from one of the blocks to another, or back to itself?
  for (const auto& [block, weight] : weights) {
    if (weight == 0) continue;
    std::vector<const llvm::BasicBlock*> work(llvm::succ_begin(block), llvm::succ_end(block));
    std::set<const llvm::BasicBlock*> seen(work.begin(), work.end());
    while (!work.empty()) {
      const llvm::BasicBlock* at = work.back();
      work.pop_back();
      if (const auto other = weights.find(at); other != weights.end() && other->second != 0) return kSeveral;
      for (const llvm::BasicBlock* next : llvm::successors(at)) {
        if (seen.insert(next).second) work.push_back(next);
      }
    }
  }
  return found;
}

}  // namespace heddle::elyze
