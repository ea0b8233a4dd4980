#define _GNU_SOURCE
#include "server.h"

static union {
  int number;
  char text[8];
} value;
HANDLER(on_a) {
  UNUSED;
  value.number = 3;
}
HANDLER(on_b) {
  UNUSED;
  value.text[2] = 3;
}
// CONFLICT always: on_a on_b: value

int main(void) {
  base = event_base_new();
  when_readable(3, on_a, NULL);
  when_readable(4, on_b, NULL);
  return event_base_dispatch(base);
}
