// An event loop whose events run at once, and which ends as if they had run one after the other.
//
// Events are taken from the queue in its order, several at a time, and run as transactions (transaction.hpp) by the
// workers of a pool. They commit in event order: what an event changed, spawned, deferred or threw comes about when all
// before it have done so, and not at all if one of them changed what it had seen; then it runs again. So the queue, the
// objects, the effects and the exception with which run() ends are those of a loop with one thread.
//
// A flight is one transaction with its events:
//   ready    to be run, for the first time or again
//   running  on a worker; maybe waiting there for its turn
//   done     run to the end; it commits when its turn has come
//   leaving  its writes are made, and its deferred effects are being called
//
// One flight has the turn: in event order the oldest one; in any order whichever had to have it, or none. Nobody else
// commits then. So who has the turn is not stopped any more, and nothing starves: an event that is stopped `most_stops`
// times runs again only when it has the turn. That is also where an event with exclusive effects begins.
//
// Speculation must cost little where it brings nothing. An event beside which there is nothing to run is run
// directly, without a transaction. Whether to speculate at all, and with how many events in a transaction, is found by
// measuring (tempo.hpp).
//
// Invariants, all under mutex_:
//   F1  in_flight_ is in event order, and all its events come before those of queue_.
//   F2  In event order exactly the oldest flight has the turn, unless effects of the one before are being called.
//   F3  While direct_ no other flight runs, and none is done.
//   F4  A worker that makes a flight ready does not wait before it has looked for one to run. As nobody waits for a
//       turn but behind one that is running, ready or done, some worker can always go on.
//
// Sync (base/sync.hpp) is replaceable, so that interleavings and memory orders can be explored.
#pragma once

#include <pthread.h>
#include <sched.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstddef>
#include <cstdio>
#include <exception>
#include <memory>
#include <new>
#include <utility>
#include <vector>

#include "base/assert.hpp"
#include "base/on_exit.hpp"
#include "scheduler/speculative/event.hpp"
#include "scheduler/speculative/options.hpp"
#include "scheduler/speculative/rules.hpp"
#include "scheduler/speculative/tempo.hpp"
#include "scheduler/speculative/transaction.hpp"
#include "scheduler/workers/pool.hpp"

namespace heddle::speculative {

template <class Sync>
class BasicLoop final : private Turns<Sync> {
 public:
  using Tx = BasicTransaction<Sync>;
  using Mutex = typename Sync::Mutex;
  using Lock = typename Sync::Lock;

  explicit BasicLoop(const Options& options = {})
      : options_(options),
        workers_(options.workers != 0 ? options.workers : cores()),
        tempo_(options.way, workers_, options.events_at_once),
        alone_(*this),
        pool_(mutex_, workers_ - 1) {
    const std::size_t window = options.window != 0 ? options.window : std::size_t{4} * workers_;
    in_flight_.reserve(window);
    idle_.reserve(window);
    for (std::size_t i = 0; i < window; ++i) {
      flights_.push_back(std::make_unique<Flight>(*this));
      idle_.push_back(flights_.back().get());
    }
  }

  BasicLoop(const BasicLoop&) = delete;
  BasicLoop& operator=(const BasicLoop&) = delete;

  // Puts an event behind all others. From any thread, also while the loop runs; an event calls spawn() of its
  // transaction instead, for this cannot be taken back.
  template <class Function>
  void post(Function function, Effects effects = Effects::kNone) {
    auto event = make_event<Sync>(std::move(function), effects);
    const Lock lock(mutex_);
    queue_.push_back(std::move(event));
    if (open_) get_help();
  }

  // Runs events until there are none. If one throws, those behind it are as if they had not begun, and the exception
  // comes out of here; another call goes on behind that event.
  void run() {
    Lock lock(mutex_);
    HEDDLE_ASSERT(!open_);
    open_ = true;
    over_ = false;
    tempo_.begin();
    {
      const auto entered = pool_.enter(caller_);
      while (!over_) {
        if (!work(lock) && !over_) pool_.park(lock, caller_);
      }
    }
    pool_.wait_until_all_are_parked(lock);
    open_ = false;
    const std::exception_ptr failure = std::exchange(failure_, nullptr);
    EventList<Sync> over_events;
    over_events.swap(over_events_);
    lock.unlock();
    over_events.clear();
    if (failure != nullptr) std::rethrow_exception(failure);
  }

