#include "elyze/explain/usage.hpp"

#include <llvm/BinaryFormat/Dwarf.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Operator.h>

#include <algorithm>
#include <optional>

#include "elyze/ir/addresses.hpp"
#include "elyze/ir/arrays.hpp"
#include "elyze/ir/names.hpp"
#include "elyze/ir/zero_test.hpp"

namespace heddle::elyze {
namespace {

// The type of what a load or a store moves; null for anything else.
llvm::Type* moved_type(const llvm::Instruction& instruction) {
  if (const auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction)) return load->getType();
  if (const auto* store = llvm::dyn_cast<llvm::StoreInst>(&instruction)) return store->getValueOperand()->getType();
  return nullptr;
}

// Is the store of the form x = x op y, so that it reads and writes the same place?
bool adds(const llvm::StoreInst& store) {
  const llvm::Value* value = store.getValueOperand();
  while (const auto* cast = llvm::dyn_cast<llvm::CastInst>(value)) value = cast->getOperand(0);
  const auto* sum = llvm::dyn_cast<llvm::BinaryOperator>(value);
  if (sum == nullptr) return false;
  return std::any_of(sum->op_begin(), sum->op_end(), [&](const llvm::Use& use) {
    const llvm::Value* from = use.get();
    while (const auto* cast = llvm::dyn_cast<llvm::CastInst>(from)) from = cast->getOperand(0);
    const auto* load = llvm::dyn_cast<llvm::LoadInst>(from);
    return load != nullptr && load->getPointerOperand() == store.getPointerOperand();
  });
}

bool only_added_to(const llvm::LoadInst& load) {
  return load.hasOneUse() && std::all_of(load.user_begin(), load.user_end(), [&](const llvm::User* user) {
           const llvm::Value* at = user;
           while (llvm::isa<llvm::CastInst>(at) && at->hasOneUse()) at = *at->user_begin();
           const auto* sum = llvm::dyn_cast<llvm::BinaryOperator>(at);
           if (sum == nullptr || !sum->hasOneUse()) return false;
           at = *sum->user_begin();
           while (llvm::isa<llvm::CastInst>(at) && at->hasOneUse()) at = *at->user_begin();
           const auto* store = llvm::dyn_cast<llvm::StoreInst>(at);
           return store != nullptr && store->getPointerOperand() == load.getPointerOperand();
         });
}

bool decides_a_branch(const llvm::Value& value, int depth = 0) {
  constexpr int kSteps = 6;
  if (depth > kSteps) return false;
  return std::any_of(value.user_begin(), value.user_end(), [&](const llvm::User* user) {
    if (llvm::isa<llvm::ICmpInst, llvm::BranchInst, llvm::SwitchInst, llvm::SelectInst>(user)) return true;
    return llvm::isa<llvm::CastInst, llvm::BinaryOperator>(user) && decides_a_branch(*user, depth + 1);
  });
}

using Guard = std::pair<const llvm::GlobalVariable*, std::int64_t>;  // a variable, and the byte in it

// Variables that branches on every path to `at` test, such that zero takes the side of `at`. Other values may take that
// side too (`state != 2`).
std::set<Guard> guards_of(const llvm::Instruction& at, const llvm::DominatorTree& dominators) {
  std::set<Guard> found;
  const llvm::Function& function = *at.getFunction();
  for (const llvm::BasicBlock& block : function) {
    const auto* branch = llvm::dyn_cast<llvm::BranchInst>(block.getTerminator());
    const std::optional<ZeroTest> test = branch == nullptr ? std::nullopt : zero_test(*branch);
    if (!test) continue;
    const llvm::BasicBlock* next = branch->getSuccessor(test->holds ? 0 : 1);
    if (dominators.dominates(llvm::BasicBlockEdge(&block, next), at.getParent()))
      found.emplace(test->variable, test->offset);
  }
  return found;
}

// Does no other function use the variable?
bool asked_only_in(const llvm::Function& function, const llvm::Value& variable) {
  return std::all_of(variable.user_begin(), variable.user_end(), [&](const llvm::User* user) {
    if (llvm::isa<llvm::GEPOperator>(user) && !llvm::isa<llvm::Instruction>(user))
      return asked_only_in(function, *user);
    const auto* instruction = llvm::dyn_cast<llvm::Instruction>(user);
    return instruction == nullptr || instruction->getFunction() == &function;
  });
}

bool sets_a_constant(const llvm::Function& function, const llvm::GlobalVariable& variable,
                     const llvm::DataLayout& layout) {
  const auto instructions = llvm::instructions(function);
  return std::any_of(instructions.begin(), instructions.end(), [&](const llvm::Instruction& instruction) {
    const auto* store = llvm::dyn_cast<llvm::StoreInst>(&instruction);
    return store != nullptr && llvm::isa<llvm::Constant>(store->getValueOperand()) &&
           address_of(store->getPointerOperand(), layout).base == &variable;
  });
}

class Counter {
 public:
  Counter(const Reached& reached, Usages::Trees& trees, const llvm::DataLayout& layout)
      : reached_(reached), trees_(trees), layout_(layout) {}

