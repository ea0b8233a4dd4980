/* What the probes share. Each says in its first line what libevent can print, as a regular expression over standard
 * output and error together and "=status" at the end. */
#define _GNU_SOURCE 1
#include <arpa/inet.h>
#include <errno.h>
#include <event2/event.h>
#include <event2/event_struct.h>
#include <event2/thread.h>
#include <fcntl.h>
#include <fenv.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static struct event_base* base;
#define HANDLER(name) static void name(evutil_socket_t fd, short what, void* arg)
#define UNUSED (void)fd, (void)what, (void)arg
static inline void take(int milliseconds) {
  struct timespec time = {milliseconds / 1000, milliseconds % 1000 * 1000000L};
  while (nanosleep(&time, &time) != 0) continue;
}
__attribute__((constructor)) static void write_at_once(void) { setvbuf(stdout, NULL, _IONBF, 0); }
static inline struct event* due(struct event_base* where, event_callback_fn handler, void* arg) {
  struct event* made = event_new(where, -1, 0, handler, arg);
  event_active(made, EV_READ, 1);
  return made;
}
static inline void due_in(int milliseconds, event_callback_fn handler, void* arg) {
  struct timeval time = {milliseconds / 1000, milliseconds % 1000 * 1000};
  event_base_once(base, -1, EV_TIMEOUT, handler, arg, &time);
}
/* Nothing runs beside it, so that no program is serial by nature. */
HANDLER(spare) { UNUSED; }
