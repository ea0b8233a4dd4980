#include "elyze/compare/modules.hpp"

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/STLExtras.h>
#include <llvm/IR/DebugProgramInstruction.h>
#include <llvm/IR/InlineAsm.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Operator.h>

#include "elyze/compare/numbers.hpp"
#include "elyze/compare/types.hpp"
#include "elyze/ir/values.hpp"
#include "elyze/ir/zero_test.hpp"
#include "elyze/plugin/scratch_mark.hpp"

namespace heddle::elyze {
namespace {

void same(bool holds, const char* what) {
  if (!holds) throw Different(what);
}

// A string literal: nobody can write it or find a pointer in it. The analysis does not even know its length
// (has_no_identity()), and reads only some texts (same_where_read()).
bool is_text(const llvm::GlobalVariable& variable) {
  if (!variable.hasPrivateLinkage() || !variable.isConstant() || !variable.hasInitializer()) return false;
  const llvm::Constant& value = *variable.getInitializer();
  const auto* array = llvm::dyn_cast<llvm::ArrayType>(value.getType());
  return array != nullptr && array->getElementType()->isIntegerTy(8) &&
         llvm::isa<llvm::ConstantDataArray, llvm::ConstantAggregateZero>(value);
}

class Matcher {
 public:
  Matcher(const llvm::Module& before, const llvm::Module& now, Form form, const NumbersRead& read, Lines& lines)
      : before_(before), now_(now), form_(form), read_(read), debug_(lines) {}

  void run() {
    same(before_.getTargetTriple() == now_.getTargetTriple() && before_.getDataLayoutStr() == now_.getDataLayoutStr() &&
             before_.getModuleInlineAsm() == now_.getModuleInlineAsm(),
         "the target or its assembly");
    for (const char* list : {"llvm.dbg.cu", "llvm.module.flags"}) meet(list);
    pair_up(before_.functions(), now_.functions());
    pair_up(before_.globals(), now_.globals());
    pair_up(before_.aliases(), now_.aliases());
    same(before_.ifunc_empty() && now_.ifunc_empty(), "functions chosen by the linker");
    for (const auto& [a, b] : llvm::zip_equal(before_.globals(), now_.globals())) variable(a, b);
    for (const auto& [a, b] : llvm::zip_equal(before_.aliases(), now_.aliases())) {
      value(a, b);
      constant(*a.getAliasee(), *b.getAliasee(), true);
    }
    for (const auto& [a, b] : llvm::zip_equal(before_.functions(), now_.functions())) function(a, b);
    debug_.finish();
  }

 private:
  void meet(const char* list) {
    const llvm::NamedMDNode* a = before_.getNamedMetadata(list);
    const llvm::NamedMDNode* b = now_.getNamedMetadata(list);
    same((a == nullptr ? 0 : a->getNumOperands()) == (b == nullptr ? 0 : b->getNumOperands()), list);
    for (unsigned i = 0; a != nullptr && i < a->getNumOperands(); ++i) debug_.meet(a->getOperand(i), b->getOperand(i));
  }

  // Pairs the elements at the same position of both lists.
  template <class Range>
  void pair_up(const Range& before, const Range& now) {
    same(llvm::range_size(before) == llvm::range_size(now), "one function or variable more or less");
    for (const auto& [a, b] : llvm::zip_equal(before, now)) pairs_[&a] = &b;
  }

  // ---- functions and variables ----

  void value(const llvm::GlobalValue& a, const llvm::GlobalValue& b) {
    const bool named = a.getName() == b.getName() || (a.hasPrivateLinkage() && b.hasPrivateLinkage());
    same(named || named_by_line(a, b), "the name of something");
    same(a.getLinkage() == b.getLinkage() && a.getVisibility() == b.getVisibility() &&
             a.getThreadLocalMode() == b.getThreadLocalMode() && a.getUnnamedAddr() == b.getUnnamedAddr() &&
             a.getDLLStorageClass() == b.getDLLStorageClass() && a.isDSOLocal() == b.isDSOLocal() &&
             a.getAddressSpace() == b.getAddressSpace() && a.getPartition() == b.getPartition(),
         "how something is linked");
    const llvm::Comdat* one = a.getComdat();
    const llvm::Comdat* other = b.getComdat();
    same((one == nullptr) == (other == nullptr), "a comdat");
    same(one == nullptr || (one->getName() == other->getName() && one->getSelectionKind() == other->getSelectionKind()),
         "a comdat");
  }

