// The loop calls the function that stands in an event's structure, with the descriptor that stands there.
// CONFLICT always: on_made on_made
// CONFLICT always: on_made on_put: count
// CONFLICT always: on_put on_put: count
// CONFLICT always: on_b on_put: count
// CONFLICT always: on_b on_made
// CONFLICT always: on_b on_b: count
#include "server.h"
static long count;
static int log_file;
HANDLER(on_made) {
  char byte;
  (void)arg, (void)what;
  count += read(fd, &byte, 1);
}
HANDLER(on_put) {
  UNUSED;
  count++;
}
HANDLER(on_b) {
  UNUSED;
  count++;
  if (write(log_file, "x", 1) != 1) abort();
}
int main(void) {
  base = event_base_new();
  log_file = socket(AF_INET, SOCK_STREAM, 0);
  for (int i = 3; i < 6; i++) {
    struct event* event = calloc(1, sizeof *event);
    event_assign(event, base, i, EV_READ | EV_PERSIST, on_made, calloc(1, 8));
    if (i == 4) event->ev_evcallback.evcb_cb_union.evcb_callback = on_put;
    if (i == 5) event->ev_fd = log_file;
    event_add(event, NULL);
  }
  when_readable(9, on_b, NULL);
  return event_base_dispatch(base);
}
