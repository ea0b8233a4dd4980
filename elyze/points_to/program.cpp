#include "elyze/points_to/program.hpp"

#include <fcntl.h>
#include <llvm/Analysis/SimplifyQuery.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Operator.h>

#include <algorithm>
#include <array>
#include <functional>

#include "base/assert.hpp"
#include "elyze/ir/addresses.hpp"
#include "elyze/ir/arrays.hpp"
#include "elyze/ir/assembly.hpp"
#include "elyze/ir/load.hpp"
#include "elyze/ir/names.hpp"
#include "elyze/ir/segments.hpp"
#include "elyze/ir/symbols.hpp"
#include "elyze/ir/values.hpp"

namespace heddle::elyze {
namespace {

const std::string kCalledAtExit = "functions called at exit";  // as in the spec of exit()
// Variables of the C library that hold a stream from the start.
constexpr std::array<std::string_view, 3> kStreams = {"stdin", "stdout", "stderr"};

constexpr std::array<std::string_view, 17> kAllocator = {
    "malloc",        "calloc",         "realloc", "reallocarray", "free",   "cfree",  "memalign", "valloc", "pvalloc",
    "aligned_alloc", "posix_memalign", "_Znwm",   "_Znam",        "_ZdlPv", "_ZdaPv", "_ZdlPvm",  "_ZdaPvm"};
// Texts of the command line have these names in the C library.
constexpr std::array<std::string_view, 4> kNamesOfTheProgram = {
    "program_invocation_name", "program_invocation_short_name", "__progname", "__progname_full"};

std::vector<const llvm::Function*> allocator_of(const llvm::Module& module) {
  std::vector<const llvm::Function*> found;
  for (const std::string_view name : kAllocator) {
    const llvm::Function* function = module.getFunction(name);
    if (function != nullptr && !function->isDeclaration()) found.push_back(function);
  }
  return found;
}

// Is what the function returns always a new block, which only whoever called it has?
bool returns_new_blocks(const llvm::Function& function, const Specs& specs, int depth = 4) {
  const auto made = [&](const llvm::CallBase& call) {
    const llvm::Function* callee = call.getCalledFunction();
    if (callee == nullptr) return false;
    if (!callee->isDeclaration()) return depth > 0 && returns_new_blocks(*callee, specs, depth - 1);
    const Spec* spec = specs.find(*callee);
    return spec != nullptr && !spec->results.empty() &&
           std::all_of(spec->results.begin(), spec->results.end(),
                       [](const Result& result) { return result.kind == Result::Kind::kFresh; });
  };
  std::vector<const llvm::Value*> work;
  std::set<const llvm::Value*> seen;
  for (const llvm::BasicBlock& block : function) {
    if (const auto* leave = llvm::dyn_cast<llvm::ReturnInst>(block.getTerminator()))
      if (leave->getReturnValue() != nullptr) work.push_back(leave->getReturnValue());
  }
  while (!work.empty()) {
    const llvm::Value* value = work.back();
    work.pop_back();
    if (!seen.insert(value).second || llvm::isa<llvm::ConstantPointerNull>(value)) continue;
    const auto* call = llvm::dyn_cast<llvm::CallBase>(value);
    if (llvm::isa<llvm::PHINode, llvm::SelectInst>(value)) {
      for (const llvm::Use& operand : llvm::cast<llvm::User>(value)->operands())
        if (operand->getType()->isPointerTy()) work.push_back(operand.get());
    } else if (call == nullptr || !made(*call)) {
      return false;
    }
    if (!std::all_of(value->user_begin(), value->user_end(), [](const llvm::User* user) {
          return llvm::isa<llvm::ReturnInst, llvm::ICmpInst, llvm::PHINode, llvm::SelectInst>(user);
        }))
      return false;
  }
  return true;
}

// Functions that the program gives to libraries as their allocators.
std::map<std::string, std::vector<const llvm::Function*>> given_allocators(const llvm::Module& module,
                                                                           const Specs& specs) {
  std::map<std::string, std::vector<const llvm::Function*>> found;
  const auto add = [&](const std::string& library, const llvm::Function& function) {
    if (!function.isDeclaration() && !returns_new_blocks(function, specs)) found[library].push_back(&function);
  };
  const auto add_any = [&](const std::string& library) {
    for (const llvm::Function& function : module)
      if (function.getReturnType()->isPointerTy() && function.hasAddressTaken(nullptr, true)) add(library, function);
  };
  for (const llvm::Function& api : module) {
    const Spec* spec = api.isDeclaration() ? specs.find(api) : nullptr;
    if (spec == nullptr) continue;
    for (const Callback& callback : spec->callbacks) {
      if (!callback.allocates) continue;
      for (const llvm::Use& use : api.uses()) {
        const auto* call = llvm::dyn_cast<llvm::CallBase>(use.getUser());
        const llvm::Value* given =
            call == nullptr || !call->isCallee(&use) ? nullptr : argument(*call, callback.function);
        if (llvm::isa_and_nonnull<llvm::ConstantPointerNull>(given)) continue;
        const auto* function =
            given == nullptr ? nullptr : llvm::dyn_cast<llvm::Function>(given->stripPointerCastsAndAliases());
        if (function != nullptr) add(spec->library, *function);
        if (function == nullptr) add_any(spec->library);
      }
    }
  }
  const std::vector<const llvm::Function*> own = allocator_of(module);
  for (auto& [library, functions] : found) functions.insert(functions.end(), own.begin(), own.end());
  return found;
}

// Is any integer of pointer size turned into a pointer? If not, arithmetic on integers matters only where these were
// visibly made from pointers.
bool integers_become_pointers(const llvm::Module& module) {
  for (const llvm::Function& function : module) {
    for (const llvm::Instruction& instruction : llvm::instructions(function)) {
      const auto* cast = llvm::dyn_cast<llvm::IntToPtrInst>(&instruction);
      if (cast == nullptr) continue;
      const llvm::Value* from = cast->getOperand(0);
      if (!llvm::isa<llvm::ZExtInst, llvm::SExtInst>(from)) return true;
    }
  }
  return false;
}

// Is the pointer not null, whoever calls?
bool leads_somewhere(const llvm::Value& pointer, const llvm::DataLayout& layout, int depth) {
  constexpr int kMostCallers = 4;  // that a parameter is followed through
  const llvm::Value* bare = &pointer;
  for (const llvm::Value* next = bare; next != nullptr;) {
    bare = next;
    if (llvm::isKnownNonZero(bare, llvm::SimplifyQuery(layout))) return true;
    next = is_array_mark(*bare) ? llvm::cast<llvm::CallBase>(bare)->getArgOperand(0) : nullptr;
    const auto* part = llvm::dyn_cast<llvm::GEPOperator>(bare);
    if (part == nullptr || !part->isInBounds()) continue;
    // A member of something is not null (C17 6.5.3.2).
    llvm::APInt distance(64, 0);
    if (part->accumulateConstantOffset(layout, distance) && distance != 0) return true;
    next = part->getPointerOperand();
  }
  const auto* formal = llvm::dyn_cast<llvm::Argument>(bare);
  if (formal == nullptr || depth >= kMostCallers || !formal->getParent()->hasLocalLinkage()) return false;
  const llvm::Function& function = *formal->getParent();
  return std::all_of(function.use_begin(), function.use_end(), [&](const llvm::Use& use) {
    const auto* call = llvm::dyn_cast<llvm::CallBase>(use.getUser());
    return call != nullptr && call->isCallee(&use) && formal->getArgNo() < call->arg_size() &&
           leads_somewhere(*call->getArgOperand(formal->getArgNo()), layout, depth + 1);
  });
}

constexpr std::array kSendSignals = {"kill",     "killpg", "raise", "pthread_kill", "pthread_sigqueue",
                                     "sigqueue", "tgkill"};
// No call raises these in the process that makes it, unless it sends signals, or asks for them: SIGHUP, SIGINT,
// SIGQUIT, SIGUSR1, SIGUSR2, SIGALRM, SIGTERM, SIGCHLD, SIGCONT, SIGVTALRM, SIGPROF (signal(7)).
const std::set<std::int64_t> kNotRaised = {1, 2, 3, 10, 12, 14, 15, 17, 18, 26, 27};
// What is written to the one half of a terminal may be a signal for who has the other (termios(3), pty(7)).
constexpr std::array kMakeTerminals = {"posix_openpt", "getpt", "openpty", "forkpty"};

// Programs that they start may do to names of files whatever they like.
constexpr std::array kStartPrograms = {"system", "popen",  "execl",   "execle",  "execlp",      "execv",
                                       "execve", "execvp", "execvpe", "fexecve", "posix_spawn", "posix_spawnp"};

// They begin at a directory that was opened: fchdir(2), openat(2).
constexpr std::array kFromDirectories = {"fchdir",    "openat",           "openat64",   "fstatat",   "fstatat64",
                                         "statx",     "unlinkat",         "readlinkat", "mkdirat",   "renameat",
                                         "renameat2", "linkat",           "symlinkat",  "faccessat", "fchmodat",
                                         "fchownat",  "utimensat",        "mknodat",    "mkfifoat",  "execveat",
                                         "scandirat", "name_to_handle_at"};

constexpr std::array kSetVariables = {"setenv", "putenv"};

// `environ`, or the third parameter of main or a constructor.
bool names_environment(const llvm::Module& program) {
  for (const char* name : {"environ", "__environ", "_environ"})
    if (program.getNamedValue(name) != nullptr) return true;
  return std::any_of(program.begin(), program.end(), [](const llvm::Function& function) {
    const bool first = function.getName() == "main" || function.hasFnAttribute(kRunByTheLoader);
    return first && function.arg_size() > 2 && !function.getArg(2)->use_empty();
  });
}

constexpr int kMostWrappers = 4;  // functions that a number is followed through

bool any_number(const llvm::Constant& value, const std::function<bool(std::int64_t)>& holds) {
  if (const auto* number = llvm::dyn_cast<llvm::ConstantInt>(&value)) return holds(number->getSExtValue());
  if (llvm::isa<llvm::ConstantAggregateZero, llvm::UndefValue>(value)) return holds(0);
  if (const auto* numbers = llvm::dyn_cast<llvm::ConstantDataSequential>(&value)) {
    if (!numbers->getElementType()->isIntegerTy()) return true;
    for (unsigned i = 0; i < numbers->getNumElements(); ++i)
      if (holds(static_cast<std::int64_t>(numbers->getElementAsInteger(i)))) return true;
    return false;
  }
  return std::any_of(value.op_begin(), value.op_end(), [&](const llvm::Use& use) {
    const auto* part = llvm::dyn_cast<llvm::Constant>(use.get());
    return part != nullptr && !part->getType()->isPointerTy() && any_number(*part, holds);
  });
}

}  // namespace

PointsTo::PointsTo(const llvm::Module& program, const Specs& known)
    : module(program),
      specs(known),
      integers_matter_(integers_become_pointers(program)),
      events_exposed_(known.exposes_events(program)),
      data_walked_(names_bounds_of_data(program)),
      names_looked_up_(program.getFunction("dlsym") != nullptr || program.getFunction("dlvsym") != nullptr),
      has_environment_(names_environment(program)),
      segments_used_(uses_segments(program)),
      named_elsewhere_(assembly_symbols(program).named),
      texts_write_(std::any_of(program.global_begin(), program.global_end(), has_write_conversion)),
      own_allocator_(allocator_of(program)),
      allocators_(given_allocators(program, known)),
      program_named_(std::any_of(kNamesOfTheProgram.begin(), kNamesOfTheProgram.end(),
                                 [&](std::string_view name) { return program.getNamedGlobal(name) != nullptr; })),
      contents_(hidden("contents of files", ObjectKind::kOs)),
      entries_(hidden("entries of directories", ObjectKind::kOs)),
      addresses_(hidden(kAddresses, ObjectKind::kOs)),
      peers_(hidden("peers of sockets", ObjectKind::kOs)),
      standard_(hidden("what 0, 1 and 2 lead to", ObjectKind::kOs)),
      numbers_(hidden("numbers of descriptors")),
      any_descriptor_(hidden("open file of unknown origin", ObjectKind::kOs)) {
  calls_without_names_.emplace(
      program,
      [this](const llvm::CallBase& call, const llvm::Value* value) -> std::optional<std::int64_t> {
        const llvm::ConstantInt* passed = number(call, value);
        return passed == nullptr ? std::nullopt : std::optional(passed->getSExtValue());
      },
      [this](const llvm::CallBase& call, const llvm::Value* value, std::vector<std::string>& found) {
        return constant_texts(call, value, numbers_read, found);
      });
  for (const llvm::Function& function : program)
    for (const llvm::Instruction& instruction : llvm::instructions(function))
      if (const auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction); call != nullptr && call->isInlineAsm())
        for (std::string& name :
             names_beside_operands(llvm::cast<llvm::InlineAsm>(call->getCalledOperand())->getAsmString()))
          named_elsewhere_.insert(std::move(name));
  for (const std::string& name : named_elsewhere_) {  // assembly may make it another name of a variable
    const auto entry = specs.all().find(std::string_view(name));
    if (entry != specs.all().end() && !entry->second.variable.empty())
      graph.add_flags(hidden(entry->second.variable), kUnknownMemory);
  }
  waits_for_files_ = asks_for_another_method();
  note_names_of_files();
  note_names_in_texts();
  if (program_named_) graph.add_flags(hidden("name of the program"), kUnknownMemory);  // it may lead to any text
}

