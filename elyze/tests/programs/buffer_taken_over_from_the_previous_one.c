// In the loop `previous` and `s` come from one allocation site, but they are two blocks: the buffer is shared by all.
#include "server.h"

struct session {
  char *buffer;
  long hits;
};
HANDLER(on_client) {
  struct session *s = arg;
  UNUSED;
  s->buffer[0]++;
}
// CONFLICT always: on_client on_client: session->buffer

int main(void) {
  base = event_base_new();
  struct session *previous = NULL;
  for (int i = 3; i < 9; i++) {
    struct session *s = calloc(1, sizeof *s);
    s->buffer = malloc(64);
    if (previous) s->buffer = previous->buffer;
    when_readable(i, on_client, s);
    previous = s;
  }
  return event_base_dispatch(base);
}
