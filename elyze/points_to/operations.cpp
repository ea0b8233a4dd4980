#include "elyze/points_to/operations.hpp"

#include <llvm/IR/Instruction.h>
#include <llvm/IR/Intrinsics.h>

#include <algorithm>

namespace heddle::elyze {
namespace {

Model model_in(const std::vector<Modelled>& list, unsigned which) {
  const auto place =
      std::find_if(list.begin(), list.end(), [&](const Modelled& modelled) { return modelled.which == which; });
  return place == list.end() ? Model::kUnknown : place->model;
}

}  // namespace

const std::vector<Modelled>& modelled_opcodes() {
  using I = llvm::Instruction;
  static const std::vector<Modelled> list{
      {I::Ret, Model::kCall, "the result is unified with that of each call"},
      {I::Br, Model::kControl, "an address is not taken apart by branches"},
      {I::Switch, Model::kControl, "an address is not taken apart by branches"},
      {I::IndirectBr, Model::kControl, "goes to a label of its own function, which is no object"},
      {I::Invoke, Model::kCall, "arguments and result are unified with those of each target"},
      {I::Resume, Model::kCall, "exceptions are what the specs of the C++ runtime say"},
      {I::Unreachable, Model::kControl, "is never executed"},
      {I::CleanupRet, Model::kControl, "goes on in its own function"},
      {I::CatchRet, Model::kControl, "goes on in its own function"},
      {I::CatchSwitch, Model::kControl, "goes on in its own function"},
      {I::CallBr, Model::kCall, "inline assembly that jumps: its operands are unified"},
      {I::Add, Model::kSum, "an address plus a distance is in the same object"},
      {I::Sub, Model::kDifference, "an address less a distance is in the same object"},
      {I::And, Model::kMask, "without some of its bits an address is in the same object"},
      {I::Or, Model::kMask, "an address with a tag, or one address of the two"},
      {I::Xor, Model::kMask, "an address with a tag, or with another address: unified with both"},
      {I::Alloca, Model::kObject, "an object of its own"},
      {I::Load, Model::kMemory, "unified with what is stored at the place"},
      {I::Store, Model::kMemory, "unified with what is loaded from the place"},
      {I::GetElementPtr, Model::kAddress, "stays in the object (C11 6.5.6); an index is a distance"},
      {I::Fence, Model::kControl, "moves no value"},
      {I::AtomicCmpXchg, Model::kMemory, "a load and a store"},
      {I::AtomicRMW, Model::kMemory, "a load and a store"},
      {I::Trunc, Model::kMove, "32 bits of an address are unified with it; fewer are unknown"},
      {I::ZExt, Model::kMove, "the same number"},
      {I::SExt, Model::kMove, "the same number"},
      {I::PtrToInt, Model::kToNumber, "the number has the pointer's cell"},
      {I::IntToPtr, Model::kToPointer, "the pointer has the number's cell"},
      {I::BitCast, Model::kMove, "the same bits; between numbers and floating point they are unknown"},
      {I::AddrSpaceCast, Model::kMove, "the same object"},
      {I::CleanupPad, Model::kControl, "a token"},
      {I::CatchPad, Model::kControl, "a token"},
      {I::ICmp, Model::kAnswer, "an address is not taken apart by comparisons"},
      {I::FCmp, Model::kAnswer, "an address is not taken apart by comparisons"},
      {I::PHI, Model::kMove, "one of its operands"},
      {I::Call, Model::kCall, "arguments and result are unified with those of each target"},
      {I::Select, Model::kMove, "one of its operands"},
      {I::VAArg, Model::kMove, "one of the variable arguments"},
      {I::ExtractElement, Model::kMove, "one cell for a vector and its elements"},
      {I::InsertElement, Model::kMove, "one cell for a vector and its elements"},
      {I::ShuffleVector, Model::kMove, "one cell for a vector and its elements"},
      {I::ExtractValue, Model::kMove, "one cell for an aggregate and its parts"},
      {I::InsertValue, Model::kMove, "one cell for an aggregate and its parts"},
      {I::LandingPad, Model::kCall, "exceptions are what the specs of the C++ runtime say"},
      {I::Freeze, Model::kMove, "the same value"},
  };
  return list;
}

const std::vector<Modelled>& modelled_intrinsics() {
  namespace N = llvm::Intrinsic;
  static const std::vector<Modelled> list{
      {N::vastart, Model::kMemory, "the list is unified with the function's variable arguments"},
      {N::expect, Model::kMove, "its first argument"},
      {N::expect_with_probability, Model::kMove, "its first argument"},
      {N::annotation, Model::kMove, "its first argument"},
      {N::ptr_annotation, Model::kMove, "its first argument"},
      {N::launder_invariant_group, Model::kMove, "its first argument"},
      {N::strip_invariant_group, Model::kMove, "its first argument"},
      {N::ssa_copy, Model::kMove, "its first argument"},
      {N::threadlocal_address, Model::kMove, "its first argument"},
      {N::smax, Model::kMove, "one of its arguments"},
      {N::smin, Model::kMove, "one of its arguments"},
      {N::umax, Model::kMove, "one of its arguments"},
      {N::umin, Model::kMove, "one of its arguments"},
      {N::is_constant, Model::kAnswer, "one bit"},
      {N::is_fpclass, Model::kAnswer, "one bit"},
      {N::objectsize, Model::kAnswer, "a size"},
      {N::eh_typeid_for, Model::kAnswer, "the number of a type"},
      {N::dbg_declare, Model::kControl, "moves no value"},
      {N::dbg_value, Model::kControl, "moves no value"},
      {N::dbg_assign, Model::kControl, "moves no value"},
      {N::dbg_label, Model::kControl, "moves no value"},
      {N::assume, Model::kControl, "moves no value"},
      {N::donothing, Model::kControl, "moves no value"},
      {N::sideeffect, Model::kControl, "moves no value"},
      {N::pseudoprobe, Model::kControl, "moves no value"},
      {N::lifetime_start, Model::kControl, "moves no value"},
      {N::lifetime_end, Model::kControl, "moves no value"},
      {N::experimental_noalias_scope_decl, Model::kControl, "moves no value"},
  };
  return list;
}

Model model_of_opcode(unsigned opcode) {
  static const std::vector<Model> models = [] {
    std::vector<Model> all(llvm::Instruction::OtherOpsEnd, Model::kUnknown);
    for (unsigned i = 0; i < all.size(); ++i) all[i] = model_in(modelled_opcodes(), i);
    return all;
  }();
  return opcode < models.size() ? models[opcode] : Model::kUnknown;
}

Model model_of_intrinsic(unsigned intrinsic) { return model_in(modelled_intrinsics(), intrinsic); }

}  // namespace heddle::elyze
