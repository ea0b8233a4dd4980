// A signal that the process sends itself is handled before raise() returns: what its function does, the handler does.
// CONFLICT always: on_alert on_alert: alerts
// CONFLICT always: on_alert on_count: alerts
// CONFLICT always: on_count on_count: alerts
#include <signal.h>

#include "server.h"

static int alerts;

static void count(int number) {
  (void)number;
  alerts++;
}

HANDLER(on_alert) {
  UNUSED;
  raise(SIGUSR1);
}

HANDLER(on_count) {
  UNUSED;
  alerts = 0;
}

int main(void) {
  signal(SIGUSR1, count);
  base = event_base_new();
  when_readable(3, on_alert, NULL);
  when_readable(4, on_count, NULL);
  return event_base_dispatch(base);
}
