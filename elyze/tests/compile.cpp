#include "elyze/tests/compile.hpp"

#include <clang/Basic/Diagnostic.h>
#include <clang/CodeGen/CodeGenAction.h>
#include <clang/Frontend/CompilerInstance.h>
#include <clang/Frontend/CompilerInvocation.h>
#include <clang/Frontend/TextDiagnosticPrinter.h>
#include <clang/Frontend/Utils.h>
#include <llvm/IR/LLVMContext.h>
#include <llvm/Support/TargetSelect.h>
#include <llvm/Support/VirtualFileSystem.h>
#include <llvm/Support/raw_ostream.h>

#include <memory>
#include <utility>

namespace heddle::elyze {

std::string compile_to_bitcode(const std::string& source, const std::string& bitcode,
                               const std::vector<std::string>& options) {
  static const bool ready = !llvm::InitializeNativeTarget() && !llvm::InitializeNativeTargetAsmParser();
  if (!ready) return "LLVM was built without this machine's target";

  std::vector<const char*> words = {ELYZE_CLANG, "-g", "-O0", "-Xclang", "-disable-O0-optnone", "-w", "-emit-llvm"};
  for (const std::string& option : options) words.push_back(option.c_str());
  for (const char* word : {"-c", source.c_str()}) words.push_back(word);

  std::string errors;
  llvm::raw_string_ostream stream(errors);
  const auto diagnostics_options = llvm::makeIntrusiveRefCnt<clang::DiagnosticOptions>();
  clang::TextDiagnosticPrinter printer(stream, diagnostics_options.get());
  clang::CompilerInstance compiler;
  clang::CreateInvocationOptions as_driver;
  as_driver.VFS = llvm::vfs::createPhysicalFileSystem();  // -working-directory is not to become that of this process
  const auto files = as_driver.VFS;
  as_driver.Diags = clang::CompilerInstance::createDiagnostics(diagnostics_options.get(), &printer, false);
  std::shared_ptr<clang::CompilerInvocation> invocation = clang::createInvocation(words, std::move(as_driver));
  if (!invocation) return errors;
  invocation->getFrontendOpts().OutputFile = bitcode;
  invocation->getFrontendOpts().DisableFree = false;  // a process that ends leaves its memory behind; this one goes on
  compiler.setInvocation(std::move(invocation));
  compiler.createDiagnostics(&printer, false);
  compiler.createFileManager(files);
  llvm::LLVMContext context;
  clang::EmitBCAction action(&context);
  if (compiler.ExecuteAction(action)) return "";
  return errors.empty() ? "clang gave no reason" : errors;
}

}  // namespace heddle::elyze
