// A random program on libev: what a seed stands for, and what its watchers see.
//
//   watchers serial SEED    every kind of watcher; each callback does random things to all of them
//   watchers crew SEED      the same, without what only one thread may do
//   watchers sessions SEED  several sessions, each of a descriptor and two timers, which keep to themselves
//
// Runs under a simulated clock (kernel.h), so that two runs can be compared line by line.
#include <errno.h>
#include <ev.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/timerfd.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "kernel.h"

// What multivent/calls/watcher_fields.hpp says of these.
_Static_assert(offsetof(ev_watcher, data) == 16 && sizeof(ev_watcher) == 32, "");
_Static_assert(offsetof(ev_io, fd) == 40 && sizeof(ev_io) == 48, "");
_Static_assert(offsetof(ev_timer, at) == 32 && offsetof(ev_timer, repeat) == 40 && sizeof(ev_timer) == 48, "");
_Static_assert(offsetof(ev_periodic, reschedule_cb) == 56 && sizeof(ev_periodic) == 64, "");
_Static_assert(offsetof(ev_signal, signum) == 40 && sizeof(ev_signal) == 48, "");
_Static_assert(offsetof(ev_child, rstatus) == 52 && sizeof(ev_child) == 56, "");
_Static_assert(offsetof(ev_stat, path) == 96 && offsetof(ev_stat, wd) == 392 && sizeof(ev_stat) == 400, "");
_Static_assert(offsetof(ev_embed, io) == 40 && offsetof(ev_embed, fork) == 296 && sizeof(ev_embed) == 360, "");
_Static_assert(offsetof(ev_async, sent) == 32 && sizeof(ev_async) == 40, "");

enum { kSlots = 12, kMostCalls = 160, kMostIterations = 60, kMostDepth = 3, kSessions = 6, kSessionCalls = 24 };
enum { kStep_us = 1000 };  // libev waits until just when a timer ends, which is over only later

// What tells of a clock that was set would be over at once under a clock of 1970.
int timerfd_settime(int fd, int flags, const struct itimerspec* value, struct itimerspec* old) {
  (void)fd, (void)flags, (void)value, (void)old;
  return 0;
}

// libev asks for the time without the C library's function.
long syscall(long number, ...) {
  long words[6];
  va_list arguments;
  va_start(arguments, number);
  for (int i = 0; i < 6; ++i) words[i] = va_arg(arguments, long);
  va_end(arguments);
  if (number == SYS_clock_gettime && (words[0] == CLOCK_MONOTONIC || words[0] == CLOCK_REALTIME))
    return clock_gettime((clockid_t)words[0], (struct timespec*)words[1]);
  long result;
  register long fourth __asm__("r10") = words[3];
  register long fifth __asm__("r8") = words[4];
  register long sixth __asm__("r9") = words[5];
  __asm__ volatile("syscall"
                   : "=a"(result)
                   : "a"(number), "D"(words[0]), "S"(words[1]), "d"(words[2]), "r"(fourth), "r"(fifth), "r"(sixth)
                   : "rcx", "r11", "memory");
  if (result >= 0 || result < -4095) return result;
  errno = (int)-result;
  return -1;
}

struct random_state {
  uint64_t state;
};

static unsigned next(struct random_state* random, unsigned below) {
  random->state = random->state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
  return (unsigned)(random->state >> 33) % below;
}

enum kind { kIo, kTimer, kPeriodic, kIdle, kPrepare, kCheck, kSignal, kAsync, kFork, kCleanup, kChild, kEmbed, kKinds };
static const char* const kind_names[] = {"io",     "timer", "periodic", "idle",    "prepare", "check",
                                         "signal", "async", "fork",     "cleanup", "child",   "embed"};

struct slot {
  enum kind kind;
  union ev_any_watcher any;
  int ends[2];  // of an io watcher: it waits for the first
};

static struct ev_loop* loop;
static struct ev_loop* inner;
static ev_timer inner_timer;
static ev_io inner_io;
static int inner_ends[2];
static struct slot slots[kSlots];
static struct random_state random_state;
static bool parallel;
static int calls_made;
static int iterations;
static int references;  // that were given up
static bool over;

static ev_watcher* watcher_of(struct slot* slot) { return &slot->any.w; }

