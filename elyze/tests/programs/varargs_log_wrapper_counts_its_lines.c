// Logging as such conflicts with nothing; a wrapper that counts its lines does.
// CONFLICT always: on_a on_a: lines
// CONFLICT always: on_a on_b: lines
// CONFLICT always: on_b on_b: lines

#include <event2/event.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>

static const struct timeval second = {1, 0};
static long lines;

__attribute__((format(printf, 1, 2))) static void log_line(const char* format, ...) {
  va_list arguments;
  va_start(arguments, format);
  vfprintf(stderr, format, arguments);
  va_end(arguments);
  lines++;
}

static void on_a(evutil_socket_t fd, short what, void* arg) {
  (void)fd, (void)arg;
  log_line("a %d\n", (int)what);
}

static void on_b(evutil_socket_t fd, short what, void* arg) {
  (void)fd, (void)what, (void)arg;
  log_line("b %s\n", "timer");
}

int main(void) {
  struct event_base* base = event_base_new();
  event_add(event_new(base, -1, EV_PERSIST, on_a, NULL), &second);
  event_add(event_new(base, -1, EV_PERSIST, on_b, NULL), &second);
  return event_base_dispatch(base);
}
