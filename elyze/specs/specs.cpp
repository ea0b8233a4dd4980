#include "elyze/specs/specs.hpp"

#include <llvm/Demangle/Demangle.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>
#include <yaml-cpp/yaml.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <optional>
#include <set>
#include <sstream>

#include "elyze/ir/error.hpp"
#include "elyze/ir/names.hpp"
#include "elyze/ir/symbols.hpp"
#include "elyze/specs/likeness.hpp"
#include "elyze/specs/parse.hpp"

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

// A variable of a library that has no entry may be used by whatever the library does.
void add_unlisted_variables(Spec& spec) {
  Effect effect{};
  effect.op = Effect::Op::kHiddenWrite;
  effect.name = kVariables;
  effect.if_named = true;
  spec.effects.push_back(std::move(effect));
}

// Each system call may show what is set for the whole process, or in the kernel, by a call that is not `complete`.
void add_state_of_system(Spec& spec, const std::optional<ConditionedNames>& complete, const std::string& name) {
  Effect effect{};
  effect.op = Effect::Op::kHiddenRead;
  effect.name = kStateOfSystem;
  spec.effects.push_back(effect);
  if (!complete) return;  // a library that makes no system calls of its own but those of its objects
  const auto known = complete->find(name);
  if (known != complete->end() && !known->second) return;
  effect.op = Effect::Op::kHiddenWrite;
  if (known != complete->end()) effect.condition = *known->second;
  spec.effects.push_back(std::move(effect));
}

std::string nothing_called(const std::vector<std::string>& calls) {
  if (calls.empty()) return "it makes no indirect call: name the functions with 'calls'";
  std::string names = calls.front();
  for (auto call = calls.begin() + 1; call != calls.end(); ++call) names.append(", ").append(*call);
  return "it does not call " + names + " by name";
}

constexpr int kLongestKey = 1024;  // YAML 1.2, 7.4.2

