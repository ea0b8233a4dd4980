// The C library locks its streams and the order of log lines is not promised: logging alone orders nothing.
// SAFE: on_a on_a
// SAFE: on_a on_b
// SAFE: on_b on_b

#include <event2/event.h>
#include <stddef.h>
#include <stdio.h>

static const struct timeval second = {1, 0};
static FILE* log_file;

static void on_a(evutil_socket_t fd, short what, void* arg) {
  (void)fd, (void)arg;
  fprintf(log_file, "a %d\n", (int)what);
}

static void on_b(evutil_socket_t fd, short what, void* arg) {
  (void)fd, (void)what, (void)arg;
  fputs("b\n", log_file);
  fflush(log_file);
}

int main(void) {
  struct event_base* base = event_base_new();
  log_file = fopen("/tmp/server.log", "a");
  if (log_file == NULL) return 1;
  event_add(event_new(base, -1, EV_PERSIST, on_a, NULL), &second);
  event_add(event_new(base, -1, EV_PERSIST, on_b, NULL), &second);
  return event_base_dispatch(base);
}
