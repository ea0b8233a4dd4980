// The same in a session, where only invocations of one session meet.
// CONFLICT session: on_read on_read: client->bytes
// CONFLICT session: on_read on_write: client->bytes
// SAFE: on_write on_write
#include "server.h"

struct client {
  atomic_long bytes;
};

HANDLER(on_read) {
  UNUSED;
  struct client *c = arg;
  long before = c->bytes;
  c->bytes = before + 10;
}

HANDLER(on_write) {
  UNUSED;
  struct client *c = arg;
  c->bytes += 20;
}

int main(void) {
  base = event_base_new();
  for (int i = 0; i < 2; i++) {
    struct client *c = calloc(1, sizeof *c);
    when_readable(3 + i, on_read, c);
    when_readable(5 + i, on_write, c);
  }
  return event_base_dispatch(base);
}
