// A descriptor that is kept as a pointer is no address, whatever bytes of addresses the library was given.
#include "server.h"

#include <stdint.h>

struct session {
  void *socket;
  long bytes;
};
static long written;
HANDLER(on_client) {
  struct session *s = arg;
  char text[16];
  UNUSED;
  s->bytes += recv((int)(intptr_t)s->socket, text, sizeof text, 0);
}
HANDLER(on_log) {
  UNUSED;
  written++;
}
// CONFLICT session: on_client on_client: session->bytes
// SAFE: on_client on_log
// CONFLICT always: on_log on_log: written

int main(void) {
  base = event_base_new();
  srand((unsigned)((uintptr_t)base >> 4));
  for (int i = 3; i < 5; i++) {
    struct session *s = calloc(1, sizeof *s);
    s->socket = (void *)(intptr_t)socket(AF_INET, SOCK_STREAM, 0);
    when_readable(i, on_client, s);
  }
  when_readable(10, on_log, NULL);
  return event_base_dispatch(base);
}
