// How several threads share one event loop.
//
// An event loop that hands each event to another thread pays two context switches per event and loses what is in the
// cache; one that never does wastes all cores but one. Here the thread that polls runs the handlers itself (leader and
// followers: Schmidt et al., Pattern-Oriented Software Architecture 2, 2000), and another thread is woken only when
// work or polling would otherwise wait for a handler that is predicted to run long. Nothing is queued between threads.
//
// A session is one call of run() by the program's own thread, the caller; it is a member of the crew as good as the
// pool threads. Each member, while a session is open, is in one of these places:
//   searching  has the mutex and looks for the next thing to do
//   running    in a handler
//   polling    in Host::poll(), at most one at a time
//   listening  beside others that lead or poll, for a moment, where several may lead
//   asleep     on the stack of sleepers, the last one in is the first one out
// At most one wake-up is in flight: the one that is woken wakes the next if there is more to do.
//
// Invariants, all under the host's mutex:
//   I1  If something can start, then a member is searching or listening, or a wake-up or kick is in flight, or a member
//       runs a handler that is not known to be long, and will search when it returns or be found out by the watchdog.
//   I2  If nothing can start and events are waited for, somebody polls, or the same holds; or the last few polls beside
//       long handlers found nothing that could start beside them, and the next tick of the watchdog tries again.
//   I3  At most as many handlers run that are predicted, or were found, to be long, as there are places: a fixed
//       number, or one that the watchdog finds (crew_size.hpp). There is one member more, to poll and to run short
//       ones.
//   I4  A member goes to sleep only if it found nothing, and makes the poller return if it waits for too long.
//
// The watchdog covers wrong predictions: a thread that ticks while handlers run, and counts those as heavy that are
// late, so that they do not lead any more. A handler that outlives a tick is suspect; it is late once it has computed
// for half a tick more, or has outlived several, in which case it is blocked. One that was merely preempted must not
// count: it gains nothing from another thread that wants the same processor. A tick without a suspect takes no lock, so
// that it never makes a handler wait. Ticks get rarer while nobody is found late who was not known to be
// long, and stop when nothing has run for a while; a handler then pays one test of a flag to wake the watchdog.
//
// Where the loop is given more short handlers than one thread can run, several members lead (crew_leaders.hpp). They
// share what a poll finds, and the last of them to find nothing more polls again: nobody polls beside a short handler,
// whose descriptor would be reported once more.
//
// The crew knows no I/O and no events. Its host supplies, all with the mutex held:
//   Invocation* take(bool allow_heavy)   the next that may start, now running; null if there is none
//   void run(Lock&, Invocation&)         makes the call without the mutex, and completes it, however it is left
//   void poll(Lock&)                     gathers what is due without the mutex; blocks if there is nothing to do
//   bool may_poll()                      polling makes sense now
//   bool poll_outdated()                 the poller, if it is blocked, would return too late for what is known now
//   void kick()                          makes a blocked poll return soon; also if it is only about to block
//   bool has_work(bool allow_heavy)      false only if take() would return null
//   bool exclusive(const Invocation&)    nothing can run beside it
//   bool finished()                      the session is over: nothing more is to be started
//   void falls_asleep()                  optional: this thread looks no further, what it knew of the time gets old
//   void resized(unsigned places)        optional: the number of places has changed
//   Thread start_thread<Thread>(n, f)    a thread that runs f(): the n-th of the pool, from 1; 0 is the watchdog
// Sync (base/sync.hpp) is replaceable, so that interleavings can be explored.
#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>
#include <memory>
#include <tuple>
#include <utility>
#include <vector>

#include "base/assert.hpp"
#include "base/on_exit.hpp"
#include "scheduler/crew_leaders.hpp"
#include "scheduler/crew_member.hpp"
#include "scheduler/crew_options.hpp"
#include "scheduler/crew_size.hpp"
#include "scheduler/invocation.hpp"