static void start(struct slot* slot) {
  switch (slot->kind) {
    case kIo:
      ev_io_start(loop, &slot->any.io);
      break;
    case kTimer:
      ev_timer_start(loop, &slot->any.timer);
      break;
    case kPeriodic:
      ev_periodic_start(loop, &slot->any.periodic);
      break;
    case kIdle:
      ev_idle_start(loop, &slot->any.idle);
      break;
    case kPrepare:
      ev_prepare_start(loop, &slot->any.prepare);
      break;
    case kCheck:
      ev_check_start(loop, &slot->any.check);
      break;
    case kSignal:
      ev_signal_start(loop, &slot->any.signal);
      break;
    case kAsync:
      ev_async_start(loop, &slot->any.async);
      break;
    case kFork:
      ev_fork_start(loop, &slot->any.fork);
      break;
    case kCleanup:
      ev_cleanup_start(loop, &slot->any.cleanup);
      break;
    case kChild:
      ev_child_start(loop, &slot->any.child);
      break;
    case kEmbed:
      ev_embed_start(loop, &slot->any.embed);
      break;
    case kKinds:
      break;
  }
}

static void stop(struct slot* slot) {
  switch (slot->kind) {
    case kIo:
      ev_io_stop(loop, &slot->any.io);
      break;
    case kTimer:
      ev_timer_stop(loop, &slot->any.timer);
      break;
    case kPeriodic:
      ev_periodic_stop(loop, &slot->any.periodic);
      break;
    case kIdle:
      ev_idle_stop(loop, &slot->any.idle);
      break;
    case kPrepare:
      ev_prepare_stop(loop, &slot->any.prepare);
      break;
    case kCheck:
      ev_check_stop(loop, &slot->any.check);
      break;
    case kSignal:
      ev_signal_stop(loop, &slot->any.signal);
      break;
    case kAsync:
      ev_async_stop(loop, &slot->any.async);
      break;
    case kFork:
      ev_fork_stop(loop, &slot->any.fork);
      break;
    case kCleanup:
      ev_cleanup_stop(loop, &slot->any.cleanup);
      break;
    case kChild:
      ev_child_stop(loop, &slot->any.child);
      break;
    case kEmbed:
      ev_embed_stop(loop, &slot->any.embed);
      break;
    case kKinds:
      break;
  }
}

static double some_time(unsigned most) { return next(&random_state, most) * 0.25; }

static double reschedule(ev_periodic* watcher, double now) {
  (void)watcher;
  return now + 1.5;
}

static void on_slot(int number, int revents);

// clang-format off
#define SLOT(n) \
  void slot_##n(struct ev_loop* l, ev_watcher* w, int revents) { (void)l, (void)w, on_slot(n, revents); }
SLOT(0) SLOT(1) SLOT(2) SLOT(3) SLOT(4) SLOT(5) SLOT(6) SLOT(7) SLOT(8) SLOT(9) SLOT(10) SLOT(11)
    // clang-format on
    typedef void (*callback)(struct ev_loop*, ev_watcher*, int);
static const callback callbacks[kSlots] = {slot_0, slot_1, slot_2, slot_3, slot_4,  slot_5,
                                           slot_6, slot_7, slot_8, slot_9, slot_10, slot_11};

static void set_up(int number) {
  struct slot* slot = &slots[number];
  ev_watcher* watcher = watcher_of(slot);
  memset(&slot->any, 0, sizeof slot->any);
  ev_init(watcher, callbacks[number]);
  ev_set_priority(watcher, (int)next(&random_state, 7) - 3);
  switch (slot->kind) {
    case kIo:
      ev_io_set(&slot->any.io, slot->ends[0], (int)next(&random_state, 3) + 1);
      break;
    case kTimer:
      ev_timer_set(&slot->any.timer, some_time(8), next(&random_state, 2) ? some_time(6) : 0.);
      break;
    case kPeriodic: {
      const unsigned how = next(&random_state, 3);
      ev_periodic_set(&slot->any.periodic, how == 0 ? ev_now(loop) + some_time(8) : some_time(4),
                      how == 1 ? 0.5 + some_time(4) : 0., how == 2 ? reschedule : 0);
      break;
    }
    case kSignal:
      ev_signal_set(&slot->any.signal, next(&random_state, 2) ? SIGUSR1 : SIGUSR2);
      break;
    case kChild:
      ev_child_set(&slot->any.child, 0, 0);
      break;
    case kEmbed:
      ev_embed_set(&slot->any.embed, inner);
      break;
    default:
      break;
  }
}

static void on_once(int revents, void* argument) {
  kernel_enter_callback();
  printf("once %d, what %#x, now %.3f\n", (int)(intptr_t)argument, (unsigned)revents, ev_now(loop));
  kernel_leave_callback();
}

static void on_inner(struct ev_loop* l, ev_timer* w, int revents) {
  printf("inner, what %#x, now %.3f, remaining %.3f\n", (unsigned)revents, ev_now(l), ev_timer_remaining(l, w));
}

