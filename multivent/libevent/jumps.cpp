// Jumps out of a handler, and out of the loop that has called it (setjmp(3)): seen on their way, so that other threads
// do not go on with a loop that nobody is in any more.
#include <csetjmp>
#include <cstdint>

#include "multivent/libevent/entered_loops.hpp"
#include "multivent/libevent/next.hpp"

namespace {

using heddle::multivent::EnteredLoop;
using heddle::multivent::next_function;
using JumpFunction = void(__jmp_buf_tag*, int);

// The C library's own. Looked up before main: programs jump out of signal handlers, where dlsym() is not safe.
struct NextJumps {
  JumpFunction* const longjmp = next_function<JumpFunction>("longjmp");
  JumpFunction* const checked = next_function<JumpFunction>("__longjmp_chk");
};

const NextJumps& next_jumps() {
  static const NextJumps found;
  return found;
}

[[gnu::constructor]] void look_up_jumps() { next_jumps(); }

// Where the stack will end after the jump; null where that is not known. The C library keeps it rotated, and mixed with
// a secret of the thread (glibc, sysdeps/x86_64/__longjmp.S).
const void* target_of([[maybe_unused]] const __jmp_buf_tag& buffer) {
#if defined(__x86_64__) && defined(__GLIBC__)
  constexpr int kStackPointer = 6;
  constexpr int kRotated = 0x11;
  auto value = static_cast<std::uintptr_t>(buffer.__jmpbuf[kStackPointer]);
  std::uintptr_t secret = 0;
  asm("mov %%fs:0x30, %0" : "=r"(secret));
  value = (value >> kRotated | value << (64 - kRotated)) ^ secret;
  // NOLINTNEXTLINE(performance-no-int-to-ptr): the C library keeps it as a number
  return reinterpret_cast<const void*>(value);
#else
  return nullptr;
#endif
}

void leave_loops_below(const __jmp_buf_tag& buffer) { EnteredLoop::leave_below(target_of(buffer)); }

}  // namespace

extern "C" {

// NOLINTBEGIN(bugprone-reserved-identifier): glibc's own names
void longjmp(__jmp_buf_tag* buffer, int value) noexcept {
  leave_loops_below(*buffer);
  next_jumps().longjmp(buffer, value);
  __builtin_unreachable();
}

void _longjmp(__jmp_buf_tag* buffer, int value) noexcept {
  leave_loops_below(*buffer);
  next_jumps().longjmp(buffer, value);
  __builtin_unreachable();
}

void siglongjmp(__jmp_buf_tag* buffer, int value) noexcept {
  leave_loops_below(*buffer);
  next_jumps().longjmp(buffer, value);
  __builtin_unreachable();
}

[[noreturn]] void __longjmp_chk(__jmp_buf_tag* buffer, int value) noexcept {
  leave_loops_below(*buffer);
  next_jumps().checked(buffer, value);
  __builtin_unreachable();
}
// NOLINTEND(bugprone-reserved-identifier)

}  // extern "C"