// Names that the program itself makes mean one file (rename(2), link(2), symlink(2)), which may be open meanwhile; a
// program that it starts may make any. And directories from which paths start: that of chdir(2), and any that is
// opened, for fchdir(2) and openat(2).
void PointsTo::note_names_of_files() {
  struct Starts {
    const char* function;
    int path;
  };
  const auto named = [&](const char* name) { return may_call(name); };
  const bool opened = std::any_of(kFromDirectories.begin(), kFromDirectories.end(), named);
  for (const auto& [name, path] : {Starts{"chdir", 0},
                                   {"chroot", 0},
                                   {"open", 0},
                                   {"open64", 0},
                                   {"openat", 1},
                                   {"openat64", 1},
                                   {"opendir", 0}}) {
    const llvm::Function* function = module.getFunction(name);
    if (calls_without_names_->may_call(name)) files.start_anywhere();
    if (function != nullptr && (opened || std::string_view(name).starts_with("ch"))) {
      for (const llvm::Use& use : function->uses()) {
        const auto* call = llvm::dyn_cast<llvm::CallBase>(use.getUser());
        if (call != nullptr && call->isCallee(&use)) files.start_from(*call, argument(*call, path), numbers_read);
      }
    }
  }
  if (std::any_of(kStartPrograms.begin(), kStartPrograms.end(), named) || gives_unknown_code_a_text()) files.join_all();
  struct Joins {
    const char* function;
    int path;
    int other;
  };
  for (const auto& [name, path, other] : {Joins{"rename", 0, 1},
                                          {"renameat", 1, 3},
                                          {"renameat2", 1, 3},
                                          {"link", 0, 1},
                                          {"linkat", 1, 3},
                                          {"symlink", 0, 1},
                                          {"symlinkat", 0, 2}}) {
    if (calls_without_names_->may_call(name)) files.join_all();
    const llvm::Function* function = module.getFunction(name);
    if (function == nullptr) continue;
    for (const llvm::Use& use : function->uses()) {
      const auto* call = llvm::dyn_cast<llvm::CallBase>(use.getUser());
      if (call != nullptr && call->isCallee(&use)) {
        files.join(*call, argument(*call, path), argument(*call, other), numbers_read);
      } else {
        files.join_all();
      }
    }
  }
}

