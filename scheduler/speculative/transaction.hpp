// One attempt to run an event, or several in a row, so that nobody sees any of it before it counts.
//
// An event of a program that was written for one thread touches few objects, and mostly others than its neighbours do.
// So events run at once, each as if it were alone, and commit one after the other. What a transaction has read is known
// to all; who commits compares what it writes with that, and stops those that have seen old values (commit-time
// invalidation: Gottschlich, Vachharajani, Siek, CGO 2010; for events: Sheremetyev, Oxford 2011, section 5.6). Unlike
// there the sets are exact, the one that is next in event order is never stopped, and it commits at once.
//
// Opacity, also of a transaction that will be stopped: it never sees values of two different moments. A read takes the
// transaction's own mutex, and a commit takes those of all others, from its look at their sets until it has written; so
// a read is before all of a commit or behind it, and behind it the transaction knows whether it has to stop. It stops
// by an exception that no type names. If a function catches that with `catch (...)`, its next read throws once more,
// and what it did is forgotten all the same. Destructors, and functions that are noexcept, must not read.
//
// The transaction whose turn it is can be stopped by nobody. It reads without a mutex and without keeping a set, and
// what it does to objects that it has not seen fails where it is asked for, as in a serial program.
//
// An event that nobody runs beside needs none of this: then the transaction is `direct`, and reads and writes in place.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <utility>
#include <vector>

#include "base/on_exit.hpp"
#include "scheduler/speculative/address_map.hpp"
#include "scheduler/speculative/event.hpp"
#include "scheduler/speculative/object.hpp"
#include "scheduler/speculative/rules.hpp"

namespace heddle::speculative {

// Where a transaction waits until it is the one that commits next.
template <class Sync>
class Turns {
 public:
  virtual void wait_for_turn(BasicTransaction<Sync>& transaction) = 0;

 protected:
  Turns() = default;
  ~Turns() = default;
};

template <class Sync>
class BasicTransaction {
 public:
  explicit BasicTransaction(Turns<Sync>& turns) : turns_(turns) {}
  BasicTransaction(const BasicTransaction&) = delete;
  BasicTransaction& operator=(const BasicTransaction&) = delete;

  // --- For events ---

  // Puts an event behind all others, as a loop's queue does.
  template <class Function>
  void spawn(Function function, Effects effects = Effects::kNone) {
    spawned_.push_back(make_event<Sync>(std::move(function), effects));
  }

  // An effect on the world outside that may wait: it is called once, when the event has ended and counts, before the
  // next event commits. It may not touch cells; an exception out of it is one of the event. Arguments are copied now.
  void at_commit(std::function<void()> effect) { effects_.push_back(std::move(effect)); }

  // From here on the event acts on the world outside: returns when all events before it have committed. It will not run
  // again.
  void exclusive() {
    if (direct_) return;
    take_turn();
    catch_up([this] { prepare(); });
    final_ = true;
  }

  // --- For objects ---

  // It reads and writes in place.
  bool direct() const { return direct_; }
  // Nobody else will commit before it: what it reads stays so.
  bool has_turn() const { return turn_.load(std::memory_order_acquire); }  // with give_turn()'s release

  // read(), at a moment at which `object` does not change, and has not since this transaction last saw it.
  template <class Read>
  decltype(auto) look(const Object<Sync>& object, Read read) {
    if (direct_) return read();
    if (!has_turn()) {
      Lock lock = Rules::kReadsExcludeCommits ? Lock(mutex_) : Lock();
      stop_if_it_has_to();
      if (!object.hot() || !turns_are_in_order_ || reads_.contains(&object)) {
        catch_up([&] { reads_.insert(&object, 0); });
        return read();
      }
      waited_for_ = &object;
      unchanged_since_ = object.changed();
    }
    take_turn();
    return read();
  }

  // What it will write to `object`; null if nothing yet.
  template <class W>
  W* own(const Object<Sync>& object) {
    const std::size_t* const at = written_.find(&object);
    return at == nullptr ? nullptr : static_cast<W*>(writes_[*at].get());
  }

