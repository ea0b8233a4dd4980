// A counter on the error path is touched once in a million invocations, which is once too often.
// CONFLICT always: on_read on_read: errors
// STARTS never: on_read on_read
// SAFE: on_tick on_tick
// SAFE: on_read on_tick

#include <event2/event.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static const struct timeval second = {1, 0};
static long errors;

static int parse(const char* text, long* value) {
  char* end;
  *value = strtol(text, &end, 10);
  if (end == text) {
    errors++;
    return -1;
  }
  return 0;
}

static void on_read(evutil_socket_t fd, short what, void* arg) {
  (void)fd, (void)arg;
  long value;
  if (parse(what == EV_READ ? "17" : "", &value) == 0) printf("%ld\n", value);
}

static void on_tick(evutil_socket_t fd, short what, void* arg) {
  (void)fd, (void)what, (void)arg;
  puts("tick");
}

int main(void) {
  struct event_base* base = event_base_new();
  event_add(event_new(base, STDIN_FILENO, EV_READ | EV_PERSIST, on_read, NULL), NULL);
  event_add(event_new(base, -1, EV_PERSIST, on_tick, NULL), &second);
  return event_base_dispatch(base);
}
