// Every operation of LLVM is on the list of those that the graph models, or an address that it is given escapes.
#include "elyze/points_to/operations.hpp"

#include <gtest/gtest.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Intrinsics.h>

#include <map>
#include <set>
#include <string>

#include "elyze/tests/analysed.hpp"

namespace heddle::elyze {
namespace {

const std::map<unsigned, std::string>& all_opcodes() {
  static const std::map<unsigned, std::string> all{
#define HANDLE_INST(number, opcode, Class) {number, #opcode},
#include <llvm/IR/Instruction.def>
  };
  return all;
}

// @f gives the operation the address of @object, and writes where its result points.
std::string program(const std::string& operation) {
  return R"(
    @object = global i64 0
    define void @f() {
      %n = ptrtoint ptr @object to i64
      %half = trunc i64 %n to i32
      %real = bitcast i64 %n to double
      )" +
         operation + R"(
      %p = inttoptr i64 %r to ptr
      store i8 1, ptr %p
      ret void
    }
  )";
}

// What the operation is given escapes, and what it gives is anything that escaped.
void expect_lost(const std::string& operation, const std::string& at = "r") {
  const Analysed analysed(program(operation));
  const AddressNumbers& addresses = analysed.calls().addresses;
  EXPECT_TRUE(addresses.escapes(analysed.value("f", at))) << operation;
  EXPECT_TRUE(addresses.made(analysed.value("f", "p"))) << operation;
}

TEST(Operations, each_opcode_on_the_list_is_there_once_and_has_a_reason) {
  std::set<unsigned> seen;
  for (const Modelled& modelled : modelled_opcodes()) {
    EXPECT_TRUE(all_opcodes().contains(modelled.which)) << modelled.which;
    EXPECT_TRUE(seen.insert(modelled.which).second) << all_opcodes().at(modelled.which) << " is listed twice";
    EXPECT_NE(modelled.model, Model::kUnknown);
    EXPECT_FALSE(std::string(modelled.reason).empty());
  }
}

TEST(Operations, each_opcode_that_is_not_on_the_list_loses_addresses) {
  std::set<std::string> unknown;
  for (const auto& [opcode, name] : all_opcodes()) {
    if (model_of_opcode(opcode) == Model::kUnknown) unknown.insert(name);
  }
  const std::map<std::string, std::string> operations{
      {"FNeg", "%d = fneg double %real %r = bitcast double %d to i64"},
      {"Mul", "%r = mul i64 %n, 3"},
      {"UDiv", "%r = udiv i64 %n, 3"},
      {"SDiv", "%r = sdiv i64 %n, 3"},
      {"URem", "%r = urem i64 %n, 3000000000"},
      {"SRem", "%r = srem i64 %n, 3000000000"},
      {"Shl", "%r = shl i64 %n, 3"},
      {"LShr", "%r = lshr i64 %n, 3"},
      {"AShr", "%r = ashr i64 %n, 3"},
      {"FAdd", "%d = fadd double %real, 1.0 %r = bitcast double %d to i64"},
      {"FSub", "%d = fsub double %real, 1.0 %r = bitcast double %d to i64"},
      {"FMul", "%d = fmul double %real, 2.0 %r = bitcast double %d to i64"},
      {"FDiv", "%d = fdiv double %real, 2.0 %r = bitcast double %d to i64"},
      {"FRem", "%d = frem double %real, 2.0 %r = bitcast double %d to i64"},
      {"FPToUI", "%r = fptoui double %real to i64"},
      {"FPToSI", "%r = fptosi double %real to i64"},
      {"UIToFP", "%d = uitofp i64 %n to double %r = bitcast double %d to i64"},
      {"SIToFP", "%d = sitofp i64 %n to double %r = bitcast double %d to i64"},
      {"FPTrunc", "%d = fptrunc double %real to float %e = fpext float %d to double %r = bitcast double %e to i64"},
      {"FPExt", "%d = bitcast i32 %half to float %e = fpext float %d to double %r = bitcast double %e to i64"},
      // Passes use these for themselves; no bitcode has them.
      {"UserOp1", ""},
      {"UserOp2", ""},
  };
  for (const std::string& name : unknown) {
    const auto operation = operations.find(name);
    ASSERT_NE(operation, operations.end()) << name << " is neither modelled nor tried here";
    if (operation->second.empty()) continue;
    const bool real = operation->second.find("%real") != std::string::npos;
    const bool single = name == "FPExt" || name == "UIToFP" || name == "SIToFP";
    expect_lost(operation->second, real ? "real" : single ? "d" : "r");
  }
}

TEST(Operations, pieces_of_an_address_are_lost) {
  expect_lost("%piece = trunc i64 %n to i16 %r = zext i16 %piece to i64", "piece");
  expect_lost("%narrow = add i32 %half, 7 %r = zext i32 %narrow to i64", "narrow");
  expect_lost("%r = add i64 %n, ptrtoint (ptr @f to i64)");
  expect_lost("%r = sub i64 5, %n");
}

