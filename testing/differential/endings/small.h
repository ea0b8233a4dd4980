/* What each of these programs needs. Their handlers take their time, so that those that may run together do. */
#include <err.h>
#include <error.h>
#include <event2/event.h>
#include <event2/event_struct.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static struct event_base* base;

#define HANDLER(name) static void name(evutil_socket_t fd, short what, void* arg)
#define UNUSED (void)fd, (void)what, (void)arg

static inline void take(int milliseconds) {
  struct timespec time = {0, milliseconds * 1000000L};
  while (nanosleep(&time, &time) != 0) continue;
}

/* There even if the process ends at once. One call for each invocation: streams are no objects then. */
static inline void say(const char* text) { fputs(text, stdout); }
__attribute__((constructor)) static void write_at_once(void) { setvbuf(stdout, NULL, _IONBF, 0); }

/* The handler becomes due at once, after those before it. */
static inline struct event* due(struct event_base* where, event_callback_fn handler, void* arg) {
  struct event* made = event_new(where, -1, 0, handler, arg);
  event_active(made, EV_READ, 1);
  return made;
}

static inline void due_in(int milliseconds, event_callback_fn handler, void* arg) {
  struct timeval time = {0, milliseconds * 1000};
  event_base_once(base, -1, EV_TIMEOUT, handler, arg, &time);
}
