#define _GNU_SOURCE
#include "server.h"

HANDLER(on_a) {
  UNUSED;
  printf("%d\n", fd);
  fputs("x", stderr);
}
// SAFE: on_a on_a

int main(void) {
  base = event_base_new();
  when_readable(3, on_a, NULL);
  return event_base_dispatch(base);
}