  // The same, made where there is none.
  template <class W, class O>
  W& own_or_new(O& object) {
    if (W* const write = own<W>(object)) return *write;
    catch_up([&] {
      if (writes_.size() == writes_.capacity()) writes_.reserve(2 * writes_.size() + 4);
      auto write = std::make_unique<W>(object);
      written_.insert(&object, writes_.size());
      writes_.push_back(std::move(write));
    });
    return static_cast<W&>(*writes_.back());
  }

  // Does work() that a serial program would have done earlier, or not at all. Where it fails, a serial program would
  // have failed elsewhere, or not at all; so the event is run as one.
  template <class Work>
  void catch_up(Work work) {
    try {
      work();
    } catch (const Stopped&) {
      throw;
    } catch (...) {
      if (final_) throw;
      stop_for_alone();
    }
  }

 private:
  template <class S>
  friend class BasicLoop;
  using Rules = RulesOf<Sync>;
  using Lock = typename Sync::Lock;
  struct Stopped {};

  // Again, if the event has caught it.
  void stop_if_it_has_to() const {
    if (wants_alone_ || (Rules::kStopsAtNextRead && invalid_.read())) throw Stopped();
  }

  // Stops, and asks to run with nobody beside: a serial program would not have failed here.
  [[noreturn]] void stop_for_alone() {
    wants_alone_ = true;
    throw Stopped();
  }

  void take_turn() {
    if (!has_turn()) turns_.wait_for_turn(*this);
    stop_if_it_has_to();
  }

  // --- For the loop ---

  // By the thread that will run it, with nobody else beside it.
  void begin(bool direct, bool turns_are_in_order) {
    direct_ = direct;
    turns_are_in_order_ = turns_are_in_order;
  }

  // By whoever commits, with `mutex_`: whether it has read something that `other` writes. Such objects get hotter.
  bool reads_what(const BasicTransaction& other) const {
    bool conflict = false;
    for (const auto& write : other.writes_) {
      if (!reads_.contains(&write->object())) continue;
      conflict = true;
      write->object().heat();
    }
    return conflict;
  }

  void prepare() {
    for (const auto& write : writes_) write->prepare();
  }

  void apply(std::uint64_t commit) {
    if (waited_for_ != nullptr && waited_for_->changed() == unchanged_since_)
      const_cast<Object<Sync>*>(waited_for_)->cool();
    for (const auto& write : writes_) {
      write->apply();
      write->object().note_changed(commit);
    }
  }

  // Forgets all but whether it is its turn.
  void reset() {
    reads_.clear();
    writes_.clear();
    written_.clear();
    if (Rules::kForgetsSpawned) {
      spawned_.clear();
      effects_.clear();
    }
    invalid_.write() = false;
    wants_alone_ = final_ = false;
    waited_for_ = nullptr;
  }

  Turns<Sync>& turns_;
  typename Sync::Mutex mutex_;
  // Written by its thread with mutex_; read by that, and with mutex_ by whoever commits.
  AddressMap reads_;
  // Written by whoever commits, with mutex_ and the loop's. Read with either, or by the one whose turn it is: nobody
  // commits beside that.
  typename Sync::template Plain<bool> invalid_{false};
  // Written by whoever gives turns, with the loop's mutex.
  typename Sync::template Atomic<bool> turn_{false};

  // Used by its thread while it runs; between that, by whoever has the loop's mutex.
  bool direct_ = false;
  bool turns_are_in_order_ = true;
  bool wants_alone_ = false;
  bool final_ = false;  // it has had effects, so it may not run again
  const Object<Sync>* waited_for_ = nullptr;
  std::uint64_t unchanged_since_ = 0;
  std::vector<std::unique_ptr<Write<Sync>>> writes_;
  AddressMap written_;  // index in writes_
  EventList<Sync> spawned_;
  std::vector<std::function<void()>> effects_;
};

}  // namespace heddle::speculative
