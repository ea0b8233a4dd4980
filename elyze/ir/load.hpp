// Reads bitcode files and brings each into the form that the analysis works on: locals in registers (sroa), redundant
// loads gone (early-cse), simple control flow, simple instructions. Debug records stay. Files are linked only after
// that, so what the analysis sees of one file depends on that file alone (elyze/compare rests on it).
#pragma once

#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/PassManager.h>
#include <llvm/Passes/PassBuilder.h>

#include <memory>
#include <string>
#include <vector>

namespace heddle::elyze {

// Metadata of a module that names the field of stat() for the time at which a file was read.
inline constexpr const char* kNamesAccessTimes = "heddle.names-access-times";

using Modules = std::vector<std::unique_ptr<llvm::Module>>;

// Throw InputError where a file can't be read, or where none carries debug information.
std::unique_ptr<llvm::Module> read_module(llvm::LLVMContext& context, const std::string& file);
Modules read_program(llvm::LLVMContext& context, const std::vector<std::string>& files);

// `files` names the modules in messages. Throws InputError where the modules don't fit together.
std::unique_ptr<llvm::Module> link(Modules modules, const std::vector<std::string>& files);

class Preparation {
 public:
  Preparation();
  void run(llvm::Module& module);

 private:
  llvm::LoopAnalysisManager loops_;
  llvm::FunctionAnalysisManager functions_;
  llvm::CGSCCAnalysisManager sccs_;
  llvm::ModuleAnalysisManager modules_;
  llvm::ModulePassManager values_;  // makes values of local variables
  llvm::ModulePassManager passes_;
};

}  // namespace heddle::elyze
