#include "elyze/specs/specs.hpp"

#include <llvm/Demangle/Demangle.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <optional>
#include <set>
#include <unordered_set>
#include <utility>

#include "elyze/ir/error.hpp"
#include "elyze/ir/names.hpp"
#include "elyze/ir/symbols.hpp"
#include "elyze/specs/likeness.hpp"
#include "elyze/specs/parse.hpp"
#include "elyze/specs/words.hpp"
#include "elyze/specs/yaml.hpp"

namespace heddle::elyze {
namespace {

constexpr const char* kOnAnyThread = "on any thread";
constexpr const char* kMovesNoPointers = "moves no pointers";
constexpr const char* kImports = "imports";
constexpr const char* kComplete = "complete";

std::string library_of(const std::string& file) {
  const std::string stem = std::filesystem::path(file).stem().string();
  return stem.substr(0, stem.find('.'));
}

// Does the program throw pointers? A handler catches the pointer itself, not the exception object that holds it, and no
// spec can express that.
bool throws_pointers(const llvm::Function& cxa_throw) {
  return std::any_of(cxa_throw.user_begin(), cxa_throw.user_end(), [](const llvm::User* user) {
    const auto* call = llvm::dyn_cast<llvm::CallBase>(user);
    return call == nullptr || call->arg_size() < 2 || call->getArgOperand(1)->getName().starts_with("_ZTIP");
  });
}

// Is it a variable of a library that no file says anything about? Not what the linker or the compiler defines
// (ld(1); the ABI of C++), and not the constants of the C++ library.
bool is_unlisted(const llvm::GlobalVariable& variable) {
  constexpr std::string_view kPrefixes[] = {"__start_", "__stop_", "_ZTV", "_ZTI", "_ZTS", "_ZTT", "_ZSt", "_ZNSt"};
  constexpr std::string_view kNames[] = {"end",
                                         "_end",
                                         "__bss_start",
                                         "__executable_start",
                                         "__preinit_array_start",
                                         "__init_array_start",
                                         "__fini_array_start",
                                         "etext",
                                         "_etext",
                                         "__dso_handle",
                                         "_GLOBAL_OFFSET_TABLE_",
                                         "__preinit_array_end",
                                         "__init_array_end",
                                         "__fini_array_end",
                                         "edata",
                                         "_edata",
                                         "_DYNAMIC",
                                         "__ehdr_start"};
  const std::string_view name = variable.getName();
  return variable.isDeclaration() && !variable.isConstant() &&
         std::find(std::begin(kNames), std::end(kNames), name) == std::end(kNames) &&
         std::none_of(std::begin(kPrefixes), std::end(kPrefixes),
                      [&](auto prefix) { return name.starts_with(prefix); });
}

std::string nothing_called(const std::vector<std::string>& calls) {
  if (calls.empty()) return "it makes no indirect call: name the functions with 'calls'";
  std::string names = calls.front();
  for (auto call = calls.begin() + 1; call != calls.end(); ++call) names.append(", ").append(*call);
  return "it does not call " + names + " by name";
}

// What a file says of its functions beside their entries.
struct FileLists {
  ThreadLists threads = {};
  NameList moves_none = {};
  std::optional<ConditionedNames> complete = {};  // none: a library without system calls but those of its objects

  void add_to(Spec& spec, const std::string& name, KeptEffects& kept) const {
    const auto said = threads.by_name.find(name);
    const ThreadLists::One use = said != threads.by_name.end() ? said->second : ThreadLists::One{.use = threads.rest};
    spec.thread = use.use;
    spec.thread_if = use.condition;
    spec.ties = use.ties;
    spec.ties_anywhere = use.ties_anywhere;
    spec.moves_no_pointers = moves_none.contains(name);
    if (!spec.variable.empty()) return;
    // A variable of a library that has no entry may be used by whatever the library does.
    if (!name.starts_with("llvm.")) add_effect(spec, "touch " + kVariables + " if named", kept);
    if (use.use >= ThreadUse::kSystem || use.ties == ThreadUse::kSystem) add_state_of_system(spec, name, kept);
  }

