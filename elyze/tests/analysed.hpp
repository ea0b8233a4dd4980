// Tests of effects ask for the summaries of small programs: this analyses a program written in LLVM's assembly.
#pragma once

#include <gtest/gtest.h>
#include <llvm/AsmParser/Parser.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Module.h>
#include <llvm/Support/SourceMgr.h>

#include <memory>
#include <stdexcept>
#include <string>

#include "elyze/effects/bottom_up.hpp"
#include "elyze/points_to/call_graph.hpp"

namespace heddle::elyze {

class Analysed {
 public:
  explicit Analysed(const std::string& text, const Limits& limits = {})
      : module_(parse(text)),
        specs_(Specs::read(ELYZE_SPECS)),
        calls_(build_call_graph(*module_, specs_)),
        analysis_(analyse_functions(*module_, specs_, calls_, limits)) {}

  Analysis& analysis() { return *analysis_; }
  const CallGraph& calls() const { return calls_; }
  const llvm::Function& function(const std::string& name) const { return *module_->getFunction(name); }
  const Summary& summary(const std::string& name) const { return analysis_->summaries.at(&function(name)); }
  const Root& root(RootId id) const { return analysis_->roots[id]; }
  // The value called %name in the function.
  const llvm::Instruction& value(const std::string& in, const std::string& name) const {
    for (const llvm::Instruction& instruction : llvm::instructions(function(in))) {
      if (instruction.getName() == name) return instruction;
    }
    throw std::runtime_error("no %" + name + " in @" + in);
  }
  // The `index`th store in the function, from 0 on.
  const llvm::Instruction& store(const std::string& in, int index) const {
    for (const llvm::Instruction& instruction : llvm::instructions(function(in))) {
      if (llvm::isa<llvm::StoreInst>(instruction) && index-- == 0) return instruction;
    }
    throw std::runtime_error("not so many stores in @" + in);
  }

 private:
  std::unique_ptr<llvm::Module> parse(const std::string& text) {
    llvm::SMDiagnostic problem;
    std::unique_ptr<llvm::Module> module = llvm::parseAssemblyString(text, problem, context_);
    if (module == nullptr) throw std::runtime_error(problem.getMessage().str());
    return module;
  }

  llvm::LLVMContext context_;
  std::unique_ptr<llvm::Module> module_;
  Specs specs_;
  CallGraph calls_;
  std::unique_ptr<Analysis> analysis_;
};

}  // namespace heddle::elyze
