// Whoever fails once gives up, or counts the attempts: then others are seen between the load and the swap.
// CONFLICT always: on_once on_once: level
// CONFLICT always: on_once on_counted: level
// CONFLICT always: on_counted on_counted: level
// CONFLICT always: on_once on_add: level
// CONFLICT always: on_counted on_add: level
// SAFE: on_add on_add
#include "server.h"

static atomic_int level;

HANDLER(on_once) {
  UNUSED;
  int now = atomic_load(&level);
  if (!atomic_compare_exchange_strong(&level, &now, now * 2)) abort();
}
HANDLER(on_counted) {
  UNUSED;
  int tries = 0;
  int now = atomic_load(&level);
  while (!atomic_compare_exchange_strong(&level, &now, now * 2)) tries++;
  if (tries > 0) abort();
}
HANDLER(on_add) {
  UNUSED;
  atomic_fetch_add(&level, 1);
}

int main(void) {
  base = event_base_new();
  when_readable(3, on_once, NULL);
  when_readable(4, on_counted, NULL);
  when_readable(5, on_add, NULL);
  return event_base_dispatch(base);
}