static void read_all(int fd) {
  char bytes[64];
  while (recv(fd, bytes, sizeof bytes, MSG_DONTWAIT) > 0) {
  }
}

static void on_inner_io(struct ev_loop* l, ev_io* w, int revents) {
  printf("inner io, what %#x, now %.3f\n", (unsigned)revents, ev_now(l));
  read_all(w->fd);
}

// The signal for its end has come when this returns.
static void have_child(int status) {
  fflush(stdout);
  const pid_t child = fork();
  if (child == 0) _exit(status);
  siginfo_t info;
  waitid(P_PID, (id_t)child, &info, WEXITED | WNOWAIT);
}

static void show(struct slot* slot) {
  printf("    is slot %d: active %d pending %d", (int)(slot - slots), ev_is_active(watcher_of(slot)) != 0,
         ev_is_pending(watcher_of(slot)) != 0);
  if (slot->kind == kTimer) printf(" remaining %.3f", ev_timer_remaining(loop, &slot->any.timer));
  if (slot->kind == kPeriodic) printf(" at %.3f", ev_periodic_at(&slot->any.periodic));
  printf("\n");
}

static void act(struct slot* own) {
  struct slot* slot = next(&random_state, 3) ? own : &slots[next(&random_state, kSlots)];
  ev_watcher* watcher = watcher_of(slot);
  const int number = (int)(slot - slots);
  switch (next(&random_state, 26)) {
    case 0:
    case 1:
    case 2:
      printf("  start %d\n", number);
      start(slot);
      break;
    case 3:
    case 4:
      printf("  stop %d\n", number);
      stop(slot);
      break;
    case 5: {
      const int what = 1 << next(&random_state, 4);
      printf("  feed %d with %#x\n", number, (unsigned)what);
      if (ev_priority(watcher) >= EV_MINPRI && ev_priority(watcher) <= EV_MAXPRI) ev_feed_event(loop, watcher, what);
      break;
    }
    case 6:
      printf("  clear %d: %#x\n", number, (unsigned)ev_clear_pending(loop, watcher));
      break;
    case 7:
      printf("  set up %d\n", number);
      stop(slot);
      set_up(number);
      start(slot);
      break;
    case 8:
      if (slot->kind == kTimer) {
        slot->any.timer.repeat = some_time(5);
        printf("  again %d every %.3f\n", number, slot->any.timer.repeat);
        ev_timer_again(loop, &slot->any.timer);
      } else if (slot->kind == kPeriodic) {
        printf("  again %d\n", number);
        ev_periodic_again(loop, &slot->any.periodic);
      }
      break;
    case 9:
    case 10:
    case 11:
      if (slot->kind == kIo) {
        printf("  write to %d\n", number);
        if (send(slot->ends[1], "x", 1, MSG_DONTWAIT | MSG_NOSIGNAL) < 0) printf("  full\n");
      }
      break;
    case 12:
      if (slot->kind == kIo) read_all(slot->ends[0]);
      break;
    case 13:
      if (slot->kind == kIo) {
        const int events = (int)next(&random_state, 3) + 1;
        printf("  modify %d: %d\n", number, events);
        ev_io_stop(loop, &slot->any.io);
        ev_io_modify(&slot->any.io, events);
        ev_io_start(loop, &slot->any.io);
      }
      break;
    case 14:
      if (slot->kind == kSignal && ev_is_active(watcher)) {
        printf("  raise for %d\n", number);
        raise(slot->any.signal.signum);
      } else if (slot->kind == kChild && ev_is_active(watcher)) {
        printf("  child for %d\n", number);
        have_child(number);
      } else if (slot->kind == kAsync && ev_is_active(watcher)) {
        printf("  send to %d\n", number);
        ev_async_send(loop, &slot->any.async);
      }
      break;
    case 15: {
      const bool io = own->kind == kIo;
      const double after = some_time(6);
      printf("  once after %.3f\n", after);
      ev_once(loop, io ? own->ends[0] : -1, io ? EV_READ : 0, after, on_once, (void*)(intptr_t)number);
      break;
    }
    case 16:
      printf("  time passes\n");
      kernel_pass_time(next(&random_state, 5) * 100000);
      break;
    case 17:
      ev_now_update(loop);
      printf("  updated: %.3f\n", ev_now(loop));
      break;
    case 18:
      if (next(&random_state, 4) == 0) {
        ev_suspend(loop);
        kernel_pass_time(300000);
        ev_resume(loop);
        printf("  resumed: %.3f\n", ev_now(loop));
      }
      break;
    case 19:
      if (next(&random_state, 3) == 0) {
        printf("  break\n");
        ev_break(loop, next(&random_state, 4) ? EVBREAK_ONE : EVBREAK_ALL);
      }
      break;
    case 20:
      if (ev_depth(loop) < kMostDepth) {
        const int flags = next(&random_state, 2) ? EVRUN_NOWAIT : EVRUN_ONCE;
        printf("  runs inside\n");
        const int left = ev_run(loop, flags);
        printf("  ran inside: %d, depth %u\n", left != 0, ev_depth(loop));
      }
      break;
    case 21:
      if (references == 0) {
        ++references;
        ev_unref(loop);
      } else {
        --references;
        ev_ref(loop);
      }
      break;
    case 22:
      if (own->kind == kIo) ev_feed_fd_event(loop, own->ends[0], EV_READ | EV_WRITE);
      break;
    case 23:
      if (slot->kind == kSignal) ev_feed_signal_event(loop, slot->any.signal.signum);
      break;
    case 24:
      if (send(inner_ends[1], "x", 1, MSG_DONTWAIT | MSG_NOSIGNAL) < 0) printf("  full\n");
      if (!ev_is_active(&inner_timer)) {
        ev_timer_set(&inner_timer, some_time(4), 0.);
        ev_timer_start(inner, &inner_timer);
      }
      break;
    case 25:
      show(slot);
      break;
  }
}