  // 'f.seen_on_12', a static variable of a function: DebugPairs notes that it has another name.
  static bool named_by_line(const llvm::GlobalValue& a, const llvm::GlobalValue& b) {
    const auto* one = llvm::dyn_cast<llvm::GlobalVariable>(&a);
    if (one == nullptr || !a.hasLocalLinkage() || !b.hasLocalLinkage()) return false;
    llvm::SmallVector<llvm::DIGlobalVariableExpression*, 1> known;
    llvm::SmallVector<llvm::DIGlobalVariableExpression*, 1> known_now;
    one->getDebugInfo(known);
    llvm::cast<llvm::GlobalVariable>(b).getDebugInfo(known_now);
    if (known.size() != 1 || known_now.size() != 1) return false;
    const llvm::DIGlobalVariable& before = *known.front()->getVariable();
    const llvm::DIGlobalVariable& now = *known_now.front()->getVariable();
    std::string name = a.getName().str();
    const auto at = name.rfind(before.getName());
    if (before.getName().empty() || at == std::string::npos) return false;
    return name.replace(at, before.getName().size(), now.getName()) == b.getName() && elyze::named_by_line(before, now);
  }

  void object(const llvm::GlobalObject& a, const llvm::GlobalObject& b) {
    value(a, b);
    same(a.getSection() == b.getSection() && a.getAlign().valueOrOne() == b.getAlign().valueOrOne(),
         "where something is put");
  }

  void variable(const llvm::GlobalVariable& a, const llvm::GlobalVariable& b) {
    object(a, b);
    same(a.isConstant() == b.isConstant() && a.hasInitializer() == b.hasInitializer() &&
             a.isExternallyInitialized() == b.isExternallyInitialized() &&
             a.getAttributes().getAsString() == b.getAttributes().getAsString(),
         "what a variable is");
    // Which bytes of it are written first depends on any number in the program.
    same(!a.hasAttribute(plugin::kScratchMark), "a scratch object");
    llvm::SmallVector<llvm::DIGlobalVariableExpression*, 1> known;
    llvm::SmallVector<llvm::DIGlobalVariableExpression*, 1> known_now;
    a.getDebugInfo(known);
    b.getDebugInfo(known_now);
    same(known.size() == known_now.size(), "what is known of a variable");
    for (std::size_t i = 0; i < known.size(); ++i) debug_.meet(known[i], known_now[i]);
    if (form_ == Form::kPrepared) same(same_where_read(a, b), "a text that the analysis reads");
    if (is_text(a) && is_text(b)) return;
    same(types_.same(a.getValueType(), b.getValueType()), "the type of a variable");
    // The analysis reads numbers in the initialisers of "llvm.global_ctors" and the like; in others, where it says so.
    const bool read = a.getName().starts_with("llvm.") || read_.initialisers();
    if (a.hasInitializer()) constant(*a.getInitializer(), *b.getInitializer(), read);
  }

  // The analysis reads the paths and modes with which files are opened, and looks for %n and %m in every text.
  bool same_where_read(const llvm::GlobalVariable& a, const llvm::GlobalVariable& b) const {
    const auto text = [](const llvm::GlobalVariable& variable) {
      const auto* data =
          variable.hasInitializer() ? llvm::dyn_cast<llvm::ConstantDataSequential>(variable.getInitializer()) : nullptr;
      return data == nullptr ? llvm::StringRef() : data->getRawDataValues();
    };
    if (text(a) == text(b)) return true;
    if (names_a_symbol(text(a)) || names_a_symbol(text(b))) return false;
    if (has_block_conversion(a) != has_block_conversion(b)) return false;
    return has_write_conversion(a) == has_write_conversion(b) && llvm::none_of(a.uses(), [&](const llvm::Use& use) {
             const auto* call = llvm::dyn_cast<llvm::CallBase>(use.getUser());
             return call != nullptr && call->isArgOperand(&use) && read_.may_read(*call, call->getArgOperandNo(&use));
           });
  }

  // Whether code outside the program may look the text up (PointsTo::note_names_in_texts()).
  bool names_a_symbol(llvm::StringRef text) const {
    return read_.is_name(text.take_until([](char c) { return c == 0; }).str());
  }

