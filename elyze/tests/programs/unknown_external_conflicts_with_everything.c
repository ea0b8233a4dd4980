// A function without source and without a specification may touch anything: its handler runs alone.
// CONFLICT always: on_scan on_scan: unknown external vendor_scan
// CONFLICT always: on_scan on_tick: unknown external vendor_scan
// CONFLICT always: on_scan on_session: unknown external vendor_scan
// SAFE: on_tick on_tick
// SAFE: on_tick on_session
// CONFLICT session: on_session on_session: session->n

#include <event2/event.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

static const struct timeval second = {1, 0};

extern int vendor_scan(const char* path);

struct session {
  int n;
};

static int ticks_per_second = 1;

static void on_scan(evutil_socket_t fd, short what, void* arg) {
  (void)fd, (void)what, (void)arg;
  if (vendor_scan("/srv") != 0) puts("found");
}

static void on_tick(evutil_socket_t fd, short what, void* arg) {
  (void)fd, (void)what, (void)arg;
  printf("%d\n", ticks_per_second);
}

static void on_session(evutil_socket_t fd, short what, void* arg) {
  (void)fd, (void)what;
  struct session* s = arg;
  s->n++;
}

int main(void) {
  struct event_base* base = event_base_new();
  event_add(event_new(base, -1, EV_PERSIST, on_scan, NULL), &second);
  event_add(event_new(base, -1, EV_PERSIST, on_tick, NULL), &second);
  for (int i = 0; i < 2; i++) {
    struct session* s = calloc(1, sizeof *s);
    event_add(event_new(base, -1, EV_PERSIST, on_session, s), &second);
  }
  return event_base_dispatch(base);
}
