// Starting and stopping watchers.
//
// A watcher that is stopped while another thread is in its callback is stopped when that has returned: libev would be
// between two callbacks.
#include "multivent/libev/functions.hpp"
#include "multivent/libev/loop.hpp"
#include "multivent/program/own_functions.hpp"

using namespace heddle::multivent;
using namespace heddle::multivent::libev;

namespace {

// Between two callbacks, as far as this watcher goes.
class Between {
 public:
  Between(ev_loop* loop, const ev_watcher& watcher) : lock_(loop) { loop->await(lock_.lock(), watcher); }

 private:
  LoopLock lock_;
};

void list_start(ev_loop& loop, WatcherList& list, ev_watcher& watcher) {
  if (watcher.active != 0) return;
  loop.start(watcher);
  list.add(watcher);
}

// False if it was not active.
bool list_stop(ev_loop& loop, WatcherList& list, ev_watcher& watcher) {
  loop.clear_pending(watcher);
  if (watcher.active == 0) return false;
  list.remove(watcher);
  loop.stop(watcher);
  return true;
}

}  // namespace

void ev_io_start(ev_loop* loop, ev_io* watcher) {
  const LoopLock lock(loop);
  loop->io_start(*watcher);
}

void ev_io_stop(ev_loop* loop, ev_io* watcher) {
  const Between between(loop, *watcher);
  loop->io_stop(*watcher);
}

// --- Time ---

void ev_timer_start(ev_loop* loop, ev_timer* watcher) {
  const LoopLock lock(loop);
  loop->timer_start(*watcher);
}

void ev_timer_stop(ev_loop* loop, ev_timer* watcher) {
  const Between between(loop, *watcher);
  loop->timer_stop(*watcher);
}

void ev_timer_again(ev_loop* loop, ev_timer* watcher) {
  const Between between(loop, *watcher);
  loop->timer_again(*watcher);
}

double ev_timer_remaining(ev_loop* loop, ev_timer* watcher) {
  const LoopLock lock(loop);
  return watcher->at - (watcher->active != 0 ? loop->monotonic : 0);
}

void ev_periodic_start(ev_loop* loop, ev_periodic* watcher) {
  const LoopLock lock(loop);
  loop->periodic_start(*watcher);
}

void ev_periodic_stop(ev_loop* loop, ev_periodic* watcher) {
  const Between between(loop, *watcher);
  loop->periodic_stop(*watcher);
}

void ev_periodic_again(ev_loop* loop, ev_periodic* watcher) {
  const Between between(loop, *watcher);
  loop->periodic_stop(*watcher);
  loop->periodic_start(*watcher);
}

// --- Signals, children, files, other threads ---

void ev_signal_start(ev_loop* loop, ev_signal* watcher) {
  const LoopLock lock(loop);
  loop->signal_start(*watcher);
}

void ev_signal_stop(ev_loop* loop, ev_signal* watcher) {
  const Between between(loop, *watcher);
  loop->signal_stop(*watcher);
}

void ev_child_start(ev_loop* loop, ev_child* watcher) {
  const LoopLock lock(loop);
  loop->child_start(*watcher);
}

void ev_child_stop(ev_loop* loop, ev_child* watcher) {
  const Between between(loop, *watcher);
  loop->child_stop(*watcher);
}

void ev_stat_start(ev_loop* loop, ev_stat* watcher) {
  const LoopLock lock(loop);
  loop->stat_start(*watcher);
}

void ev_stat_stop(ev_loop* loop, ev_stat* watcher) {
  const Between between(loop, *watcher);
  loop->stat_stop(*watcher);
}

void ev_stat_stat(ev_loop*, ev_stat* watcher) { stat_now(*watcher); }

void ev_async_start(ev_loop* loop, ev_async* watcher) {
  const LoopLock lock(loop);
  if (watcher->active != 0) return;
  watcher->sent = 0;
  loop->open_wakeup();
  list_start(*loop, loop->asyncs, *watcher);
}

void ev_async_stop(ev_loop* loop, ev_async* watcher) {
  const Between between(loop, *watcher);
  list_stop(*loop, loop->asyncs, *watcher);
}

// On any thread, and in signal handlers.
void ev_async_send(ev_loop* loop, ev_async* watcher) {
  __atomic_store_n(&watcher->sent, 1, __ATOMIC_SEQ_CST);
  loop->wake(loop->async_pending);
}

// --- Around the poll ---

void ev_idle_start(ev_loop* loop, ev_idle* watcher) {
  const LoopLock lock(loop);
  if (watcher->active != 0) return;
  loop->start(*watcher);
  loop->idles[static_cast<std::size_t>(watcher->priority - kLowestPriority)].add(*watcher);
  ++loop->idle_count;
}

void ev_idle_stop(ev_loop* loop, ev_idle* watcher) {
  const Between between(loop, *watcher);
  WatcherList& list = loop->idles[static_cast<std::size_t>(watcher->priority - kLowestPriority)];
  if (list_stop(*loop, list, *watcher)) --loop->idle_count;
}