  void function(const llvm::Function& a, const llvm::Function& b) {
    object(a, b);
    same(types_.same(a.getFunctionType(), b.getFunctionType()) && a.getCallingConv() == b.getCallingConv() &&
             types_.same(a.getAttributes(), b.getAttributes()) && a.hasGC() == b.hasGC() &&
             a.isDeclaration() == b.isDeclaration(),
         "what a function is");
    same(a.getNumOperands() == b.getNumOperands(), "what belongs to a function");
    for (unsigned i = 0; i < a.getNumOperands(); ++i)
      constant(*llvm::cast<llvm::Constant>(a.getOperand(i)), *llvm::cast<llvm::Constant>(b.getOperand(i)), true);
    debug_.meet(a.getSubprogram(), b.getSubprogram());
    pair_up(a.args(), b.args());
    same(a.size() == b.size(), "one block more or less");
    for (const auto& [one, other] : llvm::zip_equal(a, b)) {
      pairs_[&one] = &other;
      same(one.size() == other.size(), "one instruction more or less");
      for (const auto& [x, y] : llvm::zip_equal(one, other)) pairs_[&x] = &y;
    }
    differs_ = false;
    for (const auto& [x, y] : llvm::zip_equal(llvm::instructions(a), llvm::instructions(b))) instruction(x, y);
    if (differs_ && form_ == Form::kPrepared) {
      for (const auto& [one, other] : llvm::zip_equal(a, b)) branch(*one.getTerminator(), *other.getTerminator());
    }
  }

  // Reports find "only the first time" in branches that test a variable for zero, so both builds must test alike.
  static void branch(const llvm::Instruction& a, const llvm::Instruction& b) {
    const auto* one = llvm::dyn_cast<llvm::BranchInst>(&a);
    if (one == nullptr) return;
    const auto holds = [](const std::optional<ZeroTest>& test) {
      return test ? std::optional(test->holds) : std::nullopt;
    };
    same(holds(zero_test(*one)) == holds(zero_test(llvm::cast<llvm::BranchInst>(b))), "what a variable is tested for");
  }

  // ---- constants ----

  void constant(const llvm::Constant& a, const llvm::Constant& b, bool exact) {
    if (llvm::isa<llvm::GlobalValue>(a)) {
      same(pairs_.lookup(&a) == &b, "another function or variable");
      return;
    }
    same(a.getValueID() == b.getValueID() && types_.same(a.getType(), b.getType()), "another kind of value");
    if (const auto* number = llvm::dyn_cast<llvm::ConstantInt>(&a)) {
      same(!exact || number->getValue() == llvm::cast<llvm::ConstantInt>(b).getValue(), "a number");
    } else if (const auto* real = llvm::dyn_cast<llvm::ConstantFP>(&a)) {
      same(!exact || real->getValueAPF().bitwiseIsEqual(llvm::cast<llvm::ConstantFP>(b).getValueAPF()), "a number");
    } else if (const auto* data = llvm::dyn_cast<llvm::ConstantDataSequential>(&a)) {
      const llvm::StringRef text = data->getRawDataValues();
      const llvm::StringRef now = llvm::cast<llvm::ConstantDataSequential>(b).getRawDataValues();
      same(text == now || (!exact && !names_a_symbol(text) && !names_a_symbol(now)), "numbers");
    } else if (llvm::isa<llvm::ConstantExpr, llvm::ConstantAggregate>(a)) {
      const auto* expression = llvm::dyn_cast<llvm::ConstantExpr>(&a);
      if (expression != nullptr)
        same(expression->getOpcode() == llvm::cast<llvm::ConstantExpr>(b).getOpcode(), "an expression");
      if (const auto* gep = llvm::dyn_cast<llvm::GEPOperator>(&a)) {
        same(types_.same(gep->getSourceElementType(), llvm::cast<llvm::GEPOperator>(b).getSourceElementType()),
             "what a pointer is moved over");
      }
      same(a.getNumOperands() == b.getNumOperands(), "one value more or less");
      for (unsigned i = 0; i < a.getNumOperands(); ++i) {
        constant(*llvm::cast<llvm::Constant>(a.getOperand(i)), *llvm::cast<llvm::Constant>(b.getOperand(i)),
                 exact || expression != nullptr);
      }
    } else {
      same(llvm::isa<llvm::ConstantPointerNull, llvm::ConstantAggregateZero, llvm::UndefValue>(a),
           "a value of a kind that is not known");
    }
  }

  // ---- instructions ----

  void instruction(const llvm::Instruction& a, const llvm::Instruction& b) {
    same(a.getOpcode() == b.getOpcode() && a.getNumOperands() == b.getNumOperands() &&
             types_.same(a.getType(), b.getType()),
         "an instruction");
    details(a, b);
    for (unsigned i = 0; i < a.getNumOperands(); ++i) operand(a, b, i);
    debug_.meet(a.getDebugLoc().get(), b.getDebugLoc().get());
    records(a, b);
    const auto* test = llvm::dyn_cast<llvm::ICmpInst>(&a);
    if (test == nullptr) return;
    const auto& other = llvm::cast<llvm::ICmpInst>(b);
    differs_ |= test->getPredicate() != other.getPredicate();
    same(form_ == Form::kCompiled || same_to_branches(*test, other), "what is asked of a result");
  }

