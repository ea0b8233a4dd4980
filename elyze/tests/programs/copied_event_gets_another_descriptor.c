// The copy of an event waits for another descriptor, of a file that another handler writes.
// CONFLICT always: on_a on_a
// CONFLICT always: on_a on_b
// CONFLICT always: on_b on_b
#include "server.h"
static int pipes[2];
static long written;
HANDLER(on_a) {
  char byte;
  (void)arg, (void)what;
  if (read(fd, &byte, 1) != 1) abort();
}
HANDLER(on_b) {
  UNUSED;
  written++;
  if (write(pipes[1], "x", 1) != 1) abort();
}
int main(void) {
  struct event copy;
  base = event_base_new();
  if (pipe(pipes) != 0) return 1;
  struct event *event = event_new(base, socket(AF_INET, SOCK_DGRAM, 0), EV_READ | EV_PERSIST, on_a, NULL);
  copy = *event;
  copy.ev_fd = pipes[0];
  event_add(event, NULL);
  event_add(&copy, NULL);
  when_readable(9, on_b, NULL);
  return event_base_dispatch(base);
}