  // From hold() to release() run() does not end though there are no events: something outside is going to post one.
  void hold() {
    const Lock lock(mutex_);
    ++held_;
  }
  void release() {
    const Lock lock(mutex_);
    HEDDLE_ASSERT(held_ > 0);
    --held_;
    if (held_ == 0 && open_) pool_.unpark(caller_);  // to find out whether it is over
  }

  Figures figures() {
    const Lock lock(mutex_);
    Figures figures = figures_;
    figures.switches = tempo_.switches();
    return figures;
  }

  unsigned workers() const { return workers_; }

 private:
  using Rules = RulesOf<Sync>;
  using Time = std::chrono::nanoseconds;
  using Worker = workers::Worker<Sync>;

  enum class State : std::uint8_t { kReady, kRunning, kDone, kLeaving };

  struct Flight final : Tx {
    explicit Flight(BasicLoop& loop) : Tx(loop) {}

    State state = State::kReady;
    EventList<Sync> events;
    unsigned ran = 0;              // of them, in this attempt
    Time waited{};                 // for its turn
    std::exception_ptr exception;  // of the last one that ran
    unsigned stops = 0;
    bool alone = false;               // it runs directly
    bool wants_turn = false;          // somebody waits for it, or it may not begin without
    typename Sync::Condition turned;  // its turn has come, or it has to stop
  };

  static unsigned cores() {
    cpu_set_t set;
    CPU_ZERO(&set);
    if (sched_getaffinity(0, sizeof set, &set) != 0) return 1;
    return std::max(1U, static_cast<unsigned>(CPU_COUNT(&set)));
  }

  bool in_order() const { return options_.order == Order::kEvents; }
  Time now() const { return tempo_.wants_times() ? Time(Sync::now()) : Time(); }

  // --- Who does what ---

  // Does one thing; false if there is none for this worker.
  bool work(Lock& lock) {
    if (failure_ != nullptr && running_ == 0 && !committing_ && !direct_) give_back_all();
    if (queue_.empty() && in_flight_.empty() && !direct_ && held_ == 0) finish();
    if (over_) return false;
    if (Flight* const flight = take()) {
      execute(lock, *flight);
    } else if (may_run_directly()) {
      run_queue_directly(lock);
    } else {
      return false;
    }
    return true;
  }

  void finish() {
    over_ = true;
    pool_.unpark(caller_);
  }

  // Somebody else is unparked if there is something for them.
  void get_help() {
    if (over_ || failure_ != nullptr || pool_.wake_in_flight() ||
        !(startable() != nullptr || may_begin_flight() || may_run_directly()))
      return;
    if (pool_.any_parked()) {
      pool_.unpark_one();
    } else if (pool_.hired() < std::min<std::size_t>(workers_ - 1, most_hired_)) {
      if (!pool_.hire([](unsigned number, auto body) { return start_thread(number, std::move(body)); },
                      [this](Lock& lock, Worker&) {
                        while (work(lock)) {
                        }
                      }))
        most_hired_ = pool_.hired();
    }
  }

  // The program's signals are for its own threads.
  template <class Body>
  static typename Sync::Thread start_thread(unsigned number, Body body) {
    sigset_t all;
    sigset_t before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    const base::OnExit put_back([&] { pthread_sigmask(SIG_SETMASK, &before, nullptr); });
    typename Sync::Thread thread(std::move(body));
    if constexpr (requires { thread.native_handle(); }) {
      char name[16];
      std::snprintf(name, sizeof name, "speculates-%u", number % 1000);
      pthread_setname_np(thread.native_handle(), name);
    }
    return thread;
  }

  Flight* take() {
    Flight* flight = startable();
    while (flight == nullptr && may_begin_flight()) flight = begin_flight();
    return flight;
  }

  // The oldest flight that can be run; null if there is none.
  Flight* startable() {
    if (direct_ || failure_ != nullptr) return nullptr;
    if (!in_order()) {
      for (Flight* const flight : in_flight_)
        if (flight->state == State::kReady && !may_start(*flight)) request_turn(*flight);
    }
    if (Flight* const flight = waits_to_be_alone()) {
      stop_others(*flight);
      return running_ == 0 && !committing_ ? flight : nullptr;
    }
    for (Flight* const flight : in_flight_)
      if (flight->state == State::kReady && may_start(*flight)) return flight;
    return nullptr;
  }

  Flight* waits_to_be_alone() const {
    const bool waits = turn_ != nullptr && turn_->alone && turn_->state == State::kReady;
    return waits && Rules::kAloneIsAlone ? turn_ : nullptr;
  }