  // Compares what an instruction has besides operands, except for what no part of the analysis reads: predicates, and
  // the flags of arithmetic (nsw and the like).
  void details(const llvm::Instruction& a, const llvm::Instruction& b) {
    bool equal = true;
    if (const auto* call = llvm::dyn_cast<llvm::CallBase>(&a)) {
      const auto& other = llvm::cast<llvm::CallBase>(b);
      equal = !call->hasOperandBundles() && !other.hasOperandBundles() && !llvm::isa<llvm::CallBrInst>(call) &&
              types_.same(call->getFunctionType(), other.getFunctionType()) &&
              call->getCallingConv() == other.getCallingConv() &&
              types_.same(call->getAttributes(), other.getAttributes());
    } else if (const auto* local = llvm::dyn_cast<llvm::AllocaInst>(&a)) {
      const auto& other = llvm::cast<llvm::AllocaInst>(b);
      equal = types_.same(local->getAllocatedType(), other.getAllocatedType()) && local->getName() == other.getName();
    } else if (const auto* load = llvm::dyn_cast<llvm::LoadInst>(&a)) {
      const auto& other = llvm::cast<llvm::LoadInst>(b);
      equal = load->isVolatile() == other.isVolatile() && load->getOrdering() == other.getOrdering();
    } else if (const auto* store = llvm::dyn_cast<llvm::StoreInst>(&a)) {
      const auto& other = llvm::cast<llvm::StoreInst>(b);
      equal = store->isVolatile() == other.isVolatile() && store->getOrdering() == other.getOrdering();
    } else if (const auto* gep = llvm::dyn_cast<llvm::GetElementPtrInst>(&a)) {
      equal = types_.same(gep->getSourceElementType(), llvm::cast<llvm::GetElementPtrInst>(b).getSourceElementType());
    } else if (const auto* choice = llvm::dyn_cast<llvm::PHINode>(&a)) {
      for (unsigned i = 0; i < choice->getNumIncomingValues(); ++i)
        equal &= pairs_.lookup(choice->getIncomingBlock(i)) == llvm::cast<llvm::PHINode>(b).getIncomingBlock(i);
    } else if (const auto* part = llvm::dyn_cast<llvm::ExtractValueInst>(&a)) {
      equal = part->getIndices() == llvm::cast<llvm::ExtractValueInst>(b).getIndices();
    } else if (const auto* whole = llvm::dyn_cast<llvm::InsertValueInst>(&a)) {
      equal = whole->getIndices() == llvm::cast<llvm::InsertValueInst>(b).getIndices();
    } else if (const auto* shuffle = llvm::dyn_cast<llvm::ShuffleVectorInst>(&a)) {
      equal = shuffle->getShuffleMask() == llvm::cast<llvm::ShuffleVectorInst>(b).getShuffleMask();
    } else if (const auto* update = llvm::dyn_cast<llvm::AtomicRMWInst>(&a)) {
      equal = update->getOperation() == llvm::cast<llvm::AtomicRMWInst>(b).getOperation();
    } else if (const auto* pad = llvm::dyn_cast<llvm::LandingPadInst>(&a)) {
      const auto& other = llvm::cast<llvm::LandingPadInst>(b);
      equal = pad->isCleanup() == other.isCleanup();
      for (unsigned i = 0; i < pad->getNumClauses(); ++i) equal &= pad->isCatch(i) == other.isCatch(i);
    } else {
      equal = llvm::isa<llvm::AtomicCmpXchgInst, llvm::FenceInst, llvm::ReturnInst, llvm::BranchInst, llvm::SwitchInst,
                        llvm::IndirectBrInst, llvm::ResumeInst, llvm::UnreachableInst, llvm::UnaryOperator,
                        llvm::BinaryOperator, llvm::CastInst, llvm::CmpInst, llvm::SelectInst, llvm::FreezeInst,
                        llvm::VAArgInst, llvm::ExtractElementInst, llvm::InsertElementInst>(a);
    }
    same(equal, "what an instruction does");
  }