static void on_slot(int number, int revents) {
  struct slot* slot = &slots[number];
  kernel_enter_callback();
  printf("slot %d %s, what %#x, now %.3f, active %d, depth %u\n", number, kind_names[slot->kind], (unsigned)revents,
         ev_now(loop), ev_is_active(watcher_of(slot)) != 0, ev_depth(loop));
  if (++calls_made > kMostCalls) over = true;
  if (over) {
    ev_break(loop, EVBREAK_ALL);
  } else {
    if (slot->kind == kChild) printf("  child: %d\n", WEXITSTATUS(slot->any.child.rstatus));
    if (slot->kind == kEmbed) ev_embed_sweep(loop, &slot->any.embed);
    if (slot->kind == kIo && (revents & EV_READ) && next(&random_state, 2)) read_all(slot->ends[0]);
    for (unsigned n = next(&random_state, 4); n > 0; --n) act(slot);
    // What is ready for ever leaves nothing for others to do.
    if ((slot->kind == kIdle || slot->kind == kPrepare || slot->kind == kCheck || (revents & EV_WRITE)) &&
        next(&random_state, 2))
      stop(slot);
  }
  kernel_leave_callback();
}

static void count_iterations(struct ev_loop* l, ev_prepare* watcher, int revents) {
  (void)watcher, (void)revents;
  kernel_pass_time(kStep_us);
  if (++iterations > kMostIterations || over) ev_break(l, EVBREAK_ALL);
}

static void run_all(void) {
  ev_prepare counter;
  inner = ev_loop_new(0);
  ev_init(&inner_timer, on_inner);
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, inner_ends) != 0) abort();
  ev_io_init(&inner_io, on_inner_io, inner_ends[0], EV_READ);
  ev_io_start(inner, &inner_io);
  for (int number = 0; number < kSlots; ++number) {
    struct slot* slot = &slots[number];
    slot->kind = next(&random_state, 2) ? (enum kind)next(&random_state, 2) : (enum kind)next(&random_state, kKinds);
    if (slot->kind == kChild && parallel) slot->kind = kTimer;
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, slot->ends) != 0) abort();
    set_up(number);
    if (next(&random_state, 4) != 0) start(slot);
  }
  if (next(&random_state, 6) == 0) ev_loop_fork(loop);
  if (next(&random_state, 8) == 0) ev_set_timeout_collect_interval(loop, 0.3);
  ev_prepare_init(&counter, count_iterations);
  ev_set_priority(&counter, EV_MAXPRI);
  ev_prepare_start(loop, &counter);
  ev_unref(loop);
  for (int rounds = 0; rounds < 8 && !over && iterations < kMostIterations; ++rounds) {
    const int left = ev_run(loop, next(&random_state, 4) == 0 ? EVRUN_ONCE : 0);
    printf("loop: %d, iteration %u, pending %u, now %.3f\n", left != 0, ev_iteration(loop), ev_pending_count(loop),
           ev_now(loop));
    for (int number = 0; number < kSlots; ++number) show(&slots[number]);
    for (int n = 0; n < 4; ++n) act(&slots[next(&random_state, kSlots)]);
  }
  over = true;
  ev_loop_destroy(loop);
  ev_loop_destroy(inner);
}

// --- Sessions that keep to themselves ---

