#include "elyze/oracle/pass/instrument.hpp"

#include <llvm/Analysis/CaptureTracking.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>

#include <algorithm>

#include "elyze/oracle/pass/externals.hpp"
#include "elyze/oracle/pass/sites.hpp"

namespace heddle::oracle {
namespace {

using llvm::Value;

constexpr unsigned kMostArguments = 6;

class Instrumenter {
 public:
  Instrumenter(llvm::Module& module, const elyze::Specs& specs)
      : module_(module), sites_(module), externals_(module, specs, sites_) {}

  void run() {
    sites_.register_globals();
    std::vector<llvm::Function*> functions;
    for (llvm::Function& function : module_) {
      const bool ours = !function.isDeclaration() && !function.hasAvailableExternallyLinkage() &&
                        !function.getName().starts_with("heddle.oracle.");
      if (ours && !function.hasFnAttribute(llvm::Attribute::Naked)) functions.push_back(&function);
    }
    for (llvm::Function* function : functions) {
      std::vector<llvm::Instruction*> instructions;
      for (llvm::Instruction& instruction : llvm::instructions(*function)) instructions.push_back(&instruction);
      for (llvm::Instruction* instruction : instructions) visit(*instruction);
      if (may_be_handler(*function)) mark_invocation(*function);
    }
  }

 private:
  void visit(llvm::Instruction& instruction) {
    if (auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction)) {
      if (!is_private(*load->getPointerOperand()))
        access(*load, *load->getPointerOperand(), load->getType(), load->isAtomic(), false);
    } else if (auto* store = llvm::dyn_cast<llvm::StoreInst>(&instruction)) {
      if (!is_private(*store->getPointerOperand())) visit_store(*store);
    } else if (auto* exchange = llvm::dyn_cast<llvm::AtomicCmpXchgInst>(&instruction)) {
      access(*exchange, *exchange->getPointerOperand(), exchange->getCompareOperand()->getType(), true, true);
    } else if (auto* update = llvm::dyn_cast<llvm::AtomicRMWInst>(&instruction)) {
      access(*update, *update->getPointerOperand(), update->getValOperand()->getType(), true, true);
    } else if (auto* memory = llvm::dyn_cast<llvm::MemIntrinsic>(&instruction)) {
      visit_memory(*memory);
    } else if (auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction)) {
      if (!llvm::isa<llvm::DbgInfoIntrinsic>(call)) externals_.instrument(*call);
    }
  }

  // Is it memory that no other invocation can access? Constants, thread-local variables, and locals whose address does
  // not escape.
  bool is_private(const Value& pointer) {
    const Value* base = llvm::getUnderlyingObject(&pointer);
    if (const auto* global = llvm::dyn_cast<llvm::GlobalVariable>(base))
      return global->isConstant() || global->isThreadLocal();
    if (const auto* call = llvm::dyn_cast<llvm::IntrinsicInst>(base))
      return call->getIntrinsicID() == llvm::Intrinsic::threadlocal_address;
    const auto* local = llvm::dyn_cast<llvm::AllocaInst>(base);
    if (local == nullptr) return false;
    const auto [known, fresh] = captured_.try_emplace(local, false);
    if (fresh) known->second = llvm::PointerMayBeCaptured(local, true, true);
    return !known->second;
  }

  void visit_store(llvm::StoreInst& store) {
    llvm::Type* type = store.getValueOperand()->getType();
    const bool may_be_pointer = type->isPointerTy() || type->isIntegerTy(64);
    if (store.isAtomic() || !may_be_pointer) {
      access(store, *store.getPointerOperand(), type, store.isAtomic(), true);
      if (!may_be_pointer) return;
    }
    llvm::IRBuilder<> build(&store);
    Value* value = store.getValueOperand();
    if (store.isAtomic()) {
      if (type->isPointerTy()) call(build, "heddle_oracle_stored", {store.getPointerOperand(), value});
      return;
    }
    if (type->isPointerTy()) value = build.CreatePtrToInt(value, build.getInt64Ty());
    call(build, "heddle_oracle_store",
         {store.getPointerOperand(), value, sites_.site(store, store.getPointerOperand())});
  }

  // Is it a local that is only written, such as the unused fields of a copied structure?
  static bool is_never_read(const Value& pointer) {
    const auto* local = llvm::dyn_cast<llvm::AllocaInst>(llvm::getUnderlyingObject(&pointer));
    if (local == nullptr) return false;
    std::vector<const Value*> work{local};
    while (!work.empty()) {
      const Value* at = work.back();
      work.pop_back();
      for (const llvm::User* user : at->users()) {
        if (llvm::isa<llvm::GetElementPtrInst>(user)) {
          work.push_back(user);
        } else if (const auto* store = llvm::dyn_cast<llvm::StoreInst>(user)) {
          if (store->getValueOperand() == at) return false;
        } else if (const auto* memory = llvm::dyn_cast<llvm::MemIntrinsic>(user)) {
          if (memory->getRawDest() != at) return false;
        } else if (const auto* other = llvm::dyn_cast<llvm::IntrinsicInst>(user);
                   other == nullptr || !other->isAssumeLikeIntrinsic()) {
          return false;
        }
      }
    }
    return true;
  }

