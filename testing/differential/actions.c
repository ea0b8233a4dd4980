#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <unistd.h>

#include "kernel.h"
#include "session.h"

void on_once(evutil_socket_t fd, short what, void* session);
void on_finalize(struct event* ev, void* session);
void on_inner(evutil_socket_t fd, short what, void* session);

static bool can(const struct Session* session, enum Can what) { return (session->can & what) != 0; }

static bool finalizing(const struct Session* session, int slot) { return session->slots[slot].finalizing; }

// An event that exists and is not on its way out.
static int some_slot(struct Session* session) {
  int slot = session_pick(session, kSlots);
  for (int i = 0; i < kSlots; ++i, slot = (slot + 1) % kSlots)
    if (session->slots[slot].ev != NULL && !finalizing(session, slot)) return slot;
  return -1;
}

static struct timeval some_time(struct Session* session) {
  static const int times_us[] = {0, 1, 400, 1000, 1500, 2000, 3000, 5000, 20000};
  const int first = can(session, kZeroTimers) ? 0 : 1;
  int time_us = times_us[first + session_pick(session, (int)(sizeof times_us / sizeof *times_us) - first)];
  if (can(session, kUniqueTimes)) time_us += ++session->times_asked % 1000;
  return (struct timeval){0, time_us};
}

void add_randomly(struct Session* session, int slot) {
  struct event* ev = session->slots[slot].ev;
  // libevent gives the event its new timeout, but forgets the descriptor or signal, if the old one is up and nothing
  // was called yet. Our core remembers it.
  if (session->slots[slot].kind != kTimer && event_pending(ev, EV_TIMEOUT, NULL)) event_del(ev);
  const struct timeval time = some_time(session);
  const bool is_timer = session->slots[slot].kind == kTimer;
  const bool timed = is_timer || (!can(session, kUniqueTimes) && session_pick(session, 4) == 0);
  if (timed && can(session, kCommonTimers) && session_pick(session, 2)) {
    session_say(session, "  add %d, common = %d", slot, event_add(ev, session->common));
  } else if (timed) {
    session_say(session, "  add %d, %ld us = %d", slot, (long)time.tv_usec, event_add(ev, &time));
  } else {
    session_say(session, "  add %d = %d", slot, event_add(ev, NULL));
  }
}

static void activate(struct Session* session, int slot) {
  const enum Kind kind = session->slots[slot].kind;
  static const short reasons[] = {EV_TIMEOUT, EV_READ, EV_WRITE, EV_READ | EV_WRITE};
  const short what = reasons[session_pick(session, 4)];
  const int calls = 1 + session_pick(session, 3);
  if (!can(session, kActivate) || (!can(session, kActivateAny) && kind != kUser)) return;
  event_active(session->slots[slot].ev, kind == kSignal ? EV_SIGNAL : what, (short)calls);
  session_say(session, "  activate %d, 0x%x, %d", slot, (unsigned)what, calls);
}

static void ask(struct Session* session, int slot) {
  struct event* ev = session->slots[slot].ev;
  struct timeval due = {0, 0};
  const int all = EV_TIMEOUT | EV_READ | EV_WRITE | EV_SIGNAL;
  const int asked = can(session, kCountActive) ? all : EV_TIMEOUT;
  const int pending = event_pending(ev, (short)asked, &due);
  session_say(session, "  pending %d = 0x%x, %ld.%06ld", slot, (unsigned)pending,
              pending & EV_TIMEOUT ? (long)due.tv_sec : 0, pending & EV_TIMEOUT ? (long)due.tv_usec : 0);
  session_say(session, "  of %d: events 0x%x, priority %d, initialized %d, base %d, function %d", slot,
              (unsigned)event_get_events(ev), event_get_priority(ev), event_initialized(ev),
              event_get_base(ev) == session->base, event_get_callback_arg(ev) == session);
}

static int show(const struct event_base* base, const struct event* ev, void* argument) {
  struct Session* session = argument;
  int slot = -1;
  (void)base;
  for (int i = 0; i < kSlots; ++i)
    if (session->slots[i].ev == ev) slot = i;
  // What the library adds for itself is its own affair.
  if (slot >= 0) session_say(session, "    has %d, events 0x%x", slot, (unsigned)event_get_events(ev));
  return 0;
}

