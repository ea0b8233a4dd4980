// What comes from outside the loop: signals, ev_async_send() of other threads, children that end.
#include <sys/eventfd.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>

#include "base/assert.hpp"
#include "multivent/libev/functions.hpp"
#include "multivent/libev/loop.hpp"
#include "multivent/libev/memory.hpp"
#include "multivent/program/own_functions.hpp"

using namespace heddle::multivent;
using namespace heddle::multivent::libev;

namespace {

struct WatchedSignal {
  std::atomic<int> pending{0};
  std::atomic<ev_loop*> loop{nullptr};  // that has watchers for it
  ev_watcher_list* first = nullptr;     // guarded by the mutex of that loop
};

// By number, from 1.
std::array<WatchedSignal, NSIG> signals;

// Of the default loop, by process: 0 stands for all.
constexpr std::size_t kChildLists = 16;
std::array<ev_watcher_list*, kChildLists> children{};
ev_signal child_signal{};

std::size_t child_list(int pid) { return static_cast<std::size_t>(pid) % kChildLists; }

void unlink(ev_watcher_list*& first, const ev_watcher_list& watcher) {
  for (ev_watcher_list** at = &first; *at != nullptr; at = &(*at)->next) {
    if (*at != &watcher) continue;
    *at = watcher.next;
    return;
  }
}

void link(ev_watcher_list*& first, ev_watcher_list& watcher) {
  watcher.next = first;
  first = &watcher;
}

void has_come(int signum) { feed_signal(signum); }

void loop_was_woken(ev_loop* loop, void*, int revents) {
  LoopLock lock(loop);
  loop->woken(revents);
}

void child_has_ended(ev_loop* loop, void*, int) {
  LoopLock lock(loop);
  loop->reap_children();
}

const OwnFunction wakeup_name(reinterpret_cast<const void*>(loop_was_woken), "libev's signals and messages");
const OwnFunction child_name(reinterpret_cast<const void*>(child_has_ended), "libev's look for children");

}  // namespace

// Async-signal-safe.
void heddle::multivent::libev::feed_signal(int signum) {
  if (signum <= 0 || signum >= NSIG) return;
  WatchedSignal& signal = signals[static_cast<std::size_t>(signum)];
  ev_loop* const loop = signal.loop.load();
  if (loop == nullptr) return;
  signal.pending.store(1);
  loop->wake(loop->signal_pending);
}

// --- Waking the loop ---

void ev_loop::open_wakeup() {
  if (wakeup_watcher.active != 0) return;
  while ((wakeup_fd = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC)) < 0)
    system_error("(libev) error creating signal/async pipe");
  wakeup_watcher.cb = loop_was_woken;
  wakeup_watcher.priority = kHighestPriority;
  wakeup_watcher.fd = wakeup_fd;
  wakeup_watcher.events = kRead | kDescriptorSet;
  io_start(wakeup_watcher);
  --active;
}

void ev_loop::wake(std::atomic<int>& flag) {
  if (flag.exchange(1) != 0) return;
  wake_wanted_later.store(1);
  if (waiting.load() == 0) return;
  wake_wanted_later.store(0);
  const int error = errno;
  const std::uint64_t one = 1;
  [[maybe_unused]] const ssize_t written = write(wakeup_fd, &one, sizeof one);
  errno = error;
}

void ev_loop::woken(int revents) {
  if (revents & kRead) {
    std::uint64_t count = 0;
    [[maybe_unused]] const ssize_t got = read(wakeup_fd, &count, sizeof count);
  }
  wake_wanted_later.store(0);
  if (signal_pending.exchange(0) != 0) {
    for (int signum = NSIG - 1; signum > 0; --signum)
      if (signals[static_cast<std::size_t>(signum)].pending.load() != 0) feed_signal_event(signum);
  }
  if (async_pending.exchange(0) != 0) {
    for (std::size_t i = asyncs.size(); i-- > 0;) {
      auto& watcher = static_cast<ev_async&>(asyncs[i]);
      if (__atomic_exchange_n(&watcher.sent, 0, __ATOMIC_SEQ_CST) != 0) feed(watcher, kAsync);
    }
  }
}

