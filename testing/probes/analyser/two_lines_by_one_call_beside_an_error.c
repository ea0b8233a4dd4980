// stdout of a terminal is line buffered: printf() of two lines are two writes.
// CONFLICT always: on_a on_b
#define _GNU_SOURCE
#include "server.h"

HANDLER(on_a) {
  UNUSED;
  printf("one\ntwo %d\n", what);
}

HANDLER(on_b) {
  UNUSED;
  fputs("error\n", stderr);
}

int main(void) {
  base = event_base_new();
  when_readable(3, on_a, NULL);
  when_readable(4, on_b, NULL);
  return event_base_dispatch(base);
}
