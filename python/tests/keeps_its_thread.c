/* Handlers that depend on their thread, each in another way, beside handlers that do not. The former count what they
 * find different from what they left. */
#define _GNU_SOURCE
#include <event2/event.h>
#include <fenv.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { ROUNDS = 200, WORKERS = 4 };

static struct event_base* base;
static pid_t home;
static _Thread_local int calls;
static int identity, values, masks, modes, rounds;
static sigset_t expected_mask;
static int expected_mode;
static atomic_int works;

static void on_identity(evutil_socket_t fd, short what, void* arg) {
  (void)fd, (void)what, (void)arg;
  identity += gettid() != home;
}

static void on_value(evutil_socket_t fd, short what, void* arg) {
  (void)fd, (void)what;
  int* kept = arg;
  values += ++calls != ++*kept;
}

/* Blocks another signal each time, for good. */
static void on_mask(evutil_socket_t fd, short what, void* arg) {
  (void)fd, (void)what, (void)arg;
  sigset_t now;
  pthread_sigmask(SIG_BLOCK, NULL, &now);
  for (int number = 1; number < 32; number++) masks += sigismember(&now, number) != sigismember(&expected_mask, number);
  sigset_t one;
  sigemptyset(&one);
  sigaddset(&one, rounds % 2 == 0 ? SIGUSR1 : SIGUSR2);
  pthread_sigmask(rounds % 3 == 0 ? SIG_BLOCK : SIG_UNBLOCK, &one, NULL);
  pthread_sigmask(SIG_BLOCK, NULL, &expected_mask);
}

static void on_mode(evutil_socket_t fd, short what, void* arg) {
  (void)fd, (void)what, (void)arg;
  static const int all[] = {FE_TONEAREST, FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO};
  modes += fegetround() != expected_mode;
  expected_mode = all[rounds % 4];
  fesetround(expected_mode);
}

/* Adds with the rounding mode that on_mode left. */
static void on_sum(evutil_socket_t fd, short what, void* arg) {
  (void)fd, (void)what;
  double* third = arg;
  volatile double three = 3; /* so that it is computed here and now */
  *third = 1 / three;
  const double exact = 6004799503160661.0 / 18014398509481984.0; /* rounded down */
  modes += (*third > exact) != (expected_mode == FE_UPWARD);
}

static void on_round(evutil_socket_t fd, short what, void* arg) {
  (void)fd, (void)what, (void)arg;
  if (++rounds == ROUNDS) event_base_loopbreak(base);
}

static void on_work(evutil_socket_t fd, short what, void* arg) {
  (void)fd, (void)what;
  unsigned* state = arg;
  atomic_fetch_add(&works, 1);
  for (int i = 0; i < 1000000; i++) *state = *state * 1664525u + 1013904223u;
}

static void every_ms(event_callback_fn handler, void* arg) {
  const struct timeval interval = {0, 1000};
  event_add(event_new(base, -1, EV_PERSIST, handler, arg), &interval);
}

int main(void) {
  static int kept;
  static double third;
  base = event_base_new();
  home = gettid();
  pthread_sigmask(SIG_BLOCK, NULL, &expected_mask);
  expected_mode = fegetround();
  every_ms(on_identity, NULL);
  every_ms(on_value, &kept);
  every_ms(on_mask, NULL);
  every_ms(on_mode, NULL);
  every_ms(on_sum, &third);
  every_ms(on_round, NULL);
  for (int i = 0; i < WORKERS; i++) every_ms(on_work, calloc(1, 64));
  event_base_dispatch(base);
  printf("identity %d values %d masks %d modes %d rounds %d\n", identity, values, masks, modes, rounds);
  return atomic_load(&works) == 0;
}
