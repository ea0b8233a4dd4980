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
// What the word may name: `mov $name, %rax` has an address as a number.
std::vector<std::string> names_in(std::string word);

// `asm("\01name")` and a plain name are one symbol: gives both the plain one.
void join_labelled_names(llvm::Module& module);

// Forgets what is known of library functions that the program's own assembly defines.
void mark_defined_by_assembly(llvm::Module& program);
inline constexpr const char* kDefinedByAssembly = "heddle-defined-by-assembly";

// Marks what the loader or the C library's start calls by itself: constructors and destructors, functions in sections
// with tables of such, `_init` and `_fini`. What exit() calls has both marks.
void mark_run_by_the_loader(llvm::Module& program);
inline constexpr const char* kRunByTheLoader = "heddle-run-by-the-loader";
inline constexpr const char* kRunAtTheEnd = "heddle-run-at-the-end";

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
  // May it look the name up and get what the program itself defines? Not by RTLD_NEXT, which begins behind the program.
  bool may_find(llvm::StringRef function) const { return finds_any_ || found_.contains(function); }

 private:
  std::set<std::string, std::less<>> named_;
  std::set<std::string, std::less<>> found_;
  bool any_function_ = false;
  bool finds_any_ = false;
  bool any_system_call_ = false;
};

// Without the number that linking appends where two files have a local symbol of one name.
std::string unnumbered(llvm::StringRef name);

}  // namespace heddle::elyze
