// Loops: making, asking and running them, and what is pending.
#include "multivent/libev/functions.hpp"

#include <new>

#include "multivent/libev/loop.hpp"
#include "multivent/libev/memory.hpp"
#include "multivent/libev/once.hpp"
#include "multivent/process/runtime.hpp"
#include "multivent/process/startup.hpp"

using namespace heddle::multivent;
using namespace heddle::multivent::libev;

ev_loop* ev_default_loop_ptr = nullptr;

namespace {

bool crew_runs(ev_loop& loop) {
  const LoopLock lock(&loop);
  return loop.calls.driver.runs();
}

}  // namespace

int ev_version_major() { return 4; }
int ev_version_minor() { return 33; }
// Others of libev's ways to wait are those that a kernel may be without.
unsigned ev_supported_backends() { return kSelectBackend | kPollBackend | kEpollBackend; }
unsigned ev_recommended_backends() { return ev_supported_backends(); }
unsigned ev_embeddable_backends() { return kEpollBackend; }
double ev_time() { return wall_time(); }
void ev_sleep(double delay) { heddle::multivent::libev::sleep(delay); }
void ev_set_allocator(void* (*function)(void*, long)) { set_allocator(function); }
void ev_set_syserr_cb(void (*function)(const char*)) { set_error_function(function); }

// --- Loops ---

ev_loop* ev_loop_new(unsigned flags) {
  Startup::get().settle();
  auto* const loop = new (take(sizeof(ev_loop))) ev_loop(flags, Runtime::get().loop_options());
  if (loop->open()) {
    Runtime::get().add(loop->calls);
    return loop;
  }
  loop->~ev_loop();
  give_back(loop);
  return nullptr;
}

ev_loop* ev_default_loop(unsigned flags) {
  if (ev_default_loop_ptr != nullptr) return ev_default_loop_ptr;
  ev_default_loop_ptr = ev_loop_new(flags);
  if (ev_default_loop_ptr == nullptr) return nullptr;
  const LoopLock lock(ev_default_loop_ptr);
  watch_children(*ev_default_loop_ptr);
  return ev_default_loop_ptr;
}

void ev_loop_destroy(ev_loop* loop) {
  if (loop == nullptr) return;
  {
    LoopLock lock(loop);
    if (!loop->cleanups.empty()) {
      loop->feed_all(loop->cleanups, kCleanup);
      loop->invoke_all(lock.lock());
    }
  }
  if (loop == ev_default_loop_ptr) {
    const LoopLock lock(loop);
    watch_children_no_more(*loop);
    ev_default_loop_ptr = nullptr;
  }
  Runtime::get().remove(loop->calls);
  // A handler has ended the process, and its functions of atexit() clean up: threads of a crew sleep in the loop until
  // the process is gone.
  if (crew_runs(*loop)) return;
  loop->~ev_loop();
  give_back(loop);
}

void ev_loop_fork(ev_loop* loop) {
  const LoopLock lock(loop);
  loop->forked = 1;
}

int ev_run(ev_loop* loop, int flags) {
  Runtime::get().runs_loop();
  LoopLock lock(loop);
  return loop->run(lock.lock(), flags);
}

void ev_break(ev_loop* loop, int how) {
  const LoopLock lock(loop);
  loop->leave = how;
}

void ev_ref(ev_loop* loop) {
  const LoopLock lock(loop);
  ++loop->active;
}

void ev_unref(ev_loop* loop) {
  const LoopLock lock(loop);
  --loop->active;
}

// The loop changes these only while no callback runs, or in a call that conflicts with those that ask.
double ev_now(ev_loop* loop) { return loop->now; }
unsigned ev_backend(ev_loop* loop) { return loop->backend; }
unsigned ev_iteration(ev_loop* loop) { return loop->iterations; }
unsigned ev_depth(ev_loop* loop) { return loop->depth; }
void ev_verify(ev_loop*) {}
void ev_set_userdata(ev_loop* loop, void* data) { loop->userdata = data; }
void* ev_userdata(ev_loop* loop) { return loop->userdata; }

void ev_now_update(ev_loop* loop) {
  const LoopLock lock(loop);
  loop->update_time();
}

void ev_suspend(ev_loop* loop) { ev_now_update(loop); }

void ev_resume(ev_loop* loop) {
  const LoopLock lock(loop);
  const double before = loop->monotonic;
  loop->update_time();
  loop->shift_timers(loop->monotonic - before);
  loop->periodics_reschedule();
}

void ev_set_io_collect_interval(ev_loop* loop, double interval) {
  const LoopLock lock(loop);
  loop->io_interval = interval;
}

void ev_set_timeout_collect_interval(ev_loop* loop, double interval) {
  const LoopLock lock(loop);
  loop->timer_interval = interval;
}

void ev_set_invoke_pending_cb(ev_loop* loop, ev_loop_callback function) {
  const LoopLock lock(loop);
  loop->invoke = function == ev_invoke_pending ? nullptr : function;
}

void ev_set_loop_release_cb(ev_loop* loop, ev_loop_callback release, ev_loop_callback acquire) {
  const LoopLock lock(loop);
  loop->release = release;
  loop->acquire = acquire;
}

// --- What is pending ---

void ev_invoke_pending(ev_loop* loop) {
  LoopLock lock(loop);
  loop->invoke_pending(lock.lock());
}

unsigned ev_pending_count(ev_loop* loop) {
  const LoopLock lock(loop);
  return static_cast<unsigned>(loop->calls.active_events.now);
}

void ev_feed_event(ev_loop* loop, void* watcher, int revents) {
  const LoopLock lock(loop);
  loop->feed(*static_cast<ev_watcher*>(watcher), revents);
}

void ev_feed_fd_event(ev_loop* loop, int fd, int revents) {
  const LoopLock lock(loop);
  loop->feed_descriptor(fd, revents);
}

void ev_feed_signal(int signum) { feed_signal(signum); }

void ev_feed_signal_event(ev_loop* loop, int signum) {
  const LoopLock lock(loop);
  loop->feed_signal_event(signum);
}

void ev_invoke(ev_loop* loop, void* watcher, int revents) {
  static_cast<ev_watcher*>(watcher)->cb(loop, watcher, revents);
}

int ev_clear_pending(ev_loop* loop, void* watcher) {
  const LoopLock lock(loop);
  return loop->clear_pending(*static_cast<ev_watcher*>(watcher));
}

void ev_once(ev_loop* loop, int fd, int events, double timeout, void (*function)(int, void*), void* argument) {
  const LoopLock lock(loop);
  once(*loop, fd, events, timeout, function, argument);
}
