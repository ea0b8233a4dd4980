#include "session.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "kernel.h"

enum { kMostPerLine = 200, kCalls = 120 };

const int session_signals[] = {SIGUSR1, SIGUSR2, SIGWINCH, 0};

void session_say(struct Session* session, const char* format, ...) {
  if (session->trace_size - session->trace_used < kMostPerLine) {
    session->trace_size = session->trace_size * 2 + 4096;
    session->trace = realloc(session->trace, session->trace_size);
    if (session->trace == NULL) abort();
  }
  va_list arguments;
  va_start(arguments, format);
  session->trace_used +=
      (unsigned long)vsnprintf(session->trace + session->trace_used, kMostPerLine, format, arguments);
  va_end(arguments);
  session->trace[session->trace_used++] = '\n';
}

// SplitMix64 (Steele, Lea and Flood 2014).
int session_pick(struct Session* session, int below) {
  uint64_t z = session->random += UINT64_C(0x9e3779b97f4a7c15);
  z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
  z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
  return (int)((z ^ (z >> 31)) % (uint64_t)below);
}

void session_enter(struct Session* session) {
  // A callback may run a loop, and be called from there: the nested one counts as part of it.
  if (atomic_exchange(&session->inside, true) && kernel_callback_depth() == 0) {
    fputs("two callbacks of one session run at once\n", stderr);
    _exit(4);
  }
  kernel_enter_callback();
}

void session_leave(struct Session* session) {
  kernel_leave_callback();
  if (kernel_callback_depth() == 0) atomic_store(&session->inside, false);
}

// --- Callbacks ---

static int read_some(struct Session* session, struct Pair* pair) {
  char bytes[8];
  const ssize_t got = read(pair->ends[0], bytes, (size_t)(1 + session_pick(session, (int)sizeof bytes)));
  if (got > 0) pair->unread -= (int)got;
  return got < 0 ? -errno : (int)got;
}

static void run(struct Session* session, int index, evutil_socket_t fd, short what) {
  session_enter(session);
  struct Slot* slot = &session->slots[index];
  int got = 0;
  if (slot->kind == kIo && (what & EV_READ) && fd == session->pairs[slot->pair].ends[0]) {
    got = read_some(session, &session->pairs[slot->pair]);
    if (got == 0) event_del(slot->ev);  // the end of the stream would be reported for ever
  }
  if (slot->kind == kSignal) session->signal_is_on_way = false;
  session_say(session, "%lld: slot %d, what 0x%x, got %d", (long long)kernel_now_us(), index, (unsigned)what, got);
  if (--session->calls_left <= 0) {
    session_stop(session);
  } else {
    for (int count = session_pick(session, 4); count > 0 && !session->stopped; --count) act(session);
  }
  session_leave(session);
}

#define SLOT(n) \
  void slot_##n(evutil_socket_t fd, short what, void* session) { run(session, n, fd, what); }
// External linkage, so that constraints can name them.
#define DECLARE(n) void slot_##n(evutil_socket_t fd, short what, void* session);
#define EVERY_SLOT(M) M(0) M(1) M(2) M(3) M(4) M(5) M(6) M(7) M(8) M(9) M(10) M(11)
EVERY_SLOT(DECLARE)
EVERY_SLOT(SLOT)
#define ADDRESS(n) slot_##n,
static const event_callback_fn functions[kSlots] = {EVERY_SLOT(ADDRESS)};

// --- Slots ---

static short io_conditions(struct Session* session, int end) {
  short what = 0;
  switch (session_pick(session, 6)) {
    case 0:
      what = EV_WRITE;
      break;
    case 1:
      what = session->can & kMany ? EV_READ | EV_WRITE : EV_READ;
      break;
    case 2:
      what = session->can & kHangUps ? EV_CLOSED | EV_READ : EV_READ;
      break;
    default:
      what = EV_READ;
      break;
  }
  if (end == 1) what = EV_WRITE;
  if (session_pick(session, 3) != 0) what |= EV_PERSIST;
  return what;
}

// Makes what is in the slot, anew if there is something already that nobody waits for.
void slot_set_up(struct Session* session, int index) {
  struct Slot* slot = &session->slots[index];
  int fd = -1;
  // Intervals that are made up for could end at exactly the same time; see some_time().
  short what = session_pick(session, 2) && !(session->can & kUniqueTimes) ? EV_PERSIST : 0;
  slot->kind = session_pick(session, 3) == 0 ? kUser : kTimer;
  if ((session->can & kPipes) && (session->can & kMany ? session_pick(session, 2) : index == 0)) {
    slot->kind = kIo;
    slot->pair = session_pick(session, kPairs);
    const int end = session_pick(session, 4) == 0;
    fd = session->pairs[slot->pair].ends[end];
    what = io_conditions(session, end);
    // All events of one descriptor must agree on it.
    if ((session->can & kEdges) && slot->pair == 0) what |= EV_ET;
  } else if (index == 0 ? session->can & kOneSignal : session->can & kSignals && session_pick(session, 3) == 0) {
    slot->kind = kSignal;
    fd = session_signals[session->can & kSignals ? session_pick(session, 3) : 0];
    what = EV_SIGNAL | (session_pick(session, 3) ? EV_PERSIST : 0);
  }
  if (slot->ev == NULL) {
    slot->ev = event_new(session->base, fd, what, functions[index], session);
  } else {
    event_assign(slot->ev, session->base, fd, what, functions[index], session);
  }
  session_say(session, "  set up %d: kind %d, what 0x%x", index, (int)slot->kind, (unsigned)what);
  if (session_pick(session, 2) && session->priorities > 1) {
    const int priority = session_pick(session, session->priorities);
    session_say(session, "  priority %d = %d", priority, event_priority_set(slot->ev, priority));
  }
}

void slot_drop(struct Session* session, int index) {
  struct Slot* slot = &session->slots[index];
  if (slot->ev == NULL || slot->finalizing) return;
  event_free(slot->ev);
  slot->ev = NULL;
  slot->kind = kNone;
}

// --- Sessions ---

void session_open(struct Session* session, uint64_t seed, unsigned can, struct event_base* base, int priorities) {
  memset(session, 0, sizeof *session);
  session->random = seed;
  session->can = can;
  session->base = base;
  session->priorities = priorities;
  session->calls_left = kCalls;
  const struct timeval common = {0, 3000};
  session->common = event_base_init_common_timeout(base, &common);
  for (int i = 0; i < kPairs; ++i)
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0, session->pairs[i].ends) != 0) abort();
  if (can & kBuffers) streams_open(session);
  for (int i = 0; i < kSlots; ++i) slot_set_up(session, i);
  for (int i = 0; i < kSlots; ++i) add_randomly(session, i);
}

void session_stop(struct Session* session) {
  session->stopped = true;
  session_say(session, "stopped");
  for (int i = 0; i < kSlots; ++i)
    if (session->slots[i].ev != NULL && !session->slots[i].finalizing) event_del(session->slots[i].ev);
  streams_stop(session);
  if (session->can & kLoopControl) event_base_loopbreak(session->base);
}
