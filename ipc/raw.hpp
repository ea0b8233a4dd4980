// System calls that leave errno alone and pass by no function of the C library, some of which are ours.
#pragma once

#include <sys/syscall.h>

#include <cstdint>
#include <ctime>
#include <type_traits>

namespace heddle::ipc {

template <class Argument>
long as_word(Argument argument) {
  if constexpr (std::is_null_pointer_v<Argument>)
    return 0;
  else if constexpr (std::is_pointer_v<Argument>)
    return reinterpret_cast<long>(argument);
  else
    return static_cast<long>(argument);
}

// What the kernel returns: -errno for an error (syscall(2), "Architecture calling conventions": x86-64).
inline long raw_call(long number, long a, long b, long c, long d, long e, long f) {
  long result = 0;
  register long fourth asm("r10") = d;
  register long fifth asm("r8") = e;
  register long sixth asm("r9") = f;
  asm volatile("syscall"
               : "=a"(result)
               : "a"(number), "D"(a), "S"(b), "d"(c), "r"(fourth), "r"(fifth), "r"(sixth)
               : "rcx", "r11", "memory");
  return result;
}

template <class... Arguments>
long raw(long number, Arguments... arguments) {
  static_assert(sizeof...(arguments) <= 6);
  const long words[6] = {as_word(arguments)...};
  return raw_call(number, words[0], words[1], words[2], words[3], words[4], words[5]);
}

inline std::uint64_t clock_ns(clockid_t clock) {
  timespec now{};
  raw(SYS_clock_gettime, clock, &now);
  return static_cast<std::uint64_t>(now.tv_sec) * 1'000'000'000 + static_cast<std::uint64_t>(now.tv_nsec);
}

// Without a system call, to 10 ms.
inline std::uint64_t about_now_ns() {
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC_COARSE, &now);
  return static_cast<std::uint64_t>(now.tv_sec) * 1'000'000'000 + static_cast<std::uint64_t>(now.tv_nsec);
}

// The clock on the wall; mostly without a system call (vdso(7)).
inline std::uint64_t now_ns() {
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC, &now);
  return static_cast<std::uint64_t>(now.tv_sec) * 1'000'000'000 + static_cast<std::uint64_t>(now.tv_nsec);
}

}  // namespace heddle::ipc
