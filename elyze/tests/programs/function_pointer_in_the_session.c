// The next step of a state machine is a function pointer in the session; each step stays in its own session.
// CONFLICT session: on_step on_step: machine->step
// CONFLICT session: on_show on_step: machine->count
// SAFE: on_show on_show

#include <event2/event.h>
#include <stdio.h>
#include <stdlib.h>

static const struct timeval second = {1, 0};

struct machine {
  void (*step)(struct machine*);
  long count;
};

static void second_step(struct machine* m) { m->count += 2; }

static void first_step(struct machine* m) {
  m->count++;
  m->step = second_step;
}

static void on_step(evutil_socket_t fd, short what, void* arg) {
  (void)fd, (void)what;
  struct machine* m = arg;
  m->step(m);
}

static void on_show(evutil_socket_t fd, short what, void* arg) {
  (void)fd, (void)what;
  const struct machine* m = arg;
  printf("%ld\n", m->count);
}

int main(void) {
  struct event_base* base = event_base_new();
  for (int i = 0; i < 2; i++) {
    struct machine* m = calloc(1, sizeof *m);
    m->step = first_step;
    event_add(event_new(base, -1, EV_PERSIST, on_step, m), &second);
    event_add(event_new(base, -1, EV_PERSIST, on_show, m), &second);
  }
  return event_base_dispatch(base);
}
