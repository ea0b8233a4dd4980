#define _GNU_SOURCE
#include "server.h"

static char *last;
HANDLER(on_a) {
  UNUSED;
  char *text;
  if (asprintf(&text, "%d", fd) < 0) return;
  last = text;
  last[0] = 1;
}
// CONFLICT always: on_a on_a: last

int main(void) {
  base = event_base_new();
  when_readable(3, on_a, NULL);
  return event_base_dispatch(base);
}
