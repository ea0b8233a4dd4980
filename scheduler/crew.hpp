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
//   asleep     on the stack of sleepers, the last one in is the first one out
// At most one wake-up is in flight: the one that is woken wakes the next if there is more to do.
//
// Invariants, all under the host's mutex:
//   I1  If something can start, then a member is searching, or a wake-up or kick is in flight, or a member runs a
//       handler that is not known to be long, and will search when it returns or be found out by the watchdog.
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
      : mutex_(mutex), host_(host), options_(options), size_(options.handlers_at_once, options.most_handlers_at_once) {
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
      if (polling_) kick();
      while (awake_ > 0) last_one_out_.wait(lock);
      open_ = false;
    });
    work(lock, caller_);
  }

  // The host learned of work, or of an earlier time to poll until, from a handler or a thread outside the crew.
  void work_came_up() {
    if (!open_ || stopping_ || someone_leads()) return;
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
    probe_ = !polling_;
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
    polling_ = kicked_ = wake_in_flight_ = false;
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

  bool someone_polls() const { return polling_; }
  unsigned this_member() const { return current() != nullptr ? current()->number : 0; }

 private:
  static constexpr unsigned kFruitlessPolls = 4;
  // The watchdog's wake-ups cost 20 to 40 us each on virtual machines. After this many ticks without a late handler it
  // ticks half as often, after twice as many a third, down to the slowest.
  static constexpr unsigned kCalmTicks = 64;
  static constexpr unsigned kSlowestTick = 4;
  // A suspect that has not computed after so many more ticks: longer than schedulers keep a thread off its processor
  // when there are two for each.
  static constexpr unsigned kBlockedAfter = 4;

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
    typename Sync::Thread thread;
  };

  static Member*& current() {
    static thread_local Member* member = nullptr;
    return member;
  }
  bool may_take_heavy() const { return heavy_ < size_.now(); }
  bool should_poll() const {
    if (polling_ || !host_.may_poll()) return false;
    return heavy_ == 0 || fruitless_polls_ < kFruitlessPolls || probe_ || options_.promotion != Promotion::kAdaptive;
  }
  bool someone_leads() const { return leading_ > 0 && options_.promotion != Promotion::kAlways; }

  // Searches until the session is over.
  void work(Lock& lock, Member& me) {
    const base::OnExit leave([outer = std::exchange(current(), &me)] { current() = outer; });
    me.probe = Sync::ThreadProbe::of_this_thread();
    bool was_heavy = false;  // then this thread is up anyway, and may as well take one more
    bool polled = false;
    while (!stopping_) {
      if (host_.finished()) {
        stop();
        break;
      }
      if (someone_leads() && !was_heavy) {
        sleep(lock, me);
        continue;
      }
      Invocation* const next = host_.take(may_take_heavy());
      if (polled && heavy_ > 0) fruitless_polls_ = next != nullptr ? 0 : fruitless_polls_ + 1;
      polled = false;
      if (next != nullptr) {
        was_heavy = execute(lock, me, *next);
        continue;
      }
      was_heavy = false;
      if (host_.finished()) {
        stop();
      } else if (!someone_leads() && should_poll()) {
        polling_ = true;
        probe_ = false;
        host_.poll(lock);
        polling_ = kicked_ = false;
        polled = true;
      } else {
        sleep(lock, me);
      }
    }
  }

  // True if it was predicted to be long.
  bool execute(Lock& lock, Member& me, Invocation& next) {
    const bool predicted = next.heavy;
    me.heavy = predicted;
    me.exclusive = host_.exclusive(next);
    const std::uint64_t run = runs_.load(std::memory_order_relaxed) + 1;
    runs_.store(run, std::memory_order_relaxed);
    me.run.store(run, std::memory_order_relaxed);
    ++(me.heavy ? heavy_ : leading_);
    if (me.heavy) note_shortage();
    if (options_.promotion == Promotion::kAlways ||
        (options_.promotion == Promotion::kAdaptive && me.heavy && !me.exclusive && !someone_leads()))
      see_to_it();
    // Beside an exclusive handler nobody could do anything. A program that has no others stays a process of one thread,
    // whose system calls are shorter.
    if (options_.promotion == Promotion::kAdaptive && !alone_ && !me.exclusive) rouse_watchdog();
    const base::OnExit over([&] {
      --(me.heavy ? heavy_ : leading_);
      me.run.store(0, std::memory_order_relaxed);
    });
    host_.run(lock, next);
    return predicted;
  }

  // If there is something to do that nobody is about to do, gets somebody to do it.
  void see_to_it() {
    if (host_.has_work(may_take_heavy()) || should_poll()) {
      summon();
    } else if (polling_ && host_.poll_outdated()) {
      kick();
    }
  }

  // Gets somebody to search: a sleeper, a new pool thread, or the poller if there is nobody else.
  void summon() {
    if (wake_in_flight_) return;
    // While nothing long runs, whoever polls is as good as another thread.
    const bool poller_will_do = polling_ && heavy_ == 0 && options_.promotion != Promotion::kAlways;
    if (alone_ || (sleepers_.empty() && poller_will_do)) {
      if (polling_) kick();
    } else if (!sleepers_.empty()) {
      Member& sleeper = *sleepers_.back();
      sleepers_.pop_back();
      wake_in_flight_ = true;
      wake(sleeper);
    } else if (pool_.size() < size_.now() && options_.promotion != Promotion::kNever) {
      wake_in_flight_ = true;
      hire();
    } else if (polling_) {
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
    if (polling_ && host_.poll_outdated()) kick();
    note_shortage();
    if constexpr (requires { host_.falls_asleep(); }) host_.falls_asleep();
    me.awake = false;
    sleepers_.push_back(&me);
    if (&me != &caller_) leave_awake();
    while (!me.awake && !shutting_down_) me.woken.wait(lock);
    wake_in_flight_ = false;
  }

  void leave_awake() {
    if (--awake_ == 0 && stopping_) last_one_out_.notify_one();
  }

  // Nothing more is to be started. The caller must be up to see it; the others may sleep on.
  void stop() {
    stopping_ = true;
    if (polling_) kick();
    for (std::size_t i = 0; i < sleepers_.size(); ++i) {
      if (sleepers_[i] != &caller_) continue;
      sleepers_.erase(sleepers_.begin() + static_cast<std::ptrdiff_t>(i));
      wake(caller_);
      break;
    }
  }

  // Due work waits for a place, or nobody is left to find out whether some is due.
  bool place_is_wanted() const {
    return !may_take_heavy() && (host_.has_work(true) || (sleepers_.empty() && !polling_ && leading_ == 0));
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

  void watch(Watchdog& me) {
    unsigned idle_ticks = 0;
    unsigned calm_ticks = 0;  // in a row in which nobody was late
    bool suspicious = false;
    std::uint64_t runs_at_last_tick = 0;
    for (;;) {
      if (idle_ticks >= options_.patience_ticks) {
        Lock lock(mutex_);
        watchdog_asleep_ = runs_.load(std::memory_order_relaxed) == runs_at_last_tick;
        if (watchdog_asleep_ && size_.idle()) tell_size();
        while (watchdog_asleep_ && !shutting_down_) me.wake.wait(lock);
        idle_ticks = 0;
      }
      {
        Lock lock(me.mutex);
        const unsigned slowness = suspicious ? 1 : std::min(1 + calm_ticks / kCalmTicks, kSlowestTick);
        if (!me.stop) Sync::wait_for(me.tick, lock, options_.tick * slowness);
        if (me.stop) return;
      }
      const std::uint64_t runs = runs_.load(std::memory_order_relaxed);
      bool running = runs != std::exchange(runs_at_last_tick, runs);
      suspicious = glance(caller_, running);
      const std::size_t hired = hired_.load(std::memory_order_acquire);  // with hire()'s release
      for (std::size_t i = 0; i < hired; ++i) suspicious = glance(pool_[i]->member, running) || suspicious;
      idle_ticks = running ? 0 : idle_ticks + 1;
      calm_ticks = suspicious && look_closely() ? 0 : calm_ticks + 1;
      if (size_.adapts() && (suspicious || shortage_.load(std::memory_order_relaxed))) adjust_size(me);
    }
  }

  // Threads are looked at without the mutex, which would make handlers wait.
  void adjust_size(Watchdog& me) {
    bool wanted = false;
    me.looked_at.clear();
    {
      const Lock lock(mutex_);
      wanted = place_is_wanted();
      shortage_.store(wanted, std::memory_order_relaxed);
      if (stopping_ || !size_.wants_look(heavy_, wanted)) return;
      note_heavy(me, caller_);
      for (const auto& pooled : pool_) note_heavy(me, pooled->member);
    }
    unsigned runnable = 0;
    for (const auto& [member, run, probe] : me.looked_at)
      if (!probe.blocked() || member->run.load(std::memory_order_relaxed) != run) ++runnable;
    const Lock lock(mutex_);
    if (stopping_ || !size_.looked(static_cast<unsigned>(me.looked_at.size()), runnable, wanted)) return;
    tell_size();
    probe_ = !polling_;
    if (!someone_leads()) see_to_it();
  }

  static void note_heavy(Watchdog& me, Member& member) {
    const std::uint64_t run = member.run.load(std::memory_order_relaxed);
    if (run != 0 && member.heavy) me.looked_at.emplace_back(&member, run, member.probe);
  }

  void tell_size() {
    if constexpr (requires { host_.resized(size_.now()); }) host_.resized(size_.now());
  }

  // True if `member` has been in one handler since the last tick.
  static bool glance(Member& member, bool& running) {
    const std::uint64_t run = member.run.load(std::memory_order_relaxed);
    running = running || run != 0;
    return run == std::exchange(member.run_at_last_tick, run) && run != 0;
  }

  // Gets help if a handler is late and others could go on beside it. True if that calls for another look soon: one was
  // found late that was not predicted to be long, or nobody polls beside those that were.
  bool look_closely() {
    const Lock lock(mutex_);
    const unsigned known = heavy_;
    bool others_could = inspect(caller_) && !caller_.exclusive;
    for (const auto& pooled : pool_)
      if (inspect(pooled->member)) others_could = others_could || !pooled->member.exclusive;
    if (others_could && !stopping_ && !someone_leads()) {
      probe_ = !polling_;
      see_to_it();
    }
    return heavy_ > known || (heavy_ > 0 && !polling_);
  }

  bool inspect(Member& member) {
    const std::uint64_t run = member.run.load(std::memory_order_relaxed);
    if (run == 0 || run != member.run_at_last_tick) return false;
    if (member.heavy) return true;
    const std::chrono::nanoseconds cpu = member.probe.cpu_time();
    if (std::exchange(member.suspect, run) != run) {
      member.ticks_suspected = 0;
      member.cpu_when_suspected = cpu;
      return false;
    }
    if (cpu - member.cpu_when_suspected < options_.tick / 2 && ++member.ticks_suspected < kBlockedAfter) return false;
    count_as_heavy(member);
    return true;
  }

  void count_as_heavy(Member& member) {
    member.heavy = true;
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
  bool polling_ = false;
  bool kicked_ = false;
  // Polls in a row, beside long handlers, that found nothing to start; and whether to try all the same.
  unsigned fruitless_polls_ = 0;
  bool probe_ = false;
  bool wake_in_flight_ = false;
  bool caller_is_lost_ = false;
  CrewSize size_;
  std::atomic<bool> shortage_{false};  // a hint to the watchdog, which looks again under the mutex: relaxed
  std::unique_ptr<Watchdog> watchdog_;
  bool watchdog_asleep_ = false;
};

}  // namespace heddle::scheduler