namespace heddle::scheduler {

template <class Sync, class Host>
class Crew {
 public:
  using Mutex = typename Sync::Mutex;
  using Lock = typename Sync::Lock;

  // `mutex` is the host's, and guards everything here.
  Crew(Mutex& mutex, Host& host, const CrewOptions& options)
      : mutex_(mutex),
        host_(host),
        options_(options),
        size_(options.handlers_at_once, options.most_handlers_at_once),
        leaders_(adaptive() ? options.handlers_at_once : 1,
                 options.promotion == Promotion::kShared ? options.handlers_at_once : 1) {
    pool_.reserve(size_.most());
  }

  // Not while a session is open.
  ~Crew() { shut_down(); }

  Crew(const Crew&) = delete;
  Crew& operator=(const Crew&) = delete;

  // One session. Returns when the host has finished and no other member is in a handler or polls. `alone`: nobody helps
  // the caller. If a handler that the caller runs is left by an exception, that passes when the others have come out.
  void run(Lock& lock, bool alone = false) {
    stopping_ = false;
    open_ = true;
    alone_ = alone;
    caller_.number = 0;
    const base::OnExit close([&] {
      stopping_ = true;
      if (polling()) kick();
      while (awake_ > 0) last_one_out_.wait(lock);
      open_ = false;
    });
    work(lock, caller_);
  }

  // The host learned of work, or of an earlier time to poll until, from a handler or a thread outside the crew.
  void work_came_up() {
    if (!open_ || stopping_) return;
    tell_listeners();
    if (someone_leads()) return;
    if (host_.finished()) {
      stop();
    } else {
      see_to_it();
    }
  }

  // The handler that this thread runs is about to wait at a late point: somebody else searches and polls meanwhile.
  void handler_waits() {
    Member* const me = current();
    if (me == nullptr || !me->in_handler() || me->heavy) return;
    count_as_heavy(*me);
    if (stopping_ || someone_leads()) return;
    probe_ = !polling();
    see_to_it();
  }

  // In the child after fork(): of all members only the one that this thread is, if any, exists.
  void after_fork_in_child(bool from_member) {
    Member* const me = from_member ? current() : nullptr;
    // What belongs to threads that do not exist can be neither joined nor destroyed.
    static_cast<void>(new std::vector<std::unique_ptr<Pooled>>(std::move(pool_)));
    static_cast<void>(watchdog_.release());
    pool_.clear();
    pool_.reserve(size_.most());
    hired_.store(0, std::memory_order_relaxed);
    sleepers_.clear();
    watchdog_asleep_ = false;
    polling_.store(false, std::memory_order_relaxed);
    kicked_ = wake_in_flight_ = false;
    listening_ = 0;
    leaders_.idle();
    heavy_ = me != nullptr && me->heavy ? 1 : 0;
    leading_ = me != nullptr && me->in_handler() && !me->heavy ? 1 : 0;
    awake_ = 0;
    open_ = me != nullptr;
    if (me != nullptr) me->probe = Sync::ThreadProbe::of_this_thread();
    caller_is_lost_ = me != nullptr && me != &caller_;
    if (caller_is_lost_) awake_ = 1;
  }

  // True in a forked child whose only thread was a pool thread: nobody can return from run().
  bool caller_is_lost() const { return caller_is_lost_; }

  bool someone_polls() const { return polling(); }
  unsigned this_member() const { return current() != nullptr ? current()->number : 0; }

 private:
  static constexpr unsigned kFruitlessPolls = 4;
  // The watchdog's wake-ups cost 20 to 40 us each on virtual machines. After this many ticks without a late handler it
  // ticks half as often, after twice as many a third, down to the slowest.
  static constexpr unsigned kCalmTicks = 64;
  static constexpr unsigned kSlowestTick = 4;
  // A suspect that has not computed after so many more ticks is asked whether it waits for a processor.
  static constexpr unsigned kBlockedAfter = 4;
  static constexpr unsigned kWindowTicks = 4;  // of one look at how many lead