void ev_loop::reopen_own() {
  if (clock_watcher.active != 0) {
    ++active;
    io_stop(clock_watcher);
    close(clock_fd);
    clock_fd = -1;
    watch_clock();
    feed(clock_watcher, kCustom);
  }
  if (wakeup_watcher.active != 0) {
    ++active;
    io_stop(wakeup_watcher);
    close(wakeup_fd);
    open_wakeup();
    feed(wakeup_watcher, kCustom);
  }
}

// --- Signals ---

void ev_loop::feed_signal_event(int signum) {
  if (signum <= 0 || signum >= NSIG) return;
  WatchedSignal& signal = signals[static_cast<std::size_t>(signum)];
  if (signal.loop.load() != this) return;
  signal.pending.store(0);
  for (ev_watcher_list* each = signal.first; each != nullptr; each = each->next) feed(*each, kSignal);
}

void ev_loop::signal_start(ev_signal& watcher) {
  if (watcher.active != 0) return;
  HEDDLE_ASSERT(watcher.signum > 0 && watcher.signum < NSIG);
  WatchedSignal& signal = signals[static_cast<std::size_t>(watcher.signum)];
  HEDDLE_ASSERT(signal.loop.load() == nullptr || signal.loop.load() == this);
  signal.loop.store(this);
  start(watcher);
  link(signal.first, watcher);
  if (watcher.next != nullptr) return;
  open_wakeup();
  struct sigaction action{};
  action.sa_handler = has_come;
  sigfillset(&action.sa_mask);
  action.sa_flags = SA_RESTART;
  sigaction(watcher.signum, &action, nullptr);
  if (!(original_flags & kNoSignalMask)) return;
  sigset_t only{};
  sigemptyset(&only);
  sigaddset(&only, watcher.signum);
  pthread_sigmask(SIG_UNBLOCK, &only, nullptr);
}

void ev_loop::signal_stop(ev_signal& watcher) {
  clear_pending(watcher);
  if (watcher.active == 0) return;
  WatchedSignal& signal = signals[static_cast<std::size_t>(watcher.signum)];
  unlink(signal.first, watcher);
  stop(watcher);
  if (signal.first != nullptr) return;
  signal.loop.store(nullptr);
  std::signal(watcher.signum, SIG_DFL);
}

// --- Children ---

void heddle::multivent::libev::watch_children(ev_loop& loop) {
  child_signal = {};
  child_signal.cb = child_has_ended;
  child_signal.signum = SIGCHLD;
  child_signal.priority = kHighestPriority;
  loop.signal_start(child_signal);
  --loop.active;
}

void heddle::multivent::libev::watch_children_no_more(ev_loop& loop) {
  if (child_signal.active == 0) return;
  ++loop.active;
  loop.signal_stop(child_signal);
}

void ev_loop::child_start(ev_child& watcher) {
  HEDDLE_ASSERT(this == ev_default_loop_ptr);
  if (watcher.active != 0) return;
  start(watcher);
  link(children[child_list(watcher.pid)], watcher);
}

void ev_loop::child_stop(ev_child& watcher) {
  clear_pending(watcher);
  if (watcher.active == 0) return;
  unlink(children[child_list(watcher.pid)], watcher);
  stop(watcher);
}

// One child at a time, so that its watcher is called before the next one's end is looked at.
void ev_loop::reap_children() {
  int status = 0;
  const int pid = waitpid(-1, &status, WNOHANG | WUNTRACED | WCONTINUED);
  if (pid <= 0) return;
  feed(child_signal, kSignal);
  const bool goes_on = WIFSTOPPED(status) || WIFCONTINUED(status);
  for (const int list : {pid, 0}) {
    for (ev_watcher_list* each = children[child_list(list)]; each != nullptr; each = each->next) {
      auto& watcher = static_cast<ev_child&>(*each);
      if ((watcher.pid != pid && watcher.pid != 0) || (goes_on && !(watcher.flags & 1))) continue;
      watcher.priority = kHighestPriority;
      watcher.rpid = pid;
      watcher.rstatus = status;
      feed(watcher, kChild);
    }
  }
}
