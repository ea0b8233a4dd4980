// How several threads share one event loop.
//
// An event loop that hands each event to another thread pays two context switches per event and loses what is in the
// cache; one that never does wastes all cores but one. Here the thread that polls runs the handlers itself (leader and
// followers: Schmidt et al., Pattern-Oriented Software Architecture 2, 2000), and a follower is unparked only when work
// or polling would otherwise wait for a handler that is predicted to run long. Nothing is queued between threads.
//
// A session is one call of run() by the program's own thread, the caller, which is a member of the crew like the
// workers that the crew's pool has hired (workers/pool.hpp). While a session is open, each member is in one place:
//   searching  has the mutex and looks for the next thing to do
//   running    in a handler: a leader if that counts as short
//   polling    in Host::poll(), at most one at a time
//   spinning   for a moment beside others that lead or poll, where several may lead
//   parked     on the pool's stack
//
// Some invocations are pinned: only the owner may run them, the thread that called run(). Whoever else searches calls
// the owner back as soon as a pinned one can start, and then leaves searching and polling to it. An owner that is in a
// handler comes back for it afterwards, whoever leads by then.
//
// Invariants, all under the host's mutex:
//   I1  If something can start, then a member is searching or spinning, or a wake-up or kick is in flight, or a member
//       runs a handler that does not count as long: that member searches when the handler returns, or the watchdog
//       finds the handler to be late and gets somebody else to search, or all members run long handlers and the
//       watchdog hires another at its next tick. For what is pinned, the first three cases are
//       the owner's: it searches, spins, or is being woken or kicked; or it runs a handler and searches afterwards.
//   I2  If nothing can start and events are waited for, then a member polls, or one of the cases of I1 holds, or the
//       last few polls beside long handlers found nothing to start; then one more is made at the watchdog's next tick.
//   I3  A handler that is predicted to be long starts only while fewer handlers that count as long run than there are
//       places: a fixed number, or one that is found by measuring (crew_size.hpp). There is one member more than
//       places, to poll and to run short handlers.
//   I4  A member parks only if it found nothing to do or enough others lead, and first makes the poller return if that
//       would return too late for what is known now.
//
// A watchdog covers wrong predictions (crew_watchdog.hpp): a handler that it finds to be late counts as long from then
// on, so that its member no longer leads.
//
// Where the loop is given more short handlers than one thread can run, several members lead (crew_leaders.hpp). They
// share what a poll finds, and the last of them to find nothing more polls again. Nobody polls beside a short handler:
// the poll would report that handler's descriptor once more.
//
// The crew knows no I/O and no events. Its host supplies, all with the mutex held:
//   Invocation* take(bool allow_heavy, bool allow_pinned)
//                                        the next invocation that may start, now running; null if there is none
//   void run(Lock&, Invocation&)         makes the call without the mutex, and completes it, however the call ends
//   void poll(Lock&)                     gathers what is due without the mutex; blocks if there is nothing to do
//   bool may_poll()                      polling makes sense now
//   bool poll_outdated()                 the poller, if it is blocked, would return too late for what is known now
//   void kick()                          makes a blocked poll return soon; also if it is only about to block
//   bool has_work(bool allow_heavy)      false only if take(allow_heavy, true) would return null
//   bool has_pinned_work(bool allow_heavy)  false only if the owner's take() would return nothing pinned, once
//   somebody's
//                                        take() has returned null
//   bool exclusive(const Invocation&)    nothing can run beside it
//   bool finished()                      the session is over: nothing more is to be started
//   void goes_idle()                     this thread is about to spin or park: the time that it last read gets old
//   void resized(unsigned places)        the number of places has changed
//   Thread start_thread<Thread>(n, f)    a thread that runs f(): the n-th of the pool, from 1; 0 is the watchdog.
//   Called
//                                        on members and on the watchdog only, so the thread has the state of the one
//                                        that called run(), as far as threads inherit it. Throws std::system_error
//                                        where none can be made; then there are fewer
// Sync (base/sync.hpp) is replaceable, so that interleavings and memory orders can be explored.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <new>
#include <span>
#include <system_error>
#include <utility>

#include "base/on_exit.hpp"
#include "scheduler/admission/invocation.hpp"
#include "scheduler/crew/crew_leaders.hpp"
#include "scheduler/crew/crew_member.hpp"
#include "scheduler/crew/crew_options.hpp"
#include "scheduler/crew/crew_size.hpp"
#include "scheduler/crew/crew_watchdog.hpp"
#include "scheduler/workers/pool.hpp"

