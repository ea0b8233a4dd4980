#include "multivent/calls/callees.hpp"

namespace heddle::multivent {

namespace {

// A program that needs more sets of handlers than this probably makes new ones all the time; calls for further sets run
// alone.
constexpr std::size_t kMostSets = 512;

}  // namespace

CalleeTable::CalleeTable(HandlerRegistry* registry) : registry_(registry), slots_(64, nullptr) {
  if (registry == nullptr) return;
  constraints_ = registry->constraints();
}

void CalleeTable::set_class(Callee& entry, scheduler::ClassId klass) const {
  entry.klass = klass;
  const scheduler::Verdict with_itself = constraints_.starts(klass, klass);
  entry.exclusive = constraints_.exclusive(klass);
  entry.conflicts_with_itself = with_itself == scheduler::Verdict::kAlways;
  entry.conflicts_within_its_session = with_itself != scheduler::Verdict::kNever;
  entry.waits_late = constraints_.waits_late(klass);
}

Callee& CalleeTable::add(const void* function) {
  Callee& entry = entries_.emplace_back();
  entry.function = function;
  if (registry_ != nullptr) {
    entry.handler = &registry_->find(reinterpret_cast<std::uintptr_t>(function));
    set_class(entry, entry.handler->klass);
    entry.pinned = entry.handler->pinned;
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

Callee* CalleeTable::find_any_of(const Callee& first, Classes handlers, bool mixed, bool pinned) {
  std::sort(handlers.begin(), handlers.end());
  handlers.erase(std::unique(handlers.begin(), handlers.end()), handlers.end());
  const auto [set, fresh] = sets_.try_emplace({handlers, mixed}, scheduler::kUnknownClass);
  if (fresh) {
    if (sets_.size() > kMostSets) {
      sets_.erase(set);
      return nullptr;
    }
    set->second = class_of_any(handlers, mixed);
  }
  const auto [entry, is_new] = any_of_.try_emplace({&first, set->second});
  if (is_new) {
    entry->second.function = first.function;
    entry->second.handler = first.handler;
    set_class(entry->second, set->second);
    entry->second.pinned = pinned;
  }
  return &entry->second;
}

scheduler::ClassId CalleeTable::class_of_any(const Classes& members, bool mixed) {
  const scheduler::ClassId added =
      constraints_.add_class(registry_->constraints().name(members.front()) + " or others");
  // Earlier sets are classes like any other here: this rule has given them their verdicts.
  for (scheduler::ClassId other = 1; other <= added; ++other) {
    const auto strongest = [&](auto&& verdict) {
      scheduler::Verdict all = scheduler::Verdict::kNever;
      for (const scheduler::ClassId mine : members) {
        for (const scheduler::ClassId theirs : other == added ? members : Classes{other})
          all = std::max(all, verdict(mine, theirs));
      }
      return mixed && all == scheduler::Verdict::kSession ? scheduler::Verdict::kAlways : all;
    };
    constraints_.set(added, other,
                     strongest([&](auto mine, auto theirs) { return constraints_.verdict(mine, theirs); }));
    const auto starts = strongest([&](auto mine, auto theirs) { return constraints_.starts(mine, theirs); });
    const auto lets_start = strongest([&](auto mine, auto theirs) { return constraints_.starts(theirs, mine); });
    constraints_.set_starts(added, other, starts);
    constraints_.set_starts(other, added, lets_start);
  }
  return added;
}

}  // namespace heddle::multivent