// Of two equal keys of a map one would be lost without a word.
void refuse_repeated_keys(const YAML::Node& node) {
  std::set<std::string> keys;
  for (const auto& entry : node) {
    if (!node.IsMap()) {
      refuse_repeated_keys(entry);
      continue;
    }
    const std::string key = entry.first.as<std::string>();
    if (!keys.insert(key).second) throw InputError("'" + key + "' stands there twice");
    refuse_repeated_keys(entry.second);
  }
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
void Specs::add(const std::string& file, bool own) {
  std::string where = file;
  try {
    const YAML::Node document = YAML::LoadFile(file);
    if (!document.IsNull() && !document.IsMap()) throw InputError("not a list of functions with what they do");
    refuse_repeated_keys(document);
    ThreadLists threads;
    if (document.IsMap() && document[kOnAnyThread]) {
      where = file + ": " + kOnAnyThread;
      threads = parse_thread_lists(document[kOnAnyThread]);
    }
    NameList moves_none;
    if (document.IsMap() && document[kMovesNoPointers]) {
      where = file + ": " + kMovesNoPointers;
      moves_none = parse_names(document[kMovesNoPointers]);
    }
    if (document.IsMap() && document[kImports]) {
      where = file + ": " + kImports;
      const NameList names = parse_names(document[kImports]);
      imports_[library_of(file)].insert(names.names.begin(), names.names.end());
    }
    std::optional<ConditionedNames> complete;
    if (document.IsMap() && document[kComplete]) {
      where = file + ": " + kComplete;
      complete = parse_conditioned_names(document[kComplete]);
    }
    std::set<std::string> listed;
    for (const auto& entry : document) {
      const std::string key = entry.first.as<std::string>();
      if (key == kOnAnyThread || key == kMovesNoPointers || key == kImports || key == kComplete) continue;
      where = file + ": " + entry.first.as<std::string>();
      Spec spec = parse_spec(entry.second);
      spec.library = library_of(file);
      if (spec.dispatch) spec.dispatch->file = file;
      dispatchers_ |= spec.dispatch.has_value();
      std::string names = entry.first.as<std::string>();
      std::replace(names.begin(), names.end(), ',', ' ');
      std::istringstream stream(names);
      for (std::string name; stream >> name;) {
        const auto said = threads.by_name.find(name);
        const ThreadLists::One use =
            said != threads.by_name.end() ? said->second : ThreadLists::One{.use = threads.rest};
        spec.thread = use.use;
        spec.thread_if = use.condition;
        spec.ties = use.ties;
        spec.ties_anywhere = use.ties_anywhere;
        spec.moves_no_pointers = moves_none.contains(name);
        if (!listed.insert(name).second) throw InputError("'" + name + "' has two entries in this file");
        if (own && specs_.contains(name)) throw InputError("'" + name + "' has an entry in another file");
        specs_[name] = spec;
        if (spec.variable.empty() && !name.starts_with("llvm.")) add_unlisted_variables(specs_[name]);
        if (spec.variable.empty() && (use.use >= ThreadUse::kSystem || use.ties == ThreadUse::kSystem))
          add_state_of_system(specs_[name], complete, name);
      }
    }
    where = file + ": " + kOnAnyThread;
    for (const auto& [name, said] : threads.by_name)
      if (!listed.contains(name)) throw InputError("'" + name + "' has no entry in this file");
    where = file + ": " + kMovesNoPointers;
    for (const std::string& name : moves_none.names)
      if (!listed.contains(name)) throw InputError("'" + name + "' has no entry in this file");
    where = file + ": " + kComplete;
    for (const auto& [name, condition] : complete.value_or(ConditionedNames()))
      if (!listed.contains(name)) throw InputError("'" + name + "' has no entry in this file");
  } catch (const YAML::BadFile&) {
    throw InputError(file + ": can't be read: name a file of function specs");
  } catch (const YAML::Exception& error) {
    if (error.msg == YAML::ErrorMsg::MAP_VALUE && error.mark.column > kLongestKey)
      throw InputError(where + ": line " + std::to_string(error.mark.line + 1) +
                       ": YAML allows 1,024 characters before a ':' on its line: make two entries of it");
    throw InputError(where + ": not a spec (" + error.what() + "): see elyze/specs/README.md");
  } catch (const InputError& error) {
    throw InputError(where + ": " + error.what() + ": see elyze/specs/README.md");
  }
}

// Gives an entry the effects of those that it names, which may name others.
const Spec& Specs::with_likenesses(const std::string& name, std::set<std::string>& done, std::set<std::string>& open) {
  const auto known = specs_.find(name);
  if (known == specs_.end()) throw InputError("'as " + name + "': there is no such entry");
  if (!done.insert(name).second) {
    if (open.contains(name)) throw InputError("'as " + name + "': that entry names this one");
    return known->second;
  }
  open.insert(name);
  Spec& spec = known->second;
  for (const Likeness& likeness : spec.likenesses) {
    const Spec& other = with_likenesses(likeness.name, done, open);
    const std::vector<Effect> effects = effects_of(other, likeness);
    spec.effects.insert(spec.effects.end(), effects.begin(), effects.end());
    spec.locks |= other.locks;
  }
  spec.likenesses.clear();
  open.erase(name);
  return spec;
}

void Specs::add_likenesses() {
  std::set<std::string> done;
  std::set<std::string> open;
  for (const auto& [name, spec] : specs_) {
    if (spec.likenesses.empty()) continue;
    try {
      with_likenesses(name, done, open);
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
  for (const std::string& file : known) all.add(file, true);
  for (const std::string& file : files) all.add(file, false);
  all.add_likenesses();
  return all;
}

Specs Specs::with(const std::vector<std::string>& files) const {
  Specs all = *this;
  for (const std::string& file : files) all.add(file, false);
  all.add_likenesses();
  return all;
}

const std::string* Specs::variable(const llvm::GlobalVariable& variable) const {
  // The program's own definition is what the library finds by that name (ld.so(8)).
  if (variable.hasLocalLinkage() || variable.hasHiddenVisibility()) return nullptr;
  const auto known = specs_.find(std::string_view(variable.getName()));
  if (known == specs_.end() || known->second.variable.empty()) return is_unlisted(variable) ? &kVariables : nullptr;
  return &known->second.variable;
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