static void ask_base(struct Session* session) {
  struct event_base* base = session->base;
  const unsigned kinds[] = {EVENT_BASE_COUNT_ADDED, EVENT_BASE_COUNT_ACTIVE, EVENT_BASE_COUNT_VIRTUAL,
                            EVENT_BASE_COUNT_ADDED | EVENT_BASE_COUNT_ACTIVE};
  struct timeval now;
  if (can(session, kCountActive)) {
    const unsigned kind = kinds[session_pick(session, 4)];
    session_say(session, "  number 0x%x = %d, most %d", kind, event_base_get_num_events(base, kind),
                event_base_get_max_events(base, kind, session_pick(session, 5) == 0));
    if (session_pick(session, 4) == 0)
      session_say(session, "  foreach = %d", event_base_foreach_event(base, show, session));
  }
  if (can(session, kLoopControl))
    session_say(session, "  got exit %d, break %d, priorities %d", event_base_got_exit(base),
                event_base_got_break(base), event_base_get_npriorities(base));
  const int result = event_base_gettimeofday_cached(base, &now);
  session_say(session, "  time %d, %ld.%06ld", result, (long)now.tv_sec, (long)now.tv_usec);
}

static void finalize(struct Session* session, int index) {
  struct Slot* slot = &session->slots[index];
  const bool and_free = session_pick(session, 2);
  slot->finalizing = true;
  session_say(session, "  finalize %d, free %d", index, and_free);
  if (and_free) {
    event_free_finalize(0, slot->ev, on_finalize);
  } else {
    event_finalize(0, slot->ev, on_finalize);
  }
  slot->kind = and_free ? kNone : slot->kind;
}

void on_finalize(struct event* ev, void* argument) {
  struct Session* session = argument;
  session_enter(session);
  for (int i = 0; i < kSlots; ++i) {
    struct Slot* slot = &session->slots[i];
    if (slot->ev != ev) continue;
    session_say(session, "finalized %d", i);
    slot->finalizing = false;
    if (slot->kind == kNone || session->ending) {
      slot->ev = NULL;
    } else {
      slot_set_up(session, i);
    }
  }
  session_leave(session);
}

void on_once(evutil_socket_t fd, short what, void* argument) {
  struct Session* session = argument;
  (void)fd;
  session_enter(session);
  session_say(session, "%lld: once, what 0x%x", (long long)kernel_now_us(), (unsigned)what);
  if (!session->stopped) act(session);
  session_leave(session);
}

static void once(struct Session* session) {
  const struct timeval time = some_time(session);
  const bool reads = can(session, kPipes) && session_pick(session, 3) == 0;
  const int fd = reads ? session->pairs[1].ends[1] : -1;  // nothing is ever written in that direction
  const short what = reads ? EV_READ | EV_TIMEOUT : EV_TIMEOUT;
  session_say(session, "  once 0x%x, %ld us = %d", (unsigned)what, (long)time.tv_usec,
              event_base_once(session->base, fd, what, on_once, session, &time));
}

static void send_bytes(struct Session* session) {
  struct Pair* pair = &session->pairs[session_pick(session, kPairs)];
  const int length = 1 + session_pick(session, 9);
  if (pair->ends[1] < 0 || pair->unread > 100) return;
  const ssize_t sent = write(pair->ends[1], "123456789", (size_t)length);
  if (sent > 0) pair->unread += (int)sent;
  session_say(session, "  send %d to %d = %d", length, (int)(pair - session->pairs), (int)sent);
}

static void hang_up(struct Session* session) {
  const int index = session_pick(session, kPairs);
  struct Pair* pair = &session->pairs[index];
  if (index == 1 || pair->ends[1] < 0) return;
  session_say(session, "  hang up %d", index);
  for (int i = 0; i < kSlots; ++i)
    if (session->slots[i].kind == kIo && session->slots[i].pair == index) slot_drop(session, i);
  shutdown(pair->ends[1], SHUT_WR);
  pair->unread = 1000;
}

static void send_signal(struct Session* session) {
  const int number = session_signals[session_pick(session, can(session, kSignals) ? 3 : 1)];
  bool handled = false;
  for (int i = 0; i < kSlots; ++i) {
    const struct Slot* slot = &session->slots[i];
    handled = handled || (slot->kind == kSignal && !slot->finalizing && event_get_signal(slot->ev) == number &&
                          event_pending(slot->ev, EV_SIGNAL, NULL));
  }
  if (!handled || (can(session, kOneSignal) && session->signal_is_on_way)) return;
  session->signal_is_on_way = true;
  session_say(session, "  signal %d = %d", number, kill(getpid(), number));
}

