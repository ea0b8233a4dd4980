#include "elyze/effects/late_points.hpp"

#include <llvm/Analysis/CFG.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>

#include <algorithm>

#include "elyze/marks/on_behalf.hpp"
#include "elyze/plugin/late_points.hpp"

namespace heddle::elyze {

LatePoints::LatePoints(const llvm::Module& module, const Specs& specs, const CallGraph& calls)
    : specs_(specs), calls_(calls) {
  const llvm::Function* point = module.getFunction(late::kLatePoint);
  if (point == nullptr) return;
  for (const llvm::User* user : point->users()) {
    const auto* call = llvm::dyn_cast<llvm::CallBase>(user);
    if (call == nullptr || call->getCalledFunction() != point) continue;
    const auto* number = llvm::dyn_cast<llvm::ConstantInt>(call->getArgOperand(0));
    points_[call->getFunction()].push_back({call, number == nullptr ? 0 : number->getZExtValue()});
  }
  if (!any()) return;
  for (const llvm::Function& function : module)
    if (!function.isDeclaration()) note_function(function);
}

bool LatePoints::is_point(const llvm::Instruction& at) const {
  const auto* call = llvm::dyn_cast<llvm::CallBase>(&at);
  const llvm::Function* callee = call == nullptr ? nullptr : call->getCalledFunction();
  return callee != nullptr && callee->getName() == late::kLatePoint;
}

void LatePoints::note_function(const llvm::Function& function) {
  if (points_.contains(&function)) {
    std::vector<const llvm::BasicBlock*> work{&function.getEntryBlock()};
    front_.try_emplace(work.back(), nullptr);
    while (!work.empty()) {
      const llvm::BasicBlock* block = work.back();
      work.pop_back();
      const auto point =
          std::find_if(block->begin(), block->end(), [&](const llvm::Instruction& each) { return is_point(each); });
      if (point != block->end()) {
        front_[block] = &*point;
        continue;
      }
      for (const llvm::BasicBlock* next : llvm::successors(block))
        if (front_.try_emplace(next, nullptr).second) work.push_back(next);
    }
  }
  for (const llvm::Instruction& instruction : llvm::instructions(function)) {
    if (behind(instruction)) continue;
    bool holds = may_lock(instruction);
    if (const auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction); call != nullptr && !call->isInlineAsm()) {
      for (const CallSite& site : calls_.at(*call)) {
        for (const llvm::Function* callee : site.externals) {
          const Spec* spec = specs_.find(*callee);
          holds |= spec != nullptr && (spec->locks || spec->resumes);
        }
      }
    }
    if (!holds) continue;
    holders_.insert(&function);
    return;
  }
}

// May the instruction take a lock? A load can't, nor can an atomic update whose result is unused: no branch depends on
// it.
bool LatePoints::may_lock(const llvm::Instruction& at) {
  if (const auto* update = llvm::dyn_cast<llvm::AtomicRMWInst>(&at)) return !update->use_empty();
  if (const auto* store = llvm::dyn_cast<llvm::StoreInst>(&at)) return store->isAtomic();
  return llvm::isa<llvm::AtomicCmpXchgInst>(at);
}

bool LatePoints::behind(const llvm::Instruction& at) const {
  if (!any() || !points_.contains(at.getFunction()) || is_work_on_behalf(at)) return false;
  const auto block = front_.find(at.getParent());
  if (block == front_.end()) return true;
  return block->second != nullptr && block->second != &at && block->second->comesBefore(&at);
}

std::vector<LatePoint> LatePoints::before(const llvm::Instruction& at) const {
  std::vector<LatePoint> found;
  const auto points = points_.find(at.getFunction());
  if (points == points_.end()) return found;
  for (const LatePoint& point : points->second)
    if (llvm::isPotentiallyReachable(point.call, &at)) found.push_back(point);
  return found;
}

}  // namespace heddle::elyze
