#include "elyze/ir/generated_calls.hpp"

#include <llvm/ADT/STLExtras.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/InstrTypes.h>
#include <llvm/IR/RuntimeLibcalls.h>
#include <llvm/TargetParser/Triple.h>

#include <algorithm>
#include <array>
#include <initializer_list>

#include "elyze/ir/symbols.hpp"

namespace heddle::elyze {
namespace {

// What instructions and intrinsics become, by the names that most machines have.
constexpr std::initializer_list<const char*> kOfAnyMachine = {
#define HANDLE_LIBCALL(code, name) name,
#include <llvm/IR/RuntimeLibcalls.def>
#undef HANDLE_LIBCALL
};

// Suffixes of the functions of <math.h> for the types of ISO/IEC TS 18661-3.
constexpr std::array<llvm::StringLiteral, 7> kOfOtherTypes = {"f16", "f32", "f64", "f128", "f32x", "f64x", "bf16"};

// Names of the code generator and of its instrumentation. In one file a function of internal linkage has the symbol.
constexpr std::array<llvm::StringLiteral, 22> kGenerated = {
    "__fentry__", "__morestack", "__probestack", "__stack_chk_", "__safestack_", "__cyg_profile_",
    "__tls_",     "__emutls_",   "__atomic_",    "__sync_",      "__asan_",      "__hwasan_",
    "__lsan_",    "__tsan_",     "__msan_",      "__dfsan_",     "__ubsan_",     "__sanitizer_",
    "__xray_",    "__llvm_",     "__gcov_",      "__cfi_"};

// The C library has them: gmon (gprof counts calls), and empty functions for -finstrument-functions.
constexpr std::array<llvm::StringLiteral, 6> kOfInstrumentation = {
    "mcount", "_mcount", "\01mcount", "__fentry__", "__cyg_profile_func_enter", "__cyg_profile_func_exit"};

// Identifiers that begin with two underscores, or one and a capital letter, are reserved for any use (C17 7.1.3). Those
// of C++ are mangled so, but for variants of functions of the program that work on vectors ("Vector Function ABI").
bool reserved(llvm::StringRef name) {
  if (name.starts_with("_ZGV")) return true;
  if (name.starts_with("_Z")) return false;
  return name.size() > 1 && name[0] == '_' && (name[1] == '_' || (name[1] >= 'A' && name[1] <= 'Z'));
}

llvm::StringRef without_type(llvm::StringRef name) {
  for (const llvm::StringLiteral suffix : kOfOtherTypes)
    if (name.ends_with(suffix)) return name.drop_back(suffix.size());
  return "";
}

const KnownAttribute* known_attribute(llvm::StringRef name) {
  const std::vector<KnownAttribute>& list = known_attributes();
  const auto found = llvm::find_if(list, [&](const KnownAttribute& one) { return one.name == name; });
  return found == list.end() ? nullptr : &*found;
}

void note_text(const llvm::Metadata* node, std::set<std::string, std::less<>>& found) {
  if (const auto* text = llvm::dyn_cast_or_null<llvm::MDString>(node)) found.insert(text->getString().str());
}

}  // namespace

// Assembly of a file may call what it names, or give it another name.
GeneratedCalls::GeneratedCalls(const llvm::Module& program)
    : library_(llvm::Triple(program.getTargetTriple())), named_(assembly_symbols(program).named) {
  llvm::RTLIB::RuntimeLibcallsInfo calls{llvm::Triple(program.getTargetTriple())};
  for (const char* name : calls.getLibcallNames())
    if (name != nullptr) of_the_compiler_.insert(name);
  for (const char* name : kOfAnyMachine)
    if (name != nullptr) of_the_compiler_.insert(name);
  const auto add = [&](llvm::AttributeSet attributes) {
    for (const llvm::Attribute attribute : attributes) {
      if (!attribute.isStringAttribute()) continue;
      const KnownAttribute* known = known_attribute(attribute.getKindAsString());
      if (known == nullptr || known->calls) named_.insert(attribute.getValueAsString().str());
    }
  };
  for (const llvm::Function& function : program) {
    add(function.getAttributes().getFnAttrs());
    if (function.hasPersonalityFn()) named_.insert(function.getPersonalityFn()->stripPointerCasts()->getName().str());
    for (const llvm::Instruction& at : llvm::instructions(function))
      if (const auto* call = llvm::dyn_cast<llvm::CallBase>(&at)) add(call->getAttributes().getFnAttrs());
  }
  llvm::SmallVector<llvm::Module::ModuleFlagEntry> flags;
  program.getModuleFlagsMetadata(flags);
  for (const llvm::Module::ModuleFlagEntry& flag : flags) note_text(flag.Val, named_);
  named_.erase("");
}

bool GeneratedCalls::known(llvm::StringRef name) const {
  llvm::LibFunc which = llvm::NumLibFuncs;
  return of_the_compiler_.contains(std::string_view(name)) || library_.getLibFunc(name, which);
}

bool GeneratedCalls::may_call(const llvm::GlobalValue& symbol, const llvm::Function& function,
                              bool of_c_library) const {
  const std::string plain = unnumbered(symbol.getName());
  const llvm::StringRef name = plain;
  if (named_.contains(plain)) return true;
  llvm::LibFunc which = llvm::NumLibFuncs;
  if (library_.getLibFunc(name, which)) {
    // Not `log(level, text)`: of another type, it is none that the compiler would call.
    const llvm::TargetLibraryInfo library(library_);
    return library.isValidProtoForLibFunc(*function.getFunctionType(), which, *function.getParent());
  }
  if (of_the_compiler_.contains(plain)) return true;
  if (const llvm::StringRef base = without_type(name); !base.empty() && known(base)) return true;
  if (symbol.hasLocalLinkage())
    return llvm::any_of(kGenerated, [&](llvm::StringLiteral prefix) { return name.starts_with(prefix); });
  return of_c_library || reserved(name);
}

const std::vector<KnownAttribute>& known_attributes() {
  static const std::vector<KnownAttribute> list{
      {"frame-pointer", "how frames are linked"},
      {"no-frame-pointer-elim", "the same, as older compilers write it"},
      {"stackrealign", "how frames are aligned"},
      {"alignstack", "how frames are aligned"},
      {"warn-stack-size", "a warning of the compiler"},
      {"stack-protector-buffer-size", "which functions call __stack_chk_fail()"},
      {"stack-probe-size", "which functions call __probestack(), or what `probe-stack` names"},
      {"no-stack-arg-probe", "that none does"},
      {"probe-stack", "called for large frames; `inline-asm` is no name", true},
      {"split-stack", "calls __morestack()"},
      {"patchable-function", "room for instructions; what changes code while it runs is outside of the analysis"},
      {"patchable-function-entry", "the same"},
      {"patchable-function-prefix", "the same"},
      {"function-instrument", "XRay calls what __xray_set_handler() was given, a function without a spec"},
      {"xray-instruction-threshold", "the same"},
      {"xray-skip-entry", "the same"},
      {"xray-skip-exit", "the same"},
      {"xray-ignore-loops", "the same"},
      {"xray-log-args", "the same"},
      {"fentry-call", "calls __fentry__()"},
      {"mnop-mcount", "room for that call"},
      {"mrecord-mcount", "a list of such calls"},
      {"counting-function", "called at each entry", true},
      {"instrument-function-entry", "called at each entry", true},
      {"instrument-function-exit", "called at each end", true},
      {"instrument-function-entry-inlined", "called at each entry", true},
      {"instrument-function-exit-inlined", "called at each end", true},
      {"trap-func-name", "called in the place of a trap", true},
      {"no-builtins", "which calls the compiler may take for those of the C library"},
      {"no-trapping-math", "how numbers are computed"},
      {"approx-func-fp-math", "how numbers are computed"},
      {"no-infs-fp-math", "how numbers are computed"},
      {"no-nans-fp-math", "how numbers are computed"},
      {"no-signed-zeros-fp-math", "how numbers are computed"},
      {"unsafe-fp-math", "how numbers are computed"},
      {"less-precise-fpmad", "how numbers are computed"},
      {"denormal-fp-math", "how numbers are computed"},
      {"denormal-fp-math-f32", "how numbers are computed"},
      {"complex-range", "how numbers are computed"},
      {"use-soft-float", "numbers are computed by functions with reserved names"},
      {"min-legal-vector-width", "which registers are used"},
      {"prefer-vector-width", "which registers are used"},
      {"zero-call-used-regs", "which registers are cleared"},
      {"target-cpu", "which instructions there are"},
      {"tune-cpu", "which instructions are quick"},
      {"target-features", "which instructions there are"},
      {"no-jump-tables", "how a switch becomes code"},
      {"disable-tail-calls", "how calls become code"},
      {"thunk", "how calls become code"},
      {"no-inline-line-tables", "debug information"},
      {"use-sample-profile", "what the compiler knows of how often code runs"},
      {"profile-sample-accurate", "the same"},
      {"sample-profile-suffix-elision-policy", "the same"},
      {"alloc-family", "what the compiler knows of allocators"},
      {"alloc-variant-zeroed", "the same"},
      {"dontcall-error", "a message of the compiler"},
      {"dontcall-warn", "a message of the compiler"},
      {"implicit-section-name", "where the code lies"},
      {"bss-section", "where variables lie"},
      {"data-section", "where variables lie"},
      {"rodata-section", "where variables lie"},
      {"relro-section", "where variables lie"},
      {"loader-replaceable", "the linker takes another definition only if that is the same"},
      {"strictfp", "how numbers are computed"},
      {"uniform-work-group-size", "for machines of another kind"},
      {"branch-target-enforcement", "how jumps are checked"},
      {"sign-return-address", "how returns are checked"},
      {"sign-return-address-key", "how returns are checked"},
      {"guarded-control-stack", "how returns are checked"},
      {"indirect-tls-seg-refs", "how variables of the thread are reached"},
      {"btf_ama", "debug information"},
      {"nooutline", "how code is shared"},
      {"instcombine-no-verify-fixpoint", "how long the compiler works"},
      {"elyze-cast", "the analysis's own: to which types the function is cast (marks/casts.hpp)"},
      {"elyze.on-behalf", "the analysis's own (marks/on_behalf.hpp)"},
      {"heddle-defined-by-assembly", "the analysis's own (ir/symbols.hpp)"},
      {"heddle-run-by-the-loader", "the analysis's own (ir/symbols.hpp)"},
      {"heddle-run-at-the-end", "the analysis's own (ir/symbols.hpp)"},
  };
  return list;
}

std::string unknown_attribute(llvm::AttributeSet attributes, const llvm::Module& program) {
  for (const llvm::Attribute attribute : attributes) {
    if (!attribute.isStringAttribute()) continue;
    const llvm::StringRef name = attribute.getKindAsString();
    const llvm::StringRef value = attribute.getValueAsString();
    if (name.starts_with("no-builtin-")) continue;  // as "no-builtins", of one function
    const KnownAttribute* known = known_attribute(name);
    if (known == nullptr) return name.str();
    if (!known->calls || value.empty() || value == "inline-asm" || llvm::is_contained(kOfInstrumentation, value))
      continue;
    const llvm::Function* function = program.getFunction(value);
    if (function == nullptr || function->isDeclaration()) return name.str() + "=" + value.str();
  }
  return "";
}

}  // namespace heddle::elyze
