// A buffer knows no borders either: a structure is taken out of it that was added by its members.
// CONFLICT always: on_own on_found: *found
// CONFLICT always: on_found on_found
#include <event2/buffer.h>

#include "server.h"

struct client {
  long *hits;
};

struct message {
  long number;
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
  base = event_base_new();
  struct evbuffer *buffer = evbuffer_new();
  struct client *client = calloc(1, sizeof *client);
  struct message message;
  long number = 5;
  client->hits = calloc(1, sizeof *client->hits);
  evbuffer_add(buffer, &number, sizeof number);
  evbuffer_add(buffer, &client->hits, sizeof client->hits);
  if (evbuffer_remove(buffer, &message, sizeof message) != (int)sizeof message) return 1;
  found = message.hits;
  when_readable(3, on_own, client);
  when_readable(4, on_found, NULL);
  return event_base_dispatch(base);
}