namespace heddle::scheduler {

template <class Sync, class Host>
class Crew {
 public:
  using Mutex = typename Sync::Mutex;
  using Lock = typename Sync::Lock;
  using Member = CrewMember<Sync>;

  // `mutex` is the host's, and guards everything here.
  Crew(Mutex& mutex, Host& host, const CrewOptions& options)
      : mutex_(mutex),
        host_(host),
        options_(options),
        size_(options.handlers_at_once, options.most_handlers_at_once),
        leaders_(adaptive() ? options.handlers_at_once : 1,
                 options.promotion == Promotion::kShared ? options.handlers_at_once : 1),
        pool_(mutex, size_.most()) {}

  // Must not be called while a session is open. Waits for whoever is in let_go().
  ~Crew() {
    Lock lock(mutex_);
    let_go(lock);
  }

  // Ends all threads that were hired, and the watchdog, between two sessions: those of the next one have the state of
  // the thread that calls run() then. Gives up the mutex meanwhile.
  void let_go(Lock& lock) {
    while (letting_go_) all_gone_.wait(lock);
    letting_go_ = true;
    const std::unique_ptr<Watchdog> watchdog = std::move(watchdog_);
    if (watchdog != nullptr) {
      lock.unlock();
      watchdog->shut_down();
      lock.lock();
    }
    pool_.let_go(lock);
    letting_go_ = false;
    all_gone_.notify_all();
  }

  Crew(const Crew&) = delete;
  Crew& operator=(const Crew&) = delete;

  // Runs one session. Returns when the host has finished and no other member is in a handler or polls. `alone`: nobody
  // helps the caller. An exception that leaves a handler on the caller's thread passes through, once all other members
  // have come out of their handlers and polls.
  void run(Lock& lock, bool alone = false) {
    while (letting_go_) all_gone_.wait(lock);
    stopping_ = false;
    open_ = true;
    alone_ = alone;
    owner_ = &caller_;
    owner_called_ = owner_polls_ = false;
    forget_failures();
    const base::OnExit close([&] {
      stopping_ = true;
      if (polling()) kick();
      pool_.wait_until_all_are_parked(lock);
      open_ = false;
    });
    const auto entered = pool_.enter(caller_);
    work(lock, caller_);
  }

  // To be called when a handler or a thread outside the crew made work for the host, or an earlier time to poll until.
  void work_came_up() {
    if (!open_ || stopping_) return;
    notify_spinning();
    if (someone_leads()) return;
    if (host_.finished()) {
      stop();
    } else {
      ensure_progress(/*may_hire=*/pool_.mine() != nullptr);
    }
  }

  // The handler that this thread runs is about to wait at a late point: somebody else must search and poll meanwhile.
  void handler_waits() {
    Member* const me = pool_.mine();
    if (me == nullptr || me->current_run() == 0 || me->in_long_handler()) return;
    count_as_heavy(*me);
    get_help();
  }

  // Copies probes of the other members that run handlers, from the member `from` on, which becomes the one to go on
  // with; returns how many. Whoever asks them makes system calls, and does so without the mutex.
  std::size_t probe_others(std::size_t& from, std::span<typename Sync::ThreadProbe> probes) {
    std::size_t at = 0;
    std::size_t found = 0;
    for_each_member([&](Member& member) {
      if (at++ < from || found == probes.size()) return;
      from = at;
      if (&member != pool_.mine() && member.current_run() != 0) probes[found++] = member.probe();
    });
    return found;
  }

  // In the child after fork(): of all members only the one that this thread is, if any, exists.
  void after_fork_in_child(bool from_member) {
    Member* const me = from_member ? pool_.mine() : nullptr;
    pool_.after_fork_in_child(me);
    static_cast<void>(watchdog_.release());  // its thread does not exist, so it can be neither joined nor destroyed
    polling_.store(false, std::memory_order_relaxed);
    kicked_ = false;
    leaders_.idle();
    leaders_to_call_ = 0;
    const bool in_handler = me != nullptr && me->current_run() != 0;
    heavy_ = in_handler && me->in_long_handler() ? 1 : 0;
    leading_ = in_handler && !me->in_long_handler() ? 1 : 0;
    open_ = me != nullptr;
    owner_ = me != nullptr ? me : &caller_;
    owner_called_ = owner_polls_ = false;
    forget_failures();
    letting_go_ = false;
  }

