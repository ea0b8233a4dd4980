// A descriptor of unknown origin: its event is made, never added, and made active by hand.
// CONFLICT always: on_a on_b
#include "server.h"

static struct event* ev;
HANDLER(on_hand) { UNUSED; }

HANDLER(on_a) {
  UNUSED;
  write(event_get_fd(ev), "a", 1);
  write(event_get_fd(ev), "b", 1);
}

HANDLER(on_b) {
  UNUSED;
  char t[8];
  int in = open("/tmp/elyze-e", O_RDONLY);
  read(in, t, 8);
  close(in);
}

int main(int argc, char** argv) {
  (void)argc, (void)argv;
  base = event_base_new();
  ev = event_new(base, atoi(argv[1]), EV_READ, on_hand, NULL);
  event_active(ev, EV_READ, 1);
  when_readable(3, on_a, NULL);
  when_readable(4, on_b, NULL);
  return event_base_dispatch(base);
}
