// dlsym(): a program, or a host of its plug-ins, may ask libevent itself for a function that we have as well.
//
// Found that way, libevent's event_add() would work on a base of ours, which it takes for one of its own. A call by
// name comes to us, and so does one by the address that is handed out here. Where a library is loaded so that it finds
// its own libraries first (RTLD_DEEPBIND), nobody asks us; a copy of libevent in a namespace of its own (dlmopen) keeps
// to itself.
#include <dlfcn.h>

#include <atomic>
#include <string_view>

#if defined(__x86_64__)
extern "C" {

// The C library's own. Threads that look it up at once all find the same, and it is that of code, which nobody writes:
// relaxed.
[[gnu::used, gnu::visibility("hidden")]] std::atomic<void* (*)(void*, const char*)> heddle_next_dlsym{nullptr};

// Ours in place of libevent's; null where the call goes on to the C library's own.
[[gnu::used, gnu::visibility("hidden")]] void* heddle_look_up(void* library, const char* name, const void* caller);

// That one asks from where it is called (RTLD_NEXT), so it is jumped to, with the arguments as they were.
[[gnu::naked]] void* dlsym(void* /*library*/, const char* /*name*/) noexcept {
  asm("endbr64\n\t"
      "push %rdi\n\t"
      ".cfi_adjust_cfa_offset 8\n\t"
      "push %rsi\n\t"
      ".cfi_adjust_cfa_offset 8\n\t"
      "sub $8, %rsp\n\t"
      ".cfi_adjust_cfa_offset 8\n\t"
      "mov 24(%rsp), %rdx\n\t"
      "call heddle_look_up\n\t"
      "add $8, %rsp\n\t"
      ".cfi_adjust_cfa_offset -8\n\t"
      "pop %rsi\n\t"
      ".cfi_adjust_cfa_offset -8\n\t"
      "pop %rdi\n\t"
      ".cfi_adjust_cfa_offset -8\n\t"
      "test %rax, %rax\n\t"
      "je 1f\n\t"
      "ret\n\t"
      "1: jmp *heddle_next_dlsym(%rip)");
}

}  // extern "C"

namespace {

using Lookup = void*(void*, const char*);
static_assert(sizeof(heddle_next_dlsym) == sizeof(void*) && decltype(heddle_next_dlsym)::is_always_lock_free);

Lookup* next_dlsym() {
  Lookup* found = heddle_next_dlsym.load(std::memory_order_relaxed);
  if (found != nullptr) return found;
  for (const char* version : {"GLIBC_2.34", "GLIBC_2.2.5"}) {
    found = reinterpret_cast<Lookup*>(dlvsym(RTLD_NEXT, "dlsym", version));
    if (found != nullptr) break;
  }
  heddle_next_dlsym.store(found, std::memory_order_relaxed);
  return found;
}

bool may_be_libevents(std::string_view name) {
  return name.starts_with("ev") || name.starts_with("bufferevent_") || name.starts_with("libevent_");
}

bool is_libevent(std::string_view path) { return path.substr(path.rfind('/') + 1).starts_with("libevent"); }

}  // namespace

// Programs look up functions while they allocate memory: nothing here does, but for a function of libevent's.
void* heddle_look_up(void* library, const char* name, const void* caller) {
  Lookup* const original = next_dlsym();
  if (library == RTLD_NEXT || library == RTLD_DEFAULT || !may_be_libevents(name)) return nullptr;
  Dl_info theirs{};
  Lmid_t space = LM_ID_BASE;
  void* const found = original(library, name);
  if (found == nullptr || dladdr(found, &theirs) == 0 || !is_libevent(theirs.dli_fname)) return nullptr;
  if (dlinfo(library, RTLD_DI_LMID, &space) != 0 || space != LM_ID_BASE) return nullptr;

  Dl_info us{};
  Dl_info of_caller{};
  Dl_info of_ours{};
  if (dladdr(reinterpret_cast<const void*>(&heddle_look_up), &us) == 0) return nullptr;
  // We mean libevent's own (next.hpp).
  if (dladdr(caller, &of_caller) != 0 && of_caller.dli_fbase == us.dli_fbase) return nullptr;
  void* const self = dlopen(us.dli_fname, RTLD_NOW | RTLD_NOLOAD);
  if (self == nullptr) return nullptr;
  void* const ours = original(self, name);
  dlclose(self);  // only counts: a library that was there from the start stays
  if (ours == nullptr || dladdr(ours, &of_ours) == 0 || of_ours.dli_fbase != us.dli_fbase) return nullptr;
  return ours;
}
#endif