// poll() and select() take regular files; the program may ask libevent for one of them, or for whatever takes files. A
// variable EVENT_NOEPOLL forbids libevent that method.
bool PointsTo::asks_for_another_method() const {
  if (may_call("event_config_avoid_method") || may_call("event_config_require_features") || has_environment_)
    return true;
  return std::any_of(kSetVariables.begin(), kSetVariables.end(), [&](const char* name) {
    const llvm::Function* function = module.getFunction(name);
    if (calls_without_names_->may_call(name)) return true;
    return function != nullptr && std::any_of(function->use_begin(), function->use_end(), [&](const llvm::Use& use) {
             const auto* call = llvm::dyn_cast<llvm::CallBase>(use.getUser());
             std::vector<std::string> set;
             return call == nullptr || !call->isCallee(&use) ||
                    !constant_texts(*call, argument(*call, 0), numbers_read, set) ||
                    std::any_of(set.begin(), set.end(),
                                [](const std::string& text) { return text.starts_with("EVENT_NO"); });
           });
  });
}

bool PointsTo::may_call(const std::string& function) const {
  return module.getNamedValue(function) != nullptr || calls_without_names_->may_call(function);
}

bool PointsTo::found_by_name(const llvm::Function& function) const {
  if (named_elsewhere_.contains(unnumbered(function.getName()))) return true;
  const auto found = [&](const llvm::GlobalValue& symbol) {
    return !symbol.hasLocalLinkage() && symbol.getName() != "main" &&
           (named_elsewhere_.contains(symbol.getName()) || calls_without_names_->may_find(symbol.getName()));
  };
  return found(function) || std::any_of(module.alias_begin(), module.alias_end(), [&](const llvm::GlobalAlias& alias) {
           return alias.getAliaseeObject() == &function && found(alias);
         });
}

