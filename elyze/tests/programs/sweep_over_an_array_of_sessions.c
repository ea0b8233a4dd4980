// A timer walks the array whose elements are sessions of the other handler.
// CONFLICT session: on_read on_read: slot->idle
// CONFLICT always: on_read on_sweep: slot->idle
// CONFLICT always: on_sweep on_sweep: slot->idle

#include <event2/event.h>
#include <stddef.h>

static const struct timeval second = {1, 0};

struct slot {
  int idle;
};

static struct slot slots[16];

static void on_read(evutil_socket_t fd, short what, void* arg) {
  (void)fd, (void)what;
  struct slot* s = arg;
  s->idle = 0;
}

static void on_sweep(evutil_socket_t fd, short what, void* arg) {
  (void)fd, (void)what, (void)arg;
  for (int i = 0; i < 16; i++) slots[i].idle++;
}

int main(void) {
  struct event_base* base = event_base_new();
  for (int i = 0; i < 16; i++) {
    event_add(event_new(base, -1, EV_PERSIST, on_read, &slots[i]), &second);
  }
  event_add(event_new(base, -1, EV_PERSIST, on_sweep, NULL), &second);
  return event_base_dispatch(base);
}
