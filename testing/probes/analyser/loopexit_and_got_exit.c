// CONFLICT always: on_a on_b: x
/* asked twice in one handler */
#include "server.h"

static int n;
HANDLER(on_a) {
  UNUSED;
  event_base_loopexit(base, NULL);
}
HANDLER(on_b) {
  UNUSED;
  n = event_base_got_exit(base);
  n += event_base_got_exit(base);
}
int main(int argc, char** argv) {
  (void)argc;
  (void)argv;
  base = event_base_new();

  when_readable(3, on_a, NULL);
  when_readable(4, on_b, NULL);
  return event_base_dispatch(base);
}