static void control_loop(struct Session* session) {
  const struct timeval time = some_time(session);
  switch (session_pick(session, 6)) {
    case 0:
      session_say(session, "  break = %d", event_base_loopbreak(session->base));
      break;
    case 1:
      if (can(session, kZeroTimers)) session_say(session, "  exit = %d", event_base_loopexit(session->base, NULL));
      break;
    case 2:
      session_say(session, "  exit later = %d", event_base_loopexit(session->base, &time));
      break;
    case 3:
      session_say(session, "  continue = %d", event_base_loopcontinue(session->base));
      break;
    case 4:
      session_say(session, "  recursion = %d", event_base_loop(session->base, EVLOOP_NONBLOCK));
      break;
    default:
      session_say(session, "  priorities again = %d", event_base_priority_init(session->base, session->priorities));
      break;
  }
}

void on_inner(evutil_socket_t fd, short what, void* argument) {
  struct Session* session = argument;
  (void)fd;
  session_enter(session);
  session_say(session, "%lld: inner, what 0x%x", (long long)kernel_now_us(), (unsigned)what);
  if (--session->calls_left > 0 && session_pick(session, 2)) {
    event_active(session->inner_events[session_pick(session, kInnerEvents)], EV_READ, 1);
  } else {
    event_base_loopbreak(session->inner);
  }
  session_leave(session);
}

static void run_inner_loop(struct Session* session) {
  static const int flags[] = {EVLOOP_NONBLOCK, EVLOOP_ONCE, EVLOOP_ONCE | EVLOOP_NONBLOCK, 0};
  const struct timeval time = some_time(session);
  struct event* ev = session->inner_events[session_pick(session, kInnerEvents)];
  const int chosen = flags[session_pick(session, can(session, kTellTime) ? 4 : 1)];
  if (kernel_callback_depth() > 1) return;
  session_say(session, "  inner add = %d", event_add(ev, &time));
  if (session_pick(session, 2)) event_active(ev, EV_WRITE, 1);
  session_say(session, "  inner loop %d = %d, break %d", chosen, event_base_loop(session->inner, chosen),
              event_base_got_break(session->inner));
  // Without this, libevent takes the time that has passed in there for sleep that is still to come.
  event_base_update_cache_time(session->base);
}

void act(struct Session* session) {
  const int slot = some_slot(session);
  // Whether a signal that was sent is for an event that is made or added after that depends on who polls when.
  if (slot < 0 || (slot == 0 && session->signal_is_on_way && can(session, kOneSignal))) return;
  struct event* ev = session->slots[slot].ev;
  switch (session_pick(session, 22)) {
    case 0:
    case 1:
    case 2:
    case 3:
      add_randomly(session, slot);
      break;
    case 4:
      session_say(session, "  del %d = %d", slot, event_del(ev));
      break;
    case 5:
    case 6:
      activate(session, slot);
      break;
    case 7:
      ask(session, slot);
      break;
    case 8:
      ask_base(session);
      break;
    case 9:
      event_del(ev);
      slot_set_up(session, slot);
      add_randomly(session, slot);
      break;
    case 10:
      slot_drop(session, slot);
      slot_set_up(session, slot);
      add_randomly(session, slot);
      break;
    case 11:
      // Common timers that are due become active one pass later than others, so for these it depends on the pass
      // whether this still stops them.
      if (!can(session, kCommonTimers)) session_say(session, "  remove timer %d = %d", slot, event_remove_timer(ev));
      break;
    case 12:
      if (can(session, kActivate)) finalize(session, slot);
      break;
    case 13:
      once(session);
      break;
    case 14:
      if (can(session, kLoopControl)) control_loop(session);
      break;
    case 15:
      if (can(session, kTellTime)) {
        kernel_pass_time(500 * session_pick(session, 5));
        // Without this, libevent sleeps for that much too long.
        event_base_update_cache_time(session->base);
      }
      break;
    case 16:
      if (can(session, kInnerBase)) run_inner_loop(session);
      break;
    case 17:
      if (can(session, kHangUps) && session_pick(session, 4) == 0) hang_up(session);
      break;
    case 18:
      if (session->priorities > 1) {
        const int priority = session_pick(session, session->priorities);
        session_say(session, "  priority %d of %d = %d", priority, slot, event_priority_set(ev, priority));
      }
      break;
    case 19:
      if (can(session, kBuffers)) streams_act(session);
      break;
    default:
      if (can(session, kPipes)) send_bytes(session);
      if (can(session, kSignals | kOneSignal)) send_signal(session);
      break;
  }
  // A slot that was freed for good is filled again before long.
  for (int i = 0; i < kSlots; ++i)
    if (session->slots[i].ev == NULL) slot_set_up(session, i);
}
