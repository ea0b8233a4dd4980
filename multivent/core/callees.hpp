// What the loop remembers of a callback function: who it is to the constraints, and how long it usually runs.
//
// Looked up whenever a callback becomes due, so it is one probe of an open-addressed table; the slow question, which
// handler of the analysed program the address belongs to, is asked once per function.
//
// Every function needs the base's mutex.
#pragma once

#include <cstdint>
#include <deque>
#include <vector>

#include "base/clock.hpp"
#include "multivent/core/handler_registry.hpp"
#include "scheduler/invocation.hpp"

namespace heddle::multivent {

struct Callee {
  const void* function = nullptr;
  const Handler* handler = nullptr;  // null if nobody asked for names or constraints
  scheduler::ClassId klass = scheduler::kUnknownClass;
  bool exclusive = true;
  bool conflicts_with_itself = true;         // in any session
  bool conflicts_within_its_session = true;  // at least there
  base::Nanoseconds average_ns = 0;          // exponential moving average of its run times

  void ran_for(base::Nanoseconds duration_ns) { average_ns += (duration_ns - average_ns) / 8; }
  std::uintptr_t session_of(const void* argument) const { return handler ? handler->session_of(argument) : 0; }
  std::uint32_t index() const { return handler ? handler->index : scheduler::Invocation::kNone; }
};

class CalleeTable {
 public:
  CalleeTable() : slots_(64, nullptr) {}

  // `registry` may be null: then everybody is unknown.
  Callee& find(const void* function, HandlerRegistry* registry) {
    for (std::size_t i = hash(function);; ++i) {
      Callee* entry = slots_[i & (slots_.size() - 1)];
      if (entry == nullptr) return add(function, registry);
      if (entry->function == function) return *entry;
    }
  }

 private:
  static std::size_t hash(const void* function) {
    return static_cast<std::size_t>((reinterpret_cast<std::uintptr_t>(function) * 0x9e3779b97f4a7c15U) >> 20);
  }

  Callee& add(const void* function, HandlerRegistry* registry);
  void place(Callee& entry);

  std::deque<Callee> entries_;
  std::vector<Callee*> slots_;  // a power of two, at most half full
};

}  // namespace heddle::multivent
