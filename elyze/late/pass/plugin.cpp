// The plugin that clang loads with -fpass-plugin. It writes the module with its late points as bitcode to the file that
// the environment variable HEDDLE_LATE_BITCODE names, before anything is optimised: the analyser must see the points
// that the object has. Tests set HEDDLE_LATE_EVERYWHERE for a program with as many points as can be.
#include <llvm/Bitcode/BitcodeWriter.h>
#include <llvm/Passes/PassBuilder.h>
#include <llvm/Passes/PassPlugin.h>
#include <llvm/Support/ErrorHandling.h>
#include <llvm/Support/raw_ostream.h>
#include <llvm/Transforms/Scalar/LowerExpectIntrinsic.h>

#include <cstdlib>

#include "elyze/late/pass/insert.hpp"
#include "schemas/environment.hpp"

namespace {

class LatePass : public llvm::PassInfoMixin<LatePass> {
 public:
  static llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager&) {
    // NOLINTBEGIN(concurrency-mt-unsafe): the compiler has one thread
    heddle::late::insert_late_points(module, std::getenv(heddle::schemas::environment::kLateEverywhere) != nullptr);
    if (const char* file = std::getenv(heddle::schemas::environment::kLateBitcode); file != nullptr)
      write(module, file);
    // NOLINTEND(concurrency-mt-unsafe)
    return llvm::PreservedAnalyses::none();
  }
  static bool isRequired() { return true; }

 private:
  static void write(const llvm::Module& module, const char* file) {
    std::error_code failure;
    llvm::raw_fd_ostream stream(file, failure);
    if (!failure) llvm::WriteBitcodeToFile(module, stream);
    stream.flush();
    if (failure || stream.has_error()) {
      stream.clear_error();
      llvm::report_fatal_error(llvm::Twine(file) + ": cannot be written", false);
    }
  }
};

// `__builtin_expect` becomes a weight of its branch.
void add_late_pass(llvm::PassBuilder& builder) {
  builder.registerPipelineStartEPCallback([](llvm::ModulePassManager& passes, llvm::OptimizationLevel) {
    passes.addPass(llvm::createModuleToFunctionPassAdaptor(llvm::LowerExpectIntrinsicPass()));
    passes.addPass(LatePass());
  });
}

}  // namespace

extern "C" [[gnu::visibility("default")]] llvm::PassPluginLibraryInfo llvmGetPassPluginInfo() {
  return {LLVM_PLUGIN_API_VERSION, "heddle-late", HEDDLE_VERSION, add_late_pass};
}
