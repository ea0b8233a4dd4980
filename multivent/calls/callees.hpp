// What the loop remembers of a callback function: who it is to the constraints, and whether it usually runs long.
//
// Looked up whenever a callback becomes due, so it is one probe of an open-addressed table; the slow question, which
// handler of the analysed program the address belongs to, is asked once per function.
//
// A call of libevent that may go on to one of several handlers (owners.hpp) has the constraints of all of them: the
// strongest verdict of any. Such sets are few, but only known while the program runs, so each base has a copy of the
// constraints, to which it adds a class per set.
//
// Every function needs the base's mutex.
#pragma once

#include <algorithm>
#include <cstdint>
#include <deque>
#include <map>
#include <utility>
#include <vector>

#include "base/clock.hpp"
#include "multivent/program/handler_registry.hpp"
#include "scheduler/admission/invocation.hpp"

namespace heddle::multivent {

// A call from this duration on is a long run. Unparking another thread costs 5 to 50 us, so it does not pay beside a
// shorter handler. A handler that counts as long also waits for one of the places, which others hold for many
// milliseconds; so a write to a socket, which takes up to 100 us on a busy machine, must not be a long run.
inline constexpr base::Nanoseconds kHeavy_ns = 200'000;
inline constexpr int kHeavyFrom = 9;

struct Callee {
  const void* function = nullptr;
  const Handler* handler = nullptr;  // null if nobody asked for names or constraints
  scheduler::ClassId klass = scheduler::kUnknownClass;
  bool exclusive = true;
  bool pinned = true;                        // only the thread that entered the loop may run it
  bool conflicts_with_itself = true;         // in any session
  bool conflicts_within_its_session = true;  // at least there
  bool waits_late = false;                   // may have to wait at a late point
  int long_runs = 0;                         // rises with every long run, falls with every short one

  // Predicted to run long if at least a quarter of its recent runs did. The mean would not do: a short handler that is
  // preempted once for milliseconds has a long mean for a thousand calls, another thread is woken beside each, preempts
  // it again, and so on.
  bool heavy() const { return long_runs >= kHeavyFrom; }
  void ran_for(base::Nanoseconds duration_ns) {
    long_runs = duration_ns > kHeavy_ns ? std::min(long_runs + 3, 2 * kHeavyFrom) : std::max(long_runs - 1, 0);
  }
  std::uintptr_t session_of(const void* argument) const { return handler ? handler->session_of(argument) : 0; }
  bool known() const { return handler != nullptr && handler->known; }
  std::uint32_t index() const { return handler ? handler->index : scheduler::Invocation::kNone; }
};

class CalleeTable {
 public:
  // `registry` may be null: then everybody is unknown.
  explicit CalleeTable(HandlerRegistry* registry);

  const scheduler::Constraints& constraints() const { return constraints_; }

  Callee& find(const void* function) {
    for (std::size_t i = hash(function);; ++i) {
      Callee* entry = slots_[i & (slots_.size() - 1)];
      if (entry == nullptr) return add(function);
      if (entry->function == function) return *entry;
    }
  }

  // Null if it was never asked for. Changes nothing, so that a signal handler may ask.
  const Callee* known(const void* function) const {
    for (std::size_t i = hash(function);; ++i) {
      const Callee* const entry = slots_[i & (slots_.size() - 1)];
      if (entry == nullptr || entry->function == function) return entry;
    }
  }

  // The callee of a call that may go on to any of `handlers`, each of them known to the constraints; its function and
  // figures are those of `first`. Where their sessions differ (`mixed`), a verdict `session` of one of them counts as
  // `always`. `pinned` if any of them is. Null if there are too many sets.
  Callee* find_any_of(const Callee& first, std::vector<scheduler::ClassId> handlers, bool mixed, bool pinned);

 private:
  using Classes = std::vector<scheduler::ClassId>;

  static std::size_t hash(const void* function) {
    return static_cast<std::size_t>((reinterpret_cast<std::uintptr_t>(function) * 0x9e3779b97f4a7c15U) >> 20);
  }

  Callee& add(const void* function);
  void place(Callee& entry);
  void set_class(Callee& entry, scheduler::ClassId klass) const;
  scheduler::ClassId class_of_any(const Classes& members, bool mixed);

  HandlerRegistry* const registry_;
  scheduler::Constraints constraints_;
  std::map<std::pair<Classes, bool>, scheduler::ClassId> sets_;
  std::map<std::pair<const Callee*, scheduler::ClassId>, Callee> any_of_;
  std::deque<Callee> entries_;
  std::vector<Callee*> slots_;  // a power of two, at most half full
};

}  // namespace heddle::multivent