  bool may_start(const Flight& flight) const { return has_turn(flight) || !needs_turn(flight); }
  bool needs_turn(const Flight& flight) const {
    return flight.alone || flight.stops >= options_.most_stops ||
           (Rules::kExclusiveWaits && flight.events.first()->exclusive());
  }

  bool may_begin_flight() const {
    if (direct_ || failure_ != nullptr || !tempo_.parallel() || queue_.empty() || idle_.empty()) return false;
    if (waits_to_be_alone() != nullptr) return false;
    return !(in_flight_.empty() && EventList<Sync>::after(*queue_.first()) == nullptr);
  }

  Flight* begin_flight() {
    Flight& flight = *idle_.back();
    idle_.pop_back();
    const unsigned most = tempo_.events_at_once();
    // An event with exclusive effects has a flight of its own: those before it need not wait for its turn, and if those
    // behind it have to run again it must not.
    const bool exclusive = queue_.first()->exclusive();
    for (unsigned i = 0; i < (exclusive ? 1 : most) && !queue_.empty(); ++i) {
      if (i > 0 && queue_.first()->exclusive()) break;
      flight.events.push_back(queue_.pop_front());
    }
    flight.state = State::kReady;
    flight.stops = 0;
    flight.alone = flight.wants_turn = false;
    in_flight_.push_back(&flight);
    if (in_order() && in_flight_.size() == 1) give_turn(flight);
    tempo_.start(true, now());
    return may_start(flight) ? &flight : startable();
  }

  bool may_run_directly() const {
    if (direct_ || failure_ != nullptr || queue_.empty() || !in_flight_.empty()) return false;
    return !may_begin_flight();
  }

  // --- Running ---

  void execute(Lock& lock, Flight& flight) {
    flight.state = State::kRunning;
    ++running_;
    if (flight.alone) {
      ++figures_.alone;
      direct_ = true;
      run_events_directly(lock, flight.events);
      direct_ = false;
      --running_;
      retire_events(flight);
      return;
    }
    get_help();
    EventList<Sync> over_events;  // destroyed without the mutex
    over_events.swap(over_events_);
    Tx& transaction = flight;
    transaction.begin(false, in_order());
    transaction.final_ = flight.events.first()->exclusive();
    const Time began = now();
    lock.unlock();
    over_events.clear();
    flight.ran = 0;
    flight.waited = {};
    flight.exception = nullptr;
    bool stopped = false;
    bool wants_alone = false;
    for (const Event<Sync>* event = flight.events.first(); event != nullptr; event = flight.events.after(*event)) {
      try {
        event->run(transaction);
        ++flight.ran;
        // Effects come before the next event, and what has had some does not run again with it.
        if (!transaction.effects_.empty() || transaction.final_) break;
        continue;
      } catch (const typename Tx::Stopped&) {
        stopped = true;
      } catch (const std::bad_alloc&) {
        // Maybe a serial program would have had the memory.
        if (!transaction.final_) {
          stopped = wants_alone = true;
        } else {
          flight.exception = std::current_exception();
        }
      } catch (...) {
        flight.exception = std::current_exception();
      }
      if (flight.exception != nullptr) ++flight.ran;
      break;
    }
    lock.lock();
    --running_;
    if (tempo_.wants_times() && flight.ran > 0) tempo_.ran(flight.ran, now() - began - flight.waited);
    wants_alone = wants_alone || transaction.wants_alone_;  // which the event may have caught
    flight.alone = flight.alone || wants_alone;
    if (stopped || wants_alone || (Rules::kChecksAtEnd && transaction.invalid_.read())) {
      stop(flight);
    } else {
      flight.state = State::kDone;
    }
    commit_what_can(lock);
  }

  void stop(Flight& flight) {
    ++figures_.stopped;
    ++flight.stops;
    flight.reset();
    flight.exception = nullptr;
    flight.state = State::kReady;
  }

  // Runs events of the queue as a loop with one thread does.
  void run_queue_directly(Lock& lock) {
    direct_ = true;
    EventList<Sync> events;
    queue_.move_front(events, tempo_.events_at_once());
    tempo_.start(false, now());
    const Time began = now();
    const std::uint64_t before = figures_.events;
    run_events_directly(lock, events);
    direct_ = false;
    const auto ran = static_cast<unsigned>(figures_.events - before);
    if (tempo_.wants_times()) tempo_.ran(ran, now() - began);
    tempo_.committed(false, ran, now());
    queue_.prepend(events);  // behind one that threw
  }