struct session {
  ev_io io;
  ev_timer first;
  ev_timer second;
  int number;
  int peer;
  int calls;
  struct random_state random;
  size_t length;
  char trace[1 << 14];
};

static struct session sessions[kSessions];

static void say(struct session* session, const char* format, ...) {
  va_list arguments;
  va_start(arguments, format);
  const size_t room = sizeof session->trace - session->length;
  const int written = vsnprintf(session->trace + session->length, room, format, arguments);
  va_end(arguments);
  if (written < 0 || (size_t)written >= room) abort();
  session->length += (size_t)written;
}

static void on_session(struct ev_loop* l, struct session* session, const char* what, int revents) {
  kernel_enter_callback();
  say(session, "%s, what %#x, now %.3f\n", what, (unsigned)revents, ev_now(l));
  if (++session->calls > kSessionCalls) {
    ev_io_stop(l, &session->io);
    ev_timer_stop(l, &session->first);
    ev_timer_stop(l, &session->second);
  } else {
    if (revents & EV_READ) read_all(session->io.fd);
    volatile unsigned work = 0;
    for (unsigned n = next(&session->random, 20000); n > 0; --n) work += n;
    for (unsigned n = next(&session->random, 4); n > 0; --n) {
      ev_timer* timer = next(&session->random, 2) ? &session->first : &session->second;
      // Which of two timers goes first that end at the same time depends on those of other sessions.
      const double fraction = timer == &session->second ? 0.0001237 : 0.;
      switch (next(&session->random, 7)) {
        case 0:
          ev_timer_stop(l, timer);
          break;
        case 1:
          ev_timer_stop(l, timer);
          ev_timer_set(timer, next(&session->random, 4) * 0.25 + fraction, 0.);
          if (next(&session->random, 3) != 0) timer->repeat = 0.5 + fraction;
          ev_timer_start(l, timer);
          break;
        case 2:
          ev_timer_again(l, timer);
          break;
        case 3:
          ev_io_stop(l, &session->io);
          ev_io_set(&session->io, session->io.fd, next(&session->random, 5) ? EV_READ : EV_READ | EV_WRITE);
          ev_io_start(l, &session->io);
          break;
        case 4:
          if (send(session->peer, "x", 1, MSG_DONTWAIT | MSG_NOSIGNAL) < 0) say(session, "full\n");
          break;
        case 5:
          say(session, "  cleared %#x\n", (unsigned)ev_clear_pending(l, timer));
          break;
        case 6:
          say(session, "  active %d %d %d remaining %.3f\n", ev_is_active(&session->io) != 0,
              ev_is_active(&session->first) != 0, ev_is_active(&session->second) != 0, ev_timer_remaining(l, timer));
          break;
      }
    }
  }
  kernel_leave_callback();
}

void session_io(struct ev_loop* l, ev_io* w, int revents) {
  on_session(l, (struct session*)((char*)w - offsetof(struct session, io)), "io", revents);
}
void session_first(struct ev_loop* l, ev_timer* w, int revents) {
  on_session(l, (struct session*)((char*)w - offsetof(struct session, first)), "first", revents);
}
void session_second(struct ev_loop* l, ev_timer* w, int revents) {
  on_session(l, (struct session*)((char*)w - offsetof(struct session, second)), "second", revents);
}

static void run_sessions(void) {
  for (int number = 0; number < kSessions; ++number) {
    struct session* session = &sessions[number];
    int ends[2];
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) abort();
    session->number = number;
    session->peer = ends[1];
    session->random.state = random_state.state + (uint64_t)number * 977;
    ev_io_init(&session->io, session_io, ends[0], EV_READ);
    ev_timer_init(&session->first, session_first, number * 0.25, 0.5);
    ev_timer_init(&session->second, session_second, 0.7501237, 0.);
    ev_io_start(loop, &session->io);
    ev_timer_start(loop, &session->first);
    ev_timer_start(loop, &session->second);
    if (send(session->peer, "x", 1, 0) != 1) abort();
  }
  for (int iteration = 0; iteration < 400 && ev_run(loop, EVRUN_ONCE) != 0; ++iteration) kernel_pass_time(kStep_us);
  for (int number = 0; number < kSessions; ++number) printf("session %d\n%s", number, sessions[number].trace);
}

int main(int count, char** words) {
  if (count != 3) return 2;
  parallel = strcmp(words[1], "serial") != 0;
  random_state.state = strtoull(words[2], NULL, 10) * UINT64_C(0x9e3779b97f4a7c15) + 1;
  next(&random_state, 2);
  loop = ev_default_loop(0);
  if (strcmp(words[1], "sessions") == 0) {
    run_sessions();
  } else {
    run_all();
  }
  return 0;
}
