#include "elyze/ir/symbols.hpp"

#include <llvm/ADT/STLExtras.h>
#include <llvm/IR/InlineAsm.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/InstrTypes.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/Operator.h>
#include <sys/syscall.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <string_view>
#include <vector>

namespace heddle::elyze {
namespace {

// Made by GNU ld, gold and lld; see ld's default script (`ld --verbose`).
constexpr std::array kBounds = {"end",          "_end",
                                "edata",        "_edata",
                                "etext",        "_etext",
                                "__bss_start",  "data_start",
                                "__data_start", "__executable_start",
                                "__ehdr_start", "__dso_handle",
                                "_DYNAMIC",     "__GNU_EH_FRAME_HDR"};

// System V ABI, "Special Sections": tables of functions that are called before main() and at the end.
constexpr std::array kCalledFirst = {".preinit_array", ".init_array", ".ctors"};
constexpr std::array kCalledLast = {".fini_array", ".dtors"};

// Directives that say something of symbols, but define none.
constexpr std::array kHarmless = {".globl",       ".global",     ".weak",   ".hidden", ".protected",
                                  ".internal",    ".local",      ".type",   ".size",   ".section",
                                  ".pushsection", ".popsection", ".text",   ".data",   ".previous",
                                  ".p2align",     ".align",      ".balign", ".ident"};

struct SystemCall {
  std::int64_t number;
  const char* function;  // that does the same, or as much; empty: nothing that anything else depends on
};

// Numbers for which it is known what the call may do. A path may mean another file after it as after link().
constexpr std::array kSystemCalls = {SystemCall{SYS_gettid, ""},
                                     SystemCall{SYS_getpid, ""},
                                     SystemCall{SYS_getppid, ""},
                                     SystemCall{SYS_futex, ""},
                                     SystemCall{SYS_getrandom, ""},
                                     SystemCall{SYS_getcpu, ""},
                                     SystemCall{SYS_membarrier, ""},
                                     SystemCall{SYS_sched_yield, ""},
                                     SystemCall{SYS_sched_getaffinity, ""},
                                     SystemCall{SYS_sched_setaffinity, ""},
                                     SystemCall{SYS_gettimeofday, ""},
                                     SystemCall{SYS_clock_gettime, ""},
                                     SystemCall{SYS_getdents64, ""},
                                     SystemCall{SYS_memfd_create, ""},
                                     SystemCall{SYS_pidfd_open, ""},
                                     SystemCall{SYS_ioprio_set, ""},
                                     SystemCall{SYS_capget, ""},
                                     SystemCall{SYS_exit, ""},
                                     SystemCall{SYS_exit_group, ""},
                                     SystemCall{SYS_rename, "rename"},
                                     SystemCall{SYS_renameat, "renameat"},
                                     SystemCall{SYS_renameat2, "renameat2"},
                                     SystemCall{SYS_link, "link"},
                                     SystemCall{SYS_linkat, "linkat"},
                                     SystemCall{SYS_symlink, "symlink"},
                                     SystemCall{SYS_symlinkat, "symlinkat"},
                                     SystemCall{SYS_mount, "link"},
                                     SystemCall{SYS_execve, "execve"},
                                     SystemCall{SYS_execveat, "execve"},
                                     SystemCall{SYS_chdir, "chdir"},
                                     SystemCall{SYS_fchdir, "fchdir"},
                                     SystemCall{SYS_chroot, "chroot"},
                                     SystemCall{SYS_openat, "openat"},
                                     SystemCall{SYS_mknod, "mknod"},
                                     SystemCall{SYS_mknodat, "mknodat"},
                                     SystemCall{SYS_inotify_add_watch, "inotify_add_watch"},
                                     SystemCall{SYS_fanotify_mark, "fanotify_mark"},
                                     SystemCall{SYS_splice, "splice"},
                                     SystemCall{SYS_tee, "tee"},
                                     SystemCall{SYS_sendfile, "sendfile"},
                                     SystemCall{SYS_socket, "socket"},
                                     SystemCall{SYS_socketpair, "socketpair"},
                                     SystemCall{SYS_fcntl, "fcntl"},
                                     SystemCall{SYS_ioctl, "ioctl"},
                                     SystemCall{SYS_mlock, "mlock"},
                                     SystemCall{SYS_mlock2, "mlock2"},
                                     SystemCall{SYS_mlockall, "mlockall"},
                                     SystemCall{SYS_mmap, "mmap"},
                                     SystemCall{SYS_mremap, "mremap"},
                                     SystemCall{SYS_munmap, "munmap"},
                                     SystemCall{SYS_mprotect, "mprotect"},
                                     SystemCall{SYS_pkey_mprotect, "pkey_mprotect"},
                                     SystemCall{SYS_userfaultfd, "mprotect"},
                                     SystemCall{SYS_shmat, "shmat"},
                                     SystemCall{SYS_epoll_create, "epoll_create"},
                                     SystemCall{SYS_epoll_create1, "epoll_create1"},
                                     SystemCall{SYS_seccomp, "seccomp"},
                                     SystemCall{SYS_prctl, "prctl"},
                                     SystemCall{SYS_kill, "kill"},
                                     SystemCall{SYS_tkill, "tgkill"},
                                     SystemCall{SYS_tgkill, "tgkill"},
                                     SystemCall{SYS_rt_sigqueueinfo, "sigqueue"},
                                     SystemCall{SYS_rt_tgsigqueueinfo, "sigqueue"},
                                     SystemCall{SYS_pidfd_send_signal, "kill"}};

// Instructions that make system calls.
constexpr std::array kEntersKernel = {"syscall", "sysenter", "int"};

bool part_of_name(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '.' || c == '$'; }

// RTLD_NEXT, which is the number -1.
bool begins_behind_the_program(const llvm::Value& handle) {
  const auto* cast = llvm::dyn_cast<llvm::Operator>(&handle);
  const auto* number = cast == nullptr || cast->getOpcode() != llvm::Instruction::IntToPtr
                           ? nullptr
                           : llvm::dyn_cast<llvm::ConstantInt>(cast->getOperand(0));
  return number != nullptr && number->isMinusOne();
}

// The symbols that one statement may define: its label or the name it sets. Where it is no plain instruction either, it
// may define whatever it names.
void note_defined(const std::string& statement, std::vector<std::string> words,
                  std::set<std::string, std::less<>>& found) {
  while (!words.empty()) {
    const std::size_t after = statement.find(words.front()) + words.front().size();
    if (after >= statement.size() || statement[after] != ':') break;
    found.insert(words.front());
    words.erase(words.begin());
  }
  if (words.empty()) return;
  if (words.front().front() != '.') {  // an instruction, or `name = value`
    if (statement.find('=') != std::string::npos) found.insert(words.front());
    return;
  }
  if (words.front() == ".symver") {  // gives the first name's symbol a version; the first name itself stays
    found.insert(words.begin() + std::min<std::size_t>(2, words.size()), words.end());
    return;
  }
  if (std::find(kHarmless.begin(), kHarmless.end(), words.front()) == kHarmless.end())
    found.insert(words.begin() + 1, words.end());
}

}  // namespace

std::vector<std::string> words_of(const std::string& statement) {
  std::vector<std::string> words;
  for (std::size_t i = 0; i < statement.size();) {
    if (!part_of_name(statement[i])) {
      ++i;
      continue;
    }
    std::size_t end = i;
    while (end < statement.size() && part_of_name(statement[end])) ++end;
    words.push_back(statement.substr(i, end - i));
    i = end;
  }
  return words;
}

std::vector<std::string> names_in(std::string word) {
  std::vector<std::string> names;
  const auto name = word.find_first_not_of('$');
  if (name != 0 && name != std::string::npos) names.push_back(word.substr(name));
  names.push_back(std::move(word));
  return names;
}

AssemblySymbols assembly_symbols(const llvm::Module& module) {
  AssemblySymbols symbols;
  std::string statement;
  const auto finish = [&] {
    const std::vector<std::string> words = words_of(statement);
    for (const std::string& word : words)
      for (std::string& name : names_in(word)) symbols.named.insert(std::move(name));
    if (!words.empty()) note_defined(statement, words, symbols.defined);
    statement.clear();
  };
  for (const char c : module.getModuleInlineAsm()) {
    if (c == '\n' || c == ';') {
      finish();
    } else {
      statement += c;
    }
  }
  finish();
  return symbols;
}

void join_labelled_names(llvm::Module& module) {
  std::vector<llvm::GlobalValue*> labelled;
  for (llvm::GlobalValue& value : module.global_values()) {
    if (value.getName().starts_with("\x01")) labelled.push_back(&value);
  }
  for (llvm::GlobalValue* value : labelled) {
    const std::string plain = value->getName().drop_front().str();
    llvm::GlobalValue* other = module.getNamedValue(plain);
    if (other == nullptr) {
      value->setName(plain);
      continue;
    }
    llvm::GlobalValue* kept = value->isDeclaration() ? other : value;
    llvm::GlobalValue* gone = kept == value ? other : value;
    gone->replaceAllUsesWith(kept);
    gone->eraseFromParent();
    kept->setName(plain);
  }
}

void mark_defined_by_assembly(llvm::Module& program) {
  if (program.getModuleInlineAsm().empty()) return;
  const AssemblySymbols symbols = assembly_symbols(program);
  for (llvm::Function& function : program) {
    if (function.isDeclaration() && symbols.defined.contains(function.getName()))
      function.addFnAttr(kDefinedByAssembly);
  }
}

void mark_run_by_the_loader(llvm::Module& program) {
  const auto mark = [](llvm::Constant& functions, bool at_the_end) {
    std::vector<llvm::Constant*> work{&functions};
    while (!work.empty()) {
      llvm::Constant* part = work.back();
      work.pop_back();
      if (auto* alias = llvm::dyn_cast<llvm::GlobalAlias>(part)) work.push_back(alias->getAliasee());
      if (auto* function = llvm::dyn_cast<llvm::Function>(part)) {
        function->addFnAttr(kRunByTheLoader);
        if (at_the_end) function->addFnAttr(kRunAtTheEnd);
      }
      if (llvm::isa<llvm::GlobalValue>(part)) continue;
      for (const llvm::Use& operand : part->operands()) work.push_back(llvm::cast<llvm::Constant>(operand.get()));
    }
  };
  for (llvm::GlobalVariable& variable : program.globals()) {
    if (!variable.hasInitializer()) continue;
    const auto in = [&](const char* section) { return variable.getSection().starts_with(section); };
    const bool last = variable.getName() == "llvm.global_dtors" || llvm::any_of(kCalledLast, in);
    if (last || variable.getName() == "llvm.global_ctors" || llvm::any_of(kCalledFirst, in))
      mark(*variable.getInitializer(), last);
  }
  for (const char* name : {"_start", "_init", "_fini"})
    if (llvm::GlobalValue* function = program.getNamedValue(name)) mark(*function, name == std::string_view("_fini"));
}

const llvm::Function* wrapper_of(const llvm::GlobalValue& value) {
  if (!llvm::isa<llvm::Function>(value) || value.getName().starts_with("__wrap_")) return nullptr;
  const llvm::Function* wrapper = value.getParent()->getFunction(("__wrap_" + value.getName()).str());
  return wrapper == nullptr || wrapper->isDeclaration() ? nullptr : wrapper;
}

const llvm::Function* wrapped_by(const llvm::Function& real) {
  llvm::StringRef name = real.getName();
  if (!real.isDeclaration() || !name.consume_front("__real_")) return nullptr;
  return real.getParent()->getFunction(name);
}

bool names_bounds_of_data(const llvm::Module& program) {
  return llvm::any_of(program.globals(), [](const llvm::GlobalVariable& variable) {
    return variable.isDeclaration() && std::find(kBounds.begin(), kBounds.end(), variable.getName()) != kBounds.end();
  });
}

CallsWithoutNames::CallsWithoutNames(const llvm::Module& program, const Number& number, const Texts& texts) {
  const auto uses = [&](const char* name, unsigned argument, const auto& note, bool& any) {
    const llvm::Function* function = program.getFunction(name);
    if (function == nullptr) return;
    for (const llvm::Use& use : function->uses()) {
      const auto* call = llvm::dyn_cast<llvm::CallBase>(use.getUser());
      any |= call == nullptr || !call->isCallee(&use) || call->arg_size() <= argument ||
             !note(*call, call->getArgOperand(argument));
    }
  };
  const auto by_number = [&](const llvm::CallBase& call, const llvm::Value* value) {
    const auto which = number(call, value);
    const auto* known = llvm::find_if(kSystemCalls, [&](const SystemCall& one) { return which == one.number; });
    if (known == kSystemCalls.end()) return false;
    named_.insert(known->function);
    return true;
  };
  const auto by_text = [&](const llvm::CallBase& call, const llvm::Value* value) {
    std::vector<std::string> found;
    const bool known = texts(call, value, found);
    if (!begins_behind_the_program(*call.getArgOperand(0))) {
      finds_any_ |= !known;
      found_.insert(found.begin(), found.end());
    }
    if (!known) return false;
    named_.insert(found.begin(), found.end());
    return true;
  };
  uses("syscall", 0, by_number, any_system_call_);
  for (const char* finds : {"dlsym", "dlvsym"}) {
    bool unseen = false;
    uses(finds, 1, by_text, unseen);
    any_function_ |= unseen;
    if (const llvm::Function* function = program.getFunction(finds))
      finds_any_ |= llvm::any_of(function->uses(), [](const llvm::Use& use) {
        const auto* call = llvm::dyn_cast<llvm::CallBase>(use.getUser());
        return call == nullptr || !call->isCallee(&use) || call->arg_size() < 2;
      });
  }
  const auto enters = [](const llvm::Instruction& at) {
    const auto* call = llvm::dyn_cast<llvm::CallBase>(&at);
    if (call == nullptr || !call->isInlineAsm()) return false;
    const auto* assembly = llvm::cast<llvm::InlineAsm>(call->getCalledOperand());
    return llvm::any_of(words_of(std::string(assembly->getAsmString())), [](const std::string& word) {
      return std::find(kEntersKernel.begin(), kEntersKernel.end(), word) != kEntersKernel.end();
    });
  };
  for (const llvm::Function& function : program)
    any_system_call_ = any_system_call_ || llvm::any_of(llvm::instructions(function), enters);
}

bool CallsWithoutNames::may_call(llvm::StringRef function) const {
  if (any_function_ || named_.contains(function)) return true;
  return any_system_call_ &&
         llvm::any_of(kSystemCalls, [&](const SystemCall& one) { return function == one.function; });
}

std::string unnumbered(llvm::StringRef name) {
  const auto dot = name.rfind('.');
  const bool numbered = dot != llvm::StringRef::npos && name.find_first_not_of("0123456789", dot + 1) == name.npos;
  return (numbered ? name.substr(0, dot) : name).str();
}

}  // namespace heddle::elyze
