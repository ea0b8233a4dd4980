#define _GNU_SOURCE
#include "server.h"

static struct {
  int hits, misses;
} stats;
HANDLER(on_a) {
  UNUSED;
  stats.hits++;
}
HANDLER(on_b) {
  UNUSED;
  stats.misses++;
}
// CONFLICT always: on_a on_a: stats.hits
// SAFE: on_a on_b

int main(void) {
  base = event_base_new();
  when_readable(3, on_a, NULL);
  when_readable(4, on_b, NULL);
  return event_base_dispatch(base);
}
