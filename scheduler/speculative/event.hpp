// An event that waits for its turn: a function, and whether it has effects that cannot be undone.
//
// An event may be run several times before it counts, so the function is called as const. What it keeps must be its
// own: objects that it shares with other events are cells (cell.hpp), and what it does outside of those is declared as
// exclusive, or deferred to its commit (transaction.hpp).
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <type_traits>
#include <utility>

namespace heddle::speculative {

template <class Sync>
class BasicTransaction;

enum class Effects : std::uint8_t {
  kNone,       // touches cells only; all else is deferred (Transaction::at_commit)
  kExclusive,  // acts on the world outside: begins when all events before it have committed, and runs once
};

template <class Sync>
class Event {
 public:
  explicit Event(Effects effects) : effects_(effects) {}
  virtual ~Event() = default;
  Event(const Event&) = delete;
  Event& operator=(const Event&) = delete;

  virtual void run(BasicTransaction<Sync>& transaction) const = 0;
  bool exclusive() const { return effects_ == Effects::kExclusive; }

 private:
  template <class S>
  friend class EventList;

  Event* next_ = nullptr;
  const Effects effects_;
};

template <class Sync, class Function>
std::unique_ptr<Event<Sync>> make_event(Function function, Effects effects) {
  static_assert(std::is_invocable_v<const Function&, BasicTransaction<Sync>&>,
                "an event may run again: a function that takes a Transaction& and is const (no mutable lambda)");
  class Made final : public Event<Sync> {
   public:
    Made(Function made, Effects with) : Event<Sync>(with), function_(std::move(made)) {}
    void run(BasicTransaction<Sync>& transaction) const override { function_(transaction); }

   private:
    const Function function_;
  };
  return std::make_unique<Made>(std::move(function), effects);
}

// A queue of events, linked through them: to move events between queues allocates nothing, and cannot fail.
template <class Sync>
class EventList {
 public:
  EventList() = default;
  ~EventList() { clear(); }
  EventList(const EventList&) = delete;
  EventList& operator=(const EventList&) = delete;

  bool empty() const { return first_ == nullptr; }
  const Event<Sync>* first() const { return first_; }
  static const Event<Sync>* after(const Event<Sync>& event) { return event.next_; }

  void push_back(std::unique_ptr<Event<Sync>> event) {
    Event<Sync>* const added = event.release();
    (last_ == nullptr ? first_ : last_->next_) = added;
    last_ = added;
  }

  // All of `other` behind this, or before this.
  void append(EventList& other) {
    if (other.empty()) return;
    (last_ == nullptr ? first_ : last_->next_) = other.first_;
    last_ = other.last_;
    other.first_ = other.last_ = nullptr;
  }
  void prepend(EventList& other) {
    other.append(*this);
    swap(other);
  }

  std::unique_ptr<Event<Sync>> pop_front() {
    Event<Sync>* const event = first_;
    first_ = event->next_;
    if (first_ == nullptr) last_ = nullptr;
    event->next_ = nullptr;
    return std::unique_ptr<Event<Sync>>(event);
  }

  // Its first events, `most` at most, are put behind `to`.
  void move_front(EventList& to, std::size_t most) {
    for (; most > 0 && !empty(); --most) to.push_back(pop_front());
  }

  void swap(EventList& other) {
    std::swap(first_, other.first_);
    std::swap(last_, other.last_);
  }

  void clear() {
    while (!empty()) pop_front();
  }

 private:
  Event<Sync>* first_ = nullptr;
  Event<Sync>* last_ = nullptr;
};

}  // namespace heddle::speculative