  using Member = CrewMember<Sync>;
  struct Pooled {
    Member member;
    typename Sync::Thread thread;
  };
  struct Watchdog {
    Mutex mutex;  // guards `stop`; held while it waits for a tick, so that no handler meets it on the host's
    typename Sync::Condition tick;
    bool stop = false;
    typename Sync::Condition wake;  // from sleep, with the host's mutex
    std::vector<std::tuple<Member*, std::uint64_t, typename Sync::ThreadProbe>> looked_at;  // its own
    struct {
      std::chrono::nanoseconds at{};
      std::uint64_t runs = 0;
      std::chrono::nanoseconds computed{};
    } window;                     // how things were when it began; its own
    bool several_lead = false;    // its own
    bool trying_leaders = false;  // its own
    typename Sync::Thread thread;
  };

  static Member*& current() {
    static thread_local Member* member = nullptr;
    return member;
  }
  bool adaptive() const {
    return options_.promotion == Promotion::kAdaptive || options_.promotion == Promotion::kShared;
  }
  bool may_take_heavy() const { return heavy_ < size_.now(); }
  bool should_poll() const {
    if (polling() || !host_.may_poll()) return false;
    return heavy_ == 0 || fruitless_polls_ < kFruitlessPolls || probe_ || !adaptive();
  }
  bool someone_leads() const { return leading_ > 0 && options_.promotion != Promotion::kAlways; }
  bool enough_lead() const { return someone_leads() && (heavy_ > 0 || leading_ + listening_ >= leaders_.now()); }
  bool polling() const { return polling_.load(std::memory_order_relaxed); }

  // Searches until the session is over.
  void work(Lock& lock, Member& me) {
    const base::OnExit leave([outer = std::exchange(current(), &me)] { current() = outer; });
    me.probe = Sync::ThreadProbe::of_this_thread();
    bool was_heavy = false;  // then this thread is up anyway, and may as well take one more
    bool polled = false;
    bool listened = false;  // in vain
    while (!stopping_) {
      if (host_.finished()) {
        stop();
        break;
      }
      if (enough_lead() && !was_heavy) {
        sleep(lock, me);
        continue;
      }
      Invocation* const next = host_.take(may_take_heavy());
      if (polled && heavy_ > 0) fruitless_polls_ = next != nullptr ? 0 : fruitless_polls_ + 1;
      polled = false;
      if (next != nullptr) {
        was_heavy = execute(lock, me, *next);
        listened = false;
        continue;
      }
      was_heavy = false;
      if (host_.finished()) {
        stop();
      } else if (!someone_leads() && should_poll()) {
        poll(lock);
        polled = true;
        listened = false;
      } else if (!listened && leaders_.now() > 1 && heavy_ == 0 && (someone_leads() || polling())) {
        listened = !listen(lock);
      } else {
        sleep(lock, me);
        listened = false;
      }
    }
  }

  void poll(Lock& lock) {
    polling_.store(true, std::memory_order_relaxed);
    probe_ = false;
    host_.poll(lock);
    polling_.store(false, std::memory_order_relaxed);
    kicked_ = false;
    tell_listeners();
  }

  // They found nothing to start, and would find out with this mutex in hand that there still is nothing.
  void tell_listeners() {
    if (listening_ > 0 && host_.has_work(may_take_heavy())) bell_.ring();
  }

  // Others lead or poll, and may leave something over in a moment. False if they did not.
  bool listen(Lock& lock) {
    forget_time();
    ++listening_;
    const base::OnExit over([this] { --listening_; });
    return bell_.listen(lock);
  }

