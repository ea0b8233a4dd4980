// Two blocks in one page: the page of the one and the low bits of the other make the other's address.
// CONFLICT always: on_own on_found: *found
#include <stdint.h>

#include "server.h"

struct client {
  long *hits;
};

static long *found;

HANDLER(on_own) {
  struct client *client = arg;
  (void)fd, (void)what;
  ++*client->hits;
}

HANDLER(on_found) {
  UNUSED;
  ++*found;
}

int main(void) {
  const uintptr_t within = 4095;
  struct client *client = calloc(1, sizeof *client);
  client->hits = calloc(1, sizeof *client->hits);
  found = calloc(1, sizeof *found);
  uintptr_t own = (uintptr_t)client->hits, neighbour = (uintptr_t)found;
  if ((own & ~within) == (neighbour & ~within)) found = (long *)((neighbour & ~within) | (own & within));
  base = event_base_new();
  when_readable(3, on_own, client);
  when_readable(4, on_found, NULL);
  return event_base_dispatch(base);
}
