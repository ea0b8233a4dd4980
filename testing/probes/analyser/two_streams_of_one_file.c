// Two streams of one file have no lock in common: a record that does not fit a buffer is written in parts.
// CONFLICT always: on_a on_b: contents of log
// SAFE: on_a on_a
// SAFE: on_b on_b
#include "server.h"
static FILE *first, *second;
static char a[100000], b[100000];
HANDLER(on_a) {
  UNUSED;
  fwrite(a, 1, sizeof a, first);
}
HANDLER(on_b) {
  UNUSED;
  fwrite(b, 1, sizeof b, second);
}

int main(void) {
  base = event_base_new();
  memset(a, 97, sizeof a);
  memset(b, 98, sizeof b);
  first = fopen("/srv/log", "r+");
  second = fopen("/srv/log", "r+");
  when_readable(3, on_a, NULL);
  when_readable(4, on_b, NULL);
  return event_base_dispatch(base);
}
