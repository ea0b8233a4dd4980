// libev 4.33's ABI: the layout of watchers, and the numbers that programs and the library exchange.
//
// Programs embed watchers, and the macros of <ev.h> store into them and read them without a call: so the layout is that
// of a build with EV_MULTIPLICITY, EV_COMMON as `void *data`, and five priorities, as distributions have it. Numbers
// have names of our own here, for libevent's header defines some of them as other values.
//
// What a program sees of a watcher without asking is `active`, `pending` and what its macros set. libev keeps in
// `active` where the watcher stands in its tables, which changes with others; here it is 1 as long as the watcher is
// active, so that nobody else's start or stop writes what this one's handler reads. The place is kept in bytes that
// the layout leaves free (`place`).
#pragma once

#include <sys/stat.h>

#include <csignal>
#include <cstddef>

struct ev_loop;

extern "C" {

struct ev_watcher {
  int active;
  int pending;
  int priority;
  int place;  // ours; padding to programs
  void* data;
  void (*cb)(ev_loop* loop, void* watcher, int revents);
};

struct ev_watcher_list : ev_watcher {
  ev_watcher_list* next;
};

struct ev_watcher_time : ev_watcher {
  double at;
};

struct ev_io : ev_watcher_list {
  int fd;
  int events;
};

struct ev_timer : ev_watcher_time {
  double repeat;
};

struct ev_periodic : ev_watcher_time {
  double offset;
  double interval;
  double (*reschedule_cb)(ev_periodic* watcher, double now);
};

struct ev_signal : ev_watcher_list {
  int signum;
};

struct ev_child : ev_watcher_list {
  int flags;
  int pid;
  int rpid;
  int rstatus;
};

struct ev_stat : ev_watcher_list {
  ev_timer timer;
  double interval;
  const char* path;
  struct stat prev;
  struct stat attr;
  int wd;
};

struct ev_idle : ev_watcher {};
struct ev_prepare : ev_watcher {};
struct ev_check : ev_watcher {};
struct ev_fork : ev_watcher {};
struct ev_cleanup : ev_watcher {};

struct ev_embed : ev_watcher {
  ev_loop* other;
  ev_io io;
  ev_prepare prepare;
  ev_check unused_check;
  ev_timer unused_timer;
  ev_periodic unused_periodic;
  ev_idle unused_idle;
  ev_fork fork;
  ev_cleanup unused_cleanup;
};

struct ev_async : ev_watcher {
  volatile std::sig_atomic_t sent;
};

using ev_loop_callback = void (*)(ev_loop* loop);

}  // extern "C"

namespace heddle::multivent::libev {

// What an event is.
inline constexpr int kRead = 0x01;
inline constexpr int kWrite = 0x02;
inline constexpr int kDescriptorSet = 0x80;  // in ev_io::events: ev_io_set() was called since the last start
inline constexpr int kTimer = 0x100;
inline constexpr int kPeriodic = 0x200;
inline constexpr int kSignal = 0x400;
inline constexpr int kChild = 0x800;
inline constexpr int kStat = 0x1000;
inline constexpr int kIdle = 0x2000;
inline constexpr int kPrepare = 0x4000;
inline constexpr int kCheck = 0x8000;
inline constexpr int kEmbed = 0x10000;
inline constexpr int kFork = 0x20000;
inline constexpr int kCleanup = 0x40000;
inline constexpr int kAsync = 0x80000;
inline constexpr int kCustom = 0x1000000;
inline constexpr int kError = static_cast<int>(0x80000000U);

inline constexpr int kLowestPriority = -2;
inline constexpr int kHighestPriority = 2;
inline constexpr int kPriorities = kHighestPriority - kLowestPriority + 1;

// Of ev_loop_new() and ev_default_loop().
inline constexpr unsigned kNoEnvironment = 0x01000000U;
inline constexpr unsigned kForkCheck = 0x02000000U;
inline constexpr unsigned kNoInotify = 0x00100000U;
inline constexpr unsigned kNoSignalMask = 0x00400000U;
inline constexpr unsigned kNoTimerDescriptor = 0x00800000U;
inline constexpr unsigned kSelectBackend = 0x1U;
inline constexpr unsigned kPollBackend = 0x2U;
inline constexpr unsigned kEpollBackend = 0x4U;
inline constexpr unsigned kBackends = 0xffffU;

// Of ev_run() and ev_break().
inline constexpr int kNoWait = 1;
inline constexpr int kOnce = 2;
inline constexpr int kBreakCancel = 0;
inline constexpr int kBreakOne = 1;

// Of types with a base that has members, which compilers support but the standard leaves to them.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Winvalid-offsetof"
static_assert(offsetof(ev_watcher, data) == 16 && sizeof(ev_watcher) == 32);
static_assert(offsetof(ev_io, fd) == 40 && sizeof(ev_io) == 48);
static_assert(offsetof(ev_timer, at) == 32 && offsetof(ev_timer, repeat) == 40 && sizeof(ev_timer) == 48);
static_assert(offsetof(ev_periodic, reschedule_cb) == 56 && sizeof(ev_periodic) == 64);
static_assert(offsetof(ev_signal, signum) == 40 && sizeof(ev_signal) == 48);
static_assert(offsetof(ev_child, rstatus) == 52 && sizeof(ev_child) == 56);
static_assert(offsetof(ev_stat, path) == 96 && offsetof(ev_stat, wd) == 392 && sizeof(ev_stat) == 400);
static_assert(offsetof(ev_embed, io) == 40 && offsetof(ev_embed, prepare) == 88 && offsetof(ev_embed, fork) == 296 &&
              sizeof(ev_embed) == 360);
static_assert(offsetof(ev_async, sent) == 32 && sizeof(ev_async) == 40);
#pragma GCC diagnostic pop

}  // namespace heddle::multivent::libev
