// Reads bitcode files, links them into one module and brings it into the form that the analysis works on: locals in
// registers (sroa), redundant loads gone (early-cse), simple control flow, simple instructions. Debug records stay.
#pragma once

#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Module.h>

#include <memory>
#include <string>
#include <vector>

namespace heddle::elyze {

// Throws InputError where a file can't be read or linked, or where it carries no debug information.
std::unique_ptr<llvm::Module> load_program(llvm::LLVMContext& context, const std::vector<std::string>& files);

void prepare(llvm::Module& module);

}  // namespace heddle::elyze
