// random_events MODE SEED: runs the random program that the seed stands for and prints what happened in it.
// Modes: see session.h. Exit code 3: after all passes of the loop something was left that should have been called.
#include <event2/thread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernel.h"
#include "session.h"

enum { kMostSessions = 6, kPasses = 10 };

static struct Session sessions[kMostSessions];
static int session_count = 1;

static void on_log(int severity, const char* message) {
  (void)message;
  session_say(&sessions[0], "  log %d", severity);
}

static void on_quiet(int depth) {
  struct Session* first = &sessions[0];
  // libevent still wakes up for common timers that were deleted, and a crew may for any deleted timer. The clock moves
  // on to a round time, on which that has no influence.
  if (first->can & kUniqueTimes) kernel_pass_time(100000 - kernel_now_us() % 100000);
  event_base_loopbreak(depth > 0 ? first->inner : first->base);
}

// What one program may do, by mode and seed.
static unsigned abilities(const char* mode, uint64_t seed) {
  if (strcmp(mode, "serial") == 0) {
    const unsigned basic = kPipes | kPriorities | kEdges | kHangUps | kTellTime | kMany;
    // libevent calls events for signals and common timeouts out of a callback of its own in the same pass; where that
    // one stands among others, and hence what they can see of it, is not for a program to know.
    if (seed % 8 == 0) return kZeroTimers | kSignals;
    if (seed % 8 == 1) return kPipes | kMany | kCommonTimers | kUniqueTimes;
    unsigned all = basic | kZeroTimers | kLoopControl | kActivate | kActivateAny | kCountActive;
    if (seed % 2) all |= kBuffers | kInnerBase;
    // Less of everything makes what is left happen more often.
    if (seed % 3 == 1) all &= ~(unsigned)kLoopControl;
    if (seed % 5 == 1) all &= ~(unsigned)(kPipes | kBuffers);
    return all;
  }
  // A crew may poll between two callbacks and so find in two steps what one thread finds in one. One kind of source per
  // program, so that it makes no difference.
  static const unsigned sources[] = {kPipes, 0, kOneSignal};
  if (strcmp(mode, "crew") == 0) return sources[seed % 3] | kActivate | kUniqueTimes;
  if (strcmp(mode, "sessions") == 0) return sources[seed % 2] | kActivate | kUniqueTimes;
  fprintf(stderr, "random_events: no mode %s: give serial, crew or sessions\n", mode);
  exit(2);
}

// The library shows some fields of an event that it has not set yet.
static void* zeroed(size_t size) { return calloc(1, size); }

static struct event_base* new_base(struct Session* chance, unsigned can) {
  struct event_config* config = event_config_new();
  if (can & kTellTime) {
    const struct timeval limit = {0, 1000 * (1 + session_pick(chance, 3))};
    if (session_pick(chance, 4) == 0)
      event_config_set_max_dispatch_interval(config, session_pick(chance, 2) ? &limit : NULL,
                                             1 + session_pick(chance, 5), session_pick(chance, 3));
    if (session_pick(chance, 4) == 0) event_config_set_flag(config, EVENT_BASE_FLAG_NO_CACHE_TIME);
  }
  struct event_base* base = event_base_new_with_config(config);
  event_config_free(config);
  return base;
}

static void between_passes(struct Session* session) {
  // A crew may make calls that are due already before it polls for the first time; libevent polls first.
  const int slot = 1 + session_pick(session, kSlots - 1);
  if (session->can & kLoopControl) {
    act(session);
  } else if (session->slots[slot].ev != NULL && !session->slots[slot].finalizing) {
    add_randomly(session, slot);
  }
}

static void run_passes(struct Session* session) {
  static const int flags[] = {0,           0,
                              EVLOOP_ONCE, EVLOOP_NONBLOCK,
                              EVLOOP_ONCE, EVLOOP_NO_EXIT_ON_EMPTY,
                              EVLOOP_ONCE, EVLOOP_ONCE | EVLOOP_NO_EXIT_ON_EMPTY};
  for (int pass = 0; pass < kPasses && !session->stopped; ++pass) {
    const int chosen = session->can & kLoopControl ? flags[session_pick(session, 8)] : 0;
    const int result = event_base_loop(session->base, chosen);
    session_say(session, "%lld: loop %d = %d, exit %d, break %d", (long long)kernel_now_us(), chosen, result,
                event_base_got_exit(session->base), event_base_got_break(session->base));
    for (int count = 3; count > 0 && !session->stopped; --count) between_passes(session);
  }
}

static void open_inner(struct Session* session) {
  session->inner = event_base_new();
  for (int i = 0; i < kInnerEvents; ++i) {
    extern void on_inner(evutil_socket_t, short, void*);
    session->inner_events[i] = event_new(session->inner, -1, i == 0 ? EV_PERSIST : 0, on_inner, session);
  }
}

int main(int argc, char** argv) {
  if (argc != 3) {
    fputs("usage: random_events serial|crew|sessions SEED\n", stderr);
    return 2;
  }
  const uint64_t seed = strtoull(argv[2], NULL, 10);
  const unsigned can = abilities(argv[1], seed);
  struct Session chance = {.random = seed};
  const bool serial = strcmp(argv[1], "serial") == 0;
  kernel_when_quiet(on_quiet);
  event_set_log_callback(on_log);
  event_set_mem_functions(zeroed, realloc, free);
  // A signal may come when its last event has just been deleted.
  for (const int* number = session_signals; *number != 0; ++number) signal(*number, SIG_IGN);
  if (serial && seed % 8 == 3) event_enable_debug_mode();
  if (!serial || seed % 2) evthread_use_pthreads();

  struct event_base* base = new_base(&chance, can);
  const int priorities = can & kPriorities ? 1 + session_pick(&chance, kMostPriorities) : 1;
  event_base_priority_init(base, priorities);
  if (strcmp(argv[1], "sessions") == 0) session_count = 2 + session_pick(&chance, kMostSessions - 1);
  for (int i = 0; i < session_count; ++i)
    session_open(&sessions[i], seed * kMostSessions + (uint64_t)i, can, base, priorities);
  if (can & kInnerBase) open_inner(&sessions[0]);

  run_passes(&sessions[0]);
  for (int i = 0; i < session_count; ++i) sessions[i].ending = true;
  event_base_free(base);
  for (int i = 0; i < session_count; ++i) {
    printf("session %d\n", i);
    fwrite(sessions[i].trace, 1, sessions[i].trace_used, stdout);
  }
  return 0;
}