  bool session_is_open() const { return open_; }
  bool someone_polls() const { return polling_.load(std::memory_order_relaxed); }  // needs no mutex
  unsigned this_member() const { return Pool::current() != nullptr ? Pool::current()->number() : 0; }

 private:
  using Pool = workers::Pool<Sync, Member>;
  using Watchdog = CrewWatchdog<Sync, Crew>;
  friend Watchdog;  // which lists what it uses

  static constexpr unsigned kFruitlessPolls = 4;

  bool adaptive() const {
    return options_.promotion == Promotion::kAdaptive || options_.promotion == Promotion::kShared;
  }
  bool may_take_heavy() const { return heavy_ < size_.now(); }
  bool should_poll() const {
    if (polling() || owner_called_ || !host_.may_poll()) return false;
    return heavy_ == 0 || fruitless_polls_ < kFruitlessPolls || try_to_poll_ || !adaptive();
  }
  bool someone_leads() const { return leading_ > 0 && options_.promotion != Promotion::kAlways; }
  bool enough_lead() const { return someone_leads() && (heavy_ > 0 || leading_ + pool_.spinning() >= leaders_.now()); }
  bool polling() const { return Sync::load_guarded(polling_); }
  bool owns(const Member& me) const { return &me == owner_; }

  // Searches until the session is over.
  void work(Lock& lock, Member& me) {
    bool was_heavy = false;  // it just ran one: though others lead, it is up and may take one more
    bool polled = false;
    bool spun = false;  // in vain, since it last found something
    while (!stopping_) {
      if (host_.finished()) {
        stop();
        break;
      }
      if (enough_lead() && !was_heavy && !(owns(me) && host_.has_pinned_work(may_take_heavy()))) {
        park(lock, me);
        continue;
      }
      Invocation* const next = host_.take(may_take_heavy(), owns(me));
      if (!owns(me)) call_owner();
      if (polled && heavy_ > 0) fruitless_polls_ = next != nullptr ? 0 : fruitless_polls_ + 1;
      polled = false;
      if (next != nullptr) {
        was_heavy = execute(lock, me, *next);
        spun = false;
        continue;
      }
      was_heavy = false;
      if (host_.finished()) {
        stop();
      } else if (!someone_leads() && should_poll()) {
        poll(lock, me);
        polled = true;
        spun = false;
      } else if (!spun && leaders_.now() > 1 && heavy_ == 0 && (someone_leads() || polling())) {
        // The members that lead or poll may have work to spare in a moment.
        host_.goes_idle();
        spun = !pool_.spin(lock);
      } else {
        park(lock, me);
        spun = false;
      }
    }
  }

  void poll(Lock& lock, const Member& me) {
    polling_.store(true, std::memory_order_relaxed);
    owner_polls_ = owns(me);
    try_to_poll_ = false;
    host_.poll(lock);
    polling_.store(false, std::memory_order_relaxed);
    kicked_ = owner_polls_ = false;
    notify_spinning();
  }

  // Tells spinning members only if there is work for them now: they would take the mutex to find out.
  void notify_spinning() {
    if (pool_.spinning() > 0 && host_.has_work(may_take_heavy())) pool_.notify_spinning();
  }

  // Runs `next`; true if it was predicted to be long. Inlined, so that a handler returns straight to the loop
  // (event_base::make).
  [[gnu::always_inline]] bool execute(Lock& lock, Member& me, Invocation& next) {
    const bool predicted = next.heavy;
    me.heavy.store(predicted, std::memory_order_relaxed);
    me.exclusive = host_.exclusive(next);
    const std::uint64_t run = Sync::load_guarded(runs_) + 1;
    runs_.store(run, std::memory_order_relaxed);
    me.run.store(run, std::memory_order_relaxed);
    ++(predicted ? heavy_ : leading_);
    if (predicted) note_shortage();
    if (leaders_to_call_ > 0) call_leader();
    if (options_.promotion == Promotion::kAlways || (adaptive() && predicted && !me.exclusive && !someone_leads()))
      ensure_progress();
    // Nothing can run beside an exclusive handler, so it needs no watchdog. A program that has no others stays a
    // process of one thread, whose system calls are shorter.
    if (options_.promotion != Promotion::kNever && !alone_ && !me.exclusive) ensure_watched();
    const base::OnExit over([&] {
      --(Sync::load_guarded(me.heavy) ? heavy_ : leading_);
      me.run.store(0, std::memory_order_relaxed);
      notify_spinning();
    });
    host_.run(lock, next);
    return predicted;
  }

