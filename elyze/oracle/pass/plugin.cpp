// The plugin that clang loads with -fpass-plugin. Specs of external functions come from the folder that the
// environment variable HEDDLE_SPECS names.
#include <llvm/Passes/PassBuilder.h>
#include <llvm/Passes/PassPlugin.h>
#include <llvm/Support/ErrorHandling.h>
#include <llvm/Transforms/Scalar/DCE.h>
#include <llvm/Transforms/Scalar/EarlyCSE.h>
#include <llvm/Transforms/Scalar/SROA.h>
#include <llvm/Transforms/Scalar/SimplifyCFG.h>

#include <cstdlib>
#include <exception>

#include "elyze/oracle/pass/instrument.hpp"
#include "schemas/environment.hpp"

namespace {

class OraclePass : public llvm::PassInfoMixin<OraclePass> {
 public:
  static llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager&) {
    // NOLINTNEXTLINE(concurrency-mt-unsafe): the compiler has one thread
    const char* specs = std::getenv(heddle::schemas::environment::kSpecs);
    if (specs == nullptr) llvm::report_fatal_error("HEDDLE_SPECS must name the folder of specs", false);
    try {
      heddle::oracle::instrument(module, heddle::elyze::Specs::read(specs));
    } catch (const std::exception& error) {
      llvm::report_fatal_error(error.what(), false);
    }
    return llvm::PreservedAnalyses::none();
  }
  static bool isRequired() { return true; }
};

// Before instrumenting, runs the analyser's own passes, so that neither sees a read of a value that nobody uses. Only
// the last one (instcombine) is replaced, since it would strip addresses of the names of their structures.
void add_oracle_pass(llvm::PassBuilder& builder) {
  builder.registerPipelineStartEPCallback([](llvm::ModulePassManager& passes, llvm::OptimizationLevel) {
    llvm::FunctionPassManager simplify;
    simplify.addPass(llvm::SROAPass(llvm::SROAOptions::ModifyCFG));
    simplify.addPass(llvm::EarlyCSEPass());
    simplify.addPass(llvm::SimplifyCFGPass());
    simplify.addPass(llvm::DCEPass());
    passes.addPass(llvm::createModuleToFunctionPassAdaptor(std::move(simplify)));
    passes.addPass(OraclePass());
  });
}

}  // namespace

extern "C" [[gnu::visibility("default")]] llvm::PassPluginLibraryInfo llvmGetPassPluginInfo() {
  return {LLVM_PLUGIN_API_VERSION, "heddle-oracle", HEDDLE_VERSION, add_oracle_pass};
}
