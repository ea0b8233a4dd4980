// The same function in libevent, behind one of ours that the program and libevent itself call first.
#pragma once

#include <dlfcn.h>

#include "multivent/core/library.hpp"

namespace heddle::multivent {

template <class Function>
Function* next_function(const char* name) {
  void* const found = dlsym(RTLD_NEXT, name);
  if (found == nullptr) library::fatal(1, "heddle: %s was called, but no libevent of the program has it", name);
  return reinterpret_cast<Function*>(found);
}

}  // namespace heddle::multivent

// Looked up at the first call.
#define HEDDLE_NEXT(function)                                                                   \
  ([] {                                                                                         \
    static auto* const found = heddle::multivent::next_function<decltype(function)>(#function); \
    return found;                                                                               \
  }())