// Such a text may be a path, to which code without a spec gives a second name (mount(2), std::filesystem).
bool PointsTo::gives_unknown_code_a_text() const {
  return std::any_of(module.begin(), module.end(), [&](const llvm::Function& function) {
    if (!function.isDeclaration() || function.isIntrinsic() || specs.find(function) != nullptr) return false;
    return std::any_of(function.use_begin(), function.use_end(), [&](const llvm::Use& use) {
      const auto* call = llvm::dyn_cast<llvm::CallBase>(use.getUser());
      if (call == nullptr || !call->isCallee(&use)) return true;
      if (is_array_mark(*call)) return false;
      return std::any_of(call->arg_begin(), call->arg_end(), [](const llvm::Use& passed) {
        return passed->getType()->isPointerTy() && !llvm::isa<llvm::ConstantPointerNull>(passed);
      });
    });
  });
}

namespace {

bool may_be_looked_up(const llvm::GlobalValue& symbol) {
  return !symbol.isDeclaration() && !symbol.hasLocalLinkage() && symbol.getName() != "main";
}

}  // namespace

// A text that is the name of a symbol other files can see: code without a spec may look it up, as dlsym() does. But
// nobody wants what `__func__` names, which only says where the program is.
void PointsTo::note_names_in_texts() {
  if (!gives_unknown_code_a_text()) return;
  for (const llvm::GlobalValue& value : module.global_values())
    if (may_be_looked_up(value)) numbers_read.note_name(value.getName().str());
  for (const llvm::GlobalVariable& variable : module.globals()) {
    if (!variable.hasInitializer() || variable.getName().starts_with("__func__.")) continue;
    std::vector<const llvm::Constant*> work{variable.getInitializer()};
    while (!work.empty()) {
      const llvm::Constant* part = work.back();
      work.pop_back();
      if (const auto* text = llvm::dyn_cast<llvm::ConstantDataArray>(part)) {
        if (!text->isString()) continue;
        const llvm::GlobalValue* named =
            module.getNamedValue(text->getAsString().take_until([](char c) { return c == 0; }));
        if (named != nullptr && may_be_looked_up(*named)) named_elsewhere_.insert(unnumbered(named->getName()));
      } else if (llvm::isa<llvm::ConstantAggregate>(part)) {
        for (const llvm::Use& operand : part->operands()) work.push_back(llvm::cast<llvm::Constant>(operand.get()));
      }
    }
  }
}

const std::vector<const llvm::Function*>& PointsTo::allocators(const Spec& spec) const {
  const auto given = allocators_.find(spec.library);
  return given == allocators_.end() ? own_allocator_ : given->second;
}

// kUnknownMemory for an object that other names than the program's own may lead to.
std::uint16_t PointsTo::reached_by_name(const llvm::GlobalValue& value) const {
  const auto* variable = llvm::dyn_cast<llvm::GlobalVariable>(&value);
  const bool elsewhere = variable != nullptr && value.isDeclaration();
  const bool data = variable != nullptr && data_walked_ && !variable->isConstant();
  const bool segment = (value.isThreadLocal() && segments_used_) || value.getAddressSpace() != 0;
  const bool exported = names_looked_up_ && !value.hasLocalLinkage();
  const bool assembly = named_elsewhere_.contains(unnumbered(value.getName()));
  return elsewhere || data || segment || exported || assembly ? kUnknownMemory : 0;
}

// What the linker puts into one section is reached from each end of it.
Cell PointsTo::section(const std::string& name) {
  const auto [place, fresh] = sections_.try_emplace(name);
  if (!fresh) return graph.find(place->second);
  const Cell made = graph.make(kShared | kUnknownMemory | kVariable);
  sections_[name] = made;
  graph.add_walk(made, 1);
  for (const llvm::GlobalVariable& variable : module.globals()) {
    if (variable.getSection() == name) graph.unify(made, global(variable));
  }
  return graph.find(made);
}

Cell PointsTo::global(const llvm::GlobalValue& value) {
  if (const auto* alias = llvm::dyn_cast<llvm::GlobalAlias>(&value)) {
    llvm::APInt offset(64, 0);
    const llvm::Value* base =
        alias->getAliasee()->stripAndAccumulateConstantOffsets(module.getDataLayout(), offset, true);
    if (const auto* target = llvm::dyn_cast<llvm::GlobalValue>(base))
      return global(*target).plus(offset.getSExtValue());
  }
  const auto known = globals_.find(&value);
  if (known != globals_.end()) return graph.find(known->second);
  Cell made;
  if (const auto* variable = llvm::dyn_cast<llvm::GlobalVariable>(&value)) {
    const std::string* library = specs.variable(*variable);
    const bool assembly = library == &kVariables && named_elsewhere_.contains(unnumbered(variable->getName()));
    if (library != nullptr && !assembly) {
      globals_[&value] = hidden(*library);
      if (library == &kVariables) graph.add_flags(globals_[&value], kUnknownMemory);  // code without a spec has it, too
      if (variable->hasInitializer()) initialise(globals_[&value], *variable->getInitializer());
      return graph.find(globals_[&value]);
    }
    if (has_no_identity(*variable)) return graph.make(kConstant);
    for (const llvm::StringRef end : {"__start_", "__stop_"}) {
      if (!variable->isDeclaration() || !variable->getName().starts_with(end)) continue;
      return globals_[&value] = section(variable->getName().substr(end.size()).str());
    }
    const GlobalName name = source_name(*variable);
    // What is only declared may be larger where it is defined: by a flexible array member, or an array without a size.
    const auto size =
        variable->isDeclaration()
            ? std::int64_t{0}
            : static_cast<std::int64_t>(module.getDataLayout().getTypeAllocSize(variable->getValueType()));
    made = graph.make_object({ObjectKind::kGlobal, variable, name.name, name.type, size},
                             static_cast<std::uint16_t>(kShared | reached_by_name(value) |
                                                        (variable->isConstant() ? kConstant : kVariable)));
    if (variable->getValueType()->isArrayTy()) made = graph.add_array(made, size);
    globals_[&value] = made;
    if (variable->hasInitializer()) initialise(made, *variable->getInitializer());
    return graph.find(made);
  }
  made = graph.make_object({ObjectKind::kFunction, &value, value.getName().str(), nullptr, 0},
                           static_cast<std::uint16_t>(kShared | kConstant | reached_by_name(value)));
  globals_[&value] = made;
  // ld --wrap: where the program names one, it may mean the other.
  if (const llvm::Function* wrapper = wrapper_of(value)) graph.unify(made, global(*wrapper));
  return graph.find(made);
}

