#include "multivent/core/callees.hpp"

namespace heddle::multivent {

Callee& CalleeTable::add(const void* function, HandlerRegistry* registry) {
  Callee& entry = entries_.emplace_back();
  entry.function = function;
  if (registry != nullptr) {
    entry.handler = &registry->find(reinterpret_cast<std::uintptr_t>(function));
    entry.klass = entry.handler->klass;
    const scheduler::Constraints& constraints = registry->constraints();
    const scheduler::Verdict with_itself = constraints.verdict(entry.klass, entry.klass);
    entry.exclusive = constraints.exclusive(entry.klass);
    entry.conflicts_with_itself = with_itself == scheduler::Verdict::kAlways;
    entry.conflicts_within_its_session = with_itself != scheduler::Verdict::kNever;
  }
  if (entries_.size() * 2 > slots_.size()) {
    slots_.assign(slots_.size() * 2, nullptr);
    for (Callee& other : entries_) place(other);
  } else {
    place(entry);
  }
  return entry;
}

void CalleeTable::place(Callee& entry) {
  std::size_t i = hash(entry.function);
  while (slots_[i & (slots_.size() - 1)] != nullptr) ++i;
  slots_[i & (slots_.size() - 1)] = &entry;
}

}  // namespace heddle::multivent