  // Every use of the variable's address, as far as it can be followed.
  Usage variable(const llvm::GlobalVariable& variable, Range bytes) {
    variable_ = &variable;
    bytes_ = bytes;
    usage_.complete = true;
    follow(variable, 0);
    return finished();
  }

  Usage instructions(const std::set<const llvm::Instruction*>& accesses) {
    std::set<const llvm::Instruction*> all = accesses;
    for (const llvm::Instruction* access : accesses) {
      const llvm::Value* pointer = llvm::getLoadStorePointerOperand(access);
      if (pointer == nullptr) continue;
      const Address where = address_of(pointer, layout_);
      for (const llvm::Instruction& other : llvm::instructions(*access->getFunction())) {
        const llvm::Value* there = llvm::getLoadStorePointerOperand(&other);
        if (there == nullptr || moved_type(other) != moved_type(*access)) continue;
        const Address at = address_of(there, layout_);
        if (at.offset == where.offset && !llvm::isa<llvm::AllocaInst>(at.base)) all.insert(&other);
      }
    }
    for (const llvm::Instruction* instruction : all) use(*instruction, llvm::getLoadStorePointerOperand(instruction));
    return finished();
  }

 private:
  void follow(const llvm::Value& pointer, std::optional<std::int64_t> offset) {
    for (const llvm::Use& at : pointer.uses()) {
      const llvm::User* user = at.getUser();
      if (const auto* step = llvm::dyn_cast<llvm::GEPOperator>(user)) {
        llvm::APInt by(layout_.getIndexTypeSizeInBits(step->getType()), 0);
        const bool known = offset && step->accumulateConstantOffset(layout_, by);
        follow(*step, known ? std::optional(*offset + by.getSExtValue()) : std::nullopt);
        continue;
      }
      if (is_array_mark(*user)) {
        follow(*user, offset);
        continue;
      }
      const auto* instruction = llvm::dyn_cast<llvm::Instruction>(user);
      if (instruction == nullptr || llvm::isa<llvm::PHINode, llvm::SelectInst, llvm::CastInst>(user)) {
        usage_.complete = false;  // an initialiser, or a way that is not followed
        continue;
      }
      if (llvm::isa<llvm::ICmpInst>(instruction)) continue;  // the address is compared, the object not touched
      if (offset && !touches(*instruction, *offset)) continue;
      use(*instruction, &pointer);
    }
  }

  bool touches(const llvm::Instruction& instruction, std::int64_t offset) const {
    llvm::Type* type = moved_type(instruction);
    const std::int64_t end = type != nullptr
                                 ? offset + static_cast<std::int64_t>(layout_.getTypeStoreSize(type).getFixedValue())
                                 : end_of_member(offset);
    return Range{offset, end}.overlaps(bytes_);
  }

  // A function that is given the address of a member goes no further than its end.
  std::int64_t end_of_member(std::int64_t offset) const {
    const llvm::DIType* type = source_name(*variable_).type;
    const auto* composite = llvm::dyn_cast_or_null<llvm::DICompositeType>(strip_qualifiers(type));
    if (composite == nullptr || composite->getTag() != llvm::dwarf::DW_TAG_structure_type) return kFar;
    for (const llvm::DINode* node : composite->getElements()) {
      const auto* member = llvm::dyn_cast<llvm::DIDerivedType>(node);
      if (member == nullptr || member->getTag() != llvm::dwarf::DW_TAG_member) continue;
      const auto start = static_cast<std::int64_t>(member->getOffsetInBits() / 8);
      const auto end = start + static_cast<std::int64_t>((member->getSizeInBits() + 7) / 8);
      if (start <= offset && offset < end) return end;
    }
    return kFar;
  }

