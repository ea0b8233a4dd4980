// The lowest byte of an aligned address is known, so a copy of the others moves the pointer, whatever else it copies.
// CONFLICT always: on_own on_found: client->hits
#define _ISOC11_SOURCE
#include "server.h"

struct client {
  long *hits;
  long number;
};

static struct client copy;

HANDLER(on_own) {
  struct client *client = arg;
  (void)fd, (void)what;
  ++*client->hits;
}

HANDLER(on_found) {
  UNUSED;
  ++*copy.hits;
}

int main(void) {
  struct client *client = calloc(1, sizeof *client);
  client->hits = aligned_alloc(256, 256);
  *client->hits = 0;
  memcpy((char *)&copy + 1, (char *)client + 1, 15);
  base = event_base_new();
  when_readable(3, on_own, client);
  when_readable(4, on_found, NULL);
  return event_base_dispatch(base);
}
