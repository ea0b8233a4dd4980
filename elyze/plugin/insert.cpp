#include "elyze/plugin/insert.hpp"

#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/Support/xxhash.h>
#include <llvm/Transforms/Utils/ModuleUtils.h>

#include <string>
#include <vector>

#include "elyze/plugin/cold.hpp"
#include "elyze/plugin/late_points.hpp"

namespace heddle::late {
namespace {

bool only_local(const llvm::Value& pointer) {
  const llvm::Value* base = llvm::getUnderlyingObject(&pointer);
  const auto* global = llvm::dyn_cast<llvm::GlobalVariable>(base);
  return llvm::isa<llvm::AllocaInst>(base) || (global != nullptr && global->isConstant());
}

enum class Touches : std::uint8_t { kNothing, kMemory, kAnything };

Touches touches(const llvm::Instruction& instruction) {
  if (const auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction))
    return only_local(*load->getPointerOperand()) ? Touches::kNothing : Touches::kMemory;
  if (const auto* store = llvm::dyn_cast<llvm::StoreInst>(&instruction))
    return only_local(*store->getPointerOperand()) ? Touches::kNothing : Touches::kMemory;
  if (llvm::isa<llvm::AtomicRMWInst, llvm::AtomicCmpXchgInst, llvm::MemIntrinsic>(instruction)) return Touches::kMemory;
  const bool call = llvm::isa<llvm::CallBase>(instruction) && !llvm::isa<llvm::IntrinsicInst>(instruction);
  return call ? Touches::kAnything : Touches::kNothing;
}

// The strongest kind of access on the rare path that begins at `first` and ends where it meets a common one.
Touches touches_behind(const ColdPaths& paths, const llvm::BasicBlock& first) {
  Touches most = Touches::kNothing;
  llvm::SmallPtrSet<const llvm::BasicBlock*, 16> seen{&first};
  std::vector<const llvm::BasicBlock*> work{&first};
  while (!work.empty()) {
    const llvm::BasicBlock* block = work.back();
    work.pop_back();
    for (const llvm::Instruction& instruction : *block) most = std::max(most, touches(instruction));
    for (const llvm::BasicBlock* next : llvm::successors(block))
      if (paths.cold(*next) && seen.insert(next).second) work.push_back(next);
  }
  return most;
}

// The first blocks of rarely taken paths. Every way into them is rare.
std::vector<llvm::BasicBlock*> entries(llvm::Function& function, bool everywhere) {
  std::vector<llvm::BasicBlock*> found;
  const ColdPaths paths(function, everywhere);
  for (llvm::BasicBlock& block : function) {
    if (!paths.cold(block)) continue;
    const auto common = [&](const llvm::BasicBlock* from) { return !paths.cold(*from); };
    const auto in_loop = [&](const llvm::BasicBlock* from) { return paths.in_loop(*from, block); };
    if (llvm::none_of(llvm::predecessors(&block), common)) continue;
    const Touches most = touches_behind(paths, block);
    // A rare path in a loop that only touches memory gets no call: a test of each element of an array must stay cheap.
    const bool cheap = most == Touches::kMemory && llvm::any_of(llvm::predecessors(&block), in_loop);
    if (most != Touches::kNothing && !cheap && block.getFirstInsertionPt() != block.end()) found.push_back(&block);
  }
  return found;
}

class Inserter {
 public:
  explicit Inserter(llvm::Module& module) : module_(module), number_(llvm::Type::getInt64Ty(module.getContext())) {}

  void insert(llvm::Function& function, bool everywhere) {
    unsigned ordinal = 0;
    for (llvm::BasicBlock* block : entries(function, everywhere)) {
      llvm::IRBuilder<> builder(&*block->getFirstInsertionPt());
      const std::string where = module_.getSourceFileName() + '\n' + function.getName().str() + '\n';
      llvm::ConstantInt* id = llvm::ConstantInt::get(number_, llvm::xxh3_64bits(where + std::to_string(ordinal++)));
      builder.SetCurrentDebugLocation(line_of(*block));
      builder.CreateCall(late_point(), {id})->addFnAttr(llvm::Attribute::NoMerge);
      note(id);
    }
  }

 private:
  // The place in the source where the rare path begins.
  static llvm::DebugLoc line_of(const llvm::BasicBlock& block) {
    for (const llvm::Instruction& instruction : block) {
      if (instruction.isTerminator() || llvm::isa<llvm::PHINode, llvm::DbgInfoIntrinsic>(instruction)) continue;
      if (const llvm::DebugLoc& line = instruction.getDebugLoc(); line && line.getLine() != 0) return line;
    }
    return block.getTerminator()->getDebugLoc();
  }

  // Not inlined, so that a rare path costs its function one call instruction.
  llvm::Function* late_point() {
    if (late_point_ != nullptr) return late_point_;
    llvm::LLVMContext& context = module_.getContext();
    auto* type = llvm::FunctionType::get(llvm::Type::getVoidTy(context), {number_}, false);
    late_point_ = llvm::Function::Create(type, llvm::GlobalValue::LinkOnceODRLinkage, kLatePoint, module_);
    late_point_->setVisibility(llvm::GlobalValue::HiddenVisibility);
    late_point_->setComdat(module_.getOrInsertComdat(kLatePoint));
    for (const auto attribute : {llvm::Attribute::NoInline, llvm::Attribute::Cold, llvm::Attribute::NoUnwind})
      late_point_->addFnAttr(attribute);
    auto* enter = llvm::Function::Create(type, llvm::GlobalValue::ExternalWeakLinkage, kEnter, module_);
    auto* entry = llvm::BasicBlock::Create(context, "", late_point_);
    auto* call = llvm::BasicBlock::Create(context, "", late_point_);
    auto* back = llvm::BasicBlock::Create(context, "", late_point_);
    llvm::IRBuilder<> builder(entry);
    builder.CreateCondBr(builder.CreateIsNotNull(enter), call, back);
    builder.SetInsertPoint(call);
    builder.CreateCall(enter, {late_point_->getArg(0)});
    builder.CreateBr(back);
    builder.SetInsertPoint(back);
    builder.CreateRetVoid();
    return late_point_;
  }

  void note(llvm::ConstantInt* id) {
    auto* record =
        new llvm::GlobalVariable(module_, number_, true, llvm::GlobalValue::PrivateLinkage, id, "heddle.late.number");
    record->setSection(kSection);
    record->setAlignment(llvm::Align(8));
    llvm::appendToUsed(module_, {record});
  }

  llvm::Module& module_;
  llvm::IntegerType* number_;
  llvm::Function* late_point_ = nullptr;
};

}  // namespace

void insert_late_points(llvm::Module& module, bool everywhere) {
  std::vector<llvm::Function*> functions;
  for (llvm::Function& function : module) {
    const bool ours = !function.isDeclaration() && !function.hasAvailableExternallyLinkage();
    if (ours && !function.hasFnAttribute(llvm::Attribute::Naked)) functions.push_back(&function);
  }
  Inserter inserter(module);
  for (llvm::Function* function : functions) inserter.insert(*function, everywhere);
}

}  // namespace heddle::late