 private:
  // Each system call may show what is set for the whole process, or in the kernel, by a call that is not `complete`.
  void add_state_of_system(Spec& spec, const std::string& name, KeptEffects& kept) const {
    add_effect(spec, "look " + kStateOfSystem, kept);
    if (!complete) return;
    const auto known = complete->find(name);
    if (known == complete->end()) {
      add_effect(spec, "touch " + kStateOfSystem, kept);
    } else if (known->second) {
      Effect effect{};
      effect.op = Effect::Op::kHiddenWrite;
      effect.name = kStateOfSystem;
      effect.condition = *known->second;
      spec.effects.add(kept.keep(std::move(effect)));
    }
  }
};

template <typename Map>
std::vector<std::string_view> names_of(const Map& by_name) {
  std::vector<std::string_view> names;
  for (const auto& entry : by_name) names.push_back(entry.first);
  return names;
}

// `f,g`, `f, g`
std::string with_spaces(std::string names) {
  std::replace(names.begin(), names.end(), ',', ' ');
  return names;
}

}  // namespace

std::string cxx_name(const std::string& mangled) {
  llvm::ItaniumPartialDemangler demangler;
  if (demangler.partialDemangle(mangled.c_str()) || !demangler.isFunction()) return "";
  const auto text = [](char* owned) {
    const std::string result = owned != nullptr ? owned : "";
    std::free(owned);
    return result;
  };
  const std::string context = text(demangler.getFunctionDeclContextName(nullptr, nullptr));
  std::string result;
  int depth = 0;  // of template arguments
  for (const char c : context) {
    depth += c == '<' ? 1 : 0;
    if (depth == 0) result += c;
    depth -= c == '>' ? 1 : 0;
  }
  for (std::size_t at = 0; (at = result.find("__cxx11::")) != std::string::npos;) result.erase(at, 9);
  return result + (result.empty() ? "" : "::") + text(demangler.getFunctionBaseName(nullptr, nullptr));
}

// A file that is one of the project's `own` says nothing about what another one has said.
void Specs::add(const std::string& file, bool own, KeptEffects& kept) {
  const YamlFile yaml(file);
  std::string where = file;
  try {
    if (yaml.root().kind() != YamlNode::Kind::kNothing) add(yaml.root(), file, own, kept, where);
  } catch (const InputError& error) {
    throw InputError(where + ": " + error.what() + ": see elyze/specs/README.md");
  }
}

// `where`: what is read at the moment, for whoever catches an InputError.
void Specs::add(const YamlNode& document, const std::string& file, bool own, KeptEffects& kept, std::string& where) {
  if (document.kind() != YamlNode::Kind::kMap) throw InputError("not a list of functions with what they do");
  const auto of_file = [&](const char* key) {
    const YamlNode* const found = document.find(key);
    if (found != nullptr) where = file + ": " + key;
    return found;
  };
  FileLists lists;
  if (const YamlNode* threads = of_file(kOnAnyThread)) lists.threads = parse_thread_lists(*threads);
  if (const YamlNode* names = of_file(kMovesNoPointers)) lists.moves_none = parse_names(*names);
  if (const YamlNode* imported = of_file(kImports)) {
    const NameList names = parse_names(*imported);
    imports_[library_of(file)].insert(names.names.begin(), names.names.end());
  }
  if (const YamlNode* names = of_file(kComplete)) lists.complete = parse_conditioned_names(*names);
  std::unordered_set<std::string_view> listed;
  for (const auto& [key, value] : document.map()) {
    if (key == kOnAnyThread || key == kMovesNoPointers || key == kImports || key == kComplete) continue;
    where = file + ": " + key;
    Spec spec = parse_spec(*value, kept);
    spec.library = library_of(file);
    if (spec.dispatch) spec.dispatch->file = file;
    dispatchers_ |= spec.dispatch.has_value();
    for (Words names(with_spaces(key)); !names.done();) {
      const auto [place, is_new] = specs_.try_emplace(names.next());
      const std::string& name = place->first;
      if (!listed.insert(name).second) throw InputError("'" + name + "' has two entries in this file");
      if (own && !is_new) throw InputError("'" + name + "' has an entry in another file");
      place->second = spec;
      lists.add_to(place->second, name, kept);
    }
  }
  const auto require = [&](const char* key, std::vector<std::string_view> names) {
    where = file + ": " + key;
    std::erase_if(names, [&](std::string_view name) { return listed.contains(name); });
    if (names.empty()) return;
    throw InputError("'" + std::string(*std::min_element(names.begin(), names.end())) + "' has no entry in this file");
  };
  require(kOnAnyThread, names_of(lists.threads.by_name));
  require(kMovesNoPointers, {lists.moves_none.names.begin(), lists.moves_none.names.end()});
  if (lists.complete) require(kComplete, names_of(*lists.complete));
}

// Gives an entry the effects of those that it names, which may name others.
const Spec& Specs::with_likenesses(const std::string& name, KeptEffects& kept, std::set<std::string>& done,
                                   std::set<std::string>& open) {
  const auto known = specs_.find(name);
  if (known == specs_.end()) throw InputError("'as " + name + "': there is no such entry");
  if (!done.insert(name).second) {
    if (open.contains(name)) throw InputError("'as " + name + "': that entry names this one");
    return known->second;
  }
  open.insert(name);
  Spec& spec = known->second;
  for (const Likeness& likeness : spec.likenesses) {
    const Spec& other = with_likenesses(likeness.name, kept, done, open);
    for (Effect& effect : effects_of(other, likeness)) spec.effects.add(kept.keep(std::move(effect)));
    spec.locks |= other.locks;
  }
  spec.likenesses.clear();
  open.erase(name);
  return spec;
}

void Specs::add_likenesses(KeptEffects& kept) {
  std::set<std::string> done;
  std::set<std::string> open;
  for (const auto& [name, spec] : specs_) {
    if (spec.likenesses.empty()) continue;
    try {
      with_likenesses(name, kept, done, open);
    } catch (const InputError& error) {
      throw InputError(spec.library + ": " + name + ": " + error.what() + ": see elyze/specs/README.md");
    }
  }
}

Specs Specs::read(const std::string& directory, const std::vector<std::string>& files) {
  Specs all;
  std::error_code problem;
  std::vector<std::string> known;
  for (const auto& entry : std::filesystem::directory_iterator(directory, problem)) {
    if (entry.path().extension() == ".yaml") known.push_back(entry.path().string());
  }
  if (known.empty()) throw InputError(directory + ": no *.yaml with function specs there: give --specs elyze/specs");
  std::sort(known.begin(), known.end());
  all.add_all(known, files);
  return all;
}

Specs Specs::with(const std::vector<std::string>& files) const {
  Specs all = *this;
  all.add_all({}, files);
  return all;
}

void Specs::add_all(const std::vector<std::string>& own, const std::vector<std::string>& files) {
  const auto kept = std::make_shared<KeptEffects>();
  kept_.push_back(kept);
  for (const std::string& file : own) add(file, true, *kept);
  for (const std::string& file : files) add(file, false, *kept);
  add_likenesses(*kept);
}

const std::string* Specs::variable(const llvm::GlobalVariable& variable) const {
  // The program's own definition is what the library finds by that name (ld.so(8)), which may be another than its
  // first.
  const auto named = [&](const llvm::GlobalValue& symbol) -> const std::string* {
    if (symbol.hasLocalLinkage() || symbol.hasHiddenVisibility()) return nullptr;
    const auto known = specs_.find(std::string_view(symbol.getName()));
    return known == specs_.end() || known->second.variable.empty() ? nullptr : &known->second.variable;
  };
  if (const std::string* known = named(variable)) return known;
  for (const llvm::GlobalAlias& alias : variable.getParent()->aliases())
    if (alias.getAliaseeObject() == &variable)
      if (const std::string* known = named(alias)) return known;
  return !variable.hasLocalLinkage() && !variable.hasHiddenVisibility() && is_unlisted(variable) ? &kVariables
                                                                                                 : nullptr;
}

bool Specs::names_variable(const llvm::Module& program, const std::string& hidden) const {
  return std::any_of(program.global_begin(), program.global_end(), [&](const llvm::GlobalVariable& global) {
    const std::string* named = variable(global);
    return named != nullptr && *named == hidden;
  });
}

const Spec* Specs::find(const llvm::Function& function) const {
  if (function.hasFnAttribute(kDefinedByAssembly)) return nullptr;
  llvm::StringRef name = function.getName();
  name.consume_front("\x01");
  if (name == "__cxa_throw" && throws_pointers(function)) return nullptr;
  const auto exact = specs_.find(std::string_view(name));
  if (exact != specs_.end()) return &exact->second;
  if (name.starts_with("_Z")) {
    const auto named = specs_.find(cxx_name(name.str()));
    return named != specs_.end() ? &named->second : nullptr;
  }
  if (!function.isIntrinsic()) return nullptr;
  // llvm.memcpy.p0.p0.i64 is written as llvm.memcpy, llvm.umin.i32 as llvm.umin.
  for (std::string_view rest = std::string_view(name); rest.rfind('.') != std::string_view::npos;) {
    rest = rest.substr(0, rest.rfind('.'));
    const auto known = specs_.find(rest);
    if (known != specs_.end()) return &known->second;
  }
  return nullptr;
}

const Callback* Specs::dispatched(const llvm::CallBase& call) const {
  if (!dispatchers_ || call.isInlineAsm() || llvm::isa<llvm::IntrinsicInst>(call)) return nullptr;
  const Spec* spec = find(*call.getFunction());
  if (spec == nullptr || !spec->dispatch || call.arg_size() >= spec->dispatch->callbacks.size()) return nullptr;
  const std::vector<std::string>& calls = spec->dispatch->calls;
  const auto* named = llvm::dyn_cast<llvm::Function>(call.getCalledOperand()->stripPointerCastsAndAliases());
  const bool starts = calls.empty()
                          ? named == nullptr
                          : named != nullptr && std::any_of(calls.begin(), calls.end(), [&](const auto& name) {
                              return named->getName() == name || cxx_name(named->getName().str()) == name;
                            });
  return starts ? &spec->dispatch->callbacks[call.arg_size()] : nullptr;
}

std::vector<std::string> Specs::importers(std::string_view name) const {
  std::vector<std::string> found;
  for (const auto& [library, names] : imports_)
    if (names.contains(name)) found.push_back(library);
  return found;
}

bool Specs::exposes_events(const llvm::Module& program) const {
  return std::any_of(program.begin(), program.end(), [&](const llvm::Function& function) {
    const Spec* spec = function.isDeclaration() ? find(function) : nullptr;
    return spec != nullptr && spec->exposes_events;
  });
}

void Specs::check_dispatchers(const llvm::Module& program) const {
  for (const auto& [name, spec] : specs_) {
    if (!spec.dispatch) continue;
    const std::string where = spec.dispatch->file + ": " + name + ": ";
    const Spec* const wanted = &spec;
    const auto function = std::find_if(program.begin(), program.end(), [&](const llvm::Function& candidate) {
      return !candidate.isDeclaration() && find(candidate) == wanted;
    });
    if (function == program.end())
      throw InputError(where + "'dispatches' is for functions of the program, and it has none of this name");
    bool any = false;
    for (const llvm::Instruction& instruction : llvm::instructions(*function)) {
      const auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction);
      if (call == nullptr || dispatched(*call) == nullptr) continue;
      any = true;
      if (spec.dispatch->session < static_cast<int>(call->arg_size())) continue;
      throw InputError(where + "session " + std::to_string(spec.dispatch->session) + " is no argument of the call at " +
                       place_of(*call).file + ":" + std::to_string(place_of(*call).line));
    }
    if (any) continue;
    throw InputError(where + nothing_called(spec.dispatch->calls));
  }
}

}  // namespace heddle::elyze
