// The same function in libevent, behind one of ours that the program and libevent itself call first.
#pragma once

#include <dlfcn.h>

#include <atomic>

#include "multivent/loop/library.hpp"
#include "multivent/process/runtime.hpp"

namespace heddle::multivent {

// A linker leaves out a library of which the program uses nothing. Since some functions of libevent are ours as well,
// it leaves out a part of libevent of which the program uses no others; then that part is loaded here.
inline void* from_a_part_that_was_left_out(const char* name) {
  for (const char* part : {"libevent_extra-2.1.so.7", "libevent_openssl-2.1.so.7"}) {
    void* const library = dlopen(part, RTLD_NOW | RTLD_GLOBAL);
    void* const found = library != nullptr ? dlsym(library, name) : nullptr;
    if (found != nullptr) return found;
  }
  return nullptr;
}

template <class Function>
Function* next_function(const char* name) {
  void* found = dlsym(RTLD_NEXT, name);
  if (found == nullptr) found = from_a_part_that_was_left_out(name);
  if (found == nullptr) library::fatal(1, "heddle: %s was called, but no libevent of the program has it", name);
  return reinterpret_cast<Function*>(found);
}

// The C library's own, whatever else of that name the program has; null if it has none.
template <class Function>
Function* of_the_c_library(const char* name) {
  void* const library = dlopen("libc.so.6", RTLD_NOW | RTLD_NOLOAD);
  return reinterpret_cast<Function*>(library != nullptr ? dlsym(library, name) : nullptr);
}

// Is it followed to whom calls belong (owners/owners.hpp)? Only constraints and figures need to know.
inline bool followed() { return Runtime::get().registry() != nullptr; }

template <class Function>
const void* address_of(Function* function) {
  return reinterpret_cast<const void*>(function);
}

}  // namespace heddle::multivent

// Looked up at the first call. Threads that look it up at once all find the same address, and it is that of code, which
// nobody writes: relaxed.
#define HEDDLE_NEXT(function)                                                           \
  ([] {                                                                                 \
    static std::atomic<decltype(&(function))> found{nullptr};                           \
    auto* function_found = found.load(std::memory_order_relaxed);                       \
    if (function_found == nullptr) {                                                    \
      function_found = heddle::multivent::next_function<decltype(function)>(#function); \
      found.store(function_found, std::memory_order_relaxed);                           \
    }                                                                                   \
    return function_found;                                                              \
  }())
