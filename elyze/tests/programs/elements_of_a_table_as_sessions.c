#define _GNU_SOURCE
#include "server.h"

static struct slot {
  int n;
} slots[8];
HANDLER(on_a) {
  struct slot *s = arg;
  UNUSED;
  s->n++;
}
// IMPRECISE: on_a on_a: session

int main(void) {
  base = event_base_new();
  for (int i = 0; i < 8; i++) when_readable(i + 3, on_a, &slots[i]);
  return event_base_dispatch(base);
}