  // If there is something to do that nobody is about to do, gets somebody to do it. A thread of the program may not
  // hire
  // (`may_hire`), for the worker would begin with that thread's state. Where it would have to, all are in handlers that
  // count as long, and the watchdog looks for work itself at its next tick.
  void ensure_progress(bool may_hire = true) {
    if (call_owner()) return;
    if (host_.has_work(may_take_heavy()) || should_poll()) {
      promote(may_hire);
    } else if (polling() && host_.poll_outdated()) {
      kick();
    }
  }

  // Gets the owner to search if something pinned can start. True if it is on its way.
  bool call_owner() {
    if (owner_called_) return true;
    if (!host_.has_pinned_work(may_take_heavy())) return false;
    if (owner_polls_) {
      kick();
      return true;
    }
    pool_.notify_spinning();  // it may be among these
    owner_called_ = pool_.unpark(*owner_);
    return owner_called_;
  }

  // Gets somebody to search: a member that spins or is parked, a new worker, or the poller if there is nobody else.
  void promote(bool may_hire = true) {
    if (pool_.wake_in_flight()) return;
    // While no long handler runs, kicking the poller is as good as unparking another thread.
    const bool poller_will_do = polling() && heavy_ == 0 && options_.promotion != Promotion::kAlways;
    if (pool_.spinning() > 0) {
      pool_.notify_spinning();  // whoever sees it finds the work, or polls
    } else if (alone_ || (!pool_.any_parked() && poller_will_do)) {
      if (polling()) kick();
    } else if (pool_.any_parked()) {
      pool_.unpark_one();
    } else if (room_for_more() && may_hire && hire()) {
      // it searches
    } else if (polling()) {
      kick();  // it hires if it takes what is long
    }
  }

  bool room_for_more() const {
    return options_.promotion != Promotion::kNever && pool_.hired() < std::min<std::size_t>(size_.now(), most_hired_);
  }

  // False if no thread can be made.
  bool hire() {
    const bool hired = pool_.hire(
        [this](unsigned number, auto body) {
          return host_.template start_thread<typename Sync::Thread>(number, std::move(body));
        },
        [this](Lock& lock, Member& me) { work(lock, me); });
    if (!hired) most_hired_ = pool_.hired();
    return hired;
  }

  // Where no thread could be made, it is not tried again and again.
  void forget_failures() {
    most_hired_ = std::numeric_limits<std::size_t>::max();
    may_be_watched_ = true;
  }

  void kick() {
    if (kicked_) return;
    kicked_ = true;
    host_.kick();
  }

  void park(Lock& lock, Member& me) {
    if (polling() && host_.poll_outdated()) kick();
    note_shortage();
    host_.goes_idle();
    pool_.park(lock, me);
    if (owns(me)) owner_called_ = false;
  }

  // Starts nothing more in this session. The caller must be up to see that; the others may stay parked.
  void stop() {
    stopping_ = true;
    if (polling()) kick();
    pool_.notify_spinning();
    pool_.unpark(caller_);
  }

  void note_shortage() {
    if (size_.adapts() && place_is_wanted()) shortage_.store(true, std::memory_order_relaxed);
  }

  void ensure_watched() {
    if (watchdog_ != nullptr) {
      watchdog_->wake();
    } else if (may_be_watched_) {
      start_watchdog();
    }
  }

  void start_watchdog() {
    try {
      auto watchdog = std::make_unique<Watchdog>(*this, mutex_, options_, size_.most());
      watchdog->start(
          [this](auto body) { return host_.template start_thread<typename Sync::Thread>(0, std::move(body)); });
      watchdog_ = std::move(watchdog);
    } catch (const std::system_error&) {
      may_be_watched_ = false;
    } catch (const std::bad_alloc&) {
      may_be_watched_ = false;
    }
  }

  // --- What the watchdog uses ---