void ev_prepare_start(ev_loop* loop, ev_prepare* watcher) {
  const LoopLock lock(loop);
  list_start(*loop, loop->prepares, *watcher);
}

void ev_prepare_stop(ev_loop* loop, ev_prepare* watcher) {
  const Between between(loop, *watcher);
  list_stop(*loop, loop->prepares, *watcher);
}

void ev_check_start(ev_loop* loop, ev_check* watcher) {
  const LoopLock lock(loop);
  list_start(*loop, loop->checks, *watcher);
}

void ev_check_stop(ev_loop* loop, ev_check* watcher) {
  const Between between(loop, *watcher);
  list_stop(*loop, loop->checks, *watcher);
}

void ev_fork_start(ev_loop* loop, ev_fork* watcher) {
  const LoopLock lock(loop);
  list_start(*loop, loop->forks, *watcher);
}

void ev_fork_stop(ev_loop* loop, ev_fork* watcher) {
  const Between between(loop, *watcher);
  list_stop(*loop, loop->forks, *watcher);
}

// These do not keep the loop alive.
void ev_cleanup_start(ev_loop* loop, ev_cleanup* watcher) {
  const LoopLock lock(loop);
  if (watcher->active != 0) return;
  list_start(*loop, loop->cleanups, *watcher);
  --loop->active;
}

void ev_cleanup_stop(ev_loop* loop, ev_cleanup* watcher) {
  const Between between(loop, *watcher);
  if (list_stop(*loop, loop->cleanups, *watcher)) ++loop->active;
}

// --- A loop in a loop ---

namespace {

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Winvalid-offsetof"
ev_embed& around(void* part, std::size_t offset) {
  return *reinterpret_cast<ev_embed*>(static_cast<char*>(part) - offset);
}
constexpr std::size_t kIoAt = offsetof(ev_embed, io);
constexpr std::size_t kPrepareAt = offsetof(ev_embed, prepare);
constexpr std::size_t kForkAt = offsetof(ev_embed, fork);
#pragma GCC diagnostic pop

void inner_is_ready(ev_loop* loop, void* io, int) {
  ev_embed& watcher = around(io, kIoAt);
  if (watcher.cb != nullptr) {
    ev_feed_event(loop, &watcher, kEmbed);
  } else {
    ev_run(watcher.other, kNoWait);
  }
}

bool inner_has_changes(ev_loop* inner) {
  const LoopLock lock(inner);
  if (!inner->has_changes()) return false;
  inner->apply_changes();
  return true;
}

// The kernel must know what the inner loop waits for before the outer one polls.
void outer_will_poll(ev_loop*, void* prepare, int) {
  ev_loop* const inner = around(prepare, kPrepareAt).other;
  while (inner_has_changes(inner)) ev_run(inner, kNoWait);
}

void outer_has_forked(ev_loop* loop, void* fork, int) {
  ev_embed& watcher = around(fork, kForkAt);
  ev_embed_stop(loop, &watcher);
  ev_loop_fork(watcher.other);
  ev_run(watcher.other, kNoWait);
  ev_embed_start(loop, &watcher);
}

const OwnFunction ready_name(reinterpret_cast<const void*>(inner_is_ready), "libev's loop in a loop");
const OwnFunction poll_name(reinterpret_cast<const void*>(outer_will_poll), "libev's loop in a loop, before a poll");
const OwnFunction fork_name(reinterpret_cast<const void*>(outer_has_forked), "libev's loop in a loop, after fork()");

}  // namespace

void ev_embed_start(ev_loop* loop, ev_embed* watcher) {
  const LoopLock lock(loop);
  if (watcher->active != 0) return;
  watcher->io = {};
  watcher->io.cb = inner_is_ready;
  watcher->io.priority = watcher->priority;
  watcher->io.fd = watcher->other->epoll_fd;
  watcher->io.events = kRead | kDescriptorSet;
  loop->io_start(watcher->io);
  watcher->prepare = {};
  watcher->prepare.cb = outer_will_poll;
  watcher->prepare.priority = kLowestPriority;
  list_start(*loop, loop->prepares, watcher->prepare);
  watcher->fork = {};
  watcher->fork.cb = outer_has_forked;
  list_start(*loop, loop->forks, watcher->fork);
  loop->start(*watcher);
}

void ev_embed_stop(ev_loop* loop, ev_embed* watcher) {
  const Between between(loop, *watcher);
  loop->clear_pending(*watcher);
  if (watcher->active == 0) return;
  loop->io_stop(watcher->io);
  list_stop(*loop, loop->prepares, watcher->prepare);
  list_stop(*loop, loop->forks, watcher->fork);
  loop->stop(*watcher);
}

void ev_embed_sweep(ev_loop*, ev_embed* watcher) { ev_run(watcher->other, kNoWait); }