void PointsTo::initialise(Cell at, const llvm::Constant& value) {
  const llvm::DataLayout& layout = module.getDataLayout();
  if (const auto* structure = llvm::dyn_cast<llvm::ConstantStruct>(&value)) {
    const llvm::StructLayout* members = layout.getStructLayout(structure->getType());
    for (unsigned i = 0; i < structure->getNumOperands(); ++i) {
      initialise(at.plus(static_cast<std::int64_t>(members->getElementOffset(i).getFixedValue())),
                 *structure->getOperand(i));
    }
  } else if (const auto* array = llvm::dyn_cast<llvm::ConstantArray>(&value)) {
    const auto stride = static_cast<std::int64_t>(layout.getTypeAllocSize(array->getType()->getElementType()));
    graph.add_array(at, stride * static_cast<std::int64_t>(array->getNumOperands()));
    for (unsigned i = 0; i < array->getNumOperands(); ++i) initialise(at.plus(stride * i), *array->getOperand(i));
  } else if (const auto* vector = llvm::dyn_cast<llvm::ConstantVector>(&value)) {
    const auto stride = static_cast<std::int64_t>(layout.getTypeStoreSize(vector->getType()->getElementType()));
    for (unsigned i = 0; i < vector->getNumOperands(); ++i) initialise(at.plus(stride * i), *vector->getOperand(i));
  } else {
    initialise(at, value, 0);
  }
}

// `value`, which is an address or is computed from some, at `at`.
void PointsTo::initialise(Cell at, const llvm::Constant& value, std::int64_t distance) {
  llvm::APInt offset(64, static_cast<std::uint64_t>(distance), true);
  if (const auto* target = llvm::dyn_cast<llvm::GlobalValue>(&value)) {
    const Cell there = global(*target).plus(distance);
    graph.add_target(at, there);
    return;
  }
  if (is_fixed_address(value)) graph.add_target(at, hidden(kFixedAddresses, ObjectKind::kUnknown));
  const auto* expression = llvm::dyn_cast<llvm::ConstantExpr>(&value);
  if (expression == nullptr) {  // another name of something: what it leads to is the operand's
    if (llvm::isa<llvm::BlockAddress, llvm::ConstantData>(value)) return;
    for (const llvm::Use& operand : value.operands())
      initialise(at, *llvm::cast<llvm::Constant>(operand.get()), distance);
    return;
  }
  if (const auto* gep = llvm::dyn_cast<llvm::GEPOperator>(expression))
    gep->accumulateConstantOffset(module.getDataLayout(), offset);
  const auto* number =
      expression->getNumOperands() == 2 ? llvm::dyn_cast<llvm::ConstantInt>(expression->getOperand(1)) : nullptr;
  if (expression->getOpcode() == llvm::Instruction::Add && number != nullptr && number->getBitWidth() == 64)
    offset += number->getValue();
  for (const llvm::Use& operand : expression->operands())
    initialise(at, *llvm::cast<llvm::Constant>(operand.get()), offset.getSExtValue());
}

Cell PointsTo::hidden(const std::string& name, ObjectKind kind) {
  if (name.starts_with("descriptor ")) kind = ObjectKind::kOs;  // `touch descriptor 0`
  const auto [place, fresh] = hidden_.try_emplace(name);
  if (fresh) {
    Object object{kind, nullptr, name, nullptr, 0};
    // A number of the program's own choice may be any file's; the first three are no files by themselves. Closed, they
    // are the lowest numbers that are free, which the next file gets (POSIX, open()).
    object.standard = name == "descriptor 0" || name == "descriptor 1" || name == "descriptor 2";
    object.regular = name.starts_with("descriptor ") && (!object.standard || closes(name.back() - '0'));
    place->second = graph.make_object(std::move(object), static_cast<std::uint16_t>(kShared | kVariable));
  }
  // Bytes come out of a pipe in other portions than they went in, so they stand at any distance from each other.
  if (fresh && (name == kFixedAddresses || name == kSent)) graph.add_walk(place->second, 1);
  if (fresh && (name == kEventsHandedOut || name == kLostAddresses || name == kFixedAddresses))
    graph.add_flags(place->second, kUnknownMemory);
  if (fresh && std::find(kStreams.begin(), kStreams.end(), name) != kStreams.end()) {
    const Cell variable = place->second;
    const Cell stream = graph.make_object({ObjectKind::kLibc, nullptr, "stream " + name, nullptr, 0, true},
                                          static_cast<std::uint16_t>(kShared | kVariable));
    graph.add_target(variable, stream);
    const auto number = std::find(kStreams.begin(), kStreams.end(), name) - kStreams.begin();
    graph.add_target(stream, hidden("descriptor " + std::to_string(number)), true);
    return graph.find(variable);
  }
  // `environ` leads to a list of texts, either of which may be the program's own: one object, which leads to itself.
  if (fresh && name == kEnvironment) {
    const Cell all = place->second;
    graph.add_walk(all, 1);
    graph.unify(graph.edge(all), all);
    return graph.find(all);
  }
  if (fresh && name == kCommandLine) {
    const Cell vector = place->second;
    graph.add_walk(vector, 8);
    graph.add_target(vector, hidden(kWords));
    return graph.find(vector);
  }
  if (fresh && name == kCalledAtExit) {
    const Cell made = place->second;
    for (const llvm::Function& function : module)
      if (function.hasFnAttribute(kRunAtTheEnd)) graph.add_target(made, global(function));
    return graph.find(made);
  }
  return graph.find(place->second);
}