  void operand(const llvm::Instruction& a, const llvm::Instruction& b, unsigned index) {
    const llvm::Value* one = a.getOperand(index);
    const llvm::Value* other = b.getOperand(index);
    const auto* number = llvm::dyn_cast<llvm::ConstantInt>(one);
    const auto* number_now = llvm::dyn_cast<llvm::ConstantInt>(other);
    if (number != nullptr && number_now != nullptr) {
      same(types_.same(one->getType(), other->getType()), "the type of a number");
      if (number->getValue() == number_now->getValue()) return;
      differs_ = true;
      const bool may = form_ == Form::kCompiled ? may_differ_as_compiled(a)
                                                : may_differ_prepared(a, index, *number, *number_now, read_);
      same(may, "a number that the analysis may look at");
    } else if (llvm::isa<llvm::Constant>(one) && !llvm::isa<llvm::GlobalValue>(one)) {
      same(llvm::isa<llvm::Constant>(other), "another value");
      // No part of the analysis looks at a real number; what an instruction may do with it, it may do with any.
      constant(*llvm::cast<llvm::Constant>(one), *llvm::cast<llvm::Constant>(other), !llvm::isa<llvm::ConstantFP>(one));
    } else if (const auto* assembly = llvm::dyn_cast<llvm::InlineAsm>(one)) {
      const auto* now = llvm::dyn_cast<llvm::InlineAsm>(other);
      same(now != nullptr && assembly->getAsmString() == now->getAsmString() &&
               assembly->getConstraintString() == now->getConstraintString() &&
               assembly->hasSideEffects() == now->hasSideEffects() && assembly->getDialect() == now->getDialect(),
           "inline assembly");
    } else if (const auto* metadata = llvm::dyn_cast<llvm::MetadataAsValue>(one)) {
      const auto* now = llvm::dyn_cast<llvm::MetadataAsValue>(other);
      same(now != nullptr, "another value");
      debug_.meet(metadata->getMetadata(), now->getMetadata());
    } else {
      same(pairs_.lookup(one) == other, "another value");
    }
  }

  // ---- which variable is where ----

  // Names and types come from variables that hold pointers, and from parameters.
  bool is_read(const llvm::DbgRecord& record) const {
    const auto* variable = llvm::dyn_cast<llvm::DbgVariableRecord>(&record);
    if (variable == nullptr) return false;
    if (form_ == Form::kCompiled || variable->getVariable()->getArg() != 0) return true;
    return llvm::any_of(variable->location_ops(), [](const llvm::Value* at) { return at->getType()->isPointerTy(); });
  }

  void records(const llvm::Instruction& a, const llvm::Instruction& b) {
    std::vector<const llvm::DbgVariableRecord*> before;
    std::vector<const llvm::DbgVariableRecord*> now;
    for (const llvm::DbgRecord& record : a.getDbgRecordRange())
      if (is_read(record)) before.push_back(llvm::cast<llvm::DbgVariableRecord>(&record));
    for (const llvm::DbgRecord& record : b.getDbgRecordRange())
      if (is_read(record)) now.push_back(llvm::cast<llvm::DbgVariableRecord>(&record));
    same(before.size() == now.size(), "one variable more or less");
    for (std::size_t i = 0; i < before.size(); ++i) record(*before[i], *now[i]);
  }

  void record(const llvm::DbgVariableRecord& a, const llvm::DbgVariableRecord& b) {
    same(a.getType() == b.getType() && !a.isDbgAssign() &&
             a.getNumVariableLocationOps() == b.getNumVariableLocationOps(),
         "where a variable is");
    debug_.meet(a.getVariable(), b.getVariable());
    debug_.meet(a.getDebugLoc().get(), b.getDebugLoc().get());
    debug_.meet(a.getExpression(), b.getExpression());
    for (unsigned i = 0; i < a.getNumVariableLocationOps(); ++i) {
      const llvm::Value* one = a.getVariableLocationOp(i);
      const llvm::Value* other = b.getVariableLocationOp(i);
      same((one == nullptr) == (other == nullptr), "where a variable is");
      if (one == nullptr) continue;
      if (const auto* known = llvm::dyn_cast<llvm::Constant>(one); known != nullptr) {
        same(llvm::isa<llvm::Constant>(other), "where a variable is");
        constant(*known, *llvm::cast<llvm::Constant>(other), false);
      } else {
        same(pairs_.lookup(one) == other, "where a variable is");
      }
    }
  }

  const llvm::Module& before_;
  const llvm::Module& now_;
  const Form form_;
  const NumbersRead& read_;
  DebugPairs debug_;
  TypePairs types_;
  llvm::DenseMap<const llvm::Value*, const llvm::Value*> pairs_;
  bool differs_ = false;  // a number or a predicate of the current function
};

}  // namespace

void compare(const llvm::Module& before, const llvm::Module& now, Form form, const NumbersRead& read, Lines& lines) {
  Matcher(before, now, form, read, lines).run();
}

}  // namespace heddle::elyze
