#include "elyze/effects/children.hpp"

#include <llvm/Analysis/CFG.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>

#include <algorithm>

namespace heddle::elyze {

Children::Children(const llvm::Module& module, const Specs& specs, const CallGraph& calls)
    : specs_(specs), calls_(calls) {
  bool any = false;
  for (const llvm::Function& function : module) {
    const Spec* spec = function.isDeclaration() ? specs.find(function) : nullptr;
    any |= spec != nullptr && spec->forks;
  }
  if (!any) return;
  for (const auto& component : calls.components) {
    for (bool changed = true; changed;) {
      changed = false;
      for (const llvm::Function* function : component) {
        if (loops_.contains(function)) continue;
        for (const llvm::Instruction& instruction : llvm::instructions(*function)) {
          const auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction);
          if (call != nullptr && runs_loop(*call)) changed |= loops_.insert(function).second;
        }
      }
    }
    for (const llvm::Function* function : component) {
      note_wrapper(*function);
      note_blocks(*function);
    }
    for (bool changed = true; changed;) {
      changed = false;
      for (const llvm::Function* function : component) changed |= note_function(*function);
    }
  }
}

bool Children::external(const llvm::CallBase& call, bool Spec::* what) const {
  const std::vector<CallSite>& sites = calls_.at(call);
  return std::any_of(sites.begin(), sites.end(), [&](const CallSite& site) {
    return site.callback == nullptr &&
           std::any_of(site.externals.begin(), site.externals.end(), [&](const llvm::Function* callee) {
             const Spec* spec = specs_.find(*callee);
             return spec != nullptr && spec->*what;
           });
  });
}

bool Children::runs_loop(const llvm::CallBase& call) const {
  if (external(call, &Spec::resumes)) return true;
  const std::vector<CallSite>& sites = calls_.at(call);
  return std::any_of(sites.begin(), sites.end(), [&](const CallSite& site) {
    return std::any_of(site.bodies.begin(), site.bodies.end(),
                       [&](const llvm::Function* body) { return loops_.contains(body); });
  });
}

// Does every possible target of the call return 0 in a new child process and only there?
bool Children::forks(const llvm::CallBase& call) const {
  const std::vector<CallSite>& sites = calls_.at(call);
  if (sites.empty() || sites[0].outside) return false;
  const CallSite& site = sites[0];  // the others are callbacks that a library function makes
  return site.bodies.size() + site.externals.size() > 0 &&
         std::all_of(site.bodies.begin(), site.bodies.end(),
                     [&](const llvm::Function* body) { return wrappers_.contains(body); }) &&
         std::all_of(site.externals.begin(), site.externals.end(), [&](const llvm::Function* callee) {
           const Spec* spec = specs_.find(*callee);
           return spec != nullptr && spec->forks;
         });
}

// Is the value 0 only in a child? With `of`: only in the child of that call, or of forks that control can't reach from
// `of`.
bool Children::tells(const llvm::Value* value, Values& seen, const llvm::CallBase* of) const {
  if (!seen.insert(value).second) return true;
  if (const auto* number = llvm::dyn_cast<llvm::ConstantInt>(value)) return !number->isZero();
  if (const auto* call = llvm::dyn_cast<llvm::CallBase>(value))
    return forks(*call) && (of == nullptr || of == call || !llvm::isPotentiallyReachable(of, call));
  if (!llvm::isa<llvm::PHINode, llvm::SelectInst>(value)) return false;
  const auto* choice = llvm::cast<llvm::User>(value);
  const unsigned first = llvm::isa<llvm::SelectInst>(value) ? 1 : 0;
  for (unsigned i = first; i < choice->getNumOperands(); ++i) {
    if (!tells(choice->getOperand(i), seen, of)) return false;
  }
  return true;
}

bool Children::tells(const llvm::Value* value) const {
  Values seen;
  return tells(value, seen, nullptr) && !llvm::isa<llvm::Constant>(value);
}

// The successor that the child takes at a branch on the result of fork(); null for other branches. With `of`, the child
// of that call.
const llvm::BasicBlock* Children::zero_side(const llvm::Instruction& branch, const llvm::CallBase* of) const {
  const auto result = [&](const llvm::Value* value) {
    Values seen;
    return !llvm::isa<llvm::Constant>(value) && tells(value, seen, of) && (of == nullptr || seen.contains(of));
  };
  if (const auto* choice = llvm::dyn_cast<llvm::SwitchInst>(&branch)) {
    if (!result(choice->getCondition())) return nullptr;
    const auto* zero = llvm::ConstantInt::get(llvm::cast<llvm::IntegerType>(choice->getCondition()->getType()), 0);
    return choice->findCaseValue(zero)->getCaseSuccessor();
  }
  const auto* two = llvm::dyn_cast<llvm::BranchInst>(&branch);
  if (two == nullptr || !two->isConditional()) return nullptr;
  const auto* compare = llvm::dyn_cast<llvm::ICmpInst>(two->getCondition());
  if (compare == nullptr || !result(compare->getOperand(0))) return nullptr;
  const auto* number = llvm::dyn_cast<llvm::ConstantInt>(compare->getOperand(1));
  if (number == nullptr) return nullptr;
  const bool holds =
      llvm::ICmpInst::compare(llvm::APInt::getZero(number->getBitWidth()), number->getValue(), compare->getPredicate());
  return two->getSuccessor(holds ? 0 : 1);
}