  void use(const llvm::Instruction& instruction, const llvm::Value* pointer) {
    const bool in_handler = reached_.in_handlers(*instruction.getFunction());
    if (const auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction)) {
      if (!in_handler) return;
      if (load->isAtomic()) {
        ++usage_.atomics;
      } else if (!only_added_to(*load)) {
        ++usage_.reads;
        if (decides_a_branch(*load)) {
          usage_.tested = true;
          ++tested_;
        }
      }
    } else if (const auto* store = llvm::dyn_cast<llvm::StoreInst>(&instruction)) {
      if (store->getPointerOperand() != pointer) {
        usage_.complete = false;  // the address itself is stored
        return;
      }
      if (!in_handler) {
        usage_.before_loop = true;
        return;
      }
      written_.push_back(store);
      if (store->isAtomic()) {
        ++usage_.atomics;
      } else if (adds(*store)) {
        ++usage_.adds;
      } else {
        ++usage_.sets;
        if (llvm::isa<llvm::Constant>(store->getValueOperand())) ++usage_.constants;
      }
    } else if (llvm::isa<llvm::AtomicRMWInst, llvm::AtomicCmpXchgInst>(instruction)) {
      if (in_handler) ++usage_.atomics;
    } else if (const auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction)) {
      if (llvm::isa<llvm::DbgInfoIntrinsic>(call) || call->isLifetimeStartOrEnd()) return;
      const llvm::Function* callee = call->getCalledFunction();
      if (callee == nullptr || !callee->isDeclaration()) usage_.complete = false;
      if (in_handler) {
        ++usage_.calls;
        written_.push_back(call);
      } else {
        usage_.before_loop = true;
      }
    } else {
      usage_.complete = false;  // returned, for example
    }
    if (in_handler) usage_.functions.insert(source_name(*instruction.getFunction()));
  }

  Usage finished() {
    usage_.first_use = !written_.empty();
    bool own_guard = false;
    for (const llvm::Instruction* write : written_) {
      const std::set<Guard> guards = guards_of(*write, tree(*write->getFunction()));
      const auto own = [&](const Guard& guard) { return guard.first == variable_ && bytes_.contains(guard.second); };
      own_guard |= std::any_of(guards.begin(), guards.end(), own);
      usage_.first_use &= std::any_of(guards.begin(), guards.end(), [&](const Guard& guard) {
        return own(guard) || (sets_a_constant(*write->getFunction(), *guard.first, layout_) &&
                              asked_only_in(*write->getFunction(), *guard.first));
      });
    }
    // A flag that other code reads as well means more than "already done".
    const bool flag = own_guard && usage_.sets == usage_.constants && usage_.calls == 0;
    if (flag && (usage_.reads > tested_ || usage_.functions.size() > 1)) usage_.first_use = false;
    return usage_;
  }

  const llvm::DominatorTree& tree(const llvm::Function& function) {
    std::unique_ptr<llvm::DominatorTree>& place = trees_[&function];
    if (!place) place = std::make_unique<llvm::DominatorTree>(const_cast<llvm::Function&>(function));
    return *place;
  }

  const Reached& reached_;
  Usages::Trees& trees_;
  const llvm::DataLayout& layout_;
  const llvm::GlobalVariable* variable_ = nullptr;
  Range bytes_{};
  Usage usage_;
  std::size_t tested_ = 0;
  std::vector<const llvm::Instruction*> written_;
};

}  // namespace

Usages::Usages(const Reached& reached) : reached_(reached) {}

Usages::~Usages() = default;

Usage Usages::of(const NamedObject& object, const std::vector<const HandlerAccess*>& accesses) {
  if (object.variable != nullptr) {
    return Counter(reached_, trees_, object.variable->getParent()->getDataLayout())
        .variable(*object.variable, object.bytes);
  }
  std::set<const llvm::Instruction*> instructions;
  for (const HandlerAccess* access : accesses) {
    if (access->witness != nullptr) instructions.insert(innermost(*access->witness).at);
  }
  if (instructions.empty()) return {};
  return Counter(reached_, trees_, (*instructions.begin())->getModule()->getDataLayout()).instructions(instructions);
}

}  // namespace heddle::elyze
