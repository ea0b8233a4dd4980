#include "elyze/ir/stores.hpp"

#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>

#include <algorithm>

#include "elyze/ir/addresses.hpp"

namespace heddle::elyze {
namespace {

constexpr const char* kMark = "heddle.store";
constexpr const char* kLost = "a store whose address is lost";
constexpr int kMostSteps = 6;  // from an address to the stores through what is made of it

llvm::Value* stored_to(llvm::Instruction& instruction) {
  if (auto* store = llvm::dyn_cast<llvm::StoreInst>(&instruction))
    return store->isSimple() ? store->getPointerOperand() : nullptr;
  auto* bytes = llvm::dyn_cast<llvm::MemIntrinsic>(&instruction);
  return bytes != nullptr && !bytes->isVolatile() ? bytes->getRawDest() : nullptr;
}

// Is something stored through the address, or through what is made of it?
bool is_stored_through(const llvm::Value& address, const llvm::Function& function, int steps = kMostSteps) {
  return std::any_of(address.user_begin(), address.user_end(), [&](const llvm::User* user) {
    const auto* instruction = llvm::dyn_cast<llvm::Instruction>(user);
    if (instruction == nullptr)
      return llvm::isa<llvm::ConstantExpr>(user) && steps > 0 && is_stored_through(*user, function, steps - 1);
    if (instruction->getFunction() != &function) return false;
    if (stored_to(const_cast<llvm::Instruction&>(*instruction)) == &address) return true;
    const bool made = llvm::isa<llvm::GetElementPtrInst, llvm::PHINode, llvm::SelectInst, llvm::CastInst>(instruction);
    return made && steps > 0 && is_stored_through(*instruction, function, steps - 1);
  });
}

llvm::Type* stored_type(const llvm::Instruction& instruction) {
  if (const auto* store = llvm::dyn_cast<llvm::StoreInst>(&instruction)) return store->getValueOperand()->getType();
  const auto* size = llvm::dyn_cast<llvm::ConstantInt>(llvm::cast<llvm::MemIntrinsic>(instruction).getLength());
  if (size == nullptr) return nullptr;
  return llvm::ArrayType::get(llvm::Type::getInt8Ty(instruction.getContext()), size->getZExtValue());
}

bool is_on_stack(const llvm::Value& address) {
  return llvm::isa<llvm::AllocaInst>(llvm::getUnderlyingObject(&address, 0));
}

}  // namespace

KeptStores::KeptStores(llvm::Module& module) : module_(module) {
  llvm::LLVMContext& context = module.getContext();
  llvm::Function* mark = nullptr;
  for (llvm::Function& function : module) {
    std::vector<llvm::Instruction*> found;
    for (llvm::Instruction& instruction : llvm::instructions(function)) {
      const llvm::Value* address = stored_to(instruction);
      if (address != nullptr && !is_on_stack(*address)) found.push_back(&instruction);
    }
    for (llvm::Instruction* store : found) {
      if (mark == nullptr) {
        mark =
            llvm::cast<llvm::Function>(module.getOrInsertFunction(kMark, llvm::Type::getVoidTy(context)).getCallee());
        mark->setDoesNotAccessMemory();
        mark->setDoesNotThrow();  // it may never return, for all that is said: so it stays
      }
      llvm::Value* address = stored_to(*store);
      const Address from = address_of(address, module.getDataLayout());
      auto* call = llvm::IRBuilder<>(store).CreateCall(mark);
      stores_.push_back({call, store, address, const_cast<llvm::Value*>(from.base), from.offset, stored_type(*store)});
    }
  }
}

void KeptStores::put_back(const Store& one, llvm::Instruction& mark, llvm::IRBuilder<>& builder) {
  const auto is_here = [&](llvm::Value* value) {
    const auto* instruction = llvm::dyn_cast_or_null<llvm::Instruction>(value);
    return value != nullptr &&
           (instruction == nullptr || llvm::DominatorTree(*mark.getFunction()).dominates(instruction, &mark));
  };
  llvm::Value* where = is_here(one.address) ? static_cast<llvm::Value*>(one.address) : nullptr;
  if (where == nullptr && one.distance && is_here(one.base))
    where = builder.CreatePtrAdd(one.base, builder.getInt64(static_cast<std::uint64_t>(*one.distance)));
  if (where != nullptr && one.type != nullptr) {
    builder.CreateStore(builder.CreateLoad(one.type, where), where);
  } else {
    builder.CreateCall(module_.getOrInsertFunction(kLost, builder.getVoidTy()));
  }
}

void KeptStores::restore() {
  for (Store& one : stores_) {
    auto* mark = llvm::cast_or_null<llvm::CallInst>(static_cast<llvm::Value*>(one.mark));
    if (mark == nullptr) continue;
    llvm::Value* const address = one.address;
    llvm::Value* const base = one.base;
    llvm::IRBuilder<> builder(mark);
    const bool is_there = one.store || (address != nullptr && is_stored_through(*address, *mark->getFunction())) ||
                          (base != nullptr && is_on_stack(*base));
    if (!is_there) put_back(one, *mark, builder);
    mark->eraseFromParent();
  }
  stores_.clear();
  if (llvm::Function* mark = module_.getFunction(kMark); mark != nullptr && mark->use_empty()) mark->eraseFromParent();
}

}  // namespace heddle::elyze
