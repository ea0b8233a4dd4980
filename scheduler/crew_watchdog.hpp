// What the watchdog of a crew does at each tick. crew.hpp, which includes this, says what it is there for.
//
// It looks at the members without the host's mutex first, and takes that only where it saw something to look at
// closely. Members that are known to be in long handlers are none of it: somebody leads beside them already, unless
// nobody polls because that brought nothing.
#pragma once

#include "scheduler/crew.hpp"

namespace heddle::scheduler {

template <class Sync, class Host>
void Crew<Sync, Host>::watch(Watchdog& me) {
  unsigned idle_ticks = 0;
  unsigned calm_ticks = 0;  // in a row in which nobody was late
  bool in_a_hurry = false;
  std::uint64_t runs_at_last_tick = 0;
  for (;;) {
    if (idle_ticks >= options_.patience_ticks) {
      Lock lock(mutex_);
      watchdog_asleep_ = runs_.load(std::memory_order_relaxed) == runs_at_last_tick;
      if (watchdog_asleep_) leaders_.idle();
      if (watchdog_asleep_ && size_.idle()) tell_size();
      while (watchdog_asleep_ && !shutting_down_) me.wake.wait(lock);
      idle_ticks = 0;
      me.window = {};
      me.several_lead = me.trying_leaders = false;
    }
    {
      Lock lock(me.mutex);
      const unsigned slowness = in_a_hurry ? 1 : std::min(1 + calm_ticks / kCalmTicks, kSlowestTick);
      if (!me.stop) Sync::wait_for(me.tick, lock, options_.tick * slowness);
      if (me.stop) return;
    }
    const std::uint64_t runs = runs_.load(std::memory_order_relaxed);
    Glance seen;
    seen.running = runs != std::exchange(runs_at_last_tick, runs);
    glance(caller_, seen);
    const std::size_t hired = hired_.load(std::memory_order_acquire);  // with hire()'s release
    for (std::size_t i = 0; i < hired; ++i) glance(pool_[i]->member, seen);
    idle_ticks = seen.running ? 0 : idle_ticks + 1;
    const bool late = (seen.unknown || (seen.known && !polling())) && look_closely();
    calm_ticks = late ? 0 : calm_ticks + 1;
    if (size_.adapts() && (seen.unknown || seen.known || shortage_.load(std::memory_order_relaxed))) adjust_size(me);
    if (leaders_.adapts() && seen.running) adjust_leaders(me, runs);
    in_a_hurry = seen.unknown || late || me.trying_leaders;
  }
}

template <class Sync, class Host>
void Crew<Sync, Host>::glance(Member& member, Glance& seen) {
  const std::uint64_t run = member.run.load(std::memory_order_relaxed);
  seen.running = seen.running || run != 0;
  if (run != std::exchange(member.run_at_last_tick, run) || run == 0) return;
  (member.heavy.load(std::memory_order_relaxed) ? seen.known : seen.unknown) = true;
}

// Threads are looked at without the mutex, which would make handlers wait.
template <class Sync, class Host>
void Crew<Sync, Host>::adjust_size(Watchdog& me) {
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
    if (!probe.blocked().value_or(false) || member->run.load(std::memory_order_relaxed) != run) ++runnable;
  const Lock lock(mutex_);
  if (stopping_ || !size_.looked(static_cast<unsigned>(me.looked_at.size()), runnable, wanted)) return;
  tell_size();
  probe_ = !polling();
  if (!someone_leads()) see_to_it();
}

template <class Sync, class Host>
void Crew<Sync, Host>::note_heavy(Watchdog& me, Member& member) {
  const std::uint64_t run = member.run.load(std::memory_order_relaxed);
  if (run != 0 && member.heavy) me.looked_at.emplace_back(&member, run, member.probe);
}

template <class Sync, class Host>
void Crew<Sync, Host>::tell_size() {
  if constexpr (requires { host_.resized(size_.now()); }) host_.resized(size_.now());
}

// At the end of a window says whether more members are to lead; at every tick wakes the one that is missing.
template <class Sync, class Host>
void Crew<Sync, Host>::adjust_leaders(Watchdog& me, std::uint64_t runs) {
  const std::chrono::nanoseconds now = Sync::now();
  const bool over = now - me.window.at >= options_.tick * kWindowTicks;
  if (!over && !me.several_lead) return;
  const Lock lock(mutex_);
  if (over) {
    // Beside long handlers there are other threads anyway.
    const bool lone = heavy_ == 0;
    std::chrono::nanoseconds computed{};
    if (lone) {
      computed = caller_.probe.cpu_time();
      for (const auto& pooled : pool_) computed += pooled->member.probe.cpu_time();
    }
    const auto began = std::exchange(me.window, {now, lone ? runs : 0, computed});
    if (!lone) {
      leaders_.looked({.handlers = 0, .length = now - began.at, .computed = {}});
    } else if (began.runs != 0) {  // otherwise the window only begins
      leaders_.looked({.handlers = runs - began.runs, .length = now - began.at, .computed = computed - began.computed});
    }
    me.several_lead = leaders_.now() > 1;
    me.trying_leaders = leaders_.trying();
  }
  if (!stopping_ && leaders_.now() > 1 && leading_ > 0 && leading_ + listening_ < leaders_.now()) summon();
}

// Gets help if a handler is late and others could go on beside it. True if that calls for another look soon: one was
// found late that was not predicted to be long, or nobody polls, or will in a moment, beside those that were.
template <class Sync, class Host>
bool Crew<Sync, Host>::look_closely() {
  const Lock lock(mutex_);
  const unsigned known = heavy_;
  bool others_could = inspect(caller_) && !caller_.exclusive;
  for (const auto& pooled : pool_)
    if (inspect(pooled->member)) others_could = others_could || !pooled->member.exclusive;
  if (others_could && !stopping_ && !someone_leads()) {
    probe_ = !polling();
    see_to_it();
  }
  return heavy_ > known || (heavy_ > 0 && !polling() && leading_ == 0);
}

template <class Sync, class Host>
bool Crew<Sync, Host>::inspect(Member& member) {
  const std::uint64_t run = member.run.load(std::memory_order_relaxed);
  if (run == 0 || run != member.run_at_last_tick) return false;
  if (member.heavy) return true;
  const std::chrono::nanoseconds cpu = member.probe.cpu_time();
  if (std::exchange(member.suspect, run) != run) {
    member.ticks_suspected = 0;
    member.cpu_when_suspected = cpu;
    return false;
  }
  if (cpu - member.cpu_when_suspected < options_.tick / 2) {
    if (++member.ticks_suspected < kBlockedAfter) return false;
    member.ticks_suspected = 0;
    if (!member.probe.blocked().value_or(true)) return false;  // it waits for a processor
  }
  count_as_heavy(member);
  return true;
}

}  // namespace heddle::scheduler