  template <class Visit>
  void for_each_member(Visit visit) {
    visit(caller_);
    pool_.for_each_hired(visit);
  }
  std::uint64_t runs() const { return runs_.load(std::memory_order_relaxed); }
  bool short_of_places() const { return shortage_.load(std::memory_order_relaxed); }
  bool adapts_places() const { return size_.adapts(); }
  bool adapts_leaders() const { return leaders_.adapts(); }

  bool idle() const { return heavy_ + leading_ == 0; }
  unsigned heavy() const { return heavy_; }
  bool lacks_leader() const { return !polling() && leading_ == 0; }

  void count_as_heavy(Member& member) {
    member.heavy.store(true, std::memory_order_relaxed);
    ++heavy_;
    --leading_;
  }

  void get_help() {
    if (stopping_ || someone_leads()) return;
    try_to_poll_ = !polling();
    ensure_progress();
  }

  // Due work waits for a place, or nobody is left to find out whether some is due.
  bool place_is_wanted() const {
    return !may_take_heavy() && (host_.has_work(true) || (!pool_.any_parked() && lacks_leader()));
  }

  bool wants_count(bool wanted) {
    shortage_.store(wanted, std::memory_order_relaxed);
    return !stopping_ && size_.wants_look(heavy_, wanted);
  }

  void counted(unsigned heavy, unsigned runnable, bool wanted) {
    if (stopping_ || !size_.looked(heavy, runnable, wanted)) return;
    host_.resized(size_.now());
    try_to_poll_ = !polling();
    if (!someone_leads()) ensure_progress();
  }

  void measured(const CrewLeaders::Window& window) { leaders_.looked(window); }
  const CrewLeaders& leaders() const { return leaders_; }

  // Wakes one now. Whoever begins a handler, this one too, wakes the next: each is a system call of some microseconds.
  void call_missing_leaders() {
    const unsigned lead = leading_ + pool_.spinning();
    leaders_to_call_ = leading_ > 0 && lead < leaders_.now() ? leaders_.now() - lead : 0;
    if (leaders_to_call_ > 0) call_leader();
  }

  void call_leader() {
    if (stopping_ || leading_ + pool_.spinning() >= leaders_.now()) {
      leaders_to_call_ = 0;
    } else if (!pool_.wake_in_flight()) {
      --leaders_to_call_;
      promote();
    }
  }

  void settle() {
    forget_failures();
    leaders_.idle();
    leaders_to_call_ = 0;
    if (size_.idle()) host_.resized(size_.now());
  }

  // All of this is guarded by mutex_. The atomics are written under it, and the watchdog reads them without: relaxed,
  // because it takes them for hints, and looks again under the mutex before it acts.
  Mutex& mutex_;
  Host& host_;
  const CrewOptions options_;
  typename Sync::template Atomic<std::uint64_t> runs_{0};  // handlers started
  typename Sync::template Atomic<bool> polling_{false};    // a member is in Host::poll()
  typename Sync::template Atomic<bool> shortage_{false};   // due work waits for a place
  unsigned heavy_ = 0;                                     // members in handlers that count as long
  unsigned leading_ = 0;                                   // members in handlers that do not count as long
  unsigned leaders_to_call_ = 0;                           // members that are to be woken because too few lead
  bool open_ = false;                                      // a session is open
  bool alone_ = false;                                     // nobody may help the caller of the session
  bool stopping_ = false;                                  // nothing more is to be started in the session
  bool kicked_ = false;                                    // the poller was kicked, and has not returned yet
  // How many polls in a row beside long handlers found nothing to start, and whether to poll once more all the same.
  unsigned fruitless_polls_ = 0;
  bool try_to_poll_ = false;
  Member* owner_ = &caller_;   // the only one that may run what is pinned
  bool owner_called_ = false;  // it was unparked for that, and has not arrived yet
  bool owner_polls_ = false;   // it is the one in Host::poll()
  bool letting_go_ = false;    // a thread is in let_go()
  typename Sync::Condition all_gone_;
  std::size_t most_hired_ = 0;  // no more threads can be made
  bool may_be_watched_ = true;  // a watchdog can be made
  CrewSize size_;
  CrewLeaders leaders_;
  Member caller_;
  Pool pool_;
  std::unique_ptr<Watchdog> watchdog_;  // null until a handler runs that it might have to watch
};

}  // namespace heddle::scheduler