  // True if it was predicted to be long. A handler should return to the loop, and not through functions in between
  // (event_base::make).
  [[gnu::always_inline]] bool execute(Lock& lock, Member& me, Invocation& next) {
    const bool predicted = next.heavy;
    me.heavy.store(predicted, std::memory_order_relaxed);
    me.exclusive = host_.exclusive(next);
    const std::uint64_t run = runs_.load(std::memory_order_relaxed) + 1;
    runs_.store(run, std::memory_order_relaxed);
    me.run.store(run, std::memory_order_relaxed);
    ++(predicted ? heavy_ : leading_);
    if (predicted) note_shortage();
    if (options_.promotion == Promotion::kAlways || (adaptive() && predicted && !me.exclusive && !someone_leads()))
      see_to_it();
    // Beside an exclusive handler nobody could do anything. A program that has no others stays a process of one thread,
    // whose system calls are shorter.
    if (adaptive() && !alone_ && !me.exclusive) rouse_watchdog();
    const base::OnExit over([&] {
      --(me.heavy.load(std::memory_order_relaxed) ? heavy_ : leading_);
      me.run.store(0, std::memory_order_relaxed);
      tell_listeners();
    });
    host_.run(lock, next);
    return predicted;
  }

  // If there is something to do that nobody is about to do, gets somebody to do it.
  void see_to_it() {
    if (host_.has_work(may_take_heavy()) || should_poll()) {
      summon();
    } else if (polling() && host_.poll_outdated()) {
      kick();
    }
  }

  // Gets somebody to search: a sleeper, a new pool thread, or the poller if there is nobody else.
  void summon() {
    if (wake_in_flight_) return;
    // While nothing long runs, whoever polls is as good as another thread.
    const bool poller_will_do = polling() && heavy_ == 0 && options_.promotion != Promotion::kAlways;
    if (listening_ > 0) {
      bell_.ring();  // whoever hears it finds the work, or polls
    } else if (alone_ || (sleepers_.empty() && poller_will_do)) {
      if (polling()) kick();
    } else if (!sleepers_.empty()) {
      Member& sleeper = *sleepers_.back();
      sleepers_.pop_back();
      wake_in_flight_ = true;
      wake(sleeper);
    } else if (pool_.size() < size_.now() && options_.promotion != Promotion::kNever) {
      wake_in_flight_ = true;
      hire();
    } else if (polling()) {
      kick();
    }
  }

  void wake(Member& sleeper) {
    sleeper.awake = true;
    if (&sleeper != &caller_) ++awake_;
    sleeper.woken.notify_one();
  }

  void kick() {
    if (kicked_) return;
    kicked_ = true;
    host_.kick();
  }

  void sleep(Lock& lock, Member& me) {
    if (polling() && host_.poll_outdated()) kick();
    note_shortage();
    forget_time();
    me.awake = false;
    sleepers_.push_back(&me);
    if (&me != &caller_) leave_awake();
    while (!me.awake && !shutting_down_) me.woken.wait(lock);
    wake_in_flight_ = false;
  }

  void forget_time() {
    if constexpr (requires { host_.falls_asleep(); }) host_.falls_asleep();
  }

  void leave_awake() {
    if (--awake_ == 0 && stopping_) last_one_out_.notify_one();
  }

  // Nothing more is to be started. The caller must be up to see it; the others may sleep on.
  void stop() {
    stopping_ = true;
    if (polling()) kick();
    bell_.ring();
    for (std::size_t i = 0; i < sleepers_.size(); ++i) {
      if (sleepers_[i] != &caller_) continue;
      sleepers_.erase(sleepers_.begin() + static_cast<std::ptrdiff_t>(i));
      wake(caller_);
      break;
    }
  }

  // Due work waits for a place, or nobody is left to find out whether some is due.
  bool place_is_wanted() const {
    return !may_take_heavy() && (host_.has_work(true) || (sleepers_.empty() && !polling() && leading_ == 0));
  }
  void note_shortage() {
    if (size_.adapts() && place_is_wanted()) shortage_.store(true, std::memory_order_relaxed);
  }

  void hire() {
    pool_.push_back(std::make_unique<Pooled>());
    Pooled& pooled = *pool_.back();
    pooled.member.number = static_cast<unsigned>(pool_.size());
    ++awake_;
    pooled.thread = host_.template start_thread<typename Sync::Thread>(pooled.member.number,
                                                                       [this, &pooled] { serve(pooled.member); });
    hired_.store(pool_.size(), std::memory_order_release);  // with the watchdog's acquire
  }