TEST(Operations, an_address_that_never_becomes_a_pointer_again_is_not_lost) {
  const Analysed analysed(R"(
    @object = global i64 0
    @table = global [16 x i8] zeroinitializer
    define void @f() {
      %n = ptrtoint ptr @object to i64
      %r = lshr i64 %n, 4
      %i = and i64 %r, 15
      %p = getelementptr [16 x i8], ptr @table, i64 0, i64 %i
      store i8 1, ptr %p
      ret void
    }
  )");
  EXPECT_FALSE(analysed.calls().addresses.escapes(analysed.value("f", "r")));
  EXPECT_FALSE(analysed.calls().addresses.made(analysed.value("f", "p")));
  EXPECT_TRUE(analysed.calls().addresses.may_hold(&analysed.value("f", "n")));
  EXPECT_FALSE(analysed.calls().addresses.may_hold(&analysed.value("f", "r")));
}

TEST(Operations, each_intrinsic_on_the_list_is_there_once_and_has_a_reason) {
  std::set<unsigned> seen;
  for (const Modelled& modelled : modelled_intrinsics()) {
    EXPECT_TRUE(seen.insert(modelled.which).second) << modelled.which << " is listed twice";
    EXPECT_NE(modelled.model, Model::kUnknown);
    EXPECT_FALSE(std::string(modelled.reason).empty());
  }
}

// Calls each intrinsic with numbers and pointers made from one address. An intrinsic with type parameters is called
// with those of its first use that LLVM accepts.
TEST(Operations, each_intrinsic_is_modelled_or_specified_or_loses_addresses) {
  const Specs specs = Specs::read(ELYZE_SPECS);
  std::size_t lost = 0;
  for (llvm::Intrinsic::ID id = 1; id < llvm::Intrinsic::num_intrinsics; ++id) {
    if (model_of_intrinsic(id) != Model::kUnknown || llvm::Intrinsic::isOverloaded(id)) continue;
    llvm::LLVMContext context;
    llvm::Module module("test", context);
    llvm::Function* intrinsic = llvm::Intrinsic::getDeclaration(&module, id);
    llvm::FunctionType* type = intrinsic->getFunctionType();
    const auto is_plain = [](const llvm::Type* part) { return part->isPointerTy() || part->isIntegerTy(64); };
    const bool plain = is_plain(type->getReturnType()) && !type->isVarArg() && type->getNumParams() > 0 &&
                       llvm::all_of(type->params(), is_plain);
    if (!plain || specs.find(*intrinsic) != nullptr) continue;
    auto* object = new llvm::GlobalVariable(module, type->getReturnType(), false, llvm::GlobalValue::ExternalLinkage,
                                            llvm::Constant::getNullValue(type->getReturnType()), "object");
    auto* function = llvm::Function::Create(llvm::FunctionType::get(llvm::Type::getVoidTy(context), false),
                                            llvm::GlobalValue::ExternalLinkage, "f", module);
    llvm::IRBuilder<> builder(llvm::BasicBlock::Create(context, "", function));
    std::vector<llvm::Value*> arguments;
    for (llvm::Type* parameter : type->params()) {
      llvm::Value* address = builder.CreateFreeze(object);
      arguments.push_back(parameter->isPointerTy() ? address : builder.CreatePtrToInt(address, parameter));
    }
    llvm::CallInst* call = builder.CreateCall(intrinsic, arguments);
    llvm::Value* pointer = call;
    if (!call->getType()->isPointerTy()) pointer = builder.CreateIntToPtr(call, builder.getPtrTy());
    builder.CreateStore(builder.getInt8(1), pointer);
    builder.CreateRetVoid();
    const CallGraph calls = build_call_graph(module, specs);
    if (intrinsic->doesNotAccessMemory()) {
      EXPECT_TRUE(calls.addresses.escapes(*call)) << intrinsic->getName().str();
      EXPECT_TRUE(calls.addresses.made(*llvm::cast<llvm::Instruction>(pointer))) << intrinsic->getName().str();
      ++lost;
    } else {
      const auto analysis = analyse_functions(module, specs, calls, {});
      EXPECT_FALSE(analysis->summaries.at(function).unknown.empty()) << intrinsic->getName().str();
    }
  }
  EXPECT_GT(lost, 20U);
}

TEST(Operations, intrinsics_with_type_parameters_lose_addresses) {
  for (const std::string call :
       {"bswap.i64(i64 %n)", "bitreverse.i64(i64 %n)", "ctpop.i64(i64 %n)", "abs.i64(i64 %n, i1 false)",
        "fshl.i64(i64 %n, i64 %n, i64 13)", "fshr.i64(i64 %n, i64 %n, i64 13)", "uadd.sat.i64(i64 %n, i64 5)",
        "ushl.sat.i64(i64 %n, i64 5)", "vector.reduce.xor.v2i64(<2 x i64> %pair)"}) {
    const std::string name = call.substr(0, call.find('('));
    const std::string operation =
        "%pair = insertelement <2 x i64> zeroinitializer, i64 %n, i32 1\n%r = call i64 @llvm." + call;
    std::string types = call.substr(call.find('(') + 1);
    types.pop_back();
    for (const std::string value : {" %n", " %pair", " 13", " 5", " false"}) {
      for (std::size_t at = 0; (at = types.find(value)) != std::string::npos;) types.erase(at, value.size());
    }
    const Analysed analysed(program(operation) + "declare i64 @llvm." + name + "(" + types + ")");
    EXPECT_TRUE(analysed.calls().addresses.escapes(analysed.value("f", "r"))) << call;
    EXPECT_TRUE(analysed.calls().addresses.made(analysed.value("f", "p"))) << call;
  }
}

}  // namespace
}  // namespace heddle::elyze