  // Nobody runs beside it. Leaves the events behind one that throws.
  void run_events_directly(Lock& lock, EventList<Sync>& events) {
    alone_.begin(true, in_order());
    lock.unlock();
    std::uint64_t ran = 0;
    std::exception_ptr exception;
    while (!events.empty() && exception == nullptr) {
      const std::unique_ptr<Event<Sync>> event = events.pop_front();
      ++ran;
      if (event->exclusive()) queue_spawned();
      try {
        event->run(alone_);
      } catch (...) {
        exception = std::current_exception();
      }
      if (alone_.effects_.empty()) continue;
      queue_spawned();
      call_effects(alone_, exception);
    }
    lock.lock();
    figures_.events += ran;
    figures_.direct += ran;
    queue_.append(alone_.spawned_);
    if (exception != nullptr) failure_ = exception;
  }

  // What events have spawned that ran directly comes before what later ones post.
  void queue_spawned() {
    const Lock lock(mutex_);
    queue_.append(alone_.spawned_);
  }

  // Of an event that has ended; `exception` is what it threw, or what one of them throws.
  static void call_effects(Tx& transaction, std::exception_ptr& exception) {
    std::vector<std::function<void()>> effects;
    effects.swap(transaction.effects_);
    try {
      for (const auto& effect : effects) effect();
    } catch (...) {
      if (exception == nullptr) exception = std::current_exception();
    }
  }

  // --- Committing ---

  void commit_what_can(Lock& lock) {
    if (committing_) return;  // who does goes on until it finds nobody
    committing_ = true;
    while (Flight* const flight = next_to_commit()) commit(lock, *flight);
    committing_ = false;
    if (!in_order()) give_turn_to_who_wants();
  }

  Flight* next_to_commit() {
    if (failure_ != nullptr) return nullptr;
    for (Flight* const flight : in_flight_) {
      const bool blocked = in_order() ? Rules::kWaitsForTurn && !has_turn(*flight) : turn_of_another(*flight);
      if (flight->state == State::kDone && !blocked) return flight;
    }
    return nullptr;
  }

  bool turn_of_another(const Flight& flight) const {
    return Rules::kTurnExcludesCommits && turn_ != nullptr && turn_ != &flight;
  }

  void commit(Lock& lock, Flight& flight) {
    Tx& transaction = flight;
    try {
      transaction.prepare();
    } catch (...) {
      if (!transaction.final_) {
        flight.alone = true;
        stop(flight);
        if (!in_order()) request_turn(flight);
        return;
      }
      if (flight.exception == nullptr) flight.exception = std::current_exception();
    }
    write(flight);
    ++figures_.commits;
    figures_.events += flight.ran;
    queue_.append(transaction.spawned_);
    if (!transaction.effects_.empty()) {
      flight.state = State::kLeaving;
      if (!Rules::kTurnAfterEffects) pass_turn(flight);
      lock.unlock();
      call_effects(transaction, flight.exception);
      lock.lock();
    }
    if (flight.exception != nullptr && Rules::kExceptionStopsLater) {
      failure_ = flight.exception;
      stop_others(flight);
    }
    tempo_.committed(true, flight.ran, now());
    flight.events.move_front(over_events_, flight.ran);
    retire_events(flight);
  }

  // Stops who has read what this one writes, and writes it. All others are kept from reading meanwhile: their mutexes
  // are taken in one order, whatever that of the flights is.
  void write(Flight& flight) {
    for (const auto& other : flights_)
      if (other.get() != &flight && Rules::kReadsExcludeCommits) other->mutex_.lock();
    for (Flight* const other : in_flight_) {
      const bool counts = other->state == State::kRunning || other->state == State::kDone;
      if (other == &flight || !counts || other->invalid_.read() || !Rules::kInvalidates) continue;
      if (other->reads_what(flight)) invalidate(*other);
    }
    flight.apply(figures_.commits + 1);
    for (const auto& other : flights_)
      if (other.get() != &flight && Rules::kReadsExcludeCommits) other->mutex_.unlock();
    for (Flight* const other : in_flight_)
      if (other->state == State::kDone && other->invalid_.read()) stop(*other);
  }

