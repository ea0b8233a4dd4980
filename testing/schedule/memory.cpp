#include "testing/schedule/memory.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include "testing/schedule/engine.hpp"

namespace heddle::schedule {
namespace {

constexpr std::size_t kWindow = 8;  // how many stores back a load may read
// One load in this many, of those that may read more than one store, reads any of them; the others read the last.
constexpr std::uint64_t kStaleOdds = 3;

bool acquires(std::memory_order order) {
  return order == std::memory_order_acquire || order == std::memory_order_acq_rel || order == std::memory_order_seq_cst;
}

bool releases(std::memory_order order) {
  return order == std::memory_order_release || order == std::memory_order_acq_rel || order == std::memory_order_seq_cst;
}

VectorClock& clock() { return Engine::current().clock(); }

Event next_event() { return clock().advance(Engine::current().calling_task()); }

}  // namespace

void VectorClock::join(const VectorClock& other) {
  if (counts_.size() < other.counts_.size()) counts_.resize(other.counts_.size());
  for (std::size_t i = 0; i < other.counts_.size(); ++i) counts_[i] = std::max(counts_[i], other.counts_[i]);
}

Event VectorClock::advance(std::size_t task) {
  if (counts_.size() <= task) counts_.resize(task + 1);
  return {task, ++counts_[task]};
}

AtomicHistory::AtomicHistory() { append(std::memory_order_relaxed, {}); }

std::size_t AtomicHistory::load(std::memory_order order) const {
  Engine::current().step("loads");
  const std::size_t oldest = oldest_visible(order);
  std::size_t store = last();
  if (oldest != store && Engine::current().choose(kStaleOdds) == 0)
    store = oldest + Engine::current().choose(store - oldest + 1);
  read(store, order);
  return store;
}

void AtomicHistory::store(std::memory_order order) {
  Engine::current().step("stores");
  append(order, {});
}

void AtomicHistory::change(std::memory_order order) {
  const VectorClock passed_on = stores_.back().released;
  if (acquires(order)) clock().join(passed_on);
  append(order, passed_on);
}

std::size_t AtomicHistory::oldest_visible(std::memory_order order) const {
  const VectorClock& known = clock();
  if (!known.knows(stores_.front().event))
    fail("an atomic is used though nothing orders this after its initialisation");
  std::size_t oldest = order == std::memory_order_seq_cst ? last_seq_cst_ : 0;
  for (const std::vector<Sight>& of_task : sights_) {
    const auto sight = std::find_if(of_task.rbegin(), of_task.rend(),
                                    [&known](const Sight& candidate) { return known.knows(candidate.event); });
    if (sight != of_task.rend()) oldest = std::max(oldest, sight->store);
  }
  return std::max(oldest, last() - std::min(last(), kWindow - 1));
}

void AtomicHistory::read(std::size_t store, std::memory_order order) const {
  if (acquires(order)) clock().join(stores_[store].released);
  if (order == std::memory_order_seq_cst) last_seq_cst_ = std::max(last_seq_cst_, store);
  saw(next_event(), store);
}

void AtomicHistory::check_guarded() const {
  const Event& last_store = stores_.back().event;
  if (!clock().knows(last_store))
    fail("race: a guarded load of an atomic beside a store of thread " + std::to_string(last_store.task));
}

void AtomicHistory::append(std::memory_order order, VectorClock released) {
  const Event event = next_event();
  if (releases(order)) released.join(clock());
  stores_.push_back({event, std::move(released)});
  if (order == std::memory_order_seq_cst) last_seq_cst_ = last();
  saw(event, last());
}

void AtomicHistory::saw(const Event& event, std::size_t store) const {
  if (sights_.size() <= event.task) sights_.resize(event.task + 1);
  std::vector<Sight>& mine = sights_[event.task];
  if (mine.empty() || mine.back().store < store) mine.push_back({event, store});
}

PlainHistory::PlainHistory() : last_write_(next_event()) {}

void PlainHistory::read() const {
  check(last_write_, "a read of plain data beside a write");
  const Event event = next_event();
  const auto mine = std::find_if(reads_.begin(), reads_.end(), [&](const Event& e) { return e.task == event.task; });
  if (mine == reads_.end()) {
    reads_.push_back(event);
  } else {
    *mine = event;
  }
}

void PlainHistory::write() {
  check(last_write_, "a write of plain data beside a write");
  for (const Event& read : reads_) check(read, "a write of plain data beside a read");
  reads_.clear();
  last_write_ = next_event();
}

void PlainHistory::check(const Event& earlier, const char* what) const {
  if (!clock().knows(earlier)) fail(std::string("race: ") + what + " of thread " + std::to_string(earlier.task));
}

}  // namespace heddle::schedule
