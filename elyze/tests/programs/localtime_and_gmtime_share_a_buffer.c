#define _GNU_SOURCE
#include "server.h"

HANDLER(on_a) {
  time_t t = 0;
  UNUSED;
  if (localtime(&t)->tm_hour) exit(1);
}
HANDLER(on_b) {
  time_t t = 0;
  UNUSED;
  if (gmtime(&t)->tm_hour) exit(1);
}
// CONFLICT always: on_a on_b: hidden state of localtime

int main(void) {
  base = event_base_new();
  when_readable(3, on_a, NULL);
  when_readable(4, on_b, NULL);
  return event_base_dispatch(base);
}