void Children::note_wrapper(const llvm::Function& function) {
  bool returns = false;
  for (const llvm::BasicBlock& block : function) {
    const auto* leave = llvm::dyn_cast<llvm::ReturnInst>(block.getTerminator());
    if (leave == nullptr) continue;
    returns = true;
    Values seen;
    if (leave->getReturnValue() == nullptr || !tells(leave->getReturnValue(), seen, nullptr)) return;
    const auto fork = [&](const llvm::Value* value) { return llvm::isa<llvm::CallBase>(value); };
    if (std::none_of(seen.begin(), seen.end(), fork)) return;
  }
  if (returns) wrappers_.insert(&function);
}

void Children::note_blocks(const llvm::Function& function) {
  std::vector<llvm::BasicBlockEdge> edges;
  for (const llvm::BasicBlock& block : function) {
    const llvm::Instruction& branch = *block.getTerminator();
    const auto* choice = llvm::dyn_cast<llvm::SwitchInst>(&branch);
    const auto* two = llvm::dyn_cast<llvm::BranchInst>(&branch);
    const llvm::BasicBlock* child = zero_side(branch, nullptr);
    if (child == nullptr) continue;
    if (choice != nullptr) {
      // If 0 has no case of its own, the parent may take the default as well.
      const auto* zero = llvm::ConstantInt::get(llvm::cast<llvm::IntegerType>(choice->getCondition()->getType()), 0);
      if (choice->findCaseValue(zero) == choice->case_default()) continue;
    } else {
      // The parent must not take this side: only a test for equality with 0 guarantees that.
      const auto* compare = llvm::cast<llvm::ICmpInst>(two->getCondition());
      if (!compare->isEquality() || !llvm::cast<llvm::ConstantInt>(compare->getOperand(1))->isZero()) continue;
    }
    const llvm::BasicBlockEdge edge(&block, child);
    if (edge.isSingleEdge()) edges.push_back(edge);
  }
  if (edges.empty()) return;
  const llvm::DominatorTree dominators(const_cast<llvm::Function&>(function));
  for (const llvm::BasicBlock& block : function) {
    const auto behind = [&](const llvm::BasicBlockEdge& edge) { return dominators.dominates(edge, &block); };
    if (std::any_of(edges.begin(), edges.end(), behind)) blocks_.insert(&block);
  }
}

// May the child that the call `fork` makes return from the function? Sets `loops` if it may run an event loop.
bool Children::follow(const llvm::CallBase& fork, bool& loops) const {
  bool returns = false;
  const llvm::CallBase* of = forks(fork) ? &fork : nullptr;
  llvm::DenseSet<const llvm::BasicBlock*> seen;
  std::vector<const llvm::Instruction*> work;
  const auto enter = [&](const llvm::BasicBlock* block) {
    if (seen.insert(block).second) work.push_back(&block->front());
  };
  if (const auto* invoke = llvm::dyn_cast<llvm::InvokeInst>(&fork)) {
    enter(invoke->getNormalDest());
  } else {
    work.push_back(fork.getNextNode());
  }
  while (!work.empty()) {
    const llvm::Instruction* at = work.back();
    work.pop_back();
    for (; !at->isTerminator(); at = at->getNextNode()) {
      const auto* call = llvm::dyn_cast<llvm::CallBase>(at);
      loops |= call != nullptr && runs_loop(*call);
    }
    if (const auto* call = llvm::dyn_cast<llvm::CallBase>(at)) loops |= runs_loop(*call);
    returns |= llvm::isa<llvm::ReturnInst, llvm::ResumeInst>(at);
    const llvm::BasicBlock* only = of == nullptr ? nullptr : zero_side(*at, of);
    if (only != nullptr) {
      enter(only);
      continue;
    }
    for (unsigned i = 0; i < at->getNumSuccessors(); ++i) enter(at->getSuccessor(i));
  }
  return returns;
}

bool Children::note_function(const llvm::Function& function) {
  bool changed = false;
  for (const llvm::Instruction& instruction : llvm::instructions(function)) {
    const auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction);
    if (call == nullptr) continue;
    bool child = external(*call, &Spec::forks);
    bool nested = false;
    for (const CallSite& site : calls_.at(*call)) {
      for (const llvm::Function* body : site.bodies) {
        child |= returns_.count(body) != 0;
        nested |= nested_.count(body) != 0;
      }
    }
    if (child && follow(*call, nested)) changed |= returns_.try_emplace(&function, call).second;
    if (nested) changed |= nested_.try_emplace(&function, call).second;
  }
  return changed;
}

const llvm::CallBase* Children::goes_on(const llvm::Function& function) const {
  const auto back = returns_.find(&function);
  if (back != returns_.end()) return back->second;
  const auto nested = nested_.find(&function);
  return nested == nested_.end() ? nullptr : nested->second;
}

}  // namespace heddle::elyze
