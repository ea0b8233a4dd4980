#include "elyze/effects/locks.hpp"

#include <llvm/IR/CFG.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>

#include <algorithm>
#include <array>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "elyze/ir/arrays.hpp"
#include "elyze/points_to/call_graph.hpp"

namespace heddle::elyze {
namespace {

// Functions of the C library that come back by themselves, whatever other threads do: they compute, or allocate under a
// lock of the library's own. No streams and no descriptors: those may wait. Sorted.
constexpr std::array<std::string_view, 82> kComeBack = {"__ctype_b_loc",
                                                        "__ctype_tolower_loc",
                                                        "__ctype_toupper_loc",
                                                        "__errno_location",
                                                        "__memcpy_chk",
                                                        "__memmove_chk",
                                                        "__memset_chk",
                                                        "__snprintf_chk",
                                                        "__sprintf_chk",
                                                        "__stpcpy_chk",
                                                        "__strcat_chk",
                                                        "__strcpy_chk",
                                                        "__strncat_chk",
                                                        "__strncpy_chk",
                                                        "__vsnprintf_chk",
                                                        "abs",
                                                        "aligned_alloc",
                                                        "atoi",
                                                        "atol",
                                                        "atoll",
                                                        "bcmp",
                                                        "bzero",
                                                        "calloc",
                                                        "clock_gettime",
                                                        "difftime",
                                                        "explicit_bzero",
                                                        "free",
                                                        "gettimeofday",
                                                        "htonl",
                                                        "htons",
                                                        "inet_ntop",
                                                        "inet_pton",
                                                        "isalnum",
                                                        "isalpha",
                                                        "isdigit",
                                                        "isspace",
                                                        "labs",
                                                        "malloc",
                                                        "memchr",
                                                        "memcmp",
                                                        "memcpy",
                                                        "memmem",
                                                        "memmove",
                                                        "mempcpy",
                                                        "memrchr",
                                                        "memset",
                                                        "ntohl",
                                                        "ntohs",
                                                        "posix_memalign",
                                                        "pthread_cond_broadcast",
                                                        "pthread_cond_signal",
                                                        "pthread_equal",
                                                        "pthread_self",
                                                        "rawmemchr",
                                                        "realloc",
                                                        "reallocarray",
                                                        "snprintf",
                                                        "sprintf",
                                                        "stpcpy",
                                                        "strcasecmp",
                                                        "strcat",
                                                        "strchr",
                                                        "strchrnul",
                                                        "strcmp",
                                                        "strcpy",
                                                        "strcspn",
                                                        "strdup",
                                                        "strlen",
                                                        "strncasecmp",
                                                        "strncat",
                                                        "strncmp",
                                                        "strncpy",
                                                        "strndup",
                                                        "strnlen",
                                                        "strrchr",
                                                        "strspn",
                                                        "strstr",
                                                        "strtol",
                                                        "strtoul",
                                                        "time",
                                                        "tolower",
                                                        "toupper"};
static_assert(std::is_sorted(kComeBack.begin(), kComeBack.end()));

bool comes_back(const llvm::Function& external) {
  if (external.isIntrinsic()) {
    using namespace llvm;
    switch (external.getIntrinsicID()) {
      case Intrinsic::memcpy:
      case Intrinsic::memcpy_inline:
      case Intrinsic::memmove:
      case Intrinsic::memset:
      case Intrinsic::memset_inline:
      case Intrinsic::lifetime_start:
      case Intrinsic::lifetime_end:
      case Intrinsic::assume:
        return true;
      default:
        return external.doesNotAccessMemory();
    }
  }
  return std::binary_search(kComeBack.begin(), kComeBack.end(), std::string_view(external.getName()));
}

// Does the instruction itself do no more than compute? Calls of the program's own functions are another question.
bool only_computes(const llvm::Instruction& at, const Specs& specs, const CallGraph& calls) {
  if (at.isAtomic()) return false;
  const auto* call = llvm::dyn_cast<llvm::CallBase>(&at);
  if (call == nullptr || is_array_mark(*call) || llvm::isa<llvm::DbgInfoIntrinsic>(call)) return true;
  if (call->isInlineAsm() || specs.dispatched(*call) != nullptr) return false;
  const auto& sites = calls.at(*call);
  if (sites.empty()) return false;
  for (const CallSite& site : sites) {
    if (site.callback != nullptr || (site.bodies.empty() && site.externals.empty())) return false;
    for (const llvm::Function* external : site.externals)
      if (!comes_back(*external)) return false;
  }
  return true;
}

// The functions that may do more than compute, themselves or by what they call.
std::unordered_set<const llvm::Function*> that_do_more(const llvm::Module& module, const Specs& specs,
                                                       const CallGraph& calls) {
  return functions_that_do(module, calls, [&](const llvm::Function& function) {
    const auto instructions = llvm::instructions(function);
    return std::any_of(instructions.begin(), instructions.end(),
                       [&](const llvm::Instruction& at) { return !only_computes(at, specs, calls); });
  });
}

}  // namespace

std::optional<LockCall> lock_call(const llvm::Instruction& at, const Specs& specs) {
  using Kind = ThreadCondition::Kind;
  const auto* call = llvm::dyn_cast<llvm::CallBase>(&at);
  const llvm::Function* callee = call == nullptr ? nullptr : call->getCalledFunction();
  const Spec* spec = callee == nullptr || !callee->isDeclaration() ? nullptr : specs.find(*callee);
  if (spec == nullptr) return std::nullopt;
  const Kind kind = spec->thread_if.kind;
  const auto index = static_cast<unsigned>(spec->thread_if.arg);
  if ((kind != Kind::kTakes && kind != Kind::kGives) || index >= call->arg_size()) return std::nullopt;
  return LockCall{call->getArgOperand(index)->stripPointerCasts(), kind == Kind::kTakes};
}

bool balanced(const llvm::Function& function, const llvm::Value& lock, const Specs& specs,
              llvm::function_ref<bool(const llvm::Instruction&)> holds) {
  std::unordered_map<const llvm::BasicBlock*, bool> held{{&function.getEntryBlock(), false}};  // when it is entered
  std::vector<const llvm::BasicBlock*> work{&function.getEntryBlock()};
  while (!work.empty()) {
    const llvm::BasicBlock* block = work.back();
    work.pop_back();
    bool now = held.at(block);
    for (const llvm::Instruction& at : *block) {
      const std::optional<LockCall> change = lock_call(at, specs);
      if (change && change->lock == &lock) {
        if (now == change->takes) return false;
        now = change->takes;
      } else if (now && !holds(at)) {
        return false;
      }
      if (now && (llvm::isa<llvm::ReturnInst>(at) || llvm::isa<llvm::ResumeInst>(at))) return false;
    }
    for (const llvm::BasicBlock* next : llvm::successors(block)) {
      const auto [place, fresh] = held.try_emplace(next, now);
      if (!fresh && place->second != now) return false;
      if (fresh) work.push_back(next);
    }
  }
  return true;
}

BriefLocks::BriefLocks(const llvm::Module& module, const Specs& specs, const CallGraph& calls) {
  using Locks = std::unordered_map<const llvm::Value*, std::vector<const llvm::CallBase*>>;
  std::unordered_map<const llvm::Function*, Locks> uses;
  for (const llvm::Function& external : module) {
    if (!external.isDeclaration()) continue;
    for (const llvm::User* user : external.users()) {
      const auto* call = llvm::dyn_cast<llvm::CallBase>(user);
      if (call == nullptr || call->getCalledOperand() != &external) continue;
      if (const auto found = lock_call(*call, specs)) uses[call->getFunction()][found->lock].push_back(call);
    }
  }
  if (uses.empty()) return;
  const auto more = that_do_more(module, specs, calls);
  const auto holds = [&](const llvm::Instruction& at) {
    if (!only_computes(at, specs, calls)) return false;
    const auto* call = llvm::dyn_cast<llvm::CallBase>(&at);
    if (call == nullptr || call->isInlineAsm()) return true;
    const auto& sites = calls.at(*call);
    return std::all_of(sites.begin(), sites.end(), [&](const CallSite& site) {
      return std::none_of(site.bodies.begin(), site.bodies.end(),
                          [&](const llvm::Function* body) { return more.contains(body); });
    });
  };
  for (const auto& [function, locks] : uses)
    for (const auto& [lock, here] : locks)
      if (balanced(*function, *lock, specs, holds)) calls_.insert(here.begin(), here.end());
}

}  // namespace heddle::elyze
