// The table of operations is copied as a structure before it is called through: the pointers travel in the copy.
// CONFLICT always: on_a on_a: opened
// CONFLICT always: on_a on_b: opened
// SAFE: on_b on_b

#include <event2/event.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static const struct timeval second = {1, 0};

struct operations {
  void (*open)(void);
  void (*close)(void);
};

static int opened;

static void plain_open(void) { opened++; }

static void plain_close(void) { puts("closed"); }

static const struct operations plain = {plain_open, plain_close};

struct session {
  struct operations operations;
};

static void on_a(evutil_socket_t fd, short what, void* arg) {
  (void)fd, (void)what;
  const struct session* s = arg;
  struct operations mine = s->operations;
  mine.open();
  mine.close();
}

static void on_b(evutil_socket_t fd, short what, void* arg) {
  (void)fd, (void)what, (void)arg;
  printf("%d\n", opened);
}

int main(void) {
  struct event_base* base = event_base_new();
  for (int i = 0; i < 2; i++) {
    struct session* s = calloc(1, sizeof *s);
    s->operations = plain;
    event_add(event_new(base, -1, EV_PERSIST, on_a, s), &second);
  }
  event_add(event_new(base, -1, EV_PERSIST, on_b, NULL), &second);
  return event_base_dispatch(base);
}