  void visit_memory(llvm::MemIntrinsic& memory) {
    if (is_never_read(*memory.getRawDest())) return;
    llvm::IRBuilder<> build(&memory);
    Value* bytes = build.CreateIntCast(memory.getLength(), build.getInt64Ty(), false);
    llvm::Constant* site = sites_.site(memory, memory.getRawDest());
    if (auto* transfer = llvm::dyn_cast<llvm::MemTransferInst>(&memory)) {
      call(build, "heddle_oracle_copy", {memory.getRawDest(), transfer->getRawSource(), bytes, site});
    } else {
      call(build, "heddle_oracle_write", {memory.getRawDest(), bytes, site});
    }
  }

  void access(llvm::Instruction& at, Value& pointer, llvm::Type* type, bool atomic, bool writes) {
    if (pointer.getType()->getPointerAddressSpace() != 0) return;  // by segment register: no address of ours
    llvm::IRBuilder<> build(&at);
    Value* bytes = build.getInt64(module_.getDataLayout().getTypeStoreSize(type).getKnownMinValue());
    llvm::Constant* site = sites_.site(at, &pointer);
    if (atomic) {
      call(build, "heddle_oracle_atomic", {&pointer, bytes, build.getInt32(writes ? 1 : 0), site});
    } else {
      call(build, writes ? "heddle_oracle_write" : "heddle_oracle_read", {&pointer, bytes, site});
    }
  }

  // Code outside the unit can only call functions that it can name or whose address it was given.
  static bool may_be_handler(const llvm::Function& function) {
    return function.getName() != "main" && (!function.hasLocalLinkage() || function.hasAddressTaken());
  }

  void mark_invocation(llvm::Function& function) {
    llvm::Instruction* first = &*function.getEntryBlock().getFirstNonPHIOrDbgOrAlloca();
    llvm::IRBuilder<> build(first);
    const unsigned count = std::min<unsigned>(static_cast<unsigned>(function.arg_size()), kMostArguments);
    auto* words = llvm::ArrayType::get(build.getInt64Ty(), std::max(count, 1U));
    llvm::IRBuilder<> top(&function.getEntryBlock(), function.getEntryBlock().begin());
    Value* arguments = top.CreateAlloca(words);
    for (unsigned index = 0; index < count; ++index) {
      // The last word is always the last parameter, which is the session, even if the function takes more of them.
      Value* argument = function.getArg(index + 1 == count ? static_cast<unsigned>(function.arg_size()) - 1 : index);
      Value* word = build.getInt64(0);
      if (argument->getType()->isPointerTy()) {
        word = build.CreatePtrToInt(argument, build.getInt64Ty());
      } else if (argument->getType()->isIntegerTy() && argument->getType()->getIntegerBitWidth() <= 64) {
        word = build.CreateIntCast(argument, build.getInt64Ty(), true);
      }
      build.CreateStore(word, build.CreateConstInBoundsGEP2_64(words, arguments, 0, index));
    }
    Value* begun = call(build, "heddle_oracle_enter",
                        {sites_.site(function), &function, arguments, build.getInt32(count)}, build.getInt32Ty());
    std::vector<llvm::Instruction*> ends;
    for (llvm::BasicBlock& block : function) {
      llvm::Instruction* end = block.getTerminator();
      if (llvm::isa<llvm::ReturnInst, llvm::ResumeInst>(end) && block.getTerminatingMustTailCall() == nullptr)
        ends.push_back(end);
    }
    for (llvm::Instruction* end : ends) {
      llvm::IRBuilder<> leave(end);
      Value* is_ours = leave.CreateICmpNE(begun, leave.getInt32(0));
      leave.SetInsertPoint(llvm::SplitBlockAndInsertIfThen(is_ours, end, false));
      call(leave, "heddle_oracle_leave", {});
    }
  }

  Value* call(llvm::IRBuilder<>& build, const char* what, std::initializer_list<Value*> values,
              llvm::Type* result = nullptr) {
    std::vector<llvm::Type*> types;
    for (Value* value : values) types.push_back(value->getType());
    auto* type = llvm::FunctionType::get(result == nullptr ? build.getVoidTy() : result, types, false);
    return build.CreateCall(module_.getOrInsertFunction(what, type), std::vector<Value*>(values));
  }

  llvm::Module& module_;
  Sites sites_;
  Externals externals_;
  llvm::DenseMap<const llvm::AllocaInst*, bool> captured_;
};

}  // namespace

void instrument(llvm::Module& module, const elyze::Specs& specs) { Instrumenter(module, specs).run(); }

}  // namespace heddle::oracle
