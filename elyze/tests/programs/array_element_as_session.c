// Each element of a global array is the session of its own events: elements are apart, as sessions are.
// CONFLICT session: on_read on_read: slot->bytes
// CONFLICT session: on_read on_tick: slot->bytes
// SAFE: on_tick on_tick

#include <event2/event.h>
#include <stdio.h>

static const struct timeval second = {1, 0};

struct slot {
  int fd;
  long bytes;
};

static struct slot slots[16];

static void on_read(evutil_socket_t fd, short what, void* arg) {
  (void)fd, (void)what;
  struct slot* s = arg;
  s->bytes++;
}

static void on_tick(evutil_socket_t fd, short what, void* arg) {
  (void)fd, (void)what;
  const struct slot* s = arg;
  printf("%ld\n", s->bytes);
}

int main(void) {
  struct event_base* base = event_base_new();
  for (int i = 0; i < 16; i++) {
    event_add(event_new(base, -1, EV_PERSIST, on_read, &slots[i]), &second);
    event_add(event_new(base, -1, EV_PERSIST, on_tick, &slots[i]), &second);
  }
  return event_base_dispatch(base);
}