  // Once only: it reads that without a mutex when it knows that it has to stop.
  void invalidate(Flight& flight) {
    flight.invalid_.write() = true;
    flight.turned.notify_one();
  }

  // Its first events are over; it goes on with those that are left, or makes place.
  void retire_events(Flight& flight) {
    flight.reset();
    flight.exception = nullptr;
    flight.state = State::kReady;
    flight.alone = false;
    flight.stops = 0;
    if (!flight.events.empty()) return;
    std::erase(in_flight_, &flight);
    pass_turn(flight);
    idle_.push_back(&flight);
  }

  // --- Turns ---

  bool has_turn(const Flight& flight) const { return turn_ == &flight; }

  void give_turn(Flight& flight) {
    turn_ = &flight;
    flight.turn_.store(true, std::memory_order_release);  // with has_turn()'s acquire
    flight.turned.notify_one();
  }

  void pass_turn(Flight& flight) {
    if (has_turn(flight)) turn_ = nullptr;
    flight.turn_.store(false, std::memory_order_relaxed);
    if (!in_order()) {
      give_turn_to_who_wants();
    } else if (turn_ == nullptr) {
      const auto next = std::find_if(in_flight_.begin(), in_flight_.end(), [&](Flight* one) { return one != &flight; });
      if (next != in_flight_.end()) give_turn(**next);
    }
  }

  void request_turn(Flight& flight) {
    flight.wants_turn = true;
    if (!committing_) give_turn_to_who_wants();
  }

  void give_turn_to_who_wants() {
    for (Flight* const flight : in_flight_) {
      if (turn_ != nullptr) return;
      if (flight->wants_turn && !flight->invalid_.read()) give_turn(*flight);
    }
  }

  void wait_for_turn(Tx& transaction) override {
    Flight& flight = static_cast<Flight&>(transaction);
    const Time began = Sync::now();
    for (int spins = 0; in_order() && spins < Sync::kMostSpins && !transaction.has_turn(); ++spins) {
      if (spins % Sync::kSpinsPerLookAtClock == 0 && Sync::now() - began > Sync::kSpinTime) break;
      Sync::relax();
    }
    Lock lock(mutex_);
    ++figures_.waited;
    if (!in_order()) request_turn(flight);
    while (!has_turn(flight) && !transaction.invalid_.read() && failure_ == nullptr) flight.turned.wait(lock);
    flight.waited += Sync::now() - began;
    if (failure_ != nullptr) throw typename Tx::Stopped();
  }

  // --- Others go ---

  // What runs beside `flight`, or has, is forgotten.
  void stop_others(Flight& flight) {
    for (Flight* const other : in_flight_) {
      if (other == &flight) continue;
      if (other->state == State::kDone) stop(*other);
      if (other->state == State::kRunning && !other->invalid_.read()) {
        const Lock reads(other->mutex_);
        invalidate(*other);
      }
    }
  }

  // An event has thrown: those behind it are put back, as if they had not begun.
  void give_back_all() {
    EventList<Sync> events;
    for (Flight* const flight : in_flight_) {
      if (flight->state == State::kDone) stop(*flight);
      events.append(flight->events);
      flight->reset();
      flight->turn_.store(false, std::memory_order_relaxed);
      idle_.push_back(flight);
    }
    in_flight_.clear();
    turn_ = nullptr;
    queue_.prepend(events);
    finish();
  }

  const Options options_;
  const unsigned workers_;
  Mutex mutex_;  // guards all that follows, and the flights but for what their threads use while they run
  EventList<Sync> queue_;
  std::vector<std::unique_ptr<Flight>> flights_;
  std::vector<Flight*> in_flight_;
  std::vector<Flight*> idle_;
  EventList<Sync> over_events_;                            // have committed
  Flight* turn_ = nullptr;                                 // who has it
  unsigned running_ = 0;                                   // flights in that state
  bool direct_ = false;                                    // events run without a transaction
  bool committing_ = false;                                // a worker is in commit_what_can()
  unsigned held_ = 0;                                      // hold() without release()
  bool open_ = false;                                      // run() has begun, and not ended
  bool over_ = true;                                       // it is to end
  std::exception_ptr failure_;                             // what it is to end with: no other event is run
  std::size_t most_hired_ = static_cast<std::size_t>(-1);  // no more threads can be made
  Tempo tempo_;
  Figures figures_;
  Tx alone_;  // of events that run directly
  Worker caller_;
  workers::Pool<Sync, Worker> pool_;
};

}  // namespace heddle::speculative