// May the number be this descriptor, one of the first three, by the program's own choice? What was opened has its
// descriptors in the graph. A constant that the program stores, or one of its functions returns, is not followed: see
// docs/guides/assumptions.md.
bool PointsTo::may_be_standard(const llvm::CallBase& call, const llvm::Value* value, int descriptor, int depth) {
  if (const llvm::ConstantInt* known = number(call, value)) return known->equalsInt(static_cast<unsigned>(descriptor));
  if (value == nullptr || depth == kMostWrappers) return value != nullptr;
  if (const auto* formal = llvm::dyn_cast<llvm::Argument>(value)) {
    const llvm::Function& function = *formal->getParent();
    return std::any_of(function.use_begin(), function.use_end(), [&](const llvm::Use& use) {
      const auto* outer = llvm::dyn_cast<llvm::CallBase>(use.getUser());
      return outer != nullptr && outer->isCallee(&use) && formal->getArgNo() < outer->arg_size() &&
             may_be_standard(*outer, outer->getArgOperand(formal->getArgNo()), descriptor, depth + 1);
    });
  }
  if (const auto* load = llvm::dyn_cast<llvm::LoadInst>(value)) {
    const Address from = address_of(load->getPointerOperand(), module.getDataLayout());
    const auto* variable = llvm::dyn_cast<llvm::GlobalVariable>(from.base);
    if (variable == nullptr) return false;
    if (std::string_view(variable->getName()) == kStreams[static_cast<std::size_t>(descriptor)]) return true;
    if (!variable->hasInitializer()) return false;
    numbers_read.note_initialisers();
    if (variable->getInitializer()->isNullValue()) return false;
    return any_number(*variable->getInitializer(), [&](std::int64_t one) { return one == descriptor; });
  }
  if (const auto* inner = llvm::dyn_cast<llvm::CallBase>(value)) {
    const llvm::Function* callee = inner->getCalledFunction();
    if (callee == nullptr || !callee->isDeclaration()) return false;
    const Spec* spec = specs.find(*callee);
    if (spec == nullptr || spec->results.empty()) return true;
    return std::any_of(inner->arg_begin(), inner->arg_end(), [&](const llvm::Use& given) {  // fileno(stdout)
      return given->getType()->isPointerTy() && may_be_standard(*inner, given, descriptor, depth + 1);
    });
  }
  // A choice of numbers, or a count: `compare` tells no two numbers apart here that have one sign.
  const bool chosen = llvm::isa<llvm::PHINode, llvm::SelectInst>(value);
  const auto* cast = llvm::dyn_cast<llvm::CastInst>(value);
  if (!chosen && (cast == nullptr || cast->getSrcTy()->isIntegerTy() != value->getType()->isIntegerTy()))
    return value->getType()->isIntegerTy();
  const auto* instruction = llvm::cast<llvm::Instruction>(value);
  return std::any_of(instruction->op_begin(), instruction->op_end(), [&](const llvm::Use& use) {
    const auto* constant = llvm::dyn_cast<llvm::ConstantInt>(use.get());
    if (constant != nullptr) return !constant->isNegative();
    return !llvm::isa<llvm::Constant>(use.get()) && may_be_standard(call, use.get(), descriptor, depth + 1);
  });
}

bool PointsTo::makes_files_alike() {
  if (files_alike_) return *files_alike_;
  std::set<std::int64_t> modes;
  bool known = true;
  for (const char* name : {"fopen", "fopen64", "freopen", "freopen64", "BIO_new_file", "gzopen", "gzopen64"})
    if (module.getFunction(name) != nullptr) modes.insert(0666);
  for (const char* name : {"mkstemp", "mkstemp64", "mkostemp", "mkostemp64"})
    if (module.getFunction(name) != nullptr) modes.insert(0600);
  struct Makes {
    const char* function;
    int flags;
    int mode;
  };
  for (const Makes& one : {Makes{"open", 1, 2}, Makes{"open64", 1, 2}, Makes{"openat", 2, 3}, Makes{"openat64", 2, 3},
                           Makes{"creat", -1, 1}, Makes{"creat64", -1, 1}}) {
    const llvm::Function* function = module.getFunction(one.function);
    if (function == nullptr) continue;
    for (const llvm::Use& use : function->uses()) {
      const auto* call = llvm::dyn_cast<llvm::CallBase>(use.getUser());
      if (call == nullptr || !call->isCallee(&use)) {
        known = false;
        continue;
      }
      const llvm::ConstantInt* flags = number(*call, argument(*call, one.flags));
      if (one.flags >= 0 && flags != nullptr && (flags->getZExtValue() & O_CREAT) == 0) continue;
      const llvm::ConstantInt* mode = number(*call, argument(*call, one.mode));
      if (mode != nullptr) modes.insert(mode->getSExtValue());
      known &= mode != nullptr;
    }
  }
  files_alike_ = known && modes.size() <= 1;
  return *files_alike_;
}

namespace {

// The descriptor, or stream, that a call closes, or gives to a library, which may close it later; -1: none. Events only
// watch theirs.
int may_be_closed(const Spec& spec, const Effect& effect) {
  if (effect.closes && effect.arg >= 0) return effect.arg;
  const bool kept = effect.op == Effect::Op::kKeep && effect.value_path.empty() && effect.other >= 0;
  const bool watched = std::any_of(spec.callbacks.begin(), spec.callbacks.end(),
                                   [&](const Callback& callback) { return callback.descriptor == effect.other; });
  return kept && !watched ? effect.other : -1;
}

}  // namespace

