// The function of a timer may run in a thread (timer_create(2), SIGEV_THREAD), and run a loop there, whose handlers see
// halves of what others do.
// CONFLICT always: on_a on_a
// CONFLICT always: on_a on_b
// CONFLICT always: on_b on_b
// CONFLICT always: on_a on_look
// CONFLICT always: on_b on_look
// CONFLICT always: on_look on_look
#include <pthread.h>
#include <signal.h>
#include <time.h>

#include "server.h"

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int a, b, both;

static int value(const int *from) {
  pthread_mutex_lock(&mutex);
  const int found = *from;
  pthread_mutex_unlock(&mutex);
  return found;
}

static void count(int *in) {
  pthread_mutex_lock(&mutex);
  ++*in;
  pthread_mutex_unlock(&mutex);
}

HANDLER(on_a) {
  UNUSED;
  count(&a);
  count(&a);
}

HANDLER(on_b) {
  UNUSED;
  count(&b);
  count(&b);
}

HANDLER(on_look) {
  UNUSED;
  const int first = value(&a);
  if (first % 2 == 1 && value(&b) % 2 == 1 && value(&a) == first) count(&both);
}

static void run(union sigval given) { event_base_dispatch(given.sival_ptr); }

int main(void) {
  base = event_base_new();
  struct event_base *other = event_base_new();
  event_add(event_new(other, 5, EV_READ | EV_PERSIST, on_look, NULL), NULL);
  struct sigevent how = {.sigev_notify = SIGEV_THREAD, .sigev_value.sival_ptr = other, .sigev_notify_function = run};
  timer_t timer;
  timer_create(CLOCK_MONOTONIC, &how, &timer);
  timer_settime(timer, 0, &(struct itimerspec){.it_value.tv_sec = 1}, NULL);
  when_readable(3, on_a, NULL);
  when_readable(4, on_b, NULL);
  return event_base_dispatch(base);
}
