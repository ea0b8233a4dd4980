// The plugin that clang loads with -fpass-plugin: before anything is optimised it makes sums atomic, if HEDDLE_SUMS
// asks for that, puts late points into the module, if HEDDLE_LATE asks for them, marks static objects, if
// HEDDLE_SCRATCH asks for that, and then puts the module itself into the object, as bitcode. So the analyser sees what
// the user's own flags make of the source (`-O2` chooses other branches of the C library's headers), and the very
// points, sums and marks that the object has. How marked objects are got at changes behind that. Tests set
// HEDDLE_LATE_EVERYWHERE for a program with as many points as can be.
#include <llvm/Passes/PassBuilder.h>
#include <llvm/Passes/PassPlugin.h>
#include <llvm/Transforms/Scalar/LowerExpectIntrinsic.h>

#include <cstdlib>

#include "elyze/plugin/bitcode.hpp"
#include "elyze/plugin/insert.hpp"
#include "elyze/plugin/scratch.hpp"
#include "elyze/plugin/sums.hpp"
#include "schemas/environment.hpp"

namespace {

namespace environment = heddle::schemas::environment;

bool is_set(const char* name) {
  return std::getenv(name) != nullptr;  // NOLINT(concurrency-mt-unsafe): the compiler has one thread
}

class LatePass : public llvm::PassInfoMixin<LatePass> {
 public:
  static llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager&) {
    heddle::late::insert_late_points(module, is_set(environment::kLateEverywhere));
    return llvm::PreservedAnalyses::none();
  }
  static bool isRequired() { return true; }
};

class SumsPass : public llvm::PassInfoMixin<SumsPass> {
 public:
  static llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager&) {
    heddle::plugin::make_sums_atomic(module);
    return llvm::PreservedAnalyses::none();
  }
  static bool isRequired() { return true; }
};

class MarkScratchPass : public llvm::PassInfoMixin<MarkScratchPass> {
 public:
  static llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager&) {
    heddle::plugin::mark_scratch(module);
    return llvm::PreservedAnalyses::all();
  }
  static bool isRequired() { return true; }
};

class MoveScratchPass : public llvm::PassInfoMixin<MoveScratchPass> {
 public:
  static llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager&) {
    heddle::plugin::make_scratch_movable(module);
    return llvm::PreservedAnalyses::none();
  }
  static bool isRequired() { return true; }
};

class BitcodePass : public llvm::PassInfoMixin<BitcodePass> {
 public:
  static llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager&) {
    heddle::plugin::embed_bitcode(module);
    return llvm::PreservedAnalyses::all();
  }
  static bool isRequired() { return true; }
};

void add_passes(llvm::PassBuilder& builder) {
  builder.registerPipelineStartEPCallback([](llvm::ModulePassManager& passes, llvm::OptimizationLevel) {
    if (is_set(environment::kSums)) passes.addPass(SumsPass());
    if (is_set(environment::kLate)) {
      // `__builtin_expect` becomes a weight of its branch.
      passes.addPass(llvm::createModuleToFunctionPassAdaptor(llvm::LowerExpectIntrinsicPass()));
      passes.addPass(LatePass());
    }
    if (is_set(environment::kScratch)) passes.addPass(MarkScratchPass());
    passes.addPass(BitcodePass());
    if (is_set(environment::kScratch)) passes.addPass(MoveScratchPass());
  });
}

}  // namespace

extern "C" [[gnu::visibility("default")]] llvm::PassPluginLibraryInfo llvmGetPassPluginInfo() {
  return {LLVM_PLUGIN_API_VERSION, "heddle", HEDDLE_VERSION, add_passes};
}