// May the program close this descriptor, of the first three, or put another file in its place?
bool PointsTo::closes(int descriptor) {
  const auto any_call = [](const llvm::Function& function, const auto& holds) {
    return std::any_of(function.use_begin(), function.use_end(), [&](const llvm::Use& use) {
      const auto* call = llvm::dyn_cast<llvm::CallBase>(use.getUser());
      return call == nullptr || !call->isCallee(&use) || holds(*call);
    });
  };
  return std::any_of(module.begin(), module.end(), [&](const llvm::Function& function) {
    if (!function.isDeclaration()) return false;
    const llvm::StringRef name = function.getName();
    if (name == "login_tty") return !function.use_empty();
    if (name == "closefrom" || name == "close_range") {
      return any_call(function, [&](const llvm::CallBase& call) {
        const llvm::ConstantInt* first = number(call, argument(call, 0));
        return first == nullptr || first->getSExtValue() <= descriptor;
      });
    }
    const Spec* spec = specs.find(function);
    std::set<int> closed;
    if (spec != nullptr) {
      for (const Effect& effect : spec->effects) closed.insert(may_be_closed(*spec, effect));
      closed.erase(-1);
    }
    return !closed.empty() && any_call(function, [&](const llvm::CallBase& call) {
      return std::any_of(closed.begin(), closed.end(),
                         [&](int index) { return may_be_standard(call, argument(call, index), descriptor); });
    });
  });
}

FunctionCells& PointsTo::cells(const llvm::Function& function) {
  const auto [place, fresh] = functions_.try_emplace(&function);
  FunctionCells& cells = place->second;
  if (fresh) {
    for (const llvm::Argument& formal : function.args()) {
      const bool named = program_named_ && function.getName() == "main";
      cells.formals.push_back(carries(formal.getType()) ? graph.make(named ? kUnknownMemory : 0) : Cell{});
    }
    if (carries(function.getReturnType())) cells.returned = graph.make();
    if (function.isVarArg()) {
      cells.variadic = graph.make();
      graph.add_walk(cells.variadic, 1);
    }
  }
  return cells;
}

const FunctionCells& PointsTo::cells(const llvm::Function& function) const {
  static const FunctionCells none;
  const auto place = functions_.find(&function);
  HEDDLE_ASSERT(place != functions_.end());
  return place == functions_.end() ? none : place->second;
}

bool PointsTo::format_may_write(const llvm::CallBase& call, int format) const {
  const auto* text = llvm::dyn_cast_or_null<llvm::GlobalVariable>(argument(call, format));
  const bool known = text != nullptr && text->isConstant() && text->hasDefinitiveInitializer();
  return texts_write_ && (!known || has_write_conversion(*text));
}

bool PointsTo::format_may_allocate(const llvm::CallBase& call, int format) const {
  if (!call.getFunctionType()->isVarArg()) return false;
  const auto* text = llvm::dyn_cast_or_null<llvm::GlobalVariable>(argument(call, format));
  const bool known = text != nullptr && text->isConstant() && text->hasDefinitiveInitializer();
  return !known || has_block_conversion(*text);
}

bool PointsTo::holds(const llvm::CallBase& call, const NumberCondition& condition) {
  if (condition.arg == kNoArgument) return true;
  const llvm::Value* value = argument(call, condition.arg);
  if (value != nullptr && value->getType()->isPointerTy()) {  // the number of a null pointer is 0
    if (llvm::isa<llvm::ConstantPointerNull>(value)) return condition.allows(0);
    return condition.allows(1) || !leads_somewhere(*value, module.getDataLayout(), 0);
  }
  const llvm::ConstantInt* known = number(call, value);
  if (known == nullptr) return condition.test != NumberCondition::Test::kSurely;
  return condition.allows(known->getSExtValue());
}

bool PointsTo::surely(const llvm::CallBase& call, const NumberCondition& condition) {
  const llvm::ConstantInt* known = number(call, argument(call, condition.arg));
  return known != nullptr && condition.allows(known->getSExtValue());
}

bool PointsTo::holds(const llvm::CallBase& call, const NumberCondition& condition, const std::string& beside) {
  if (beside.empty()) return holds(call, condition);
  if (beside.find("::") != std::string::npos) return names_member_of(beside);
  if (calls_without_names_->may_call(beside) || (beside == "environ" && has_environment_)) return true;
  const llvm::GlobalValue* other = module.getNamedValue(beside);
  if (other == nullptr) return false;
  if (!llvm::isa<llvm::Function>(other)) return true;  // a variable: whoever names it may do what it is for
  return std::any_of(other->use_begin(), other->use_end(), [&](const llvm::Use& use) {
    const auto* there = llvm::dyn_cast<llvm::CallBase>(use.getUser());
    return there == nullptr || !there->isCallee(&use) || holds(*there, condition);
  });
}

// Has the program, or does it call, a function of C++ whose qualified name begins so?
bool PointsTo::names_member_of(const std::string& cxx_class) {
  const auto [place, fresh] = named_.try_emplace(cxx_class, false);
  if (fresh) {
    place->second =
        calls_without_names_->any_function() || std::any_of(module.begin(), module.end(), [&](const auto& function) {
          return function.getName().starts_with("_Z") && cxx_name(function.getName().str()).starts_with(cxx_class);
        });
  }
  return place->second;
}

bool PointsTo::names(const std::string& hidden) {
  const auto [place, fresh] = named_.try_emplace(hidden, false);
  if (!fresh) return place->second;
  if (hidden == kAccessTimes) {
    place->second = module.getNamedMetadata(kNamesAccessTimes) != nullptr;
  } else if (hidden == kSignalHandlers) {
    place->second = waits_for_raised_signals();
  } else {
    place->second = specs.names_variable(module, hidden);
  }
  return place->second;
}

