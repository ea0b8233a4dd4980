// Calls that the compiler adds behind the bitcode.
//
// An instruction or an intrinsic may become a call of the compiler's own library (`__udivti3`), or of the C library
// (`memcpy` for an assignment, `floor` for its intrinsic); a call of one function becomes one of another (`puts` for
// `printf`); and options have functions called at each entry, at each trap, for large frames. The linker takes the
// program's own definition of such a function. So what has a name that is the implementation's (C17 7.1.3) may be
// called by any code, whatever the source calls, and so may what an attribute or a flag of the module names.
#pragma once

#include <llvm/Analysis/TargetLibraryInfo.h>
#include <llvm/IR/Attributes.h>
#include <llvm/IR/Module.h>

#include <set>
#include <string>
#include <vector>

namespace heddle::elyze {

class GeneratedCalls {
 public:
  explicit GeneratedCalls(const llvm::Module& program);
  // May code call the function of the program by this symbol, its own or an alias, where no instruction does?
  // `of_c_library`: a spec of the C library describes a function of this name.
  bool may_call(const llvm::GlobalValue& symbol, const llvm::Function& function, bool of_c_library) const;

 private:
  bool known(llvm::StringRef name) const;

  llvm::TargetLibraryInfoImpl library_;
  std::set<std::string, std::less<>> of_the_compiler_;
  std::set<std::string, std::less<>> named_;  // by attributes, flags, and assembly of a file
};

struct KnownAttribute {
  llvm::StringLiteral name;
  llvm::StringLiteral reason;
  bool calls = false;  // the function that it names
};
// The attributes with names of their own, other than those of LLVM's Language Reference ("Function Attributes"), that
// add no call but of functions with reserved names.
const std::vector<KnownAttribute>& known_attributes();

// The name of an attribute with which nobody knows what the code does: one that is not known, or that names a function
// which is neither the program's nor the C library's. Empty if there is none.
std::string unknown_attribute(llvm::AttributeSet attributes, const llvm::Module& program);

}  // namespace heddle::elyze