  // The life of a pool thread: asleep between sessions just as within one.
  void serve(Member& me) {
    Lock lock(mutex_);
    wake_in_flight_ = false;
    while (!shutting_down_) {
      work(lock, me);
      if (!shutting_down_) sleep(lock, me);
    }
  }

  void rouse_watchdog() {
    if (watchdog_ == nullptr) {
      watchdog_ = std::make_unique<Watchdog>();
      watchdog_->thread = host_.template start_thread<typename Sync::Thread>(0, [this] { watch(*watchdog_); });
    } else if (watchdog_asleep_) {
      watchdog_asleep_ = false;
      watchdog_->wake.notify_one();
    }
  }

  // What a look without the mutex shows: handlers run, or have; one has outlived a tick that is not known to be long,
  // or is.
  struct Glance {
    bool running = false;
    bool unknown = false;
    bool known = false;
  };

  // In crew_watchdog.hpp.
  void watch(Watchdog& me);
  static void glance(Member& member, Glance& seen);
  bool look_closely();
  bool inspect(Member& member);
  void adjust_size(Watchdog& me);
  static void note_heavy(Watchdog& me, Member& member);
  void tell_size();
  void adjust_leaders(Watchdog& me, std::uint64_t runs);

  void count_as_heavy(Member& member) {
    member.heavy.store(true, std::memory_order_relaxed);
    ++heavy_;
    --leading_;
  }

  void shut_down() {
    {
      Lock lock(mutex_);
      shutting_down_ = true;
      for (const auto& pooled : pool_) pooled->member.woken.notify_one();
      if (watchdog_ != nullptr) watchdog_->wake.notify_one();
    }
    if (watchdog_ != nullptr) {
      const Lock lock(watchdog_->mutex);
      watchdog_->stop = true;
      watchdog_->tick.notify_one();
    }
    for (const auto& pooled : pool_) pooled->thread.join();
    if (watchdog_ != nullptr) watchdog_->thread.join();
  }

  // All of this is guarded by mutex_; what says so is also read without.
  Mutex& mutex_;
  Host& host_;
  const CrewOptions options_;
  Member caller_;
  // Has room for all that will be hired, so that the watchdog may read the first hired_ of them without the mutex.
  std::vector<std::unique_ptr<Pooled>> pool_;
  std::atomic<std::size_t> hired_{0};
  std::vector<Member*> sleepers_;
  typename Sync::Condition last_one_out_;  // awake_ became 0 while stopping
  unsigned awake_ = 0;                     // pool threads that are not asleep
  unsigned heavy_ = 0;                     // members in long handlers
  unsigned leading_ = 0;                   // members in others
  std::atomic<std::uint64_t> runs_{0};     // written under the mutex, read by the watchdog without: relaxed
  bool open_ = false;
  bool alone_ = false;
  bool stopping_ = false;
  bool shutting_down_ = false;
  std::atomic<bool> polling_{false};  // written under the mutex, read by the watchdog without: relaxed
  bool kicked_ = false;
  // Polls in a row, beside long handlers, that found nothing to start; and whether to try all the same.
  unsigned fruitless_polls_ = 0;
  bool probe_ = false;
  bool wake_in_flight_ = false;
  bool caller_is_lost_ = false;
  CrewSize size_;
  CrewLeaders leaders_;
  unsigned listening_ = 0;  // members
  typename Sync::Bell bell_;
  std::atomic<bool> shortage_{false};  // a hint to the watchdog, which looks again under the mutex: relaxed
  std::unique_ptr<Watchdog> watchdog_;
  bool watchdog_asleep_ = false;
};

}  // namespace heddle::scheduler

#include "scheduler/crew_watchdog.hpp"  // IWYU pragma: keep
