// Names for what is called in the loop and is no function of the program: functions of ours, for which dladdr() has
// only an offset, and what calls of libevent itself are counted as.
//
// Each is an object with static storage duration, made before main; all else reads only.
#pragma once

#include <cstdint>

namespace heddle::multivent {

class OwnFunction {
 public:
  // `is_judged`: its calls run beside others under constraints, though the document does not name it.
  OwnFunction(const void* function, const char* called, bool is_judged = false)
      : name(called), judged(is_judged), address_(reinterpret_cast<std::uintptr_t>(function)), next_(all_) {
    all_ = this;
  }
  OwnFunction(const OwnFunction&) = delete;
  OwnFunction& operator=(const OwnFunction&) = delete;

  static const OwnFunction* find(std::uintptr_t address) {
    const OwnFunction* found = all_;
    while (found != nullptr && found->address_ != address) found = found->next_;
    return found;
  }

  const char* const name;
  const bool judged;

 private:
  const std::uintptr_t address_;
  const OwnFunction* const next_;
  static inline const OwnFunction* all_ = nullptr;
};

// Stands for the address of a function that calls for connections of HTTP servers are counted as; nobody calls it.
const void* connections_of_evhttp();

}  // namespace heddle::multivent