// Has the program an event for a signal that a call of another handler may raise: by writing, by memory, or by sending
// it?
bool PointsTo::waits_for_raised_signals() {
  const auto named = [&](const char* name) { return may_call(name); };
  const bool sends = std::any_of(kSendSignals.begin(), kSendSignals.end(), named);
  const auto may_choose = [&](const char* name) {  // F_SETSIG
    if (calls_without_names_->may_call(name)) return true;
    const llvm::Function* function = module.getFunction(name);
    return function != nullptr && std::any_of(function->use_begin(), function->use_end(), [&](const llvm::Use& use) {
             const auto* call = llvm::dyn_cast<llvm::CallBase>(use.getUser());
             return call == nullptr || !call->isCallee(&use) ||
                    may_be(*call, argument(*call, 1), [](std::int64_t command) { return command == 10; });
           });
  };
  const bool any =
      may_choose("fcntl") || may_choose("fcntl64") || std::any_of(kMakeTerminals.begin(), kMakeTerminals.end(), named);
  const auto raised = [&](const llvm::CallBase& call, int number_at, int flags_at) {
    const auto of_a_signal = [](std::int64_t flags) { return (flags & 0x08) != 0; };  // EV_SIGNAL
    if (!may_be(call, argument(call, flags_at), of_a_signal)) return false;
    return sends || any ||
           may_be(call, argument(call, number_at), [](std::int64_t which) { return !kNotRaised.contains(which); });
  };
  struct Makes {
    const char* function;
    int number;
    int flags;
  };
  const std::array<Makes, 3> makers = {{{"event_new", 1, 2}, {"event_assign", 2, 3}, {"event_set", 1, 2}}};
  return std::any_of(makers.begin(), makers.end(), [&](const Makes& one) {
    const llvm::Function* function = module.getFunction(one.function);
    return function != nullptr && std::any_of(function->use_begin(), function->use_end(), [&](const llvm::Use& use) {
             const auto* call = llvm::dyn_cast<llvm::CallBase>(use.getUser());
             return call == nullptr || !call->isCallee(&use) || raised(*call, one.number, one.flags);
           });
  });
}

bool PointsTo::has_unlisted_assembly() {
  if (unlisted_assembly_) return *unlisted_assembly_;
  const auto unlisted = [](const llvm::Instruction& at) {
    const auto* call = llvm::dyn_cast<llvm::CallBase>(&at);
    return call != nullptr && call->isInlineAsm() &&
           !free_of_its_thread(*llvm::cast<llvm::InlineAsm>(call->getCalledOperand()));
  };
  unlisted_assembly_ = std::any_of(module.begin(), module.end(), [&](const llvm::Function& function) {
    return std::any_of(llvm::inst_begin(function), llvm::inst_end(function), unlisted);
  });
  return *unlisted_assembly_;
}

// Does the program take locks that belong to the process? Such a lock is lost with any descriptor of the file that is
// closed (fcntl(2), "Record locks").
bool PointsTo::locks_by_process() {
  if (locks_by_process_) return *locks_by_process_;
  const auto takes = [&](const llvm::Function& function, const NumberCondition& condition) {
    return std::any_of(function.use_begin(), function.use_end(), [&](const llvm::Use& use) {
      const auto* call = llvm::dyn_cast<llvm::CallBase>(use.getUser());
      return call == nullptr || !call->isCallee(&use) || holds(*call, condition);
    });
  };
  bool found = calls_without_names_->may_call("fcntl") || calls_without_names_->may_call("lockf");
  for (const llvm::Function& function : module) {
    const Spec* spec = function.isDeclaration() ? specs.find(function) : nullptr;
    if (spec == nullptr) continue;
    for (const Effect& effect : spec->effects)
      found = found || (effect.op == Effect::Op::kContents && effect.use == Effect::Use::kProcessLock &&
                        takes(function, effect.condition));
  }
  locks_by_process_ = found;
  return found;
}

// May the number that is passed be one for which this holds? It is followed through calls by name, and into a constant
// table. Numbers that the function chooses from are not looked at, for nothing would note that.
bool PointsTo::may_be(const llvm::CallBase& call, const llvm::Value* value,
                      const std::function<bool(std::int64_t)>& holds, int depth) {
  if (const llvm::ConstantInt* known = number(call, value)) return holds(known->getSExtValue());
  if (value == nullptr || depth == kMostWrappers) return true;
  if (const auto* load = llvm::dyn_cast<llvm::LoadInst>(value)) {
    const Address from = address_of(load->getPointerOperand(), module.getDataLayout());
    const auto* table = llvm::dyn_cast<llvm::GlobalVariable>(from.base);
    if (table == nullptr || !table->isConstant() || !table->hasDefinitiveInitializer()) return true;
    numbers_read.note_initialisers();
    return any_number(*table->getInitializer(), holds);
  }
  const auto* formal = llvm::dyn_cast<llvm::Argument>(value);
  if (formal == nullptr || formal->getParent()->isVarArg()) return true;
  const llvm::Function& function = *formal->getParent();
  return std::any_of(function.use_begin(), function.use_end(), [&](const llvm::Use& use) {
    const auto* outer = llvm::dyn_cast<llvm::CallBase>(use.getUser());
    return outer == nullptr || !outer->isCallee(&use) || formal->getArgNo() >= outer->arg_size() ||
           may_be(*outer, outer->getArgOperand(formal->getArgNo()), holds, depth + 1);
  });
}

const llvm::ConstantInt* PointsTo::number(const llvm::CallBase& call, const llvm::Value* value) const {
  const auto* number = llvm::dyn_cast_or_null<llvm::ConstantInt>(value);
  if (number != nullptr) numbers_read.note(call, *number);
  return number;
}

}  // namespace heddle::elyze
