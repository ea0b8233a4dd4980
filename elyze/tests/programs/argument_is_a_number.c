#define _GNU_SOURCE
#include "server.h"

static int seen;
HANDLER(on_a) {
  UNUSED;
  if ((long)arg == 3) seen++;
}
// CONFLICT always: on_a on_a: seen

int main(void) {
  base = event_base_new();
  when_readable(3, on_a, (void *)3L);
  return event_base_dispatch(base);
}
