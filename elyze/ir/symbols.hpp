// Symbols that have another meaning than the bitcode alone shows: the linker and the assembler can give an object a
// second name, or a name another object.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace llvm {
class CallBase;
class Function;
class GlobalValue;
class Module;
class StringRef;
class Value;
}  // namespace llvm

namespace heddle::elyze {

struct AssemblySymbols {
  std::set<std::string, std::less<>> named;    // all that stand in the file's own assembly
  std::set<std::string, std::less<>> defined;  // those which it may define
};
AssemblySymbols assembly_symbols(const llvm::Module& module);
// Names and instructions in a statement of assembly.
std::vector<std::string> words_of(const std::string& statement);

// `asm("\01name")` and a plain name are one symbol: gives both the plain one.
void join_labelled_names(llvm::Module& module);

// Forgets what is known of library functions that the program's own assembly defines.
void mark_defined_by_assembly(llvm::Module& program);
inline constexpr const char* kDefinedByAssembly = "heddle-defined-by-assembly";

// ld --wrap=NAME: a call of NAME goes to __wrap_NAME, one of __real_NAME to NAME. Which names were given to the linker
// is not known, so wherever both exist a call may go to either. Null if there is none.
const llvm::Function* wrapper_of(const llvm::GlobalValue& value);
const llvm::Function* wrapped_by(const llvm::Function& real);

// Does the program name the end of its data, or the like?
bool names_bounds_of_data(const llvm::Module& program);

// What a program may call without naming it: by a number (syscall(2), the instruction), or by a text (dlsym(3)). What
// holds only "where the program calls F" holds where it may call F so, too.
class CallsWithoutNames {
 public:
  using Number = std::function<std::optional<std::int64_t>(const llvm::CallBase&, const llvm::Value*)>;
  using Texts = std::function<bool(const llvm::CallBase&, const llvm::Value*, std::vector<std::string>&)>;
  // The two say what is passed, as far as that is constant.
  CallsWithoutNames(const llvm::Module& program, const Number& number, const Texts& texts);
  bool may_call(llvm::StringRef function) const;
  bool any_function() const { return any_function_; }

 private:
  std::set<std::string, std::less<>> named_;
  bool any_function_ = false;
  bool any_system_call_ = false;
};

// Without the number that linking appends where two files have a local symbol of one name.
std::string unnumbered(llvm::StringRef name);

}  // namespace heddle::elyze
