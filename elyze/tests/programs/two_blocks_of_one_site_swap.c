// Two sessions exchange their buffers through local variables.
#include "server.h"

struct session {
  struct session *peer;
  char *buffer;
};
static struct session *make(void) {
  struct session *s = calloc(1, sizeof *s);
  s->buffer = malloc(10);
  return s;
}
HANDLER(on_client) {
  struct session *s = arg;
  UNUSED;
  s->buffer[0]++;
}
HANDLER(on_swap) {
  struct session *s = arg;
  UNUSED;
  char **mine = &s->buffer, **other = &s->peer->buffer;
  char *t = *mine;
  *mine = *other;
  (void)t;
}
// CONFLICT always: on_client on_client: session->buffer
// CONFLICT session: on_client on_swap: session->buffer
// IMPRECISE: on_swap on_swap: session

int main(void) {
  base = event_base_new();
  for (int i = 3; i < 9; i++) {
    struct session *a = make();
    a->peer = make();
    when_readable(i, on_client, a);
    when_readable(i + 10, on_client, a->peer);
    when_readable(i + 20, on_swap, a);
  }
  return event_base_dispatch(base);
}
